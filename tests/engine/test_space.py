"""Grids and range bands against slow and plain geometry."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine import DIRECTIONS, Bands, Grid
from referee.engine.space import cell, place

GRID = Grid(7, 5)
cells = st.sampled_from(GRID.cells)


def test_squares_have_names():
    assert (cell(0, 0), cell(2, 9), place("c10"), place("z99")) == ("a1", "c10", (2, 9), (25, 98))
    assert GRID.cells[:3] == ("a1", "b1", "c1")
    assert len(GRID.cells) == 35
    assert "g5" in GRID
    assert "h1" not in GRID
    for wrong in ("", "a0", "A1", "a", "1a", "aa1", "a100", "a01", "a1 "):
        with pytest.raises(ValueError, match="is no square"):
            place(wrong)


@pytest.mark.parametrize("size", [(0, 1), (27, 1), (1, 0), (1, 100), (-1, 5)])
def test_the_size_of_a_grid(size):
    with pytest.raises(ValueError, match="1 to 26 columns and 1 to 99 rows"):
        Grid(*size)


def test_neighbours_go_clockwise_from_the_north():
    assert GRID.neighbours("b2") == ("b1", "c1", "c2", "c3", "b3", "a3", "a2", "a1")
    assert GRID.neighbours("a1") == ("b1", "b2", "a2")
    assert [GRID.neighbour("a1", each) for each in DIRECTIONS] == [None, None, "b1", "b2", "a2", None, None, None]


def test_distances_are_king_moves_by_walking():
    for start in GRID.cells:
        reached, edge, steps = {start}, {start}, 0
        while edge:
            for each in edge:
                assert GRID.distance(start, each) == steps
            edge = {near for each in edge for near in GRID.neighbours(each)} - reached
            reached |= edge
            steps += 1
        assert len(reached) == 35


@given(cells, cells)
def test_straight_away_goes_to_the_neighbour_nearest_the_line(source, target):
    got = GRID.straight_away(source, target)
    (x, y), (u, v) = place(source), place(target)
    if source == target:
        assert got is None
        return
    # The slow twin: where the line of centres leaves the ring of neighbours; exact halves go away from the axis.
    across, down = u - x, v - y
    scale = max(abs(across), abs(down))

    def rounded(value: int) -> int:
        part = Fraction(value, scale)
        return int(math.copysign(math.floor(abs(part) + Fraction(1, 2)), part))

    column, row = u + rounded(across), v + rounded(down)
    assert got == (cell(column, row) if 0 <= column < 7 and 0 <= row < 5 else None)


@pytest.mark.parametrize(
    ("source", "target", "away"),
    [
        ("b2", "c2", "d2"), ("b2", "c3", "d4"), ("a1", "c2", "d3"), ("a1", "d2", "e2"), ("c3", "b3", "a3"), ("d4", "c2", "b1"),
        ("b2", "b1", None), ("c3", "g5", None), ("b2", "b2", None), ("a1", "b3", "c4"),
    ],
)  # fmt: skip
def test_straight_away_by_hand(source, target, away):
    assert GRID.straight_away(source, target) == away


@given(cells, st.sampled_from(DIRECTIONS), cells)
def test_sides_by_the_angle(here, facing, other):
    (x, y), (u, v) = place(here), place(other)
    side = GRID.side_of(here, facing, other)
    if here == other:
        assert side == "here"
        return
    faced = 45 * DIRECTIONS.index(facing)
    angle = math.degrees(math.atan2(u - x, y - v))
    turn = abs((angle - faced + 180) % 360 - 180)
    assert side == ("front" if turn < 45.001 else "rear" if turn > 134.999 else "flank")


def test_front_flank_and_rear_of_the_squares_around():
    around = [GRID.side_of("c3", "north", GRID.neighbour("c3", each)) for each in DIRECTIONS]
    assert around == ["front", "front", "flank", "rear", "rear", "rear", "flank", "front"]
    turned = [GRID.side_of("c3", "southeast", GRID.neighbour("c3", each)) for each in DIRECTIONS]
    assert turned == ["rear", "flank", "front", "front", "front", "flank", "rear", "rear"]


@given(cells, st.sampled_from(DIRECTIONS), cells)
def test_who_turns_about_has_front_and_rear_swapped(here, facing, other):
    about = DIRECTIONS[(DIRECTIONS.index(facing) + 4) % 8]
    swap = {"front": "rear", "rear": "front", "flank": "flank", "here": "here"}
    assert GRID.side_of(here, about, other) == swap[GRID.side_of(here, facing, other)]


def test_bands():
    bands = Bands(4)
    assert [bands.distance(1, each) for each in (1, 0, 3, 5, 9, -9)] == [0, 1, 2, 4, 4, 4]
    assert [bands.moved(2, 5, each) for each in (0, 1, 3, 9, -1, -9)] == [2, 3, 5, 5, 1, -7]
    assert [bands.moved(5, 2, each) for each in (0, 1, 3, 9, -1, -3)] == [5, 4, 2, 2, 6, 8]
    assert bands.moved(3, 3, 2) == 3


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(0, 9))
def test_moving_closes_and_opens_the_distance_by_so_many_bands(here, there, bands):
    line = Bands(99)
    before = line.distance(here, there)
    assert line.distance(line.moved(here, there, bands), there) == max(0, before - bands)
    if bands:
        assert line.distance(line.moved(here, there, -bands), there) == before + bands
