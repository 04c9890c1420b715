"""Follow-up dice that are all rolled together and then chosen from, wave by wave; see `followups` for one at a time.

The two differ only where strife is limited and several exploding dice are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import NamedTuple

from .followups import seen
from .goals import Goal
from .symbols import Face, SymbolDie

Pending = tuple[int, int]
Symbols = tuple[int, int, int]
Counts = tuple[int, ...]


class Wave(NamedTuple):
    """What a wave shows: what is kept in any case, and how many dice of each class there are to choose from."""

    pending: Pending
    symbols: Symbols
    counts: Counts


Merged = tuple[Pending, int, int, Counts, int]
"""The same as far as it matters: dice to follow, successes, opportunities, dice to choose from, weight."""


class Waves:
    """The value of so many follow-up dice of two kinds still to roll, all rolled at once, with what is kept so far.

    There is no limit on how many are kept, so for a goal to which more is never worse a face without strife is always kept.
    Values are whole numbers over `scale`.
    """

    def __init__(self, goal: Goal, dice: tuple[SymbolDie, SymbolDie], limits: Pending, most: int, barred: bool) -> None:
        self.goal = goal
        self._dice = dice
        self._faces = tuple(_faces(die, goal, barred) for die in dice)
        free = [
            (face, kind if face.explodes else -1)
            for kind, faces in enumerate(self._faces)
            for face, _ in faces
            if any(face) and (face.strife or not goal.monotone)
        ]
        self.classes = list(dict.fromkeys(free))
        """Faces that may be kept or dropped; exploding ones by the kind of their die."""
        self._pendings = [
            (first, second)
            for first, second in product(range(min(limits[0], most) + 1), range(min(limits[1], most) + 1))
            if first + second <= most
        ]
        self._pendings.sort(key=sum)
        self._best: dict[tuple[Pending, Symbols, Counts], int] = {}
        self._values: dict[tuple[Pending, Symbols], int] = {}
        self._kept_of: dict[Counts, tuple[Pending, Symbols]] = {}
        # Waves in which all dice explode and all are kept: the strife that this adds, with weights.
        self._again = self._all_explode(most)
        self._exploding = {
            pending: [((wave.pending, 0, 0, wave.counts, weight), worse) for wave, worse, weight in self._again[pending]]
            for pending in self._pendings
        }
        self._merged_of: dict[tuple[int, int], dict[Pending, list[Merged]]] = {}
        self.scale = goal.scale * self._divisors(most)
        self._solve()

    def value(self, pending: Pending, symbols: Symbols) -> int:
        """The value over `scale` of follow-up dice still to roll, with symbols kept so far."""
        return self._values[pending, self._clipped(symbols)]

    def worth(self, pending: Pending, symbols: Symbols) -> Fraction:
        """The same as a fraction."""
        return Fraction(self.value(pending, symbols), self.scale)

    def waves(self, most: Symbols) -> dict[Pending, dict[Wave, int]]:
        """What each number of dice can show, with weights; symbols are counted up to `most`."""
        return self._waves(most, self._faces)

    def choice(self, symbols: Symbols, wave: Wave) -> Counts:
        """How many dice of each class are best kept: of equally good ones the one with less strife, then more successes."""
        here = self._clipped(_added(symbols, wave.symbols))
        chosen: Counts = ()
        best: tuple[int, ...] = ()
        for counts in product(*(range(count + 1) for count in wave.counts)):
            pending, sums = self._kept(counts)
            value = self._values[_both(wave.pending, pending), self._clipped(_added(here, sums))]
            rated = (value, -sums[2], sums[0], sums[1])
            if not best or rated > best:
                chosen, best = counts, rated
        return chosen

    def kept(self, wave: Wave, counts: Counts) -> tuple[Pending, Symbols]:
        """What a choice comes to: dice to follow, and symbols added."""
        pending, sums = self._kept(counts)
        return _both(wave.pending, pending), _added(wave.symbols, sums)

    def _kept(self, counts: Counts) -> tuple[Pending, Symbols]:
        known = self._kept_of.get(counts)
        if known is not None:
            return known
        first = second = successes = opportunities = strife = 0
        for count, (face, kind) in zip(counts, self.classes, strict=True):
            first += count * (kind == 0)
            second += count * (kind == 1)
            successes += count * face.successes
            opportunities += count * face.opportunities
            strife += count * face.strife
        self._kept_of[counts] = (first, second), (successes, opportunities, strife)
        return self._kept_of[counts]

    def _waves(self, most: Symbols, faces: Sequence[list[tuple[Face, int]]]) -> dict[Pending, dict[Wave, int]]:
        """Die by die; how many there are to choose from is counted in one number, a byte for each class."""
        most_s, most_o, most_t = most
        added = [[(*self._what(face, kind), weight) for face, weight in shown] for kind, shown in enumerate(faces)]
        shown: dict[Pending, dict[tuple[int, ...], int]] = {(0, 0): {(0,) * 6: 1}}
        for first, second in self._pendings[1:]:
            waves: dict[tuple[int, ...], int] = {}
            for (p, q, s, o, t, code), weight in shown[(first - 1, second) if first else (0, second - 1)].items():
                for more_p, more_q, more_s, more_o, more_t, chosen, more in added[0 if first else 1]:
                    key = (
                        p + more_p,
                        q + more_q,
                        min(s + more_s, most_s),
                        min(o + more_o, most_o),
                        min(t + more_t, most_t),
                        code + chosen,
                    )
                    waves[key] = waves.get(key, 0) + weight * more
            shown[first, second] = waves
        size = len(self.classes)
        return {
            pending: {
                Wave((p, q), (s, o, t), tuple(code.to_bytes(size, "little"))): w for (p, q, s, o, t, code), w in waves.items()
            }
            for pending, waves in shown.items()
        }

    def _what(self, face: Face, kind: int) -> tuple[int, int, int, int, int, int]:
        """What a face adds to a wave: dice to follow, symbols, a die to choose from."""
        key = (face, kind if face.explodes else -1)
        if key in self.classes:
            return 0, 0, 0, 0, 0, 1 << (8 * self.classes.index(key))
        return int(face.explodes and kind == 0), int(face.explodes and kind == 1), *face[:3], 0

    def _divisors(self, most: int) -> int:
        """Enough for every division to come out even.

        With successes still wanted a value is divided by the number of rolls of its wave. At the last success a step leads to
        fewer dice or to more strife: `most` + strife steps; and there each number of dice is met once at each strife, with the
        loops taken out of its divisor.
        """
        successes, _, strife = self.goal.limits
        sides: int = lcm(*(die.sides for die in self._dice)) ** (most * (most + successes + strife + 1))
        loops = prod(self._divisor(pending, worse) for pending in self._pendings for worse in range(strife + 1))
        return sides * loops

    def _divisor(self, pending: Pending, strife: int) -> int:
        """The number of rolls of a wave less those that lead back to it, at the last success."""
        rolls: int = self._dice[0].sides ** pending[0] * self._dice[1].sides ** pending[1]
        return rolls - sum(weight for _, worse, weight in self._again[pending] if self._loops(worse, strife))

    def _all_explode(self, most: int) -> dict[Pending, list[tuple[Wave, int, int]]]:
        explosions = [[(face, weight) for face, weight in faces if face.explodes] for faces in self._faces]
        waves = self._waves((most, most, most), explosions)
        return {
            pending: [(wave, self.kept(wave, wave.counts)[1][2], weight) for wave, weight in shown.items() if any(pending)]
            for pending, shown in waves.items()
        }

    def _loops(self, worse: int, strife: int) -> bool:
        """Whether keeping all of a wave that explodes changes nothing, where no more successes are wanted."""
        return not worse or strife == self.goal.limits[2]

    def _solve(self) -> None:
        last, opportunities, strife = self.goal.limits
        for successes in range(last, -1, -1):
            for pending in self._pendings:
                for few, worse in product(range(opportunities, -1, -1), range(strife, -1, -1)):
                    here = (successes, few, worse)
                    self._values[pending, here] = self._solved(pending, here)

    def _solved(self, pending: Pending, here: Symbols) -> int:
        successes, opportunities, strife = here
        if pending == (0, 0):
            return self.goal.values[successes][opportunities][strife] * (self.scale // self.goal.scale)
        last, most, _ = self.goal.limits
        missing = (last - successes, most - opportunities)
        waves = self._merged(pending, *missing)
        divisor: int = self._dice[0].sides ** pending[0] * self._dice[1].sides ** pending[1]
        if not missing[0]:
            # Where all dice explode and all are kept this state may come again. To keep all is right then: no choice is worth
            # more than all dice to follow.
            divisor = self._divisor(pending, strife)
            waves = [*waves, *(each for each, worse in self._exploding[pending] if not self._loops(worse, strife))]
        total = 0
        best = self._best
        for more, s, o, counts, weight in waves:
            here = (successes + s, opportunities + o, strife)
            value = best.get((more, here, counts))
            total += weight * (self._best_of(more, here, counts) if value is None else value)
        return total // divisor

    def _merged(self, pending: Pending, successes: int, opportunities: int) -> list[Merged]:
        """What a wave shows, with what is missing as the limit of symbols: beyond it more of a symbol makes no difference.

        Without those of which all dice explode where no success is missing.
        """
        known = self._merged_of.get((successes, opportunities))
        if known is None:
            faces = [self._of_use(kind, successes, opportunities) for kind in self._faces]
            known = self._merged_of[successes, opportunities] = {
                of: [
                    (*wave[:1], *wave.symbols[:2], wave.counts, weight)
                    for wave, weight in waves.items()
                    if successes or self.kept(wave, wave.counts)[0] != of
                ]
                for of, waves in self._waves((successes, opportunities, 0), faces).items()
            }
        return known[pending]

    def _of_use(self, faces: list[tuple[Face, int]], successes: int, opportunities: int) -> list[tuple[Face, int]]:
        """The faces of a die, those that show nothing that is missing as blanks, for a goal that shuns strife."""
        if not (self.goal.monotone and self.goal.shuns_strife):
            return faces
        merged: dict[Face, int] = {}
        for face, weight in faces:
            wanted = face.explodes or (face.successes and successes) or (face.opportunities and opportunities)
            shown = face if wanted else Face()
            merged[shown] = merged.get(shown, 0) + weight
        return list(merged.items())

    def _best_of(self, pending: Pending, here: Symbols, counts: Counts) -> int:
        """The best value of keeping some of the dice that may be chosen: all of them, or the best with one less."""
        known = self._best.get((pending, here, counts))
        if known is not None:
            return known
        more, sums = self._kept(counts)
        value = self._values[_both(pending, more), self._clipped(_added(here, sums))]
        for place, count in enumerate(counts):
            if count:
                fewer = self._best_of(pending, here, (*counts[:place], count - 1, *counts[place + 1 :]))
                if fewer > value:
                    value = fewer
        self._best[pending, here, counts] = value
        return value

    def _clipped(self, symbols: Symbols) -> Symbols:
        successes, opportunities, strife = self.goal.limits
        return min(symbols[0], successes), min(symbols[1], opportunities), min(symbols[2], strife)


def _faces(die: SymbolDie, goal: Goal, barred: bool) -> list[tuple[Face, int]]:
    blank, faces, exploding = seen(die, goal, barred)
    shown = [(Face(), blank)] if blank else []
    return [*shown, *faces, *((Face(1, 0, worse, True), weight) for worse, weight in exploding)]


def _added(symbols: Symbols, more: Symbols) -> Symbols:
    return symbols[0] + more[0], symbols[1] + more[1], symbols[2] + more[2]


def _both(pending: Pending, more: Pending) -> Pending:
    return pending[0] + more[0], pending[1] + more[1]
