"""The numbers in an offer, line by line, and the numbers that scene files may ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ...engine import Breakdown, Choice, Game, Id, Offer
from ...engine import breakdown as explained
from .actions import Action
from .cards import Character, steps_cost
from .checks import accuracy_lines, evasion_lines, mitigated, price
from .hidden import doubtful, unknown_kinds
from .problems import card_problems
from .sheets import ActionSheet, figures_of, tiles_for

if TYPE_CHECKING:
    from .setup import Table


def breakdown(game: Game, choice: Choice, offer: Offer) -> Iterator[Breakdown]:
    """Slots and tiles of a Move, slots, Accuracy, Evasion and the fixed part of the potency of an attack, traps on a tile."""
    value = offer.value
    if not isinstance(value, tuple):
        return
    table: Table = game.table
    verb = str(value[0])
    if verb == "to":
        yield from _trap_chances(game, str(value[1]))
        return
    sheet = table.actions[verb]
    if sheet.by_slots:
        yield Breakdown("tiles", ((tiles_for(int(value[1])), "slots", "VAIA-MOVE-2"),))  # type: ignore[arg-type]
        return
    yield explained("slots", _price_lines(game, choice.who, sheet))
    if sheet.attack and offer.target:
        yield from attack_numbers(game, choice.who, sheet, offer.target)
    depth = game.find(Action)
    if sheet.kind in ("rider", "trigger") and depth >= 0:
        yield from under_way(game, game.agenda[depth])  # type: ignore[arg-type]


def _price_lines(game: Game, who: Id, sheet: ActionSheet) -> Iterator[tuple[int, str, str]]:
    yield sheet.celerity, "celerity", "VAIA-CEL-1"
    more = price(game, who, sheet) - sheet.celerity
    if more:
        yield more, "Final Phase", "VAIA-CEL-7"


def attack_numbers(game: Game, who: Id, sheet: ActionSheet, target: Id) -> Iterator[Breakdown]:
    """What an attack would test with and against, if nobody changed it."""
    imagined = Action(actor=who, card=sheet.id, target=target)
    yield explained("accuracy", accuracy_lines(game, imagined))
    yield explained("evasion", evasion_lines(game, imagined))
    if any(step.verb == "damage" for step in sheet.steps):
        yield Breakdown("raw", ((game.table.characters[who].raw, "raw", "VAIA-CHAR-3"),))
        yield Breakdown("focal_tenths", ((game.table.characters[who].focal, "focal", "VAIA-CHAR-3"),))


def under_way(game: Game, action: Action) -> Iterator[Breakdown]:
    """The numbers of the attack that a Rider or Trigger is about."""
    if action.sheet(game).attack:
        yield explained("accuracy_now", accuracy_lines(game, action))
        yield explained("evasion_now", evasion_lines(game, action))


def _trap_chances(game: Game, tile: str) -> Iterator[Breakdown]:
    """VAIA-HIDE-3: so many traps on so many possible tiles, the same wherever they truly lie."""
    table: Table = game.table
    if not table.hidden_traps:
        return
    if tile in dict(game.records["traps"].known):
        yield Breakdown("traps", ((1, "known to all", "VAIA-HIDE-5"),))
        return
    tiles = doubtful(game)
    traps = len(unknown_kinds(game)) if tile in tiles else 0
    yield Breakdown("traps", ((traps, "traps left", "VAIA-HIDE-3"),))
    if traps:
        yield Breakdown("trap_tiles", ((len(tiles), "possible tiles", "VAIA-HIDE-3"),))


# Numbers for scene files


def figures(strength: int = 0, agility: int = -3, accuracy: int = -3, awareness: int = 0, vitality: int = 1) -> dict[str, int]:
    """VAIA-CHAR-2, VAIA-CHAR-3: what follows from attributes; Focal in tenths."""
    return figures_of(
        Character(id="somebody", strength=strength, agility=agility, accuracy=accuracy, awareness=awareness, vitality=vitality)
    )


def maximum_hp(strength: int, vitality: int) -> int:
    """VAIA-CHAR-2: maximum HP."""
    return figures(strength=strength, vitality=vitality)["hp"]


def slots(agility: int) -> int:
    """VAIA-CHAR-2: Action Slots a round."""
    return figures(agility=agility)["slots"]


def points_between(low: int, high: int) -> int:
    """VAIA-CHAR-1: what raising Agility or Accuracy costs."""
    return steps_cost(high) - steps_cost(low)


def affordable(level: int, **attributes: int) -> bool:
    """VAIA-CHAR-1: whether a character of that level may have these attributes."""
    try:
        card = msgspec.convert({"id": "somebody", "level": level, **attributes}, Character)
    except msgspec.ValidationError:
        return False
    return not list(card_problems({"characters": {"somebody": card}}))


def outcomes(accuracy: int, evasion: int) -> list[int]:
    """VAIA-HIT-1: how many of the 20 rolls hit, half-hit and miss."""
    values = [roll + accuracy for roll in range(1, 21)]
    hits, halves = sum(value > evasion for value in values), sum(value == evasion for value in values)
    return [hits, halves, 20 - hits - halves]


def after_mitigation(potency: int, resistance: int, reduction: int, flat: int) -> list[int]:
    """VAIA-DMG-2, VAIA-DMG-3: the damage left, and what the armour loses."""
    left, absorbed = mitigated(potency, ((resistance, reduction),), flat)
    return [left, absorbed[0]]


CASES: Final[dict[str, Callable[..., Any]]] = {
    "figures": figures,
    "maximum_hp": maximum_hp,
    "slots": slots,
    "tiles": tiles_for,
    "points_between": points_between,
    "affordable": affordable,
    "outcomes": outcomes,
    "after_mitigation": after_mitigation,
}
