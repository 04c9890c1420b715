"""A player who picks any offer, each equally likely."""

from __future__ import annotations

from ..dice import Stream
from ..engine.encounter import Encounter
from ..engine.errors import IllegalAnswer
from ..engine.questions import Offer


class Random:
    """Draws from a stream of its own, named by seed and seat, so that the dice of the encounter stay as they are."""

    def __init__(self, seed: int, seat: str) -> None:
        self._stream = Stream.named(seed, "random", seat)

    def __call__(self, encounter: Encounter, seat: str) -> Offer:
        """One of the offers. IllegalAnswer if the seat is not asked."""
        choice = encounter.choice(seat)
        if choice is None:
            raise IllegalAnswer(f"{seat} is not asked now")
        return self._stream.choose(choice.offers)
