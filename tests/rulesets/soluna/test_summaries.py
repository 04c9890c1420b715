"""The closed form of a test against its steps, with every roll played through the frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from math import factorial, prod
from typing import Any

import pytest

from referee.content import registry
from referee.dice import Law
from referee.dice.like import contest_chances, face_law, group_law
from referee.engine import Encounter, Frame, Game, Roll
from referee.rulesets.soluna.cards import MOST_ACCURACY
from referee.rulesets.soluna.summaries import SUMMARIES
from referee.rulesets.soluna.trials import Test as Trial
from referee.testkit.staging import stage

MOST_MIND = 10
MOST_DICE = max(MOST_MIND, 2 * MOST_ACCURACY)


def table(**policies: Any) -> Game:
    content = stage(registry.get("soluna"), {"base": "alley", "policies": policies})
    game = Encounter.start(content, log=False, real_dice=True).game
    game.branches = None
    game.question = None
    return game


def rolls(dice: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every roll up to the order of its dice, with the number of its orders."""
    for roll in combinations_with_replacement(range(1, 7), dice):
        yield roll, factorial(dice) // prod(map(factorial, Counter(roll).values()))


def finished(game: Game, frame: Frame, first: str, roll: tuple[int, ...]) -> Frame:
    """The frame after its steps from `first` on, with this roll."""
    frame.pc = frame.NAMES[first]
    game.agenda = [frame]
    game.owned_from = 0
    ended = game.run()
    if game.question is not None:
        assert isinstance(game.question, Roll)
        game.question = None
        game.agenda[-1].pc += 1
        ended = game.run(roll)
    return ended


def played(game: Game, dice: int, flips: int, summary: Any) -> Law[tuple[int, ...]]:
    weights: Counter[tuple[int, ...]] = Counter()
    for roll, orders in rolls(dice):
        sacrificed = flips // 2
        trial = Trial("xul", "interaction", dice, sacrificed, flips - sacrificed, costs=False)
        # Without dice there is nothing to roll, and the steps go on at the count.
        ended = finished(game, trial, summary.first if dice else summary.last, roll)
        weights[tuple(getattr(ended, fact) for fact in summary.sets)] += orders
    return Law(weights)


def agree(summary: Any, tie: str, most: int) -> None:
    """For every pool of up to so many dice; more flips than dice change nothing more."""
    game = table(contest_tie=tie)
    for dice in range(most + 1):
        for flips in range(dice + 2):
            trial = Trial("xul", "interaction", dice, flips)
            assert played(game, dice, flips, summary) == summary.law(trial, {"contest_tie": tie}), (dice, flips)


@pytest.mark.parametrize("summary", SUMMARIES, ids=lambda summary: summary.frame.__name__)
def test_the_closed_form_is_the_law_of_the_steps_for_every_pool(summary: Any) -> None:
    agree(summary, "no_change", MOST_DICE)


@pytest.mark.parametrize("tie", ["higher_face", "reroll"])
def test_the_same_under_other_policies(tie: str) -> None:
    agree(SUMMARIES[0], tie, 8)


@pytest.mark.long
def test_the_same_with_faces_for_every_pool() -> None:
    agree(SUMMARIES[0], "higher_face", MOST_DICE)


def test_the_order_of_the_dice_does_not_matter() -> None:
    game = table(contest_tie="higher_face")
    for roll in ((1, 2, 2, 5, 6), (3, 3, 4, 4, 1), (6, 5, 4, 3, 2)):
        ends = {
            (ended.size, ended.face)  # type: ignore[attr-defined]
            for order in permutations(roll)
            for ended in [finished(game, Trial("xul", "interaction", 5, 1, costs=False), "roll", order)]
        }
        assert len(ends) == 1


@pytest.mark.parametrize("tie", ["no_change", "higher_face"])
@pytest.mark.parametrize("pools", [((2, 0), (3, 0)), ((3, 1), (2, 0)), ((1, 0), (1, 1)), ((0, 0), (2, 0))])
def test_a_contest_is_the_convolution_of_two_tests(pools: tuple[tuple[int, int], ...], tie: str) -> None:
    content = stage(registry.get("soluna"), {"base": "high_stakes", "policies": {"contest_tie": tie}})
    start = Encounter.start(content, log=False, real_dice=True)
    for seat, answer in (
        ("xul", ("contest", "poker", "artifact")),
        ("meena", "prepare"),
        ("xul", ("pool", *pools[0])),
        ("meena", ("pool", *pools[1])),
    ):
        start.answer(answer, seat)
    outcomes: Counter[str] = Counter()
    _play(start, 1, outcomes)
    law = face_law if tie == "higher_face" else group_law
    total = sum(outcomes.values())
    expected = contest_chances(law(*pools[0]), law(*pools[1]))
    assert tuple(Fraction(outcomes[who], total) for who in ("xul", "", "meena")) == expected


def _play(encounter: Encounter, weight: int, outcomes: Counter[str]) -> None:
    question = encounter.question
    if isinstance(question, Roll):
        for roll, orders in rolls(question.spec.count):  # type: ignore[attr-defined]
            ahead = encounter.fork()
            ahead.answer(roll)
            _play(ahead, weight * orders, outcomes)
    else:
        outcomes[encounter.game.records["artifact"].holder] += weight
