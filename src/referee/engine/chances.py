"""What a ruleset declares of its odds: the questions that the command line asks it, and what to look at in an encounter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Outcome = tuple[tuple[str, str, Any], ...]
"""What has come of an answer: (whose, what, how much it has changed or what it is now)."""


@dataclass(frozen=True)
class Option:
    """An option of `referee odds GAME`: its name without dashes, what kind of value, and what it means.

    Kinds: number (whole), fraction ("1/5", "0.2", "2"), word, flag. `count` values are given at once; `many` says that it may be
    given again and again; `among` lists the allowed words.
    """

    name: str
    kind: Literal["number", "fraction", "word", "flag"]
    help: str
    default: Any = None
    among: tuple[str, ...] = ()
    count: int = 1
    many: bool = False
    least: int | None = None


@dataclass(frozen=True)
class Chart:
    """What a picture of an answer shows: bars by label, in one or several series."""

    title: str
    across: str
    labels: tuple[str, ...]
    series: tuple[tuple[str, tuple[Any, ...]], ...]


def _no_chart(answer: Mapping[str, Any]) -> Chart | None:
    return None


@dataclass(frozen=True, kw_only=True, eq=False)
class Odds:
    """A ruleset's odds.

    `answer` receives the values of the options by name (and `subject`, where one is named) and `Tools`; it returns plain data
    in which chances are fractions, with `chance`, `exact` and `missing` where the question has one answer. ValueError says
    what is wrong with the values. `tell` puts an answer into lines, `chart` into a picture.

    In an encounter: `outcome` says what has come of an answer (None: what has changed in the public facts of all records),
    `decide` answers questions in the middle of a roll as well as can be (None: it is not one of those), `law` merges outcomes
    of a roll that make no difference.
    """

    options: tuple[Option, ...]
    answer: Callable[[Mapping[str, Any], Tools], Mapping[str, Any]]
    tell: Callable[[Mapping[str, Any]], Iterable[str]]
    chart: Callable[[Mapping[str, Any]], Chart | None] = _no_chart
    subject: str = ""
    outcome: Callable[[Any, Any, str], Outcome] | None = None
    decide: Callable[[Any, Any], Any] | None = None
    law: Callable[[Any, Any], Any] | None = None


@dataclass(frozen=True)
class Aim:
    """What a plan is to reach: when it is `done`, by which `clock` it is measured, which answers are worth trying.

    `others` says what those do who are asked on the way.
    """

    seat: str
    done: Callable[[Any], bool]
    clock: Callable[[Any], int]
    wanted: Callable[[Any, Any, Any], bool]
    others: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Tools:
    """What a ruleset's `answer` may call on: cards and tables set up as in a scene, and the search for plans.

    `cards` gives all cards of a section by id; `stage` an encounter with a scenario's fields replaced and a state given, as
    scenes do; `plan` the encounter at the end of the shortest way to an aim, or None.
    """

    cards: Callable[[str], Mapping[str, Any]]
    stage: Callable[[Mapping[str, Any], Mapping[str, Any]], Any]
    plan: Callable[[Any, Aim], Any]
