"""Replaying: a history or a transcript played again, entry by entry, and the first difference found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from .answers import effective, feed, rolls_seen
from .errors import RefereeError
from .events import Event, Result
from .game import Entry, Game
from .questions import Choice, Roll
from .ruleset import Content
from .transcript import FORMAT, Line, Transcript, chained, head, plain


class Difference(msgspec.Struct, frozen=True):
    """The first place where a transcript and the rules of now part: the entry, the line, what happened, by which rules."""

    number: int
    line: int
    why: str
    rules: tuple[str, ...] = ()


class Replay:
    """Plays entries again. `game` is where it stands; `happened` a digest of what the last entry brought."""

    def __init__(self, content: Content, seed: int | None) -> None:
        self._content = content
        self._seed = seed
        self._entries: list[Entry] = []
        self._told = 0
        self._remembered: dict[bytes, Any] = {}
        self.game = self._fresh()
        self.happened = ""
        self._seen = self.game.logged

    def _fresh(self) -> Game:
        game = Game(self._content, self._seed)
        game.dice = None
        game.begin()
        return game

    def events(self) -> list[Event]:
        """All that has happened."""
        assert self.game.events is not None
        return self.game.events[: self.game.logged]

    def play(self, entry: Entry) -> None:
        """Plays one entry. IllegalAnswer if the rules do not ask for it now."""
        self._entries.append(entry)
        if entry[0] == "undo":
            played = effective(self._entries[:-1])
            self.game = self._fresh()
            for each in played[: entry[1]]:
                feed(self.game, each)
            self._remembered |= rolls_seen(self.game, played[entry[1] :])
            self._seen = self._told = self.game.logged
        else:
            feed(self.game, entry)
        data = msgspec.json.encode(self.events()[self._seen :], order="deterministic")
        self.happened = hashlib.sha256(data).hexdigest()[:8]
        self._seen = self.game.logged

    def finish(self) -> Game:
        """The game as it can be played on: its dice in hand again, its whole history kept."""
        game = self.game
        game.remembered = self._remembered
        game.history = list(self._entries)
        game.length = len(self._entries)
        game.rolls = sum(entry[0] == "roll" for entry in self._entries)
        game.resume_dice()
        return game

    def label(self, entry: Entry) -> str:
        """What an entry says, in words, before it is played."""
        game = self.game
        question = game.question
        words = game.ruleset.words
        if entry[0] == "choice" and isinstance(question, Choice):
            offer = next((each for each in question.offers if each.value == entry[2]), None)
            return str(words.label(game, question, offer)) if offer else plain(entry[2])
        if entry[0] == "roll" and isinstance(question, Roll):
            return f"{words.about(game, question)}: {plain(entry[1])}"
        if entry[0] == "ruling":
            return str(entry[2])
        return str(entry[0])

    def new_events(self) -> list[Event]:
        """What happened since this was last asked."""
        new = self.events()[self._told :]
        self._told = self.game.logged
        return new

    def new_lines(self) -> list[str]:
        """The same in words, indented by how deep it happened."""
        return [f"  | {_one_line(self.game.ruleset.words.line(self.game, event))}" for event in self.new_events()]


def compare(
    transcript: Transcript, content: Content, to: int | None = None, watch: Callable[[], None] | None = None
) -> tuple[Replay, Difference | None]:
    """Replays a transcript up to an entry (None: all), and finds the first difference, if there is one.

    `watch` is called before each entry; what it raises ends the replay.
    """
    replay = Replay(content, transcript.seed)
    lines: Sequence[Line] = transcript.lines if to is None else transcript.lines[:to]
    for line in lines:
        if watch is not None:
            watch()
        before = replay.game.logged
        try:
            replay.play(line.entry)
        except RefereeError as wrong:
            rules = tuple(dict.fromkeys(rule for event in replay.events()[-3:] for rule in event.rules))
            return replay, Difference(line.number, line.line, str(wrong), rules)
        if replay.happened != line.happened:
            events = replay.events()[before:]
            rules = tuple(dict.fromkeys(rule for event in events for rule in event.rules))
            return replay, Difference(line.number, line.line, "what followed is not what was written", rules)
    result = replay.game.result
    ended = _ended(result)
    if to is None and ended != transcript.ended:
        return replay, Difference(len(transcript.lines), 0, f"it ends {ended!r}, written was {transcript.ended!r}")
    return replay, None


def _one_line(words: str) -> str:
    return " ".join(words.splitlines())


def _ended(result: Result | None) -> str:
    return "not over" if result is None else f"over {plain(result.winner)} {plain(result.reason)}"


def write(content: Content, seed: int | None, history: Sequence[Entry], result: Result | None) -> str:
    """The text, made by playing the history again."""
    source = json.loads(content.source)
    lines = [
        f"referee transcript {FORMAT}",
        f"ruleset {content.ruleset.id} {content.ruleset.rules_version}",
        f"scenario {content.scenario.id}",
        f"seed {'none' if seed is None else seed}",
        f"content {content.digest}",
        "",
    ]
    for name, value in source.items():
        if name == "cards":
            lines += [f"card {kind} {plain(card)}" for kind, cards in value.items() for card in cards]
            lines += [f"no-card {kind}" for kind, cards in value.items() if not cards]
        else:
            lines.append(f"field {name} {plain(value)}")
    lines.append("")
    replay = Replay(content, seed)
    chain = content.digest
    lines += replay.new_lines()
    for number, entry in enumerate(history, 1):
        label = _one_line(replay.label(entry))
        replay.play(entry)
        chain = chained(chain, entry)
        lines.append(f"{number} {head(entry)} {plain(entry[1:])} ; {label} ~{chain}/{replay.happened}")
        lines += replay.new_lines()
    lines.append(f"end {len(history)} {_ended(result)}")
    text = "\n".join(lines)
    return f"{text} ~{hashlib.sha256(text.encode()).hexdigest()[:16]}\n"
