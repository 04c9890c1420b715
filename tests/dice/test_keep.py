"""Roll and keep: check values as fractions, slow twins, and what must hold for all pools."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.dice.followups import FollowUps
from referee.dice.goals import Goal, TooMuchWork
from referee.dice.hindsight import hindsight
from referee.dice.joint import joint
from referee.dice.keep import Keep, Throw
from referee.dice.reroll import Reroll
from referee.dice.symbols import SymbolDie, face
from tests.dice.rolling import RING, SKILL, Slow

DICE = (SymbolDie(*(letters or "-" for letters in RING)), SymbolDie(*(letters or "-" for letters in SKILL)))
NEAR = 3e-7  # what the slow way leaves out by its depth


def throw(ring, skill, most=None):
    return Throw(DICE, (ring, skill), most or max(1, ring))


def chance(ring, skill, *goal, most=None, **how):
    return Keep(throw(ring, skill, most), Goal.reach(*goal), **how).chance()


@pytest.mark.parametrize(
    ("pool", "goal", "expected"),
    [
        ((3, 3), (3,), Fraction(131513, 165888)),
        ((3, 3), (3, 1), Fraction(87665737, 167961600)),
        ((2, 2), (2, 0, 0), Fraction(277, 972)),
        ((1, 1), (1, 0, 0), Fraction(4, 9)),
        ((2, 2), (3, 1, 1), Fraction(26536159, 496793088)),
        ((0, 0), (0,), 1),
        ((0, 0), (1,), 0),
        ((2, 1), (0,), 1),
    ],
)
def test_known_chances(pool, goal, expected):
    assert chance(*pool, *goal) == expected


def test_known_chances_of_follow_ups_together():
    assert float(chance(2, 2, 3, 1, 1, follow_ups="together")) == pytest.approx(0.0534532, abs=5e-8)
    assert float(chance(3, 1, 4, 0, 3)) == pytest.approx(0.151909, abs=5e-7)
    assert float(chance(3, 1, 4, 0, 3, follow_ups="together")) == pytest.approx(0.152038, abs=5e-7)


# The table of the rules: by ring and skill, for TN 1 to 4, hindsight and the order of the rules.
PUBLISHED = """
1 0  50.00 50.00   8.33  8.33   1.39  1.39   0.23  0.23
1 1  79.17 79.17  17.25 16.67   2.99  2.78   0.50  0.46
1 2  91.32 91.32  25.29 23.61   4.56  3.94   0.77  0.66
1 3  96.38 96.38  32.55 29.40   6.11  4.90   1.04  0.82
2 0  75.00 75.00  33.33 33.33   9.03  9.03   2.08  2.08
2 1  89.58 89.58  60.07 60.07  19.22 19.17   5.02  4.92
2 2  95.66 95.66  78.30 78.30  28.62 28.47   8.37  8.00
2 3  98.19 98.19  88.85 88.85  36.62 36.27  11.90 11.06
3 0  87.50 87.50  56.25 56.25  25.00 25.00   8.22  8.22
3 1  94.79 94.79  75.69 75.69  46.47 46.47  18.07 18.07
3 2  97.83 97.83  87.34 87.34  65.46 65.46  28.47 28.46
3 3  99.10 99.10  93.67 93.67  79.28 79.28  37.78 37.74
"""


@pytest.mark.parametrize("row", PUBLISHED.strip().splitlines())
def test_the_published_table(row):
    ring, skill, *printed = row.split()
    for tn, (other, ours) in enumerate(zip(printed[::2], printed[1::2], strict=True), 1):
        assert f"{float(hindsight(throw(int(ring), int(skill)), tn)) * 100:.2f}" == other
        assert f"{float(chance(int(ring), int(skill), tn)) * 100:.2f}" == ours


def test_published_rows_with_opportunity_and_compromised():
    both = {(1, 1): (68.45, 68.38), (1, 2): (15.76, 15.00), (2, 1): (29.99, 25.99), (2, 2): (4.55, 4.11), (3, 2): (1.09, 0.99)}
    for goal, (other, ours) in both.items():
        assert round(float(hindsight(throw(2, 1), *goal)) * 100, 2) == other
        assert round(float(chance(2, 1, *goal)) * 100, 2) == ours
    for tn, expected in enumerate((53.70, 13.97, 1.01, 0.08), 1):
        assert round(float(hindsight(throw(2, 1), tn, barred=True)) * 100, 2) == expected
        assert round(float(chance(2, 1, tn, barred=True)) * 100, 2) == expected
    # These are printed too low; the higher figures are those of all rolls.
    rows = [round(float(hindsight(throw(1, skill), 1, 1, barred=True)) * 100, 2) for skill in (2, 3, 4, 5)]
    assert rows == [21.44, 30.36, 38.28, 45.29]


pools = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 3))
goals = st.tuples(st.integers(0, 3), st.integers(0, 2), st.none() | st.integers(0, 2))


@settings(max_examples=25, deadline=None)
@given(pools, goals, st.booleans())
def test_best_keeps_are_those_of_all_rolls(pool, goal, barred):
    tn, few, most = goal
    slow = Slow(lambda s, o, t: s >= tn and o >= few and (most is None or t <= most), (tn, few, (most or 0) + 1), barred)
    assert float(chance(*pool[:2], *goal, most=pool[2], barred=barred)) == pytest.approx(slow.value(*pool), abs=NEAR)


worths = st.lists(st.integers(-4, 4), min_size=12, max_size=12)


@settings(max_examples=15, deadline=None)
@given(pools, worths, st.booleans())
def test_any_goal_is_met_as_well_as_can_be(pool, worth, barred):
    goal = Goal.of((2, 1, 1), lambda s, o, t: worth[(s * 2 + o) * 2 + t])
    slow = Slow(lambda s, o, t: worth[(s * 2 + o) * 2 + t], (2, 1, 1), barred)
    ours = Keep(throw(*pool), goal, barred=barred).chance()
    assert float(ours) == pytest.approx(slow.value(*pool), abs=8 * NEAR)


@settings(max_examples=12, deadline=None)
@given(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(1, 3)), goals, worths, st.booleans())
def test_follow_ups_together(pool, goal, worth, odd):
    tn, few, most = goal
    limits = (tn, few, (most or 0) + 1)
    worth_of = lambda s, o, t: s >= tn and o >= few and (most is None or t <= most)  # noqa: E731
    asked = Goal.reach(*goal)
    if odd:
        limits, worth_of = (2, 1, 1), lambda s, o, t: worth[(s * 2 + o) * 2 + t]
        asked = Goal.of(limits, worth_of)
    slow = Slow(worth_of, limits, together=True, depth=8)
    ours = Keep(throw(*pool), asked, follow_ups="together").chance()
    assert float(ours) == pytest.approx(slow.value(*pool), abs=20 * NEAR)


@settings(max_examples=12, deadline=None)
@given(pools.filter(lambda pool: pool[0] + pool[1] < 4), goals, st.booleans(), st.booleans())
def test_rerolls(pool, goal, barred, adversity):
    tn, few, most = goal
    slow = Slow(lambda s, o, t: s >= tn and o >= few and (most is None or t <= most), (tn, few, (most or 0) + 1), barred)
    keep = Keep(throw(*pool), Goal.reach(*goal), barred=barred, split=adversity)
    reroll = Reroll(keep, "successes" if adversity else "up_to")
    assert sum(reroll.weights) == reroll.total
    assert float(reroll.chance()) == pytest.approx(slow.rerolled(*pool, adversity), abs=NEAR)
    if not adversity:
        assert reroll.chance() >= keep.chance() - Fraction(1, 10**12)


def test_a_known_reroll():
    assert float(Reroll(Keep(throw(3, 3), Goal.reach(3))).chance()) == pytest.approx(0.9343547638, abs=5e-11)


@settings(max_examples=20, deadline=None)
@given(pools, goals, st.booleans(), st.sampled_from(["single", "together"]))
def test_joint_laws_sum_to_one_and_hold_the_chance(pool, goal, barred, follow_ups):
    keep = Keep(throw(*pool), Goal.reach(*goal), whole=True, barred=barred, follow_ups=follow_ups)
    assert sum(keep.weights) == keep.total
    law = joint(keep, extra=8)
    assert sum(weight for _, weight in law.items()) <= law.total
    tn, few, most = goal
    listed = law.chance(lambda each: each[0] >= tn and each[1] >= few and (most is None or each[2] <= most))
    assert 0 <= keep.chance() - listed <= law.missing < Fraction(1, 10**4)
    # Telling more symbols apart changes no chance.
    assert keep.chance() == chance(*pool[:2], *goal, most=pool[2], barred=barred, follow_ups=follow_ups)
    if barred:
        assert not law.chance(lambda each: each[2] > 0)


def test_a_joint_law_by_hand():
    # One ring die, all kept: a chain of n ET and then a blank, or of one less and then ST; or of n and then O.
    law = joint(Keep(throw(1, 0), Goal.reach(1), whole=True), extra=3)
    for number in range(4):
        shorter = Fraction(1, 6) ** number if number else 0
        assert law.chance((number, 0, number)) == Fraction(1, 6) ** (number + 1) + shorter
        assert law.chance((number, 1, number)) == Fraction(1, 6) ** (number + 1)
    assert law.missing == 1 - sum((law.chance(outcome) for outcome, _ in law.items()), Fraction(0))


def test_joint_law_after_a_reroll():
    keep = Keep(throw(2, 1), Goal.reach(2, 1), whole=True)
    reroll = Reroll(keep)
    law = reroll.joint(extra=10)
    listed = law.chance(lambda each: each[0] >= 2 and each[1] >= 1)
    assert 0 <= reroll.chance() - listed <= law.missing < Fraction(1, 10**6)


@settings(max_examples=25, deadline=None)
@given(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 3)), goals)
def test_more_never_hurts(pool, goal):
    ring, skill, most = pool
    tn, few, strife = goal
    here = chance(ring, skill, *goal, most=most)
    assert 0 <= here <= 1
    assert chance(ring + 1, skill, *goal, most=most) >= here
    assert chance(ring, skill + 1, *goal, most=most) >= here
    assert chance(ring, skill, *goal, most=most + 1) >= here
    assert chance(ring, skill, tn + 1, few, strife, most=most) <= here
    if strife is not None:
        assert chance(ring, skill, tn, few, strife + 1, most=most) >= here
        assert chance(ring, skill, tn, few, None, most=most) >= here
    else:
        assert hindsight(throw(ring, skill, most), tn, few) >= here


def test_advice_for_a_roll():
    keep = Keep(throw(2, 1), Goal.reach(2, 0, 0))
    kept, worth = keep.best_of([face("ST"), face("S")], [face("E")])
    assert kept.symbols == (2, 0, 0)
    assert worth == 1
    reroll = Reroll(Keep(throw(2, 2), Goal.reach(2)))
    ring, skill, after, before = reroll.advice([face("S"), face("-")], [face("-"), face("S")])
    assert (ring, skill, after, before) == ([], [], 1.0, 1.0)
    ring, skill, after, before = reroll.advice([face("-"), face("S")], [face("-"), face("-")])
    assert (ring, skill, before) == ([], [face("-"), face("-")], 0.0)
    assert after == pytest.approx(1 - (5 / 12) ** 2, abs=1e-12)


@pytest.mark.parametrize(
    ("ring", "most", "expected"),
    [("S S", 2, (2, 0, 0)), ("S O", 2, (1, 1, 0)), ("S ST", 1, (1, 0, 0)), ("ST O", 1, (1, 0, 1)), ("OT -", 2, (0, 1, 1))],
)
def test_of_equally_good_keeps_the_one_with_more_successes_is_taken(ring, most, expected):
    """Then more opportunities, then less strife."""
    faces = [face(each) for each in ring.split()]
    assert Keep(throw(2, 0, most), Goal.reach(1), whole=True).best_of(faces, [])[0].symbols == expected


def test_the_value_of_a_follow_up():
    goal = Goal.reach(2, 0, 0)
    follow = FollowUps(goal, DICE, (1, 1), 1, False)
    assert follow.worth((0, 0), (1, 0, 0)) == 0
    # A skill die: S, SO or E.
    assert follow.worth((0, 1), (1, 0, 0)) == Fraction(4, 12)


def test_nonsense_and_too_much():
    with pytest.raises(ValueError, match="0 or more"):
        chance(-1, 2, 1)
    with pytest.raises(ValueError, match="at least one die is kept"):
        Keep(Throw(DICE, (1, 1), 0), Goal.reach(1))
    with pytest.raises(ValueError, match="0 or more"):
        Goal.reach(-1)
    with pytest.raises(TooMuchWork, match="dice"):
        chance(40, 1, 1)
    with pytest.raises(TooMuchWork, match="too many"):
        chance(12, 12, 3, 1, 2)
    with pytest.raises(TooMuchWork, match="too far off"):
        chance(3, 3, 500_000)
    with pytest.raises(TooMuchWork, match="too far off"):
        chance(5, 5, 2_000)
    with pytest.raises(TooMuchWork, match="joint law"):
        joint(Keep(throw(3, 0), Goal.reach(300), whole=True))
    with pytest.raises(ValueError, match="is no face"):
        face("X")
    with pytest.raises(ValueError, match="does not explode"):
        SymbolDie("E")
    with pytest.raises(ValueError, match="opportunity beside"):
        SymbolDie("EO", "-")


@settings(max_examples=12, deadline=None)
@given(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(1, 3)), st.integers(0, 2), st.integers(0, 4), st.integers(0, 8)
)
def test_goals_that_go_on_beyond_their_limits(pool, tn, bonus, cost):
    """Success, further successes and strife weighed against one another; the slow way counts far enough."""
    slow = Slow(lambda s, o, t: 8 * (s >= tn) + bonus * max(0, s - tn) - cost * t, (tn + 12, 0, 12), depth=7)
    goal = Goal.weighing(tn, Fraction(bonus, 8), Fraction(cost, 8))
    keep = Keep(throw(*pool), goal, whole=True)
    assert float(keep.chance()) == pytest.approx(slow.value(*pool) / 8, abs=3e-5)
    law = joint(keep)
    weighed = {(s, o, t): (s >= tn) + Fraction(bonus * max(0, s - tn) - cost * t, 8) for (s, o, t), _ in law.items()}
    listed = sum(law.chance(each) * worth for each, worth in weighed.items())
    assert float(listed) == pytest.approx(float(keep.chance()), abs=1e-7)


def test_a_goal_that_goes_on_needs_follow_ups_one_at_a_time():
    with pytest.raises(ValueError, match="one at a time"):
        Keep(throw(2, 2), Goal.weighing(2, 0, 1), follow_ups="together")
    with pytest.raises(ValueError, match="0 or more"):
        Goal.weighing(2, -1)


@settings(max_examples=8, deadline=None)
@given(pools.filter(lambda pool: pool[0] + pool[1] < 4), goals, st.integers(1, 2))
def test_a_reroll_that_somebody_else_chooses(pool, goal, most):
    tn, few, strife = goal
    slow = Slow(lambda s, o, t: s >= tn and o >= few and (strife is None or t <= strife), (tn, few, (strife or 0) + 1))
    keep = Keep(throw(*pool), Goal.reach(*goal), split=True)
    reroll = Reroll(keep, "against", most)
    assert sum(reroll.weights) == reroll.total
    assert float(reroll.chance()) == pytest.approx(slow.rerolled(*pool, against=most), abs=NEAR)
    assert reroll.chance() <= keep.chance() + Fraction(1, 10**12)
