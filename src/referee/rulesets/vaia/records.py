"""Vaia's records: characters, the Active Phase Order, traps, the objective."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from ...engine import Hidden, Id, Record


def knows_traps(game: Any, traps: TrapsRecord, seat: str) -> bool:
    """VAIA-HIDE-2: nobody at the table but the GM, unless it plays with open traps."""
    return bool(game.policy["traps"] == "open")


class Carried(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An item with its durability left."""

    id: Id
    durability: int


class CharacterRecord(Record):
    """A character at the table: place, HP, slots, Stress, conditions, items, named resources.

    `out` says why it has left ("dead", "out", "left"); `acted` that its active phase of this round has begun; `used` which
    `once` actions are spent; `exhausted` and `mute` are what Physical and Vocal burnout leave behind.
    """

    at: str
    hp: int
    slots: int = 0
    acted: bool = False
    out: str = ""
    physical: int = 0
    mental: int = 0
    vocal: int = 0
    exhausted: bool = False
    mute: bool = False
    bleed: int = 0
    hemorrhage: int = 0
    stunned: int = 0
    slowed: int = 0  # the divisor of what is lost at the next gain: 4, 2, or 0 for none
    items: tuple[Carried, ...] = ()
    named: tuple[tuple[str, int], ...] = ()
    used: tuple[Id, ...] = ()

    @property
    def standing(self) -> bool:
        """VAIA-END-1: HP above 0, and still in the encounter."""
        return self.hp > 0 and not self.out


class OrderRecord(Record):
    """The Active Phase Order of those still in the encounter, with what they rolled."""

    who: tuple[Id, ...] = ()


class TrapsRecord(Record):
    """The traps left: `placed` as (tile, trap), hidden; their kinds; the possible tiles that were entered; what all know."""

    placed: Annotated[tuple[tuple[str, Id], ...], Hidden(knows_traps, shown=len)] = ()
    kinds: tuple[Id, ...] = ()
    entered: tuple[str, ...] = ()
    known: tuple[tuple[str, Id], ...] = ()


class ObjectiveRecord(Record):
    """How often each side has done the objective's action."""

    done: tuple[tuple[str, int], ...] = ()


RECORDS: tuple[type[Any], ...] = (CharacterRecord, OrderRecord, TrapsRecord, ObjectiveRecord)
