"""The equilibria to which the paths of Lemke and Howson lead, as whole numbers.

A path is first walked with floating point numbers, as far as each of its turns is clear; what it ends at is then solved and
checked with whole numbers. Where a turn is not clear, or the check fails, the path is walked with whole numbers instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Final

from .tableau import Tableau

Table = list[list[int]]
Weights = tuple[list[int], list[int]]
"""Strategies of both as whole numbers in proportion to the weights."""

CLEAR: Final = 1e-7
"""Ratios that are nearer to one another than this, or pivots smaller than this, are left to whole numbers."""
ROUNDED: Final = 1e-12
"""What is smaller than this is 0 but for rounding."""


def equilibria(ours: Table, theirs: Table) -> list[Weights]:
    """The equilibria at the ends of the paths of all labels, in the order in which they are found.

    Labels are strategies that are dropped first: the rows', then the columns'.
    """
    shift = 1 - min(min(row) for table in (ours, theirs) for row in table)
    rising = [[value + shift for value in row] for row in ours], [[value + shift for value in row] for row in theirs]
    likely = [_scaled(table) for table in rising]
    solved: dict[tuple[tuple[int, ...], tuple[int, ...]], Weights | None] = {}
    found: list[Weights] = []
    for label in range(len(ours) + len(ours[0])):
        supports = _walked(likely[0], likely[1], label)
        pair = None
        if supports is not None:
            if supports not in solved:
                solved[supports] = _checked(rising[0], rising[1], *supports)
            pair = solved[supports]
        pair = pair or exact_path(rising[0], rising[1], label)
        if pair not in found:
            found.append(pair)
    return found


def exact_path(ours: Table, theirs: Table, dropped: int) -> Weights:
    """The equilibrium at the end of the path on which one label is dropped; payoffs are 1 or more."""
    count, other = len(ours), len(ours[0])
    # In the first tableau the rows' weights are variables and the columns' labels are slacks; in the second the reverse.
    tableaux = (Tableau([[row[j] for row in theirs] for j in range(other)]), Tableau(ours))
    side = 0 if dropped < count else 1
    label = dropped
    while True:
        tableau = tableaux[side]
        # Variables of the first tableau are labels as they are; those of the second begin with the columns' labels.
        place = tableau.outside.index(label if side == 0 else (label - count) % (count + other))
        number = tableau.leaving(place)
        assert number is not None  # all entries are 1 or more
        left = tableau.basic[number]
        tableau.pivot(number, place)
        label = left if side == 0 else (left + count) % (count + other)
        if label == dropped:
            break
        side = 1 - side
    return _reduced(tableaux[0].weights(range(count))), _reduced(tableaux[1].weights(range(other)))


def _reduced(weights: Sequence[int]) -> list[int]:
    divisor = gcd(*weights)
    return [weight // divisor for weight in weights]


def _scaled(table: Table) -> list[list[float]]:
    """The same game with payoffs from 1 to 2."""
    low, high = min(map(min, table)), max(map(max, table))
    spread = high - low or 1
    return [[1 + (value - low) / spread for value in row] for row in table]


def _walked(ours: list[list[float]], theirs: list[list[float]], dropped: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The supports at the end of a path; None if it is not clear, or they are not of one size."""
    count, other = len(ours), len(ours[0])
    tables = ([[*(row[j] for row in theirs), 1.0] for j in range(other)], [[*row, 1.0] for row in ours])
    outside = (list(range(count)), list(range(count, count + other)))
    basic = (list(range(count, count + other)), list(range(count)))
    side = 0 if dropped < count else 1
    label = dropped
    for _ in range(8 * (count + other)):
        rows = tables[side]
        place = outside[side].index(label)
        number = _leaving(rows, place)
        if number is None:
            return None
        pivot_row = rows[number]
        pivot = pivot_row[place]
        pivot_row[place] = 1.0
        pivot_row[:] = [value / pivot for value in pivot_row]
        for row in rows:
            if row is not pivot_row:
                factor = row[place]
                row[place] = 0.0
                row[:] = [value - factor * against for value, against in zip(row, pivot_row, strict=True)]
        label = basic[side][number]
        basic[side][number], outside[side][place] = outside[side][place], label
        if label == dropped:
            one = tuple(sorted(each for each in basic[0] if each < count))
            two = tuple(sorted(each - count for each in basic[1] if each >= count))
            return (one, two) if len(one) == len(two) else None
        side = 1 - side
    return None


def _leaving(rows: list[list[float]], place: int) -> int | None:
    """The row that leaves, if it is clear which."""
    best = second = float("inf")
    leaves = None
    for number, row in enumerate(rows):
        entry = row[place]
        if entry > CLEAR:
            ratio = row[-1] / entry
            if ratio < best:
                best, second, leaves = ratio, best, number
            elif ratio < second:
                second = ratio
        elif entry > ROUNDED or ROUNDED < -entry < CLEAR:
            return None
    return leaves if second - best > CLEAR * second or second == float("inf") else None


def _checked(ours: Table, theirs: Table, rows: tuple[int, ...], columns: tuple[int, ...]) -> Weights | None:
    """The equilibrium of these supports, if there is one and every strategy outside is worth less."""
    first = _solved([[theirs[i][j] for i in rows] for j in columns])
    second = _solved([[ours[i][j] for j in columns] for i in rows])
    if first is None or second is None:
        return None
    (x, of_x), (y, of_y) = first, second
    if min(x) <= 0 or min(y) <= 0:
        return None
    for i, row in enumerate(ours):
        if i not in rows and sum(row[j] * weight for j, weight in zip(columns, y, strict=True)) >= of_y:
            return None
    for j in range(len(theirs[0])):
        if j not in columns and sum(theirs[i][j] * weight for i, weight in zip(rows, x, strict=True)) >= of_x:
            return None
    one, two = [0] * len(ours), [0] * len(ours[0])
    for i, weight in zip(rows, x, strict=True):
        one[i] = weight
    for j, weight in zip(columns, y, strict=True):
        two[j] = weight
    return _reduced(one), _reduced(two)


def _solved(matrix: Table) -> tuple[list[int], int] | None:
    """Whole numbers v and d > 0 with `matrix v = d` in each row, by elimination without rounding (Bareiss); None if singular."""
    rows = [[*row, 1] for row in matrix]
    before = 1
    for place in range(len(rows)):
        chosen = next((number for number in range(place, len(rows)) if rows[number][place]), None)
        if chosen is None:
            return None
        rows[place], rows[chosen] = rows[chosen], rows[place]
        pivot_row = rows[place]
        pivot = pivot_row[place]
        for number, row in enumerate(rows):
            if number != place:
                factor = row[place]
                rows[number] = [
                    (value * pivot - factor * against) // before for value, against in zip(row, pivot_row, strict=True)
                ]
        before = pivot
    values = [row[-1] for row in rows]
    return ([-value for value in values], -before) if before < 0 else (values, before)
