"""Morphyry's records: avatars, the techniques they have in play, what lies on the board."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from ...engine import Effect, Hidden, Id, Record


def knows_hand(game: Any, avatar: AvatarRecord, seat: str) -> bool:
    """MOR-HIDE-1: a hand is its owner's alone, unless the table plays with open hands."""
    return bool(game.policy["hands"] == "open" or game.seat_of.get(avatar.id) == seat)


class Held(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An artifact with an avatar: carried only, or utilised with so many Readys still to do."""

    id: Id
    utilised: bool = True
    readies: int = 0

    @property
    def works(self) -> bool:
        """MOR-MOD-4: utilised and ready."""
        return self.utilised and self.readies == 0


class AvatarRecord(Record):
    """An avatar on the table: ratings, pools, Electra invoked for Speed and Speed in hand, cards, artifacts, debts."""

    at: str
    corpus: int
    electra: int
    spiritum: int
    corpus_pool: int
    electra_pool: int
    spiritum_pool: int
    spirit: int = 20
    out: str = ""
    invoked: int = 0
    speed_modifier: int = 0
    speed: int = 0
    stepped: int = 0
    hand: Annotated[tuple[Id, ...], Hidden(knows_hand, shown=len)] = ()
    aside: tuple[Id, ...] = ()
    seen: tuple[Id, ...] = ()
    artifacts: tuple[Held, ...] = ()
    prone: bool = False
    debts: tuple[str, ...] = ()
    debt_ticks: int = 0
    counter: tuple[str, ...] = ()
    hurt: bool = False
    healed: int = 0
    holds: int = 0
    effects: tuple[Effect, ...] = ()


class TechniqueRecord(Record):
    """A place for a technique in play: the card (empty: none), its current action, its ticks, its states, its drive."""

    owner: Id
    card: Id = ""
    action: int = 0
    ticks: int = 0
    states: tuple[tuple[str, int], ...] = ()
    drive: int = 0

    @property
    def in_progress(self) -> bool:
        """At least one TimeTick is revealed."""
        return self.ticks > 0 or self.action > 0


class GroundRecord(Record):
    """What lies on the squares: (square, artifact)."""

    lying: tuple[tuple[str, Id], ...] = ()


RECORDS: tuple[type[Any], ...] = (AvatarRecord, TechniqueRecord, GroundRecord)
