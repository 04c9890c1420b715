"""Two players choose at once, knowing the payoffs of every pair of choices: what they should do, as exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import le, lt

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
    matrix = _whole(payoffs)
    negative = [[-value for value in row] for row in matrix]
    rows, columns = _undominated(matrix, negative, strictly=False)
    small = [[matrix[i][j] for j in columns] for i in rows]
    shift = 1 - min(min(row) for row in small)
    tableau = Tableau([[value + shift for value in row] for row in small])
    # Maximise the sum of y with (matrix + shift) y <= 1: y over its sum is the columns' strategy, the prices the rows'.
    objective = [-1] * len(columns) + [0] * (len(rows) + 1)
    while True:
        column = min(range(len(objective) - 1), key=lambda place: objective[place])
        if objective[column] >= 0:
            break
        number = tableau.leaving(column)
        assert number is not None  # all entries are 1 or more
        tableau.pivot(number, column, objective)
    total = Fraction(objective[-1], tableau.denominator)
    theirs = _spread([tableau.value(place) / total for place in range(len(columns))], columns, len(matrix[0]))
    prices = objective[len(columns) : -1]
    ours = _spread([Fraction(price, objective[-1]) for price in prices], rows, len(matrix))
    if matrix == [list(column) for column in zip(*negative, strict=True)]:
        # The game looks the same to both, so what is right for one is for the other.
        ours = theirs
    value = _expected(payoffs, ours, theirs)
    return Equilibrium(ours, theirs, value, -value, "")


def general_sum(rows: Payoffs, columns: Payoffs) -> Equilibrium:
    """An equilibrium of a game in which the players' payoffs are not opposed, and by its name which one of those found.

    Strategies that are strictly dominated are taken away; from every other strategy of either player the path of Lemke and
    Howson leads to an equilibrium. Of several the symmetric one is taken where the game looks the same to both, else the one
    with the largest sum of payoffs, else the first.
    """
    ours, theirs = _whole(rows), _whole(columns)
    kept_rows, kept_columns = _undominated(ours, theirs, strictly=True)
    small = [[[table[i][j] for j in kept_columns] for i in kept_rows] for table in (ours, theirs)]
    found: list[Equilibrium] = []
    for label in range(len(kept_rows) + len(kept_columns)):
        pair = _lemke_howson(small[0], small[1], label)
        mixed = (_spread(pair[0], kept_rows, len(ours)), _spread(pair[1], kept_columns, len(ours[0])))
        each = Equilibrium(*mixed, _expected(rows, *mixed), _expected(columns, *mixed))
        if each not in found:
            found.append(each)
    if len(found) == 1:
        return _named(found[0], "the only one found")
    symmetric = len(ours) == len(ours[0]) and all(
        ours[i][j] == theirs[j][i] for i in range(len(ours)) for j in range(len(ours))
    )  # fmt: skip
    even = [each for each in found if each.rows == each.columns] if symmetric else []
    if even:
        return _named(even[0], f"the symmetric one of {len(found)} found")
    best = max(found, key=lambda each: each.row_value + each.column_value)
    return _named(best, f"of {len(found)} found the one with the largest sum of payoffs")


def _named(each: Equilibrium, name: str) -> Equilibrium:
    return Equilibrium(each.rows, each.columns, each.row_value, each.column_value, name)


def _whole(payoffs: Payoffs) -> list[list[int]]:
    if not payoffs or not payoffs[0] or any(len(row) != len(payoffs[0]) for row in payoffs):
        raise ValueError("a game has a payoff for each pair of at least one strategy each")
    scale = lcm(*(Fraction(value).denominator for row in payoffs for value in row))
    return [[int(value * scale) for value in row] for row in payoffs]


def _undominated(ours: list[list[int]], theirs: list[list[int]], *, strictly: bool) -> tuple[list[int], list[int]]:
    """The strategies left when dominated ones are taken away again and again; of equal ones the first stays."""
    rows, columns = list(range(len(ours))), list(range(len(ours[0])))
    changed = True
    while changed:
        changed = False
        for kept, view in (
            (rows, [[ours[i][j] for j in columns] for i in rows]),
            (columns, [[theirs[i][j] for i in rows] for j in columns]),
        ):
            gone = _dominated(view, strictly)
            if gone:
                changed = True
                kept[:] = [each for place, each in enumerate(kept) if place not in gone]
                break
    return rows, columns


def _dominated(view: list[list[int]], strictly: bool) -> set[int]:
    gone: set[int] = set()
    for place, row in enumerate(view):
        for other, against in enumerate(view):
            if other == place or other in gone:
                continue
            worse = all(map(lt if strictly else le, row, against)) and (strictly or row != against or other < place)
            if worse:
                gone.add(place)
                break
    return gone


def _lemke_howson(ours: list[list[int]], theirs: list[list[int]], dropped: int) -> tuple[list[Fraction], list[Fraction]]:
    """The equilibrium at the end of the path on which one label is dropped. Labels: rows, then columns."""
    count, other = len(ours), len(ours[0])
    shift = 1 - min(min(row) for table in (ours, theirs) for row in table)
    # In the first tableau the rows' weights are variables and the columns' labels are slacks; in the second the reverse.
    tableaux = (
        Tableau([[theirs[i][j] + shift for i in range(count)] for j in range(other)]),
        Tableau([[ours[i][j] + shift for j in range(other)] for i in range(count)]),
    )
    side = 0 if dropped < count else 1
    label = dropped
    while True:
        tableau = tableaux[side]
        # Columns of the first tableau are labels as they are; those of the second begin with the columns' labels.
        column = label if side == 0 else (label - count) % (count + other)
        number = tableau.leaving(column)
        assert number is not None  # all entries are 1 or more
        left = tableau.basic[number]
        tableau.pivot(number, column)
        label = left if side == 0 else (left + count) % (count + other)
        if label == dropped:
            break
        side = 1 - side
    weights = [tableaux[0].value(place) for place in range(count)], [tableaux[1].value(place) for place in range(other)]
    return [each / sum(weights[0]) for each in weights[0]], [each / sum(weights[1]) for each in weights[1]]


def _spread(weights: Sequence[Fraction], kept: Sequence[int], count: int) -> Mixed:
    full = [Fraction(0)] * count
    for place, weight in zip(kept, weights, strict=True):
        full[place] = weight
    return tuple(full)


def _expected(payoffs: Payoffs, rows: Mixed, columns: Mixed) -> Fraction:
    return sum(
        (ours * theirs * payoffs[i][j] for i, ours in enumerate(rows) if ours for j, theirs in enumerate(columns) if theirs),
        Fraction(0),
    )
