"""Sight lines, by whole numbers: how many of the four lines between two squares pass through an obstacle (SOL-ATK-5)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

from ...engine import Grid
from ...engine.space import place

QUARTERS = (1, 3)
"""Where the quarter points lie on a square that is four wide: a quarter from the centre both ways."""


@cache
def blocked_lines(columns: int, rows: int, obstacles: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """For each two squares of a board: how many of the four lines between like quarter points are blocked."""
    cells = Grid(columns, rows).cells
    corners = [(4 * x, 4 * y) for x, y in map(place, obstacles)]
    blocked: dict[str, dict[str, int]] = {cell: {} for cell in cells}
    for number, one in enumerate(cells):
        x, y = place(one)
        for other in cells[number:]:
            u, v = place(other)
            near = [
                corner
                for corner in corners
                if min(x, u) * 4 <= corner[0] <= max(x, u) * 4 and min(y, v) * 4 <= corner[1] <= max(y, v) * 4
            ]
            count = _blocked((4 * x, 4 * y), (4 * u, 4 * v), near) if near else 0
            blocked[one][other] = blocked[other][one] = count
    return blocked


def _blocked(one: tuple[int, int], other: tuple[int, int], obstacles: Iterable[tuple[int, int]]) -> int:
    return sum(
        any(passes_inside((one[0] + across, one[1] + down), (other[0] + across, other[1] + down), corner) for corner in obstacles)
        for across, down in product(QUARTERS, QUARTERS)
    )


def passes_inside(start: tuple[int, int], end: tuple[int, int], corner: tuple[int, int], width: int = 4) -> bool:
    """Whether a line passes through the inside of a square, given by its least corner; an edge or a corner is outside.

    The line is start + t (end - start) for t from 0 to 1. Each axis leaves an open interval of t, here times the common
    denominator; the line passes inside if they meet.
    """
    lengths = tuple(b - a for a, b in zip(start, end, strict=True))
    scale = (abs(lengths[0]) or 1) * (abs(lengths[1]) or 1)
    first, last = 0, scale
    for axis, length in enumerate(lengths):
        enter, leave = corner[axis] - start[axis], corner[axis] + width - start[axis]
        if length == 0:
            if not enter < 0 < leave:
                return False
            continue
        if length < 0:
            enter, leave, length = -leave, -enter, -length
        share = scale // length
        first, last = max(first, enter * share), min(last, leave * share)
    return first < last
