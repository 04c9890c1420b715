"""The abstract duel: what each position of two duellists is worth, round after round, when both do what is best for them.

A sketch of section 5, for judging bids: a position is each side's strife and fatigue, whether it has been Compromised and has
unmasked; a turn is one deed with a law of strife, damage and victory; a finishing blow is one chance. Stances in force, Void
points, drawn blades, conditions and wounds are left out. A round is the staredown, a secret bid of both, two turns. What is left
out is the same for both sides, so the numbers say more of bids than of who wins. All are floating point numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Final

import numpy as np

from ...solvers.batches import values
from .duel_turns import BREATH, Array, Deed, Duel, Duellist, First, Outcome, Places, Side, turned

__all__ = ["BREATH", "Array", "Deed", "Duel", "DuelTable", "Duellist", "First", "Outcome"]

Poises = tuple[Places, Places]
Both = tuple[int, int]

DRAW: Final = 0.5
MOST_GAMES: Final = 16_000_000
"""The budget: positions times pairs of bids, at most; each is a number in memory."""


class DuelTable:
    """The worth of every position at the start of a round to the first duellist: the chance to win, draws counted half.

    Axes of an array: poise and fatigue of the first, poise and fatigue of the second; fatigue above endurance is one state.
    `starts` holds the rounds from `since` to the first in which strife no longer matters. ValueError beyond the budget.
    """

    def __init__(self, duel: Duel, since: int, starts: Sequence[Array] = ()) -> None:
        self.duel = duel
        self.since = since
        self.starts = list(starts)
        self.sides = (Side(duel, 0), Side(duel, 1))
        self.shape = (*self.sides[0].shape, *self.sides[1].shape)
        if prod(self.shape) * (duel.first.focus + 1) * (duel.second.focus + 1) > MOST_GAMES:
            numbers = [f"{side.composure}, {side.endurance}, {side.focus}" for side in (duel.first, duel.second)]
            raise ValueError(
                f"composure, endurance and focus {numbers[0]} against {numbers[1]} make too many positions for the table"
            )

    @classmethod
    def build(cls, duel: Duel, since: int = 1, progress: Callable[[float], None] = lambda done: None) -> DuelTable:
        """The table of a duel from a round on; `progress` hears how much of it is done, from 0 to 1."""
        table = cls(duel, since)
        late = max(since, min(_late(duel), duel.rounds + 1))
        start = table.start(late)
        table.starts = [start]
        work = [_positions(duel, number) for number in range(since, late)]
        for number in range(late - 1, since - 1, -1):
            progress(sum(work[number - since + 1 :]) / sum(work))
            start = table.before(number, start)
            table.starts.insert(0, start)
        progress(1.0)
        return table

    def start(self, number: int) -> Array:
        """The worth of all positions before the staredown of a round; a draw after the last."""
        if self.since <= number < self.since + len(self.starts):
            return self.starts[number - self.since]
        if number > self.duel.rounds:
            return np.full(self.shape, DRAW)
        if number < _late(self.duel):
            raise ValueError(f"the table begins with round {self.since}")
        # From here on each staredown leaves both Compromised whatever their strife, so one strife is as good as another.
        bare = replace(self.duel, first=replace(self.duel.first, composure=0), second=replace(self.duel.second, composure=0))
        small = DuelTable(bare, number)
        worth = np.full(small.shape, DRAW)
        for each in range(self.duel.rounds, number - 1, -1):
            worth = small.before(each, worth)
        places = [np.repeat(np.arange(4), (side.composure + 1, 1) * 2) for side in (self.duel.first, self.duel.second)]
        return np.ascontiguousarray(worth[places[0]][:, :, places[1]])

    def turn(self, side: int, after: Array) -> Array:
        """Worth before the turn of a side that does what is best for it, from the worth after it."""
        every = self.sides[side].poises()
        return self._turn(side, after, every, every)

    def _turn(self, side: int, after: Array, came: Places, wanted: Places) -> Array:
        """The same from some poises of that side to others."""
        if side == 0:
            return self.sides[0].turn(after, came, wanted)
        return turned(self.sides[1].turn(turned(after), came, wanted))

    def both(self, after: Array, wanted: Poises) -> tuple[Array, Array]:
        """Worth of some poises of both before their turns: when the first acts first, and when the second does."""
        came = [side.reached(poises) for side, poises in zip(self.sides, wanted, strict=True)]
        after = np.ascontiguousarray(after[came[0]][:, :, came[1]])
        leading, trailing = self._turn(1, after, came[1], wanted[1]), self._turn(0, after, came[0], wanted[0])
        return self._turn(0, leading, came[0], wanted[0]), self._turn(1, trailing, came[1], wanted[1])

    def before(self, number: int, after: Array) -> Array:
        """Worth before the staredown of a round, from that before the next; not a number where nobody can be then."""
        least = [side.calmest(number, self.since) for side in self.sides]
        starts = [side.poises(strife) for side, strife in zip(self.sides, least, strict=True)]
        poises = self.sides[0].poises(least[0] + number, number), self.sides[1].poises(least[1] + number, number)
        leading, trailing = self.both(after, poises)
        bidding = self._bidding((leading, trailing, (leading + trailing) / 2), poises)
        found = np.full(self.shape, np.nan)
        found[starts[0][:, None], :, starts[1]] = self._gained(
            bidding, (number, number), (starts[0], starts[1]), poises
        ).transpose(0, 2, 1, 3)
        return found

    def _gained(self, worth: Array, strife: Both, poises: Poises, to: Poises | None = None) -> Array:
        """Worth of poises before both gain strife at once, from the worth after it and the finishing blows that follow."""
        orders = (0, 1) if self.duel.ties == "chance" and all(strife) else (int(self.duel.ties == "second"),)
        found = []
        for earlier in orders:
            each = worth
            for victim in (earlier, 1 - earlier):  # what happens later is reckoned first
                led = None if to is None else to[victim]
                each = self.sides[victim].strained(each, strife[victim], poises[victim], led)
            found.append(each)
        return found[0] if len(found) == 1 else (found[0] + found[1]) / 2

    def order(self, ahead: int) -> int:
        """Who acts first when the first is ahead by so much initiative, bids included: a place in `orders`."""
        if ahead:
            return 0 if ahead > 0 else 1
        return ("first", "second", "chance").index(self.duel.ties)

    def _bidding(self, orders: tuple[Array, Array, Array], poises: Poises) -> Array:
        """Worth after the strife of a round's staredown: in each position a game of two, whose moves are bids."""
        lead = self.duel.lead
        found = np.array(orders[self.order(lead)])
        pools = [list(side.pools(each)) for side, each in zip(self.sides, poises, strict=True)]
        if all(len(each) == 1 for each in pools):
            return found  # all are Compromised
        pairs = {
            (a, b): self._gained(orders[self.order(lead + a - b)], (a, b), poises)
            for a in range(self.duel.first.focus + 1)
            for b in range(self.duel.second.focus + 1)
        }
        for one, ours in pools[0]:
            for other, theirs in pools[1]:
                if len(ours) * len(theirs) > 1:
                    games = [[pairs[a, b][one][:, :, other] for b in theirs] for a in ours]
                    shape = games[0][0].shape
                    worth = values(np.array(games).reshape(len(ours), len(theirs), -1)).reshape(shape)
                    found[one[:, None], :, other] = worth.transpose(0, 2, 1, 3)
        return found

    def game(self, number: int, place: tuple[int, int, int, int]) -> list[list[float]]:
        """The game of bids in one position, after the strife of a round's staredown: worth by bid of the first and the second."""
        sides, lead = (self.duel.first, self.duel.second), self.duel.lead
        poises = self.sides[0].near(place[0], sides[0].focus), self.sides[1].near(place[2], sides[1].focus)
        leading, trailing = self.both(self.start(number + 1), poises)
        orders = (leading, trailing, (leading + trailing) / 2)
        here = int(np.searchsorted(poises[0], place[0])), place[1], int(np.searchsorted(poises[1], place[2])), place[3]
        ours, theirs = (
            side.focus + 1 if poise % (side.composure + 2) <= side.composure else 1
            for side, poise in zip(sides, (place[0], place[2]), strict=True)
        )
        return [
            [float(self._gained(orders[self.order(lead + a - b)], (a, b), poises)[here]) for b in range(theirs)]
            for a in range(ours)
        ]


def _late(duel: Duel) -> int:
    """The first round whose staredown leaves both Compromised whatever their strife."""
    return max(duel.first.composure, duel.second.composure) + 1


def _positions(duel: Duel, number: int) -> int:
    return 1 + max(0, duel.first.composure + 1 - number) * max(0, duel.second.composure + 1 - number)
