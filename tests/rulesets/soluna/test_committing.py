"""What is committed in secret to a contest of two: the chances are those of the rules, and nobody can better the mix."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest

import referee
from referee.analysis.advice import advise
from referee.analysis.equilibria import mixed, plain
from referee.dice import Stream
from referee.players import looking
from referee.players.greedy import Greedy
from referee.players.ink import Ink
from referee.table.reckoning import Task, reckon


@pytest.fixture(scope="module")
def committing():
    encounter = referee.start("soluna/high_stakes", 1)
    bots = {seat: Greedy(1, seat) for seat in encounter.game.seats}
    while True:
        seat = encounter.asked()[0]
        if encounter.choice(seat).about == "commitment":
            return encounter
        encounter.answer(bots[seat](encounter, seat), seat)


def by_the_rules(encounter, seat, answers):
    """The chance to win with these answers, a tie counted half: all rolls counted."""

    def after(world, answer, who=None):
        fork = world.fork(log=False)
        fork.game.events, fork.game.logged = [], 0
        fork.answer(answer, who)
        kinds = {event.kind: event.facts for event in fork.game.events[: fork.game.logged]}
        if "wins" in kinds:
            return Fraction(fork.game.seat_of[kinds["wins"]["who"]] == seat)
        if "tied" in kinds:
            return Fraction(1, 2)
        if set(answers) & set(fork.asked()):
            return after(fork, answers[fork.asked()[0]], fork.asked()[0])
        law = fork.game.question.spec.law()
        return sum((Fraction(weight, law.total) * after(fork, outcome) for outcome, weight in law.items()), Fraction(0))

    first = encounter.asked()[0]
    return after(encounter.imagine(first, Stream(1)), answers[first], first)


def test_the_chances_are_those_of_the_rules(committing):
    seat, other = committing.asked()[:2]
    found = mixed(committing, seat)
    assert found.other == other
    for one, two in ((1, 0), (3, 1), (0, 3), (4, 5)):
        offers = committing.choice(seat).offers, committing.choice(other).offers
        pair = {seat: offers[0][one], other: offers[1][min(two, len(offers[1]) - 1)]}
        place = one, min(two, len(offers[1]) - 1)
        assert by_the_rules(committing, seat, pair) == found.payoffs[place[0]][place[1]]


def test_nobody_can_better_it_and_both_see_the_same_game(committing):
    ours, theirs = (mixed(committing, seat) for seat in committing.asked()[:2])
    assert ours.exact
    assert ours.value == max(ours.worth)
    assert ours.value + theirs.value == 1
    assert ours.weights == theirs.others
    assert next(offer.weight for offer in advise(committing, ours.seat, seconds=0.05)) == max(ours.weights)


def test_what_is_sealed_is_not_looked_at(committing):
    seat, other = committing.asked()[:2]
    told = []
    for answer in committing.choice(other).offers[:2]:
        fork = committing.fork()
        fork.answer(answer, other)
        told.append(plain(mixed(fork, seat)))
    assert told[0] == told[1] == plain(mixed(committing, seat))


def test_terminal_and_page_show_it_at_once(committing):
    seat = committing.asked()[0]
    screen = io.StringIO()
    ink = Ink(screen)
    ink.learn(committing)
    looking.show_odds(ink, committing, seat, [(str(place), each) for place, each in enumerate(committing.offers(seat), 1)], "")
    assert "Best in secret" in screen.getvalue()
    assert "####" in screen.getvalue()
    found = reckon(Task(committing.imagine(seat, Stream(1)).save(), seat, 0.05))
    assert found.mix is not None
    assert not found.more
