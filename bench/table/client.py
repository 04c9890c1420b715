"""Pages and players of the load: each page reads all that is pushed to it, each answer is one that a page offers."""

from __future__ import annotations

import asyncio
import html
import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

import aiohttp

_LINK = re.compile(r'class="link" readonly value="([^"]+)"')
_SEEN = re.compile(r'data-n="(\d+)" data-v="([^"]*)"')
_QUESTION = re.compile(r'<section id="question"[^>]*>')
_TICKET = re.compile(r'data-ticket="([^"]+)"')
_OFFER = re.compile(r'name="answer" value="([^"]*)"')
_BY_ANSWERS = re.compile(r'hx-target="#(?:top|table|lines)"')  # odds, which come later by themselves, change none of these
_SITTING = 16  # seats that sit down at once
_PATIENCE = 1.0  # seconds for which an answer that came due waits for a table that can take it


class Page:
    """One open page of a seat: its question as last pushed, and when it was told of the last answer."""

    def __init__(self, table: Table, link: str, server: str) -> None:
        self.table = table
        self.link = link
        self.server = server
        self.path = "/t/" + "/".join(link.split("/")[-3:-1])
        self.cookie = "seat=" + link.rsplit("/", 1)[1]
        self.ticket = ""
        self.offers: list[str] = []
        self.over = False
        self.frames = 0
        self.bytes = 0
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reading: asyncio.Task[None] | None = None

    async def open(self, http: aiohttp.ClientSession) -> None:
        """Loads the page and connects its wire."""
        headers = {"cookie": self.cookie, "origin": self.server}
        async with http.get(self.server + self.path, headers=headers) as got:
            text = await got.text()
            assert got.status == 200, f"{got.status} {self.path}"
        seen = _SEEN.search(text)
        assert seen is not None
        self._read(text)
        address = f"{self.server.replace('http', 'ws', 1)}{self.path}/live?n={seen[1]}&v={seen[2]}"
        self._socket = await http.ws_connect(address, headers=headers, compress=15)
        self._reading = asyncio.create_task(self._listen(self._socket))

    async def close(self) -> None:
        """Leaves the table."""
        if self._reading is not None:
            self._reading.cancel()
        if self._socket is not None:
            await self._socket.close()

    async def _listen(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            came = time.perf_counter()
            content = json.loads(message.data)["content"]
            self.frames += 1
            self.bytes += len(message.data)
            before = self.ticket
            self._read(content)
            if self.ticket != before or _BY_ANSWERS.search(content):
                self.table.told(self, came)

    def _read(self, text: str) -> None:
        """Takes in the question, if the text has one: all of it stands between its tag and the next section."""
        tag = _QUESTION.search(text)
        if tag is None:
            return
        ticket = _TICKET.search(tag[0])
        self.ticket = ticket[1] if ticket else ""
        part = text[tag.end() : text.find("</section>", tag.end())]
        self.offers = [html.unescape(each) for each in _OFFER.findall(part)]
        self.over = "/transcript" in part


class Table:
    """A table with its pages, at which one answer is under way at a time."""

    def __init__(self, scenario: str, servers: list[str], pages: int, seed: int) -> None:
        self.scenario = scenario
        self.servers = servers
        self.size = pages
        self.pages: list[Page] = []
        self.sent = 0.0
        self.busy = False
        self._waiting: set[Page] = set()
        self._delays: list[float] = []
        self._draws = random.Random(seed)

    async def open(self, http: aiohttp.ClientSession, sitting: asyncio.Semaphore) -> None:
        """Sets the table and sits down at it: players first, then the GM, then spectators."""
        server = self.servers[0]
        async with sitting:
            data = {"scenario": self.scenario}
            async with http.post(f"{server}/tables", data=data, headers={"origin": server}, allow_redirects=False) as made:
                assert made.status == 303, f"{made.status} {await made.text()}"
                address = made.headers["location"]
            cookie = "seat=" + address.rsplit("/", 1)[1]
            lobby = "/t/" + "/".join(address.split("/")[-3:-1]) + "/lobby"
            async with http.get(server + lobby, headers={"cookie": cookie}) as got:
                links = _LINK.findall(await got.text())
            links += [links[-1]] * (self.size - len(links))
            for link in dict.fromkeys(links[: self.size]):
                path = "/s/" + "/".join(link.split("/")[-3:])
                async with http.get(server + path, allow_redirects=False) as sat:
                    assert sat.status == 303, f"{sat.status} {path}"
        self.pages = [Page(self, link, self.servers[place % len(self.servers)]) for place, link in enumerate(links[: self.size])]
        for first in range(0, len(self.pages), _SITTING):
            await asyncio.gather(*(page.open(http) for page in self.pages[first : first + _SITTING]))

    async def close(self) -> None:
        """All leave."""
        await asyncio.gather(*(page.close() for page in self.pages))

    @property
    def over(self) -> bool:
        """Whether its encounter is over."""
        return self.pages[0].over

    def to_move(self) -> Page | None:
        """A page whose question can be answered."""
        return next((page for page in self.pages if page.ticket and page.offers), None)

    def told(self, page: Page, came: float) -> None:
        """A page has been told of the answer that was sent last: that is measured once."""
        if page in self._waiting:
            self._waiting.discard(page)
            self._delays.append(came - self.sent)

    async def answer(self, http: aiohttp.ClientSession, page: Page, figures: Figures) -> None:
        """Sends an answer of a page; what pages it reached, and after how long, is known when the next one is sent."""
        self.busy = True
        ticket, value = page.ticket, self._draws.choice(page.offers)
        self._waiting, self._delays = set(self.pages), []
        self.sent = time.perf_counter()
        try:
            headers = {"cookie": page.cookie, "origin": page.server, "hx-request": "true"}
            data = {"ticket": ticket, "answer": value}
            async with http.post(f"{page.server}{page.path}/answer", data=data, headers=headers) as got:
                status = got.status
                await got.read()
            figures.acknowledged.append(time.perf_counter() - self.sent)
            figures.statuses[status] = figures.statuses.get(status, 0) + 1
            for _ in range(2000):  # the own page has been told when its question is another
                if page.ticket != ticket or page.over:
                    break
                await asyncio.sleep(0.005)
            else:
                figures.silent += 1
        finally:
            self.busy = False
            figures.pushed.append(self._delays)  # pages that are told later still add to it


class Figures:
    """What a run of the load has come to."""

    def __init__(self) -> None:
        self.acknowledged: list[float] = []
        self.pushed: list[list[float]] = []
        self.statuses: dict[int, int] = {}
        self.silent = 0  # answers after which the own page was not told
        self.put_off = 0  # answers that came due while no table could take one: its last was still under way
        self.unsent = 0  # those of them that none could take within a second
        self.seconds = 0.0

    def refused(self) -> int:
        """Answers that were not accepted."""
        return sum(count for status, count in self.statuses.items() if status != 204)

    def milliseconds(self, share: float, of: Callable[[Figures], list[float]]) -> float:
        """A percentile."""
        values = sorted(of(self))
        return 1000 * values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")

    def pushes(self) -> list[float]:
        """Every delay from sending an answer to a page that was told of it."""
        return [each for delays in self.pushed for each in delays]


async def at_rate(tables: list[Table], http: aiohttp.ClientSession, rate: float, seconds: float, seed: int = 1) -> Figures:
    """Answers at moments drawn beforehand, so that a slow server does not slow the load; each at a table that can take one.

    A table takes one answer at a time: where all are at it, an answer is put off until one can. Ends early where all is over.
    """
    figures, draws, running = Figures(), random.Random(seed), set[asyncio.Task[Any]]()
    began = due = time.perf_counter()
    place = 0
    while due - began < seconds:
        due += draws.expovariate(rate)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        found = _next(tables, place)
        if found is None:
            figures.put_off += 1
            while found is None and time.perf_counter() < due + _PATIENCE and not all(table.over for table in tables):
                await asyncio.sleep(0.002)
                found = _next(tables, place)
        if all(table.over for table in tables):
            break
        if found is None:
            figures.unsent += 1
            continue
        place, table, page = found
        task = asyncio.create_task(table.answer(http, page, figures))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    figures.seconds = time.perf_counter() - began
    return figures


def _next(tables: list[Table], place: int) -> tuple[int, Table, Page] | None:
    """The first table after a place that can take an answer, and the page that gives it."""
    for step in range(1, len(tables) + 1):
        table = tables[(place + step) % len(tables)]
        page = None if table.busy else table.to_move()
        if page is not None:
            return place + step, table, page
    return None


async def flat_out(tables: list[Table], http: aiohttp.ClientSession, seconds: float) -> Figures:
    """Every table answers as soon as its last answer was pushed."""
    figures, began = Figures(), time.perf_counter()
    until = began + seconds

    async def drive(table: Table) -> None:
        while time.perf_counter() < until and not table.over:
            page = table.to_move()
            if page is None:
                await asyncio.sleep(0.002)
            else:
                await table.answer(http, page, figures)

    await asyncio.gather(*(drive(table) for table in tables))
    figures.seconds = time.perf_counter() - began
    return figures
