"""Advice: the best answer for a stated goal, and what it is worth over the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ..engine.chances import Outcome
from ..engine.encounter import Encounter, Shown
from .equilibria import Mixed, mixed
from .horizon import Policy
from .odds import Outlook, outlooks

Goal = Callable[[Outcome], int | Fraction]
"""What an outcome is worth to somebody; a condition counts as 1 or 0."""


@dataclass(frozen=True)
class Advice:
    """An answer with its odds, what it brings towards the goal on the average, and how far it stays behind the best one.

    Where answers are secret and a contest of two, `value` is the chance against what the other should do, and `weight` how
    often the answer should be given: only a mix cannot be bettered.
    """

    offer: Shown
    outlook: Outlook
    value: Fraction
    behind: Fraction
    weight: Fraction | None = None


def advise(
    encounter: Encounter, seat: str | None = None, goal: Goal | None = None, seconds: float = 1, reactions: Policy = "pass"
) -> list[Advice]:
    """All answers of a seat, the best first; those as good stay in the order of the offers.

    Without a goal what counts is how good things then look, as the ruleset judges for greedy bots. IllegalAnswer if the seat is
    not asked.
    """
    mix = mixed(encounter, seat) if goal is None else None
    return advised(outlooks(encounter, seat, seconds, reactions), goal, mix)


def advised(looked: list[tuple[Shown, Outlook]], goal: Goal | None = None, mix: Mixed | None = None) -> list[Advice]:
    """The same for answers whose odds are known, and their mix where they are secret."""
    if mix is not None:
        places = {shown.offer: place for place, shown in enumerate(mix.offers)}
        secret = []
        for shown, outlook in looked:
            worth, weight = mix.worth[places[shown.offer]], mix.weights[places[shown.offer]]
            secret.append(Advice(shown, outlook, worth, mix.value - worth, weight))
        return sorted(secret, key=lambda each: (-(each.weight or 0), each.behind))
    values = [outlook.worth if goal is None else _mean(outlook, goal) for _, outlook in looked]
    best = max(values, default=Fraction(0))
    found = [Advice(shown, outlook, value, best - value) for (shown, outlook), value in zip(looked, values, strict=True)]
    return sorted(found, key=lambda each: each.behind)


def _mean(outlook: Outlook, goal: Goal) -> Fraction:
    return sum((Fraction(goal(outcome)) * chance for outcome, chance in outlook.outcomes), Fraction(0))
