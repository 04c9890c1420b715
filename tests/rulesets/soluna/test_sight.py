"""Sight lines: whole-number geometry against a slow twin that cuts each line at every edge."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest

from referee.engine import Grid
from referee.engine.space import place
from referee.rulesets.soluna.sight import blocked_lines, passes_inside

Point = tuple[Fraction, Fraction]


def slow_passes_inside(start: Point, end: Point, corner: tuple[int, int]) -> bool:
    """Cuts the line where it meets the lines of the edges; some middle of a piece lies inside, or none does."""
    cuts = {Fraction(0), Fraction(1)}
    for axis in (0, 1):
        length = end[axis] - start[axis]
        if length:
            cuts.update((Fraction(edge) - start[axis]) / length for edge in (corner[axis], corner[axis] + 1))
    inside = sorted(cut for cut in cuts if 0 <= cut <= 1)
    for first, last in pairwise(inside):
        middle = (first + last) / 2
        at = [start[axis] + middle * (end[axis] - start[axis]) for axis in (0, 1)]
        if all(corner[axis] < at[axis] < corner[axis] + 1 for axis in (0, 1)):
            return True
    return False


def slow_blocked(one: str, other: str, obstacles: tuple[str, ...]) -> int:
    blocked = 0
    for across, down in product((Fraction(1, 4), Fraction(3, 4)), repeat=2):
        start, end = ((place(cell)[0] + across, place(cell)[1] + down) for cell in (one, other))
        blocked += any(slow_passes_inside(start, end, place(cell)) for cell in obstacles)
    return blocked


@pytest.mark.parametrize("obstacles", [("d2", "d4"), (), ("b2", "b3", "c3"), ("a1", "e4", "c2", "d3")])
def test_lines_are_blocked_as_the_slow_twin_says(obstacles: tuple[str, ...]) -> None:
    free = [cell for cell in Grid(7, 5).cells if cell not in obstacles]
    lines = blocked_lines(7, 5, tuple(sorted(obstacles)))
    for one, other in product(free[::2], free[::3]):
        assert lines[one][other] == slow_blocked(one, other, obstacles), (one, other)


def test_sight_is_mutual() -> None:
    lines = blocked_lines(7, 5, ("b4", "d2", "d4"))
    assert all(lines[one][other] == lines[other][one] for one in lines for other in lines)


def test_edges_and_corners_are_outside() -> None:
    assert not passes_inside((0, 0), (8, 0), (4, 0))
    assert not passes_inside((0, 4), (4, 0), (4, 4))
    assert not passes_inside((0, 8), (8, 0), (4, 4))
    assert passes_inside((0, 7), (8, 0), (0, 0))
    assert not passes_inside((1, 1), (1, 1), (4, 0))
    assert passes_inside((5, 1), (5, 9), (4, 4))
