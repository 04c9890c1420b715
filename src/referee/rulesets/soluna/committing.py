"""Contests of two in closed form, and what both commit to one in secret as a game (SOL-CONT-3 to SOL-CONT-6)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from ...dice.like import contest_chances, face_law, group_law
from ...engine import Game, Offer
from ...engine.chances import Payoffs, Progress
from .contests import Contests, can_differ

NOTE: Final = "the chance to win, a tie counted half, as if Mind Points were for nothing else"


def contest(first: tuple[int, int], second: tuple[int, int], ties: str) -> tuple[Fraction, Fraction, Fraction]:
    """SOL-CONT-3, SOL-CONT-4: the chances that the first wins, of no change, that the second wins."""
    if ties == "higher_face":
        return contest_chances(face_law(*first), face_law(*second))
    chances = contest_chances(group_law(*first), group_law(*second))
    if ties == "reroll" and can_differ([(*first, 0), (*second, 0)]):
        decided = chances[0] + chances[2]
        return chances[0] / decided, Fraction(0), chances[2] / decided
    return chances


def foresee(game: Game, seat: str, progress: Progress) -> Payoffs | None:
    """How a contest of two is judged; None where there are several contests, or more than two in one."""
    asked = game.asked_for.get(seat)
    depth = game.find(Contests)
    if asked is None or asked.about != "commitment" or depth < 0:
        return None
    contests: Any = game.agenda[depth]
    if len(contests.called) != 1 or len(contests.called[0].contestants) != 2:
        return None
    called = contests.called[0]
    sides = [game.table.side[who] for who in called.contestants]
    if sides[0] == sides[1]:
        return None
    extra = dict(zip(sides, (pool[2] for pool in called.pools), strict=True))
    other = sides[1 - sides.index(asked.seat)]
    ties = game.policy["contest_tie"]

    def pairs(ours: Sequence[Offer], theirs: Sequence[Offer]) -> list[list[Fraction]]:
        return [[_worth(_pool(one, extra[asked.seat]), _pool(two, extra[other]), ties) for two in theirs] for one in ours]

    return Payoffs(pairs, NOTE)


def _pool(offer: Offer, extra: int) -> tuple[int, int]:
    value: Any = offer.value
    return value[1], value[2] + extra


def _worth(ours: tuple[int, int], theirs: tuple[int, int], ties: str) -> Fraction:
    won, tied, _ = contest(ours, theirs, ties)
    return won + tied / 2
