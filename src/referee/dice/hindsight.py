"""The other published model of roll and keep: all dice are exploded first, then the best are kept.

A die's whole chain comes to so many successes and at most one opportunity. The best choice takes, for each opportunity that is
wanted, the die with the most successes among those that show one, then the best of all others.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, lcm

from .goals import TooMuchWork
from .keep import Throw
from .symbols import SymbolDie

MOST_STATES = 300_000


def hindsight(throw: Throw, successes: int, opportunities: int = 0, *, barred: bool = False) -> Fraction:
    """The chance of so many successes and opportunities when the dice to keep are chosen after all explosions.

    Strife is not counted; `barred`: a face with strife counts for nothing. ValueError for numbers that mean nothing,
    TooMuchWork above the budget.
    """
    if min(successes, opportunities, *throw.counts) < 0 or throw.keep < 1:
        raise ValueError("dice, successes and opportunities are 0 or more, and at least one die is kept")
    required = opportunities
    free = throw.keep - required
    if free < 0:
        return Fraction(0)
    first, second = throw.counts
    if (first + 1) * (second + 1) * (required + 1) * (free + 1) * (successes + 1) ** 2 > MOST_STATES:
        raise TooMuchWork(f"{first} + {second} dice for {successes} successes are too many for this model")
    scale, chains = _scaled([_chain(die, successes, barred) for die in throw.dice])
    # Classes from the best: dice with an opportunity before those without, so that what is wanted is filled first.
    classes = [(value, shows, kind) for value in range(successes, -1, -1) for shows in (1, 0) for kind in (0, 1)]

    @cache
    def ways(place: int, left: tuple[int, int], required: int, free: int, missing: int) -> int:
        """In how many of the ways in which the dice left fall into the classes from a place on the goal is reached."""
        if place == len(classes):
            return int(not required and not missing and left == (0, 0))
        value, shows, kind = classes[place]
        weight = chains[kind].get((value, shows), 0)
        total = 0
        for here in range(left[kind] + 1 if weight else 1):
            filled = min(here, required) if shows else 0
            also = min(here - filled, free)
            rest = (left[0] - here, left[1]) if kind == 0 else (left[0], left[1] - here)
            reached = max(0, missing - value * (filled + also))
            total += comb(left[kind], here) * weight**here * ways(place + 1, rest, required - filled, free - also, reached)
        return total

    return Fraction(ways(0, (first, second), required, free, successes), scale ** (first + second))


def _chain(die: SymbolDie, most: int, barred: bool) -> dict[tuple[int, int], Fraction]:
    """The law of successes (up to `most`) and opportunity of a die with all that follow on it."""
    exploding = Fraction(sum(w for face, w in die.weights.items() if face.explodes and not (barred and face.strife)), die.sides)
    ends: dict[tuple[int, int], Fraction] = {}
    for face, weight in die.weights.items():
        counts = not (barred and face.strife)
        if face.explodes and counts:
            continue
        shown = (face.successes, face.opportunities) if counts else (0, 0)
        ends[shown] = ends.get(shown, Fraction(0)) + Fraction(weight, die.sides)
    law: dict[tuple[int, int], Fraction] = {}
    for (successes, shows), chance in ends.items():
        for explosions in range(max(0, most - successes) + 1):
            value = explosions + successes
            if value >= most:
                # All longer chains as well: a geometric sum.
                chance_here = exploding**explosions * chance / (1 - exploding)
                law[most, shows] = law.get((most, shows), Fraction(0)) + chance_here
                break
            law[value, shows] = law.get((value, shows), Fraction(0)) + exploding**explosions * chance
    return law


def _scaled(laws: list[dict[tuple[int, int], Fraction]]) -> tuple[int, list[dict[tuple[int, int], int]]]:
    scale = lcm(*(chance.denominator for law in laws for chance in law.values()))
    return scale, [{key: int(chance * scale) for key, chance in law.items()} for law in laws]
