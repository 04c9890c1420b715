"""Who is let in: the room of a table for whoever proves a seat of it, and how often one place may knock."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException

from .rates import Rates
from .rooms import Room, Rooms
from .texts import text

Connection = ASGIConnection[Any, Any, Any, Any]


def rooms_of(connection: Connection) -> Rooms:
    """The rooms of this server."""
    found: Rooms = connection.app.state.rooms
    return found


def limited(connection: Connection, what: str) -> None:
    """Counts something that is asked for. 429 if it came too often from one place."""
    rates: Rates = connection.app.state.rates
    if not rates.allows(_address(connection), what):
        raise HTTPException(text("too_many"), status_code=429)


async def entered(connection: Connection, table: str, seat: str, proof: str, *, status: int, why: str) -> Room:
    """The room, if the proof is good for that seat of it. 404 if there is no such table, else `status` and the text `why`.

    Who has tried too much that was no good is told 429, whatever they try then.
    """
    rates: Rates = connection.app.state.rates
    if rates.spent(_address(connection), "wrong"):
        raise HTTPException(text("too_many"), status_code=429)
    room = await rooms_of(connection).get(table)
    if room is None or not room.sits(seat, proof):
        if proof != connection.cookies.get("seat"):  # a page left open tries its old cookie again and again
            rates.allows(_address(connection), "wrong")
        raise HTTPException(text("no_table"), status_code=404) if room is None else HTTPException(text(why), status_code=status)
    return room


def _address(connection: Connection) -> str:
    return connection.client.host if connection.client else ""
