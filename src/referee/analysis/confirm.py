"""Confirming odds by play: an answer is played so often through the rules, with dice drawn and every choice taken in its place.

What is decided on the way is decided as for the odds; nothing is summed up and no outcome weighed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, exp, gamma, sqrt
from typing import Any, Final

from ..dice import Stream
from ..engine.encounter import Encounter, Shown
from ..engine.questions import Offer
from .horizon import Journey, Policy
from .odds import Outlook, imagined, odds, offered, outcome_of

EXPECTED: Final = 5
"""Outcomes that are expected less often than this are counted together: the chi-square test is not meant for them."""


@dataclass(frozen=True)
class Confirmation:
    """The odds of an answer beside what came of it in so many playings.

    `seen` counts the outcomes in the order of the outlook, `others` those that it does not list. `chance` is how likely a
    deviation like this or a greater one is if the odds are right, by a chi-square test with so many degrees of freedom; 1.0
    where only one outcome can be told apart.
    """

    outlook: Outlook
    times: int
    seen: tuple[int, ...]
    others: int
    chi_square: float
    freedom: int
    chance: float


def confirm(
    encounter: Encounter,
    offer: Shown | Offer | Any,
    seat: str | None = None,
    times: int = 100_000,
    seconds: float = 1,
    reactions: Policy = "pass",
    seed: int = 0,
) -> Confirmation:
    """Plays an answer so often and compares with its odds, which are counted with `seconds` of work.

    The encounters are those from which the odds are taken. IllegalAnswer as for `odds`; ValueError where they can only be
    sampled, or below 1 playing.
    """
    if times < 1:
        raise ValueError(f"played {times} times: once at the least")
    outlook = odds(encounter, offer, seat, seconds, reactions, seed)
    if outlook.samples:
        raise ValueError("these odds were sampled: give more seconds, so that they are counted, or there is nothing to confirm")
    meant, who = offered(encounter, offer, seat)
    worlds = imagined(encounter, who, seed)
    stream = Stream.named(seed, "confirm", who)
    known: dict[bytes, tuple[Any, str | None]] = {}
    places = {outcome: place for place, (outcome, _) in enumerate(outlook.outcomes)}
    seen = [0] * (len(places) + 1)
    starts = []
    for world in worlds:
        journey = Journey(world, who, reactions)
        starts.append((journey, world.game, journey.begin(meant, world)))
    for number in range(times):
        journey, before, start = starts[number % len(starts)]
        end = journey.play(start, stream, known)
        seen[places.get(outcome_of(before, end, who), len(places))] += 1
    chi_square, freedom = _chi_square([float(chance) for _, chance in outlook.outcomes], seen, times)
    return Confirmation(outlook, times, tuple(seen[:-1]), seen[-1], chi_square, freedom, survival(chi_square, freedom))


def _chi_square(chances: list[float], seen: list[int], times: int) -> tuple[float, int]:
    cells = []
    few_expected, few_seen = max(0.0, 1 - sum(chances)) * times, seen[-1]
    for chance, count in zip(chances, seen[:-1], strict=True):
        if chance * times >= EXPECTED:
            cells.append((chance * times, count))
        else:
            few_expected += chance * times
            few_seen += count
    if few_expected >= EXPECTED or not cells:
        cells.append((few_expected, few_seen))
    elif few_seen or few_expected > 0:
        expected, count = cells.pop()
        cells.append((expected + few_expected, count + few_seen))
    found: float = sum((count - expected) ** 2 / expected for expected, count in cells)
    return found, len(cells) - 1


def survival(chi_square: float, freedom: int) -> float:
    """The chance that a chi-square variable exceeds a value; 1.0 without a degree of freedom."""
    if freedom < 1:
        return 1.0
    half = chi_square / 2
    start = 0.5 if freedom % 2 else 1.0
    total = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    term = half**start * exp(-half) / gamma(start + 1)
    while start < freedom / 2:
        total += term
        start += 1
        term *= half / start
    return min(1.0, total)
