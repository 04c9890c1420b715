"""Tells this server that a table has grown elsewhere. A hint is never the data: it may be lost, so reconnecting refreshes all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import asyncpg  # type: ignore[import-untyped]

from .store import CHANNEL

OnTable = Callable[[str, int], None]
OnAll = Callable[[], None]


class Alone:
    """One server on its database: nobody else appends."""

    async def run(self, on_table: OnTable, on_all: OnAll) -> None:
        """Waits for ever."""
        await asyncio.Event().wait()


class Postgres:
    """Listens for what other servers append; `origin` names this one."""

    def __init__(self, url: str, origin: str) -> None:
        self._url = url.replace("postgresql+asyncpg://", "postgresql://")
        self._origin = origin

    async def run(self, on_table: OnTable, on_all: OnAll) -> None:
        """Listens, and connects again for ever."""

        def heard(connection: object, pid: int, channel: str, payload: object) -> None:
            table, seq, origin = str(payload).split(":")
            if origin != self._origin:
                on_table(table, int(seq))

        wait = 0.1
        while True:
            lost = asyncio.Event()
            try:
                connection = await asyncpg.connect(self._url, timeout=5)
            except (OSError, asyncpg.PostgresError, TimeoutError):
                wait = min(wait * 2, 5)
                await asyncio.sleep(wait)
                continue
            try:
                connection.add_termination_listener(lambda _, lost=lost: lost.set())
                await connection.add_listener(CHANNEL, heard)
                wait = 0.1
                on_all()  # hints may have been lost while away
                while not lost.is_set():
                    try:
                        await asyncio.wait_for(lost.wait(), 10)
                    except TimeoutError:
                        await connection.fetchval("SELECT 1", timeout=5)  # finds a connection that died silently
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
                pass
            finally:
                connection.terminate()
