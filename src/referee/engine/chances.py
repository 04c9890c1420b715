"""What a ruleset declares of its odds: the questions that the command line asks it, and what to look at in an encounter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from .events import Event

Progress = Callable[[float], None]
"""Hears from 0 to 1 how much of something is done."""

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


def _unheard(done: float) -> None:
    pass


def _no_chart(answer: Mapping[str, Any]) -> Chart | None:
    return None


@dataclass(frozen=True)
class Summary:
    """What a span of steps comes to, in closed form: from a roll that is asked, with all choices in it, to a later step.

    `ends` lists the facts of the frame that asks, as the steps between would have left them, with the chance of each, the
    likeliest first; what they do not come to is left out. The span ends before its results are applied; `then` does what else
    its steps do, whatever the dice show.
    """

    step: str
    ends: tuple[tuple[Mapping[str, Any], Fraction], ...]
    then: Callable[[Any], None] | None = None


@dataclass(frozen=True)
class Foresight:
    """How secret choices of two are judged: how far each pair of them is played on, and what is then worth.

    `ended` says where playing on stops; `worth` is the seat's chance there, 0 to 1, the rest being the other's. On the way
    whoever is asked takes what is best for it of the answers that `tried` gives (None: as `decide` has it, or else as it looks
    at once). `summary` may merge what a roll comes to where that makes no difference here. `note` says what the judgement
    rests on.
    """

    ended: Callable[[Any], bool]
    worth: Callable[[Any], float]
    tried: Callable[[Any, Any], Iterable[Any] | None]
    summary: Callable[[Any, Any], Summary | None]
    note: str


@dataclass(frozen=True)
class Payoffs:
    """The same in closed form: `pairs` gives the seat's chance for each of its answers, by the other's."""

    pairs: Callable[[Sequence[Any], Sequence[Any]], Sequence[Sequence[Fraction]]]
    note: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Odds:
    """A ruleset's odds.

    `answer` receives the values of the options by name (and `subject`, where one is named) and `Tools`; it returns plain data
    in which chances are fractions, with `chance`, `exact` and `missing` where the question has one answer. ValueError says
    what is wrong with the values. `tell` puts an answer into lines, `chart` into a picture.

    In an encounter: `outcome` says what has come of an answer (None: what has changed in the public facts of all records),
    `decide` answers questions in the middle of a roll as well as can be (None: it is not one of those), `law` merges outcomes
    of a roll that make no difference, `summary` takes the place of a roll and of all that `decide` would answer in it (None:
    go step by step). `stops` names the questions at which one looks no further although they interrupt, `spans` the
    frames that run their course before one looks up, if the question is asked within one. `note` says of an event
    what it means for the outcome of whoever does it, as (what, how): that a check succeeds, that an attack misses. `foresee` says
    of secret choices for which a seat is asked how to judge them (None: they are no contest of two); `Progress` hears of it.
    `contested` names the questions of which it knows, each with whether it takes no longer than a page may wait.

    `plans` yields what a seat of an encounter may be working towards, each with the shortest way to it, as answers that `tell`
    tells; it receives the encounter as the seat imagines it, with a log that begins there, and the search for plans.

    For whoever reads odds at a table: `told` words the fields of records, and what `note` tells of, as far as they matter (empty:
    all of them); `harms` names the fields in which a change hurts a figure, with its sign (0: any text that is there then, or
    joins others); `won` lists how things go, in the words of `note`, where they go well for whoever does them, what matters
    most first.
    """

    options: tuple[Option, ...]
    answer: Callable[[Mapping[str, Any], Tools], Mapping[str, Any]]
    tell: Callable[[Mapping[str, Any]], Iterable[str]]
    chart: Callable[[Mapping[str, Any]], Chart | None] = _no_chart
    subject: str = ""
    outcome: Callable[[Any, Any, str], Outcome] | None = None
    decide: Callable[[Any, Any], Any] | None = None
    law: Callable[[Any, Any], Any] | None = None
    summary: Callable[[Any, Any], Summary | None] | None = None
    stops: tuple[str, ...] = ()
    spans: tuple[str, ...] = ()
    note: Callable[[Event], tuple[str, str] | None] | None = None
    plans: Callable[[Any, str, Callable[[Any, Aim], Any]], Iterable[Mapping[str, Any]]] | None = None
    foresee: Callable[[Any, str, Progress], Foresight | Payoffs | None] | None = None
    contested: Mapping[str, bool] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    harms: tuple[tuple[str, int], ...] = ()
    won: tuple[str, ...] = ()

    def tells(self, whose: str, what: str) -> bool:
        """Whether a change in that field is told to readers; of what has no owner every one is."""
        return not self.told or not whose or what in self.told or any(what == name for name, _ in self.harms)


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
    scenes do; `plan` the encounter at the end of the shortest way to an aim, or None. `progress` may be told how much of a
    long answer is done.
    """

    cards: Callable[[str], Mapping[str, Any]]
    stage: Callable[[Mapping[str, Any], Mapping[str, Any]], Any]
    plan: Callable[[Any, Aim], Any]
    progress: Progress = _unheard
