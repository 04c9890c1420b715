"""Facts to HTML: the parts of a page, each from its facts alone, shared by all seats that are shown the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import yaml
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
from markupsafe import Markup

from ..content import registry
from ..content.faults import RegistryError
from ..engine.events import Event
from . import beside, looking
from .languages import SOURCE, language, languages
from .rooms import Room
from .templating import Templates
from .texts import text_in

HERE: Final = Path(__file__).parent
PARTS: Final = ("top", "table", "question", "odds")
LATEST: Final = 100  # lines of the log that a page begins with
_MADE: Final = 20  # renderings kept for a table: those of its state now, and some of the one before

_SWAP: Final = '<hx-partial hx-target="#{}" hx-swap="{}">{}</hx-partial>'

_pack = msgspec.msgpack.Encoder().encode


class Part(NamedTuple):
    """HTML and what tells it from another."""

    html: str
    digest: str


class Later:
    """A part that is made when its HTML is asked for: many who are told that it is another have it already."""

    __slots__ = ("_facts", "_language", "_room", "_template", "digest")

    def __init__(self, room: Room, template: str, facts: dict[str, Any], digest: str) -> None:
        self._room, self._template, self._facts, self._language = room, template, facts, language()
        self.digest = digest

    @property
    def html(self) -> str:
        """The HTML, as `Part` has it."""
        assert language() == self._language
        return _part(self._room, self._template, self._facts).html


class Lines:
    """The lines of the log that one seat sees; `marks[n]` tells the first n lines from others."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.marks: list[str] = [_digest(b"")]

    def first_new(self, seen: int, mark: str) -> int | None:
        """How many lines lie before those to be sent: those seen, or less where others were seen. None if none are new."""
        if 0 <= seen < len(self.marks) and self.marks[seen] == mark:
            return None if seen == len(self.events) else seen
        return max(0, len(self.events) - LATEST)


def face_folder(ruleset_id: str) -> Path:
    """Where a game keeps the templates and styles of its face; it need not exist."""
    return registry.folder(registry.get(ruleset_id)) / "faces"


@cache
def has_face(ruleset_id: str) -> bool:
    """Whether a game brings a face of its own."""
    return registry.get(ruleset_id).face is not None and (face_folder(ruleset_id) / "table.html").is_file()


@cache
def static_digest(path: Path) -> str:
    """Names the content of a file, so that browsers may keep it for ever."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10]


def static(name: str) -> str:
    """The address of a file of the table's own."""
    return f"/static/{name}?v={static_digest(HERE / 'static' / name)}"


def face_style(ruleset_id: str) -> str:
    """The address of the styles of a game's face; empty if it has none."""
    file = face_folder(ruleset_id) / "face.css"
    return f"/faces/{ruleset_id}/face.css?v={static_digest(file)}" if file.is_file() else ""


def environment() -> Templates:
    """The templates of the table and of all faces, in the language of the page that is being made."""
    return _environment(language())


@cache
def _environment(language: str) -> Templates:
    faces = {id: FileSystemLoader(face_folder(id)) for id in registry.ids() if _usable(id) and has_face(id)}
    made = Templates(ChoiceLoader([FileSystemLoader(HERE / "templates"), PrefixLoader(faces)]), partial(text_in, language))
    other = language != SOURCE
    made.globals.update(
        language=language, spoken=[(each, text_in(each, "language")) for each in languages()],
        # What the games say is English, and marked as that where a page speaks another language.
        of_game=Markup(f' lang="{SOURCE}"') if other else "", of_page=Markup(f' lang="{language}"') if other else "",
    )  # fmt: skip
    made.globals.update(
        static=static,
        face_style=face_style,
        thing=looking.thing,
        called=looking.called,
        dice_of=dice_of,
        offers_of=offers_of,
        primer=primer,
        hints=hints,
    )
    return made


def dice_of(ruleset_id: str) -> Any:
    """The pictures of a game's dice: its own, else dice with pips and numbers."""
    return _dice(language(), ruleset_id)


@cache
def _dice(language: str, ruleset_id: str) -> Any:
    own = (face_folder(ruleset_id) / "dice.html").is_file()
    return _environment(language).get_template(f"{ruleset_id}/dice.html" if own else "dice.html").module


@cache
def primer(ruleset_id: str) -> Markup:
    """How a game goes, in brief, for those who have never played it; empty if it does not say."""
    file = face_folder(ruleset_id) / "primer.html"
    return Markup(file.read_text(encoding="utf-8")) if has_face(ruleset_id) and file.is_file() else Markup("")


@cache
def hints(ruleset_id: str) -> Mapping[str, str]:
    """What a decision does, in a sentence, by the first word of what is asked; for those who have never decided it."""
    file = face_folder(ruleset_id) / "hints.yaml"
    found: Mapping[str, str] = yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def offers_of(ruleset_id: str) -> Any:
    """What draws groups of a game's offers in a way of its own: the names of `groups`, and `group`; None if nothing does."""
    return _offers(language(), ruleset_id)


@cache
def _offers(language: str, ruleset_id: str) -> Any:
    own = has_face(ruleset_id) and (face_folder(ruleset_id) / "offers.html").is_file()
    return _environment(language).get_template(f"{ruleset_id}/offers.html").module if own else None


def _usable(ruleset_id: str) -> bool:
    try:
        registry.get(ruleset_id)
    except RegistryError:
        return False
    return True


def fill(template: str, **facts: Any) -> str:
    """A template with its facts."""
    return environment().get_template(template).render(**facts)


def parts(room: Room, seat: str) -> dict[str, Part | Later]:
    """Every part of the page of a seat."""
    key = ("parts", seat, language())
    if key not in room.shown:
        still, facts, digest = _without_odds(room, seat)
        odds = beside.odds(room, seat)
        room.shown[key] = {
            **still,
            # Told from another by what it says without odds.
            "question": Later(room, "question.html", facts | {"odds": odds}, digest),
            "odds": Part("", "") if odds["state"] == "off" else _odds(room, seat, odds),
        }
    found: dict[str, Part | Later] = room.shown[key]
    return found


def _without_odds(room: Room, seat: str) -> tuple[dict[str, Part], dict[str, Any], str]:
    """The parts that no odds change, and the facts of the question with their digest."""
    key = ("without odds", seat, language())
    if key not in room.shown:
        game = room.row.ruleset
        own = {"table": room.id, "seat": seat, "game": game}
        facts = own | looking.question(room, seat) | _ruling(room, seat)
        made = {
            "top": _part(room, "top.html", {"name": room.row.name, **own, **looking.top(room, seat)}),
            "table": _part(room, f"{game}/table.html", {"game": game, **looking.table(room, seat)})
            if has_face(game)
            else _part(room, "tableau.html", {"lines": looking.tableau(room, seat), "records": looking.records(room, seat)}),
        }
        room.shown[key] = made, facts, _digest(_pack(facts))
    found: tuple[dict[str, Part], dict[str, Any], str] = room.shown[key]
    return found


def _odds(room: Room, seat: str, odds: dict[str, Any]) -> Part:
    """What goes into the places that a question keeps for its odds, each as the library for the wire wants it."""
    inside: Any = environment().get_template("odds.html").module
    made = [("odds-advice", inside.advised(odds))]
    labels = [each["label"] for each in looking.offers(room, seat)]
    made += [
        (f"odds-{place}", inside.inside(place, labels[place], slot, odds["advice"])) for place, slot in odds["slots"].items()
    ]
    html = "".join(_SWAP.format(name, "innerMorph", each) for name, each in made)
    return Part(html, _digest(html.encode()))


def _ruling(room: Room, seat: str) -> dict[str, Any]:
    is_gm = room.state.role(seat) == "gm" and room.state.encounter.question is not None
    return {"fields": looking.fields(room) if is_gm else []}


def _part(room: Room, template: str, facts: dict[str, Any]) -> Part:
    reads = environment().reads(template)
    if reads is not None:
        facts = {name: value for name, value in facts.items() if name in reads}
    key = (language(), template, _digest(_pack(facts)))
    kept: dict[Any, Part] = room.kept.setdefault("made", {})
    if key not in kept:
        while len(kept) >= _MADE:
            del kept[next(iter(kept))]
        html = fill(template, **facts)
        kept[key] = Part(html, _digest(html.encode()))
    return kept[key]


def lines(room: Room, seat: str) -> Lines:
    """The log of a seat; what was looked at before is not looked at again."""
    shown = ("lines", seat)
    if shown in room.shown:
        current: Lines = room.shown[shown]
        return current
    found: Lines = room.kept.setdefault(shown, Lines())
    events = looking.events(room, seat)
    told = len(found.events)
    if told > len(events) or (told and found.events[-1] is not events[told - 1]):
        found = room.kept[shown] = Lines()  # something was taken back
        told = 0
    for event in events[told:]:
        found.events.append(event)
        found.marks.append(_digest(found.marks[-1].encode() + _line(room, event)[1]))
    room.shown[shown] = found
    return found


def _line(room: Room, event: Event) -> tuple[dict[str, Any], bytes]:
    """A line of the log as facts, and what tells it from others; the same for all who see it."""
    key = ("line", id(event), language())
    if key not in room.shown:
        line = looking.line(room.state.encounter, event)
        room.shown[key] = line, _pack(line), event  # which lives as long, so that its id names no other
    found: tuple[dict[str, Any], bytes, Event] = room.shown[key]
    return found[0], found[1]


def _worded(room: Room, log: Lines, first: int) -> str:
    """The lines of a log after so many, as HTML; seats share what they both see."""
    made: dict[Any, str] = room.kept.setdefault("worded", {})
    out = []
    for number, event in enumerate(log.events[first:], first + 1):
        line, packed = _line(room, event)
        key = (language(), number, packed)
        if key not in made:
            while len(made) >= LATEST:
                del made[next(iter(made))]
            made[key] = environment().get_template("line.html").render(e=line, number=number, game=room.row.ruleset)
        out.append(made[key])
    return "".join(out)


def page(room: Room, seat: str, *, whole_log: bool = False, notice: str = "") -> str:
    """The whole page of a seat."""
    made, log = parts(room, seat), lines(room, seat)
    first = 0 if whole_log else max(0, len(log.events) - LATEST)
    return fill(
        "page.html",
        parts={name: Markup(part.html) for name, part in made.items() if name != "odds"},
        lines=Markup(_worded(room, log, first)),
        earlier=first,
        seen=len(log.events),
        version=version(made, log),
        name=room.row.name,
        game=room.row.ruleset,
        table=room.id,
        seat=seat,
        label=looking.called(seat),
        asked=bool(room.ticket(seat)),
        notice=notice,
    )


def version(made: Mapping[str, Part | Later], log: Lines) -> str:
    """What a page has been shown, in a few letters: it gives them back when it connects again."""
    return ".".join([*(f"{name}-{made[name].digest}" for name in PARTS), f"log-{log.marks[-1]}"])


class Frame(NamedTuple):
    """What is sent to a page that was shown something else: how many lines it has then, its version, the HTML, all as JSON."""

    seen: int
    version: str
    html: str
    message: str


def frame(room: Room, seat: str, seen: int, had: str) -> Frame | None:
    """What has changed for a page that has seen so many lines and that version; None if nothing. Shared by equal pages."""
    key = ("frame", seat, seen, had, language())
    if key not in room.shown:
        room.shown[key] = _frame(room, seat, seen, dict(each.split("-", 1) for each in had.split(".") if "-" in each))
    found: Frame | None = room.shown[key]
    return found


def _frame(room: Room, seat: str, seen: int, had: dict[str, str]) -> Frame | None:
    made, log = parts(room, seat), lines(room, seat)
    swap: Callable[[str, str, str], str] = _SWAP.format
    out = [swap(name, "outerMorph", made[name].html) for name in PARTS if name != "odds" and had.get(name) != made[name].digest]
    if had.get("question") == made["question"].digest and had.get("odds") != made["odds"].digest:
        out.append(made["odds"].html or swap("question", "outerMorph", made["question"].html))
    first = log.first_new(seen, had.get("log", ""))
    if first is not None:
        out.append(swap("lines", "beforeend" if first == seen and seen else "innerHTML", _worded(room, log, first)))
    if not out:
        return None
    content, shown = "".join(out), version(made, log)
    told = len(log.events)
    return Frame(told, shown, content, looking.plain({"n": told, "v": shown, "content": content}))


def _digest(told: bytes) -> str:
    return hashlib.blake2b(told, digest_size=9).hexdigest()
