"""Count vectors: how many dice show each class of faces. Dice that show the same are interchangeable, so a roll is one of these.

The vectors of a lattice stand in the order of their sum, so that those of fewer dice are its first rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import comb
from typing import Any

import numpy as np

Array = Any  # numpy's own annotations say no more than that

BITS = 5
MOST_DICE = (1 << BITS) - 1


class Lattice:
    """All vectors of counts of so many classes with a sum of at most `most`."""

    def __init__(self, classes: int, most: int) -> None:
        self.classes = classes
        self.most = most
        steps = [1 << (BITS * place) for place in range(classes)]
        codes: list[int] = []
        self.rows = [0]
        """`rows[n]`: how many vectors have a sum below n."""
        level = [(0, 0)]
        for total in range(most + 1):
            codes.extend(code for code, _ in level)
            self.rows.append(len(codes))
            if total < most:
                level = [(code + steps[place], place) for code, last in level for place in range(last, classes)]
        self.size = len(codes)
        self._codes = np.array(codes, dtype=np.int64)
        self._shifts = np.arange(classes, dtype=np.int64) * BITS
        self._order = np.argsort(self._codes)
        self._sorted = self._codes[self._order]
        self.vectors = (self._codes[:, None] >> self._shifts) & MOST_DICE
        self.sums = np.repeat(np.arange(most + 1), np.diff(self.rows))

    @cached_property
    def without(self) -> Array:
        """Row and class to the row with one die less of that class; `size` where there is none."""
        there = self.vectors > 0
        wanted = np.where(there, self._codes[:, None] - (np.int64(1) << self._shifts), self._codes[:, None])
        return np.where(there, self._find(wanted), self.size)

    @cached_property
    def with_one_more(self) -> Array:
        """Row and class to the row with one die more of that class, for all rows below the highest sum."""
        below = self.rows[self.most]
        return self._find(self._codes[:below, None] + (np.int64(1) << self._shifts))

    def row(self, counts: Sequence[int]) -> int:
        """The row of a vector."""
        return int(self._find(np.int64(sum(count << (BITS * place) for place, count in enumerate(counts)))))

    def _find(self, codes: Array) -> Array:
        return self._order[np.searchsorted(self._sorted, codes)]

    def weights(self, dice: int, weights: Sequence[int], rest: int) -> Array:
        """In how many of all rolls of so many dice each vector is shown; `rest` faces belong to no class."""
        rows = self.rows[dice + 1]
        vectors = self.vectors[:rows]
        choose = np.array([[comb(n, k) for k in range(dice + 1)] for n in range(dice + 1)], dtype=np.int64)
        result = np.array([rest**k for k in range(dice + 1)], dtype=np.int64)[dice - self.sums[:rows]]
        left = np.full(rows, dice)
        for place, weight in enumerate(weights):
            here = vectors[:, place]
            powers = np.array([weight**k for k in range(dice + 1)], dtype=np.int64)
            result = result * choose[left, here] * powers[here]
            left = left - here
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
    low = np.bincount(places, weights=(weights & 0xFFFFFFFF), minlength=size).astype(np.int64)
    if int(weights.max(initial=0)) >> 32:
        low += np.bincount(places, weights=(weights >> 32), minlength=size).astype(np.int64) << 32
    return low
