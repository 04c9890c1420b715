"""What a critical, a check, strife and an attack are worth to a duellist: bots' reckoning, no rule.

All numbers are on the scale of `worth`. Everything is read from what the figure's own seat can know.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from ...engine import Game, Id, total
from .attack import AttackValue, attack_check, attack_tn, attack_values, cannot_attack, grip_of
from .cards import RINGS
from .facts import armour_value, can_defend, endurance, figure, incapacitated, readied, standing, strife_of, weapon_numbers
from .facts import sheet as sheet_of
from .likely import MOST, totals
from .numbers import tn_lines

if TYPE_CHECKING:
    from .check import Check

WON: Final = 2_000  # what decides the duel
NEVER: Final = -1_000.0
WOUND: Final = 60.0  # a point of severity that does not decide it
DYING: Final = 12  # L5R-DMG-15
SOON: Final = 0.5  # of a finishing blow that the next staredown will allow
SOONER: Final = 0.6  # of one that it would have allowed anyway
DOUBLE: Final = {1: 0.0, 2: 0.05, 3: 0.13, 4: 0.22, 5: 0.3}
"""How often two opportunities are kept beside a success, by the number of dice kept."""


REMEMBERED: Final = 4096  # positions whose reckonings are kept

P = ParamSpec("P")
R = TypeVar("R")
Law = Callable[Concatenate[Game, Id, P], R]

_own = attrgetter("items", "effects", "conditions", "compromised", "begun", "out")


def once(*of_foe: str) -> Callable[[Law[P, R]], Law[P, R]]:
    """Reckons in a duel only once what follows from these fields of the foe's record, and from what one can attack with.

    The law reads nothing else that changes: of the own fatigue only whether it incapacitates; neither the own stance nor Void.
    """
    their = attrgetter(*of_foe)

    def kept(law: Law[P, R]) -> Law[P, R]:
        @wraps(law)
        def reckoned(game: Game, who: Id, /, *args: P.args, **kwargs: P.kwargs) -> R:
            table = game.table
            if not table.duel or table.terrain:
                return law(game, who, *args, **kwargs)
            records = game.records
            position = (_own(records[who]), incapacitated(game, who), their(records[table.foes[who][0]]))
            key = (law.__name__, who, args, *kwargs.values(), position)
            found: R | None = table.reckoned.get(key)
            if found is None:
                if len(table.reckoned) >= REMEMBERED:
                    table.reckoned.clear()
                found = table.reckoned[key] = law(game, who, *args, **kwargs)
            return found

        return reckoned

    return kept


class Stake(NamedTuple):
    """What success in a check is worth, and each bonus success beyond it."""

    success: float
    bonus: float = 0.0


def critical_worth(game: Game, who: Id, severity: int) -> float:
    """What it is worth to a figure to inflict a critical of a severity."""
    table = game.table
    if not table.duel:
        return 60 * severity
    if table.objective == "first_strike":
        return WON
    foe = table.foes[who][0]
    record, sheet = figure(game, foe), sheet_of(game, foe)
    dice = sheet.rings[record.stance or "void"]
    spare = severity - (5 if table.objective == "first_blood" else DYING)
    if spare < 0:
        return WOUND * severity
    # L5R-DMG-9: each success of a resist check takes one off.
    short = totals(dice, sheet.skills["fitness"], dice, record.compromised).reach[min(spare, MOST) + 1]
    return WON * (1 - short) + WOUND * severity * short


def underway(game: Game, kind: str) -> Any:
    """The topmost frame of a kind in progress, or None."""
    return next((frame for frame in reversed(game.agenda) if type(frame).__name__ == kind), None)


def stake_of(game: Game, check: Check) -> Stake:
    """What is at stake in a check that is being made."""
    purpose = check.purpose
    if purpose == "attack":
        attack = underway(game, "Attack")
        if attack is not None:
            return attack_stake(game, attack.who, attack.value, finishing=attack.finishing)
    if purpose == "resist":
        critical = underway(game, "Critical")
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
    return _stake(game, who, value, weapon_numbers(game, who, value[2], grip_of(game, who, value)), finishing=finishing)


def _stake(game: Game, who: Id, value: AttackValue, edge: tuple[int, int], *, finishing: bool) -> Stake:
    """The same with the damage and deadliness of the weapon in its grip."""
    table = game.table
    name, target, weapon = value[:3]
    attack = table.techniques[name].attack
    damage, deadliness = edge
    if finishing:
        one = critical_worth(game, who, 2 * deadliness)
        return Stake(one, critical_worth(game, who, 2 * deadliness + 1) - one)
    if attack.critical:
        one = critical_worth(game, who, deadliness)
        return Stake(one, critical_worth(game, who, deadliness + 1) - one)
    foe = game.records[target]
    if not can_defend(game, target) or (attack.overwhelms and foe.compromised):
        helpless = 10 if "unconscious" in foe.conditions else 0  # L5R-COND-16
        return Stake(critical_worth(game, who, deadliness + helpless))
    amount = {"base": damage, "deadliness": deadliness, "ring": 2, "none": 0}[attack.damage]
    amount -= armour_value(game, target, "physical")[0]
    most = endurance(game, target)
    room = most - foe.fatigue
    point = (450 if table.objective == "first_strike" else 900) / (most + 1)
    worth = point * max(0, amount) + (400.0 if amount > room else 0.0)
    if amount <= 0 and "razor_edged" in table.qualities[weapon]:
        worth -= 100  # L5R-DMG-1: it would be Damaged
    return Stake(worth, point if attack.bonus else 0.0)


def coming(game: Game) -> int:
    """The strife that the next staredown of a duel forces on both (L5R-DUEL-4)."""
    return game.round + 1 if game.table.duel and game.round < game.policy["max_rounds"] else 0


def fresh(game: Game, who: Id) -> bool:
    """Whether a figure's becoming Compromised would let its foe strike a finishing blow (L5R-DUEL-8)."""
    record = game.records[who]
    return bool(game.table.duel and not record.compromised and not record.struck_for)


def room(game: Game, who: Id) -> int:
    """How much strife a figure may gain without being Compromised."""
    return int(sheet_of(game, who).composure - strife_of(game.records[who]))


def doomed(game: Game, who: Id) -> bool:
    """Whether the next staredown will make a figure Compromised that is not so yet."""
    return 0 <= room(game, who) < coming(game)


def risks_blow(game: Game, who: Id, amount: float) -> bool:
    """Whether so much strife would let the foe strike a finishing blow, now or at the next staredown, which else it might not."""
    left = room(game, who)
    return fresh(game, who) and (amount > left or left - amount < coming(game) <= left)


def strain(game: Game, who: Id, amount: float, *, blow: float | None = None, after: int = 0) -> float:
    """What it costs a figure to gain strife, or to gain it `after` so much more.

    `blow` is what a finishing blow of the foe would be worth, if that is known.
    """
    if amount <= 0:
        return 0.0
    left = room(game, who) - after
    if game.records[who].compromised or left < 0:
        return 2 * amount  # unmasking takes it all
    next_one = coming(game) + (1 if after else 0)
    doomed_already = left < next_one
    cost = 8 * amount if doomed_already else 20 * amount + 80 * amount / (left + 1)
    share = 0.0
    if amount > left:
        share = SOONER if doomed_already else 1.0
        cost += 200 * share
    elif left - amount < next_one <= left:
        share = SOON
    if share and fresh(game, who):
        cost += share * (threat(game, game.table.foes[who][0]) if blow is None else blow)
    return cost


def relief(game: Game, who: Id, amount: int) -> float:
    """What it is worth to lose strife."""
    strife = strife_of(game.records[who])
    amount = min(amount, strife)
    left = room(game, who)
    if game.records[who].compromised:
        return 160.0 if left + amount >= 0 else 40.0 * amount / (4 - left)
    if doomed(game, who):
        if left + amount < coming(game):
            return 8.0 * amount
        return 28.0 * amount + (SOON * threat(game, game.table.foes[who][0]) if fresh(game, who) else 0.0)
    return amount * (20 + 80 / (left + 1))


def threat(game: Game, who: Id, stance: str = "") -> float:
    """What a finishing blow of a figure would be worth to it, with its foe in a stance (in the present one, if none is named)."""
    if not standing(game, who):
        return 0.0
    record = game.records[who]
    foe = game.table.foes[who][0]
    harder = air_tn(game, foe) if (stance or game.records[foe].stance) == "air" else 0
    dice = sheet_of(game, who).rings[record.stance or "void"] + (1 if record.void else 0)  # L5R-CHK-8
    return _best_blow(game, who, record.stance, dice, 2 + harder)


@once("stance", "compromised", "out")
def _best_blow(game: Game, who: Id, stance: str, dice: int, tn: int) -> float:
    """What the best finishing blow is worth from the own stance, with so many ring dice against a TN."""
    table = game.table
    skills = sheet_of(game, who).skills
    compromised = game.records[who].compromised
    best = 0.0
    for value in attack_values(game, who):
        if any(True for _ in cannot_attack(game, who, value, finishing=True)):
            continue
        stake = attack_stake(game, who, value, finishing=True)
        skill = table.techniques[value[0]].attack.skill or table.weapons[value[2]].skill
        chances = totals(dice, skills[skill], dice, compromised)
        best = max(best, chances.reach[tn] * stake.success)
    return best


def air_tn(game: Game, who: Id) -> int:
    """What the Air stance of a figure adds to attacks on it (L5R-STN-1)."""
    return 2 if sheet_of(game, who).school_rank >= 4 else 1


@once("out")
def usable_attacks(game: Game, who: Id) -> tuple[AttackValue, ...]:
    """The attacks that a figure could make in the stance that they need; with the body only if there is nothing better."""
    bodies = game.table.bodies
    usable = [value for value in attack_values(game, who) if _usable(game, who, value)]
    return tuple([value for value in usable if value[2] not in bodies] or usable)


def _usable(game: Game, who: Id, value: AttackValue) -> bool:
    return all(reason.key == "needs_stance" for reason in cannot_attack(game, who, value))


def attack_worth(game: Game, who: Id, value: AttackValue, ring: str, *, finishing: bool = False) -> float:
    """What an attack promises when it is made with a ring."""
    return attack_worths(game, who, value, finishing=finishing)[ring]


@once("items", "effects", "conditions", "stance", "compromised", "fatigue", "endurance_lost", "out")
def attack_worths(game: Game, who: Id, value: AttackValue, *, finishing: bool = False) -> dict[str, float]:
    """The same for every ring."""
    stake = attack_stake(game, who, value, finishing=finishing)
    found = dict.fromkeys(RINGS, NEVER)
    for ring, likely, bonus, bought, cost in _outlook(game, who, value, finishing):
        found[ring] = likely * stake.success + bonus * stake.bonus + bought - cost
    return found


@once("items", "effects", "conditions", "stance", "compromised", "out")
def _outlook(game: Game, who: Id, value: AttackValue, finishing: bool) -> list[tuple[str, float, float, float, float]]:
    """How likely an attack succeeds with each ring that allows it, bonus successes, what opportunities buy, what strife costs."""
    card = game.table.techniques[value[0]]
    sheet = sheet_of(game, who)
    compromised = game.records[who].compromised
    bought = 0.0
    if card.id == "strike" and not finishing and game.records[value[1]].stance != "earth":
        bought = critical_worth(game, who, weapon_numbers(game, who, value[2], grip_of(game, who, value))[1])
    check = attack_check(game, who, value, "")
    skill = sheet.skills[check.skill]
    of_ring = _of_ring(game, check)
    tn = -1
    found = []
    for ring in (card.ring,) if card.ring else RINGS:
        dice = sheet.rings[ring]
        chances = totals(dice, skill, dice, compromised)
        if tn < 0 or of_ring:
            check.ring = ring
            tn = min(max(1, total(tn_lines(game, check, declared=False))), len(chances.reach) - 1)
        likely = chances.reach[tn]
        bonus = chances.beyond[tn] + (0.4 * dice * likely if ring == "fire" else 0.0)
        cost = 0.0 if ring == "void" or compromised else 12 * min(dice, chances.beyond[0])
        found.append((ring, likely, bonus, DOUBLE.get(dice, 0.38) * likely * bought, cost))
    return found


def _of_ring(game: Game, check: Check) -> bool:
    """Whether the TN of an attack depends on the ring that it is made with."""
    record = game.records[check.who]
    conditions = game.table.conditions
    return (
        bool(check.tn_rings)
        or bool(record.conditions and any(conditions[name].ring for name in record.conditions))
        or bool(record.effects and any(effect.name == "foresee" for effect in record.effects))
    )


def dangers(game: Game, who: Id) -> dict[str, float]:
    """What the foe's next attack promises to it, by the ring that the figure stands in."""
    foe = game.table.foes[who][0]
    if not standing(game, foe):
        return dict.fromkeys(RINGS, 0.0)
    rings = sheet_of(game, foe).rings
    return _endangers(game, foe, rings[game.records[foe].stance or max(rings, key=rings.__getitem__)])


@once("items", "effects", "conditions", "stance", "compromised", "fatigue", "endurance_lost", "out")
def _endangers(game: Game, who: Id, dice: int) -> dict[str, float]:
    """What the next attack of a figure promises with so many ring dice, by the ring that its foe stands in."""
    foe = game.table.foes[who][0]
    value = _next_attack(game, who)
    stake = attack_stake(game, who, value)
    attack = game.table.techniques[value[0]].attack
    skill = sheet_of(game, who).skills[attack.skill or game.table.weapons[value[2]].skill]
    chances = totals(dice, skill, dice, game.records[who].compromised)
    bought = 0.0
    if value[0] == "strike":
        deadliness = weapon_numbers(game, who, value[2], grip_of(game, who, value))[1]
        bought = DOUBLE.get(dice, 0.38) * critical_worth(game, who, deadliness)
    tn = attack_tn(game, game.table.techniques[value[0]], foe)[0]

    def worth(tn: int, critical: float) -> float:
        return chances.reach[tn] * (stake.success + critical) + chances.beyond[tn] * stake.bonus

    plain = worth(tn, bought)
    # L5R-STN-1, L5R-STN-2
    return {
        "air": worth(tn + air_tn(game, foe), bought), "earth": worth(tn, 0.0), "fire": plain, "water": plain, "void": plain,
    }  # fmt: skip


def _next_attack(game: Game, who: Id) -> AttackValue:
    """What a duellist will most likely attack with: the blade in hand, else an Iaijutsu Cut, else a fist."""
    table = game.table
    foe = table.foes[who][0]
    record = figure(game, who)
    held = readied(record)
    if held:
        return ("strike", foe, held[0].card)
    sheathed = [item.card for item in record.items if item.state == "stowed" and item.harm != "destroyed"]
    blades = [card for card in sheathed if card in table.weapons and table.weapons[card].iaijutsu]
    for name in sheet_of(game, who).techniques:
        attack = table.techniques[name].attack
        if blades and attack is not None and attack.iaijutsu:
            return (name, foe, blades[0])
    return ("strike", foe, "punch")
