"""How far something long has come, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable


def told(what: str) -> Callable[[float], None]:
    """A function that hears from 0 to 1 how much of something is done; it says so where somebody looks on."""

    def hear(done: float) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{what}: {done:4.0%}" if done < 1 else "\r" + " " * (len(what) + 8) + "\r")
            sys.stderr.flush()

    return hear
