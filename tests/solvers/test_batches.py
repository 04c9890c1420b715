"""Many games at once against the exact solver, one at a time."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from referee.solvers import batches, zero_sum
from referee.solvers.batches import values


def exact(game):
    return float(zero_sum([[Fraction(float(value)) for value in row] for row in game]).row_value)


shapes = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 5))


@settings(deadline=None)
@given(shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=st.integers(-4, 4).map(float))))
def test_games_with_many_ties(games):
    assert values(games) == pytest.approx([exact(game) for game in games.transpose(2, 0, 1)], abs=1e-11)


def test_games_of_any_size_and_more_than_one_batch(monkeypatch):
    monkeypatch.setattr(batches, "BATCH", 16)
    random = np.random.default_rng(5)
    for rows, columns in ((6, 6), (7, 4)):
        games = random.random((rows, columns, 50)) ** 4
        assert values(games) == pytest.approx([exact(game) for game in games.transpose(2, 0, 1)], abs=1e-12)


def test_what_does_not_end_in_time_is_solved_exactly(monkeypatch):
    monkeypatch.setattr(batches, "MOST_PIVOTS", 1)
    games = np.random.default_rng(6).random((4, 4, 10))
    assert values(games) == pytest.approx([exact(game) for game in games.transpose(2, 0, 1)], abs=1e-9)
