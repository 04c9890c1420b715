"""Exact finite distributions: outcomes with whole-number weights. Fractions come out, floats only on request."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


class Law(Generic[T]):
    """A distribution over `T`: immutable, weights positive integers without a common divisor."""

    __slots__ = ("_weights", "total")

    def __init__(self, weights: Mapping[T, int] | Iterable[tuple[T, int]]) -> None:
        """ValueError if a weight is negative or all are zero."""
        merged: dict[T, int] = {}
        for outcome, weight in weights.items() if isinstance(weights, Mapping) else weights:
            if weight < 0:
                raise ValueError(f"the weight of {outcome!r} is {weight}; a weight is 0 or more")
            if weight:
                merged[outcome] = merged.get(outcome, 0) + weight
        if not merged:
            raise ValueError("a distribution needs an outcome with a weight above 0")
        divisor = math.gcd(*merged.values())
        self._weights = {outcome: weight // divisor for outcome, weight in merged.items()}
        self.total = sum(self._weights.values())

    @classmethod
    def certain(cls, outcome: T) -> Law[T]:
        """The law with one outcome."""
        return cls({outcome: 1})

    @classmethod
    def uniform(cls, outcomes: Iterable[T]) -> Law[T]:
        """Each outcome equally likely; one that stands twice counts twice."""
        return cls((outcome, 1) for outcome in outcomes)

    def items(self) -> Iterable[tuple[T, int]]:
        """Outcomes with their weights."""
        return self._weights.items()

    def __iter__(self) -> Iterator[T]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def chance(self, event: T | Callable[[T], bool]) -> Fraction:
        """The probability of an outcome, or of all outcomes for which a function is true."""
        if callable(event):
            return Fraction(sum(weight for outcome, weight in self.items() if event(outcome)), self.total)
        return Fraction(self._weights.get(event, 0), self.total)

    def map(self, change: Callable[[T], U]) -> Law[U]:
        """The law of what a function makes of the outcome."""
        return Law((change(outcome), weight) for outcome, weight in self.items())

    def then(self, follow: Callable[[T], Law[U]]) -> Law[U]:
        """The law of what follows, when each outcome leads to a law of its own."""
        branches = [(follow(outcome), weight) for outcome, weight in self.items()]
        scale = math.lcm(*(branch.total for branch, _ in branches))
        return Law(
            (outcome, weight * inner * (scale // branch.total))
            for branch, weight in branches
            for outcome, inner in branch.items()
        )

    def given(self, event: Callable[[T], bool]) -> Law[T]:
        """The law on condition of an event. ValueError if the event cannot be."""
        return Law((outcome, weight) for outcome, weight in self.items() if event(outcome))

    def mean(self: Law[int]) -> Fraction:
        """The expected value."""
        return Fraction(sum(outcome * weight for outcome, weight in self.items()), self.total)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Law) and self._weights == other._weights

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __repr__(self) -> str:
        return f"Law({self._weights!r})"
