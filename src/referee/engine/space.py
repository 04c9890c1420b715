"""Space: a grid of squares with neighbours, distances and facing, and range bands in a row. Pure geometry.

Squares are named by column letter and row number: "a1", "c3"; row numbers grow to the south.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

Cell = str

DIRECTIONS: Final = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_STEPS: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


def cell(column: int, row: int) -> Cell:
    """The name of the square in a column and row, both counted from 0."""
    return f"{chr(97 + column)}{row + 1}"


def place(name: Cell) -> tuple[int, int]:
    """Column and row of a square, counted from 0. ValueError if it is no name of a square."""
    found = re.fullmatch(r"([a-z])([1-9]\d?)", name)
    if not found:
        raise ValueError(f"{name!r} is no square: squares are named by a column letter and a row number, as in 'c3'")
    return ord(found[1]) - 97, int(found[2]) - 1


@dataclass(frozen=True)
class Grid:
    """A board of `columns` by `rows` squares with eight neighbours each; distances are king's moves."""

    columns: int
    rows: int

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= 26 and 1 <= self.rows <= 99):
            raise ValueError(f"a grid has 1 to 26 columns and 1 to 99 rows, not {self.columns} by {self.rows}")

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All squares, row by row."""
        return tuple(cell(column, row) for row in range(self.rows) for column in range(self.columns))

    def __contains__(self, name: Cell) -> bool:
        return name in self._around

    @cached_property
    def _around(self) -> dict[Cell, tuple[Cell | None, ...]]:
        return {name: tuple(self._at(name, step) for step in _STEPS) for name in self.cells}

    @cached_property
    def _neighbours(self) -> dict[Cell, tuple[Cell, ...]]:
        return {name: tuple(each for each in around if each) for name, around in self._around.items()}

    @cached_property
    def _distances(self) -> dict[tuple[Cell, Cell], int]:
        places = [(name, *place(name)) for name in self.cells]
        return {(a, b): max(abs(x - u), abs(y - v)) for a, x, y in places for b, u, v in places}

    def _at(self, name: Cell, step: tuple[int, int]) -> Cell | None:
        column, row = place(name)
        column, row = column + step[0], row + step[1]
        return cell(column, row) if 0 <= column < self.columns and 0 <= row < self.rows else None

    def neighbours(self, name: Cell) -> tuple[Cell, ...]:
        """The squares beside a square, diagonals too, clockwise from the north."""
        return self._neighbours[name]

    def neighbour(self, name: Cell, direction: str) -> Cell | None:
        """The square beside it in a direction, or None at the edge."""
        return self._around[name][DIRECTIONS.index(direction)]

    def distance(self, one: Cell, other: Cell) -> int:
        """King's moves between two squares."""
        return self._distances[one, other]

    def straight_away(self, source: Cell, target: Cell) -> Cell | None:
        """The square to which something on `target` goes one square straight away from `source`.

        Straight is along the line of centres, to the neighbour nearest to it; exact halves go diagonally. None at the edge.
        """
        x, y = place(source)
        u, v = place(target)
        across, down = u - x, v - y
        if across == down == 0:
            return None
        width, height = abs(across), abs(down)
        step = (
            0 if 2 * width < height else (across > 0) - (across < 0),
            0 if 2 * height < width else (down > 0) - (down < 0),
        )
        return self._at(target, step)

    def side_of(self, name: Cell, facing: str, other: Cell) -> str:
        """Where another square lies to somebody who faces a direction: "front", "flank" or "rear"; "here" on the spot.

        The front is the faced direction and the two beside it, the rear the opposite one and the two beside it.
        """
        x, y = place(name)
        u, v = place(other)
        if (x, y) == (u, v):
            return "here"
        across, down = _STEPS[DIRECTIONS.index(facing)]
        along = (u - x) * across + (v - y) * down
        aside = abs((u - x) * down - (v - y) * across)
        if along >= aside:
            return "front"
        return "rear" if -along >= aside else "flank"


@dataclass(frozen=True)
class Bands:
    """Positions in a row; the distance of two is a number of range bands, from 0 to `most`."""

    most: int

    def distance(self, one: int, other: int) -> int:
        """How many range bands lie between two positions."""
        return min(self.most, abs(one - other))

    def moved(self, here: int, towards: int, bands: int) -> int:
        """Where somebody stands after moving so many bands towards a position; away from it if `bands` is negative."""
        if bands >= 0:
            return towards if abs(towards - here) <= bands else here + (bands if towards > here else -bands)
        return here + bands if towards > here else here - bands
