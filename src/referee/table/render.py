"""Facts to HTML: the parts of a page, each from its facts alone, shared by all seats that are shown the same."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup

from ..content import registry
from ..content.faults import RegistryError
from ..engine.events import Event
from . import looking
from .rooms import Room
from .texts import text

HERE: Final = Path(__file__).parent
PARTS: Final = ("top", "table", "question")
LATEST: Final = 250  # lines of the log that a page begins with
_MADE: Final = 64  # renderings kept for a table

_pack = msgspec.msgpack.Encoder().encode


class Part(NamedTuple):
    """HTML and what tells it from another."""

    html: str
    digest: str


class Lines:
    """The lines of the log that one seat sees, as HTML; `marks[n]` tells the first n lines from others."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.html: list[str] = []
        self.marks: list[str] = [_digest("")]

    def since(self, seen: int, mark: str) -> tuple[int, list[str]] | None:
        """The lines after those seen, and how many lie before; from further back where others were seen. None if none."""
        if 0 <= seen < len(self.marks) and self.marks[seen] == mark:
            return None if seen == len(self.html) else (seen, self.html[seen:])
        first = max(0, len(self.html) - LATEST)
        return first, self.html[first:]


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


@cache
def environment() -> Environment:
    """The templates of the table and of all faces."""
    faces = {id: FileSystemLoader(face_folder(id)) for id in registry.ids() if _usable(id) and has_face(id)}
    made = Environment(
        loader=ChoiceLoader([FileSystemLoader(HERE / "templates"), PrefixLoader(faces)]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    made.globals.update(t=text, static=static, face_style=face_style, thing=looking.thing, called=looking.called)
    return made


def _usable(ruleset_id: str) -> bool:
    try:
        registry.get(ruleset_id)
    except RegistryError:
        return False
    return True


def fill(template: str, **facts: Any) -> str:
    """A template with its facts."""
    return environment().get_template(template).render(**facts)


def parts(room: Room, seat: str) -> dict[str, Part]:
    """Every part of the page of a seat."""
    key = ("parts", seat)
    if key not in room.shown:
        game = room.row.ruleset
        own = {"table": room.id, "seat": seat, "game": game}
        with_face = has_face(game)
        made = {
            "top": _part(room, "top.html", {"name": room.row.name, **own, **looking.top(room, seat)}),
            "question": _part(room, "question.html", own | looking.question(room, seat) | _ruling(room, seat)),
            "table": _part(room, f"{game}/table.html", {"game": game, **looking.table(room, seat)})
            if with_face
            else _part(room, "tableau.html", {"lines": looking.tableau(room, seat), "records": looking.records(room, seat)}),
        }
        room.shown[key] = made
    found: dict[str, Part] = room.shown[key]
    return found


def _ruling(room: Room, seat: str) -> dict[str, Any]:
    is_gm = room.state.role(seat) == "gm" and room.state.encounter.question is not None
    return {"fields": looking.fields(room) if is_gm else []}


def _part(room: Room, template: str, facts: dict[str, Any]) -> Part:
    key = (template, _pack(facts))
    kept: dict[Any, Part] = room.kept.setdefault("made", {})
    if key not in kept:
        while len(kept) >= _MADE:
            del kept[next(iter(kept))]
        html = fill(template, **facts)
        kept[key] = Part(html, _digest(html))
    return kept[key]


def lines(room: Room, seat: str) -> Lines:
    """The log of a seat; what was worded before is not worded again."""
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
    encounter = room.state.encounter
    template = environment().get_template("line.html")
    for number, event in enumerate(events[told:], told + 1):
        html = template.render(e=looking.line(encounter, event), number=number, game=room.row.ruleset)
        found.events.append(event)
        found.html.append(html)
        found.marks.append(_digest(found.marks[-1] + html))
    room.shown[shown] = found
    return found


def page(room: Room, seat: str, *, whole_log: bool = False, notice: str = "") -> str:
    """The whole page of a seat."""
    made, log = parts(room, seat), lines(room, seat)
    first = 0 if whole_log else max(0, len(log.html) - LATEST)
    return fill(
        "page.html",
        parts={name: Markup(part.html) for name, part in made.items()},
        lines=Markup("".join(log.html[first:])),
        earlier=first,
        seen=len(log.html),
        version=version(made, log),
        name=room.row.name,
        game=room.row.ruleset,
        table=room.id,
        seat=seat,
        label=looking.called(seat),
        asked=bool(room.ticket(seat)),
        notice=notice,
    )


def version(made: dict[str, Part], log: Lines) -> str:
    """What a page has been shown, in a few letters: it gives them back when it connects again."""
    return ".".join([*(f"{name}-{made[name].digest}" for name in PARTS), f"log-{log.marks[-1]}"])


class Frame(NamedTuple):
    """What is sent to a page that was shown something else: how many lines it has then, its version, the HTML."""

    seen: int
    version: str
    html: str


def frame(room: Room, seat: str, seen: int, had: str) -> Frame | None:
    """What has changed for a page that has seen so many lines and that version; None if nothing. Shared by equal pages."""
    key = ("frame", seat, seen, had)
    if key not in room.shown:
        room.shown[key] = _frame(room, seat, seen, dict(each.split("-", 1) for each in had.split(".") if "-" in each))
    found: Frame | None = room.shown[key]
    return found


def _frame(room: Room, seat: str, seen: int, had: dict[str, str]) -> Frame | None:
    made, log = parts(room, seat), lines(room, seat)
    swap: Callable[[str, str, str], str] = '<hx-partial hx-target="#{}" hx-swap="{}">{}</hx-partial>'.format
    out = [swap(name, "outerMorph", made[name].html) for name in PARTS if had.get(name) != made[name].digest]
    new = log.since(seen, had.get("log", ""))
    if new is not None:
        first, html = new
        out.append(swap("lines", "beforeend" if first == seen and seen else "innerHTML", "".join(html)))
    return Frame(len(log.html), version(made, log), "".join(out)) if out else None


def _digest(html: str) -> str:
    return hashlib.blake2b(html.encode(), digest_size=9).hexdigest()
