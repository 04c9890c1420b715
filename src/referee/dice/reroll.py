"""Rerolls before the keep: some dice are chosen and rolled again at once, then the keep is as good as can be.

"One die fewer" is a row prefix of the lattice: the value with some dice still to roll is an average over their faces, and
giving up the best dice is a maximum over the rows they come from. The choice is made with floating point numbers (two choices
nearer than 1e-13 count as equal); the law of what then lies on the table is in whole numbers, so the chance of the choice
shown is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np

from .goals import TooMuchWork
from .joint import EXTRA, Outcome, joint
from .keep import Keep, Side
from .lattice import Array, summed
from .law import Cut
from .symbols import Face

Kind = Literal["up_to", "successes", "against"]
NEAR = 1e-13
MOST_CELLS = 2_000_000
"""The budget: 7 and 7 dice with all faces, for which 250 MB are needed."""


class _Option(NamedTuple):
    """So many dice of each kind given up: the value of the best ones by roll, and which roll of the others that leaves."""

    second: int
    first: int
    values: Array
    left: Array
    shape: tuple[int, int]


class Reroll:
    """The best reroll of every roll of a keep.

    "up_to": 0 to `most` dice of choice are rolled again. "successes": exactly `most` of the dice with a success, or all where
    there are fewer; "against": 0 to `most` of those, as is worst: somebody else chooses. For these two the keep must tell
    them apart (`split`). TooMuchWork where whole numbers would grow too large.
    """

    def __init__(self, keep: Keep, kind: Kind = "up_to", most: int = 2) -> None:
        self.keep = keep
        self.kind = kind
        self.most = most
        self._sign = -1 if kind == "against" else 1
        self.first, self.second = keep.sides
        self._extra = self.second.die.sides**most * self.first.die.sides**most
        if keep.total * self._extra >= 1 << 62 or keep.best.size > MOST_CELLS:
            raise TooMuchWork("these dice are too many to be rolled again: ask with fewer")
        scale = keep.follow_ups.scale
        values = np.array([float(Fraction(value, scale)) for value in keep.values])
        self._before = values[keep.best]
        self._options = self._all_options()
        self._choose()

    @property
    def total(self) -> int:
        """The number of equally likely rolls and rerolls."""
        total: int = self.keep.total * self._extra
        return total

    def chance(self) -> Fraction:
        """What the roll is worth with the best reroll and the best keep after it."""
        return self.keep.worth_of(self.weights, self.total)

    def joint(self, extra: int = EXTRA) -> Cut[Outcome]:
        """The joint law of successes, opportunities and strife after all of it."""
        return joint(self.keep, self.weights, self.total, extra)

    def advice(self, first: Sequence[Face], second: Sequence[Face]) -> tuple[list[Face], list[Face], float, float]:
        """The faces of each kind to roll again in a given roll, what that is worth, and what the roll is worth as it lies."""
        row, column = self.second.row(second), self.first.row(first)
        option = self._options[int(self._choice[row, column])]
        left = int(option.left[row, column])
        theirs, ours = divmod(left, option.shape[1])
        return (
            _given_up(self.first, first, ours, option.first),
            _given_up(self.second, second, theirs, option.second),
            float(self._best[row, column]),
            float(self._before[row, column]),
        )

    def _all_options(self) -> list[_Option]:
        first, second = self.first, self.second
        with_less: dict[tuple[int, int], Array] = {(0, 0): self._before}
        for theirs in range(min(self.most, second.count) + 1):
            for ours in range(min(self.most - theirs, first.count) + 1):
                if theirs:
                    with_less[theirs, ours] = _averaged(with_less[theirs - 1, ours], second, second.count - theirs + 1)
                elif ours:
                    with_less[0, ours] = _averaged(with_less[0, ours - 1].T, first, first.count - ours + 1).T
        options = []
        for (theirs, ours), start in sorted(with_less.items(), key=lambda each: sum(each[0])):
            values = start
            left = np.arange(start.size, dtype=np.int32).reshape(start.shape)
            for dice in range(second.count - theirs + 1, second.count + 1):
                values, left = self._given(values, left, second, dice)
            values, left = values.T, left.T
            for dice in range(first.count - ours + 1, first.count + 1):
                values, left = self._given(values, left, first, dice)
            options.append(_Option(theirs, ours, values.T, left.T, start.shape))
        return options

    def _given(self, values: Array, left: Array, side: Side, dice: int) -> tuple[Array, Array]:
        """From one die less to `dice`: which die is best given up, and what is left then."""
        rows, fewer = side.lattice.rows[dice + 1], side.lattice.rows[dice]
        sign = self._sign
        best = np.full((rows, values.shape[1]), -sign * np.inf)
        source = np.zeros((rows, values.shape[1]), dtype=np.int32)
        if self.kind == "up_to":
            best[:fewer], source[:fewer] = values, left  # a blank
        padded = np.vstack([values, np.full((1, values.shape[1]), -sign * np.inf)])
        padded_left = np.vstack([left, np.zeros((1, values.shape[1]), dtype=np.int32)])
        for place, face in enumerate(side.faces):
            if self.kind != "up_to" and not face.successes:
                continue
            fewer_rows = np.minimum(side.lattice.without[:rows, place], fewer)
            candidate = padded[fewer_rows]
            better = candidate > best + NEAR if sign > 0 else candidate < best - NEAR
            np.copyto(best, candidate, where=better)
            np.copyto(source, padded_left[fewer_rows], where=better)
        return best, source

    def _choose(self) -> None:
        self._best = np.full(self._before.shape, -self._sign * np.inf)
        self._choice = np.zeros(self._before.shape, dtype=np.int8)
        needed = np.minimum(self.most, _successes(self.second)[:, None] + _successes(self.first)[None, :])
        for number, option in enumerate(self._options):
            better = option.values > self._best + NEAR if self._sign > 0 else option.values < self._best - NEAR
            if self.kind == "successes":
                better &= needed == option.first + option.second
            np.copyto(self._best, option.values, where=better)
            self._choice[better] = number
        rolled = self.second.rolled[:, None] * self.first.rolled[None, :]
        after = np.zeros(self._before.shape, dtype=np.int64)
        untouched = after
        for number, option in enumerate(self._options):
            chosen = self._choice == number
            if not chosen.any():
                continue
            size = option.shape[0] * option.shape[1]
            lying = summed(option.left[chosen], rolled[chosen], size).reshape(option.shape)
            for dice in range(self.first.count - option.first + 1, self.first.count + 1):
                lying = _spread(lying.T, self.first, dice).T
            for dice in range(self.second.count - option.second + 1, self.second.count + 1):
                lying = _spread(lying, self.second, dice)
            scale = self.second.die.sides ** (self.most - option.second) * self.first.die.sides ** (self.most - option.first)
            after += lying * scale
            if not option.first + option.second:
                untouched = lying * scale
        self.untouched: list[int] = summed(self.keep.best.ravel(), untouched.ravel(), len(self.keep.kept)).tolist()
        """The same as `weights` for the rolls of which nothing is rolled again."""
        self.weights: list[int] = summed(self.keep.best.ravel(), after.ravel(), len(self.keep.kept)).tolist()
        """How many of the `total` rolls and rerolls lead to each entry of `keep.kept`."""


def _successes(side: Side) -> Array:
    """By roll: the dice with a success, also those that may not be kept."""
    return side.lattice.vectors @ np.array([face.successes for face in side.faces], dtype=np.int64)


def _averaged(values: Array, side: Side, dice: int) -> Array:
    """From `dice` to one less, whose face is not known yet."""
    rows = side.lattice.rows[dice]
    averaged = values[:rows] * (side.blank / side.die.sides)
    for place, weight in enumerate(side.weights):
        averaged = averaged + values[side.lattice.with_one_more[:rows, place]] * (weight / side.die.sides)
    return averaged


def _spread(weights: Array, side: Side, dice: int) -> Array:
    """From one die less to `dice`: the new die falls."""
    rows, fewer = side.lattice.rows[dice + 1], side.lattice.rows[dice]
    spread = np.zeros((rows, weights.shape[1]), dtype=np.int64)
    spread[:fewer] = weights * side.blank
    for place, weight in enumerate(side.weights):
        spread[side.lattice.with_one_more[:fewer, place]] += weights * weight
    return spread


def _given_up(side: Side, faces: Sequence[Face], left: int, dice: int) -> list[Face]:
    """The faces of a roll of which so many dice are given up, so that a vector is left."""
    stays = side.lattice.vectors[left].tolist()
    given, blanks = [], []
    for face in faces:
        place = side.of[face]
        if place < 0:
            blanks.append(face)
        elif stays[place]:
            stays[place] -= 1
        else:
            given.append(face)
    return given + blanks[: dice - len(given)]
