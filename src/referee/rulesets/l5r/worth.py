"""How good a position looks to a seat: the judgement of greedy bots, no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...engine import Choice, Game, Id, Offer
from .dice import SYMBOLS, counted
from .facts import endurance, figure, incapacitated, standing, strife_of
from .facts import sheet as sheet_of

if TYPE_CHECKING:
    from .check import Check
    from .setup import Table

_CONDITIONS: Final = {
    "unconscious": 700, "dying": 500, "bleeding": 150, "burning": 300, "prone": 60, "immobilized": 60, "dazed": 80,
    "disoriented": 50, "enraged": 20,
}  # fmt: skip
_HARMFUL: Final = ("harried", "exposed", "opened", "weaken", "laid_bare")  # effects on their bearer
IN_REACH: Final = 150  # for an action still to come, with a foe within reach of the weapon
_STANCES: Final = {"air": 30, "earth": 18, "fire": 24, "water": 12, "void": 6, "": 0}
_STAKES: Final = {"attack": 300, "resist": 160, "initiative": 14, "guard": 0, "maneuver": 40, "end": 160}
"""What success in a check is worth, by what the check is for."""


def worth(game: Game, seat: str) -> int:
    """A number that grows as the seat's side fares better; 100,000 for a victory."""
    table: Table = game.table
    facts = game.seats[seat]
    if facts.role != "player":
        return 0
    side = facts.side
    if game.result is not None:
        winner = game.result.winner
        return 0 if winner is None else 100_000 if winner == side else -100_000
    value = 0
    for who in table.order:
        standing = _standing(game, who)
        value += standing if table.side[who] == side else -standing
        if not table.duel and table.side[who] == side and not game.records[who].out:
            value -= 60 * _out_of_reach(game, who)
    return value + _in_progress(game, side)


def judge(game: Game, choice: Choice, offer: Offer) -> int:
    """How good a secret bid looks: going first is worth something, being Compromised costs more."""
    value: Any = offer.value
    if choice.about == "concession":
        return int(value == "fight_on")
    points = int(value[1])
    who = choice.who
    record = figure(game, who)
    room = sheet_of(game, who).composure - strife_of(record) - points
    found = -12 * points - (400 if room < 0 else 60 if room < 2 else 0)
    for foe in game.table.foes[who]:
        behind = game.records[foe].initiative - record.initiative
        lower = record.honour < game.records[foe].honour
        first = points > behind or (points == behind and lower)
        found += 40 * first
    return found


def _standing(game: Game, who: Id) -> int:
    record = figure(game, who)
    sheet = sheet_of(game, who)
    if record.out in ("dead", "defeated", "yielded"):
        return -3_000
    if record.out:
        return 0
    value = 35 * record.void + record.honour + record.glory // 2 + 14 * record.initiative
    most = endurance(game, who)
    value -= 900 * min(record.fatigue, most + 4) // (most + 1)
    if incapacitated(game, who):
        value -= 800
    strife = strife_of(record)
    value -= 220 * min(strife, sheet.composure) // (sheet.composure + 1) + 3 * min(strife, sheet.composure + 10)
    if record.compromised:
        value -= 260
    elif game.table.duel and record.struck_for:
        value -= 150  # the finishing blow against it is spent already
    if game.table.duel and record.struck_for:
        value -= 150
    value += _STANCES[record.stance] + 22 * sheet.rings.get(record.stance, 0)
    for condition in record.conditions:
        value -= _CONDITIONS.get(condition, 150)
    value -= 200 * (4 - min(3, record.dying)) if "dying" in record.conditions else 0
    value -= 60 * len(record.scars)
    each = 18 if game.table.duel else 8
    value += sum(-each if effect.name in _HARMFUL else each for effect in record.effects) + 30 * len(record.reserve)
    for item in record.items:
        if item.state in ("1h", "2h"):
            value += 160 if item.harm != "destroyed" else 0
            value += 25 * (item.state == "2h" and item.card in ("katana", "wakizashi"))
        if item.state == "dropped":
            value -= 60
        if item.harm:
            value -= 40
    if game.table.duel:
        return value + _towards_objective(game, who)
    if record.guarding and game.table.side[record.guarding] != game.table.side[who]:
        value -= 120
    return value + (8 if record.guarding or record.wait or record.assisting else 0)


def _towards_objective(game: Game, who: Id) -> int:
    record = figure(game, who)
    foe = game.records[game.table.foes[who][0]]
    value = 500 * (record.inflicted >= 0) + 60 * max(0, record.inflicted)
    if game.table.objective == "first_blood" and record.inflicted >= 5:
        value += 1_500
    if record.inflicted >= 0 and game.table.objective == "first_strike":
        value += 1_500
    if record.predict and not foe.compromised:
        value += 30
    return value


def _out_of_reach(game: Game, who: Id) -> int:
    """How many bands a figure's nearest foe stands outside the reach of its weapon."""
    low, high = _reach(game, who)
    at = game.records[who].at
    near = [abs(at - game.records[foe].at) for foe in game.table.foes[who] if not game.records[foe].out]
    return min((max(low - distance, distance - high, 0) for distance in near), default=0)


def _reach(game: Game, who: Id) -> tuple[int, int]:
    """The bands at which a figure can fight with what it has readied."""
    for item in figure(game, who).items:
        if item.state in ("1h", "2h") and item.harm != "destroyed":
            return game.table.weapons[item.card].range  # type: ignore[no-any-return]
    return 0, 1


def _in_progress(game: Game, side: str) -> int:
    """What a check or an attack in progress promises."""
    value = 0
    finishing = False
    strength = 0
    for frame in game.agenda:
        kind = type(frame).__name__
        if kind == "Turn":
            turn: Any = frame
            if not (turn.acted or game.table.duel) and standing(game, turn.who) and not _out_of_reach(game, turn.who):
                value += IN_REACH if game.table.side[turn.who] == side else -IN_REACH
        elif kind == "Attack":
            attack: Any = frame
            finishing = attack.finishing
            weapon = game.table.weapons[attack.value[2]]
            strength = 40 * weapon.deadliness if finishing else 20 * weapon.damage + 8 * weapon.deadliness
            if attack.hit:
                sign = 1 if game.table.side[attack.who] == side else -1
                value += sign * (30 * attack.amount + 60 * attack.severity + 250 * len(attack.criticals))
        elif kind == "Check":
            check: Any = frame
            sign = 1 if game.table.side[check.who] == side else -1
            more = strength + (600 if finishing else 0) if check.purpose == "attack" else 0
            if check.purpose == "initiative":
                value += sign * (_STANCES[check.ring] + 22 * check.ring_dice)
            value += sign * _promise(game, check, _STAKES.get(check.purpose, 100) + more)
    return value


def _promise(game: Game, check: Check, stake: int) -> int:
    """What a check is worth by the dice that lie on the table, or by those that will."""
    record = figure(game, check.who)
    symbols = counted(check.dice)
    total = symbols.successes
    pending = len(check.exploding)
    strife = symbols.strife
    opportunities = symbols.opportunities
    if not any(die.counts for die in check.dice):
        if not check.dice:
            likely = 60 * check.limit + 10 * check.skill_dice - 100 * check.tn + 50
            return stake * max(5, min(95, likely)) // 100
        faces = [SYMBOLS[die.face] for die in check.dice if not (record.compromised and "T" in die.face)]
        faces.sort(key=lambda face: (-face.successes, -face.explosions, -face.opportunities, face.strife))
        best = faces[: check.limit]
        total = sum(face.successes for face in best)
        pending = sum(face.explosions for face in best)
        opportunities = sum(face.opportunities for face in best)
        strife = sum(face.strife for face in best)
    if total >= check.tn:
        value = stake + (14 if check.purpose == "initiative" else 40) * (total - check.tn) + 14 * pending
        value += 40 * strife if record.stance == "fire" else 0
    else:
        missing = check.tn - total
        value = stake // 2 if pending and missing == 1 else 20 * total + 20 * pending
    spent = bool(check.spent) or check.left
    value += 16 * (check.left if spent else opportunities)
    if not check.raw and not check.succeeded and not check.strife_given and record.stance != "void" and not check.strife:
        after = strife_of(record) + strife
        composure = sheet_of(game, check.who).composure
        value -= 220 * strife // (composure + 1) + 3 * strife
        if after > composure and not record.compromised:
            value -= 560 if game.table.duel and not record.struck_for else 260
    value += (500 if game.table.duel else 250) * len(check.strikes) + 45 * check.deadlier + 20 * check.pierced
    return value
