"""Faults of cards and scenarios that their types cannot say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from ...engine import Content, Problem
from .cards import RINGS, SKILLS, Character, L5RScenario, Opportunity, Technique, derived, id_of, sides_of
from .opportunities import NEEDS
from .spending import DOES

NPC_GROUPS: Final = ("martial", "social", "scholar")


def card_problems(cards: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    """Characters that cannot be, techniques that are no one thing, opportunity rows with unknown words."""
    for character in cards.get("characters", {}).values():
        yield from _character_problems(character, cards)
    conditions = cards.get("conditions", {})
    for kind in ("techniques", "basics"):
        for technique in cards.get(kind, {}).values():
            yield from _technique_problems(kind, technique, conditions)
    for row in cards.get("opportunities", {}).values():
        yield from _row_problems(row)
    for kind in ("weapons", "bodies"):
        for weapon in cards.get(kind, {}).values():
            if weapon.range[0] > weapon.range[1]:
                yield Problem((kind, weapon.id, "range"), f"the range of {weapon.id} runs backwards", "write [least, most]")
            if kind == "weapons" and weapon.one_hand is None and weapon.two_hands is None:
                yield Problem((kind, weapon.id), f"{weapon.id} has no grip", "add `one_hand: {}` or `two_hands: {}` (L5R-EQP-1)")


def _character_problems(character: Character, cards: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    path = ("characters", character.id)
    missing = [ring for ring in RINGS if ring not in character.rings]
    if missing:
        yield Problem((*path, "rings"), f"{character.id} has no {missing[0]} ring", "give all five rings, 1 to 5 (L5R-CHR-1)")
        return
    numbers = derived(character)
    for name in ("endurance", "composure", "focus", "vigilance"):
        printed = getattr(character, name)
        if character.kind == "pc" and printed is not None:
            right = f"leave it out: it is reckoned as {numbers[name]} (L5R-DER-1)"
            yield Problem((*path, name), f"{character.id} is a pc, whose {name} is not printed", right)
        if character.kind != "pc" and printed is None:
            yield Problem((*path,), f"{character.id} has no printed {name}", f"add `{name}:` (L5R-DER-2)")
    for skill in character.skills:
        if character.kind == "pc" and skill in NPC_GROUPS:
            right = f"name skills: {', '.join(SKILLS)} (L5R-CHR-2)"
            yield Problem((*path, "skills", skill), f"{skill!r} is a group of an NPC's skills", right)
        if character.kind != "pc" and skill not in NPC_GROUPS:
            right = f"name groups: {', '.join(NPC_GROUPS)} (L5R-DER-13)"
            yield Problem((*path, "skills", skill), f"{skill!r} is a skill of a pc", right)
    if character.void is not None and character.void > character.rings["void"]:
        right = f"at most {character.rings['void']}, the Void ring (L5R-CHK-7)"
        yield Problem((*path, "void"), f"{character.id} has {character.void} Void points", right)
    for field in ("gear", "techniques", "traits"):
        values = getattr(character, field)
        if len(set(values)) < len(values):
            yield Problem((*path, field), f"a card stands twice in the {field} of {character.id}", "name each once")


def _technique_problems(kind: str, card: Technique, conditions: Mapping[str, Any]) -> Iterator[Problem]:
    path = (kind, card.id)
    does = [name for name in ("attack", "deed") if getattr(card, name) is not None]
    if len(does) > 1:
        yield Problem(path, f"{card.id} has an attack and a deed", "keep one of them")
    if not does and not card.ability and not card.opportunities:
        yield Problem(path, f"{card.id} does nothing", "give it an attack, a deed, an ability or opportunities")
    if card.attack is not None and "attack" not in card.types:
        yield Problem((*path, "types"), f"{card.id} is an attack without the type attack", "add attack (L5R-CON-13)")
    names = []
    if card.attack is not None:
        names += [(("attack", "condition"), card.attack.condition)]
        names += [(("attack", "failure_condition"), card.attack.failure_condition)]
    if card.deed is not None:
        names += [(("deed", "condition"), card.deed.condition)]
    for where, name in names:
        if name and name not in conditions:
            near = get_close_matches(name, list(conditions), 1)
            right = f"did you mean {near[0]!r}?" if near else f"one of {', '.join(conditions)}"
            yield Problem((*path, *where), f"there is no condition {name!r}", right)


def _row_problems(row: Opportunity) -> Iterator[Problem]:
    if row.effect not in DOES:
        yield Problem(("opportunities", row.id, "effect"), f"no effect {row.effect!r}", f"one of {', '.join(DOES)}")
    for place, need in enumerate(row.needs):
        if need not in NEEDS:
            yield Problem(("opportunities", row.id, "needs", place), f"no need {need!r}", f"one of {', '.join(NEEDS)}")


def scenario_problems(content: Content) -> Iterator[Problem]:
    """Scenarios that cannot be played: sides, names, objectives, terrain."""
    scenario: L5RScenario = content.scenario
    ids = [id_of(placed, place, scenario.figures) for place, placed in enumerate(scenario.figures)]
    for place, who in enumerate(ids):
        if who in ids[:place]:
            yield Problem(("figures", place), f"two figures are named {who}", "give one of them an `id` of its own")
    sides = sides_of(scenario)
    numbers = {side: list(sides.values()).count(side) for side in sides.values()}
    if scenario.kind != "skirmish":
        if len(ids) != 2:
            yield Problem(("figures",), f"{len(ids)} figures in a duel", "exactly two (L5R-DUEL-1)")
        late = [place for place, placed in enumerate(scenario.figures) if placed.arrives]
        if late:
            yield Problem(("figures", late[0], "arrives"), "nobody joins a duel later", "leave it out (L5R-DUEL-1)")
        hidden = [place for place, placed in enumerate(scenario.figures) if placed.hidden]
        if hidden:
            yield Problem(("figures", hidden[0], "hidden"), "nobody hides in a duel", "leave it out (L5R-HIDE-8)")
    elif scenario.objective:
        yield Problem(("objective",), "a skirmish has no objective of this kind", "leave it out (L5R-SKIR-12)")
    if len(numbers) != 2:
        yield Problem(("figures",), f"{len(numbers)} sides", "two sides; `side: first` and `side: second` (L5R-SKIR-1)")
    for side, number in numbers.items():
        members = [placed for placed, who in zip(scenario.figures, ids, strict=True) if sides[who] == side]
        if scenario.kind == "skirmish" and all(placed.hidden for placed in members):
            right = "leave `hidden: true` out of one at the least (L5R-HIDE-8)"
            yield Problem(("figures",), f"all of the side {side} hide", right)
        if number > 3:
            yield Problem(("figures",), f"{number} figures on the side {side}", "1 to 3 on each (L5R-SKIR-1)")
    for place, name in enumerate(scenario.maybe_tainted):
        if name not in ids:
            yield Problem(("maybe_tainted", place), f"there is no figure {name!r}", f"one of {', '.join(ids)}")
    for place, placed in enumerate(scenario.figures):
        if placed.tainted and ids[place] not in scenario.maybe_tainted:
            right = "list it under `maybe_tainted` (L5R-HIDE-5)"
            yield Problem(("figures", place, "tainted"), f"{ids[place]} is Tainted, but not marked as possibly so", right)
    for place, known in enumerate(scenario.knows):
        for field, name in (("figure", known.figure), ("of", known.of)):
            if name not in ids:
                yield Problem(("knows", place, field), f"there is no figure {name!r}", f"one of {', '.join(ids)}")
    at = [piece.at for piece in scenario.terrain]
    for place, piece in enumerate(scenario.terrain):
        if piece.at in at[:place]:
            yield Problem(("terrain", place, "at"), f"two pieces of terrain on position {piece.at}", "join them in one")
        if piece.undiscovered and (len(piece.qualities) != 1 or piece.qualities[0] not in piece.possible):
            right = f"one quality out of {', '.join(piece.possible)} (L5R-HIDE-7)"
            yield Problem(("terrain", place, "qualities"), "undiscovered terrain that could not be imagined", right)
