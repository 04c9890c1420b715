"""Exact laws against brute force over equally likely cases."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.dice import Dice, Die, Law

weights = st.dictionaries(st.integers(-5, 5), st.integers(0, 9), min_size=1).filter(lambda each: any(each.values()))


def cases(weights: dict[int, int]) -> list[int]:
    """Every outcome as often as it weighs."""
    return [outcome for outcome, weight in weights.items() for _ in range(weight)]


def chances(cases: list) -> dict:
    return {outcome: Fraction(count, len(cases)) for outcome, count in Counter(cases).items()}


def exact(law: Law) -> dict:
    return {outcome: law.chance(outcome) for outcome in law}


@given(weights)
def test_chances_are_exact(weights):
    law = Law(weights)
    assert exact(law) == chances(cases(weights))
    assert sum(exact(law).values()) == 1
    assert law == Law.uniform(cases(weights))
    assert hash(law) == hash(Law.uniform(cases(weights)))
    assert law.mean() == Fraction(sum(cases(weights)), len(cases(weights)))
    assert law.chance(lambda outcome: outcome > 0) == Fraction(sum(each > 0 for each in cases(weights)), len(cases(weights)))
    assert all(isinstance(weight, int) and weight > 0 for _, weight in law.items())
    assert law.total == sum(weight for _, weight in law.items())


@given(weights)
def test_mapping(weights):
    assert exact(Law(weights).map(abs)) == chances([abs(each) for each in cases(weights)])


@given(weights)
def test_conditioning(weights):
    kept = [each for each in cases(weights) if each % 2]
    if kept:
        assert exact(Law(weights).given(lambda each: bool(each % 2))) == chances(kept)
    else:
        with pytest.raises(ValueError, match="needs an outcome"):
            Law(weights).given(lambda each: bool(each % 2))


@given(weights, st.lists(weights, min_size=2, max_size=3))
def test_what_follows(first, follows):
    law = Law(first).then(lambda outcome: Law(follows[outcome % len(follows)]))
    expected: dict[int, Fraction] = {}
    for outcome, chance in chances(cases(first)).items():
        for inner, more in chances(cases(follows[outcome % len(follows)])).items():
            expected[inner] = expected.get(inner, Fraction(0)) + chance * more
    assert exact(law) == expected


def test_large_weights_stay_exact():
    law = Law({0: 10**40, 1: 1})
    assert law.chance(1) == Fraction(1, 10**40 + 1)
    for _ in range(3):
        law = law.then(lambda outcome: Law({outcome: 10**30 - 1, 2: 1}))
    assert law.chance(2) == 1 - (1 - Fraction(1, 10**30)) ** 3


def test_scales_do_not_count():
    assert Law({"x": 2, "y": 4}) == Law([("x", 1), ("y", 1), ("y", 1)])
    assert Law({"x": 1, "y": 0}) == Law.certain("x")
    assert Law({"x": 1}) != Law({"y": 1})
    assert Law({"x": 1}) != {"x": 1}
    assert len(Law({"x": 1, "y": 2})) == 2
    assert repr(Law({"x": 2})) == "Law({'x': 1})"


def test_no_law():
    for weights in ({}, {"x": 0}):
        with pytest.raises(ValueError, match="needs an outcome with a weight above 0"):
            Law(weights)
    with pytest.raises(ValueError, match="the weight of 'x' is -1"):
        Law({"x": -1, "y": 2})


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("sides", [2, 4, 6])
def test_sums_of_dice_by_counting(count, sides):
    thrown = [sum(each) for each in product(range(1, sides + 1), repeat=count)]
    assert exact(Dice(count, sides).law().map(sum)) == chances(thrown)
    chained = Law.certain(0)
    for _ in range(count):
        chained = chained.then(lambda so_far: Die(sides).law().map(lambda each: so_far + each))
    assert chained == Law.uniform(thrown)
