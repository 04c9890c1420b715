"""Exact laws against brute force over equally likely cases."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.dice import Dice, Die, Law
from referee.dice.law import Cut, Exploding, compare, highest, lowest, sum_of

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


@given(weights, weights)
def test_combining_and_comparing(first, second):
    one, other = Law(first), Law(second)
    pairs = [(ours, theirs) for ours in cases(first) for theirs in cases(second)]
    assert exact(one.combine(other, lambda ours, theirs: ours - 2 * theirs)) == chances([a - 2 * b for a, b in pairs])
    signs = chances([(a > b) - (a < b) for a, b in pairs])
    assert compare(one, other) == tuple(signs.get(sign, 0) for sign in (1, 0, -1))
    assert sum(compare(one, other)) == 1


small = st.dictionaries(st.integers(-2, 4), st.integers(1, 3), min_size=1, max_size=3)


@given(small, st.integers(0, 4), st.integers(0, 5))
def test_highest_and_lowest_of_many(weights, count, keep):
    thrown = list(product(cases(weights), repeat=count))
    assert exact(highest(Law(weights), count, keep)) == chances([sum(sorted(each, reverse=True)[:keep]) for each in thrown])
    assert exact(lowest(Law(weights), count, keep)) == chances([sum(sorted(each)[:keep]) for each in thrown])
    assert sum_of(Law(weights), count) == highest(Law(weights), count, count)


@given(weights, st.integers(0, 3))
def test_rerolling(weights, times):
    law = Law(weights)
    assert law.rerolled(lambda each: bool(each % 2), times).chance(1) == chance_after(law, times)
    if any(not each % 2 for each in law):
        assert law.rerolled(lambda each: bool(each % 2)) == law.given(lambda each: not each % 2)


def chance_after(law, times):
    """Of a 1 after so many rerolls of odd numbers: all before were odd."""
    return law.chance(lambda each: bool(each % 2)) ** times * law.chance(1)


def test_exploding_without_a_limit():
    ten = Exploding(Die(10).law(), lambda each: each == 10)
    assert ten.mean() == Fraction(55, 9)
    assert ten.at_least(1) == 1
    assert ten.at_least(10) == ten.at_least(11) == Fraction(1, 10)
    assert ten.at_least(35) == Fraction(1, 10) ** 3 * Fraction(6, 10)
    law = ten.law(40)
    assert law.chance(10) == 0
    assert law.chance(27) == Fraction(1, 1000)
    assert law.missing == ten.at_least(41) == Fraction(1, 10) ** 4 * 1
    assert sum((law.chance(each) for each, _ in law.items()), law.missing) == 1


@given(st.dictionaries(st.integers(-2, 3), st.integers(1, 3), min_size=2, max_size=4), st.integers(1, 3))
def test_exploding_is_the_limit_of_depths(weights, when):
    law = Law(weights)
    if set(law) <= {when}:
        return
    total = {0: Fraction(1)}
    ended: Counter = Counter()
    for _ in range(12):
        after: Counter = Counter()
        for so_far, mass in total.items():
            for value in law:
                (after if value == when else ended)[so_far + value] += mass * law.chance(value)
        total = after
    left = sum(total.values())
    exploding = Exploding(law, lambda each: each == when)
    for number in range(-3, 8):
        sure = sum(mass for value, mass in ended.items() if value >= number)
        assert sure <= exploding.at_least(number) <= sure + left


def test_exploding_nonsense():
    with pytest.raises(ValueError, match="explodes is 1 or more"):
        Exploding(Die(6).law(), lambda each: True)
    with pytest.raises(ValueError, match="explodes is 1 or more"):
        Exploding(Law({0: 1, 1: 1}), lambda each: each == 0)


def test_a_law_that_is_cut_off():
    cut = Cut({1: 2, 2: 0, 3: 1}, 6)
    assert (len(cut), cut.missing, cut.chance(1)) == (2, Fraction(1, 2), Fraction(1, 3))
    assert cut.chance(lambda each: each > 0) == Fraction(1, 2)
    assert cut.map(lambda each: 0).chance(0) == Fraction(1, 2)
    for weights, total in (({1: 7}, 6), ({1: -1}, 6), ({}, 0)):
        with pytest.raises(ValueError, match="come to its total"):
            Cut(weights, total)


def test_icepool_and_dyce_agree():
    icepool = pytest.importorskip("icepool")
    dyce = pytest.importorskip("dyce")
    for count, sides, keep in ((5, 6, 3), (10, 10, 5)):
        ours = highest(Die(sides).law(), count, keep)
        theirs = icepool.d(sides).highest(count, keep)
        assert all(ours.chance(total) == theirs.probability(total) for total in ours)
    pool = 5 @ dyce.H(6)
    assert all(sum_of(Die(6).law(), 5).chance(total) == Fraction(weight, pool.total) for total, weight in pool.items())
