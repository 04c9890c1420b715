"""Roll and keep with symbols: two kinds of dice, at most so many are kept, kept dice that explode bring follow-up dice.

The best keep for any goal over successes, opportunities and strife, without looking at a single subset: a roll is two count
vectors, the value of a keep depends on its own vectors alone, so the best keep of every roll at once is a running maximum over
a lattice of vectors. Values are replaced by their ranks first; the winning rank is the policy. All chances are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Final, Literal, NamedTuple

import numpy as np

from .followups import FollowUps
from .goals import Goal, TooMuchWork
from .lattice import MOST_DICE, Array, Lattice, lattice, summed
from .symbols import BLANK, Face, SymbolDie
from .waves import Waves

Policy = Literal["single", "together"]

MOST_CELLS: Final = 4_000_000
"""The budget: so many pairs of count vectors are looked at, at most (8 and 8 dice with all faces)."""
MOST_VALUES: Final = 40_000
"""The same for the states of follow-up dice."""


class Kept(NamedTuple):
    """What a keep comes to: follow-up dice of both kinds still to roll, and successes, opportunities, strife."""

    first: int
    second: int
    successes: int
    opportunities: int
    strife: int

    @property
    def pending(self) -> tuple[int, int]:
        """Follow-up dice still to roll, of both kinds."""
        return self[:2]

    @property
    def symbols(self) -> tuple[int, int, int]:
        """Successes, opportunities and strife."""
        return self[2:]


class Throw(NamedTuple):
    """What is rolled: dice of two kinds, and how many of them may be kept."""

    dice: tuple[SymbolDie, SymbolDie]
    counts: tuple[int, int]
    keep: int


class Side:
    """The dice of one kind: which faces are told apart, as classes of a lattice, and with which weights."""

    def __init__(self, die: SymbolDie, count: int, goal: Goal, whole: bool, barred: bool, split: bool) -> None:
        self.die = die
        self.count = count
        classes: dict[tuple[Face, bool], int] = {}
        self.blank = 0
        self.of: dict[Face, int] = {}
        """Which class a face belongs to; -1 for blanks."""
        for face, weight in die.weights.items():
            unkeepable = barred and face.strife > 0
            shown = Face(
                face.successes,
                face.opportunities if whole or goal.sees_opportunities else 0,
                face.strife if whole or goal.sees_strife else 0,
                face.explodes,
            )
            if unkeepable:
                shown = Face(face.successes) if split else BLANK
            if shown == BLANK and not (unkeepable and split):
                self.blank += weight
                self.of[face] = -1
                continue
            key = (shown, not unkeepable)
            self.of[face] = list(classes).index(key) if key in classes else len(classes)
            classes[key] = classes.get(key, 0) + weight
        self.faces = [face for face, _ in classes]
        self.unkeepable = [not may for _, may in classes]
        self.weights = list(classes.values())
        # Strife on a face that may not be kept never counts.
        rows = [(*face[:3], int(face.explodes)) if may else (0, 0, 0, 0) for face, may in classes]
        self.symbols = np.array(rows, dtype=np.int64).reshape(-1, 4)

    @property
    def size(self) -> int:
        """The number of count vectors."""
        return comb(len(self.weights) + self.count, self.count)

    @cached_property
    def lattice(self) -> Lattice:
        """All count vectors of its dice."""
        return lattice(len(self.weights), self.count)

    @cached_property
    def rolled(self) -> Array:
        """In how many rolls each vector is shown."""
        return self.lattice.weights(self.count, self.weights, self.blank)

    @cached_property
    def barred(self) -> Array:
        """By vector: how many dice show what may not be kept."""
        return self.lattice.vectors @ np.array(self.unkeepable, dtype=np.int64)

    def row(self, faces: Sequence[Face]) -> int:
        """The vector that a roll shows."""
        counts = [0] * self.lattice.classes
        for face in faces:
            if self.of[face] >= 0:
                counts[self.of[face]] += 1
        return self.lattice.row(counts)


class Keep:
    """The best keep of every roll of a throw for a goal.

    `barred`: no die with strife may be kept. `whole`: tell apart all symbols, also those that the goal does not see, as a joint
    law needs; `split`: tell apart what a reroll of successes needs. One die at least is kept if one may be. Among equally good
    keeps the one with more successes, more opportunities, less strife is taken. TooMuchWork above the budget, ValueError for
    numbers that mean nothing.
    """

    def __init__(
        self,
        throw: Throw,
        goal: Goal,
        *,
        barred: bool = False,
        whole: bool = False,
        split: bool = False,
        follow_ups: Policy = "single",
    ) -> None:
        _check(throw, goal)
        self.throw = throw
        self.goal = goal
        self.barred = barred
        split = split or (barred and not goal.monotone)
        self.sides = tuple(
            Side(die, count, goal, whole, barred, split) for die, count in zip(throw.dice, throw.counts, strict=True)
        )
        if self.sides[0].size * self.sides[1].size > MOST_CELLS or self.total >= 1 << 62:
            raise TooMuchWork(f"{_said(throw)} are too many for this question: ask with fewer dice, or for successes alone")
        most = min(throw.keep, sum(throw.counts))
        self.follow_ups: FollowUps | Waves
        if follow_ups == "together" and goal.sees_strife:
            if goal.bonus or goal.cost:
                raise ValueError("what goes on beyond a goal's limits is known for follow-up dice one at a time only")
            self.follow_ups = Waves(goal, throw.dice, throw.counts, most, barred)
        else:
            self.follow_ups = FollowUps(goal, throw.dice, throw.counts, most, barred)
        self._rank(most)

    @property
    def total(self) -> int:
        """The number of equally likely rolls."""
        total: int = self.sides[0].die.sides ** self.sides[0].count * self.sides[1].die.sides ** self.sides[1].count
        return total

    def _rank(self, most: int) -> None:
        """`kept` lists what keeps may come to, from the worst to the best; `best` holds the place in it for every roll."""
        first, second = self.sides
        # All that a keep comes to stands in one number, a digit each: the parts of `Kept`.
        base = 2 * most + 2
        digits = base ** np.arange(4, -1, -1)
        few = [second.lattice.rows[min(most - total, second.count) + 1] for total in range(min(most, first.count) + 1)]
        width = np.array(few)[first.lattice.sums[: first.lattice.rows[len(few)]]]
        rows = np.arange(len(width)).repeat(width)
        columns = np.arange(len(rows)) - (width.cumsum() - width).repeat(width)
        if any(first.unkeepable + second.unkeepable):
            may = (first.barred[rows] == 0) & (second.barred[columns] == 0)
            rows, columns = rows[may], columns[may]
        ours = first.lattice.vectors @ (first.symbols @ digits[[2, 3, 4, 0]])
        theirs = second.lattice.vectors @ (second.symbols @ digits[[2, 3, 4, 1]])
        codes, where = np.unique(ours[rows] + theirs[columns], return_inverse=True)
        parts = codes[:, None] // digits % base
        found = list(map(Kept._make, parts.tolist()))
        values = [self.follow_ups.value(kept[:2], kept[2:]) for kept in found]
        preferred = np.lexsort((parts[:, 0] + parts[:, 1], -parts[:, 4], parts[:, 3], parts[:, 2]))
        order = sorted(preferred.tolist(), key=values.__getitem__)
        self.kept = [found[place] for place in order]
        self.values = [values[place] for place in order]
        ranks = np.empty(len(order), dtype=np.int16 if len(order) < 1 << 15 else np.int32)
        ranks[order] = np.arange(len(order), dtype=ranks.dtype)
        best = np.full((first.lattice.size + 1, second.lattice.size), -1, dtype=ranks.dtype)
        best[rows, columns] = ranks[where]
        nothing = best[0, 0]
        best[0, 0] = -1
        first.lattice.best_below(best)
        turned = np.full((second.lattice.size + 1, first.lattice.size), -1, dtype=ranks.dtype)
        turned[:-1] = best[:-1].T
        second.lattice.best_below(turned)
        self.best = turned[:-1]
        """By vector of the second kind and of the first: the rank of the best keep."""
        # A blank may be kept where not all dice of both kinds show something else; nothing is kept where nothing may be.
        full, other = second.lattice.rows[second.count], first.lattice.rows[first.count]
        self.best[0, 0] = nothing
        np.maximum(self.best[:full], nothing, out=self.best[:full])
        np.maximum(self.best[full:, :other], nothing, out=self.best[full:, :other])
        if any(first.unkeepable + second.unkeepable):
            none = (second.barred == second.lattice.sums)[:, None] & (first.barred == first.lattice.sums)
            np.maximum(self.best, nothing, out=self.best, where=none)

    @cached_property
    def weights(self) -> list[int]:
        """How many of the `total` rolls lead to each entry of `kept`."""
        rolled = self.sides[1].rolled[:, None] * self.sides[0].rolled[None, :]
        return summed(self.best.ravel(), rolled.ravel(), len(self.kept)).tolist()  # type: ignore[no-any-return]

    def chance(self) -> Fraction:
        """What the roll is worth when all is chosen as well as can be: for a goal of `Goal.reach`, the chance."""
        return self.worth_of(self.weights, self.total)

    def worth_of(self, weights: Sequence[int], total: int) -> Fraction:
        """The same when each entry of `kept` has a given weight."""
        return Fraction(
            sum(weight * value for weight, value in zip(weights, self.values, strict=True) if weight),
            total * self.follow_ups.scale,
        )

    def rank(self, first: Sequence[Face], second: Sequence[Face]) -> int:
        """The place in `kept` of the best keep of a roll."""
        return int(self.best[self.sides[1].row(second), self.sides[0].row(first)])

    def best_of(self, first: Sequence[Face], second: Sequence[Face]) -> tuple[Kept, Fraction]:
        """What the best keep of a roll comes to, and what that is worth."""
        rank = self.rank(first, second)
        return self.kept[rank], Fraction(self.values[rank], self.follow_ups.scale)


def _check(throw: Throw, goal: Goal) -> None:
    if min(throw.counts) < 0:
        raise ValueError(f"{_said(throw)}: a number of dice is 0 or more")
    if throw.keep < 1:
        raise ValueError(f"{throw.keep} dice kept: at least one die is kept")
    if max(throw.counts) > MOST_DICE:
        raise TooMuchWork(f"{_said(throw)} are too many: at most {MOST_DICE} of a kind")
    successes, opportunities, strife = goal.limits
    most = min(throw.keep, sum(throw.counts))
    pending = (min(throw.counts[0], most) + 1) * (min(throw.counts[1], most) + 1)
    if pending * (successes + 1) * (opportunities + 1) * (strife + 1) > MOST_VALUES:
        raise TooMuchWork(f"a goal of {successes} successes, {opportunities} opportunities, {strife} strife is too far off")


def _said(throw: Throw) -> str:
    return f"{throw.counts[0]} + {throw.counts[1]} dice"
