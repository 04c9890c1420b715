"""Sol'una's records: the models, the things on the board; and an Action as a side has chosen it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ...engine import Id, Record

Mind = Annotated[int, Meta(ge=0, le=10)]
Count = Annotated[int, Meta(ge=0, le=1000)]


class ModelRecord(Record):
    """A model on the table: what it has left, what it has spent this Turn, where it stands. All of it is open."""

    at: str
    mind: Mind
    body: int
    mind_spent: Count = 0
    speed_spent: Count = 0
    combat_spent: Count = 0
    ready: tuple[Id, ...] = ()
    saved: Count = 0
    prepared: Count = 0
    cp_risks: Count = 0
    out: str = ""

    @property
    def left(self) -> int:
        """Mind Points that it may still spend this Turn."""
        return max(0, self.mind - self.mind_spent)

    @property
    def overspent(self) -> bool:
        """SOL-MIND-3: its Mind has fallen below the points spent."""
        return self.mind < self.mind_spent


class ThingRecord(Record):
    """A thing: the square it lies on or the model that holds it, and whether its interaction is done."""

    at: str = ""
    holder: Id = ""
    done: bool = False


class Deed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An Action as it was chosen, with every parameter, and what has become of it in the phase.

    `name` is a weapon, an interaction or a contest; `target` a model, a thing or a prize. `pool` holds dice and flips of
    the Risk of a move or for a Combat Point, or of the interaction; `boost` those of the accuracy Risk. `flips` names the
    roll that takes the preparation flips, `prepared` is their number.
    """

    who: Id
    kind: str
    name: Id = ""
    target: Id = ""
    path: tuple[str, ...] = ()
    pool: tuple[int, ...] = ()
    increase: int = 0
    boost: tuple[int, ...] = ()
    flips: str = ""
    prepared: int = 0
    raised: int = 0
    failed: bool = False

    def extra(self, roll: str) -> int:
        """The preparation flips that a roll takes."""
        return self.prepared if self.flips == roll else 0


class Called(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A contest called in this phase: its prize, who called it, who takes part, dice, flips and preparation flips of each."""

    name: Id
    prize: Id
    callers: tuple[Id, ...]
    contestants: tuple[Id, ...]
    pools: tuple[tuple[int, int, int], ...] = ()


RECORDS: tuple[type[Any], ...] = (ModelRecord, ThingRecord)
