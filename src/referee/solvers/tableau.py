"""A tableau of whole numbers over one denominator, pivoted without rounding (Edmonds), with a lexicographic ratio test."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


class Tableau:
    """Constraints `matrix x + slack = 1` with x and slack 0 or more; all slack basic at first.

    Columns: the variables, the slacks, the right-hand side. The ratio test compares whole rows, so that no basis comes twice.
    """

    def __init__(self, matrix: Sequence[Sequence[int]]) -> None:
        self.count = len(matrix)
        self.variables = len(matrix[0])
        self.rows = [[*row, *(int(place == number) for place in range(self.count)), 1] for number, row in enumerate(matrix)]
        self.denominator = 1
        self.basic = [self.variables + number for number in range(self.count)]

    def leaving(self, column: int) -> int | None:
        """The row whose variable leaves when that of a column enters; None if nothing limits it."""
        best: int | None = None
        for number, row in enumerate(self.rows):
            if row[column] > 0 and (best is None or self._earlier(row, self.rows[best], column)):
                best = number
        return best

    def _earlier(self, row: list[int], other: list[int], column: int) -> bool:
        for place in (-1, *range(self.variables, self.variables + self.count)):
            difference: int = row[place] * other[column] - other[place] * row[column]
            if difference:
                return difference < 0
        return False

    def pivot(self, number: int, column: int, *more: list[int]) -> None:
        """Lets the variable of a column enter in a row; `more` rows (an objective) are brought along."""
        pivot_row = self.rows[number]
        pivot = pivot_row[column]
        for row in (*self.rows, *more):
            if row is not pivot_row:
                factor = row[column]
                row[:] = [
                    (value * pivot - factor * other) // self.denominator for value, other in zip(row, pivot_row, strict=True)
                ]
        self.denominator = pivot
        self.basic[number] = column

    def value(self, column: int) -> Fraction:
        """The value of a variable now."""
        if column not in self.basic:
            return Fraction(0)
        return Fraction(self.rows[self.basic.index(column)][-1], self.denominator)
