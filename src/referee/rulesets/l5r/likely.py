"""How likely a pool is to reach a total, by numbers small enough to be kept: what bots reckon with.

The dice are kept for successes alone: skill dice with E, ring dice with E, then S (section 16); every follow-up is kept.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from .dice import FACES, RING, SKILL, SYMBOLS

MOST: Final = 12  # successes beyond which nothing is reckoned


class Chances(NamedTuple):
    """How many successes may be expected: the chance of at least 0, 1, 2 ..., and the mean beyond 0, 1, 2 ..."""

    reach: tuple[float, ...]
    beyond: tuple[float, ...]


@lru_cache(maxsize=8)
def of_die(kind: str, compromised: bool) -> tuple[float, float]:
    """The chances that a die shows E, and S without E; the Compromised keep no die with T (L5R-DICE-18)."""
    faces = [SYMBOLS[face] for face in FACES[kind] if not (compromised and "T" in face)]
    sides = len(FACES[kind])
    return (
        sum(face.explosions for face in faces) / sides,
        sum(face.successes - face.explosions for face in faces) / sides,
    )


@lru_cache(maxsize=256)
def followed(skill: int, ring: int, compromised: bool) -> Chances:
    """The chances that so many kept dice with E bring at least 0, 1, 2 ... successes more."""
    exact = [1.0] + [0.0] * MOST
    for kind, count in ((SKILL, skill), (RING, ring)):
        burst, hit = of_die(kind, compromised)
        one = [1.0 - burst - hit] + [burst ** (n - 1) * (hit + burst * (1.0 - burst - hit)) for n in range(1, MOST + 1)]
        for _ in range(count):
            exact = [sum(exact[m] * one[n - m] for m in range(n + 1)) for n in range(MOST + 1)]
    return _at_least(exact)


@lru_cache(maxsize=1024)
def totals(ring: int, skill: int, keep: int, compromised: bool) -> Chances:
    """The chances that a pool comes to at least 0, 1, 2 ... successes."""
    exact = [0.0] * (MOST + 1)
    for skills in _outcomes(SKILL, skill, compromised):
        for rings in _outcomes(RING, ring, compromised):
            chance = skills[2] * rings[2]
            burst_skill = min(keep, skills[0])
            burst_ring = min(keep - burst_skill, rings[0])
            sure = min(keep, burst_skill + burst_ring + skills[1] + rings[1])
            more = followed(burst_skill, burst_ring, compromised)
            for n in range(sure, MOST + 1):
                exact[n] += chance * (more.reach[n - sure] - more.reach[n - sure + 1])
    return _at_least(exact)


def _outcomes(kind: str, count: int, compromised: bool) -> list[tuple[int, int, float]]:
    """How many dice show E, and S without E, with the chance of it."""
    burst, hit = of_die(kind, compromised)
    blank = 1.0 - burst - hit
    return [
        (e, s, comb(count, e) * comb(count - e, s) * burst**e * hit**s * blank ** (count - e - s))
        for e in range(count + 1)
        for s in range(count - e + 1)
    ]


def _at_least(exact: list[float]) -> Chances:
    """Cumulated from above, what is not reckoned at the top; the last one, 0, so that differences can be taken."""
    exact[-1] += 1.0 - sum(exact)
    found = [0.0]
    for chance in reversed(exact):
        found.append(found[-1] + chance)
    found.reverse()
    reach = (1.0, *found[1:])
    return Chances(reach, tuple(sum(reach[n + 1 :]) for n in range(len(reach))))
