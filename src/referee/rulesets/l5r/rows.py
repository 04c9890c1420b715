"""What it is worth to spend opportunities on a row, in a duel. Bots' judgement, no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...engine import Game, Id
from .dice import SYMBOLS
from .facts import armour_value, can_defend, endurance, figure, vigilance, weapon_numbers
from .facts import sheet as sheet_of
from .reckoning import critical_worth, relief, strain, underway

if TYPE_CHECKING:
    from .check import Check
    from .setup import Row

FLAT: Final = {
    "log": 0.0, "assist_similar": 0.0, "sense_strife": 0.0, "learn_trait": 0.0, "learn_disadvantage": 0.0, "elusive": 2.0,
    "surefooted": 0.0, "overcome": 4.0, "quell": 6.0, "spot_terrain": 0.0, "step": 0.0, "survey": 0.0, "clear_sight": 0.0,
    "sheltered": 0.0, "torment": 10.0, "kept_t": -5.0, "assess_air": 3.0, "assess_earth": 4.0, "assess_water": 0.0,
    "assess_fire": 5.0, "rally": 30.0, "crescent": 20.0,
}  # fmt: skip
DIE: Final = {"E": 90, "SO": 70, "S": 55, "ET": 60, "ST": 35, "O": 25, "OT": 0, "-": -10, "T": -10}
"""What a reserved die is worth (L5R-TEC-5)."""


def row_worth(game: Game, check: Check, row: Row, amount: int, target: Any) -> float:
    """What an amount of a row is worth to the roller."""
    effect = row.card.effect
    if effect in FLAT:
        return FLAT[effect]
    who = check.who
    record = figure(game, who)
    foe = game.table.foes[who][0]
    if effect == "critical":
        return _second_critical(game, check) or critical_worth(game, who, game.table.weapons[check.weapon].deadliness)
    if effect == "razor":
        return amount * _deeper(game, check) + _sharper(game, check, amount) if check.succeeded else 0.0
    if effect == "inflame":
        return strain(game, target, row.card.amount) if target == foe else -50.0
    if effect == "calm":
        return relief(game, who, row.card.amount) if target in ("", who) else -20.0
    if effect == "undo_strife":
        return relief(game, who, min(amount, check.strife_given))
    if effect == "rest":
        return 900 / (endurance(game, who) + 1) if record.fatigue else 0.0
    if effect == "daunting":
        return 0.6 * strain(game, foe, row.card.amount)
    if effect == "kept_o":
        return 30 + (0.25 * critical_worth(game, who, 5) if game.records[foe].stance != "earth" else 0)
    if effect == "foresee":
        rings = sheet_of(game, who).rings
        return 45.0 if target == max(("air", "earth", "fire", "water"), key=rings.__getitem__) else 5.0
    if effect == "endure":
        return 50.0 if "wounded" in str(target) else 5.0
    if effect == "quicken":
        return 14.0 * amount
    if effect == "reserve":
        return sum(DIE[check.dice[number - 1].face] + 5 * SYMBOLS[check.dice[number - 1].face].explosions for number in target)
    if effect == "harried":
        return 40.0 if target == foe and _critical_coming(check, game) else 0.0 if game.table.duel or target == foe else -5.0
    return _of_blows(game, check, effect, amount)


def _second_critical(game: Game, check: Check) -> float:
    """What a critical is worth that is bought beside that of a finishing blow; 0 if there is no such blow."""
    return (60.0 if game.table.objective != "first_strike" else 1.0) if _finishing(game) and check.succeeded else 0.0


def _finishing(game: Game) -> bool:
    """Whether the check is that of a finishing blow."""
    return any(type(frame).__name__ == "Attack" and frame.finishing for frame in game.agenda[-2:-1])  # type: ignore[attr-defined]


def _deeper(game: Game, check: Check) -> float:
    """What one more point of deadliness is worth as damage: that of an Iaijutsu Cut (L5R-TEC-10, L5R-TEC-11)."""
    attack = game.table.techniques[check.technique].attack if check.technique else None
    if attack is None or attack.damage != "deadliness" or not can_defend(game, check.targets[0]):
        return 1.0
    return 900 / (endurance(game, check.targets[0]) + 1)


def _critical_coming(check: Check, game: Game) -> bool:
    """Whether a critical will follow on this check."""
    attack = underway(game, "Attack")
    if attack is None or not check.succeeded:
        return False
    return attack.finishing or bool(check.strikes) or not can_defend(game, attack.target)


def _severer(game: Game, who: Id, severity: int) -> float:
    """What one more point of severity is worth."""
    return critical_worth(game, who, severity + 1) - critical_worth(game, who, severity)


def _sharper(game: Game, check: Check, amount: int) -> float:
    if not _critical_coming(check, game):
        return 0.0
    attack = underway(game, "Attack")
    deadliness = weapon_numbers(game, check.who, check.weapon, "2h")[1]
    by = 2 if attack.finishing and game.policy["razor_edge_doubling"] == "before" else 1
    base = 2 * deadliness if attack.finishing else deadliness
    return critical_worth(game, check.who, base + by * amount) - critical_worth(game, check.who, base)


def _of_blows(game: Game, check: Check, effect: str, amount: int) -> float:
    who = check.who
    foe = game.table.foes[who][0]
    if effect == "pierce":
        worn = armour_value(game, foe, "physical")[0]
        harmless = not check.succeeded or not can_defend(game, foe) or _finishing(game)  # L5R-DUEL-11
        return 0.0 if harmless else 900 / (endurance(game, foe) + 1) * min(amount, worn)
    if effect == "exposed":
        return amount * (_severer(game, who, 7) + 10 if _critical_coming(check, game) else 6)
    if effect == "open":
        return amount * (_severer(game, who, 7) + 10 if _critical_coming(check, game) else 12)
    if effect == "hardened":
        return 8.0 * amount + 0.1 * amount * _severer(game, foe, 7)
    if effect == "resist":
        return 35.0 * amount
    if effect == "weaken":
        worn = armour_value(game, foe, "physical")[0]
        return 40.0 * min(amount, worn)
    if effect == "snare":
        return 60.0 if vigilance(game, foe) <= amount else -5.0
    return 0.0
