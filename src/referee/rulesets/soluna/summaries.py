"""Summaries: what a span of steps comes to, in closed form; tests prove them equal to the steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from ...dice import Law
from ...dice.like import face_law, group_law
from ...engine import Frame
from .trials import Test


class Summary(NamedTuple):
    """The law of the facts `sets` of a frame after its steps `first` to `last`, given the frame and the policies."""

    frame: type[Frame]
    first: str
    last: str
    sets: tuple[str, ...]
    law: Callable[[Any, Mapping[str, Any]], Law[tuple[int, ...]]]


def law_of_test(test: Test, policies: Mapping[str, Any]) -> Law[tuple[int, ...]]:
    """Score and face of a test (SOL-FLIP-4); the face is 0 where no policy looks at it."""
    flips = test.sacrificed + test.extra
    if policies["contest_tie"] == "higher_face":
        return face_law(test.dice, flips).map(tuple)
    return group_law(test.dice, flips).map(lambda size: (size, 0))


SUMMARIES: Final = (Summary(Test, "roll", "count", ("size", "face"), law_of_test),)
