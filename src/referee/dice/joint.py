"""The joint law of successes, opportunities and strife after a best keep and all its follow-up dice.

Many weights stand side by side in one large whole number, a field for each pair of opportunities and strife: adding two such
numbers adds all fields at once, a shift moves all of them to more symbols. Successes are listed up to a limit; what is above is
left out, and stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import lcm
from typing import Final

from .followups import FollowUps
from .goals import TooMuchWork
from .keep import Keep
from .law import Cut
from .symbols import Face, SymbolDie
from .waves import Pending, Waves

EXTRA: Final = 16
"""Successes beyond the number of kept dice up to which the law is listed: with 6 dice kept less than 1e-8 is left out."""

MOST_FIELDS: Final = 60_000
"""The budget: so many outcomes are listed at most."""

Outcome = tuple[int, int, int]
"""Successes, opportunities, strife."""

Slices = list[int]
"""By successes: the fields of all opportunities and strife."""


def joint(keep: Keep, weights: Sequence[int] | None = None, total: int | None = None, extra: int = EXTRA) -> Cut[Outcome]:
    """The joint law when all is chosen for the goal of a keep, which must tell all symbols apart (`whole`).

    `weights` of the entries of `keep.kept`, of `total`, are those of the roll unless given. Follow-up dice as good kept as
    dropped are kept, unless the goal sees strife and they carry it.
    """
    return _Joint(keep, extra).law(keep.weights if weights is None else weights, total or keep.total)


class _Joint:
    def __init__(self, keep: Keep, extra: int) -> None:
        self.keep = keep
        self.goal = keep.goal
        self.most_kept = min(keep.throw.keep, sum(keep.throw.counts))
        self.last = max(self.goal.limits[0], self.most_kept) + (extra if any(kept[0] or kept[1] for kept in keep.kept) else 0)
        self.sides = lcm(*(die.sides for die in keep.throw.dice))
        # Each kept die brings one opportunity at the most; strife one, and one with each follow-up, of which there are not
        # more than successes.
        self.across = self.most_kept + self.last + 1
        self.fields = (self.most_kept + 1) * self.across
        if self.last * self.fields > MOST_FIELDS:
            raise TooMuchWork(f"a joint law up to {self.last} successes is too large: ask for the chance alone")

    def law(self, weights: Sequence[int], total: int) -> Cut[Outcome]:
        scale: int = self.sides**self.last
        self.bits: int = -(-(total * scale).bit_length() // 8) * 8
        singly = not isinstance(self.keep.follow_ups, Waves)
        mass: dict[Pending, Slices] = {}
        for kept, weight in zip(self.keep.kept, weights, strict=True):
            if weight:
                first, second, successes, opportunities, strife = kept
                if (first, second) not in mass:
                    mass[first, second] = [0] * (self.last + 1)
                unit = self.sides ** (successes - first - second) if singly else scale
                mass[first, second][successes] += (weight * unit) << self._place(opportunities, strife)
        if isinstance(self.keep.follow_ups, Waves):
            return Cut(self._read(self._roll_waves(mass, self.keep.follow_ups), 1), total * scale)
        return Cut(self._read(self._roll_singly(mass, self.keep.follow_ups), self.sides), total * scale)

    def _place(self, opportunities: int, strife: int) -> int:
        return (strife * (self.most_kept + 1) + opportunities) * self.bits

    @cached_property
    def _blocks(self) -> list[list[int]]:
        """All fields that look the same to the goal, as masks."""
        _, most, strife = self.goal.limits
        full = (1 << self.bits) - 1
        blocks = [[0] * (strife + 1) for _ in range(most + 1)]
        for few, worse in product(range(self.most_kept + 1), range(self.across)):
            blocks[min(few, most)][min(worse, strife)] |= full << self._place(few, worse)
        return blocks

    def _roll_singly(self, mass: dict[Pending, Slices], follow_ups: FollowUps) -> Slices:
        nothing = [0] * (self.last + 1)
        most = [max((pending[kind] for pending in mass), default=0) for kind in (0, 1)]
        for second in range(most[1], 0, -1):
            for first in range(most[0] + 1):
                if (first, second) in mass:
                    self._push(mass, (first, second), 1, follow_ups)
        for first in range(most[0], 0, -1):
            if (first, 0) in mass:
                self._push(mass, (first, 0), 0, follow_ups)
        return mass.get((0, 0), nothing)

    def _push(self, mass: dict[Pending, Slices], pending: Pending, kind: int, follow_ups: FollowUps) -> None:
        """Rolls one follow-up die, with all that come of it.

        A mass is counted in parts of a roll, divided once by the sides for each success without a die still to follow, of which
        there are 0 or more. So a die that explodes needs no factor, one that ends needs one for its own, and all is whole.
        """
        die: SymbolDie = self.keep.throw.dice[kind]
        left = (pending[0] - 1, pending[1]) if kind == 0 else (pending[0], pending[1] - 1)
        rolling = mass[pending]
        settled = mass.setdefault(left, [0] * (self.last + 1))
        chosen, sure = self._parted(die)
        for successes in range(self.last + 1):
            here = rolling[successes]
            if not here:
                continue
            for more, shift, weight, explodes in sure:
                if successes + more <= self.last:
                    (rolling if explodes else settled)[successes + more] += (here * weight) << shift
            for face, shift, dropped, weight in chosen:
                taken = here & self._keeps(successes, face[:3], pending if face.explodes else left, left, follow_ups)
                settled[successes] += (here ^ taken) * dropped
                to = successes + face.successes
                if to <= self.last:
                    (rolling if face.explodes else settled)[to] += (taken * weight) << shift

    def _parted(self, die: SymbolDie) -> tuple[list[tuple[Face, int, int, int]], list[tuple[int, int, int, bool]]]:
        """The faces of a die: those that may be kept or dropped, with shift and weights when dropped and when kept; and of the
        others successes, shift, weight, whether they go on."""
        chosen: list[tuple[Face, int, int, int]] = []
        sure: dict[tuple[int, int, bool], int] = {}
        choosing, blind = not self.goal.monotone, not self.goal.sees_strife
        times = self.sides // die.sides
        for face, count in die.weights.items():
            dropped = count * times
            weight = dropped if face.explodes else dropped * self.sides**face.successes
            shift = self._place(face.opportunities, face.strife)
            key = (face.successes, shift, face.explodes)
            if face.strife and self.keep.barred:
                key, weight = (0, 0, False), dropped
            elif choosing or (face.strife and not blind):
                chosen.append((face, shift, dropped, weight))
                continue
            sure[key] = sure.get(key, 0) + weight
        return chosen, [(more, shift, weight, explodes) for (more, shift, explodes), weight in sure.items()]

    def _keeps(self, successes: int, face: Outcome, after: Pending, left: Pending, follow_ups: FollowUps) -> int:
        """The fields in which a face is kept, as a mask."""
        mask = 0
        for few, row in enumerate(self._blocks):
            for worse, block in enumerate(row):
                kept = follow_ups.value(after, (successes + face[0], few + face[1], worse + face[2]))
                dropped = follow_ups.value(left, (successes, few, worse))
                if kept > dropped or (kept == dropped and not face[2]):
                    mask |= block
        return mask

    def _roll_waves(self, mass: dict[Pending, Slices], follow_ups: Waves) -> Slices:
        ended = [0] * (self.last + 1)
        unlimited = (self.last, self.fields, self.fields)
        waves = follow_ups.waves(unlimited)
        choices: dict[tuple[Pending, Outcome], list[tuple[Pending, Outcome, int]]] = {}
        pendings = sorted(waves, key=sum, reverse=True)
        for successes in range(self.last + 1):
            for pending in pendings:
                if pending == (0, 0) or pending not in mass or not mass[pending][successes]:
                    continue
                here = mass[pending][successes]
                rolls = self.keep.throw.dice[0].sides ** pending[0] * self.keep.throw.dice[1].sides ** pending[1]
                for few, row in enumerate(self._blocks):
                    for worse, block in enumerate(row):
                        part = (here & block) // rolls
                        if not part:
                            continue
                        clipped = (min(successes, self.goal.limits[0]), few, worse)
                        key = (pending, clipped)
                        if key not in choices:
                            choices[key] = self._chosen(waves[pending], clipped, follow_ups)
                        for after, (s, o, t), weight in choices[key]:
                            if successes + s <= self.last:
                                into = ended if after == (0, 0) else mass.setdefault(after, [0] * (self.last + 1))
                                into[successes + s] += (part * weight) << self._place(o, t)
        for successes, weight in enumerate(mass.get((0, 0), ())):
            ended[successes] += weight
        return ended

    def _chosen(self, waves: dict, here: Outcome, follow_ups: Waves) -> list[tuple[Pending, Outcome, int]]:  # type: ignore[type-arg]
        merged: dict[tuple[Pending, Outcome], int] = {}
        for wave, weight in waves.items():
            kept = follow_ups.kept(wave, follow_ups.choice(here, wave))
            merged[kept] = merged.get(kept, 0) + weight
        return [(pending, symbols, weight) for (pending, symbols), weight in merged.items()]

    def _read(self, ended: Slices, sides: int) -> dict[Outcome, int]:
        """The law, with each success that is missing to the last one worth a factor."""
        size, row = self.bits // 8, self.most_kept + 1
        law: dict[Outcome, int] = {}
        for successes, fields in enumerate(ended):
            worst = -(-fields.bit_length() // (self.bits * row))
            data = fields.to_bytes(worst * row * size, "little")
            factor = sides ** (self.last - successes)
            for few in range(row):
                for worse in range(worst):
                    place = (worse * row + few) * size
                    weight = int.from_bytes(data[place : place + size], "little")
                    if weight:
                        law[successes, few, worse] = weight * factor
        return law
