"""Opens the web table for people on this machine: starts the server, sets the table, prints the links, opens the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..engine.encounter import Encounter
from ..engine.errors import RefereeError

if TYPE_CHECKING:
    from ..table.rooms import Room, Rooms

MISSING = "the web table needs more packages: pip install 'referee-tabletop[table]'"


def serving() -> Any:
    """The server's module. RefereeError if the packages that it needs are not installed."""
    try:
        from ..table import serving
    except ImportError as missing:
        raise RefereeError(f"{MISSING} ({missing.name} is missing); referee play --terminal needs none of them") from None
    return serving


def play_in_browser(
    encounter: Encounter | None, bots: Mapping[str, str], port: int | None, *, opens: bool, odds_seconds: float = 0.5
) -> None:
    """Serves until Ctrl-C; with an encounter at a table of its own, else at the first page."""
    table = serving()
    folder = table.state_folder()
    app, rooms = table.build(table.database_url(None), folder / "secret", (), odds_seconds=odds_seconds)
    listening = table.listen("127.0.0.1", port)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"

    async def ready() -> None:
        first = address
        if encounter is not None:
            room = await _set_table(rooms, encounter, bots)
            first = _link(address, room, "host")
            print(f"{room.row.name}: whoever opens a link sits in that seat")
            for seat in room.state.seats("player", "gm", "spectator"):
                kind = f"  ({bots[seat]} bot)" if seat in bots else ""
                print(f"  {seat:<12} {_link(address, room, seat)}{kind}")
            print(f"  {'all seats':<12} {first}")
        else:
            print(f"The web table is at {address}")
        print("Ctrl-C ends it.", flush=True)
        if opens and _has_browser():
            webbrowser.open(first)

    table.run(app, listening, ready)


async def _set_table(rooms: Rooms, encounter: Encounter, bots: Mapping[str, str]) -> Room:
    from ..table import acts
    from ..table.state import State

    scenario = encounter.content.scenario
    room = await rooms.create(str(scenario.title or scenario.id), State(encounter))
    for seat, kind in bots.items():
        await room.do(acts.HOST, room.next_act(acts.HOST), acts.Seat(seat, kind))
    return room


def _link(address: str, room: Room, seat: str) -> str:
    return f"{address}/s/{room.id}/{seat}/{room.proof(seat)}"


def _has_browser() -> bool:
    """Whether a browser can show itself: one that runs in the terminal would lie over the links."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER"))
