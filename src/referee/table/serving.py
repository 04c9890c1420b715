"""Starts the server of the web table: where its database and its secret lie, on which port it listens."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Final

import uvicorn

from ..engine.errors import RefereeError
from .odds import SECONDS, Workers
from .rooms import Rooms
from .seats import Keys
from .shield import Shield
from .store import Store, Unavailable
from .web import application
from .wire import Wire

LOCAL: Final = ("127.0.0.1", "localhost", "[::1]")
PORT: Final = 8642
_GARBAGE: Final = (5000, 20, 50)  # new objects after which the young are looked through, and how often before the older are


def state_folder() -> Path:
    """Where tables are kept unless somebody says otherwise; it is made if it is missing."""
    state = os.environ.get("XDG_STATE_HOME")
    folder = (Path(state) if state else Path.home() / ".local" / "state") / "referee"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def database_url(named: str | None) -> str:
    """The URL of a database: as given, or of the file in the state folder."""
    if named is None:
        return f"sqlite:///{state_folder() / 'tables.db'}"
    if not named.startswith(("sqlite:///", "postgresql://", "postgres://")):
        raise RefereeError(f"--database {named}: write sqlite:///FILE or postgresql://USER@HOST/NAME")
    return named


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without a port the usual one, or the next that is free. RefereeError if there is none."""
    for each in (port,) if port is not None else (PORT, *range(PORT + 1, PORT + 20), 0):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            made = socket.socket(family, socket.SOCK_STREAM)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((host, each))
            made.listen(512)
        except OSError as wrong:
            made.close()
            if wrong.errno == errno.EADDRINUSE and port is None:
                continue
            raise RefereeError(f"cannot listen on {host}, port {each}: {wrong.strerror}") from None
        return made
    raise RefereeError(f"no port is free on {host}")


def build(
    database: str,
    secret: Path,
    hosts: Iterable[str],
    *,
    bot_pause: float = 0.5,
    odds_seconds: float = SECONDS,
    odds_workers: int | None = None,
) -> tuple[Shield, Rooms]:
    """The application, and its rooms. RefereeError if the database cannot be opened.

    `odds_seconds` is the work put into the odds of a question (0: none are shown), by so many processes at the most.
    """
    asyncio.run(_try(database))
    odds = Workers(odds_seconds, odds_workers) if odds_seconds > 0 else None
    rooms = Rooms(Store(database), Keys.of(secret), bot_pause=bot_pause, odds=odds)
    return application(rooms, database, (*LOCAL, *hosts)), rooms


async def _try(database: str) -> None:
    """Opens the database once: what is wrong with it is told before the server starts."""
    store = Store(database)
    try:
        await store.open()
    except Unavailable as wrong:
        cause = str(getattr(wrong.__cause__, "orig", None) or wrong.__cause__).splitlines()[0]
        raise RefereeError(f"--database {_shown(database)}: {cause}") from None
    finally:
        await store.close()


def _shown(database: str) -> str:
    """The URL of a database without a password."""
    return re.sub(r"(//[^/@:]*):[^/@]*@", r"\1:…@", database)


def run(app: Shield, listening: socket.socket, ready: Callable[[], Awaitable[None]] | None = None) -> None:
    """Serves until it is told to stop; then open pages have three seconds to end. `ready` is called once it answers."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    # No access log: it would hold the links of the seats.
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, ws=Wire, timeout_graceful_shutdown=3, lifespan="on",
        ws_max_size=65536, log_config=None,
    )  # fmt: skip
    server = _Server(config, ready)
    server.run(sockets=[listening])
    if not server.started:
        raise RefereeError("the server could not start; the lines above say why")


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], Awaitable[None]] | None) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # A look for garbage through all that is loaded would stop every page for a tenth of a second, again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GARBAGE)
        if self.started and self._ready is not None:
            await self._ready()
