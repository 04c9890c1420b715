"""Counts the sequences of answers from a state: the cheapest complete test of the rules there is."""

from __future__ import annotations

from typing import Literal

from ..engine import Choice, Encounter, Roll, Together


def perft(encounter: Encounter, depth: int, rolls: Literal["each", "one"] = "each") -> int:
    """How many sequences of `depth` answers there are; fewer where the encounter ends before.

    A roll is one answer with `each` of its outcomes, or with only `one` of them, the first. Seats that are asked together
    answer in their order. The encounter stays as it is.
    """
    return _count(_unlogged(encounter), depth, rolls, {})


def _unlogged(encounter: Encounter) -> Encounter:
    ahead = encounter.fork(log=False)
    ahead.game.dice = None
    ahead.game.history = None
    return ahead


def _count(encounter: Encounter, depth: int, rolls: str, known: dict[tuple[bytes, int], int]) -> int:
    question = encounter.question
    if depth == 0 or question is None:
        return 1
    # Equal keys have equal futures, so each is counted once.
    key = (encounter.key(), depth)
    if key not in known:
        known[key] = sum(_count(each, depth - 1, rolls, known) for each in children(encounter, rolls))
    return known[key]


def children(encounter: Encounter, rolls: str = "each") -> list[Encounter]:
    """A fork for every answer to the question: every offer of the first seat asked, every outcome of a roll."""
    question = encounter.question
    if isinstance(question, Roll):
        outcomes = [outcome for outcome, _ in question.spec.law().items()]
        return [_after(encounter, outcome, None) for outcome in (outcomes if rolls == "each" else outcomes[:1])]
    if isinstance(question, Choice | Together):
        seat = encounter.asked()[0]
        return [_after(encounter, shown.offer, seat) for shown in encounter.offers(seat)]
    return []


def _after(encounter: Encounter, answer: object, seat: str | None) -> Encounter:
    ahead = encounter.fork()
    ahead.answer(answer, seat)
    return ahead
