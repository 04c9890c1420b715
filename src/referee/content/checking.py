"""Checks files and folders of cards and scenarios: every fault at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..engine.ruleset import Ruleset
from . import registry
from .faults import Fault, RegistryError, suggestion
from .nodes import Document, read
from .scenarios import OpenScenario, content, open_scenario
from .shelf import Entry, Shelf, fill

_NOT_CONTENT = ("scenes", "faces")


@dataclass(frozen=True)
class Report:
    """What a check found, in the order of files and lines: faults, and notes of what is no fault but worth saying."""

    faults: tuple[Fault, ...]
    notes: tuple[Fault, ...]


@dataclass
class _Game:
    """What is checked of one ruleset."""

    ruleset: Ruleset
    cards: list[Path] = field(default_factory=list)
    scenarios: list[OpenScenario] = field(default_factory=list)
    shelves: dict[tuple[Path, ...], Shelf] = field(default_factory=dict)

    def shelf(self, files: tuple[Path, ...]) -> Shelf:
        """The shelf of these files; each is read once."""
        if files not in self.shelves:
            self.shelves[files] = fill(self.ruleset, files)
        return self.shelves[files]


def check(paths: Iterable[str | Path]) -> Report:
    """Everything that is wrong with the cards and scenarios in files and folders.

    A file with `ruleset:` is a scenario, every other a file of cards. Cards belong to the ruleset in whose folder they
    lie, or whose scenario names them, or that they name themselves with `game:`.
    """
    found: set[Fault] = set()
    games: dict[str, _Game] = {}
    loose: list[Document] = []
    for path in _files(paths, found):
        document = read(path)
        if not isinstance(document.data, dict) or "ruleset" not in document.data:
            loose.append(document)
            continue
        opened = open_scenario(path)
        if opened.ruleset is None:
            found.update(opened.faults)
        else:
            games.setdefault(opened.ruleset.id, _Game(opened.ruleset)).scenarios.append(opened)
    _sort_cards(loose, games, found)
    for game in games.values():
        found.update(_check_game(game))
    ordered = sorted(found)
    return Report(tuple(each for each in ordered if not each.note), tuple(each for each in ordered if each.note))


def _files(paths: Iterable[str | Path], found: set[Fault]) -> Iterator[Path]:
    seen: set[Path] = set()
    for given in map(Path, paths):
        inside = [
            path
            for path in sorted(given.rglob("*"))
            if path.suffix in registry.SUFFIXES and not set(path.relative_to(given).parts[:-1]) & set(_NOT_CONTENT)
        ]
        if given.is_dir() and not inside:
            found.add(Fault(str(given), 0, 0, "no YAML file in this folder", "name files or folders with content"))
        for path in inside if given.is_dir() else [given]:
            if path.resolve() not in seen:
                seen.add(path.resolve())
                yield path


def _sort_cards(loose: list[Document], games: dict[str, _Game], found: set[Fault]) -> None:
    """Gives each file of cards to its game."""
    rulesets = _installed()
    for document in loose:
        place = document.path.resolve()
        users = [game.ruleset for game in games.values() for each in game.scenarios if _names(each, place)]
        owners = [each for each in rulesets if place.is_relative_to(registry.folder(each).resolve())]
        named = document.data.get("game") if isinstance(document.data, dict) else None
        named_ones = [each for each in rulesets if each.id == named]
        ruleset = next(iter([*owners, *users, *named_ones]), None)
        if ruleset is not None:
            games.setdefault(ruleset.id, _Game(ruleset)).cards.append(document.path)
            continue
        found.update(document.faults)
        if isinstance(named, str):
            right = suggestion(named, registry.ids())
            found.add(document.fault(("game",), f'no ruleset "{named}"', right))
        elif document.data is not None:
            right = f"add `game:` and its ruleset ({', '.join(registry.ids())}), or `ruleset:` if this is a scenario"
            found.add(document.fault((), "cards of no known game", right))


def _installed() -> list[Ruleset]:
    rulesets = []
    for each in registry.ids():
        try:
            rulesets.append(registry.get(each))
        except RegistryError:
            continue  # a broken package of somebody else's is no fault of these files
    return rulesets


def _names(opened: OpenScenario, place: Path) -> bool:
    return any(path.resolve() == place for path in opened.extras)


def _check_game(game: _Game) -> Iterator[Fault]:
    own = registry.card_files(game.ruleset)
    known = {path.resolve() for path in own}
    for opened in game.scenarios:
        yield from content(opened, game.shelf(opened.files))[1]
        known |= {path.resolve() for path in opened.extras}
    alone = tuple(path for path in game.cards if path.resolve() not in known)
    if game.cards:
        yield from game.shelf((*own, *alone)).faults
    yield from _unused(game)


def _unused(game: _Game) -> Iterator[Fault]:
    """A fault for each card in the checked files that no scenario reaches, checked or the ruleset's own."""
    own = [open_scenario(registry.find(f"{game.ruleset.id}/{name}")) for name in registry.scenarios(game.ruleset)]
    used: set[tuple[Path, str | None]] = set()
    for opened in (*game.scenarios, *own):
        used |= {_identity(each) for each in game.shelf(opened.files).reached(opened.roots)}
    extras = (path for opened in game.scenarios for path in opened.extras)
    checked = {path.resolve() for path in (*game.cards, *extras)}
    for shelf in game.shelves.values():
        for each in shelf.entries:
            idle = each.kind not in game.ruleset.in_use and each.id is not None and _identity(each) not in used
            if idle and _identity(each)[0] in checked and each.data.get("spare") is not True:
                wrong = f'no scenario uses "{each.id}"'
                yield each.document.fault((*each.path, "id"), wrong, "use it, or say `spare: true`")


def _identity(entry: Entry) -> tuple[Path, str | None]:
    return entry.document.path.resolve(), entry.id
