"""Who may sit in a seat, and the loop in which they play an encounter to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from ..content.faults import suggestion
from ..engine.encounter import Encounter
from ..engine.errors import RefereeError
from ..engine.events import Event
from ..engine.questions import Offer, Roll
from .greedy import Greedy
from .random_player import Random


class Player(Protocol):
    """Answers for a seat that is asked: with one of its offers, or None if it has acted on the encounter itself.

    A person may take back, concede or save; then the encounter is looked at anew.
    """

    def __call__(self, encounter: Encounter, seat: str) -> Offer | None:
        """The answer of a seat that is asked now."""


BOTS: Mapping[str, Callable[[int, str], Player]] = {"greedy": Greedy, "random": Random}


def bot(kind: str, seed: int, seat: str) -> Player:
    """A bot for a seat, with a stream of its own. RefereeError if there is no such kind."""
    if kind not in BOTS:
        raise RefereeError(f"there is no player {kind!r}; {suggestion(kind, BOTS)}")
    return BOTS[kind](seed, seat)


def players_of(encounter: Encounter) -> tuple[str, ...]:
    """The seats of players: neither the GM nor spectators."""
    return tuple(seat.name for seat in encounter.game.seats.values() if seat.role == "player")


def seats_of(encounter: Encounter) -> tuple[str, ...]:
    """The seats that can be asked: the players' and the GM's."""
    return tuple(seat.name for seat in encounter.game.seats.values() if seat.role != "spectator")


def play(
    encounter: Encounter,
    players: Mapping[str, Player],
    roll: Callable[[Encounter], Any] | None = None,
    told: int = 0,
) -> Iterator[Event]:
    """Lets players answer until the encounter is over, and yields what happens as it happens.

    `roll` is asked for every roll that the encounter does not draw itself: the outcome, or None to look anew. The first
    `told` events are known already. RefereeError if a seat is asked in which nobody sits, or a roll for which nobody
    throws.
    """
    if encounter.game.events is not None:
        for event in encounter.events()[told:]:
            told += 1
            yield event
    while encounter.question is not None:
        if isinstance(encounter.question, Roll):
            if roll is None:
                raise RefereeError("the dice are asked for, and nobody is here who throws them")
            outcome = roll(encounter)
            if outcome is not None:
                encounter.answer(outcome)
        else:
            # The first of those who are asked: who decides in secret comes to the end of it before the next begins.
            seat = encounter.asked()[0]
            if seat not in players:
                raise RefereeError(f"{seat} is asked, and nobody sits there: seat somebody with --seat {seat}=PLAYER")
            answer = players[seat](encounter, seat)
            if answer is not None:
                encounter.answer(answer, seat)
        game = encounter.game
        if game.events is not None:
            # What was taken back is no longer in the log, and was told before it was taken back.
            told = min(told, game.logged)
            while told < game.logged:
                told += 1
                yield game.events[told - 1]
