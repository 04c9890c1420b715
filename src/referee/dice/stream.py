"""A stream of random numbers that is a pure function of a seed and a count: its whole state is two integers.

SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014) in counter form.
"""

from __future__ import annotations

import hashlib
from typing import Final, TypeVar

T = TypeVar("T")

_MASK: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15


class Stream:
    """Uniform draws; `drawn` counts them, and a stream of equal seed and count goes on equally."""

    __slots__ = ("_base", "drawn", "seed")

    def __init__(self, seed: int, drawn: int = 0) -> None:
        self.seed = seed
        self.drawn = drawn
        self._base = (seed * 0xD1342543DE82EF95 + 0x632BE59BD9B4E019) & _MASK

    @classmethod
    def named(cls, seed: int, *names: str | int) -> Stream:
        """A stream of its own for a purpose: what it draws tells nothing of the streams beside it."""
        text = "/".join([str(seed), *map(str, names)])
        return cls(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"))

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound - 1`, each exactly equally likely. ValueError unless 1 <= bound <= 2**64."""
        if not 1 <= bound <= 1 << 64:
            raise ValueError(f"cannot draw below {bound}: a bound is from 1 to 2**64")
        while True:
            self.drawn += 1
            z = (self._base + self.drawn * _GOLDEN) & _MASK
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            product = (z ^ (z >> 31)) * bound
            # The few numbers that would favour a result are drawn again (Lemire, 2019).
            if (product & _MASK) >= (1 << 64) % bound:
                return product >> 64

    def choose(self, options: tuple[T, ...] | list[T]) -> T:
        """One of the options, each equally likely."""
        return options[self.below(len(options))]

    def sample(self, options: tuple[T, ...] | list[T], count: int) -> tuple[T, ...]:
        """`count` different options, each set and order equally likely. ValueError if there are too few."""
        if not 0 <= count <= len(options):
            raise ValueError(f"cannot draw {count} of {len(options)} options")
        rest = list(options)
        drawn = []
        for _ in range(count):
            drawn.append(rest.pop(self.below(len(rest))))
        return tuple(drawn)
