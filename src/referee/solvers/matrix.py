"""Two players choose at once, knowing the payoffs of every pair of choices: what they should do, as exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from operator import le, lt

from .paths import equilibria
from .tableau import Tableau

Payoffs = Sequence[Sequence[int | Fraction]]
Mixed = tuple[Fraction, ...]


@dataclass(frozen=True)
class Equilibrium:
    """A pair of mixed strategies of which neither can be bettered alone, what each player gets, and which one this is."""

    rows: Mixed
    columns: Mixed
    row_value: Fraction
    column_value: Fraction
    name: str = ""


def zero_sum(payoffs: Payoffs) -> Equilibrium:
    """What the players of a zero-sum game should do; `payoffs` are those of the rows. ValueError for an empty game.

    Where one strategy each is left after taking away dominated ones there is nothing to mix; else a linear program.
    """
    matrix, unit = _whole(payoffs)
    negative = [[-value for value in row] for row in matrix]
    rows, columns = _undominated(matrix, negative, strictly=False)
    small = [[matrix[i][j] for j in columns] for i in rows]
    shift = 1 - min(min(row) for row in small)
    tableau = Tableau([[value + shift for value in row] for row in small])
    # Maximise the sum of y with (matrix + shift) y <= 1: y over its sum is the columns' strategy, the prices the rows'.
    objective = [-1] * len(columns) + [0]
    while True:
        place = min(range(len(columns)), key=lambda place: (objective[place], tableau.outside[place]))
        if objective[place] >= 0:
            break
        number = tableau.leaving(place)
        assert number is not None  # all entries are 1 or more
        tableau.pivot(number, place, objective)
    theirs = _spread(tableau.weights(range(len(columns))), columns, len(matrix[0]))
    prices = dict(zip(tableau.outside, objective, strict=False))
    ours = _spread([prices.get(len(columns) + number, 0) for number in range(len(rows))], rows, len(matrix))
    if matrix == [list(column) for column in zip(*negative, strict=True)]:
        # The game looks the same to both, so what is right for one is for the other.
        ours = theirs
    value = (Fraction(tableau.denominator, objective[-1]) - shift) * unit
    return Equilibrium(ours, theirs, value, -value)


def general_sum(rows: Payoffs, columns: Payoffs) -> Equilibrium:
    """An equilibrium of a game in which the players' payoffs are not opposed, and by its name which one of those found.

    Strategies that are strictly dominated are taken away; from every other strategy of either player the path of Lemke and
    Howson leads to an equilibrium. Of several the symmetric one is taken where the game looks the same to both, else the one
    with the largest sum of payoffs, else the first.
    """
    (ours, our_unit), (theirs, their_unit) = _whole(rows), _whole(columns)
    kept_rows, kept_columns = _undominated(ours, theirs, strictly=True)
    small = [[[table[i][j] for j in kept_columns] for i in kept_rows] for table in (ours, theirs)]
    found: list[Equilibrium] = []
    for weights in equilibria(small[0], small[1]):
        mixed = (_spread(weights[0], kept_rows, len(ours)), _spread(weights[1], kept_columns, len(ours[0])))
        found.append(Equilibrium(*mixed, _expected(small[0], *weights) * our_unit, _expected(small[1], *weights) * their_unit))
    if len(found) == 1:
        return _named(found[0], "the only one found")
    symmetric = our_unit == their_unit and ours == [list(column) for column in zip(*theirs, strict=True)]
    even = [each for each in found if each.rows == each.columns] if symmetric else []
    if even:
        return _named(even[0], f"the symmetric one of {len(found)} found")
    best = max(found, key=lambda each: each.row_value + each.column_value)
    return _named(best, f"of {len(found)} found the one with the largest sum of payoffs")


def _named(each: Equilibrium, name: str) -> Equilibrium:
    return Equilibrium(each.rows, each.columns, each.row_value, each.column_value, name)


def _whole(payoffs: Payoffs) -> tuple[list[list[int]], Fraction]:
    """The payoffs as whole numbers without a common divisor, and what one of these is worth."""
    if not payoffs or not payoffs[0] or any(len(row) != len(payoffs[0]) for row in payoffs):
        raise ValueError("a game has a payoff for each pair of at least one strategy each")
    scale = lcm(*{value.denominator for row in payoffs for value in row})
    if scale == 1:
        matrix = [[value.numerator for value in row] for row in payoffs]
    else:
        matrix = [[value.numerator * (scale // value.denominator) for value in row] for row in payoffs]
    divisor = gcd(*(value for row in matrix for value in row)) or 1
    return [[value // divisor for value in row] for row in matrix], Fraction(divisor, scale)


def _undominated(ours: list[list[int]], theirs: list[list[int]], *, strictly: bool) -> tuple[list[int], list[int]]:
    """The strategies left when dominated ones are taken away again and again; of equal ones the first stays."""
    rows, columns = list(range(len(ours))), list(range(len(ours[0])))
    turned = [list(column) for column in zip(*theirs, strict=True)]
    changed = True
    while changed:
        changed = False
        for kept, view in (
            (rows, [[ours[i][j] for j in columns] for i in rows]),
            (columns, [[turned[j][i] for i in rows] for j in columns]),
        ):
            gone = _dominated(view, strictly)
            if gone:
                changed = True
                kept[:] = [each for place, each in enumerate(kept) if place not in gone]
                break
    return rows, columns


def _dominated(view: list[list[int]], strictly: bool) -> set[int]:
    """What another strategy is at least as good as, everywhere: then its sum is as large."""
    gone: set[int] = set()
    sums = [sum(row) for row in view]
    for place, row in enumerate(view):
        for other, against in enumerate(view):
            if sums[other] < sums[place] or other == place or other in gone:
                continue
            worse = all(map(lt if strictly else le, row, against)) and (strictly or row != against or other < place)
            if worse:
                gone.add(place)
                break
    return gone


def _spread(weights: Sequence[int], kept: Sequence[int], count: int) -> Mixed:
    full = [Fraction(0)] * count
    total = sum(weights)
    for place, weight in zip(kept, weights, strict=True):
        full[place] = Fraction(weight, total)
    return tuple(full)


def _expected(payoffs: list[list[int]], rows: list[int], columns: list[int]) -> Fraction:
    total = sum(
        weight * sum(value * against for value, against in zip(row, columns, strict=True) if against)
        for weight, row in zip(rows, payoffs, strict=True)
        if weight
    )
    return Fraction(total, sum(rows) * sum(columns))
