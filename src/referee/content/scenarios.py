"""Scenario files: what is wrong with one, which cards it reaches, and the content made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..engine.ruleset import Content, Policy, Ruleset
from . import registry
from .faults import Fault, RegistryError, suggestion
from .nodes import Document, read
from .shapes import Reference, references, spelled
from .shelf import Shelf, fill
from .sources import assemble
from .validation import convert, misfits


@dataclass(eq=False)
class OpenScenario:
    """A scenario file as read: `ruleset` is None if it names none that is installed, `scenario` if it is faulty."""

    document: Document
    ruleset: Ruleset | None = None
    scenario: Any = None
    extras: tuple[Path, ...] = ()
    roots: tuple[Reference, ...] = ()
    faults: list[Fault] = field(default_factory=list)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files with the cards that the scenario may use: its ruleset's own and those that it names."""
        own = registry.card_files(self.ruleset) if self.ruleset else ()
        known = {path.resolve() for path in own}
        return (*own, *(path for path in self.extras if path.resolve() not in known))


def open_scenario(path: Path) -> OpenScenario:
    """Reads a scenario file and finds all that is wrong with it by itself, without its cards."""
    return open_document(read(path))


def open_document(document: Document) -> OpenScenario:
    """The same for a scenario that was read already."""
    opened = OpenScenario(document, faults=list(document.faults))
    if document.data is None:
        return opened
    named = document.data.get("ruleset") if isinstance(document.data, dict) else None
    if not isinstance(named, str):
        right = f"name its ruleset: {', '.join(registry.ids())}"
        opened.faults.append(document.fault(("ruleset",), "a scenario without a ruleset", right))
        return opened
    try:
        ruleset = opened.ruleset = registry.get(named)
    except RegistryError as error:
        wrong, _, right = str(error).partition("; ")
        opened.faults.append(document.fault(("ruleset",), wrong, right or "correct the ruleset"))
        return opened
    opened.faults += [each.fault for each in misfits(document, ruleset.scenario)]
    if not opened.faults:
        opened.scenario, opened.faults = convert(document, (), ruleset.scenario)
    opened.roots = tuple(references(ruleset.scenario, document.data))
    _check_name(opened, ruleset)
    _check_policies(opened, ruleset)
    _find_extras(opened)
    return opened


def content(opened: OpenScenario, shelf: Shelf | None = None) -> tuple[Content | None, list[Fault]]:
    """The content of a scenario, None if anything is wrong, and all faults and notes of scenario and cards."""
    ruleset, document = opened.ruleset, opened.document
    if ruleset is None:
        return None, opened.faults
    shelf = shelf or fill(ruleset, opened.files)
    unknown = shelf.unknown(document, opened.roots)
    faults = [*opened.faults, *shelf.faults, *unknown]
    reached = shelf.reached(opened.roots)
    if opened.faults or unknown or any(each.card is None for each in reached):
        return None, faults
    cards: dict[str, dict[str, Any]] = {kind: {} for kind in ruleset.cards}
    for each in shelf.entries:
        if each in reached:
            cards[each.kind][each.card.id] = each.card
    made = assemble(ruleset, opened.scenario, cards)
    for problem in ruleset.scenario_problems(made):
        faults.append(document.fault(problem.path, problem.wrong, problem.right, note=problem.note))
    return (None if any(not each.note for each in faults) else made), faults


def _check_name(opened: OpenScenario, ruleset: Ruleset) -> None:
    """The ruleset's own scenarios are found by their file name: it must be their id."""
    document = opened.document
    name, stem = document.data.get("id"), document.path.stem
    own = document.path.resolve().parent == (registry.folder(ruleset) / "scenarios").resolve()
    if own and isinstance(name, str) and name != stem:
        opened.faults.append(document.fault(("id",), f'the id "{name}" is not the name of the file', f'write "{stem}"'))


def _check_policies(opened: OpenScenario, ruleset: Ruleset) -> None:
    policies = opened.document.data.get("policies")
    for name, value in policies.items() if isinstance(policies, dict) else ():
        path = ("policies", name)
        policy = ruleset.policies.get(name)
        if policy is None:
            right = suggestion(name, ruleset.policies)
            opened.faults.append(opened.document.fault(path, f'unknown policy "{name}"', right, key=True))
        elif isinstance(value, str | int | bool) and not policy.allows(value):
            wrong = f'the policy "{name}" cannot be {spelled(value)}'
            opened.faults.append(opened.document.fault(path, wrong, f"allowed: {_allowed(policy)}"))


def _allowed(policy: Policy) -> str:
    values = ", ".join(spelled(value) for value in policy.values)
    return values + (", or any whole number from 0 to 1000" if policy.any_number else "")


def _find_extras(opened: OpenScenario) -> None:
    document = opened.document
    named = document.data.get("cards")
    for position, extra in enumerate(named if isinstance(named, list) else ()):
        if not isinstance(extra, str):
            continue
        files = registry.extra_files(document.path, [extra])
        if not files:
            wrong = f'no cards at "{extra}"'
            right = "name a YAML file of cards, or a folder with some, relative to the scenario"
            opened.faults.append(document.fault(("cards", position), wrong, right))
        opened.extras += files
