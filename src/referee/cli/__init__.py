"""The command line: one file a verb. What goes wrong is told in one readable message, never as a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

VERBS = ("games", "play", "run", "replay", "odds", "check", "scene", "rules", "serve")

DONE, FAILED, BAD_INPUT, BROKEN_OFF = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a verb and exits: 0 done, 1 failed, 2 bad input, 130 broken off."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        # Answered before anything large is imported.
        print(f"referee {version()}")
        raise SystemExit(DONE)
    from .running import run_verb

    code = run_verb(words or ["--help"])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has gone; Python would complain once more while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = code or FAILED
    raise SystemExit(code)


def version() -> str:
    """The version of what is installed."""
    from importlib.metadata import version

    return version("referee-tabletop")
