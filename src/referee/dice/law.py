"""Exact finite distributions: outcomes with whole-number weights. Fractions come out, floats only on request."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
V = TypeVar("V", bound=Hashable)


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

    def combine(self, other: Law[U], function: Callable[[T, U], V]) -> Law[V]:
        """The law of a function of two outcomes that do not depend on one another."""
        return Law(
            (function(ours, theirs), weight * against) for ours, weight in self.items() for theirs, against in other.items()
        )

    def rerolled(self, when: Callable[[T], bool], times: int | None = None) -> Law[T]:
        """The law when outcomes for which a function is true are rolled again, so many times; without a limit if None.

        ValueError if all outcomes are rolled again for ever.
        """
        if times is None:
            return self.given(lambda outcome: not when(outcome))
        law = self
        for _ in range(times):
            before = law
            law = self.then(lambda outcome: before if when(outcome) else Law.certain(outcome))  # noqa: B023
        return law

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


class Cut(Generic[T]):
    """A distribution of which only a part is listed: exact chances of the listed outcomes, and the mass left out."""

    __slots__ = ("_weights", "total")

    def __init__(self, weights: Mapping[T, int], total: int) -> None:
        """ValueError if a weight is negative or the weights come to more than the total."""
        if total < 1 or any(weight < 0 for weight in weights.values()) or sum(weights.values()) > total:
            raise ValueError("the weights of a distribution are 0 or more and come to its total at the most")
        self._weights = {outcome: weight for outcome, weight in weights.items() if weight}
        self.total = total

    def items(self) -> Iterable[tuple[T, int]]:
        """Outcomes with their weights, of `total`."""
        return self._weights.items()

    def __len__(self) -> int:
        return len(self._weights)

    def chance(self, event: T | Callable[[T], bool]) -> Fraction:
        """The probability of a listed outcome, or of the listed outcomes for which a function is true."""
        if callable(event):
            return Fraction(sum(weight for outcome, weight in self.items() if event(outcome)), self.total)
        return Fraction(self._weights.get(event, 0), self.total)

    @property
    def missing(self) -> Fraction:
        """The mass of all outcomes that are not listed."""
        return 1 - Fraction(sum(self._weights.values()), self.total)

    def map(self, change: Callable[[T], U]) -> Cut[U]:
        """The law of what a function makes of the outcome; as much is left out."""
        weights: dict[U, int] = {}
        for outcome, weight in self.items():
            changed = change(outcome)
            weights[changed] = weights.get(changed, 0) + weight
        return Cut(weights, self.total)


def compare(one: Law[int], other: Law[int]) -> tuple[Fraction, Fraction, Fraction]:
    """The chances that the first is greater, that both are equal, that the second is greater."""
    greater = less = 0
    for ours, weight in one.items():
        for theirs, against in other.items():
            if ours > theirs:
                greater += weight * against
            elif ours < theirs:
                less += weight * against
    total = one.total * other.total
    return Fraction(greater, total), Fraction(total - greater - less, total), Fraction(less, total)


def sum_of(law: Law[int], count: int) -> Law[int]:
    """The law of the sum of so many like dice. ValueError below 0."""
    _counted(count)
    total = Law.certain(0)
    for _ in range(count):
        total = total.combine(law, lambda so_far, more: so_far + more)
    return total


def highest(law: Law[int], count: int, keep: int = 1) -> Law[int]:
    """The law of the sum of the `keep` highest of so many like dice. ValueError below 0.

    Goes through the values from the top: how many dice show each; a state is (dice left, dice kept, sum).
    """
    _counted(count)
    _counted(keep)
    states: dict[tuple[int, int, int], int] = {(count, 0, 0): 1}
    for value, weight in sorted(law.items(), reverse=True):
        after: dict[tuple[int, int, int], int] = {}
        for (left, kept, total), mass in states.items():
            for here in range(left + 1):
                taken = min(here, keep - kept)
                state = (left - here, kept + taken, total + taken * value)
                after[state] = after.get(state, 0) + mass * math.comb(left, here) * weight**here
        states = after
    return Law((total, mass) for (left, _, total), mass in states.items() if not left)


def lowest(law: Law[int], count: int, keep: int = 1) -> Law[int]:
    """The law of the sum of the `keep` lowest of so many like dice. ValueError below 0."""
    return highest(law.map(lambda value: -value), count, keep).map(lambda total: -total)


class Exploding:
    """A die that is rolled again and added whenever it shows certain values, without a limit.

    The tail is solved, not cut off: the chance of at least n is exact for every n.
    """

    def __init__(self, law: Law[int], when: Callable[[int], bool]) -> None:
        """ValueError if a value that explodes is 0 or less, or if all do."""
        self._stays = [(value, weight) for value, weight in law.items() if not when(value)]
        self._explodes = [(value, weight) for value, weight in law.items() if when(value)]
        if not self._stays or any(value < 1 for value, _ in self._explodes):
            raise ValueError("a value that explodes is 1 or more, and one value at least does not explode")
        self._total = law.total
        self._mean = law.mean()
        self._least = min(law)
        self._reached: list[Fraction] = []

    def mean(self) -> Fraction:
        """The expected value: of one roll, divided by the chance that it stays."""
        return self._mean * self._total / sum(weight for _, weight in self._stays)

    def at_least(self, number: int) -> Fraction:
        """The chance of a sum of at least that number."""
        if number <= self._least:
            return Fraction(1)
        for each in range(self._least + 1 + len(self._reached), number + 1):
            stays = sum(weight for value, weight in self._stays if value >= each)
            more = sum(weight * self.at_least(each - value) for value, weight in self._explodes)
            self._reached.append(Fraction(stays + more) / self._total)
        return self._reached[number - self._least - 1]

    def law(self, most: int) -> Cut[int]:
        """The law of all sums up to `most`; what is above is left out, and stated."""
        chances = {each: self.at_least(each) - self.at_least(each + 1) for each in range(self._least, most + 1)}
        total = math.lcm(*(chance.denominator for chance in chances.values())) if chances else 1
        return Cut({each: chance.numerator * (total // chance.denominator) for each, chance in chances.items()}, total)


def _counted(count: int) -> None:
    if count < 0:
        raise ValueError(f"{count} dice: a number of dice is 0 or more")
