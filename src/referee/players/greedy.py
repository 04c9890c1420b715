"""A player who looks one answer ahead: takes the offer after which things look best to its seat.

It knows what its seat can know: it looks at imagined encounters, never at the true one.
"""

from __future__ import annotations

from typing import Final

from ..dice import Stream
from ..engine.encounter import Encounter
from ..engine.errors import IllegalAnswer
from ..engine.frames import PASS
from ..engine.game import Game
from ..engine.hiding import unknown_to
from ..engine.questions import Choice, Offer, Roll, Together
from ..engine.records import hidden_fields, knows

WORLDS: Final = 2  # imagined where something is hidden from the seat
SAMPLES: Final = 3  # of the rolls that follow on an answer
FORCED: Final = 40  # rolls and passes of others that are played on after an answer, at most


class Greedy:
    """Compares offers by `ruleset.worth` at the next question that is a decision; ties go to the first offer.

    Rolls on the way are sampled from a stream of its own, named by seed and seat; the same draws for every offer.
    """

    def __init__(self, seed: int, seat: str) -> None:
        self._seed = seed
        self._seat = seat
        self._decisions = 0
        self._dreams = Stream.named(seed, "greedy", seat)

    def __call__(self, encounter: Encounter, seat: str) -> Offer:
        """The best offer. IllegalAnswer if the seat is not asked."""
        choice = encounter.choice(seat)
        if choice is None:
            raise IllegalAnswer(f"{seat} is not asked now")
        offers = choice.offers
        if len(offers) == 1:
            return offers[0]
        self._decisions += 1
        preferred = self._preferred(encounter, choice, seat)
        if preferred is not None:
            return preferred
        worlds = WORLDS if hides_something(encounter.game, seat) else 1
        sums = [0] * len(offers)
        for number in range(worlds):
            stream = Stream.named(self._seed, "greedy", self._seat, self._decisions, number)
            world = encounter.imagine(seat, stream)
            judge = world.game.ruleset.judge if world.game.branches is not None else None
            if judge is not None:
                # What others draft at the same time is unknown, so nothing is learned by trying this out.
                judged = [judge(world.game, choice, offer) for offer in offers]
                return offers[judged.index(max(judged))]
            for place, offer in enumerate(offers):
                sums[place] += _expected(world, seat, offer, stream)
        return offers[sums.index(max(sums))]

    def _preferred(self, encounter: Encounter, choice: Choice, seat: str) -> Offer | None:
        """What the ruleset would have it take at once, by what the seat can know; None if it would rather try."""
        game = encounter.game
        ruleset = game.ruleset
        if ruleset.prefers is None:
            return None
        if game.branches is not None or game.unseen or not ruleset.certain(game, seat):
            self._dreams.drawn = self._decisions << 32
            game = encounter.imagine(seat, self._dreams).game
        offer: Offer | None = ruleset.prefers(game, choice)
        return offer


def hides_something(game: Game, seat: str) -> bool:
    """Whether there is anything that the seat cannot know: in the records, or in what others decide in secret now."""
    if game.unseen and unknown_to(game, seat):
        return True
    facts = game.seats[seat]
    for record in game.records.values():
        hidden = hidden_fields(record.__class__)
        if hidden and not all(knows(game, facts, record, mark) for mark in hidden.values()):
            return True
    return game.branches is not None


def _expected(world: Encounter, seat: str, offer: Offer, stream: Stream) -> int:
    """What an answer is worth, summed over as many samples for every offer."""
    start = stream.drawn
    first, chance = _after(world, seat, offer, stream)
    if not chance:
        stream.drawn = start
        return first * SAMPLES
    total = first
    for _ in range(SAMPLES - 1):
        total += _after(world, seat, offer, stream)[0]
    stream.drawn = start
    return total


def _after(world: Encounter, seat: str, offer: Offer, stream: Stream) -> tuple[int, bool]:
    """What one playing of an answer is worth at the next decision, and whether chance took part."""
    fork = world.fork(log=False)
    fork.answer(offer, seat)
    chance = False
    game = fork.game
    for _ in range(FORCED):
        question = game.question
        if isinstance(question, Roll):
            chance = True
            fork.answer(question.spec.sample(stream))
        elif isinstance(question, Together):
            # What others seal is not known, and what this seat has yet to draft is not decided.
            chance = True
            asked = game.asked_for[next(each for each in game.branches or () if each in game.asked_for)]
            fork.answer(stream.choose(asked.offers), asked.seat)
        elif isinstance(question, Choice) and question.seat != seat and question.offers[0] is PASS:
            fork.answer(PASS)
        else:
            break
    return game.ruleset.worth(game, seat), chance
