"""Odds in words, for a terminal: how far they can be trusted, and what may come, a line for each outcome or each thing."""

from __future__ import annotations

from fractions import Fraction

from ..engine.chances import Odds, Outcome
from .digests import Digest, digest
from .odds import Outlook


def said(outlook: Outlook) -> str:
    """How far the chances of an outlook can be trusted."""
    if outlook.exact:
        return "exact"
    if outlook.samples:
        return f"played {outlook.samples} times"
    left_out = f"{float(outlook.missing):.1g} left out" if outlook.missing else ""
    if not outlook.worlds:
        return left_out
    worlds = "the same in" if outlook.agreed else "mean of"
    return f"{worlds} {outlook.worlds} imagined worlds" + (f", {left_out}" if left_out else "")


def lines(outlook: Outlook, odds: Odds | None = None, most: int = 6) -> list[str]:
    """What may come of an answer: outcome by outcome, or where there are many each thing by itself; what is sure first."""
    if not outlook.outcomes:
        return ["not found out with so little work"]
    if len(outlook.outcomes) > most:
        return _things(digest(outlook, odds))
    outcomes = outlook.outcomes
    common = [each for each in outcomes[0][0] if all(each in outcome for outcome, _ in outcomes)] if len(outcomes) > 1 else []
    shown = [f"  always  {in_words(tuple(common))}"] if common else []
    for outcome, chance in outcomes:
        rest = tuple(each for each in outcome if each not in common)
        shown.append(f"{percent(chance):>8}  {in_words(rest, 'nothing more' if common else 'nothing changes')}")
    return shown


def _things(found: Digest) -> list[str]:
    sure = ", ".join(" ".join(each) for each in found.sure).replace("_", " ")
    shown = [f"  always  {sure}"] if sure else []
    for thing in found.things:
        values = [f"{percent(value.chance)} {value.change or 'none'}" for value in thing.values]
        if thing.others:
            values.append(f"{percent(thing.others)} others")
        mean = "" if thing.mean is None else f"; on the average {thing.mean:+.2f}"
        shown.append(f"  {thing.whose} {thing.what}: ".replace("_", " ") + ", ".join(values) + mean)
    return shown


def percent(chance: Fraction | float) -> str:
    """A chance in per cent; what is not quite certain or impossible does not look so."""
    if 0 < chance < 0.00005:
        return "<0.01%"
    if 0.99995 < chance < 1:
        return ">99.99%"
    return f"{float(chance):.2%}"


def in_words(outcome: Outcome, nothing: str = "nothing changes") -> str:
    """An outcome in words."""
    parts = []
    for whose, what, value in outcome:
        amount = f"{value:+d}" if type(value) is int else {True: "", False: "no more", "": "none"}.get(value, str(value))
        parts.append(f"{whose} {what} {amount}".replace("_", " ").strip())
    return ", ".join(parts) or nothing
