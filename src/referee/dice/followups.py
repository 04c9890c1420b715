"""Follow-up dice: a kept die that explodes is rolled again, and what it then shows may be kept or dropped, and so on.

The value of having dice still to roll is solved in closed form, without a depth: where keeping an explosion leads back to the
same state (all that is wanted is there) the loop is divided out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from math import lcm

from .goals import Goal
from .symbols import Face, SymbolDie

Plane = list[int]  # over opportunities and strife; several may stand one behind another
Volume = list[Plane]  # over successes


class FollowUps:
    """The value of so many follow-up dice of two kinds still to roll, with what is kept so far, decided one at a time.

    Each is rolled once the one before it is settled; the second kind first, new ones included. `barred`: no strife may be
    kept. Values are whole numbers over `scale`.
    """

    def __init__(self, goal: Goal, dice: tuple[SymbolDie, SymbolDie], limits: tuple[int, int], most: int, barred: bool) -> None:
        self.goal = goal
        self.dice = dice
        self.barred = barred
        self._limits = successes, opportunities, strife = goal.limits
        self._width = strife + 1
        self._last = successes
        self._cells = (opportunities + 1) * self._width
        firsts = min(limits[0], most) + 1
        self._shift = {
            (more, worse): [
                start + min(cell // self._width + more, opportunities) * self._width + min(cell % self._width + worse, strife)
                for start in range(0, firsts * self._cells, self._cells)
                for cell in range(self._cells)
            ]
            for more in (0, 1)
            for worse in (0, 1)
        }
        self._faces = tuple(seen(die, goal, barred) for die in dice)
        self.scale = goal.scale * self._divisors(most)
        self._bonus, self._cost = goal.bonus * (self.scale // goal.scale), goal.cost * (self.scale // goal.scale)
        base = [[value * (self.scale // goal.scale) for row in plane for value in row] for plane in goal.values]
        columns = [base]
        for _ in range(1, firsts):
            columns.append(self._one_more(columns[-1], 0))
        self.values: list[Volume] = [[list(chain(*planes)) for planes in zip(*columns, strict=True)]]
        """By dice of the second kind and successes: the planes of all numbers of dice of the first kind, one behind another."""
        for second in range(1, min(limits[1], most) + 1):
            size = (min(limits[0], most - second) + 1) * self._cells
            self.values.append(self._one_more([planes[:size] for planes in self.values[-1]], 1))

    def _divisors(self, most: int) -> int:
        """Every value is reached by `most` + successes + strife divisions at most, those of loops only at the last success."""
        successes, _, strife = self.goal.limits
        loops = [
            die.sides - part
            for die in self.dice
            for part in (sum(weight for _, weight in die.exploding), sum(w for worse, w in die.exploding if not worse))
        ]
        whole: int = lcm(*(die.sides for die in self.dice)) ** (most + successes + strife + 1)
        return whole * int(lcm(*loops) ** (most + strife + 1))

    def _one_more(self, before: Volume, kind: int) -> Volume:
        """The values with one more die of a kind to roll, which is rolled first."""
        blank, faces, exploding = self._faces[kind]
        sides = self.dice[kind].sides
        volume: Volume = [[]] * (self._last + 1)
        for successes in range(self._last, -1, -1):
            row = before[successes]
            sums = [blank * value for value in row]
            for face, weight in faces:
                kept = before[min(successes + face.successes, self._last)]
                more = self._bonus if face.successes and successes == self._last else 0
                sums = _added(sums, weight, row, self._shifted(kept, face.opportunities, face.strife, more))
            if successes < self._last:
                for worse, weight in exploding:
                    sums = _added(sums, weight, row, self._shifted(volume[successes + 1], 0, worse, 0))
                volume[successes] = [value // sides for value in sums]
            else:
                volume[successes] = self._looped(row, sums, exploding, sides)
        return volume

    def _shifted(self, kept: Plane, opportunities: int, strife: int, more: int) -> Plane:
        """The values with symbols added, and so much more than that in each."""
        moved = [kept[cell] for cell in self._shift[opportunities, strife][: len(kept)]] if opportunities or strife else kept
        if more:
            moved = [value + more for value in moved]
        if strife and self._cost:
            for cell in range(self._width - 1, len(moved), self._width):
                moved[cell] -= self._cost
        return moved

    def _looped(self, row: Plane, sums: Plane, exploding: Sequence[tuple[int, int]], sides: int) -> Plane:
        """With all successes there, an explosion that shows nothing new leads back: V = (rest + w (V + reward)) / (sides).

        If it brings a reward, keeping it is right, as V is at least the value without the die: every option includes dropping
        it. If it costs something both are tried, and V is the greater.
        """
        plane = row[:]
        for cell in range(len(row) - 1, -1, -1):
            total, divisor = sums[cell], sides
            costly = 0
            for worse, weight in exploding:
                to = self._shift[0, worse][cell]
                reward = self._bonus - (self._cost if worse and cell % self._width == self._width - 1 else 0)
                if to != cell:
                    total += weight * max(row[cell], plane[to] + reward)
                elif reward >= 0:
                    divisor -= weight
                    total += weight * reward
                else:
                    costly = weight
                    total += weight * row[cell]
            plane[cell] = total // divisor
            if costly:
                # Kept at a cost: V = (rest - w row + w (V + reward)) / divisor.
                kept = (total - costly * row[cell] + costly * (self._bonus - self._cost)) // (divisor - costly)
                plane[cell] = max(plane[cell], kept)
        return plane

    def value(self, pending: tuple[int, int], symbols: tuple[int, int, int]) -> int:
        """The value over `scale` of follow-up dice still to roll, with symbols kept so far."""
        most, few, worst = self._limits
        successes, opportunities, strife = symbols
        beyond = 0
        if successes > most:
            beyond += (successes - most) * self._bonus
            successes = most
        if strife > worst:
            beyond -= (strife - worst) * self._cost
            strife = worst
        cell = pending[0] * self._cells + (opportunities if opportunities < few else few) * self._width + strife
        return self.values[pending[1]][successes][cell] + beyond

    def worth(self, pending: tuple[int, int], symbols: tuple[int, int, int]) -> Fraction:
        """The same as a fraction."""
        return Fraction(self.value(pending, symbols), self.scale)


def _added(sums: Plane, weight: int, row: Plane, others: Plane) -> Plane:
    """The sums with the better of two values added, so often, cell by cell."""
    return [so_far + weight * (one if one > other else other) for so_far, one, other in zip(sums, row, others, strict=True)]


Seen = tuple[int, list[tuple[Face, int]], list[tuple[int, int]]]


def seen(die: SymbolDie, goal: Goal, barred: bool) -> Seen:
    """A die as a goal sees it: the weight of blanks, other faces with weights, exploding ones as (strife, weight)."""
    blank = 0
    faces: dict[Face, int] = {}
    exploding: dict[int, int] = {}
    for face, weight in die.weights.items():
        if barred and face.strife:
            blank += weight
            continue
        strife = face.strife if goal.sees_strife else 0
        if face.explodes:
            exploding[strife] = exploding.get(strife, 0) + weight
            continue
        shown = Face(face.successes, face.opportunities if goal.sees_opportunities else 0, strife)
        if not any(shown):
            blank += weight
        else:
            faces[shown] = faces.get(shown, 0) + weight
    return blank, list(faces.items()), list(exploding.items())
