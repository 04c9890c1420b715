"""Odds in words, for a terminal: how far they can be trusted, and the likeliest outcomes one a line."""

from __future__ import annotations

from fractions import Fraction

from ..engine.chances import Outcome
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


def lines(outlook: Outlook, most: int = 6) -> list[str]:
    """The likeliest outcomes of an outlook, one a line."""
    shown = [f"{float(chance):7.2%}  {in_words(outcome)}" for outcome, chance in outlook.outcomes[:most]]
    rest = outlook.outcomes[most:]
    if rest:
        shown.append(f"{float(sum((chance for _, chance in rest), Fraction(0))):7.2%}  {len(rest)} others")
    return shown


def in_words(outcome: Outcome) -> str:
    """An outcome in words."""
    parts = []
    for whose, what, value in outcome:
        amount = f"{value:+d}" if type(value) is int else str(value)
        parts.append(f"{whose.replace('_', ' ')} {what.replace('_', ' ')} {amount}".strip())
    return ", ".join(parts) or "nothing changes"
