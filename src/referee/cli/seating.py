"""The options that say who sits where, read and checked; and what several verbs print alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..content.faults import suggestion
from ..engine.encounter import Encounter
from ..engine.errors import RefereeError
from ..engine.replaying import Difference
from ..players.seats import BOTS, players_of, seats_of

if TYPE_CHECKING:
    from ..players.ink import Ink


def seating(encounter: Encounter, given: Iterable[str], kinds: Iterable[str]) -> dict[str, str]:
    """Who was put where: seat to kind of player. RefereeError if there is no such seat or kind."""
    chosen: dict[str, str] = {}
    seats = seats_of(encounter)
    kinds = tuple(kinds)
    for each in given:
        seat, equals, kind = each.partition("=")
        if not equals:
            raise RefereeError(f"--seat {each}: write NAME=PLAYER, as --seat {seats[0]}={kinds[0]}")
        if seat not in seats:
            raise RefereeError(f"--seat {each}: there is no seat {seat!r}; {suggestion(seat, seats)}")
        if kind not in kinds:
            raise RefereeError(f"--seat {each}: there is no player {kind!r}; {suggestion(kind, kinds)}")
        if seat in chosen:
            raise RefereeError(f"--seat {each}: {seat} is taken by {chosen[seat]}")
        chosen[seat] = kind
    return chosen


def bots_in(encounter: Encounter, given: Iterable[str]) -> Mapping[str, str]:
    """A kind of bot for every seat: as put there, else greedy."""
    return {**dict.fromkeys(players_of(encounter), "greedy"), **seating(encounter, given, BOTS)}


def tell_result(ink: Ink, encounter: Encounter) -> None:
    """Who won and why, if it is over."""
    if encounter.result is not None:
        ink.say()
        ink.say(str(encounter.game.ruleset.words.result(encounter.game, encounter.result)), "bold")


def result_of(encounter: Encounter) -> dict[str, str | None] | None:
    """The result as JSON has it."""
    return None if encounter.result is None else {"winner": encounter.result.winner, "reason": encounter.result.reason}


def worded(difference: Difference) -> str:
    """A difference in one sentence."""
    line = f"line {difference.line}, " if difference.line else ""
    rules = f" [{', '.join(difference.rules)}]" if difference.rules else ""
    return f"{line}entry {difference.number}: {difference.why}{rules}"
