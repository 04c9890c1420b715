"""Numbers and refusals that explain themselves: a generator is the sum and its breakdown, the verdict and its reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

Line = tuple[int, str, str]
"""One line of a number: its value, its source in words or as an id, the rule id."""


class Breakdown(msgspec.Struct, frozen=True, gc=False):
    """A number with the lines it is made of; `least` is the floor the rules set, if they set one."""

    name: str
    lines: tuple[Line, ...]
    least: int | None = None

    @property
    def total(self) -> int:
        """The number itself."""
        value = sum(line[0] for line in self.lines)
        return value if self.least is None else max(self.least, value)


class Reason(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Why something may not be done: a key that the ruleset's words turn into a sentence, its facts, the rule ids."""

    key: str
    facts: tuple[str | int, ...] = ()
    rules: tuple[str, ...] = ()


def total(lines: Iterable[Line], least: int | None = None) -> int:
    """The sum of a number's lines, not below `least`."""
    value = 0
    for line in lines:
        value += line[0]
    return value if least is None or value > least else least


def breakdown(name: str, lines: Iterable[Line], least: int | None = None) -> Breakdown:
    """The same number with all its lines."""
    return Breakdown(name, tuple(lines), least)


def legal(reasons: Iterator[Reason]) -> bool:
    """Whether there is no reason against it; stops at the first."""
    for _ in reasons:
        return False
    return True
