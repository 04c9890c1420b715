"""Tables for tests: a store in memory of its own, rooms, and seats that act in them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from referee.content import opening
from referee.table import acts
from referee.table.rooms import Room, Rooms
from referee.table.seats import Keys
from referee.table.state import State
from referee.table.store import Store

T = TypeVar("T")
KEYS = Keys(b"a secret of thirty-two bytes ...")
STAIR = "morphyry/broken_stair"


def with_rooms(folder: Path, work: Callable[[Rooms], Awaitable[T]]) -> T:
    """Runs something on rooms with a store of their own."""

    async def run() -> T:
        store = Store(f"sqlite:///{folder / 'tables.db'}")
        await store.open()
        rooms = Rooms(store, KEYS, bot_pause=0)
        try:
            return await work(rooms)
        finally:
            await rooms.stop()
            await store.close()

    return asyncio.run(run())


async def opened(rooms: Rooms, scenario: str = STAIR, seed: int = 3, **options: Any) -> Room:
    """A table at its first question."""
    return await rooms.create("A table", State(opening.start(scenario, seed, **options)))


def asked(room: Room) -> str:
    """The first seat that is asked."""
    return room.state.encounter.asked()[0]


async def answer(room: Room, seat: str, place: int = 0, ticket: str | None = None) -> str:
    """Answers with the offer at a place."""
    offers = room.state.encounter.offers(seat)
    value = acts.decode(acts.encode(acts.Answer(offers[place % len(offers)].value)))
    return await room.do(seat, room.ticket(seat) if ticket is None else ticket, value)


async def act(room: Room, seat: str, what: acts.AnyAct) -> str:
    """Does something that is no answer."""
    return await room.do(seat, room.next_act(seat), what)
