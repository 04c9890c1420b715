"""Playing on after an answer: how far, and what others do meanwhile. Works on any ruleset, through its own rules.

The horizon is the next decision of somebody's own: the next question of the seat that answered, or of another seat once the
rule that asked has run its course; the reveal of secret choices; the end. On the way rolls fall, questions in the middle of a
roll are answered as well as the ruleset knows (`Odds.decide`), interruptions that the seat itself could make are passed over,
and those of others go by the policy asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, Final, Literal

from ..engine.encounter import Encounter
from ..engine.frames import PASS
from ..engine.game import Game
from ..engine.questions import Choice, Offer, Roll, Together

Policy = Literal["pass", "greedy", "worst"]
"""What others do when they may interrupt: nothing; what looks best to them; what is worst for the seat that asks."""

POLICIES: Final = ("pass", "greedy", "worst")
MOST_OUTCOMES: Final = 20_000
"""Rolls with more outcomes than this are sampled."""


class Budget:
    """So many answers may be tried; what has been used up stays used up."""

    def __init__(self, answers: int) -> None:
        self.left = answers

    def spend(self) -> bool:
        """Takes one; false if none is left."""
        self.left -= 1
        return self.left >= 0


class Journey:
    """One answer of one seat, from the question at which it is given to the horizon."""

    def __init__(self, world: Encounter, seat: str, policy: Policy) -> None:
        self.seat = seat
        self.policy = policy
        self.base = len(world.game.agenda)
        self.drafting = world.game.branches is not None
        self.odds = world.game.ruleset.odds

    def ended(self, game: Game) -> bool:
        """Whether the horizon is reached."""
        question = game.question
        if question is None:
            return True
        if isinstance(question, Roll):
            return False
        if isinstance(question, Together):
            return not self.drafting or game.ruleset.judge is None or game.branches is None or self._begins(game)
        if question.offers[0] is PASS or self._decided(game, question) is not None:
            return False
        return question.seat == self.seat or len(game.agenda) <= self.base or self.drafting

    def _begins(self, game: Game) -> bool:
        """Whether these secret choices are others than those in which the answer was given."""
        assert game.branches is not None
        own = game.branches.get(self.seat)
        return own is not None and not own.answers and not own.closed

    def _decided(self, game: Game, choice: Choice) -> Any:
        if self.odds is None or self.odds.decide is None:
            return None
        return self.odds.decide(game, choice)

    def next_answer(self, world: Encounter, budget: Budget) -> tuple[Any, str | None]:
        """The answer to a question that is no roll, with the seat that gives it."""
        game = world.game
        question = game.question
        if isinstance(question, Together):
            assert game.branches is not None
            assert game.ruleset.judge is not None
            choice = game.asked_for[next(each for each in game.branches if each in game.asked_for)]
            judged = [game.ruleset.judge(game, choice, offer) for offer in choice.offers]
            return choice.offers[judged.index(max(judged))], choice.seat
        assert isinstance(question, Choice)
        decided = self._decided(game, question)
        if decided is not None:
            return decided, question.seat
        passes = question.offers[0] is PASS
        if passes and (question.seat == self.seat or self.policy == "pass"):
            return question.offers[0], question.seat
        return self._reaction(world, question, budget), question.seat

    def _reaction(self, world: Encounter, choice: Choice, budget: Budget) -> Offer:
        """What another seat does: the best for itself, or the worst for the seat that asks, as what follows is expected."""
        judge = self.seat if self.policy == "worst" else choice.seat
        sign = -1 if self.policy == "worst" else 1
        inner: Policy = "worst" if self.policy == "worst" else "pass"
        best, most = choice.offers[0], None
        for offer in choice.offers:
            value = sign * self._expected(world, offer, choice.seat, judge, inner, budget)
            if most is None or value > most:
                best, most = offer, value
        return best

    def _expected(self, world: Encounter, offer: Offer, seat: str, judge: str, policy: Policy, budget: Budget) -> Fraction:
        journey = Journey(world, self.seat, policy)
        journey.base, journey.drafting = self.base, self.drafting
        start = world.fork(log=False)
        start.answer(offer, seat)
        total = reached = Fraction(0)
        for end, weight in journey.ends(start, budget):
            total += weight * end.game.ruleset.worth(end.game, judge)
            reached += weight
        return total / reached if reached else Fraction(world.game.ruleset.worth(start.game, judge))

    def law(self, game: Game, roll: Roll) -> list[tuple[Any, int]] | None:
        """The outcomes of a roll with their weights; None if they are too many."""
        law = self.odds.law(game, roll) if self.odds is not None and self.odds.law is not None else None
        if law is None:
            size = getattr(roll.spec, "sides", 1) ** getattr(roll.spec, "count", 1)
            if size > MOST_OUTCOMES:
                return None
            law = roll.spec.law()
        return list(law.items()) if len(law) <= MOST_OUTCOMES else None

    def ends(self, start: Encounter, budget: Budget) -> Iterator[tuple[Encounter, Fraction]]:
        """Every state at the horizon with its chance, equal ones as one, those out of budget left out.

        Of the states on the way the likeliest is always played on first, so that what is left out is as little as can be.
        """
        waiting: dict[bytes, tuple[Encounter, Fraction]] = {b"": (start, Fraction(1))}
        order: list[tuple[float, bytes]] = [(-1.0, b"")]
        reached: dict[bytes, tuple[Encounter, Fraction]] = {}
        while order:
            _, key = heappop(order)
            found = waiting.pop(key, None)
            if found is None:
                continue  # it grew, and was played on under its greater weight
            world, weight = found
            if self.ended(world.game):
                _merge(reached, world, weight)
                continue
            for each, chance in self._steps(world, budget):
                into = _merge(waiting, each, weight * chance)
                heappush(order, (-float(waiting[into][1]), into))
        yield from reached.values()

    def _steps(self, world: Encounter, budget: Budget) -> Iterator[tuple[Encounter, Fraction]]:
        question = world.game.question
        if isinstance(question, Roll):
            law = self.law(world.game, question)
            total = sum(weight for _, weight in law) if law is not None else 1
            for outcome, weight in law or ():
                if not budget.spend():
                    return
                fork = world.fork(log=False)
                fork.answer(outcome)
                yield fork, Fraction(weight, total)
            return
        if budget.spend():
            answer, seat = self.next_answer(world, budget)
            fork = world.fork(log=False)
            fork.answer(answer, seat)
            yield fork, Fraction(1)

    def sample(self, start: Encounter, stream: Any, budget: Budget) -> Encounter | None:
        """One playing to the horizon; None if the budget runs out on the way."""
        world = start.fork(log=False)
        while not self.ended(world.game):
            if not budget.spend():
                return None
            question = world.game.question
            if isinstance(question, Roll):
                world.answer(question.spec.sample(stream))
            else:
                world.answer(*self.next_answer(world, budget))
        return world


def _merge(states: dict[bytes, tuple[Encounter, Fraction]], world: Encounter, weight: Fraction) -> bytes:
    key = world.key()
    known = states.get(key)
    states[key] = (world, weight) if known is None else (known[0], known[1] + weight)
    return key
