"""Cards of one's own in place of figures that a scenario names: content made of both, or every fault in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import yaml

from ..engine.ruleset import Content, Ruleset
from . import registry
from .faults import ContentError, Fault
from .nodes import Document, Steps, parse, read
from .scenarios import content, open_document
from .shapes import Reference
from .shelf import Entry, fill

LARGEST: Final = 65_536  # bytes of a file that is brought
TAKEN: Final = ("gm", "host", "spectator")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True)
class Place:
    """A figure that a scenario names by its card; `number` tells its figures apart, `text` is the card in YAML."""

    number: int
    card: str
    text: str


@dataclass(frozen=True)
class Brought:
    """A file of cards for one figure: one card of the kind that figures are made from, and what else that one needs."""

    number: int
    name: str  # of the file, in faults
    raw: bytes


def places(scenario: str) -> list[Place]:
    """The figures of a scenario that others may replace; none if its ruleset lets nobody bring any.

    RegistryError if there is no such scenario.
    """
    opened = open_document(read(registry.find(scenario)))
    found = _figures(opened.ruleset, opened.roots)
    if opened.ruleset is None or not found:
        return []
    cards = {each.id: each for each in fill(opened.ruleset, opened.files).entries}
    return [Place(number, each.name, _example(opened.ruleset, cards[each.name])) for number, each in enumerate(found)]


def _example(ruleset: Ruleset, entry: Entry) -> str:
    """A card as somebody may change and bring it: under another id, because that one is taken."""
    card = {name: value for name, value in entry.data.items() if name != "spare"} | {"id": f"my_{entry.id}"}
    listed = yaml.safe_dump([card], sort_keys=False, allow_unicode=True, default_flow_style=None, width=100)
    return f"{ruleset.figures}:\n{listed}"


def bring(scenario: str, brought: Iterable[Brought]) -> Content:
    """The content of a scenario in which cards that people brought stand in for its figures.

    ContentError with every fault, RegistryError if there is no such scenario, LookupError if it has no such figure.
    """
    document = read(registry.find(scenario))
    opened = open_document(document)
    ruleset = opened.ruleset
    found = _figures(ruleset, opened.roots)
    files = {each.number: _parsed(each) for each in brought}
    if ruleset is None or any(number >= len(found) for number in files):
        raise LookupError(f"{scenario} has no such figure")
    shelf = fill(ruleset, opened.files, files.values())
    faults = [each for each in shelf.faults if not each.note]
    ids: dict[int, str] = {}
    for number, file in files.items():
        cards = [each for each in shelf.entries if each.document is file and each.kind == ruleset.figures]
        if len(cards) == 1:
            ids[number] = str(cards[0].id)
            faults += _misnamed(file, cards[0])
        else:
            wrong = f"{len(cards)} cards in {ruleset.figures}" if cards else f"no card in {ruleset.figures}"
            faults.append(file.fault((ruleset.figures,), wrong, f"write `{ruleset.figures}:` with the one that is to be played"))
    if faults:
        raise ContentError(_plainly(faults, ruleset))
    document.data = _replaced(document, found, ids)
    made, faults = content(open_document(document), shelf)
    if made is None:
        raise ContentError(_plainly([each for each in faults if not each.note], ruleset))
    return made


def _figures(ruleset: Ruleset | None, roots: tuple[Reference, ...]) -> list[Reference]:
    return [each for each in roots if ruleset is not None and ruleset.figures in each.kinds]


def _parsed(brought: Brought) -> Document:
    path = Path(Path(brought.name).name or "character.yaml")
    if len(brought.raw) > LARGEST:
        raise ContentError(
            [Fault(path.name, 0, 0, f"larger than {LARGEST // 1024} kB", "a character needs far less: leave the rest out")]
        )
    document = parse(brought.raw, path)
    if isinstance(document.data, dict) and "ruleset" in document.data:
        fault = document.fault(
            ("ruleset",), "this is a scenario", "bring a file of cards, or play it: referee play FILE", key=True
        )
        raise ContentError([fault])
    if document.data is None:
        raise ContentError(document.faults)
    return document


def _misnamed(document: Document, card: Entry) -> list[Fault]:
    """A figure is called by its card at the table, where some names are taken and not every character can stand in a link."""
    if card.id is None or (_NAME.fullmatch(card.id) and card.id not in TAKEN):
        return []
    right = f"use up to 40 small letters, digits and _, and none of {', '.join(TAKEN)}"
    return [document.fault((*card.path, "id"), f'no figure can be called "{card.id[:60]}"', right)]


def _replaced(document: Document, found: list[Reference], ids: Mapping[int, str]) -> Any:
    """The data of the scenario with other ids at some figures, and wherever else it means those figures by their names."""
    at = {found[number].path: id for number, id in ids.items()}
    figures = {each.path for each in found}
    names = [each.name for each in found]
    renamed = {found[number].name: id for number, id in ids.items() if names.count(found[number].name) == 1}

    def copied(value: Any, path: Steps) -> Any:
        if isinstance(value, dict):
            return {renamed.get(key, key): copied(each, (*path, key)) for key, each in value.items()}
        if isinstance(value, list):
            return [copied(each, (*path, place)) for place, each in enumerate(value)]
        if path in figures or not isinstance(value, str):
            return at.get(path, value)
        return renamed.get(value, value)

    return copied(document.data, ())


def _plainly(faults: list[Fault], ruleset: Ruleset) -> list[Fault]:
    """Faults without the paths of this machine: people elsewhere read them."""
    folder = str(registry.folder(ruleset))
    here = str(Path.cwd())
    names: Mapping[str, str] = {f"{folder}/": "", f"{folder.removeprefix(here).lstrip('/')}/": ""}

    def plain(text: str) -> str:
        for path, name in names.items():
            text = text.replace(path, name) if path != "/" else text
        return text

    return [replace(each, file=plain(each.file), wrong=plain(each.wrong), right=plain(each.right)) for each in faults]
