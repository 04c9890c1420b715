"""Makes the content a scene is played with: a scenario, changed as the scene says, with cards of its own. Plays nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..content import ContentError, RegistryError, registry
from ..content.nodes import Document, Steps, read
from ..content.scenarios import content, open_document
from ..content.shapes import Reference
from ..content.shelf import Shelf, fill
from ..engine import Content, Ruleset


def part(document: Document, at: Steps, data: Any) -> Document:
    """What stands at a place of a document, as a document of its own that still knows its lines."""
    size = len(at)
    return Document(
        document.path,
        data,
        {path[size:]: mark for path, mark in document.values.items() if path[:size] == at},
        {path[size:]: mark for path, mark in document.keys.items() if path[:size] == at and len(path) > size},
    )


def stage(
    ruleset: Ruleset, described: Any, cards: Any = None, given: Any = None, scene: Document | None = None, at: Steps = ()
) -> Content:
    """The content of a scene. ContentError with every fault in it.

    `described` names the scenario, or is a mapping with its `base` and the fields to replace; `cards` is a mapping of
    sections to cards, or the name of a file beside the scene. Cards named anywhere in `given` belong to the content.
    """
    scene = scene or Document(Path("scene"), {}, {(): (1, 1)})
    described = described if isinstance(described, Mapping) else {"base": described}
    place = (*at, "scenario")
    base = read(_base(ruleset, described.get("base"), scene, place))
    if base.faults or not isinstance(base.data, dict):
        raise ContentError(base.faults or [base.fault((), "no scenario", "name the file of a scenario")])
    own = part(scene, place, None)
    own.values.setdefault((), scene.values.get(at, (1, 1)))
    own.data = _merged(base, described)
    opened = open_document(own)
    files = opened.files
    documents: tuple[Document, ...] = ()
    if isinstance(cards, str):
        files += registry.extra_files(scene.path, [cards])
        if not registry.extra_files(scene.path, [cards]):
            raise ContentError([scene.fault((*at, "cards"), f'no cards at "{cards}"', "name a file beside the scene")])
    elif cards is not None:
        documents = (part(scene, (*at, "cards"), cards),)
    shelf = fill(ruleset, files, documents) if documents else _shelf(ruleset, files)
    opened.roots += tuple(_named(shelf, given, documents))
    made, faults = content(opened, shelf)
    if made is None:
        raise ContentError(each for each in faults if not each.note)
    return made


class _Key:
    """A ruleset as a key of a cache: the same object."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def __hash__(self) -> int:
        return id(self.ruleset)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.ruleset is other.ruleset


def _shelf(ruleset: Ruleset, files: tuple[Path, ...]) -> Shelf:
    return _filled(_Key(ruleset), tuple((path, path.stat().st_mtime_ns) for path in files if path.is_file()))


@cache
def _filled(key: _Key, files: tuple[tuple[Path, int], ...]) -> Shelf:
    return fill(key.ruleset, [path for path, _ in files])


def _base(ruleset: Ruleset, named: Any, scene: Document, place: Steps) -> Path:
    """The scenario file that a scene starts from: the ruleset's main one if it names none."""
    name = str(named or ruleset.main_scenario)
    beside = scene.path.parent / name
    if name.endswith(registry.SUFFIXES) and beside.is_file():
        return beside
    full = name if "/" in name or name.endswith(registry.SUFFIXES) else f"{ruleset.id}/{name}"
    try:
        return registry.find(full)
    except RegistryError as error:
        wrong, _, right = str(error).partition("; ")
        raise ContentError([scene.fault(place, wrong, right or "name a scenario of this game")]) from None


def _merged(base: Document, described: Mapping[str, Any]) -> dict[str, Any]:
    data = dict(base.data)
    if isinstance(data.get("cards"), list):
        data["cards"] = [str(base.path.resolve().parent / str(each)) for each in data["cards"]]
    for key, value in described.items():
        if key == "policies" and isinstance(value, Mapping) and isinstance(data.get(key), Mapping):
            data[key] = {**data[key], **value}
        elif key != "base":
            data[key] = value
    return data


def _named(shelf: Shelf, given: Any, documents: Iterable[Document]) -> Iterator[Reference]:
    """Cards that the scenario may not reach but the scene does: its own, and those that `given` names."""
    words = set(_words(given))
    own = {id(document) for document in documents}
    for entry in shelf.entries:
        if entry.id is not None and (entry.id in words or id(entry.document) in own):
            yield Reference((), (entry.kind,), entry.id)


def _words(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, Mapping):
        for key, value in given.items():
            yield str(key)
            yield from _words(value)
    elif isinstance(given, list | tuple):
        for each in given:
            yield from _words(each)
