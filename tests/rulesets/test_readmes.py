"""The README of every game: its table names every statement and places that exist, and every policy is told.

A row may be one statement, or `DICE-1 to DICE-4`, `DICE-9, 18, 19`, or a whole group, `CHR`.
"""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

from referee.content import registry, rulebook

GAMES = list(registry.ids())
RULESETS = Path(__file__).parents[2] / "src" / "referee" / "rulesets"


def readme(game: str) -> str:
    return (RULESETS / game / "README.md").read_text(encoding="utf-8")


def statements(game: str) -> list[str]:
    return list(rulebook(registry.get(game)).statements)


def rows(game: str) -> list[tuple[list[str], list[str], str]]:
    """The statements, files and places of each row of the table."""
    known = statements(game)
    prefix = known[0].partition("-")[0]
    found = []
    for line in re.findall(r"^\| (.+) \|$", readme(game), re.M):
        cells = [each.strip() for each in line.split("|")]
        if len(cells) == 3 and re.match(rf"(?:{prefix}-)?[A-Z]+(?:-\d+|,|$)", cells[0]):
            files = [each.strip("` ").removesuffix(".py") for each in cells[1].split(",") if each.strip("` ")]
            found.append((_expanded(cells[0], prefix, known), files, cells[2]))
    return found


def _expanded(told: str, prefix: str, known: list[str]) -> list[str]:
    named: list[str] = []
    group = ""
    for each in told.replace(f"{prefix}-", "").split(", "):
        first, _, last = each.partition(" to ")
        group = first.partition("-")[0] if first[0].isalpha() else group
        numbers = [int(end.rpartition("-")[2]) for end in (first, last or first) if end.rpartition("-")[2].isdecimal()]
        if not numbers:
            named += [rule for rule in known if rule.startswith(f"{prefix}-{group}-")]
        else:
            named += [f"{prefix}-{group}-{number}" for number in range(numbers[0], numbers[1] + 1)]
    return named


@pytest.mark.parametrize("game", GAMES)
def test_every_statement_has_its_row(game: str) -> None:
    told = {rule for named, _, _ in rows(game) for rule in named}
    wanted = {id for id, statement in rulebook(registry.get(game)).statements.items() if not statement.informative}
    assert sorted(wanted - told) == []
    assert sorted(told - set(statements(game))) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_places_exist(game: str) -> None:
    for named, files, places in rows(game):
        modules = []
        for file in files:
            if file.endswith(".yaml"):
                assert (RULESETS / game / file).is_file(), f"{named}: there is no {file}"
            else:
                modules.append(importlib.import_module(f"referee.rulesets.{game}.{file}"))
        for place in re.findall(r"`([\w.]+)`", places) if modules else ():
            assert any(_has(module, place) for module in modules), f"{named}: there is no {place} in {files}"


def _has(module: ModuleType, place: str) -> bool:
    """Whether a module has it, or one of its classes: a row may name steps without their frame."""
    first, _, rest = place.partition(".")
    inside = [module, *(each for _, each in inspect.getmembers(module, inspect.isclass) if each.__module__ == module.__name__)]
    return any(hasattr(each, first) and (not rest or hasattr(getattr(each, first), rest)) for each in inside)


@pytest.mark.parametrize("game", GAMES)
def test_policies_are_told(game: str) -> None:
    policies = registry.get(game).policies
    text = readme(game) + (RULESETS / game / "rules.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `?(\w+)`? \| ([\w,; ]+) \| ", text, re.M))
    assert sorted(set(policies) - set(told)) == []
    for name, policy in policies.items():
        values = re.split(r", |; ", told[name].lower())
        assert values[0] == str(policy.default).lower(), name
        assert {str(value).lower() for value in policy.values} <= {*values, "0" if policy.any_number else ""}, name
