"""Marks Python tests with the statements that they prove, and holds them to it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from .scenes import Unmet, listeners

T = TypeVar("T", bound=Callable[..., Any])


def rule(*ids: str) -> Callable[[T], T]:
    """`@rule("VAIA-TRG-3")`: the test fails unless a `Scene` in it met each of these statements."""

    def mark(test: T) -> T:
        @functools.wraps(test)
        def watched(*arguments: Any, **named: Any) -> Any:
            seen: set[str] = set()
            listeners.append(seen)
            try:
                result = test(*arguments, **named)
            finally:
                listeners[:] = [each for each in listeners if each is not seen]
            missing = [id for id in ids if id not in seen]
            if missing:
                raise Unmet(f"this test cites {', '.join(missing)}, but no event, offer, refusal or number in it did")
            return result

        watched.rules = ids  # type: ignore[attr-defined]
        return watched  # type: ignore[return-value]

    return mark
