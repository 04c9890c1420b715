"""Equilibria: what nobody can better alone, on any game; and games whose answers are known."""

import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.dice.law import compare
from referee.dice.like import group_law
from referee.solvers import general_sum, zero_sum
from referee.solvers.paths import equilibria, exact_path

numbers = st.integers(-5, 5)
shapes = st.tuples(st.integers(1, 5), st.integers(1, 5))


def tables(shape):
    return st.lists(st.lists(numbers, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0])


def replies(rows, columns, found):
    """What each player gets by the best single strategy against the other's."""
    ours = max(sum(row[j] * weight for j, weight in enumerate(found.columns)) for row in rows)
    theirs = max(sum(columns[i][j] * weight for i, weight in enumerate(found.rows)) for j in range(len(columns[0])))
    return ours, theirs


def mixed(strategy):
    return sum(strategy) == 1 and all(isinstance(each, Fraction) and each >= 0 for each in strategy)


@settings(deadline=None)
@given(shapes.flatmap(tables))
def test_zero_sum_games_are_solved(matrix):
    found = zero_sum(matrix)
    assert mixed(found.rows)
    assert mixed(found.columns)
    assert found.row_value == -found.column_value
    assert replies(matrix, [[-value for value in row] for row in matrix], found) == (found.row_value, found.column_value)


@settings(deadline=None)
@given(shapes.flatmap(lambda shape: st.tuples(tables(shape), tables(shape))))
def test_general_games_have_no_better_reply(games):
    rows, columns = games
    found = general_sum(rows, columns)
    assert mixed(found.rows)
    assert mixed(found.columns)
    assert replies(rows, columns, found) == (found.row_value, found.column_value)
    assert found.name


def test_known_games():
    found = zero_sum([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert found.rows == found.columns == (Fraction(1, 3),) * 3
    assert zero_sum([[3, Fraction(1, 2)], [2, 1]]).row_value == 1
    assert zero_sum([[1, -1], [-2, 2]]).rows == (Fraction(2, 3), Fraction(1, 3))
    dilemma = general_sum([[-1, -3], [0, -2]], [[-1, 0], [-3, -2]])
    assert (dilemma.rows, dilemma.name) == ((0, 1), "the only one found")
    chicken = general_sum([[0, -1], [1, -10]], [[0, 1], [-1, -10]])
    assert sum(chicken.rows) == 1
    for wrong in ([], [[]], [[1], [1, 2]]):
        with pytest.raises(ValueError, match="a payoff for each pair"):
            zero_sum(wrong)


def contest(points, price=0):
    pools = [(dice, flips) for dice in range(points + 1) for flips in range((points - dice) // 2 + 1)]
    chances = {(a, b): compare(group_law(*a), group_law(*b)) for a in pools for b in pools}
    cost = {pool: price * (pool[0] + 2 * pool[1]) for pool in pools}
    return pools, [[chances[a, b][0] - chances[a, b][2] - cost[a] + cost[b] for b in pools] for a in pools]


def played(points, price=0):
    pools, matrix = contest(points, price)
    found = zero_sum(matrix)
    return {pool: weight for pool, weight in zip(pools, found.rows, strict=True) if weight}


def test_contests_of_mind_points():
    """The equilibria of a free contest are pure; a price makes them mix."""
    expected = {1: (1, 0), 2: (2, 0), 3: (3, 0), 4: (2, 1), 5: (3, 1), 6: (4, 1), 7: (5, 1), 8: (4, 2)}
    assert {points: list(played(points)) for points in expected} == {points: [pool] for points, pool in expected.items()}
    # Here several are in equilibrium: (1, 0) and (4, 1) are worth the same against one another.
    assert played(7, Fraction(1, 5)) == {(1, 0): Fraction(49, 130), (4, 1): Fraction(81, 130)}
    assert played(7, Fraction(1, 4)) == {(1, 0): Fraction(7, 16), (3, 1): Fraction(9, 16)}
    assert played(7, Fraction(1, 3)) == {(1, 0): 1}


def test_speed():
    _, matrix = contest(10)
    start = time.perf_counter()
    found = zero_sum(matrix)
    assert time.perf_counter() - start < 0.5
    assert found.row_value == 0


@settings(deadline=None)
@given(shapes.flatmap(lambda shape: st.tuples(tables(shape), tables(shape))))
def test_paths_lead_where_whole_numbers_lead(games):
    ours, theirs = ([[value + 6 for value in row] for row in table] for table in games)
    expected = []
    for label in range(len(ours) + len(ours[0])):
        pair = exact_path(ours, theirs, label)
        if pair not in expected:
            expected.append(pair)
    assert equilibria(ours, theirs) == expected
