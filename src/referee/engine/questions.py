"""Questions: what an encounter stops for, and the offers and refusals that go with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ..dice import Spec
from .numbers import Reason
from .records import Id

if TYPE_CHECKING:
    from .frames import Frame

Atom = str | int | bool | None
Value = Atom | tuple[Atom | tuple[Atom | tuple[Atom, ...], ...], ...]
"""An answer as it is handed to a step and written into a transcript: text, number, or tuples of these, three deep."""


class Offer(msgspec.Struct, frozen=True, gc=False):
    """One legal answer: facts for any surface, no layout.

    `value` is what the step receives; `group` puts like offers together; `cell`, `target` and `dice` say what on the table is
    meant; `cost` lists (amount, of what); `rules` the rule ids. Labels are worded by the ruleset when read.
    """

    value: Value
    group: str = ""
    cell: str = ""
    target: Id = ""
    dice: tuple[int, ...] = ()
    cost: tuple[tuple[int, str], ...] = ()
    rules: tuple[str, ...] = ()


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """What a player might expect to be able to do now and may not: the value it would have, and why."""

    value: Value
    reasons: tuple[Reason, ...]
    group: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that forbid it."""
        return tuple(rule for reason in self.reasons for rule in reason.rules)


class Choice(msgspec.Struct, frozen=True, gc=False):
    """One seat decides. With a single offer it answers itself unless `always`, which is for telling nothing.

    Under the form "keep" the first of `facts` lists the dice that are there, and each offer's `dice` are their places from 1.
    `about` is the ruleset's key for what is asked, `who` the figure asked for, `facts` what the words need. `refuse` is
    called with the game and the Choice when somebody reads the refusals.
    """

    seat: str
    about: str
    offers: tuple[Offer, ...]
    who: Id = ""
    form: Literal["list", "keep", "number", "path"] = "list"
    always: bool = False
    facts: tuple[Any, ...] = ()
    refuse: Callable[[Any, Choice], Iterable[Refusal]] | None = None


class Roll(msgspec.Struct, frozen=True, gc=False):
    """Chance decides: `spec` says what is rolled, `about` for what, `who` for whom."""

    about: str
    spec: Spec
    who: Id = ""
    facts: tuple[Any, ...] = ()


class Together(msgspec.Struct, frozen=True, gc=False):
    """Several seats decide in secret, each in a private branch of the agenda; all is revealed at once.

    Each seat's frame may ask that seat any number of Choices, and ends with its sealed answer in its field `sealed`. The
    step after receives the sealed answers by seat.
    """

    branches: Mapping[str, Frame]
    about: str = ""


class Cut(msgspec.Struct, frozen=True, gc=False):
    """Abandons at once what stands above the frame at `depth`, and sends that frame to a step."""

    depth: int
    step: str


Question = Choice | Together | Roll
