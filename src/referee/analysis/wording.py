"""Odds in words, for a terminal: how far they can be trusted, and what may come, a line for each outcome or each thing."""

from __future__ import annotations

from collections.abc import Container, Iterable
from fractions import Fraction
from typing import Any, Final

from ..engine.chances import Odds, Outcome
from .digests import Digest, digest
from .odds import Outlook

_AS_TEXT: Final[dict[Any, str]] = {True: "", False: "no more", "": "none"}


def said(outlook: Outlook) -> str:
    """How far the chances of an outlook can be trusted."""
    if outlook.exact:
        return "exact"
    if outlook.samples:
        return f"{percent(1 - outlook.played)} counted, the rest played {outlook.samples} times"
    left_out = f"{float(outlook.missing):.1g} left out" if outlook.missing else ""
    if not outlook.worlds:
        return left_out
    worlds = "the same in" if outlook.agreed else "mean of"
    return f"{worlds} {outlook.worlds} imagined worlds" + (f", {left_out}" if left_out else "")


def lines(outlook: Outlook, odds: Odds | None = None, most: int = 6) -> list[str]:
    """What may come of an answer: outcome by outcome, or where there are many each thing by itself; what is sure first.

    Told is what the ruleset has words for; outcomes that differ in nothing else are one.
    """
    if not outlook.outcomes:
        return ["not found out with so little work"]
    outcomes = _told(outlook, odds)
    if len(outcomes) > most:
        return _things(digest(outlook, odds))
    first = next(iter(outcomes))
    common = tuple(each for each in first if all(each in outcome for outcome in outcomes)) if len(outcomes) > 1 else ()
    shown = [f"  always  {changes(common, odds)}"] if common else []
    for outcome, chance in outcomes.items():
        rest = tuple(each for each in outcome if each not in common)
        shown.append(f"{percent(chance):>8}  {changes(rest, odds) or ('nothing more' if common else 'nothing changes')}")
    return shown


def _told(outlook: Outlook, odds: Odds | None) -> dict[Outcome, Fraction]:
    found: dict[Outcome, Fraction] = {}
    for outcome, chance in outlook.outcomes:
        kept = tuple(each for each in outcome if odds is None or odds.tells(*each[:2]))
        found[kept] = found.get(kept, Fraction(0)) + chance
    return dict(sorted(found.items(), key=lambda each: -each[1]))


def _things(found: Digest) -> list[str]:
    sure = _joined((whose, f"{what} {change}") for whose, what, change in found.sure)
    shown = [f"  always  {sure}"] if sure else []
    for thing in found.things:
        values = [f"{percent(value.chance)} {value.change or 'none'}" for value in thing.values]
        if thing.others:
            values.append(f"{percent(thing.others)} others")
        mean = "" if thing.mean is None else f"; on the average {thing.mean:+.2f}"
        shown.append(f"  {_name(thing.whose)}, {thing.what}: ".replace("  , ", "  ") + ", ".join(values) + mean)
    return shown


def brief(found: Digest, known: Container[tuple[str, str, str]] = ()) -> str:
    """The odds of an answer in a few words, to stand beside it: whether it goes well, whom it hurts, else what is likeliest.

    Where nothing is open the numbers that are sure are told, but for what is `known`, since most answers have it in common. `~`
    is before what was not counted in full: played, or different in the worlds that were imagined.
    """
    parts = []
    rough = "~" if found.samples or not found.agreed else ""
    if found.goal is not None:
        parts.append(f"{rough}{_roughly(found.goal.chance)} {found.goal.how}")
    for harm in found.harms[:2]:
        mean = f" ({harm.what} {harm.amount:+.2f})" if harm.amount else ""
        parts.append(f"{rough}{_roughly(harm.chance)} hurts {_name(harm.who)}{mean}")
    if not parts and found.things:
        thing = found.things[0]
        whose = f"{_name(thing.whose)}: " if thing.whose else ""
        likeliest = max(thing.values, key=lambda value: value.chance)
        likely = f"{likeliest.change or 'none'} {rough}{_roughly(likeliest.chance)}"
        parts.append(f"{whose}{thing.what} {likely if thing.mean is None else f'{rough}{thing.mean:+.2f} on the average'}")
    elif not parts:
        sure = [each for each in found.sure if each not in known and each[2].lstrip("+-").isdigit()]
        parts += [_joined((whose, f"{what} {change}") for whose, what, change in sure[:2])] if sure else []
    return ", ".join(parts)


def percent(chance: Fraction | float) -> str:
    """A chance in per cent; what is not quite certain or impossible does not look so."""
    if 0 < chance < 0.00005:
        return "<0.01%"
    if 0.99995 < chance < 1:
        return ">99.99%"
    return f"{float(chance):.2%}"


def _roughly(chance: float) -> str:
    if 0 < chance < 0.005:
        return "<1%"
    return ">99%" if 0.995 < chance < 1 else f"{chance:.0%}"


def changes(outcome: Outcome, odds: Odds | None = None) -> str:
    """An outcome in words, figure by figure, in the ruleset's words for what changes."""
    words = odds.told if odds is not None else {}
    return _joined(
        (whose, f"{words.get(what, what.replace('_', ' '))} {_amount(value)}".strip()) for whose, what, value in outcome
    )


def _joined(parts: Iterable[tuple[str, str]]) -> str:
    """Facts behind the name of whom they concern."""
    by_name: dict[str, list[str]] = {}
    for whose, fact in parts:
        by_name.setdefault(whose, []).append(fact.strip())
    return "; ".join((f"{_name(whose)}: " if whose else "") + ", ".join(facts) for whose, facts in by_name.items())


def _name(whose: str) -> str:
    return whose.replace("_", " ").replace(".", " ").title()


def _amount(value: Any) -> str:
    return f"{value:+d}" if type(value) is int else _AS_TEXT.get(value, str(value)).replace("_", " ")


def in_words(outcome: Outcome) -> str:
    """An outcome as it may be named in a goal: every fact with its owner before it."""
    return ", ".join(f"{whose} {what} {_amount(value)}".replace("_", " ").strip() for whose, what, value in outcome)
