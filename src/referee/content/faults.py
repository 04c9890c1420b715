"""What can be wrong with content, and how it is said. Finds no fault itself."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Fault:
    """What is wrong at one place of a file, and what would be right.

    Line 0 stands for the file as a whole. A `note` is worth saying, but nothing has to be changed.
    """

    file: str
    line: int
    column: int
    wrong: str
    right: str
    note: bool = False

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {'note: ' if self.note else ''}{self.wrong}; {self.right}"


class ContentError(Exception):
    """Content that cannot be played with: `faults` has every fault found, in the order of files and lines."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__("\n".join(map(str, self.faults)))


class RegistryError(LookupError):
    """A ruleset or scenario that cannot be found, or that two packages claim."""


def nearest(name: str, known: Iterable[object]) -> str | None:
    """The known name most like `name`, if one is like it at all."""
    matches = difflib.get_close_matches(name, [str(each) for each in known], n=1, cutoff=0.5)
    return matches[0] if matches else None


def suggestion(name: str, known: Iterable[object]) -> str:
    """What to write instead of an unknown `name`: the nearest known one, else all of them."""
    names = [str(each) for each in known]
    near = nearest(name, names)
    if near is not None:
        return f'did you mean "{near}"?'
    return f"known: {', '.join(names)}" if names else "there are none"


def shown(path: Path) -> str:
    """A path as a reader wants to see it: relative where it lies below the working directory."""
    full = Path(os.path.abspath(path))
    return str(full.relative_to(Path.cwd()) if full.is_relative_to(Path.cwd()) else full)
