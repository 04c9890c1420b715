"""The abstract duel: what each position of two duellists is worth, round after round, when both do what is best for them.

A sketch of section 5, for judging bids: a position is each side's strife and fatigue, whether it has been Compromised and has
unmasked; a turn is one deed with a law of strife, damage and victory; a finishing blow is one chance. Stances in force, Void
points, drawn blades, conditions and wounds are left out. A round is the staredown, a secret bid of both, two turns. What is left
out is the same for both sides, so the numbers say more of bids than of who wins. All are floating point numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from ...solvers.batches import values

Array = np.ndarray[Any, np.dtype[np.float64]]
First = Literal["first", "second", "chance"]

DRAW: Final = 0.5
MOST_GAMES: Final = 16_000_000
"""The budget: positions times pairs of bids, at most; each is a number in memory."""


class Outcome(NamedTuple):
    """What may come of a deed: its chance, the strife it costs, the damage it does.

    `wins` is the chance that this meets the objective at once, `ends` the same against a foe who is Incapacitated.
    """

    chance: float
    strife: int
    damage: int
    wins: float = 0.0
    ends: float = 1.0


class Deed(NamedTuple):
    """A way to use a turn; `calms`: with a Calming Breath before it (L5R-STN-7)."""

    name: str
    outcomes: tuple[Outcome, ...]
    calms: bool = False


BREATH: Final = Deed("breath", (Outcome(1.0, 0, 0, 0.0, 0.0),), calms=True)


@dataclass(frozen=True)
class Duellist:
    """What the table looks at of a duellist; `blow` is the chance that its finishing blow meets the objective.

    `deeds` are open to it while it is composed, `strained` while it is Compromised; a breath always is.
    """

    composure: int
    endurance: int
    focus: int
    deeds: tuple[Deed, ...]
    strained: tuple[Deed, ...]
    blow: float

    def poise(self, strife: int, *, compromised: bool = False, unmasked: bool = False) -> int:
        """The place of a state on the axis of poises. Strife above composure is one state."""
        there = self.composure + 1 if compromised or strife > self.composure else strife
        return there + unmasked * (self.composure + 2)


@dataclass(frozen=True)
class Duel:
    """Two duellists and what holds between them.

    `lead` is how much more initiative the first has; `ties` who acts first where both have the same, and whose finishing blow
    comes first (L5R-DUEL-7, L5R-DUEL-13); `per_event`: unmasking allows another blow; `downed`: who is Incapacitated has lost.
    """

    first: Duellist
    second: Duellist
    lead: int = 0
    ties: First = "chance"
    rounds: int = 30
    per_event: bool = False
    downed: bool = False


class DuelTable:
    """The worth of every position at the start of a round to the first duellist: the chance to win, draws counted half.

    Axes of an array: poise and fatigue of the first, poise and fatigue of the second; fatigue above endurance is one state.
    `starts` holds the rounds from `since` to the first in which strife no longer matters. ValueError beyond the budget.
    """

    def __init__(self, duel: Duel, since: int, starts: Sequence[Array] = ()) -> None:
        self.duel = duel
        self.since = since
        self.starts = list(starts)
        self.sides = (_Side(duel, 0), _Side(duel, 1))
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
        if side == 0:
            return self.sides[0].turn(after)
        return _turned(self.sides[1].turn(_turned(after)))

    def orders(self, number: int) -> tuple[Array, Array, Array]:
        """Worth before the turns of a round: when the first acts first, when the second does, and when chance decides."""
        after = self.start(number + 1)
        leading, trailing = self.turn(0, self.turn(1, after)), self.turn(1, self.turn(0, after))
        return leading, trailing, (leading + trailing) / 2

    def before(self, number: int, after: Array) -> Array:
        """Worth before the staredown of a round, from that before the next."""
        leading, trailing = self.turn(0, self.turn(1, after)), self.turn(1, self.turn(0, after))
        bidding = self._bidding(number, (leading, trailing, (leading + trailing) / 2))
        return self.strained(bidding, number, number)

    def strained(self, worth: Array, ours: int, theirs: int) -> Array:
        """Worth before both gain strife at once, from the worth after it and the finishing blows that follow."""
        if self.duel.ties == "chance" and ours and theirs:
            return (self._strained(worth, ours, theirs, 0) + self._strained(worth, ours, theirs, 1)) / 2
        return self._strained(worth, ours, theirs, int(self.duel.ties == "second"))

    def _strained(self, worth: Array, ours: int, theirs: int, earlier: int) -> Array:
        """`earlier`: whose blow falls first. What happens later is reckoned first."""
        for victim in (earlier, 1 - earlier):
            worth = self.sides[victim].strained(worth, (ours, theirs)[victim])
        return worth

    def order(self, ahead: int) -> int:
        """Who acts first when the first is ahead by so much initiative, bids included: a place in `orders`."""
        if ahead:
            return 0 if ahead > 0 else 1
        return ("first", "second", "chance").index(self.duel.ties)

    def _bidding(self, number: int, orders: tuple[Array, Array, Array]) -> Array:
        """Worth after the strife of a round's staredown: in each position a game of two, whose moves are bids.

        Strife is at least the round's number then; positions below are not looked at.
        """
        lead = self.duel.lead
        found = np.array(orders[self.order(lead)])
        pairs = {
            (a, b): self.strained(orders[self.order(lead + a - b)], a, b)
            for a in range(self.duel.first.focus + 1)
            for b in range(self.duel.second.focus + 1)
        }
        for one, ours in self.sides[0].pools(number):
            for other, theirs in self.sides[1].pools(number):
                if len(ours) * len(theirs) > 1:
                    part = found[one, :, other, :]
                    games = np.empty((len(ours), len(theirs), *part.shape))
                    for a in ours:
                        for b in theirs:
                            games[a, b] = pairs[a, b][one, :, other, :]
                    found[one, :, other, :] = values(games.reshape(*games.shape[:2], -1)).reshape(part.shape)
        return found

    def game(self, number: int, place: tuple[int, int, int, int]) -> list[list[float]]:
        """The game of bids in one position, after the strife of a round's staredown: worth by bid of the first and the second."""
        orders, lead = self.orders(number), self.duel.lead
        ours, theirs = (
            side.focus + 1 if poise % (side.composure + 2) <= side.composure else 1
            for side, poise in ((self.duel.first, place[0]), (self.duel.second, place[2]))
        )
        return [[float(self.strained(orders[self.order(lead + a - b)], a, b)[place]) for b in range(theirs)] for a in range(ours)]


class _Side:
    """One duellist against the other. Its own turn is reckoned with its own axes first."""

    def __init__(self, duel: Duel, side: int) -> None:
        self.side = side
        self.own, self.foe = (duel.first, duel.second) if side == 0 else (duel.second, duel.first)
        self.shape = (2 * self.width, self.own.endurance + 2)
        self.per_event = duel.per_event
        self.deeds = [_Worked(deed, self.foe, duel.downed) for deed in (*self.own.deeds, BREATH)]
        self.strained_deeds = [_Worked(deed, self.foe, duel.downed) for deed in (*self.own.strained, BREATH)]
        # Who is Incapacitated makes no finishing blow (L5R-DUEL-10).
        self.blow = np.full(self.foe.endurance + 2, self.foe.blow)
        self.blow[-1] = 0.0

    @property
    def width(self) -> int:
        """Poises before unmasking: strife 0 to composure, Compromised."""
        return self.own.composure + 2

    def pools(self, number: int) -> Iterator[tuple[slice, range]]:
        """Poises after the strife of a staredown, each with the bids that they allow (L5R-DUEL-5)."""
        for start in (0, self.width):
            if number < self.width - 1:
                yield slice(start + number, start + self.width - 1), range(self.own.focus + 1)
            yield slice(start + self.width - 1, start + self.width), range(1)

    def raised(self, strife: int) -> Any:
        """Where so much strife leads from each poise."""
        to = np.minimum(np.arange(self.width) + strife, self.width - 1)
        return np.concatenate((to, to + self.width))

    def strained(self, worth: Array, strife: int) -> Array:
        """Worth before this side gains strife: the first time it becomes Compromised the foe strikes (L5R-DUEL-8)."""
        if not strife:
            return worth
        found: Array = worth.take(self.raised(strife), axis=2 * self.side)
        crossing = slice(max(0, self.width - 1 - strife), self.width - 1)
        if self.side == 0:
            found[crossing] *= 1 - self.blow
        else:
            kept = 1 - self.blow[:, None, None]
            found[:, :, crossing] = found[:, :, crossing] * kept + self.blow[:, None, None]
        return found

    def turn(self, after: Array) -> Array:
        """Worth before its turn, its own axes first, to itself."""
        width = self.width
        bared = after[width]
        if self.per_event:
            bared = bared * (1 - self.blow)
        after = np.array(after)
        # Who is Compromised may unmask at the end of the turn, and at its start (L5R-DER-6).
        np.maximum(after[width - 1], bared, out=after[width - 1])
        found = np.array(after)
        able = self.own.endurance + 1
        composed = np.r_[0 : width - 1, width : 2 * width - 1]
        strained = np.array([width - 1, 2 * width - 1])
        for poises, deeds in ((composed, self.deeds), (strained, self.strained_deeds)):
            best = self._best(after, poises, deeds)
            found[poises, :able] = best[:, :able]
        unmasked = found[width, :able]
        if self.per_event:
            unmasked = unmasked * (1 - self.blow)
        np.maximum(found[width - 1, :able], unmasked, out=found[width - 1, :able])
        return found

    def _best(self, after: Array, poises: Any, deeds: Sequence[_Worked]) -> Array:
        best: Array | None = None
        for deed in deeds:
            reckoned = self._done(deed, after, poises)
            best = reckoned if best is None else np.maximum(best, reckoned, out=best)
        assert best is not None
        return best

    def _done(self, deed: _Worked, after: Array, poises: Any) -> Array:
        """Worth before a deed in these poises."""
        came = poises
        if deed.calms:
            came = self._calmed(poises)
        found = np.zeros((len(poises), *after.shape[1:]))
        for strife, law, wins in zip(deed.strife, deed.laws, deed.wins, strict=True):
            to = self.raised(strife)[came]
            landed = after[to] @ law + wins
            if strife:
                # The finishing blow falls before the deed's own effect (L5R-DUEL-9).
                crossing = (came < self.width - 1) & (to == self.width - 1)
                landed[crossing] *= 1 - self.blow
            found += landed
        if deed.calms:
            fatigue = np.arange(found.shape[1])
            rested = fatigue - ((fatigue > (self.own.endurance + 1) // 2) & (fatigue <= self.own.endurance))
            found = found[:, rested]
        return found

    def _calmed(self, poises: Any) -> Any:
        """Where a Calming Breath leads: 1 strife less above half of composure (L5R-ACT-3)."""
        strife = poises % self.width
        return poises - ((strife > (self.own.composure + 1) // 2) & (strife < self.width - 1))


class _Worked:
    """A deed against a foe, by the strife that it costs: the law of the foe's fatigue, and what its victories are worth."""

    def __init__(self, deed: Deed, foe: Duellist, downed: bool) -> None:
        self.calms = deed.calms
        self.strife = sorted({outcome.strife for outcome in deed.outcomes})
        size = foe.endurance + 2
        self.laws = [np.zeros((size, size)) for _ in self.strife]
        """By fatigue after it and before it."""
        self.wins = [np.zeros(size) for _ in self.strife]
        for outcome in deed.outcomes:
            place = self.strife.index(outcome.strife)
            law, wins = self.laws[place], self.wins[place]
            for fatigue in range(size):
                met = outcome.wins if fatigue < size - 1 else outcome.ends
                to = min(fatigue + outcome.damage, size - 1)
                if downed and to == size - 1:
                    met = 1.0
                wins[fatigue] += outcome.chance * met
                law[to, fatigue] += outcome.chance * (1 - met)


def _turned(worth: Array) -> Array:
    """The same positions as the other side sees them."""
    return np.ascontiguousarray(1 - worth.transpose(2, 3, 0, 1))


def _late(duel: Duel) -> int:
    """The first round whose staredown leaves both Compromised whatever their strife."""
    return max(duel.first.composure, duel.second.composure) + 1


def _positions(duel: Duel, number: int) -> int:
    return 1 + max(0, duel.first.composure + 1 - number) * max(0, duel.second.composure + 1 - number)
