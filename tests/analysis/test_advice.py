"""Advice: the best answer first, for the game's own judgement and for a goal of one's own."""

import pytest

import referee
from referee.analysis.advice import advise
from referee.analysis.odds import outlooks
from referee.engine import IllegalAnswer


def test_the_best_answer_stands_first():
    encounter = referee.start("vaia/ford", 5)
    seat = encounter.asked()[0]
    advice = advise(encounter, seat)
    assert advice[0].behind == 0
    assert [each.behind for each in advice] == sorted(each.behind for each in advice)
    worths = [outlook.worth for _, outlook in outlooks(encounter, seat)]
    assert advice[0].value == max(worths)
    assert sorted(each.value for each in advice) == sorted(worths)


def test_a_goal_of_ones_own():
    encounter = referee.start("vaia/ford", 5)
    seat = encounter.asked()[0]
    spent = advise(encounter, seat, lambda outcome: sum(value for _, what, value in outcome if what == "slots"))
    saved = advise(encounter, seat, lambda outcome: -sum(value for _, what, value in outcome if what == "slots"))
    assert spent[0].value > saved[-1].value - 100
    assert saved[0].value >= 1
    assert saved[0].offer.label != spent[0].offer.label


def test_nobody_else_is_advised():
    encounter = referee.start("vaia/ford", 5)
    other = next(each for each in encounter.game.seats if each not in encounter.asked())
    with pytest.raises(IllegalAnswer):
        advise(encounter, other)
