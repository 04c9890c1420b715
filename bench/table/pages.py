"""The parts without load: the first page in Chromium, and a long table that is opened."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from referee.content import opening
from referee.engine.errors import IllegalAnswer
from referee.table import acts, odds
from referee.table.rooms import Room, Rooms
from referee.table.seats import Keys
from referee.table.state import State
from referee.table.store import Store
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.table.server import Server

from .figures import Row
from .load import scenarios

TIMES = 7
ENTRIES = 2049  # 49 of them lie after the last save: the most that are played again
TAKEN_BACK = 0.5
LONG = "l5r/ambush"
OTHER = "l5r/duel_at_dawn"


def first(folder: Path) -> list[Row]:
    """Bytes of the first page of a seat with all that it loads, and when it is first painted, with nothing cached."""
    if CHROMIUM is None:
        return [Row("skipped: Chromium is missing: apt-get install chromium", 0, "")]
    server = Server(folder, odds=odds.SECONDS).start()
    rows = []
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            for name in scenarios():
                links = server.set_table(name)
                sizes = {seat: _size(server, links[seat]) for seat in links if seat not in ("gm", "spectator", "host")}
                seat = max(sizes, key=lambda each: sizes[each])  # one that is asked
                opened = [_opened(browser, links[seat]) for _ in range(TIMES)]
                paint = statistics.median(each for _, each in opened)
                again = _size(server, links[seat])
                rows += [
                    Row(f"{name}: bytes of the first page", max(size for size, _ in opened) / 1000, "kB", "< 250 kB"),
                    Row(f"{name}: HTML of it, before its odds come", sizes[seat] / 1000, "kB", "<= 40 kB"),
                    Row(f"{name}: HTML of it loaded again, with odds", again / 1000, "kB"),
                    Row(
                        f"{name}: first paint, median of {TIMES}",
                        paint,
                        "ms",
                        "<= 500 ms",
                    ),
                ]
            browser.close()
    finally:
        server.stop()
    return rows


def _size(server: Server, link: str) -> int:
    return len(server.sit(link).get("/t/" + "/".join(link.split("/")[-3:-1])).content)


def _opened(browser: Browser, link: str) -> tuple[float, float]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    wire: Any = context.new_cdp_session(page)
    sizes: list[float] = []
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    page.goto(link, wait_until="networkidle")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return sum(sizes), paint


def long_table(folder: Path) -> list[Row]:
    """The page of a table with 2,000 entries, on a server that has shown its game, not yet this table."""
    lines = asyncio.run(_play_long(folder))
    server = Server(folder).start()
    try:
        links = server.set_table(OTHER)  # so that the templates of the game are compiled
        server.sit(links["gm"]).get("/t/" + "/".join(links["gm"].split("/")[-3:-1]))
        client = server.client()
        began = time.perf_counter()
        page = client.get(f"/t/{lines.table}/spectator", headers={"cookie": f"seat={lines.proof}"})
        taken = time.perf_counter() - began
        assert page.status_code == 200, page.status_code
        began = time.perf_counter()
        client.get(f"/t/{lines.table}/spectator", headers={"cookie": f"seat={lines.proof}"})
        again = time.perf_counter() - began
    finally:
        server.stop()
    return [
        Row(f"{LONG}: entries", lines.entries, ""),
        Row(f"{LONG}: lines of the log", lines.lines, ""),
        Row(f"{LONG}: opened", 1000 * taken, "ms", "<= 500 ms"),
        Row(f"{LONG}: loaded again", 1000 * again, "ms"),
    ]


class _Played:
    def __init__(self, room: Room) -> None:
        self.table = room.id
        self.proof = room.proof("spectator")
        self.entries = room.seq
        self.lines = len(room.state.encounter.events())


async def _play_long(folder: Path) -> _Played:
    """Plays, and takes back half of what is answered, until there are so many entries."""
    store = Store(f"sqlite:///{folder / 'tables.db'}")
    await store.open()
    rooms = Rooms(store, Keys.of(folder / "secret"))
    try:
        for seed in range(50):
            room = await rooms.create("A long table", State(opening.start(LONG, seed)))
            draws = random.Random(seed)
            while room.state.encounter.question is not None and room.seq < ENTRIES:
                seat = draws.choice(room.state.encounter.asked())
                offer = draws.choice(room.state.encounter.offers(seat))
                await room.do(seat, room.ticket(seat), acts.decode(acts.encode(acts.Answer(offer.value))))
                if draws.random() < TAKEN_BACK and room.state.encounter.question is not None:
                    try:
                        await room.do(seat, room.next_act(seat), acts.Undo())
                    except IllegalAnswer:
                        continue
            if room.seq >= ENTRIES:
                return _Played(room)
        raise AssertionError("no encounter was long enough")
    finally:
        await rooms.stop()
        await store.close()
