"""The numbers in an offer, line by line, and the numbers that scene files may ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ...engine import Breakdown, Choice, Game, Offer
from ...engine import breakdown as explained
from . import damage as damages
from .actions import more_than_half
from .attack import attack_check, attack_values, damage_lines, ring_for
from .cards import Character, derived
from .check import Check
from .damage import Critical, deadliness_of, result_of
from .dice import FACES, SYMBOLS, Die, Pool, Symbols, counted, keepable
from .ending import award, settled, verdict
from .facts import resistance_lines
from .initiative import base_of
from .numbers import tn_lines
from .setup import cancelled


def breakdown(game: Game, choice: Choice, offer: Offer) -> Iterator[Breakdown]:
    """The TN and the damage of an attack, the TN of another check, the severity of a critical."""
    who = choice.who
    value: Any = offer.value
    if choice.about in ("action", "finishing_blow", "waited", "riposte") and isinstance(value, tuple):
        if value in attack_values(game, who):
            ring = ring_for(game, who)
            if ring:
                check = attack_check(game, who, value, ring)
                yield explained("tn", tn_lines(game, check, declared=False), 1)
            if game.table.techniques[value[0]].attack.damage != "none":
                yield explained("damage", damage_lines(game, who, value, 0, ring or "air"), 0)
            yield explained("resistance", resistance_lines(game, value[1], "physical"), 0)
    elif choice.about in ("void", "keep", "opportunity", "reroll", "follow_up"):
        depth = game.find(Check)
        if depth >= 0:
            found: Any = game.agenda[depth]
            yield Breakdown("tn", ((found.tn, found.purpose, found.tn_rule),))
        if choice.about == "keep":
            yield from _kept(choice.facts[0], offer.dice)
    elif choice.about in ("crane", "crab"):
        depth = game.find(Critical)
        critical: Any = game.agenda[depth]
        yield Breakdown("severity", ((critical.severity, critical.cause, "L5R-DMG-8"),))


def _kept(dice: Any, places: tuple[int, ...]) -> Iterator[Breakdown]:
    """L5R-DICE-1: what the kept dice show, die by die, before anything explodes; successes in any case, else what is there."""
    for symbol in Symbols.__struct_fields__:
        amounts = [(getattr(SYMBOLS[dice[place - 1][1]], symbol), place) for place in places]
        lines = tuple((amount, f"die {place}", "L5R-DICE-1") for amount, place in amounts if amount)
        if lines or symbol == "successes":
            yield Breakdown(symbol, lines)


# Numbers that scene files ask for


def derived_values(**facts: Any) -> list[int]:
    """L5R-DER-1, L5R-DER-2: endurance, composure, focus, vigilance of a character card."""
    card = Character(id="somebody", honour=50, **{"kind": "pc", **facts})
    return list(derived(card).values())


def face_symbols(face: str) -> list[int]:
    """L5R-DICE-1: successes, explosions, opportunities, strife of a face."""
    symbols = SYMBOLS[face]
    return [symbols.successes, symbols.explosions, symbols.opportunities, symbols.strife]


def faces_of(die: str) -> list[str]:
    """L5R-DICE-2, L5R-DICE-3: the faces of a die in the order of its numbers."""
    return list(FACES[die])


def chance_of(die: str, symbols: str) -> str:
    """L5R-DICE-4: the chance that a die shows one of these symbols."""
    pool = Pool(1, 0) if die == "ring" else Pool(0, 1)
    return str(pool.law().chance(lambda faces: any(symbol in faces[0] for symbol in symbols)))


def may_show(ring: int, skill: int, faces: list[str]) -> bool:
    """L5R-DICE-4: whether these dice can show these faces."""
    return Pool(ring, skill).allows(tuple(faces))


def kept_symbols(faces: list[str]) -> list[int]:
    """L5R-DICE-11 to L5R-DICE-16: successes, explosions, opportunities, strife on kept dice."""
    symbols = counted(tuple(Die("ring", face, -1, "kept") for face in faces))
    return [symbols.successes, symbols.explosions, symbols.opportunities, symbols.strife]


def may_keep(dice: list[list[str]], limit: int, compromised: bool, keep: list[int]) -> bool:
    """L5R-DICE-9, L5R-DICE-18, L5R-DICE-19: whether these dice may be kept, or equal ones in their place."""
    faces = tuple((kind, face) for kind, face in dice)
    wanted = sorted(faces[number - 1] for number in keep)
    return any(sorted(faces[number - 1] for number in chosen) == wanted for chosen in keepable(faces, limit, compromised))


def severity_result(severity: int) -> str:
    """L5R-DMG-10 to L5R-DMG-15: the row of the table."""
    return result_of(severity)


def deadliness(source: str, **facts: int) -> int:
    """L5R-DMG-7."""
    return deadliness_of(source, **facts)


def night(fatigue: int, water: int) -> int:
    """L5R-DER-8: fatigue after a full night."""
    return max(0, fatigue - 2 * water)


def after_scene(strife: int, fatigue: int, composure: int, endurance: int) -> list[int]:
    """L5R-DER-8: strife and fatigue after the scene."""
    return list(settled(strife, fatigue, composure, endurance))


def over_half(value: int, whole: int, how: str) -> bool:
    """L5R-DER-9."""
    return more_than_half(value, whole, how)


def judged(difference: int) -> list[Any]:
    """L5R-DUEL-24: what a difference of points is called, and what it adds to a glory award."""
    return [verdict(difference), award(difference)]


def qualities(named: list[str]) -> list[str]:
    """L5R-EQP-8: what is left of qualities."""
    return list(cancelled(tuple(named)))


def scars(row: str, ring: str) -> list[str]:
    """L5R-DMG-13, L5R-DMG-14: the scars of a row by resist ring."""
    return list(damages.SCARS[row][ring])


CASES: Final[dict[str, Callable[..., Any]]] = {
    "derived_values": derived_values,
    "face_symbols": face_symbols,
    "faces_of": faces_of,
    "chance_of": chance_of,
    "may_show": may_show,
    "kept_symbols": kept_symbols,
    "may_keep": may_keep,
    "severity_result": severity_result,
    "deadliness": deadliness,
    "night": night,
    "after_scene": after_scene,
    "over_half": over_half,
    "judged": judged,
    "qualities": qualities,
    "scars": scars,
}
__all__ = ["CASES", "base_of", "breakdown"]
