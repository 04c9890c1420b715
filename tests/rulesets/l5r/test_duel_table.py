"""The abstract duel: a slow twin that plays out every position by recursion, with fractions; and what must hold of any table."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rulesets.l5r.duel_table import BREATH, Deed, Duel, Duellist, DuelTable, Outcome
from referee.solvers import zero_sum

HALF = Fraction(1, 2)


class Twin:
    """The same duel, position by position. A side is (strife or None while Compromised, unmasked?, fatigue or None)."""

    def __init__(self, duel):
        self.duel = duel
        self.sides = (duel.first, duel.second)
        self.start = lru_cache(maxsize=None)(self._start)
        self.turn = lru_cache(maxsize=None)(self._turn)

    def orders(self):
        return {"first": ((0, 1),), "second": ((1, 0),), "chance": ((0, 1), (1, 0))}[self.duel.ties]

    def _start(self, number, both):
        if number > self.duel.rounds:
            return HALF
        return self.gaining(both, (number, number), lambda left: self.bidding(number, left))

    def gaining(self, both, strife, then):
        """Both gain strife; blows fall in the order of ties."""
        found = []
        for order in self.orders():
            fallen = [1 - maker for maker in order if self.falls(1 - maker, both[1 - maker], strife[1 - maker])]
            left = tuple(self.raised(side, both[side], strife[side]) for side in (0, 1))
            found.append(self.struck(fallen, left, then))
        return sum(found) / len(found)

    def falls(self, victim, state, strife):
        return not state[1] and state[0] is not None and state[0] + strife > self.sides[victim].composure

    def raised(self, side, state, strife):
        if state[0] is None or state[0] + strife > self.sides[side].composure:
            return (None, *state[1:])
        return (state[0] + strife, *state[1:])

    def struck(self, victims, both, then):
        if not victims:
            return then(both)
        victim, *others = victims
        blow = Fraction(self.sides[1 - victim].blow) if both[1 - victim][2] is not None else 0
        return blow * victim + (1 - blow) * self.struck(others, both, then)

    def bidding(self, number, both):
        bids = [range(side.focus + 1) if state[0] is not None else range(1) for side, state in zip(self.sides, both, strict=True)]
        game = [
            [self.gaining(both, (a, b), lambda left, a=a, b=b: self.turns(number, left, a - b)) for b in bids[1]] for a in bids[0]
        ]
        return zero_sum(game).row_value

    def turns(self, number, both, ahead):
        ahead += self.duel.lead
        orders = ((0, 1),) if ahead > 0 else ((1, 0),) if ahead < 0 else self.orders()
        return sum(self.turn(number, both, order) for order in orders) / len(orders)

    def _turn(self, number, both, order):
        if not order:
            return self.start(number + 1, both)
        side, rest = order[0], order[1:]
        better = max if side == 0 else min

        def end(left):
            return self.unmasking(side, left, lambda after: self.turn(number, after, rest), better)

        return self.unmasking(side, both, lambda left: self.best(side, left, end, better), better)

    def unmasking(self, side, both, then, better):
        strife, unmasked, fatigue = both[side]
        found = then(both)
        if strife is None and not unmasked:
            bare = put(both, side, (0, True, fatigue))
            found = better(found, self.struck([side], bare, then) if self.duel.per_event else then(bare))
        return found

    def best(self, side, both, end, better):
        own = self.sides[side]
        if both[side][2] is None:
            return end(both)
        deeds = own.strained if both[side][0] is None else own.deeds
        return better(self.done(side, both, deed, end) for deed in (*deeds, BREATH))

    def done(self, side, both, deed, end):
        own, foe = self.sides[side], self.sides[1 - side]
        if deed.calms:
            strife, unmasked, fatigue = both[side]
            if strife is not None:
                strife -= strife > (own.composure + 1) // 2
            fatigue -= fatigue > (own.endurance + 1) // 2
            both = put(both, side, (strife, unmasked, fatigue))
        found = Fraction(0)
        for outcome in deed.outcomes:
            left = put(both, side, self.raised(side, both[side], outcome.strife))
            fallen = [side] if self.falls(side, both[side], outcome.strife) else []
            hurt = left[1 - side][2]
            met = Fraction(outcome.ends if hurt is None else outcome.wins)
            after = None if hurt is None or hurt + outcome.damage > foe.endurance else hurt + outcome.damage
            if self.duel.downed and after is None:
                met = Fraction(1)
            struck = put(left, 1 - side, (*left[1 - side][:2], after))
            then = lambda _, met=met, struck=struck: met * (1 - side) + (1 - met) * (end(struck) if met < 1 else 0)  # noqa: E731
            found += Fraction(outcome.chance) * self.struck(fallen, left, then)
        return found


def put(both, side, state):
    return (state, both[1]) if side == 0 else (both[0], state)


def states(duellist):
    strife = [*range(duellist.composure + 1), None]
    fatigue = [*range(duellist.endurance + 1), None]
    return [(each, unmasked, tired) for unmasked in (False, True) for each in strife for tired in fatigue]


def place(duellist, state):
    strife, unmasked, fatigue = state
    poise = duellist.poise(0 if strife is None else strife, compromised=strife is None, unmasked=unmasked)
    return poise, duellist.endurance + 1 if fatigue is None else fatigue


EIGHTHS = st.integers(0, 8).map(lambda each: each / 8)


@st.composite
def deeds(draw):
    split = draw(st.sampled_from([(8,), (3, 5), (2, 2, 4)]))
    outcomes = tuple(
        Outcome(part / 8, draw(st.integers(0, 2)), draw(st.integers(0, 2)), draw(EIGHTHS) / 2, draw(EIGHTHS)) for part in split
    )
    return Deed("deed", outcomes, draw(st.booleans()))


@st.composite
def duels(draw):
    sides = [
        Duellist(
            draw(st.integers(0, 3)), draw(st.integers(0, 2)), draw(st.integers(0, 2)),
            (draw(deeds()),), (draw(deeds()),), draw(EIGHTHS),
        )
        for _ in range(2)
    ]  # fmt: skip
    ties = draw(st.sampled_from(["first", "second", "chance"]))
    return Duel(*sides, draw(st.integers(-1, 1)), ties, draw(st.integers(1, 6)), draw(st.booleans()), draw(st.booleans()))


def check(duel, number, both):
    """A position of the table against the twin."""
    where = (*place(duel.first, both[0]), *place(duel.second, both[1]))
    assert DuelTable.build(duel, number).start(number)[where] == pytest.approx(float(Twin(duel).start(number, both)), abs=1e-11)


def some_position(duel):
    each = st.tuples(st.sampled_from(states(duel.first)), st.sampled_from(states(duel.second)))
    return st.tuples(st.just(duel), st.integers(1, duel.rounds), each)


@settings(deadline=None, max_examples=15)
@given(duels().flatmap(some_position))
def test_every_position_is_worth_what_recursion_says(case):
    check(*case)


@pytest.mark.long
@settings(deadline=None, max_examples=1000)
@given(duels().flatmap(some_position))
def test_the_same_more_often(case):
    check(*case)


HIT = Deed("hit", (Outcome(0.375, 1, 2, 0.5), Outcome(0.25, 0, 1, 0.0), Outcome(0.375, 1, 0, 0.0, 0.0)))
CALM = Deed("calm", (Outcome(0.5, 0, 1, 0.25), Outcome(0.5, 0, 0, 0.0, 0.0)), calms=True)
PLAIN = Duellist(4, 3, 2, (HIT, CALM), (CALM,), 0.75)


def worth(duel):
    return DuelTable.build(duel).start(1)


def test_a_duel_of_equals_is_even_and_sides_may_be_changed():
    assert worth(Duel(PLAIN, PLAIN))[0, 0, 0, 0] == pytest.approx(0.5, abs=1e-12)
    other = replace(PLAIN, composure=2, focus=1, blow=0.5)
    one_way = worth(Duel(PLAIN, other, 1, "first"))
    other_way = worth(Duel(other, PLAIN, -1, "second"))
    assert np.allclose(one_way, 1 - other_way.transpose(2, 3, 0, 1), atol=1e-12)


def test_what_is_better_never_hurts():
    plain = worth(Duel(PLAIN, PLAIN))[0, 0, 0, 0]
    more_ways = Deed("more", (Outcome(1.0, 0, 2, 0.125),))
    for better in ({"blow": 0.875}, {"endurance": 4}, {"deeds": (HIT, CALM, more_ways)}):
        assert worth(Duel(replace(PLAIN, **better), PLAIN))[0, 0, 0, 0] > plain
    tired = worth(Duel(PLAIN, PLAIN))[: PLAIN.composure + 1]
    assert (np.diff(tired[:, : PLAIN.endurance + 1], axis=1) <= 1e-12).all(), "fatigue never helps"


def test_a_certain_blow_decides_at_once():
    """Both Compromised by the first staredown: whose blow comes first has won."""
    sure = replace(PLAIN, composure=0, blow=1.0)
    assert worth(Duel(sure, sure, 0, "first"))[0, 0, 0, 0] == 1.0
    assert worth(Duel(sure, sure, 0, "second"))[0, 0, 0, 0] == 0.0
    assert worth(Duel(sure, sure, 0, "chance"))[0, 0, 0, 0] == 0.5


def test_the_game_of_a_position_is_the_one_that_the_table_solves():
    duel = Duel(PLAIN, replace(PLAIN, focus=1), 1, "second", 6)
    table = DuelTable.build(duel)
    before = DuelTable.build(duel, 2).start(2)
    for one, other in ((0, 1), (2, 0)):
        game = table.game(2, (one + 2, 1, other + 2, 0))
        assert [len(game), len(game[0])] == [3, 2]
        exact = zero_sum([[Fraction(value) for value in row] for row in game]).row_value
        assert before[one, 1, other, 0] == pytest.approx(float(exact), abs=1e-11)


def test_a_table_may_begin_later_and_is_told_how_far_it_is():
    heard = []
    whole = DuelTable.build(Duel(PLAIN, PLAIN), 1, heard.append)
    later = DuelTable.build(Duel(PLAIN, PLAIN), 3)
    for number in (3, 4, 5, 8, 30, 31):
        both = whole.start(number), later.start(number)
        assert ((both[0] == both[1]) | np.isnan(both[0])).all()
        assert np.isnan(both[0]).sum() >= np.isnan(both[1]).sum()
    assert not np.isnan(later.start(3)).any()
    assert np.isnan(later.start(4)[1, 0]).all(), "nobody has so little strife left after the staredown of round 3"
    assert not np.isnan(later.start(4)[len(later.start(4)) // 2, 0, -1]).any(), "but for who has unmasked"
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    with pytest.raises(ValueError, match="begins with round 3"):
        later.start(2)
    with pytest.raises(ValueError, match="too many positions"):
        DuelTable.build(Duel(replace(PLAIN, composure=6000), PLAIN))
