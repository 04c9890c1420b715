"""Playing on after an answer: how far, and what others do meanwhile. Works on any ruleset, through its own rules.

The horizon is the next decision of somebody's own: the next question of the seat that answered, or of another seat once the
rule that asked has run its course; the reveal of secret choices; the end. On the way rolls fall, questions in the middle of a
roll are answered as well as the ruleset knows (`Odds.decide`), interruptions that the seat itself could make are passed over,
and those of others go by the policy asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final, Literal, NamedTuple

from ..engine.chances import Outcome, Summary
from ..engine.encounter import Encounter
from ..engine.frames import PASS
from ..engine.game import Game
from ..engine.questions import Choice, Offer, Roll, Together

Policy = Literal["pass", "greedy", "worst"]
"""What others do when they may interrupt: nothing; what looks best to them; what is worst for the seat that asks."""

POLICIES: Final = ("pass", "greedy", "worst")
MOST_OUTCOMES: Final = 20_000
"""Rolls with more outcomes than this are sampled."""
FINE: Final = 1 << 53
ENOUGH: Final = 0.75
"""What another seat does is judged by so much of each check that may come of it, the likeliest first."""
AHEAD: Final = 300
"""And by so many answers at the most, for each of its offers."""

Chance = Fraction | float


class Budget:
    """So many answers may be tried; what has been used up stays used up."""

    def __init__(self, answers: int) -> None:
        self.left = answers

    def spend(self) -> bool:
        """Takes one; false if none is left."""
        self.left -= 1
        return self.left >= 0


class State(NamedTuple):
    """An encounter on the way, with what its seat has done in it that its records do not show."""

    world: Encounter
    notes: Outcome = ()

    def key(self) -> Key:
        """Equal keys: equal future, and the same has been noted."""
        return self.world.key(), self.notes


Key = tuple[bytes, Outcome]
Weighed = tuple[State, dict[int, Chance]]
"""A state with its chances by the place of the start."""


class Journey:
    """One answer of one seat, from the question at which it is given to the horizon."""

    def __init__(self, world: Encounter, seat: str, policy: Policy) -> None:
        self.seat = seat
        self.policy = policy
        agenda = world.game.agenda
        self.drafting = world.game.branches is not None
        self.odds = world.game.ruleset.odds
        spans = self.odds.spans if self.odds is not None else ()
        self.base = next((depth for depth, frame in enumerate(agenda) if type(frame).__name__ in spans), len(agenda))
        self.thought_of = False
        self.note = self.odds.note if self.odds is not None else None

    def ended(self, game: Game) -> bool:
        """Whether the horizon is reached."""
        question = game.question
        if question is None:
            return True
        if isinstance(question, Roll):
            return False
        if isinstance(question, Together):
            return not self.drafting or game.ruleset.judge is None or game.branches is None or self._begins(game)
        if self.odds is not None and question.about in self.odds.stops:
            return question.seat == self.seat or self.policy == "pass"
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
            own = self._decided(game, choice) if choice.seat == self.seat else None
            if own is not None:
                return own, choice.seat
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
        """What another seat does: the best for itself, or the worst for the seat that asks, as what follows is expected.

        Where the ruleset says at once what the greedy prefer, that is it. Within what it expects, others do what looks so right
        after it: nobody thinks about what somebody thinks.
        """
        ruleset = world.game.ruleset
        if self.policy != "worst" and ruleset.prefers is not None:
            preferred: Offer | None = ruleset.prefers(world.game, choice)  # as greedy bots answer
            if preferred is not None:
                return preferred
        judge = self.seat if self.policy == "worst" else choice.seat
        sign = -1 if self.policy == "worst" else 1
        inner: Policy = "worst" if self.policy == "worst" else "pass"
        best, most = choice.offers[0], None
        for offer in choice.offers:
            ahead = Budget(AHEAD)
            value = sign * self._expected(world, offer, choice.seat, judge, inner, ahead)
            budget.left -= AHEAD - max(0, ahead.left)
            if most is None or value > most:
                best, most = offer, value
        return best

    def _expected(self, world: Encounter, offer: Offer, seat: str, judge: str, policy: Policy, budget: Budget) -> float:
        journey = Journey(world, self.seat, policy)
        journey.base, journey.drafting, journey.thought_of = self.base, self.drafting, True
        journey.note = None
        start = journey.begin(offer, world, seat)
        if self.thought_of:
            return float(start.world.game.ruleset.worth(start.world.game, judge))
        total = reached = 0.0
        for end, weights in journey.ends([start], budget, ENOUGH):
            total += float(weights[0]) * end.world.game.ruleset.worth(end.world.game, judge)
            reached += float(weights[0])
        return total / reached if reached else float(world.game.ruleset.worth(start.world.game, judge))

    def summary(self, game: Game, roll: Roll) -> Summary | None:
        """All of a roll and of the choices in it in closed form; None if there is no such thing."""
        return self.odds.summary(game, roll) if self.odds is not None and self.odds.summary is not None else None

    def law(self, game: Game, roll: Roll) -> list[tuple[Any, int]] | None:
        """The outcomes of a roll with their weights; None if they are too many."""
        law = self.odds.law(game, roll) if self.odds is not None and self.odds.law is not None else None
        if law is None:
            size = getattr(roll.spec, "sides", 1) ** getattr(roll.spec, "count", 1)
            if size > MOST_OUTCOMES:
                return None
            law = roll.spec.law()
        return list(law.items()) if len(law) <= MOST_OUTCOMES else None

    def begin(self, offer: Offer, world: Encounter, seat: str = "") -> State:
        """The state after an answer."""
        return self._after(State(world), lambda fork: fork.answer(offer, seat or self.seat))

    def _after(self, state: State, change: Callable[[Encounter], None]) -> State:
        """The state after a step, with what its events say of the seat."""
        note = self.note
        fork = state.world.fork(log=False)
        game = fork.game
        if note is None:
            change(fork)
            return State(fork)
        game.events, game.logged = [], 0
        change(fork)
        notes = state.notes
        for event in game.events[: game.logged]:
            who = str(event.facts.get("who"))
            if game.seat_of.get(who) == self.seat and (event.seen_by is None or self.seat in event.seen_by):
                noted = note(event)
                if noted is not None:
                    notes = (*notes, (who, *noted))
        return State(fork, notes)

    def ends(
        self,
        starts: Sequence[State],
        budget: Budget,
        enough: float = 1,
        left: list[tuple[State, dict[int, Chance]]] | None = None,
    ) -> Iterator[tuple[State, dict[int, Chance]]]:
        """States at the horizon with their chances by the place of the start, those out of budget left out, or put into `left`.

        What several starts lead to is played on once for all of them, equal states are one. Of the states on the way the
        likeliest is always played on first, so that what is left out is as little as can be. With less than 1 `enough`, so
        much of each check is looked at, in floating point numbers.
        """
        one: Chance = Fraction(1) if enough == 1 else 1.0
        waiting: dict[Key, tuple[State, dict[int, Chance]]] = {}
        reached: dict[Key, tuple[State, dict[int, Chance]]] = {}
        order: list[tuple[float, Key]] = []
        numbers = count()

        def wait(state: State, more: Iterable[tuple[int, Chance]]) -> None:
            # Where only a part is looked at, few states come twice: it is not worth asking.
            key = state.key() if enough == 1 else (b"", (("", "", next(numbers)),))
            there = waiting
            if key in reached or (key not in waiting and self.ended(state.world.game)):
                there = reached
            known = there.setdefault(key, (state, {}))[1]
            for place, chance in more:
                known[place] = known[place] + chance if place in known else chance
            if there is waiting:
                heappush(order, (-float(max(known.values())), key))

        for place, start in enumerate(starts):
            wait(start, [(place, one)])
        while order:
            found = waiting.pop(heappop(order)[1], None)
            if found is None:
                continue  # it grew, and was played on under its greater weight
            state, weights = found
            if left is not None and not self._affords(state.world.game, budget):
                left.append(found)
                continue
            for each, chance in self._steps(state, budget, enough):
                part: Any = chance if enough == 1 else float(chance)
                wait(each, [(place, weight * part) for place, weight in weights.items()])
        yield from reached.values()

    def _affords(self, game: Game, budget: Budget) -> bool:
        """Whether all that may come next can be played on."""
        question = game.question
        if not isinstance(question, Roll):
            return budget.left > 0
        summary = self.summary(game, question)
        law = summary.ends if summary is not None else self.law(game, question)
        return law is not None and len(law) <= budget.left

    def _steps(self, state: State, budget: Budget, enough: float) -> Iterator[tuple[State, Fraction]]:
        game = state.world.game
        question = game.question
        if isinstance(question, Roll):
            summary = self.summary(game, question)
            if summary is not None:
                left = 1.0
                for facts, chance in summary.ends:
                    if left < 1 - enough or not budget.spend():
                        return
                    left -= float(chance)
                    yield self._after(state, lambda fork, facts=facts: fork.game.leap(summary.step, facts, summary.then)), chance  # type: ignore[misc]
                return
            law = self.law(game, question)
            total = sum(weight for _, weight in law) if law is not None else 1
            for outcome, weight in law or ():
                if not budget.spend():
                    return
                yield self._after(state, lambda fork, outcome=outcome: fork.answer(outcome)), Fraction(weight, total)  # type: ignore[misc]
            return
        if budget.spend():
            answer, seat = self.next_answer(state.world, budget)
            yield self._after(state, lambda fork: fork.answer(answer, seat)), Fraction(1)

    def sample(self, state: State, stream: Any, budget: Budget) -> State | None:
        """One playing to the horizon; None if the budget runs out on the way."""
        while not self.ended(state.world.game):
            if not budget.spend():
                return None
            game = state.world.game
            question = game.question
            if isinstance(question, Roll):
                summary = self.summary(game, question)
                if summary is None:
                    outcome = question.spec.sample(stream)
                    state = self._after(state, lambda fork, outcome=outcome: fork.answer(outcome))  # type: ignore[misc]
                else:
                    leap = (summary.step, _drawn(summary, stream), summary.then)
                    state = self._after(state, lambda fork, leap=leap: fork.game.leap(*leap))  # type: ignore[misc]
            else:
                answer = self.next_answer(state.world, budget)
                state = self._after(state, lambda fork, answer=answer: fork.answer(*answer))  # type: ignore[misc]
        return state

    def play(self, state: State, stream: Any, known: dict[bytes, tuple[Any, str | None]]) -> State:
        """One playing to the horizon, step by step, with dice drawn; `known` keeps what was answered in which state."""
        while not self.ended(state.world.game):
            question = state.world.game.question
            if isinstance(question, Roll):
                outcome = question.spec.sample(stream)
                state = self._after(state, lambda fork, outcome=outcome: fork.answer(outcome))  # type: ignore[misc]
                continue
            key = state.world.key()
            if key not in known:
                known[key] = self.next_answer(state.world, Budget(MOST_OUTCOMES))
            answer = known[key]
            state = self._after(state, lambda fork, answer=answer: fork.answer(*answer))  # type: ignore[misc]
        return state


def _drawn(summary: Summary, stream: Any) -> Mapping[str, Any]:
    """One end of a span, drawn; what is left out counts as the last one."""
    drawn = Fraction(stream.below(FINE), FINE)
    for facts, chance in summary.ends:
        drawn -= chance
        if drawn < 0:
            return facts
    return summary.ends[-1][0]
