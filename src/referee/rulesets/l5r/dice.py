"""The dice of Legend of the Five Rings: faces with symbols, pools of ring and skill dice, which dice may be kept.

Pure: no figure and no game. A face is written with its letters: S success, E explosive success, O opportunity, T strife;
"-" is a blank face.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial
from typing import Any, Final

import msgspec

from ...dice import ImpossibleRoll, Law, Stream

RING: Final = "ring"
SKILL: Final = "skill"
BLANK: Final = "-"
STRIFE_ONLY: Final = "T"
"""L5R-OPP-44: on no die; a virtual face of an added kept die."""

RING_DIE: Final = ("-", "OT", "O", "ST", "S", "ET")
"""L5R-DICE-2: the faces of the ring die, 1 to 6."""
SKILL_DIE: Final = ("-", "-", "O", "O", "O", "ST", "ST", "S", "S", "SO", "ET", "E")
"""L5R-DICE-3: the faces of the skill die, 1 to 12."""
FACES: Final = {RING: RING_DIE, SKILL: SKILL_DIE}

ORDER: Final = {face: place for place, face in enumerate(("E", "SO", "ET", "S", "ST", "O", "OT", "T", "-"))}
"""How dice lie on the table: the best first."""


class Symbols(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a face or several count for: successes (S and E), explosions, opportunities, strife (L5R-DICE-1)."""

    successes: int = 0
    explosions: int = 0
    opportunities: int = 0
    strife: int = 0


SYMBOLS: Final = {
    face: Symbols(face.count("S") + face.count("E"), face.count("E"), face.count("O"), face.count("T")) for face in ORDER
}


class Die(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One die of a check: its type, its face, the place of the die it follows on (-1: none), what became of it.

    `fate` is "rolled" (not decided yet), "kept", "dropped" or "added" (kept above the limit, by an effect).
    """

    kind: str
    face: str
    parent: int = -1
    fate: str = "rolled"

    @property
    def counts(self) -> bool:
        """Whether its symbols count."""
        return self.fate == "kept" or self.fate == "added"


@lru_cache(maxsize=16384)
def counted(dice: tuple[Die, ...]) -> Symbols:
    """The symbols on all kept dice."""
    successes = explosions = opportunities = strife = 0
    for die in dice:
        if die.fate == "kept" or die.fate == "added":
            face = SYMBOLS[die.face]
            successes += face.successes
            explosions += face.explosions
            opportunities += face.opportunities
            strife += face.strife
    return Symbols(successes, explosions, opportunities, strife)


def laid(dice: Iterable[Die]) -> tuple[Die, ...]:
    """Rolled dice as they lie: ring dice first, the best first, so that equal rolls are equal."""
    return tuple(sorted(dice, key=_place))


def _place(die: Die) -> tuple[bool, int]:
    return (die.kind == SKILL, ORDER[die.face])


_SORTED: Final = {
    RING: tuple(sorted(RING_DIE, key=ORDER.__getitem__)),
    SKILL: tuple(sorted(SKILL_DIE, key=ORDER.__getitem__)),
}


class Pool(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=True):
    """Ring dice and skill dice thrown together; the outcome lists the faces, ring dice first, the best first."""

    ring: int
    skill: int

    def sample(self, stream: Stream) -> tuple[str, ...]:
        """One outcome, drawn."""
        rings = 6**self.ring
        number = stream.below(rings * 12**self.skill)
        return _shown(RING, self.ring, number % rings) + _shown(SKILL, self.skill, number // rings)

    def law(self) -> Law[tuple[str, ...]]:
        """All outcomes with their weights; the order of equal dice does not count."""
        return _law(self.ring, self.skill)

    def read(self, text: str) -> tuple[str, ...]:
        """The faces that a person typed, ring dice first: "ST O - / SO E". ImpossibleRoll if these dice cannot show them."""
        words = re.sub(r"[{},/|]", " ", text).split()
        faces = tuple(_face(word) for word in words)
        if None in faces or not self.allows(faces):
            raise ImpossibleRoll(f"{self} cannot show {text.strip()!r}: type {self.wanted()}", written=None not in faces)
        return self.ordered(faces)

    def wanted(self) -> str:
        """What is to be typed."""
        parts = []
        if self.ring:
            parts.append(f"{self.ring} of {' '.join(dict.fromkeys(RING_DIE))} for the ring dice")
        if self.skill:
            parts.append(f"{self.skill} of {' '.join(dict.fromkeys(SKILL_DIE))} for the skill dice")
        return ", then ".join(parts)

    def allows(self, outcome: Any) -> bool:
        """Whether these dice can show that outcome, in whatever order within each type."""
        return (
            isinstance(outcome, list | tuple)
            and len(outcome) == self.ring + self.skill
            and all(face in RING_DIE for face in outcome[: self.ring])
            and all(face in SKILL_DIE for face in outcome[self.ring :])
        )

    def ordered(self, faces: Iterable[Any]) -> tuple[str, ...]:
        """The faces in the order of outcomes."""
        all_of = tuple(faces)
        ring = sorted(all_of[: self.ring], key=ORDER.__getitem__)
        return (*ring, *sorted(all_of[self.ring :], key=ORDER.__getitem__))

    def dice(self, faces: Iterable[str], parent: int = -1) -> list[Die]:
        """The dice that show an outcome."""
        return [Die(RING if place < self.ring else SKILL, face, parent) for place, face in enumerate(self.ordered(faces))]

    def __str__(self) -> str:
        parts = [f"{count} {kind} {'die' if count == 1 else 'dice'}" for count, kind in _counts(self.ring, self.skill)]
        return " and ".join(parts) or "no dice"


@lru_cache(maxsize=16384)
def _shown(kind: str, count: int, number: int) -> tuple[str, ...]:
    """The faces of so many dice of a type, the best first, if all that they may show in turn is numbered from 0."""
    faces = _SORTED[kind]
    places = []
    for _ in range(count):
        number, place = divmod(number, len(faces))
        places.append(place)
    return tuple([faces[place] for place in sorted(places)])


@lru_cache(maxsize=4096)
def dice_of(ring: int, skill: int, faces: tuple[str, ...]) -> tuple[Die, ...]:
    """The dice of a pool that show an outcome."""
    return tuple(Pool(ring, skill).dice(faces))


def _counts(ring: int, skill: int) -> Iterator[tuple[int, str]]:
    if ring:
        yield ring, RING
    if skill:
        yield skill, SKILL


def _face(word: str) -> str | None:
    if word in (BLANK, "_", "blank"):
        return BLANK
    letters = "".join(sorted(word.upper(), key="ESOT".find))
    return letters if letters in ORDER and letters != STRIFE_ONLY else None


@lru_cache(maxsize=128)
def _law(ring: int, skill: int) -> Law[tuple[str, ...]]:
    sides = [list(_multisets(kind, count)) for count, kind in ((ring, RING), (skill, SKILL))]
    return Law(((*ours, *theirs), weight * other) for (ours, weight), (theirs, other) in product(*sides))


def _multisets(kind: str, count: int) -> Iterator[tuple[tuple[str, ...], int]]:
    faces = tuple(dict.fromkeys(_SORTED[kind]))
    for chosen in combinations_with_replacement(faces, count):
        weight = factorial(count)
        for face in faces:
            times = chosen.count(face)
            weight = weight // factorial(times) * FACES[kind].count(face) ** times
        yield chosen, weight


Subset = tuple[int, ...]

_RANKS: Final = {
    face: symbols.strife - 1000 * (symbols.opportunities + 1000 * (symbols.explosions + 1000 * symbols.successes))
    for face, symbols in SYMBOLS.items()
}
"""The best sum is the lowest: successes, explosions, opportunities, then the least strife."""


@lru_cache(maxsize=4096)
def subsets(dice: tuple[tuple[str, str], ...], least: int, most: int, barred: tuple[int, ...] = ()) -> tuple[Subset, ...]:
    """The sets of dice that may be chosen, as their numbers from 1, the best first; of equal dice the first ones stand for all.

    `dice` are (type, face); `barred` are places, from 0, that may not be chosen.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for place, die in enumerate(dice):
        if place not in barred:
            groups.setdefault(die, []).append(place + 1)
    found: list[tuple[int, Subset]] = [(0, ())]
    for (_, face), places in groups.items():
        rank = _RANKS[face]
        found = [
            (before + count * rank, (*chosen, *places[:count]))
            for before, chosen in found
            for count in range(min(most - len(chosen), len(places)) + 1)
        ]
    ranked = sorted([(rank, tuple(sorted(chosen))) for rank, chosen in found if len(chosen) >= least])
    return tuple([chosen for _, chosen in ranked])


def keepable(dice: tuple[tuple[str, str], ...], limit: int, compromised: bool) -> tuple[Subset, ...]:
    """What may be kept of a roll: 1 to `limit` dice (L5R-DICE-9); Compromised, none with T (L5R-DICE-18, L5R-DICE-19)."""
    barred = tuple(place for place, (_, face) in enumerate(dice) if compromised and "T" in face)
    least = 1 if len(barred) < len(dice) else 0
    return subsets(dice, least, limit, barred)
