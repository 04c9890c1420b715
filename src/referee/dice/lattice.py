"""Count vectors: how many dice show each class of faces. Dice that show the same are interchangeable, so a roll is one of these.

The vectors of a lattice stand in the order of their sum, so that those of fewer dice are its first rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from math import comb
from typing import Any

import numpy as np

Array = Any  # numpy's own annotations say no more than that

MOST_DICE = 31


class Lattice:
    """All vectors of counts of so many classes with a sum of at most `most`.

    A vector is told by its tails: the dice of a class and of all behind it. Vectors stand in the order of a dictionary of their
    tails, so the row of one is a sum of binomials: for each tail, how many have the same tails before it and a lower one here.
    """

    def __init__(self, classes: int, most: int) -> None:
        self.classes = classes
        self.most = most
        self.size = comb(most + classes, classes)
        self.rows = [0, *(comb(total + classes, classes) for total in range(most + 1))]
        """`rows[n]`: how many vectors have a sum below n."""
        tails = [np.arange(most + 1)] if classes else []
        for _ in range(1, classes):
            times = tails[-1] + 1
            ends = times.cumsum()
            tails = [each.repeat(times) for each in tails]
            tails.append(np.arange(ends[-1]) - (ends - times).repeat(times))
        self._tails = np.zeros((self.size, classes + 1), dtype=np.int64)
        for place, each in enumerate(tails):
            self._tails[:, place] = each
        self.vectors = self._tails[:, :-1] - self._tails[:, 1:]
        self.sums = self._tails[:, 0]

    @cached_property
    def without(self) -> Array:
        """Row and class to the row with one die less of that class; `size` where there is none."""
        return np.where(self.vectors > 0, np.arange(self.size)[:, None] - self._steps(self._tails[:, :-1] - 1), self.size)

    @cached_property
    def with_one_more(self) -> Array:
        """Row and class to the row with one die more of that class, for all rows below the highest sum."""
        below = self.rows[self.most]
        return np.arange(below)[:, None] + self._steps(self._tails[:below, :-1])

    def _steps(self, tails: Array) -> Array:
        """How many rows further one die more is, by class: it raises the tails up to its own."""
        higher = [[comb(tail + behind, behind) for behind in range(self.classes)] for tail in range(self.most + 1)]
        table = np.array(higher, dtype=np.int64).reshape(self.most + 1, self.classes)
        return table[tails, np.arange(self.classes)[::-1]].cumsum(axis=1)

    def row(self, counts: Sequence[int]) -> int:
        """The row of a vector."""
        return sum(comb(tail + place, place + 1) for place, tail in enumerate(accumulate(reversed(counts))))

    def weights(self, dice: int, weights: Sequence[int], rest: int) -> Array:
        """In how many of all rolls of so many dice each vector is shown; `rest` faces belong to no class."""
        rows = self.rows[dice + 1]
        choose = np.array([[comb(n, k) for k in range(dice + 1)] for n in range(dice + 1)], dtype=np.int64)
        tails = self._tails[:rows].T
        powers = np.array([[weight**k for k in range(dice + 1)] for weight in (rest, *weights)], dtype=np.int64)
        result = powers[0, dice - tails[0]] * choose[dice, tails[0]]
        for place in range(self.classes):
            result *= powers[place + 1, self.vectors[:rows, place]] * choose[tails[place], tails[place + 1]]
        return result

    def best_below(self, ranks: Array) -> None:
        """Raises the rank in each row to the highest one at or below its vector; further axes go along.

        A row's own rank is compared with those of the rows with one die less, which are final when it is reached: by
        induction the highest of all vectors that are nowhere greater.
        """
        for total in range(1, self.most + 1):
            first, last = self.rows[total], self.rows[total + 1]
            block = ranks[first:last]
            for place in range(self.classes):
                np.maximum(block, ranks[self.without[first:last, place]], out=block)


@lru_cache(maxsize=64)
def lattice(classes: int, most: int) -> Lattice:
    """The lattice of so many classes and dice, made once."""
    return Lattice(classes, most)


def summed(places: Array, weights: Array, size: int) -> Array:
    """The sums of whole-number weights by place, exact below 2**63: numpy's own sums are only up to 2**53."""
    if int(weights.sum()) < 1 << 53:
        return np.bincount(places, weights=weights, minlength=size).astype(np.int64)
    low = np.bincount(places, weights=(weights & 0xFFFFFFFF), minlength=size).astype(np.int64)
    return low + (np.bincount(places, weights=(weights >> 32), minlength=size).astype(np.int64) << 32)
