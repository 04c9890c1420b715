"""Dice with symbols: what a face counts for, and a die as a list of faces.

A face is written with its letters: S a success, E a success that explodes (the die is rolled again and may be kept as well),
O an opportunity, T strife; "-" is a blank face. Which faces a die has is a matter of the game.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import NamedTuple


class Face(NamedTuple):
    """What a face counts for."""

    successes: int = 0
    opportunities: int = 0
    strife: int = 0
    explodes: bool = False


BLANK = Face()


def face(letters: str) -> Face:
    """The face of these letters. ValueError for letters that mean nothing."""
    if set(letters) - set("-SEOT") or not letters:
        raise ValueError(f"{letters!r} is no face: its letters are S, E, O, T, or - for a blank")
    explosions = letters.count("E")
    return Face(letters.count("S") + explosions, letters.count("O"), letters.count("T"), explosions > 0)


class SymbolDie:
    """A die with so many equally likely faces; one that stands twice counts twice."""

    def __init__(self, *faces: str) -> None:
        """ValueError if there is none, if all explode, or if a face carries more than one of a symbol or both E and O."""
        self.faces = faces
        self.weights: dict[Face, int] = dict(Counter(face(letters) for letters in faces))
        if not any(not each.explodes for each in self.weights):
            raise ValueError("a die needs a face that does not explode")
        for each in self.weights:
            if max(each[:3]) > 1 or (each.explodes and each.opportunities):
                raise ValueError("a face carries each symbol once at most, and no opportunity beside an explosion")

    @property
    def sides(self) -> int:
        """How many faces it has."""
        return len(self.faces)

    @cached_property
    def exploding(self) -> tuple[tuple[int, int], ...]:
        """The faces that explode, as (strife, weight)."""
        return tuple((each.strife, weight) for each, weight in self.weights.items() if each.explodes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SymbolDie) and self.faces == other.faces

    def __hash__(self) -> int:
        return hash(self.faces)

    def __repr__(self) -> str:
        return f"SymbolDie{self.faces!r}"
