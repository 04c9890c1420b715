"""Servers that are killed at any moment, and players who send again what broke off: what is stored in the end."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import asyncpg  # type: ignore[import-untyped]
import httpx

from .server import Server, api


class Count(NamedTuple):
    """What became of the answers of a run."""

    acknowledged: int
    broken_off: int  # requests
    missing: int  # acknowledged, and not stored
    twice: int
    stored: int
    gaps: int  # tables whose entries are not numbered one after another
    broken: int  # tables that cannot be opened in the end


class _Player(threading.Thread):
    """Answers for all seats of a table; what broke off is sent again with the same ticket until a server says something."""

    def __init__(self, servers: Sequence[Server], links: dict[str, str], stop: threading.Event, seed: int) -> None:
        super().__init__()
        self._servers = servers
        self._links = links
        self._stop_at = stop
        self._draws = random.Random(seed)
        self.told: list[tuple[str, str]] = []
        self.broken_off = 0
        self.wrong = ""

    def _ask(self, seat: str, path: str = "", **options: Any) -> httpx.Response | None:
        """An answer of any of the servers; None if that broke off."""
        server = self._draws.choice(self._servers)
        try:
            got = api(server, self._links[seat], path, **options)
        except httpx.TransportError:
            self.broken_off += 1
            time.sleep(0.02)
            return None
        if got.status_code not in (200, 409):
            self.wrong = got.text
        return got

    def run(self) -> None:
        seats = [seat for seat in self._links if seat not in ("gm", "spectator", "host")]
        while not self._stop_at.is_set() and not self.wrong:
            for seat in seats:
                seen = self._ask(seat)
                if seen is None:
                    continue
                if seen.json()["result"]:
                    return
                question = seen.json()["question"]
                if question is not None:
                    self._answer(seat, question["ticket"], self._draws.choice(question["offers"])["value"])

    def _answer(self, seat: str, ticket: str, value: Any) -> None:
        while not self._stop_at.is_set() and not self.wrong:
            sent = self._ask(seat, "/answer", json={"ticket": ticket, "value": value})
            if sent is not None:
                if sent.status_code == 200:
                    self.told.append((seat, ticket))
                return


def kill_run(
    servers: Sequence[Server], kills: int, *, tables: int, scenario: str = "morphyry/broken_stair", seed: int = 7
) -> Count:
    """Plays, kills one server after another and starts it again; all servers are stopped in the end. AssertionError if a
    player is told anything that it should not be."""
    set_tables = [servers[0].set_table(scenario) for _ in range(tables)]
    stop = threading.Event()
    players = [_Player(servers, links, stop, place) for place, links in enumerate(set_tables)]
    for player in players:
        player.start()
    draws = random.Random(7)
    try:
        for _ in range(kills):
            time.sleep(0.2 + draws.random() * 0.4)
            server = draws.choice(servers)
            server.kill()
            server.start()
        time.sleep(0.5)
    finally:
        stop.set()
        for player in players:
            player.join(30)
    assert not any(player.is_alive() for player in players)
    assert not any(player.wrong for player in players), [player.wrong for player in players]
    broken = sum(api(servers[0], links["gm"]).status_code != 200 for links in set_tables)
    for server in servers:
        server.stop()
    count = Count(0, sum(player.broken_off for player in players), 0, 0, 0, 0, broken)
    for links, player in zip(set_tables, players, strict=True):
        rows = stored(servers[0].database, links["gm"].split("/")[-3])
        keys = [(seat, key) for _, seat, key in rows]
        count = count._replace(
            acknowledged=count.acknowledged + len(set(player.told)),
            missing=count.missing + len(set(player.told) - set(keys)),
            twice=count.twice + len(keys) - len(set(keys)),
            stored=count.stored + len(rows),
            gaps=count.gaps + ([row[0] for row in rows] != list(range(1, len(rows) + 1))),
        )
    return count


def stored(database: str, table: str) -> list[tuple[int, str, str]]:
    """Number, seat and key of every entry of a table, read without the server."""
    query = "SELECT seq, seat, key FROM entry WHERE table_id = {} ORDER BY seq"
    if database.startswith("sqlite"):
        with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
            return connection.execute(query.format("?"), (table,)).fetchall()

    async def fetch() -> list[tuple[int, str, str]]:
        connection = await asyncpg.connect(database)
        try:
            return [tuple(row) for row in await connection.fetch(query.format("$1"), table)]
        finally:
            await connection.close()

    return asyncio.run(fetch())
