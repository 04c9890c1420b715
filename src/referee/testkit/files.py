"""Reads scene files: YAML lists of scenes and of tables of cases, every fault at once. Plays none of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..content import ContentError, Fault, RegistryError, registry, rulebook
from ..content.faults import nearest, suggestion
from ..content.nodes import Document, Steps, read
from ..engine import Ruleset

SCENE_KEYS: Final = ("scene", "game", "rules", "scenario", "cards", "given", "dice", "play", "then", "faults", "about")
CASES_KEYS: Final = ("cases", "game", "rules", "of", "table", "about")
SEAT_KEYS: Final = ("offered", "not offered", "refused", "rules", "breakdown", "name", "total", "lines")
ITEM_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "asked": ("seat", "about", "who"),
    "roll": (),
    "then": (),
    "log": (),
    "no log": (),
    "sees": ("seat", "record", "field", "value", "shown"),
    "unseen": ("seat", "record"),
    "possible": ("seat", "record", "field", "always", "never", "count", "draws"),
    "concede": (),
    "undo": ("seat", "consents"),
    "take back": (),
    "rule": ("edits", "reason", "by"),
    "error": (),
}
"""The items of `play` that are no seat, with the keys of those whose keys are fixed."""

_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "sees": ("seat", "record", "field"),
    "unseen": ("seat", "record"),
    "possible": ("seat", "record", "field"),
    "rule": ("edits", "reason"),
    "log": ("kind",),
    "no log": ("kind",),
    "asked": (),
    "undo": ("seat",),
}
_MAPPINGS: Final = ("then", "log", "no log", "sees", "unseen", "possible", "rule", "error")


@dataclass(frozen=True, eq=False)
class Script:
    """A scene, or a table of cases, as it stands in its file."""

    name: str
    ruleset: Ruleset
    document: Document
    at: Steps
    data: Mapping[str, Any]

    @property
    def rules(self) -> tuple[str, ...]:
        """The statements that it tests."""
        return tuple(self.data.get("rules", ()))

    @property
    def is_cases(self) -> bool:
        """Whether it is a table of cases."""
        return "cases" in self.data

    def line(self, *steps: str | int) -> str:
        """The place of a part of it, as file:line."""
        fault = self.document.fault((*self.at, *steps), "", "")
        return f"{fault.file}:{fault.line}"


@dataclass
class Scripts:
    """What was read: scripts in the order of files, and every fault."""

    scripts: list[Script] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def scene_files(ruleset: Ruleset) -> tuple[Path, ...]:
    """A ruleset's own files of scenes."""
    return registry.yaml_files(registry.folder(ruleset) / "scenes")


def find_files(names: Iterable[str | Path]) -> list[Path]:
    """The scene files that are meant: of an installed game, of a file, of a folder with everything below it.

    RegistryError for a name that is none of these.
    """
    found: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = sorted(each for each in path.rglob("*") if each.suffix in registry.SUFFIXES)
            found += [each for each in inside if each.parent.name == "scenes"] or inside
        elif path.is_file() or path.suffix in registry.SUFFIXES:
            found.append(path)
        else:
            found += scene_files(registry.get(str(name)))
    return list(dict.fromkeys(found))


def read_scripts(paths: Iterable[Path], ruleset: Ruleset | None = None) -> Scripts:
    """All scenes of these files; `ruleset` is the game of those that name none and lie in no game's folder."""
    scripts = Scripts()
    names: dict[tuple[str, str], Script] = {}
    for path in paths:
        document = read(path)
        scripts.faults += document.faults
        if document.data is None:
            continue
        if not isinstance(document.data, list):
            scripts.faults.append(document.fault((), "a scene file is a list", "begin each scene with `- scene: its name`"))
            continue
        owner = _owner(path) or ruleset
        for position, data in enumerate(document.data):
            for found in _script(document, (position,), data, owner, scripts.faults):
                twin = names.setdefault((found.ruleset.id, found.name), found)
                if twin is found:
                    scripts.scripts.append(found)
                else:
                    wrong, right = f'the name "{found.name}" is taken', f"choose another; the first is at {twin.line()}"
                    scripts.faults.append(document.fault((position,), wrong, right))
    return scripts


def _owner(path: Path) -> Ruleset | None:
    """The installed ruleset in whose folder a file lies."""
    for each in registry.ids():
        try:
            ruleset = registry.get(each)
        except RegistryError:
            continue  # a broken package of somebody else's is no fault of this file
        if path.resolve().is_relative_to(registry.folder(ruleset).resolve()):
            return ruleset
    return None


def _script(document: Document, at: Steps, data: Any, owner: Ruleset | None, faults: list[Fault]) -> Iterator[Script]:
    kind = next((each for each in ("scene", "cases") if isinstance(data, dict) and each in data), None)
    if kind is None:
        faults.append(document.fault(at, "neither a scene nor cases", "begin it with `scene: its name` or `cases: its name`"))
        return
    before = len(faults)
    faults += _unknown(document, at, data, SCENE_KEYS if kind == "scene" else CASES_KEYS)
    if not isinstance(data[kind], str) or not data[kind]:
        faults.append(document.fault((*at, kind), f"a {kind} without a name", "write its name here, as text"))
    ruleset = _ruleset(document, at, data, owner, faults)
    if ruleset is None:
        return
    faults += _wrong_rules(document, at, data, ruleset)
    faults += _wrong_scene(document, at, data) if kind == "scene" else _wrong_cases(document, at, data, ruleset)
    if len(faults) == before:
        yield Script(data[kind], ruleset, document, at, data)


def _ruleset(document: Document, at: Steps, data: Any, owner: Ruleset | None, faults: list[Fault]) -> Ruleset | None:
    named = data.get("game")
    scenario = data.get("scenario")
    base = scenario.get("base") if isinstance(scenario, dict) else scenario
    if named is None and isinstance(base, str):
        beside = document.path.parent / base
        if base.endswith(registry.SUFFIXES) and beside.is_file():
            opened = read(beside).data
            named = opened.get("ruleset") if isinstance(opened, dict) else None
        elif "/" in base:
            named = base.partition("/")[0]
    if named is None and owner is not None:
        return owner
    try:
        if named is not None:
            return registry.get(str(named))
        faults.append(document.fault(at, "a scene of no known game", f"add `game:`, one of {', '.join(registry.ids())}"))
    except RegistryError as error:
        wrong, _, right = str(error).partition("; ")
        faults.append(document.fault((*at, "game" if "game" in data else "scenario"), wrong, right or "correct it"))
    return None


def _unknown(document: Document, at: Steps, data: Mapping[str, Any], known: Iterable[str]) -> Iterator[Fault]:
    known = tuple(known)
    for key in data:
        if key not in known:
            yield document.fault((*at, key), f'unknown key "{key}"', suggestion(key, known), key=True)


def _wrong_rules(document: Document, at: Steps, data: Mapping[str, Any], ruleset: Ruleset) -> Iterator[Fault]:
    rules = data.get("rules", [])
    if not isinstance(rules, list):
        yield document.fault((*at, "rules"), "no list", "write [ID, ID]")
        return
    known = statements(ruleset)
    for position, rule in enumerate(rules):
        if known and rule not in known:
            near = nearest(str(rule), known)
            right = f'did you mean "{near}"?' if near else f"`referee rules {ruleset.id}` lists them"
            yield document.fault((*at, "rules", position), f'no statement "{rule}"', right)


def statements(ruleset: Ruleset) -> tuple[str, ...]:
    """The ids of a ruleset's numbered statements; none if it has no rules.md."""
    try:
        return tuple(rulebook(ruleset).statements)
    except FileNotFoundError:
        return ()


def _typed(document: Document, at: Steps, data: Mapping[str, Any], kinds: Mapping[str, tuple[Any, str]]) -> Iterator[Fault]:
    for key, (kind, words) in kinds.items():
        if key in data and not isinstance(data[key], kind):
            yield document.fault((*at, key), f'"{key}" is not {words}', f"write {words}")


def _wrong_scene(document: Document, at: Steps, data: Mapping[str, Any]) -> Iterator[Fault]:
    yield from _typed(
        document,
        at,
        data,
        {
            "scenario": (str | dict, "the name of a scenario or a mapping"),
            "cards": (str | dict, "a file or a mapping of cards"),
            "given": (dict, "a mapping"),
            "dice": (list, "a list of rolls"),
            "play": (list, "a list of items"),
            "then": (dict, "a mapping"),
            "faults": (list, "a list of texts"),
        },
    )
    if not any(key in data for key in ("play", "then", "faults")):
        yield document.fault(at, "a scene that expects nothing", "add `play:`, `then:` or `faults:`")
    play = data.get("play")
    for position, item in enumerate(play if isinstance(play, list) else ()):
        yield from _wrong_item(document, (*at, "play", position), item)


def _wrong_item(document: Document, at: Steps, item: Any) -> Iterator[Fault]:
    if not isinstance(item, dict) or len(item) != 1:
        yield document.fault(at, "an item of `play` is a mapping with one key", "write `- seat: answer`")
        return
    key, value = next(iter(item.items()))
    place = (*at, key)
    if key not in ITEM_KEYS:
        if isinstance(value, dict):
            yield from _unknown(document, place, value, SEAT_KEYS)
        return
    if key in _MAPPINGS and not isinstance(value, dict):
        yield document.fault(place, f'"{key}" is not a mapping', f"write {key}: {{…}}")
    if isinstance(value, dict):
        if ITEM_KEYS[key]:
            yield from _unknown(document, place, value, ITEM_KEYS[key])
        for needed in _NEEDED.get(key, ()):
            if needed not in value:
                yield document.fault(place, f'"{needed}" is missing', "add it")


def _wrong_cases(document: Document, at: Steps, data: Mapping[str, Any], ruleset: Ruleset) -> Iterator[Fault]:
    name = str(data.get("of", ""))
    if name not in ruleset.cases:
        yield document.fault((*at, "of"), f'no cases "{name}" in {ruleset.id}', suggestion(name, ruleset.cases))
    table = data.get("table")
    if not isinstance(table, list) or not table:
        yield document.fault((*at, "table"), "no table", "write a list of [given, expected]")
        return
    for position, row in enumerate(table):
        if not isinstance(row, list) or len(row) != 2:
            yield document.fault((*at, "table", position), "not two things", "write [given, expected]")


def unknown_seats(script: Script, seats: Iterable[str]) -> list[Fault]:
    """A fault for each item of a scene that is for nobody."""
    seats = tuple(seats)
    found = []
    for position, item in enumerate(script.data.get("play", ())):
        key = next(iter(item))
        if key not in ITEM_KEYS and key not in seats:
            right = suggestion(key, (*seats, *ITEM_KEYS))
            place = (*script.at, "play", position, key)
            found.append(script.document.fault(place, f'neither a seat nor an item: "{key}"', right, key=True))
    return found


def refuse(faults: Iterable[Fault]) -> None:
    """Raises ContentError if there is any fault."""
    faults = list(faults)
    if faults:
        raise ContentError(faults)
