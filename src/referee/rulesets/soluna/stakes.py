"""What attacks, Risks and contests are worth by their exact odds, in numbers alone. No rule stands here."""

from __future__ import annotations

from functools import cache
from typing import Final

from ...dice.like import group_chance, group_counts
from .checks import cost

BODY: Final = 100.0  # a point of Body; everything else is measured by it
KILL: Final = 250.0
SHAKEN: Final = 60.0  # a point of Mind
GOAL: Final = 900.0  # what wins the encounter at once
PRIZE: Final = 350.0
FLIP: Final = 75.0
EQUILIBRIUM: Final = ((0, 0), (1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (4, 1), (5, 1), (4, 2), (5, 2), (6, 2))
"""What to commit to a contest for an equal with so many Mind left: the one pair that iterated dominance leaves."""

Pools = tuple[tuple[int, int], ...]


# Exact odds


@cache
def pools(left: int) -> Pools:
    """Dice and flips for up to so many Mind Points."""
    return ((0, 0), *((dice, flips) for dice in range(1, left + 1) for flips in range((left - dice) // 2 + 1)))


@cache
def chance(dice: int, flips: int, need: int) -> float:
    """The chance of a score, as a number to reckon with."""
    return float(group_chance(dice, flips, need))


@cache
def hit_value(dice: int, flips: int, guard: int, damage: int, body: int) -> float:
    """What an attack is worth by the exact law of its score: Body lost, Mind lost, the target out."""
    counts = group_counts(dice, flips)
    value = 0.0
    for score in range(guard, dice + 1):
        harm = damage + score - guard
        value += counts[score] * (BODY * min(harm, body) + (SHAKEN if harm >= 2 else 0) + (KILL if harm >= body else 0))
    return value / float(6**dice)


@cache
def raised_value(left: int, accuracy: int, guard: int, damage: int, body: int, extra: int, price: float) -> float:
    """The best that an attack comes to, with up to so many Mind Points for its accuracy."""
    return max(increased_value(increase, left, accuracy, guard, damage, body, extra, price) for increase in range(accuracy + 1))


@cache
def increased_value(
    increase: int, left: int, accuracy: int, guard: int, damage: int, body: int, extra: int, price: float
) -> float:
    """The same with this increase of accuracy."""
    base = hit_value(accuracy, extra, guard, damage, body)
    if not increase:
        return base
    more = hit_value(accuracy + increase, extra, guard, damage, body) - base
    return base + max(chance(*pool, 1 + increase) * more - price * cost(pool) for pool in pools(left))


@cache
def win_and_loss(pool: tuple[int, int, int], others: tuple[tuple[int, int, int], ...]) -> tuple[float, float]:
    """The chances to be best alone, and to be beaten, against such pools (dice, flips, preparation flips)."""
    laws = [group_counts(dice, flips + extra) for dice, flips, extra in others]
    counts = group_counts(pool[0], pool[1] + pool[2])
    wins = kept = 0.0
    for score, count in enumerate(counts):
        below = at_most = 1.0
        for law in laws:
            below *= sum(law[:score]) / sum(law)
            at_most *= sum(law[: score + 1]) / sum(law)
        wins += count * below
        kept += count * at_most
    return wins / sum(counts), 1 - kept / sum(counts)
