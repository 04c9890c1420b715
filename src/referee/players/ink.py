"""How an encounter looks on a screen of text: aligned, coloured by side where the screen can. Knows no game."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ..engine.encounter import Encounter, Shown
from ..engine.events import Event
from ..engine.numbers import Breakdown

COLOURS: Final = ("bright_cyan", "bright_magenta", "bright_yellow", "bright_green")
COLUMN: Final = 76  # where rule ids stand, if the screen is wide enough
LEAST: Final = 40
DEEPEST: Final = 3  # levels by which the log is indented

_HEADING: Final = re.compile(r"-{2,} (.+) -{2,}")


class Ink:
    """Writes to a screen or a file. Without a terminal, or with NO_COLOR set, it writes plain text."""

    def __init__(self, file: IO[str] | None = None) -> None:
        file = file or sys.stdout
        self.terminal = file.isatty()
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb" or not self.terminal
        self._console = Console(
            file=file,
            color_system=None if plain else "auto",
            force_terminal=False if plain else None,
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=True,
        )
        self._names: re.Pattern[str] | None = None
        self._sides: dict[str, str] = {}

    @property
    def width(self) -> int:
        """Columns of the screen; of a file as many as reading takes."""
        return max(LEAST, self._console.width) if self.terminal else 110

    def learn(self, encounter: Encounter) -> None:
        """Takes the names of seats, figures and sides of an encounter, to colour them by side."""
        sides: list[str] = []
        self._sides = {}
        for seat in encounter.game.seats.values():
            if seat.role != "player":
                continue
            if seat.side not in sides:
                sides.append(seat.side)
            colour = COLOURS[sides.index(seat.side) % len(COLOURS)]
            for name in (seat.name, seat.side, *seat.figures):
                if name:
                    self._sides.setdefault(name.replace("_", " ").lower(), colour)
        names = sorted(self._sides, key=lambda name: (-len(name), name))
        self._names = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE) if names else None

    def side(self, seat: str) -> str:
        """The colour of a seat."""
        return self._sides.get(seat.replace("_", " ").lower(), "")

    def say(self, text: str = "", style: str = "") -> None:
        """A line of text, its names coloured by side."""
        self._out(self._coloured(text, style))

    def paragraph(self, text: str, indent: str = "", style: str = "") -> None:
        """A text broken to the width of the screen."""
        for line in textwrap.wrap(text, self.width - 1, initial_indent=indent, subsequent_indent=indent) or [""]:
            self.say(line, style)

    def title(self, text: str, style: str = "bold") -> None:
        """A heading with a line through the rest of the screen."""
        length = max(3, min(self.width, 100) - cell_len(text) - 4)
        shown = Text()
        shown.append("── ", "dim")
        shown.append_text(self._coloured(text, style))
        shown.append(" " + "─" * length, "dim")
        self._out(shown)

    def event(self, line: str, event: Event) -> None:
        """A line of the log, indented by how deep it happened, with its rule ids in a column of their own.

        A line between dashes ("--- Round 2 ---") is a heading.
        """
        body, rules = parted(line, event)
        heading = _HEADING.fullmatch(body)
        if heading is not None:
            self.say()
            self.title(heading[1])
            return
        level = min(max(event.depth, 1), DEEPEST) - 1
        style = "dim" if event.explain else ""
        column = min(COLUMN, max(LEAST, self.width - 30))
        lines = textwrap.wrap(body, column, initial_indent="  " * level, subsequent_indent="  " * (level + 2)) or [""]
        for each in lines[:-1]:
            self.say(each, style)
        shown = self._coloured(lines[-1], style)
        # A file keeps every event on one line, so that it can be searched; a screen breaks what would run over its edge.
        cited = textwrap.wrap(rules, max(self.width - column - 3, 14), break_on_hyphens=False) if self.terminal else [rules]
        for place, each in enumerate(cited):
            shown.append(" " * (column + 2 - (0 if place else cell_len(lines[-1]))) + each, "dim")
            self._out(shown)
            shown = Text()
        if not cited:
            self._out(shown)

    def offers(self, numbered: Sequence[tuple[str, Shown]], notes: Sequence[str] = ()) -> None:
        """Offers under the headings of their groups: number, label, cost; and a note beside each, if there are notes."""
        labels = [each.label for _, each in numbered]
        wide = min(max(map(cell_len, labels), default=0), max(LEAST, self.width - 30))
        digits = max((len(number) for number, _ in numbered), default=1)
        group = ""
        several = len({each.offer.group for _, each in numbered}) > 1
        costly = max((cell_len(costs(each.cost)) for _, each in numbered), default=0)
        for (number, each), label, note in zip(numbered, labels, notes or [""] * len(labels), strict=True):
            if several and each.offer.group != group:
                group = each.offer.group
                self.say(f"  {group.replace('_', ' ')}", "italic dim")
            shown = Text()
            shown.append(f"  {number:>{digits}}  ", "bold")
            shown.append_text(self._coloured(label))
            if each.cost or note:
                shown.append(" " * (wide - cell_len(label) + 3) + costs(each.cost), "yellow")
            if note:
                gap = costly - cell_len(costs(each.cost)) + 3 if costly else 0
                shown.append(" " * gap + note, "dim")
            self._out(shown)

    def breakdown(self, number: Breakdown) -> None:
        """A number, and under it the lines it is made of."""
        self.say(f"  {number.name.replace('_', ' ')}: {number.total}", "bold")
        wide = max((cell_len(source) for _, source, _ in number.lines), default=0)
        for value, source, rule in number.lines:
            shown = self._coloured(f"    {value:+4d}  {source.replace('_', ' ')}")
            shown.append(" " * (wide - cell_len(source) + 3) + rule, "dim")
            self._out(shown)
        if number.least is not None and number.total != sum(value for value, _, _ in number.lines):
            self.say(f"    never below {number.least}", "dim")

    def ask(self, text: str, style: str = "bold") -> None:
        """A prompt, without an end of line."""
        self._console.print(Text(text, style), end="")
        self._console.file.flush()

    def progress(self, what: str) -> Callable[[float], None]:
        """A function that hears from 0 to 1 how much is done; it says so in one line of a terminal, and wipes it at last."""

        def hear(done: float) -> None:
            if self.terminal:
                self._console.file.write(f"\r{what}: {done:4.0%}" if done < 1 else "\r" + " " * (len(what) + 6) + "\r")
                self._console.file.flush()

        return hear

    def clear(self) -> None:
        """Wipes the screen with all that can be scrolled back to."""
        if self.terminal:
            self._console.file.write("\x1b[H\x1b[2J\x1b[3J")
            self._console.file.flush()

    def _coloured(self, text: str, style: str = "") -> Text:
        # A style of the text itself would colour what is appended to it.
        shown = Text(text)
        if style:
            shown.stylize(style)
        if self._names is not None:
            for found in self._names.finditer(text):
                shown.stylize(self._sides[found.group().lower()], *found.span())
        return shown

    def _out(self, text: Text) -> None:
        text.rstrip()
        self._console.print(text)
        self._console.file.flush()


def parted(line: str, event: Event) -> tuple[str, str]:
    """A worded event without and with only its rule ids."""
    rules = ", ".join(event.rules)
    body, opened, rest = line.rpartition("[")
    if opened and rest.rstrip().endswith("]") and any(rule in rest for rule in event.rules):
        return body.rstrip(), rest.rstrip()[:-1]
    return line.rstrip(), rules


def costs(cost: Iterable[tuple[int, str]]) -> str:
    """A cost in words: "2 electra, 1 card"."""
    return ", ".join(f"{amount} {what.replace('_', ' ')}" for amount, what in cost)
