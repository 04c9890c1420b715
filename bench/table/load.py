"""The parts with load: 200 pages at 40 tables of all games, 200 pages at one table, as much as a process takes, memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import aiohttp

from referee.content import registry
from referee.table import odds
from tests.table.server import Server

from .client import Figures, Table, at_rate, flat_out
from .figures import Row
from .machine import Meter, megabytes

SEATS = 200
AT_A_TABLE = 5
RATE = 35.0  # answers a second
CROWD_RATE = 2.0
WARM_UP = 3.0  # seconds of load that are not measured

T = TypeVar("T")


def scenarios() -> list[str]:
    """The main scenario of every game."""
    return [f"{game}/{registry.get(game).main_scenario}" for game in registry.ids()]


def _with_tables(
    servers: list[Server], tables: int, size: int, work: Callable[[list[Table], aiohttp.ClientSession], Awaitable[T]]
) -> T:
    """Does something with tables at which everybody has sat down, then stops the servers. Odds are on."""

    async def run() -> T:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
            names, addresses = scenarios(), [server.address for server in servers]
            opened = [Table(names[place % len(names)], addresses, size, place) for place in range(tables)]
            sitting = asyncio.Semaphore(4)
            await asyncio.gather(*(table.open(http, sitting) for table in opened))
            try:
                return await work(opened, http)
            finally:
                await asyncio.gather(*(table.close() for table in opened))

    try:
        return asyncio.run(run())
    finally:
        for server in servers:
            server.stop()
            assert "Traceback" not in server.log(), server.log()[-3000:]


def _started(folder: Path, database: str, servers: int) -> list[Server]:
    return [Server(folder, database, odds=odds.SECONDS).start() for _ in range(servers)]


def _pids(servers: list[Server]) -> list[int]:
    return [server.process.pid for server in servers if server.process is not None]


def _delays(figures: Figures, name: str, asked: str) -> list[Row]:
    def acknowledged(run: Figures) -> list[float]:
        return run.acknowledged

    return [
        Row(f"{name}: acknowledged p50", figures.milliseconds(0.5, acknowledged), "ms"),
        Row(f"{name}: acknowledged p95", figures.milliseconds(0.95, acknowledged), "ms"),
        Row(f"{name}: pushed p50", figures.milliseconds(0.5, Figures.pushes), "ms"),
        Row(f"{name}: pushed p95", figures.milliseconds(0.95, Figures.pushes), "ms", asked),
        Row(f"{name}: pushed p99", figures.milliseconds(0.99, Figures.pushes), "ms"),
        Row(f"{name}: answers a second", len(figures.acknowledged) / figures.seconds, ""),
        *_failures(figures, name),
        Row(f"{name}: put off, the last being under way", figures.put_off, ""),
        Row(f"{name}: put off for more than a second", figures.unsent, "", "0"),
    ]


def _failures(figures: Figures, name: str) -> list[Row]:
    return [
        Row(f"{name}: answers refused", figures.refused(), "", "0"),
        Row(f"{name}: answers whose page was silent", figures.silent, "", "0"),
    ]


def push(name: str, folder: Path, database: str, seconds: float, *, servers: int = 1) -> list[Row]:
    """200 seats at 40 tables, 35 answers a second."""
    running = _started(folder, database, servers)

    async def work(tables: list[Table], http: aiohttp.ClientSession) -> list[Row]:
        await at_rate(tables, http, RATE, WARM_UP, seed=2)
        meter = Meter(_pids(running))
        figures = await at_rate(tables, http, RATE, seconds)
        load = meter.read()
        asked = "<= 60 ms" if not database or servers > 1 else "<= 40 ms"
        rows = [
            *_delays(figures, name, asked),
            Row(f"{name}: server's time for an answer", 10 * load.servers * load.seconds / len(figures.acknowledged), "ms"),
            Row(f"{name}: a push on average", _kilobytes(tables), "kB"),
        ]
        return [row.under(load) for row in rows]

    return _with_tables(running, SEATS // AT_A_TABLE, AT_A_TABLE, work)


def _kilobytes(tables: list[Table]) -> float:
    pages = [page for table in tables for page in table.pages]
    return sum(page.bytes for page in pages) / max(1, sum(page.frames for page in pages)) / 1000


def crowd(folder: Path, seconds: float) -> list[Row]:
    """One table with 200 pages, two answers a second."""
    running = _started(folder, "", 1)

    async def work(tables: list[Table], http: aiohttp.ClientSession) -> list[Row]:
        await at_rate(tables, http, CROWD_RATE, WARM_UP, seed=2)
        meter = Meter(_pids(running))
        figures = await at_rate(tables, http, CROWD_RATE, seconds)
        return [row.under(meter.read()) for row in _delays(figures, f"{SEATS} pages of a table", "<= 100 ms")]

    return _with_tables(running, 1, SEATS, work)


def flat(name: str, folder: Path, database: str, seconds: float) -> list[Row]:
    """40 tables, each answers again as soon as its last answer was pushed."""
    running = _started(folder, database, 1)

    async def work(tables: list[Table], http: aiohttp.ClientSession) -> list[Row]:
        await flat_out(tables, http, WARM_UP)
        meter = Meter(_pids(running))
        figures = await flat_out(tables, http, seconds)
        load = meter.read()
        answered = len(figures.acknowledged)
        rows = [
            Row(f"{name}: answers a second, flat out", answered / figures.seconds, "", ">= 100"),
            Row(f"{name}: server's time for an answer", 10 * load.servers * load.seconds / answered, "ms", "<= 10 ms"),
            *_failures(figures, name),
        ]
        return [row.under(load) for row in rows]

    return _with_tables(running, SEATS // AT_A_TABLE, AT_A_TABLE, work)


def memory(folder: Path, seconds: float) -> list[Row]:
    """What each seat adds to a server that has one table of every game open, when sitting down and after some play."""
    running = _started(folder, "", 1)
    pid = _pids(running)[0]
    before = 0.0

    async def work(tables: list[Table], http: aiohttp.ClientSession) -> list[Row]:
        sat = megabytes(pid)
        await at_rate(tables, http, RATE, seconds)
        played = megabytes(pid)
        return [
            Row("memory of a server with four tables", before, "MB"),
            Row("more for each seat that sits down", (sat - before) / SEATS, "MB", "<= 0.3 MB"),
            Row(f"more for each seat after {seconds:.0f} s of play", (played - before) / SEATS, "MB", "<= 0.3 MB"),
        ]

    async def first(tables: list[Table], http: aiohttp.ClientSession) -> None:
        nonlocal before
        await at_rate(tables, http, RATE, WARM_UP)
        before = megabytes(pid)

    asyncio.run(_once(running[0], first))
    return _with_tables(running, SEATS // AT_A_TABLE, AT_A_TABLE, work)


async def _once(server: Server, work: Callable[[list[Table], aiohttp.ClientSession], Awaitable[None]]) -> None:
    async with aiohttp.ClientSession() as http:
        tables = [Table(name, [server.address], 4, place) for place, name in enumerate(scenarios())]
        await asyncio.gather(*(table.open(http, asyncio.Semaphore(4)) for table in tables))
        await work(tables, http)
        await asyncio.gather(*(table.close() for table in tables))
