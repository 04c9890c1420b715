"""A tableau of whole numbers over one denominator, pivoted without rounding (Edmonds), with a lexicographic ratio test."""

from __future__ import annotations

from collections.abc import Sequence


class Tableau:
    """Constraints `matrix x + slack = 1` with x and slack 0 or more; all slack basic at first.

    Only the columns of variables that are not basic are kept (`outside` names them), and the right-hand side; those of basic ones
    are unit vectors. Variables are numbered, then the slacks. Where a ratio is tied the slacks' columns decide, so that no
    basis comes twice.
    """

    def __init__(self, matrix: Sequence[Sequence[int]]) -> None:
        self.variables = len(matrix[0])
        self.rows = [[*row, 1] for row in matrix]
        self.denominator = 1
        self.outside = list(range(self.variables))
        self.basic = [self.variables + number for number in range(len(matrix))]

    def leaving(self, place: int) -> int | None:
        """The row whose variable leaves when that of a place outside enters; None if nothing limits it."""
        best: int | None = None
        for number, row in enumerate(self.rows):
            if row[place] > 0:
                if best is None:
                    best = number
                    continue
                other = self.rows[best]
                difference = row[-1] * other[place] - other[-1] * row[place]
                if difference < 0 or (not difference and self._earlier(number, best, place)):
                    best = number
        return best

    def _earlier(self, number: int, other: int, place: int) -> bool:
        here, there = self.rows[number][place], self.rows[other][place]
        for slack in range(self.variables, self.variables + len(self.rows)):
            difference = self._entry(number, slack) * there - self._entry(other, slack) * here
            if difference:
                return difference < 0
        return False

    def _entry(self, number: int, variable: int) -> int:
        if variable in self.outside:
            return self.rows[number][self.outside.index(variable)]
        return self.denominator if self.basic[number] == variable else 0

    def pivot(self, number: int, place: int, *more: list[int]) -> None:
        """Lets the variable of a place outside enter in a row; `more` rows (an objective) are brought along."""
        pivot_row, before = self.rows[number], self.denominator
        pivot = pivot_row[place]
        for row in (*self.rows, *more):
            if row is pivot_row:
                continue
            factor = row[place]
            if factor:
                row[:] = [(value * pivot - factor * other) // before for value, other in zip(row, pivot_row, strict=True)]
                row[place] = -factor
            elif pivot != before:
                row[:] = [value * pivot // before for value in row]
        pivot_row[place] = before
        self.denominator = pivot
        self.basic[number], self.outside[place] = self.outside[place], self.basic[number]

    def weights(self, variables: range) -> list[int]:
        """The values of these variables now, over the denominator."""
        values = {variable: row[-1] for variable, row in zip(self.basic, self.rows, strict=True)}
        return [values.get(variable, 0) for variable in variables]
