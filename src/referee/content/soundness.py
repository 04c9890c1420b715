"""What is wrong with content that was restored and may never have been checked: its digest proves that it is whole, no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ..engine.ruleset import Content
from .shapes import references


def unsound(content: Content) -> list[str]:
    """Cards that are named and not there, what only the ruleset sees, policies that cannot be so; nothing if all is well."""
    # In this order: what looks further into cards may trust what was looked at before.
    for look in (_missing, _policies, _problems):
        found = list(dict.fromkeys(look(content)))
        if found:
            return found
    return []


def _missing(content: Content) -> Iterator[str]:
    ruleset, data = content.ruleset, msgspec.json.decode(content.source)
    kinds: list[tuple[type[msgspec.Struct], list[Any]]] = [(ruleset.scenario, [data["scenario"]])]
    kinds += [(ruleset.cards[kind], cards) for kind, cards in data["cards"].items()]
    for struct, written in kinds:
        for each in (found for one in written for found in references(struct, one)):
            if not any(each.name in content.cards[kind] for kind in each.kinds):
                yield f'no card "{each.name}" in {" or ".join(each.kinds)}'


def _policies(content: Content) -> Iterator[str]:
    ruleset = content.ruleset
    for name, value in content.scenario.policies.items():
        if name not in ruleset.policies or not ruleset.policies[name].allows(value):
            yield f'the policy "{name}" cannot be {value!r}'


def _problems(content: Content) -> Iterator[str]:
    ruleset = content.ruleset
    for problem in (*ruleset.card_problems(content.cards), *ruleset.scenario_problems(content)):
        if not problem.note:
            yield f"{problem.wrong}; {problem.right}"
