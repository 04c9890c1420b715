"""What a ruleset declares of itself, and the content (scenario and cards) an encounter is played with.

Holds no rule and reads no file: `content` makes a `Content`, `rulesets` make a `Ruleset`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec

from .chances import Odds
from .hiding import Hiding


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of content: every kind of card extends this.

    `id` is unique among all cards of its ruleset; `spare` says that no scenario uses the card on purpose.
    """

    id: str
    title: str = ""
    spare: bool = False


@dataclass(frozen=True)
class Ref:
    """Marks a field of a card or scenario as the id of another card: `Annotated[str, Ref("artifacts")]`.

    `also` are words that may stand there instead of an id.
    """

    kind: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Policy:
    """A named option of a ruleset where its book is silent or disputed.

    `values` are the allowed values, the default first; `any_number` also allows every whole number from 0 to 1,000: rounds
    and the like, over which rules and odds may loop.
    """

    values: tuple[str | int | bool, ...]
    why: str
    any_number: bool = False

    @property
    def default(self) -> str | int | bool:
        """The value that holds where a scenario names none."""
        return self.values[0]

    def allows(self, value: object) -> bool:
        """Whether a scenario may set that value."""
        if any(value == each and type(value) is type(each) for each in self.values):
            return True
        return self.any_number and type(value) is int and 0 <= value <= 1000


class Scenario(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every scenario file holds; a ruleset extends it with its figures, map and objectives.

    `cards` names files or folders with further cards, relative to the scenario file.
    """

    ruleset: str
    id: str
    title: str
    about: str = ""
    cards: tuple[str, ...] = ()
    policies: dict[str, str | int | bool] = {}


@dataclass(frozen=True)
class Content:
    """A scenario with the cards it may use, as one encounter carries it.

    `cards` maps each kind to its cards by id; `source` is the same as canonical JSON, from which
    `referee.content.restore` makes it again; `digest` is the SHA-256 of `source`, in hexadecimal.
    """

    ruleset: Ruleset
    scenario: Any
    cards: Mapping[str, Mapping[str, Any]]
    source: bytes
    digest: str

    def policy(self, name: str) -> Any:
        """The value of a policy in this scenario: its own, else the ruleset's default."""
        value = self.scenario.policies.get(name)
        return self.ruleset.policies[name].default if value is None else value

    @cached_property
    def setting(self) -> Setting:
        """What is the same in all encounters with this content, made once."""
        seats = {seat.name: seat for seat in self.ruleset.seats(self)}
        return Setting(
            self.ruleset.prepare(self),
            {name: self.policy(name) for name in self.ruleset.policies},
            seats,
            {figure: seat.name for seat in seats.values() for figure in seat.figures},
        )


@dataclass(frozen=True)
class Problem:
    """A fault that only the ruleset can see (a spent budget, two figures on one square).

    `path` leads to the value in the file, as keys and positions: ("avatars", 2, "corpus") in a file of cards,
    ("figures", 1, "at") in a scenario. `note` marks what is worth saying but no fault.
    """

    path: tuple[str | int, ...]
    wrong: str
    right: str
    note: bool = False


@dataclass(frozen=True)
class Seat:
    """Who answers: `figures` it answers for, `side` it belongs to; a GM sees all but sealed answers."""

    name: str
    side: str = ""
    figures: tuple[str, ...] = ()
    role: str = "player"  # player | gm | spectator


def _nothing(*_: Any) -> tuple[()]:
    return ()


Rolled = tuple[str, str, tuple[tuple[str, str], ...]]
"""Dice in a line of the log: the words just before them, how they are written, and (kind, face) of each; "d6" is a kind."""


@dataclass(frozen=True)
class Secret:
    """Something that a GM may let a side know, or take from what it knows: by a ruling on one field of a record.

    `name` tells it from others and stays the same as long as it exists; `about` and `what` are words, `to` is who would learn it.
    """

    name: str
    about: str
    what: str
    to: str
    known: bool
    record: str
    field: str
    value: Any  # of the field once it is the other way round


@dataclass(frozen=True, kw_only=True, eq=False)
class Ruleset:
    """One game's rules: the only thing others get of it. The fields are the contract of `docs/writing-a-ruleset.md`."""

    id: str
    title: str
    rules_version: int
    package: str  # importable; its folder holds rules.md, cards/, scenarios/, scenes/
    main_scenario: str
    cards: Mapping[str, type[Card]]  # the sections of its card files
    scenario: type[Scenario]
    policies: Mapping[str, Policy]
    records: tuple[type[Any], ...]
    frames: tuple[type[Any], ...]
    seats: Callable[[Content], tuple[Seat, ...]]
    setup: Callable[[Any], Any]  # puts the first records into the game; the first frame, or the agenda from the bottom up
    words: Any  # module or object with about, label, reason, line, result and tableau
    checks: tuple[Callable[[Any, tuple[str, ...]], Any], ...] = ()  # state-based checks, in the order of interrupts
    reactions: Callable[[Any, Any, str], Any] = _nothing  # what a figure may hold in a window
    prepare: Callable[[Content], Any] = lambda content: None  # what never changes in an encounter: sheets, map
    breakdown: Callable[[Any, Any, Any], Any] = _nothing  # the numbers in an offer
    concede: Callable[[Any, str], Any] | None = None  # the frame by which the side of a seat leaves
    worth: Callable[[Any, str], int] = lambda game, seat: 0  # how good a state looks to a seat, for greedy bots
    judge: Callable[[Any, Any, Any], int] | None = None  # how good an offer in a secret draft looks; None: bots try it out
    prefers: Callable[[Any, Any], Any] | None = None  # the offer that greedy bots take at once; None: they try all
    arrange: Callable[[Any, Mapping[str, Any]], Any] | None = None  # the same as `setup`, for what a scene gives
    cases: Mapping[str, Callable[..., Any]] = field(default_factory=dict)  # pure numbers that scene files may ask for
    invariants: Callable[[Any], Any] = _nothing  # what is wrong with a state that can never be, in words
    conceded: Callable[[Any, str], bool] = lambda game, seat: False  # whether it has left already
    possible: Callable[[Any, str, Any], None] = _nothing  # type: ignore[assignment]  # draws what a seat cannot know
    certain: Callable[[Any, str], bool] = lambda game, seat: False  # whether `possible` would leave all as it is for a seat
    secrets: Callable[[Any], Iterable[Secret]] = _nothing  # what a GM may let others know, or take from what they know
    card_problems: Callable[[Mapping[str, Mapping[str, Any]]], Any] = _nothing
    scenario_problems: Callable[[Content], Any] = _nothing
    readable_versions: tuple[int, ...] = ()  # older rules versions whose transcripts can still be played
    in_use: tuple[str, ...] = ()  # kinds of card that every scenario uses whole
    figures: str = ""  # the kind of card that people may bring to a table in place of one that its scenario names
    odds: Odds | None = None  # its questions of chance, and what to look at for odds in an encounter
    face: Callable[[Content, Any], Mapping[str, Any]] | None = None  # facts for the templates in faces/, from a seat's View
    underway: Callable[[Any, str], Mapping[str, Any]] = lambda game, seat: {}  # what the agenda is doing, as a seat may know it
    round_name: str = "Round"
    hiding: Hiding | str = "this game has no place for figures in hiding"  # whose figures may hide, or why none may
    rolled: Callable[[Any], Iterable[Rolled]] = _nothing  # the dice in an event, in the order of its line, for pictures


@dataclass(frozen=True)
class Setting:
    """What is the same in all encounters with one content: the ruleset's table, policies, seats."""

    table: Any
    policy: Mapping[str, Any]
    seats: Mapping[str, Seat]
    seat_of: Mapping[str, str]
