"""What is rolled, as small values that go into saves and keys: one die, several dice."""

from __future__ import annotations

import re
from itertools import product
from typing import Any, Final, Protocol

import msgspec

from .law import Law
from .stream import Stream


class ImpossibleRoll(ValueError):
    """A typed or recorded roll that these dice cannot show; the message says what they can.

    `written` says that it is written as rolls are: there are too many dice, too few, or some in the wrong place.
    """

    def __init__(self, message: str, *, written: bool = False) -> None:
        super().__init__(message)
        self.written = written


class Spec(Protocol):
    """What a roll is made of. Rulesets with dice of their own provide the same four."""

    def sample(self, stream: Stream) -> Any:
        """One outcome, drawn."""

    def law(self) -> Law[Any]:
        """All outcomes with their weights."""

    def read(self, text: str) -> Any:
        """The outcome that a person typed. ImpossibleRoll if it cannot be."""

    def allows(self, outcome: Any) -> bool:
        """Whether these dice can show that outcome."""


class Die(msgspec.Struct, frozen=True, gc=False, tag=True, array_like=True):
    """One die showing 1 to `sides`."""

    sides: int

    def sample(self, stream: Stream) -> int:
        """One outcome, drawn."""
        return stream.below(self.sides) + 1

    def law(self) -> Law[int]:
        """All outcomes with their weights."""
        return Law.uniform(range(1, self.sides + 1))

    def read(self, text: str) -> int:
        """The outcome that a person typed. ImpossibleRoll if it cannot be."""
        value = int(text) if re.fullmatch(r"\s*\d{1,9}\s*", text) else None
        if not self.allows(value):
            raise ImpossibleRoll(f"{self} cannot show {text.strip()!r}: type a whole number from 1 to {self.sides}")
        return int(value or 0)

    def allows(self, outcome: Any) -> bool:
        """Whether these dice can show that outcome."""
        return type(outcome) is int and 1 <= outcome <= self.sides

    def __str__(self) -> str:
        return f"d{self.sides}"


class Dice(msgspec.Struct, frozen=True, gc=False, tag=True, array_like=True):
    """`count` dice showing 1 to `sides` each; the outcome is a tuple in the order thrown."""

    count: int
    sides: int

    def sample(self, stream: Stream) -> tuple[int, ...]:
        """One outcome, drawn."""
        return tuple([stream.below(self.sides) + 1 for _ in range(self.count)])

    def law(self) -> Law[tuple[int, ...]]:
        """All outcomes with their weights."""
        return Law.uniform(product(range(1, self.sides + 1), repeat=self.count))

    def read(self, text: str) -> tuple[int, ...]:
        """The outcome that a person typed. ImpossibleRoll if it cannot be."""
        words = text.replace(",", " ").split()
        values = tuple(int(word) for word in words if re.fullmatch(r"\d{1,9}", word))
        if len(values) != len(words) or not self.allows(values):
            raise ImpossibleRoll(f"{self} cannot show {text.strip()!r}: type {self.count} whole numbers from 1 to {self.sides}")
        return values

    def allows(self, outcome: Any) -> bool:
        """Whether these dice can show that outcome."""
        return (
            isinstance(outcome, list | tuple)
            and len(outcome) == self.count
            and all(type(value) is int and 1 <= value <= self.sides for value in outcome)
        )

    def __str__(self) -> str:
        return f"{self.count}d{self.sides}"


D6: Final = Die(6)
D10: Final = Die(10)
D20: Final = Die(20)
