"""Follow-up dice that are all kept: the law of what so many of them add, each with the whole chain of those that follow it."""

from __future__ import annotations

from typing import Final

from .law import Cut
from .symbols import SymbolDie

LONGEST: Final = 16
"""Explosions in a row up to which a chain is listed: with a chance of 1/6 each less than 1e-12 is left out."""

Outcome = tuple[int, int, int]


def chains(dice: tuple[SymbolDie, SymbolDie], pending: tuple[int, int], barred: bool, longest: int = LONGEST) -> Cut[Outcome]:
    """Successes, opportunities and strife of so many follow-up dice of both kinds; `barred`: no strife may be kept."""
    law: dict[Outcome, int] = {(0, 0, 0): 1}
    total = 1
    for die, count in zip(dice, pending, strict=True):
        chain, of = _chain(die, barred, longest)
        for _ in range(count):
            sums: dict[Outcome, int] = {}
            for (s, o, t), weight in law.items():
                for (more_s, more_o, more_t), more in chain.items():
                    key = (s + more_s, o + more_o, t + more_t)
                    sums[key] = sums.get(key, 0) + weight * more
            law = sums
            total *= of
    return Cut(law, total)


def _chain(die: SymbolDie, barred: bool, longest: int) -> tuple[dict[Outcome, int], int]:
    """One die and all that follow it, the weights over one total."""
    total = die.sides ** (longest + 1)
    law: dict[Outcome, int] = {}
    rolling: dict[Outcome, int] = {(0, 0, 0): total}
    for left in range(longest, -1, -1):
        after: dict[Outcome, int] = {}
        for (s, o, t), weight in rolling.items():
            for face, part in die.weights.items():
                dropped = barred and face.strife
                key = (s, o, t) if dropped else (s + face.successes, o + face.opportunities, t + face.strife)
                into = after if face.explodes and not dropped else law
                if into is law or left:
                    into[key] = into.get(key, 0) + weight * part // die.sides
        rolling = after
    return law, total
