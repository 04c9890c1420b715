"""Follow-up dice: a kept die that explodes is rolled again, and what it then shows may be kept or dropped, and so on.

The value of having dice still to roll is solved in closed form, without a depth: where keeping an explosion leads back to the
same state (all that is wanted is there) the loop is divided out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from .goals import Goal
from .symbols import Face, SymbolDie

Plane = list[int]  # over opportunities and strife
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
        successes, opportunities, strife = goal.limits
        self._width = strife + 1
        self._last = successes
        cells = (opportunities + 1) * (strife + 1)
        self._shift = {
            (more, worse): [
                min(cell // self._width + more, opportunities) * self._width + min(cell % self._width + worse, strife)
                for cell in range(cells)
            ]
            for more in (0, 1)
            for worse in (0, 1)
        }
        self._faces = tuple(seen(die, goal, barred) for die in dice)
        self.scale = goal.scale * self._divisors(most)
        self._bonus, self._cost = goal.bonus * (self.scale // goal.scale), goal.cost * (self.scale // goal.scale)
        base = [[value * (self.scale // goal.scale) for row in plane for value in row] for plane in goal.values]
        self.values: dict[tuple[int, int], Volume] = {(0, 0): base}
        self._fill(tuple(min(limit, most) for limit in limits), most)

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

    def _fill(self, limits: tuple[int, ...], most: int) -> None:
        for second in range(limits[1] + 1):
            for first in range(min(limits[0], most - second) + 1):
                if second:
                    self.values[first, second] = self._one_more(self.values[first, second - 1], 1)
                elif first:
                    self.values[first, 0] = self._one_more(self.values[first - 1, 0], 0)

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
                shift = self._shift[face.opportunities, face.strife]
                more = self._bonus if face.successes and successes == self._last else 0
                for cell, value in enumerate(row):
                    other = kept[shift[cell]] + more
                    if face.strife and cell % self._width == self._width - 1:
                        other -= self._cost
                    sums[cell] += weight * (other if other > value else value)
            if successes < self._last:
                above = volume[successes + 1]
                for worse, weight in exploding:
                    shift = self._shift[0, worse]
                    for cell, value in enumerate(row):
                        other = above[shift[cell]]
                        if worse and cell % self._width == self._width - 1:
                            other -= self._cost
                        sums[cell] += weight * (other if other > value else value)
                volume[successes] = [value // sides for value in sums]
            else:
                volume[successes] = self._looped(row, sums, exploding, sides)
        return volume

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
        _, opportunities, strife = self.goal.limits
        cell = min(symbols[1], opportunities) * self._width + min(symbols[2], strife)
        beyond = max(0, symbols[0] - self._last) * self._bonus - max(0, symbols[2] - strife) * self._cost
        return self.values[pending][min(symbols[0], self._last)][cell] + beyond

    def worth(self, pending: tuple[int, int], symbols: tuple[int, int, int]) -> Fraction:
        """The same as a fraction."""
        return Fraction(self.value(pending, symbols), self.scale)


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
