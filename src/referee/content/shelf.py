"""The cards of one ruleset read from files, with every fault in them. Knows nothing of scenarios but their references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..engine.ruleset import Problem, Ruleset
from .faults import Fault, suggestion
from .nodes import Document, Steps, read
from .shapes import Reference, card_file, references
from .validation import convert, misfits


@dataclass(eq=False)
class Entry:
    """A card as it stands in its file; `card` is None as long as something is wrong with it."""

    kind: str
    document: Document
    path: Steps
    data: Any
    id: str | None
    references: tuple[Reference, ...]
    card: Any = None


@dataclass(eq=False)
class Shelf:
    """All cards that some files hold for a ruleset."""

    ruleset: Ruleset
    entries: list[Entry] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def ids(self, kinds: Iterable[str]) -> list[str]:
        """The ids of the cards of these kinds, those with faults included."""
        wanted = set(kinds)
        return [each.id for each in self.entries if each.kind in wanted and each.id is not None]

    def sound(self) -> Mapping[str, Mapping[str, Any]]:
        """The cards with which nothing is wrong, by kind and id."""
        cards: dict[str, dict[str, Any]] = {kind: {} for kind in self.ruleset.cards}
        for each in self.entries:
            if each.card is not None:
                cards[each.kind].setdefault(each.card.id, each.card)
        return cards

    def unknown(self, document: Document, found: Iterable[Reference]) -> list[Fault]:
        """A fault for each reference in the document to a card that is not there."""
        faults = []
        for each in found:
            known = self.ids(each.kinds)
            if each.name not in known:
                wrong = f'no card "{each.name}" in {" or ".join(each.kinds)}'
                faults.append(document.fault(each.path, wrong, suggestion(each.name, (*known, *each.also)), key=each.key))
        return faults

    def reached(self, roots: Iterable[Reference]) -> set[Entry]:
        """The cards named by `roots` or by a card so reached, and those of the kinds in use with what they name."""
        by_name: dict[tuple[str, str], Entry] = {}
        for each in self.entries:
            if each.id is not None:
                by_name.setdefault((each.kind, each.id), each)
        todo = [each for each in self.entries if each.kind in self.ruleset.in_use]
        todo += _named(by_name, roots)
        found: set[Entry] = set()
        while todo:
            entry = todo.pop()
            if entry not in found:
                found.add(entry)
                todo += _named(by_name, entry.references)
        return found


def _named(by_name: Mapping[tuple[str, str], Entry], found: Iterable[Reference]) -> list[Entry]:
    return [by_name[kind, each.name] for each in found for kind in each.kinds if (kind, each.name) in by_name]


def fill(ruleset: Ruleset, files: Iterable[Path], documents: Iterable[Document] = ()) -> Shelf:
    """The cards in `files` and in `documents` read before, with all their faults and what the ruleset has to say of them."""
    shelf = Shelf(ruleset)
    struct = card_file(tuple(ruleset.cards.items()))
    for document in (*map(read, files), *documents):
        _put(shelf, document, struct)
    _find_twins(shelf)
    _find_unknown(shelf)
    _ask_ruleset(shelf)
    return shelf


def _put(shelf: Shelf, document: Document, struct: type[Any]) -> None:
    shelf.faults += document.faults
    if document.data is None:
        return
    wrong = misfits(document, struct)
    shelf.faults += [each.fault for each in wrong]
    game = document.data.get("game") if isinstance(document.data, dict) else None
    if isinstance(game, str) and game not in ("", shelf.ruleset.id):
        shelf.faults.append(
            document.fault(("game",), f'these cards are for "{game}"', f'use cards for "{shelf.ruleset.id}" here')
        )
    faulty = {each.path[:2] for each in wrong}
    for kind, card_type in shelf.ruleset.cards.items():
        section = document.data.get(kind) if isinstance(document.data, dict) else None
        for position, data in enumerate(section if isinstance(section, list) else ()):
            path: Steps = (kind, position)
            name = data.get("id") if isinstance(data, dict) else None
            found = tuple(references(card_type, data, path))
            entry = Entry(kind, document, path, data, name if isinstance(name, str) else None, found)
            if not document.faults and path not in faulty and () not in faulty:
                entry.card, objections = convert(document, path, card_type)
                shelf.faults += objections
            shelf.entries.append(entry)


def _find_twins(shelf: Shelf) -> None:
    first: dict[str, Entry] = {}
    for each in shelf.entries:
        if each.id is None:
            continue
        other = first.setdefault(each.id, each)
        if other is not each:
            place = other.document.fault((*other.path, "id"), "", "")
            right = f"choose another; the first is at {place.file}:{place.line}"
            shelf.faults.append(each.document.fault((*each.path, "id"), f'the id "{each.id}" is taken', right))
            each.card = None


def _find_unknown(shelf: Shelf) -> None:
    """Reports references to cards that are not there; a card is sound only if all it names is."""
    for each in shelf.entries:
        faults = shelf.unknown(each.document, each.references)
        shelf.faults += faults
        if faults:
            each.card = None
    while True:
        sound = {(each.kind, each.id) for each in shelf.entries if each.card is not None}
        broken = [each for each in shelf.entries if each.card is not None and not _stands(each, sound)]
        if not broken:
            return
        for each in broken:
            each.card = None


def _stands(entry: Entry, sound: set[tuple[str, str | None]]) -> bool:
    return all(any((kind, each.name) in sound for kind in each.kinds) for each in entry.references)


def _ask_ruleset(shelf: Shelf) -> None:
    cards = shelf.sound()
    for problem in shelf.ruleset.card_problems(cards):
        shelf.faults.append(_at_card(shelf, cards, problem))


def _at_card(shelf: Shelf, cards: Mapping[str, Mapping[str, Any]], problem: Problem) -> Fault:
    """The fault at the card that a problem names, by id or by its position among the cards of its kind."""
    kind, which, *rest = problem.path
    name = list(cards[str(kind)])[which] if isinstance(which, int) else which
    entry = next(each for each in shelf.entries if each.card is not None and each.card.id == name)
    return entry.document.fault((*entry.path, *rest), problem.wrong, problem.right, note=problem.note)
