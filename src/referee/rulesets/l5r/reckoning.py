"""What a critical, a check, strife and an attack are worth to a duellist: bots' reckoning, no rule.

All numbers are on the scale of `worth`. Everything is read from what the figure's own seat can know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...engine import Game, Id, total
from .attack import AttackValue, attack_check, attack_values, cannot_attack, grip_of
from .cards import RINGS
from .facts import armour_value, can_defend, endurance, figure, readied, standing, strife_of, weapon_numbers
from .facts import sheet as sheet_of
from .likely import beyond, totals
from .numbers import tn_lines

if TYPE_CHECKING:
    from .check import Check

WON: Final = 2_000  # what decides the duel
NEVER: Final = -1_000.0
RESISTED: Final = 1.5  # severity that a resist check takes off, on the whole
DOUBLE: Final = {1: 0.0, 2: 0.05, 3: 0.13, 4: 0.22, 5: 0.3}
"""How often two opportunities are kept beside a success, by the number of dice kept."""


class Stake(NamedTuple):
    """What success in a check is worth, and each bonus success beyond it."""

    success: float
    bonus: float = 0.0


def critical_worth(game: Game, who: Id, severity: float) -> float:
    """What it is worth to a figure to inflict a critical of a severity."""
    if not game.table.duel:
        return 60 * severity
    objective = game.table.objective
    if objective == "first_strike":
        return WON
    after = severity - RESISTED
    if objective == "first_blood":
        return min(WON, max(100.0, 450 * (after - 1.5)))
    return min(WON, 70 * severity + 350 * max(0.0, after - 8))


def stake_of(game: Game, check: Check) -> Stake:
    """What is at stake in a check that is being made."""
    purpose = check.purpose
    if purpose == "attack":
        attack: Any = next((frame for frame in reversed(game.agenda) if type(frame).__name__ == "Attack"), None)
        if attack is not None:
            return attack_stake(game, attack.who, attack.value, finishing=attack.finishing)
    if purpose == "resist":
        critical: Any = next((frame for frame in reversed(game.agenda) if type(frame).__name__ == "Critical"), None)
        if critical is not None and critical.source and game.table.duel and critical.source != critical.target:
            one = critical_worth(game, critical.source, critical.severity)
            step = one - critical_worth(game, critical.source, critical.severity - 1)
            return Stake(step + 30, step + 15)
        return Stake(90, 50)
    if purpose == "initiative":
        return Stake(20, 14)
    return Stake(160, 10) if purpose in ("end", "sober") else Stake(100, 15)


def attack_stake(game: Game, who: Id, value: AttackValue, *, finishing: bool = False) -> Stake:
    """What the success of an attack is worth."""
    table = game.table
    name, target, weapon = value[:3]
    attack = table.techniques[name].attack
    damage, deadliness = weapon_numbers(game, who, weapon, grip_of(game, who, value))
    if finishing:
        one = critical_worth(game, who, 2 * deadliness)
        return Stake(one, critical_worth(game, who, 2 * deadliness + 1) - one)
    if attack.critical:
        one = critical_worth(game, who, deadliness)
        return Stake(one, critical_worth(game, who, deadliness + 1) - one)
    if not can_defend(game, target) or (attack.overwhelms and game.records[target].compromised):
        return Stake(critical_worth(game, who, deadliness))
    amount = {"base": damage, "deadliness": deadliness, "ring": 2, "none": 0}[attack.damage]
    amount -= armour_value(game, target, "physical")[0]
    most = endurance(game, target)
    room = most - game.records[target].fatigue
    point = (450 if table.objective == "first_strike" else 900) / (most + 1)
    worth = point * max(0, amount) + (400.0 if amount > room else 0.0)
    if amount <= 0 and "razor_edged" in table.qualities[weapon]:
        worth -= 100  # L5R-DMG-1: it would be Damaged
    return Stake(worth, point if attack.bonus else 0.0)


def risks_blow(game: Game, who: Id, amount: float) -> bool:
    """Whether so much strife would let the foe strike a finishing blow."""
    record = game.records[who]
    fresh = game.table.duel and not record.compromised and not record.struck_for
    return bool(fresh and amount > sheet_of(game, who).composure - strife_of(record))


def strain(game: Game, who: Id, amount: float, *, blow: float | None = None) -> float:
    """What it costs a figure to gain strife; `blow` is what a finishing blow of the foe would be worth, if that is known."""
    record = game.records[who]
    if amount <= 0:
        return 0.0
    sheet = sheet_of(game, who)
    room = sheet.composure - strife_of(record)
    if record.compromised:
        return 8 * amount
    cost = 20 * amount + 80 * amount / (room + 1 if room > 0 else 1)
    if amount > room:
        cost += 200
        if risks_blow(game, who, amount):
            cost += threat(game, game.table.foes[who][0]) if blow is None else blow
    return cost


def relief(game: Game, who: Id, amount: int) -> float:
    """What it is worth to lose strife."""
    record = game.records[who]
    strife = strife_of(record)
    amount = min(amount, strife)
    composure = sheet_of(game, who).composure
    if record.compromised:
        return 160.0 if strife - amount <= composure else 40.0 * amount / (strife - composure + 4)
    return amount * (20 + 80 / (composure - strife + 1))


def threat(game: Game, who: Id) -> float:
    """What a finishing blow of a figure would be worth to it."""
    if not standing(game, who):
        return 0.0
    table = game.table
    sheet = sheet_of(game, who)
    ring = game.records[who].stance or "void"
    best = 0.0
    for value in attack_values(game, who):
        if any(True for _ in cannot_attack(game, who, value, finishing=True)):
            continue
        stake = attack_stake(game, who, value, finishing=True)
        skill = table.techniques[value[0]].attack.skill or table.weapons[value[2]].skill
        chances = totals(sheet.rings[ring], sheet.skills[skill], sheet.rings[ring], game.records[who].compromised)
        best = max(best, chances[2] * stake.success)
    return best


def usable_attacks(game: Game, who: Id) -> list[AttackValue]:
    """The attacks that a figure could make in the stance that they need; with the body only if there is nothing better."""
    found = [
        value
        for value in attack_values(game, who)
        if all(reason.key == "needs_stance" for reason in cannot_attack(game, who, value))
    ]
    return [value for value in found if value[2] not in game.table.bodies] or found


def attack_worth(game: Game, who: Id, value: AttackValue, ring: str, *, finishing: bool = False) -> float:
    """What an attack promises when it is made with a ring."""
    return attack_worths(game, who, value, (ring,), finishing=finishing)[0]


def attack_worths(game: Game, who: Id, value: AttackValue, rings: Iterable[str], *, finishing: bool = False) -> list[float]:
    """The same for several rings."""
    card = game.table.techniques[value[0]]
    sheet = sheet_of(game, who)
    compromised = game.records[who].compromised
    stake = attack_stake(game, who, value, finishing=finishing)
    bought = 0.0
    if card.id == "strike" and not finishing and figure(game, value[1]).stance != "earth":
        bought = critical_worth(game, who, weapon_numbers(game, who, value[2], grip_of(game, who, value))[1])
    check = attack_check(game, who, value, "")
    found = []
    for ring in rings:
        if card.ring and card.ring != ring:
            found.append(NEVER)
            continue
        check.ring = ring
        dice = sheet.rings[ring]
        chances = totals(dice, sheet.skills[check.skill], dice, compromised)
        tn = min(max(1, total(tn_lines(game, check, declared=False))), len(chances) - 1)
        likely = chances[tn]
        more = beyond(chances)
        bonus = more[tn] + (0.4 * dice * likely if ring == "fire" else 0.0)
        worth = likely * stake.success + bonus * stake.bonus + DOUBLE.get(dice, 0.38) * likely * bought
        found.append(worth if ring == "void" or compromised else worth - 12 * min(dice, more[0]))
    return found


def dangers(game: Game, who: Id) -> dict[str, float]:
    """What the foe's next attack promises to it, by the ring that the figure stands in."""
    foe = game.table.foes[who][0]
    if not standing(game, foe):
        return dict.fromkeys(RINGS, 0.0)
    sheet = sheet_of(game, foe)
    theirs = game.records[foe].stance or max(sheet.rings, key=sheet.rings.__getitem__)
    armed = next((item.card for item in readied(figure(game, foe))), "punch")
    value = ("strike", who, armed)
    stake = attack_stake(game, foe, value)
    dice = sheet.rings[theirs]
    chances = totals(dice, sheet.skills[game.table.weapons[armed].skill], dice, game.records[foe].compromised)
    bought = DOUBLE.get(dice, 0.38) * critical_worth(game, foe, weapon_numbers(game, foe, armed, grip_of(game, foe, value))[1])

    def worth(tn: int, critical: float) -> float:
        return chances[tn] * (stake.success + critical) + beyond(chances)[tn] * stake.bonus

    plain = worth(2, bought)
    air = worth(4 if sheet_of(game, who).school_rank >= 4 else 3, bought)  # L5R-STN-1
    return {"air": air, "earth": worth(2, 0.0), "fire": plain, "water": plain, "void": plain}  # L5R-STN-2
