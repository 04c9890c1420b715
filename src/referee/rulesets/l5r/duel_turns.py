"""The turns of one duellist in the abstract duel, for all positions at once. See `duel_table`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
Places = np.ndarray[Any, np.dtype[np.intp]]
First = Literal["first", "second", "chance"]


MOST_AT_ONCE: Final = 250_000
"""Multiplications in one product of matrices: larger ones go to several threads, which wait for one another on a busy machine."""


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


class Side:
    """One duellist against the other. Its own turn is reckoned with its own axes first: poise and fatigue, then the foe's."""

    def __init__(self, duel: Duel, side: int) -> None:
        self.side = side
        self.own, self.foe = (duel.first, duel.second) if side == 0 else (duel.second, duel.first)
        self.shape = (2 * self.width, self.own.endurance + 2)
        self.per_event = duel.per_event
        # Who is Incapacitated makes no finishing blow (L5R-DUEL-10).
        self.blow = np.full(self.foe.endurance + 2, self.foe.blow)
        self.blow[-1] = 0.0
        self.downed = duel.downed
        self.deeds = self.one_law(self.own.deeds)
        self.strained_deeds = self.one_law(self.own.strained)

    def one_law(self, deeds: Sequence[Deed]) -> Deeds:
        """These and a breath, against this side's foe."""
        return Deeds((*deeds, BREATH), self.foe, self.blow, downed=self.downed)

    @property
    def width(self) -> int:
        """Poises before unmasking: strife 0 to composure, Compromised."""
        return self.own.composure + 2

    def poises(self, masked: int = 0, bare: int = 0) -> Places:
        """The poises with so much strife at least, before unmasking and after it."""
        last = self.width - 1
        found: Places = np.r_[min(masked, last) : self.width, self.width + min(bare, last) : 2 * self.width]
        return found

    def calmest(self, number: int, since: int) -> int:
        """The least strife before the staredown of a round that may be left of none in an earlier one, not unmasked."""
        strife = 0
        for each in range(since, number):
            strife += each
            strife -= strife > (self.own.composure + 1) // 2
        return strife

    def near(self, poise: int, most: int) -> Places:
        """A poise and those that up to so much strife more leads to, and all Compromised."""
        to = [self.raised(np.array(poise), more) for more in range(most + 1)]
        return np.unique([*to, self.width - 1, 2 * self.width - 1])

    def reached(self, wanted: Places) -> Places:
        """The poises to which a turn may lead from these: strife gained, a breath taken, unmasked."""
        composed = wanted[wanted % self.width != self.width - 1]
        rows = np.concatenate((composed, [self.width], self._calmed(composed)))
        to = [self.raised(rows, strife) for strife in self.deeds.strife]
        return np.unique(np.concatenate((*to, [self.width - 1, 2 * self.width - 1])))

    def pools(self, poises: Places) -> Iterator[tuple[Places, range]]:
        """Places among these poises, each with the bids that they allow (L5R-DUEL-5)."""
        composed = poises % self.width < self.width - 1
        if composed.any():
            yield np.flatnonzero(composed), range(self.own.focus + 1)
        yield np.flatnonzero(~composed), range(1)

    def raised(self, poises: Places, strife: int) -> Places:
        """Where so much strife leads."""
        found: Places = np.minimum(poises % self.width + strife, self.width - 1) + poises // self.width * self.width
        return found

    def strained(self, worth: Array, strife: int, poises: Places, to: Places | None = None) -> Array:
        """Worth of poises before this side gains strife, from that of those `to` which it leads (left out: the same ones).

        The first time it becomes Compromised the foe strikes (L5R-DUEL-8).
        """
        if not strife:
            return worth
        to = poises if to is None else to
        found: Array = worth.take(np.searchsorted(to, self.raised(poises, strife)), axis=2 * self.side)
        last = self.width - 1
        self._struck(found, slice(*np.searchsorted(poises, [last - strife, last])))
        return found

    def _struck(self, worth: Array, crossing: slice) -> None:
        if self.side == 0:
            worth[crossing] *= 1 - self.blow
        else:
            kept = 1 - self.blow[:, None, None]
            worth[:, :, crossing] = worth[:, :, crossing] * kept + self.blow[:, None, None]

    def turn(self, after: Array, came: Places, wanted: Places) -> Array:
        """Worth of the poises wanted before its turn, to itself, from that of the poises to which the turn may lead."""
        width, able = self.width, self.own.endurance + 1
        at = np.full(2 * width, -1)
        at[came] = np.arange(len(came))
        masked, bare = width - 1, width
        bared = after[at[bare]]
        if self.per_event:
            bared = bared * (1 - self.blow)
        after = np.array(after)
        # Who is Compromised may unmask at the end of the turn, and at its start (L5R-DER-6).
        np.maximum(after[at[masked]], bared, out=after[at[masked]])
        found: Array = after[at[wanted]]
        composed = wanted[wanted % width != width - 1]
        rows = np.unique(np.concatenate((composed, [bare], self._calmed(composed))))
        best = np.empty((2 * width, able, *after.shape[2:]))
        plain, calm = self._done(self.deeds, after, at, rows)
        place = np.searchsorted(rows, self._calmed(rows))
        best[rows] = np.maximum(plain, self._rested(calm[place]))
        strained = np.array([masked, 2 * width - 1])
        plain, calm = self._done(self.strained_deeds, after, at, strained)
        best[strained] = np.maximum(plain, self._rested(calm))
        found[:, :able] = best[wanted]
        unmasked = best[bare]
        if self.per_event:
            unmasked = unmasked * (1 - self.blow)
        here = int(np.flatnonzero(wanted == masked)[0])
        np.maximum(found[here, :able], unmasked, out=found[here, :able])
        return found

    def _done(self, deeds: Deeds, after: Array, at: Places, rows: Places) -> tuple[Array, Array]:
        """Worth before the best deed, and before the best with a breath once it is taken, in these poises."""
        able = self.own.endurance + 1
        to = [self.raised(rows, strife) for strife in deeds.strife]
        # The finishing blow falls before the deed's own effect (L5R-DUEL-9).
        crossing = sum(((rows < self.width - 1) & (each == self.width - 1)).astype(int) for each in to)
        shape = (len(rows), able, *after.shape[2:])
        found = np.full((2, *shape), -1.0)
        for many in np.unique(crossing):
            part = np.flatnonzero(crossing == many)
            led = np.concatenate([after[at[each[part]], :able] for each in to], axis=-1)
            law, wins = deeds.laws[many], deeds.wins[many]
            size = after.shape[-1]
            some = max(1, MOST_AT_ONCE // (led.shape[-2] * led.shape[-1] * size))
            for start in range(0, len(deeds.calms), some):
                columns = slice(start * size, (start + some) * size)
                done = led @ law[:, columns]
                done += wins[columns]
                for place, calms in enumerate(deeds.calms[start : start + some]):
                    each = done[..., place * size : (place + 1) * size]
                    found[int(calms), part] = np.maximum(found[int(calms), part], each)
        return found[0], found[1]

    def done(self, after: Array, deeds: Deeds, place: tuple[int, int, int, int]) -> list[float]:
        """Worth of one position before each deed, its own axes first, from that of all positions after it."""
        poise, fatigue, foe, hurt = place
        rested = self.breathed(poise, fatigue)
        found = []
        for own, tired in ((poise, fatigue), rested):
            to = [int(self.raised(np.array(own), strife)) for strife in deeds.strife]
            many = to.count(self.width - 1) if own < self.width - 1 else 0
            worths = after[to, tired, foe].ravel() @ deeds.laws[many] + deeds.wins[many]
            found.append(worths.reshape(len(deeds.calms), -1)[:, hurt])
        return [float(found[calms][number]) for number, calms in enumerate(deeds.calms)]

    def breathed(self, poise: int, fatigue: int) -> tuple[int, int]:
        """Where a breath leads, on both axes."""
        return int(self._calmed(np.array(poise))), int(self._less_tired(np.array(fatigue)))

    def _calmed(self, poises: Places) -> Places:
        """Where a Calming Breath leads: 1 strife less above half of composure (L5R-ACT-3)."""
        strife = poises % self.width
        return poises - ((strife > (self.own.composure + 1) // 2) & (strife < self.width - 1))

    def _rested(self, worth: Array) -> Array:
        return worth[:, self._less_tired(np.arange(worth.shape[1]))]

    def _less_tired(self, fatigue: Places) -> Places:
        return fatigue - ((fatigue > (self.own.endurance + 1) // 2) & (fatigue <= self.own.endurance))


class Deeds:
    """Ways to use a turn against a foe, as one law: of the foe's fatigue, by the strife that the deed costs.

    `laws` leads from the worths after each amount of `strife`, by the foe's fatigue, to those of each deed; `wins` is what its
    victories are worth. There is one for each number of amounts, the greatest first, that bring a finishing blow of the foe.
    """

    def __init__(self, deeds: Sequence[Deed], foe: Duellist, blow: Array, *, downed: bool) -> None:
        self.calms = [deed.calms for deed in deeds]
        self.strife = sorted({outcome.strife for deed in deeds for outcome in deed.outcomes})
        size = foe.endurance + 2
        law = np.zeros((len(self.strife), size, len(deeds), size))
        """By amount, fatigue after it, deed, fatigue before it."""
        wins = np.zeros((len(self.strife), len(deeds), size))
        fatigue = np.arange(size)
        for place, deed in enumerate(deeds):
            for chance, strife, damage, met, met_helpless in deed.outcomes:
                amount = self.strife.index(strife)
                to = np.minimum(fatigue + damage, size - 1)
                victory = np.full(size, met)
                victory[-1] = met_helpless
                if downed:
                    victory[to == size - 1] = 1.0
                wins[amount, place] += chance * victory
                np.add.at(law[amount, :, place], (to, fatigue), chance * (1 - victory))
        self.laws: list[Array] = []
        self.wins: list[Array] = []
        for many in range(len(self.strife) + 1):
            left = np.ones((len(self.strife), 1, size))
            left[len(self.strife) - many :] = 1 - blow
            self.laws.append(np.ascontiguousarray((law * left[:, :, None]).reshape(-1, len(deeds) * size)))
            self.wins.append((wins * left).sum(axis=0).reshape(-1))


def turned(worth: Array) -> Array:
    """The same positions as the other side sees them."""
    return np.ascontiguousarray(1 - worth.transpose(2, 3, 0, 1))
