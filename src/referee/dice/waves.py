"""Follow-up dice that are all rolled together and then chosen from, wave by wave; see `followups` for one at a time.

The two differ only where strife is limited and several exploding dice are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Final, NamedTuple

from .followups import seen
from .goals import Goal
from .symbols import Face, SymbolDie

Pending = tuple[int, int]
Symbols = tuple[int, int, int]
Counts = tuple[int, ...]
Values = list[int]
"""By strife kept so far."""

BYTE: Final = 8


class Wave(NamedTuple):
    """What a wave shows: what is kept in any case, and how many dice of each class there are to choose from."""

    pending: Pending
    symbols: Symbols
    counts: Counts


Merged = list[tuple[int, int]]
"""What waves show as far as it matters, each in one number, with weights."""


class Waves:
    """The value of so many follow-up dice of two kinds still to roll, all rolled at once, with what is kept so far.

    There is no limit on how many are kept, so for a goal to which more is never worse a face without strife is always kept.
    Values are whole numbers over `scale`. Those of all strife stand side by side in one large number where they are summed.
    """

    def __init__(self, goal: Goal, dice: tuple[SymbolDie, SymbolDie], limits: Pending, most: int, barred: bool) -> None:
        self.goal = goal
        self._dice = dice
        self._limits = goal.limits
        self._faces = tuple(_faces(die, goal, barred) for die in dice)
        free = [
            (face, kind if face.explodes else -1)
            for kind, faces in enumerate(self._faces)
            for face, _ in faces
            if any(face) and (face.strife or not goal.monotone)
        ]
        self.classes = list(dict.fromkeys(free))
        """Faces that may be kept or dropped; exploding ones by the kind of their die."""
        self._caps = [self._cap(face) for face, _ in self.classes]
        """How many dice of each class are of use at the most."""
        self._pendings = [
            (first, second)
            for first, second in product(range(min(limits[0], most) + 1), range(min(limits[1], most) + 1))
            if first + second <= most
        ]
        self._pendings.sort(key=sum)
        self._best: dict[tuple[Pending, int, int, Counts], Values] = {}
        self._packed: dict[int, int] = {}
        self._values: dict[tuple[Pending, int, int], Values] = {}
        self._kept_of: dict[Counts, tuple[Pending, Symbols]] = {}
        # Waves in which all dice explode and all are kept: the strife that this adds, with weights.
        self._again = self._all_explode()
        self._shown_of: dict[tuple[bool, bool], dict[Pending, dict[int, int]]] = {}
        self._merged_of: dict[tuple[Pending, int, int], Merged] = {}
        self.scale = goal.scale * self._divisors(most)
        # Sums are of numbers above 0: what a goal takes away at the most is added to all its values, and left out again.
        self._low = min(0, *(value for plane in goal.values for row in plane for value in row)) * (self.scale // goal.scale)
        highest = max(value for plane in goal.values for row in plane for value in row) * (self.scale // goal.scale)
        rolls = max(self._rolls(pending) for pending in self._pendings)
        self._bytes = ((highest - self._low + 1) * rolls).bit_length() // BYTE + 1
        self._solve()

    def value(self, pending: Pending, symbols: Symbols) -> int:
        """The value over `scale` of follow-up dice still to roll, with symbols kept so far."""
        successes, opportunities, strife = self._clipped(symbols)
        return self._values[pending, successes, opportunities][strife] + self._low

    def worth(self, pending: Pending, symbols: Symbols) -> Fraction:
        """The same as a fraction."""
        return Fraction(self.value(pending, symbols), self.scale)

    def waves(self, most: Symbols) -> dict[Pending, dict[Wave, int]]:
        """What each number of dice can show, with weights; symbols are counted up to `most`."""
        found: dict[Pending, dict[Wave, int]] = {}
        for pending, shown in self._shown(self._faces).items():
            waves = found[pending] = {}
            for code, weight in shown.items():
                more, (s, o, t), counts = self._read(code)
                wave = Wave(more, (min(s, most[0]), min(o, most[1]), min(t, most[2])), counts)
                waves[wave] = waves.get(wave, 0) + weight
        return found

    def choice(self, symbols: Symbols, wave: Wave) -> Counts:
        """How many dice of each class are best kept: of equally good ones the one with less strife, then more successes."""
        here = _added(symbols, wave.symbols)
        chosen: Counts = ()
        best: tuple[int, ...] = ()
        for counts in product(*(range(count + 1) for count in wave.counts)):
            pending, sums = self._kept(counts)
            value = self.value(_both(wave.pending, pending), _added(here, sums))
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

    # What waves show. While dice are added one by one all that is counted stands in one number, a byte each: dice to choose from
    # by class, dice to follow of both kinds, successes, opportunities, strife.

    def _shown(self, faces: Sequence[list[tuple[Face, int]]], capped: Sequence[int] = ()) -> dict[Pending, dict[int, int]]:
        """What each number of dice of these faces shows; of classes that are `capped` only what is of use."""
        # Where a field of what is shown is full, one die more of its class changes nothing.
        limits = {1 << BYTE * place: (255 << BYTE * place, self._caps[place] << BYTE * place) for place in capped}
        codes = [self._codes(shown, kind) for kind, shown in enumerate(faces)]
        added = [[(code, weight, *limits.get(code, (0, -1))) for code, weight in each] for each in codes]
        shown: dict[Pending, dict[int, int]] = {(0, 0): {0: 1}}
        for first, second in self._pendings[1:]:
            waves: dict[int, int] = {}
            get = waves.get
            for code, weight in shown[(first - 1, second) if first else (0, second - 1)].items():
                for more, times, field, full in added[0 if first else 1]:
                    key = code if code & field == full else code + more
                    waves[key] = get(key, 0) + weight * times
            shown[first, second] = waves
        return shown

    def _cap(self, face: Face) -> int:
        """More dice with this face are never of use, for a goal that shuns strife: more than what is wanted, or all is lost."""
        caps = [255]
        if self.goal.monotone and self.goal.shuns_strife:
            successes, opportunities, strife = self._limits
            values = [value for plane in self.goal.values for row in plane for value in row]
            if face.strife and all(row[-1] == min(values) for plane in self.goal.values for row in plane):
                caps.append(strife - 1)
            if not face.successes:
                caps.append(opportunities)
            elif not face.opportunities and not face.explodes:
                caps.append(successes)
        return min(caps)

    def _codes(self, faces: list[tuple[Face, int]], kind: int) -> list[tuple[int, int]]:
        """What each face of a die adds to a wave, equal ones as one."""
        size = len(self.classes)
        merged: dict[int, int] = {}
        for face, weight in faces:
            key = (face, kind if face.explodes else -1)
            if key in self.classes:
                code = 1 << BYTE * self.classes.index(key)
            else:
                parts = (face.explodes and kind == 0, face.explodes and kind == 1, *face[:3])
                code = sum(part << BYTE * (size + place) for place, part in enumerate(parts))
            merged[code] = merged.get(code, 0) + weight
        return list(merged.items())

    def _read(self, code: int) -> tuple[Pending, Symbols, Counts]:
        size = len(self.classes)
        parts = code.to_bytes(size + 5, "little")
        return (parts[size], parts[size + 1]), (parts[size + 2], parts[size + 3], parts[size + 4]), tuple(parts[:size])

    def _divisors(self, most: int) -> int:
        """Enough for every division to come out even.

        With successes still wanted a value is divided by the number of rolls of its wave. At the last success a step leads to
        fewer dice or to more strife: `most` + strife steps; and there each number of dice is met once at each strife, with the
        loops taken out of its divisor.
        """
        successes, _, strife = self._limits
        sides: int = lcm(*(die.sides for die in self._dice)) ** (most * (most + successes + strife + 1))
        loops = prod(self._divisor(pending, worse) for pending in self._pendings for worse in range(strife + 1))
        return sides * loops

    def _rolls(self, pending: Pending) -> int:
        rolls: int = self._dice[0].sides ** pending[0] * self._dice[1].sides ** pending[1]
        return rolls

    def _divisor(self, pending: Pending, strife: int) -> int:
        """The number of rolls of a wave less those that lead back to it, at the last success."""
        return self._rolls(pending) - sum(weight for worse, _, _, weight in self._again[pending] if self._loops(worse, strife))

    def _all_explode(self) -> dict[Pending, list[tuple[int, Pending, Counts, int]]]:
        """By dice: the strife added if all explode and all are kept, dice to follow, dice to choose from of use, weight."""
        explosions = [[(face, weight) for face, weight in faces if face.explodes] for faces in self._faces]
        found: dict[Pending, list[tuple[int, Pending, Counts, int]]] = {}
        for pending, shown in self._shown(explosions).items():
            found[pending] = []
            for code, weight in shown.items() if any(pending) else ():
                more, symbols, counts = self._read(code)
                useful = tuple(map(min, counts, self._caps))
                found[pending].append((symbols[2] + self._kept(counts)[1][2], more, useful, weight))
        return found

    def _loops(self, worse: int, strife: int) -> bool:
        """Whether keeping all of a wave that explodes changes nothing, where no more successes are wanted."""
        return not worse or strife == self._limits[2]

    def _solve(self) -> None:
        last, opportunities, _ = self._limits
        factor = self.scale // self.goal.scale
        for successes in range(last, -1, -1):
            for pending in self._pendings:
                for few in range(opportunities, -1, -1):
                    if pending == (0, 0):
                        values = [value * factor - self._low for value in self.goal.values[successes][few]]
                    else:
                        values = self._solved(pending, successes, few)
                    self._values[pending, successes, few] = values

    def _solved(self, pending: Pending, successes: int, few: int) -> Values:
        last, most, strife = self._limits
        total = 0
        packed = self._packed
        here = self._code(successes, few)
        for code, weight in self._merged(pending, last - successes, most - few):
            found = packed.get(code + here)
            if found is None:
                more, (s, o, _), counts = self._read(code + here)
                found = packed[code + here] = self._pack(self._best_of(more, s, o, counts))
            total += weight * found
        size = self._bytes
        fields = total.to_bytes(size * (strife + 1), "little")
        sums = [int.from_bytes(fields[place : place + size], "little") for place in range(0, len(fields), size)]
        if successes < last:
            rolls = self._rolls(pending)
            return [each // rolls for each in sums]
        # Where all dice explode and all are kept this state may come again, or one with more strife. To keep all is right in the
        # first case: no choice is worth more than all dice to follow.
        values: Values = [0] * (strife + 1)
        self._values[pending, successes, few] = values
        for worse in range(strife, -1, -1):
            value = sums[worse]
            for added, more, counts, weight in self._again[pending]:
                if not self._loops(added, worse):
                    value += weight * self._best_here(more, successes, few, worse, counts)
            values[worse] = value // self._divisor(pending, worse)
        return values

    def _pack(self, values: Values) -> int:
        return int.from_bytes(b"".join([value.to_bytes(self._bytes, "little") for value in values]), "little")

    def _code(self, successes: int, opportunities: int) -> int:
        """Symbols as part of what a wave shows."""
        size = len(self.classes)
        return (successes << BYTE * (size + 2)) + (opportunities << BYTE * (size + 3))

    def _merged(self, pending: Pending, successes: int, opportunities: int) -> Merged:
        """What a wave shows, with what is missing as the limit of symbols: beyond it more of a symbol makes no difference.

        Without those of which all dice explode where no success is missing.
        """
        known = self._merged_of.get((pending, successes, opportunities))
        if known is not None:
            return known
        one, other = self._code(1, 0), self._code(0, 1)
        places = BYTE * (len(self.classes) + 2), BYTE * (len(self.classes) + 3)
        merged: dict[int, int] = {}
        get = merged.get
        for code, weight in self._less_merged(pending, successes, opportunities):
            more = ((code >> places[0]) & 255) - successes
            if more > 0:
                code -= more * one
            more = ((code >> places[1]) & 255) - opportunities
            if more > 0:
                code -= more * other
            merged[code] = get(code, 0) + weight
        found = self._merged_of[pending, successes, opportunities] = list(merged.items())
        return found

    def _less_merged(self, pending: Pending, successes: int, opportunities: int) -> Iterable[tuple[int, int]]:
        """The same with one success more missing; without a limit where that is too many."""
        if 0 < successes < self._limits[0]:
            return self._merged(pending, successes + 1, opportunities)
        wanted = (successes > 0, opportunities > 0)
        if wanted not in self._shown_of:
            # Where no success is missing the waves in which all dice explode are told apart by those.
            capped = [place for place, (face, _) in enumerate(self.classes) if wanted[0] or not face.explodes]
            self._shown_of[wanted] = self._shown([self._of_use(kind, *wanted) for kind in self._faces], capped)
        shown = self._shown_of[wanted][pending].items()
        return shown if successes else [(code, weight) for code, weight in shown if self._after(code) != pending]

    def _after(self, code: int) -> Pending:
        """The dice to follow if all is kept."""
        more, _, counts = self._read(code)
        return _both(more, self._kept(counts)[0])

    def _of_use(self, faces: list[tuple[Face, int]], successes: bool, opportunities: bool) -> list[tuple[Face, int]]:
        """The faces of a die, those that show nothing that is missing as blanks, for a goal that shuns strife."""
        if not (self.goal.monotone and self.goal.shuns_strife):
            return faces
        merged: dict[Face, int] = {}
        for face, weight in faces:
            wanted = face.explodes or (face.successes and successes) or (face.opportunities and opportunities)
            shown = face if wanted else Face()
            merged[shown] = merged.get(shown, 0) + weight
        return list(merged.items())

    def _best_of(self, pending: Pending, successes: int, few: int, counts: Counts) -> Values:
        """The best values of keeping some of the dice that may be chosen: all of them, or the best with one less."""
        key = (pending, successes, few, counts)
        known = self._best.get(key)
        if known is not None:
            return known
        last, most, strife = self._limits
        more, (s, o, t) = self._kept(counts)
        kept = self._values[_both(pending, more), min(successes + s, last), min(few + o, most)]
        values = (kept[t:] + kept[-1:] * t)[: strife + 1] if t else kept
        for place, count in enumerate(counts):
            if count:
                fewer = self._best_of(pending, successes, few, (*counts[:place], count - 1, *counts[place + 1 :]))
                values = [one if one > other else other for one, other in zip(values, fewer, strict=True)]
        self._best[key] = values
        return values

    def _best_here(self, pending: Pending, successes: int, few: int, strife: int, counts: Counts) -> int:
        """The same for one strife, where not all values are known yet."""
        more, (s, o, t) = self._kept(counts)
        last, most, worst = self._limits
        value = self._values[_both(pending, more), min(successes + s, last), min(few + o, most)][min(strife + t, worst)]
        for place, count in enumerate(counts):
            if count:
                fewer = (*counts[:place], count - 1, *counts[place + 1 :])
                value = max(value, self._best_here(pending, successes, few, strife, fewer))
        return value

    def _clipped(self, symbols: Symbols) -> Symbols:
        successes, opportunities, strife = self._limits
        return min(symbols[0], successes), min(symbols[1], opportunities), min(symbols[2], strife)


def _faces(die: SymbolDie, goal: Goal, barred: bool) -> list[tuple[Face, int]]:
    blank, faces, exploding = seen(die, goal, barred)
    shown = [(Face(), blank)] if blank else []
    return [*shown, *faces, *((Face(1, 0, worse, True), weight) for worse, weight in exploding)]


def _added(symbols: Symbols, more: Symbols) -> Symbols:
    return symbols[0] + more[0], symbols[1] + more[1], symbols[2] + more[2]


def _both(pending: Pending, more: Pending) -> Pending:
    return pending[0] + more[0], pending[1] + more[1]
