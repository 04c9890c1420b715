"""The content of an encounter as one piece of canonical JSON, and back. Reads no file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from ..engine.ruleset import Card, Content, Ruleset
from . import registry
from .faults import ContentError, Fault, RegistryError, suggestion


def restore(source: bytes) -> Content:
    """The content whose `source` this is. Raises ContentError if it cannot be played with what is installed."""
    try:
        data = msgspec.json.decode(source, type=_Source)
        ruleset = registry.get(data.ruleset)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _refused(f"not the source of a content ({error})", "use one that was saved unchanged") from error
    except RegistryError as error:
        raise _refused(str(error), "install the package that has it") from error
    if data.rules_version not in (ruleset.rules_version, *ruleset.readable_versions):
        raise _refused(
            f"made under version {data.rules_version} of the rules of {ruleset.id}",
            f"playable are versions {', '.join(map(str, (ruleset.rules_version, *ruleset.readable_versions)))}",
        )
    unknown = [kind for kind in data.cards if kind not in ruleset.cards]
    if unknown:
        raise _refused(f'no cards of the kind "{unknown[0]}" in {ruleset.id}', suggestion(unknown[0], ruleset.cards))
    try:
        scenario = msgspec.convert(data.scenario, ruleset.scenario)
        cards = {kind: _by_id(data.cards.get(kind, []), card_type) for kind, card_type in ruleset.cards.items()}
    except msgspec.ValidationError as error:
        raise _refused(f"cards or scenario that {ruleset.id} does not read ({error})", "use one saved unchanged") from error
    canonical = msgspec.json.encode(data, order="sorted")
    return Content(ruleset, scenario, cards, canonical, hashlib.sha256(canonical).hexdigest())


def assemble(ruleset: Ruleset, scenario: Any, cards: Mapping[str, Mapping[str, Any]]) -> Content:
    """The content of a scenario with these cards, all of them; made so that restoring its source gives the same."""
    ordered = {kind: {card.id: card for card in cards.get(kind, {}).values()} for kind in ruleset.cards}
    source = msgspec.json.encode(
        {
            "cards": {kind: list(each.values()) for kind, each in ordered.items() if each},
            "rules_version": ruleset.rules_version,
            "ruleset": ruleset.id,
            "scenario": scenario,
        },
        order="sorted",
    )
    return Content(ruleset, scenario, ordered, source, hashlib.sha256(source).hexdigest())


class _Source(msgspec.Struct, forbid_unknown_fields=True):
    ruleset: str
    rules_version: int
    scenario: dict[str, Any]
    cards: dict[str, list[Any]]


def _by_id(listed: list[Any], card_type: type[Card]) -> dict[str, Card]:
    return {card.id: card for card in (msgspec.convert(each, card_type) for each in listed)}


def _refused(wrong: str, right: str) -> ContentError:
    return ContentError([Fault("content", 0, 0, wrong, right)])
