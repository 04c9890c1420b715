"""Finds rulesets by their entry points, and their scenarios and cards by their folders. Reads none of them."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from ..engine.ruleset import Ruleset
from .faults import RegistryError, suggestion

GROUP = "referee.rulesets"
SUFFIXES = (".yaml", ".yml")


def ids() -> tuple[str, ...]:
    """The ids of all installed rulesets, in alphabetical order."""
    return tuple(sorted(_claims()))


@cache
def get(ruleset_id: str) -> Ruleset:
    """The installed ruleset of that id."""
    claims = _claims().get(ruleset_id, ())
    if not claims:
        raise RegistryError(f'no ruleset "{ruleset_id}"; {suggestion(ruleset_id, ids())}')
    if len(claims) > 1:
        packages = ", ".join(sorted(each.dist.name if each.dist else each.value for each in claims))
        raise RegistryError(f'several packages claim the ruleset "{ruleset_id}": {packages}; uninstall all but one')
    try:
        ruleset = claims[0].load()
    except (ImportError, AttributeError) as error:
        raise RegistryError(f'the ruleset "{ruleset_id}" cannot be loaded: {error}') from error
    if not isinstance(ruleset, Ruleset) or ruleset.id != ruleset_id:
        raise RegistryError(f'"{claims[0].value}" is not a Ruleset with the id "{ruleset_id}"')
    return ruleset


def folder(ruleset: Ruleset) -> Path:
    """The folder that holds a ruleset's rules.md, cards, scenarios and scenes."""
    return Path(importlib.import_module(ruleset.package).__path__[0])


def card_files(ruleset: Ruleset) -> tuple[Path, ...]:
    """A ruleset's own files of cards."""
    return yaml_files(folder(ruleset) / "cards")


def extra_files(scenario: Path, extras: Iterable[str]) -> tuple[Path, ...]:
    """The files of cards that a scenario names, itself or by their folder."""
    return tuple(path for extra in extras for path in yaml_files(scenario.parent / extra))


def scenarios(ruleset: Ruleset) -> tuple[str, ...]:
    """The ids of a ruleset's own scenarios, the main one first."""
    names = [path.stem for path in yaml_files(folder(ruleset) / "scenarios")]
    return tuple(sorted(names, key=lambda name: (name != ruleset.main_scenario, name)))


def find(name_or_path: str | Path) -> Path:
    """The file of a scenario, named as `ruleset/scenario`, as `ruleset` (its main scenario) or by its path."""
    path = Path(name_or_path)
    if path.is_file():
        return path
    if path.suffix in SUFFIXES:
        raise RegistryError(f'no file "{name_or_path}"; name a scenario file, or a scenario as ruleset/scenario')
    ruleset_id, _, scenario = str(name_or_path).partition("/")
    ruleset = get(ruleset_id)
    wanted = scenario or ruleset.main_scenario
    files = {each.stem: each for each in yaml_files(folder(ruleset) / "scenarios")}
    if wanted not in files:
        raise RegistryError(f'no scenario "{wanted}" in {ruleset_id}; {suggestion(wanted, scenarios(ruleset))}')
    return files[wanted]


def yaml_files(path: Path) -> tuple[Path, ...]:
    """The YAML files directly in a folder, by name; a file stands for itself."""
    try:
        if path.is_file():
            return (path,)
        return tuple(sorted(each for each in path.glob("*") if each.suffix in SUFFIXES and each.is_file()))
    except (OSError, ValueError):  # a name that no file can have
        return ()


@cache
def _claims() -> dict[str, tuple[EntryPoint, ...]]:
    claims: dict[str, tuple[EntryPoint, ...]] = {}
    for each in entry_points(group=GROUP):
        claims[each.name] = (*claims.get(each.name, ()), each)
    return claims
