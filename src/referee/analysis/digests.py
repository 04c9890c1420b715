"""What a reader wants of an outlook: who is hurt how likely, what is sure, and how each thing that is not may turn out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import msgspec

from ..engine.chances import Odds, Outcome
from .odds import Outlook

MOST_THINGS: Final = 6
"""So many things that may turn out in several ways are told of one answer."""
MOST_VALUES: Final = 8
"""So many values of one of them."""
LEAST: Final = Fraction(1, 200)
"""What is less likely is told together with others."""

_ODDS: Final = Odds(options=(), answer=lambda values, tools: {}, tell=lambda answer: ())


class Value(msgspec.Struct, frozen=True, array_like=True):
    """How something may turn out: the change (empty: none) with its chance, and between what that lies."""

    change: str
    chance: float
    low: float
    high: float


class Thing(msgspec.Struct, frozen=True, array_like=True):
    """Something of somebody's that may turn out in several ways, the likeliest first; numbers in order, with their `mean`."""

    whose: str
    what: str
    values: tuple[Value, ...]
    mean: float | None
    others: float  # the chance of the values left out here


class Harm(msgspec.Struct, frozen=True, array_like=True):
    """How likely a figure is hurt; `amount` is the mean over all outcomes, in the first field that may hurt it."""

    who: str
    chance: float
    low: float
    high: float
    what: str
    amount: float


class Goal(msgspec.Struct, frozen=True, array_like=True):
    """How likely what is done goes well: what it is, and how it then goes."""

    what: str
    how: str
    chance: float
    low: float
    high: float


class Digest(msgspec.Struct, frozen=True, array_like=True):
    """An outlook for a reader: what is as good as `sure`, and what is not.

    The facts on its trust are the outlook's; `behind` is how far it stays behind the best answer.
    """

    goal: Goal | None
    harms: tuple[Harm, ...]
    sure: tuple[tuple[str, str, str], ...]
    things: tuple[Thing, ...]
    exact: bool
    missing: float
    samples: int
    worlds: int
    agreed: bool
    behind: float


def digest(outlook: Outlook, odds: Odds | None, behind: Fraction = Fraction(0), who: str = "") -> Digest:
    """The digest of an outlook for a figure, with what the ruleset says of its fields."""
    declared = odds or _ODDS
    harmful = dict(declared.harms)
    keys = dict.fromkeys(
        (whose, what) for outcome, _ in outlook.outcomes for whose, what, _ in outcome if declared.tells(whose, what)
    )
    sure, things = [], []
    for whose, what in keys:
        values = _values(outlook, whose, what)
        word = declared.told.get(what, what.replace("_", " "))
        likeliest = max(values, key=lambda said: (values[said], said))
        if values[likeliest] >= 1 - LEAST:
            if likeliest:
                sure.append((whose, word, likeliest))
        else:
            thing = _thing(outlook, whose, what, word, values)
            things.append(((what not in harmful, thing.mean is None), thing))
    things.sort(key=lambda each: each[0])
    return Digest(
        _goal(outlook, declared, who),
        _harms(outlook, declared, harmful),
        tuple(sure),
        tuple(thing for _, thing in things[:MOST_THINGS]),
        outlook.exact,
        float(outlook.missing),
        outlook.samples,
        outlook.worlds,
        outlook.agreed,
        float(behind),
    )


def _change(outcome: Outcome, whose: str, what: str) -> tuple[Any, ...]:
    return tuple(value for owner, field, value in outcome if owner == whose and field == what)


def _said(change: tuple[Any, ...]) -> str:
    words = {True: "yes", False: "no longer"}
    return ", ".join(
        f"{each:+d}" if type(each) is int else words[each] if isinstance(each, bool) else str(each).replace("_", " ")
        for each in change
    )


def _values(outlook: Outlook, whose: str, what: str) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for outcome, chance in outlook.outcomes:
        said = _said(_change(outcome, whose, what))
        found[said] = found.get(said, Fraction(0)) + chance
    return found


def _thing(outlook: Outlook, whose: str, what: str, word: str, values: dict[str, Fraction]) -> Thing:
    likely = [each for each in values.items() if each[1] >= LEAST]
    likeliest = sorted(likely, key=lambda each: (-each[1], each[0]))[:MOST_VALUES]
    numbers = all(type(each) is int for outcome, _ in outlook.outcomes for each in _change(outcome, whose, what))
    if numbers:
        likeliest.sort(key=lambda each: int(each[0] or 0))
    shown = []
    for said, chance in likeliest:
        low, high = outlook.interval(lambda outcome, said=said: _said(_change(outcome, whose, what)) == said)  # type: ignore[misc]
        shown.append(Value(said, float(chance), low, high))
    listed = sum(values.values(), Fraction(0))
    mean = _mean(outlook, whose, what) / listed if numbers and listed else None
    others = listed - sum((chance for _, chance in likeliest), Fraction(0))
    return Thing(whose, word, tuple(shown), None if mean is None else float(mean), float(others))


def _mean(outlook: Outlook, whose: str, what: str) -> Fraction:
    return sum((Fraction(sum(_change(outcome, whose, what))) * chance for outcome, chance in outlook.outcomes), Fraction(0))


def _goal(outlook: Outlook, declared: Odds, who: str) -> Goal | None:
    """Of the things that the figure does and that may go well the one that the ruleset names first."""
    keys = dict.fromkeys(
        (what, value)
        for outcome, _ in outlook.outcomes
        for whose, what, value in outcome
        if whose == who and value in declared.won
    )
    if not keys:
        return None
    what = min(keys, key=lambda key: declared.won.index(key[1]))[0]
    how = [value for each, value in keys if each == what]

    def goes_well(outcome: Outcome) -> bool:
        return any((who, what, value) in outcome for value in how)

    low, high = outlook.interval(goes_well)
    return Goal(declared.told.get(what, what), how[0], float(outlook.chance(goes_well)), low, high)


def _harms(outlook: Outlook, declared: Odds, harmful: dict[str, int]) -> tuple[Harm, ...]:
    def hurts(outcome: Outcome, who: str) -> bool:
        return any(whose == who and what in harmful and _is_harm(value, harmful[what]) for whose, what, value in outcome)

    found = []
    for who in dict.fromkeys(whose for outcome, _ in outlook.outcomes for whose, _, _ in outcome if hurts(outcome, whose)):
        chance = outlook.chance(lambda outcome, who=who: hurts(outcome, who))  # type: ignore[misc]
        low, high = outlook.interval(lambda outcome, who=who: hurts(outcome, who))  # type: ignore[misc]
        first = next((what for what, sign in declared.harms if sign), "")
        amount = float(_mean(outlook, who, first)) if first else 0.0
        found.append(Harm(who, float(chance), low, high, declared.told.get(first, first.replace("_", " ")), amount))
    return tuple(sorted(found, key=lambda harm: -harm.chance))


def _is_harm(value: Any, sign: int) -> bool:
    return value * sign > 0 if type(value) is int else bool(value) and not sign and not str(value).startswith("-")
