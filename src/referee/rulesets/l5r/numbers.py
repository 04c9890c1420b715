"""The numbers of a check: its TN line by line, what adds dice, which advantages fit. Nothing changes here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...engine import Effect, Game, Id, Line
from .cards import GROUPS, MARTIAL_ARTS
from .facts import allies, ignores, item_of, quality_at, terrain_at, worn

if TYPE_CHECKING:
    from .check import Check


def tn_lines(game: Game, check: Check, *, declared: bool = True) -> Iterator[Line]:
    """The TN of a check: the number itself, then what raises and lowers it (L5R-CHK-2, L5R-CHK-3).

    Before a check is declared only what its side can know counts.
    """
    who = check.who
    record = game.records[who]
    types = check.types
    hostile = "attack" in types or "scheme" in types
    if hostile:
        for target in check.targets:
            # L5R-DER-7: the next hostile check against one who has unmasked.
            effects = game.records[target].effects
            if effects and any(effect.name == "laid_bare" for effect in effects):
                yield 1, "unmasked", "L5R-DER-7"
                return
    base = check.tn_base
    for ring, tn in check.tn_rings:
        if ring == check.ring:
            base = tn
    yield base, check.tn_source, check.tn_rule
    conditions = game.table.conditions
    for name in record.conditions:
        card = conditions[name]
        if card.tn and not ignores(record, name):
            if card.ring:
                if card.ring == check.ring:
                    yield card.tn, name, card.rule
            elif any(each in types for each in card.types) or (name == "silenced" and check.speech):
                yield card.tn, name, card.rule
    if check.weapon:
        item = item_of(record, check.weapon)
        if item is not None and item.harm == "damaged":
            yield 1, "damaged", "L5R-EQP-5"
        if "attack" in types and check.moved and "cumbersome" in game.table.qualities[check.weapon]:
            yield 1, "cumbersome", "L5R-EQP-4"
    if "movement" in types:
        item = worn(record)
        if item is not None and item.harm != "destroyed" and "cumbersome" in game.table.qualities[item.card]:
            yield 1, "cumbersome", "L5R-EQP-4"
    if game.table.terrain:
        yield from _terrain_lines(game, check, record)
    for effect in record.effects:
        name = effect.name
        if name == "harried" and effect.source not in check.targets:
            yield effect.amount, effect.source, "L5R-OPP-21"
        elif name == "foresee" and check.ring in effect.applies:
            yield -effect.amount, "foreseen", "L5R-OPP-32"
        elif name == "sheltered" and check.hardship:
            yield -effect.amount, effect.source, "L5R-OPP-42"
        elif name == "exposed" and check.purpose == "resist" and check.critical:
            yield effect.amount, effect.source, "L5R-OPP-22"
    if hostile and check.targets:
        side = "" if declared else game.table.side[who]
        if len(check.targets) == 1:
            yield from target_lines(game, check, check.targets[0], side)
        else:
            # L5R-CHK-3: the highest of them, once.
            each = [tuple(target_lines(game, check, target, side)) for target in check.targets]
            yield from max(each, key=lambda lines: sum(line[0] for line in lines))


def _terrain_lines(game: Game, check: Check, record: Any) -> Iterator[Line]:
    piece = terrain_at(game, record.at)
    if piece is None:
        return
    if "movement" in check.types and "entangling" in piece.qualities and not unheeded(record, "entangling"):
        yield 2, "entangling", "L5R-SKIR-7"
    if check.skill in ("meditation", "theology"):
        if piece.hallowed and piece.hallowed == check.ring:
            yield -1, "hallowed", "L5R-SKIR-8"
        if piece.imbalanced and piece.imbalanced == check.ring:
            yield 1, "imbalanced", "L5R-SKIR-8"


def unheeded(record: Any, quality: str) -> bool:
    """L5R-OPP-14: a terrain quality that is ignored while one moves."""
    return any(effect.name == "surefooted" and quality in effect.applies for effect in record.effects)


def overlooked(record: Any, quality: str) -> bool:
    """L5R-OPP-35: a terrain quality that the next attack ignores."""
    effects = record.effects
    return bool(effects) and any(effect.name == "clear_sight" and quality in effect.applies for effect in effects)


def obscured(game: Game, attacker: Id, target: Id, side: str = "") -> tuple[bool, str]:
    """Whether an attack on the target is obscured, and by which rule."""
    record = game.records[target]
    if record.at in game.table.terrain and quality_at(game, record.at, "obscuring", side):
        rule = "L5R-SKIR-7"
    elif record.effects and any(effect.name == "veiled" and str(record.at) in effect.applies for effect in record.effects):
        rule = "L5R-TEC-3"
    else:
        return False, ""
    return (False, "") if overlooked(game.records[attacker], "obscuring") else (True, rule)


def target_lines(game: Game, check: Check, target: Id, side: str = "") -> Iterator[Line]:
    """What one target adds to the TN of a check against it."""
    record = game.records[target]
    sheet = game.table.sheets[target]
    if record.stance == "air":
        yield 2 if sheet.school_rank >= 4 else 1, "air stance", "L5R-STN-1"
    if "attack" not in check.types:
        return
    for effect in record.effects:
        if effect.name == "guarded":
            yield effect.amount, effect.source, "L5R-ACT-12"
        elif effect.name == "elusive" and check.skill == "ranged":
            yield effect.amount, "elusive", "L5R-OPP-9"
    if not game.table.duel:
        hidden, rule = obscured(game, check.who, target, side)
        if hidden:
            yield 1, "obscuring", rule
    if "prone" in record.conditions and check.skill == "ranged" and game.policy["prone_ranged_tn"]:
        yield game.policy["prone_ranged_tn"], "prone", "L5R-COND-14"
    if game.table.sheets[check.who].otherworldly and any(
        item.state in ("1h", "2h", "worn") and "sacred" in game.table.qualities[item.card] for item in record.items
    ):
        yield 1, "sacred", "L5R-EQP-7"


def fitting(game: Game, check: Check, who: Id) -> dict[str, str]:
    """L5R-CHK-15, L5R-CHK-16: of each category at most one advantage or disadvantage that fits the check."""
    record = game.records[who]
    found: dict[str, str] = {}
    if not record.traits and not record.scars and not record.effects:
        return found
    traits = game.table.traits
    for trait in (*record.traits, *record.scars):
        card = traits[trait]
        if card.kind in found:
            continue
        fits = fits_check(card, check) or (
            record.effects and any(effect.name == "assessed" and trait in effect.applies for effect in record.effects)
        )
        if fits and not (record.effects and card.kind in ("adversity", "anxiety") and overcome(record, trait)):
            found[card.kind] = trait
    for effect in record.effects:
        if effect.name == "invoked":
            found.setdefault(traits[effect.applies[0]].kind, effect.applies[0])
    return found


def fits_check(card: Any, check: Check) -> bool:
    """Whether a trait fits a check by its list (L5R-CHK-16), and by its ring if it is a scar (L5R-DMG-16)."""
    if card.ring and card.ring != check.ring:
        return False
    fits = card.fits
    return (
        check.skill in fits
        or "any" in fits
        or ("initiative" in fits and check.purpose == "initiative")
        or ("martial" in fits and GROUPS[check.skill] == "martial")
    )


def overcome(record: Any, trait: str) -> bool:
    """L5R-OPP-16, L5R-OPP-17, L5R-TEC-3: a disadvantage that does not apply for now."""
    return any(effect.name == "overcome" and (not effect.applies or trait in effect.applies) for effect in record.effects)


def helpers(game: Game, check: Check) -> list[Id]:
    """Who assists with an action check (L5R-CHK-5, L5R-ACT-9, L5R-OPP-3), up to what the scenario allows."""
    found = []
    for ally in allies(game, check.who):
        record = game.records[ally]
        if (record.assisting and check.who in record.assisting and check.types) or (
            record.effects and any(_similar(effect, check) for effect in record.effects)
        ):
            found.append(ally)
    most = game.table.scenario.most_assistants
    return found if most is None else found[:most]


def _similar(effect: Effect, check: Check) -> bool:
    return effect.name == "assist_similar" and check.skill in effect.applies


def is_martial_art(skill: str) -> bool:
    """Melee, Ranged, Unarmed (L5R-CHR-2)."""
    return skill in MARTIAL_ARTS
