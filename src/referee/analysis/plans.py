"""Plans: the shortest way of a seat to something it wants, found by trying its answers through the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final

from ..dice import Stream
from ..engine.chances import Aim
from ..engine.encounter import Encounter
from ..engine.questions import Choice

MOST_ANSWERS: Final = 20_000
MOST_FROM_HERE: Final = 3_000
"""For each plan in an encounter, where there may be many."""


def plans(encounter: Encounter, seat: str) -> Iterator[Mapping[str, Any]]:
    """What a seat may be working towards, each with the shortest way to it from here, as far as the seat can know."""
    odds = encounter.content.ruleset.odds
    if odds is None or odds.plans is None:
        return
    world = encounter.imagine(seat, Stream.named(0, "plans", seat))
    world.game.events, world.game.logged = [], 0
    yield from odds.plans(world, seat, lambda start, aim: plan(start, aim, MOST_FROM_HERE))


def plan(encounter: Encounter, aim: Aim, most: int = MOST_ANSWERS) -> Encounter | None:
    """The encounter played on along the shortest way, by the clock of the aim and then by answers; None if none was found.

    Others answer as the aim says. Where dice decide the way ends: a plan is what can be relied on. So many answers are tried at
    the most.
    """
    order = count()
    start = encounter.fork()
    ways = [(aim.clock(start.game), 0, next(order), start)]
    known = {start.key()}
    while ways and most > 0:
        _, length, _, world = heappop(ways)
        if aim.done(world.game):
            return world
        question = world.question
        if not isinstance(question, Choice):
            continue
        if question.seat == aim.seat:
            answers = [offer for offer in question.offers if aim.wanted(world.game, question, offer)]
        else:
            answers = [aim.others(world.game, question)]
        for answer in answers:
            most -= 1
            after = world.fork()
            after.answer(answer, question.seat)
            key = after.key()
            if key not in known or aim.done(after.game):
                known.add(key)
                heappush(ways, (aim.clock(after.game), length + 1, next(order), after))
    return None
