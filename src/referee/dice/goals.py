"""Goals of a roll: what so many successes, opportunities and strife are worth. And what dice still to come make of it.

A goal saturates: beyond its limits more of a symbol changes nothing. That loses nothing, as no symbol is ever taken away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import Final

MOST_CELLS: Final = 20_000


class TooMuchWork(ValueError):
    """A question whose answer would take too long; the message says what is too large."""


@dataclass(frozen=True)
class Goal:
    """What is wanted: `values[s][o][t]` over `scale` is worth so many successes, opportunities, strife, up to each limit.

    Beyond its limit each success is worth `bonus` more and each strife `cost` less, over `scale`.
    """

    values: tuple[tuple[tuple[int, ...], ...], ...]
    scale: int = 1
    bonus: int = 0
    cost: int = 0

    @classmethod
    def reach(cls, successes: int, opportunities: int = 0, strife: int | None = None) -> Goal:
        """The chance of so many successes and opportunities, with at most so much strife. ValueError below 0."""
        if min(successes, opportunities, strife or 0) < 0:
            raise ValueError("a goal asks for 0 or more successes, opportunities and strife")
        worst = 0 if strife is None else strife + 1
        _check_limits(successes, opportunities, worst)
        nothing = (0,) * (worst + 1)
        enough = (1,) * worst + (int(strife is None),)
        missing = (nothing,) * (opportunities + 1)
        return cls((missing,) * successes + ((nothing,) * opportunities + (enough,),))

    @classmethod
    def of(
        cls,
        limits: tuple[int, int, int],
        worth: Callable[[int, int, int], int | Fraction],
        bonus: int | Fraction = 0,
        cost: int | Fraction = 0,
    ) -> Goal:
        """Any goal: `worth` of successes, opportunities and strife up to these limits, `bonus` and `cost` beyond them.

        TooMuchWork if the limits are absurd, ValueError if bonus or cost are below 0.
        """
        if min(bonus, cost) < 0:
            raise ValueError("what a further success is worth and what a further strife costs is 0 or more")
        _check_limits(*limits)
        table = [
            [[Fraction(worth(s, o, t)) for t in range(limits[2] + 1)] for o in range(limits[1] + 1)] for s in range(limits[0] + 1)
        ]
        tails = Fraction(bonus), Fraction(cost)
        scale = lcm(*(value.denominator for plane in table for row in plane for value in row), *(x.denominator for x in tails))
        return cls(
            tuple(tuple(tuple(int(value * scale) for value in row) for row in plane) for plane in table),
            scale,
            *(int(each * scale) for each in tails),
        )

    @classmethod
    def weighing(cls, successes: int, bonus: int | Fraction = 0, cost: int | Fraction = 0) -> Goal:
        """Success against a target number is worth 1, each success beyond it `bonus`; each strife costs `cost`."""
        return cls.of((successes, 0, 0), lambda s, o, t: int(s >= successes), bonus, cost)

    @property
    def limits(self) -> tuple[int, int, int]:
        """The highest successes, opportunities and strife that are told apart."""
        return len(self.values) - 1, len(self.values[0]) - 1, len(self.values[0][0]) - 1

    @property
    def sees_opportunities(self) -> bool:
        """Whether opportunities matter."""
        return self.limits[1] > 0

    @property
    def sees_strife(self) -> bool:
        """Whether strife matters."""
        return self.limits[2] > 0 or self.cost > 0

    @cached_property
    def monotone(self) -> bool:
        """Whether more successes and opportunities are never worse."""
        most_s, most_o, most_t = self.limits
        return all(
            self.values[s][o][t] <= self.values[min(s + 1, most_s)][o][t]
            and self.values[s][o][t] <= self.values[s][min(o + 1, most_o)][t]
            for s, o, t in product(range(most_s + 1), range(most_o + 1), range(most_t + 1))
        )

    @cached_property
    def shuns_strife(self) -> bool:
        """Whether more strife is never better."""
        return all(row[place] >= row[place + 1] for plane in self.values for row in plane for place in range(len(row) - 1))


def _check_limits(successes: int, opportunities: int, strife: int) -> None:
    if (successes + 1) * (opportunities + 1) * (strife + 1) > MOST_CELLS:
        raise TooMuchWork(f"{successes} successes, {opportunities} opportunities, {strife} strife are too far off")
