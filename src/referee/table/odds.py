"""Odds beside the offers: reckoned by processes of their own, from what a seat can know, kept by it, never waited for."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import sys
from collections import OrderedDict
from typing import Final, Protocol, cast

import msgspec
from msgspec import structs

from ..dice import Stream
from .reckoning import SIZE, Reckoned, Task, encode, framed, replies
from .rooms import Room

SECONDS: Final = 0.5
"""Of work for all offers of a question, as the analysis counts it."""
WAITING: Final = 64
"""Questions that may wait for their odds; the oldest gives way."""
KEPT: Final = 512
FINER: Final = 8
"""So many times the work is put into odds once more where that tells more and nothing else waits."""
_PATIENCE: Final = 20.0  # seconds, besides those of the work times ten: then a process is held to be stuck
_FAILURES: Final = 3
_PAUSE: Final = 300.0  # seconds without odds after so many failures in a row
_LARGEST: Final = 1 << 24

_log = logging.getLogger("referee.table")


class Reckoner(Protocol):
    """Where a page gets odds from."""

    def of(self, room: Room, seat: str) -> Reckoned | None:
        """The odds of the offers before a seat that is asked; None while they are being reckoned."""

    async def stop(self) -> None:
        """Ends what it has begun."""


def task_of(room: Room, seat: str, seconds: float) -> tuple[str, Task]:
    """What is to be reckoned for a seat, and a digest of it: equal wherever the seat knows the same. Made once for a state."""
    shown = ("odds task", seat)
    if shown not in room.shown:
        imagined = room.state.encounter.imagine(seat, Stream.named(0, "odds beside offers", seat))
        task = Task(imagined.save(), seat, seconds)
        room.shown[shown] = hashlib.blake2b(encode(task), digest_size=16).hexdigest(), task
    found: tuple[str, Task] = room.shown[shown]
    return found


class Workers:
    """Reckons in processes that start with the first question. A question that was answered meanwhile is dropped."""

    def __init__(self, seconds: float = SECONDS, processes: int | None = None) -> None:
        self.seconds = seconds
        self.processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._done: OrderedDict[str, Reckoned] = OrderedDict()
        self._waiting: OrderedDict[str, tuple[Task, set[tuple[Room, str]]]] = OrderedDict()
        self._unsure: OrderedDict[str, tuple[Task, set[tuple[Room, str]]]] = OrderedDict()
        self._underway: dict[str, set[tuple[Room, str]]] = {}
        self._hands: set[asyncio.Task[None]] = set()
        self._running: list[asyncio.subprocess.Process] = []  # idle
        self._failures = 0
        self._paused_until = 0.0
        self._stopped = False

    def of(self, room: Room, seat: str) -> Reckoned | None:
        """See `Reckoner`; what is not known yet is set to work on."""
        try:
            digest, task = task_of(room, seat, self.seconds)
        except Exception as wrong:  # an installed game may fail at imagining; its pages are shown all the same
            _log.warning("no odds for a question: %s", type(wrong).__name__)
            return Reckoned(failed=type(wrong).__name__)
        if digest in self._done:
            self._done.move_to_end(digest)
            if self._done[digest].more:
                self._go_on(digest, task, (room, seat))
            return self._done[digest]
        if self._stopped or asyncio.get_running_loop().time() < self._paused_until:
            return Reckoned(failed="paused")
        if digest in self._underway:
            self._underway[digest].add((room, seat))
            return None
        self._waiting.setdefault(digest, (task, set()))[1].add((room, seat))
        self._waiting.move_to_end(digest)
        while len(self._waiting) > WAITING:
            self._waiting.popitem(last=False)
        self._start_hand()
        return None

    def _go_on(self, digest: str, task: Task, asker: tuple[Room, str]) -> None:
        """A thorough look for one more seat, or for one whose question was dropped before it came."""
        if digest in self._underway:
            self._underway[digest].add(asker)
        if digest in self._underway or asyncio.get_running_loop().time() < self._paused_until:
            return
        self._unsure.setdefault(digest, (task, set()))[1].add(asker)
        self._start_hand()

    def _start_hand(self) -> None:
        if len(self._hands) < self.processes and not self._stopped:
            hand = asyncio.get_running_loop().create_task(self._work())
            self._hands.add(hand)
            hand.add_done_callback(self._hands.discard)

    async def stop(self) -> None:
        """Ends all processes."""
        self._stopped = True
        for hand in tuple(self._hands):
            hand.cancel()
        await asyncio.gather(*self._hands, return_exceptions=True)
        while self._running:
            await _end(self._running.pop())

    async def _work(self) -> None:
        """The newest question first: the others are likelier to be answered by now."""
        try:
            while (self._waiting or self._unsure) and not self._stopped:
                first = bool(self._waiting)
                digest, (task, askers) = self._waiting.popitem() if first else self._unsure.popitem()
                askers = {(room, seat) for room, seat in askers if _still(room, seat, digest, self.seconds)}
                if not askers:
                    continue
                self._underway[digest] = askers
                try:
                    reckoned = await self._reckon(
                        task if first else structs.replace(task, seconds=FINER * task.seconds, thorough=True)
                    )
                finally:
                    askers = self._underway.pop(digest)
                if not first and reckoned.failed and digest in self._done:
                    reckoned = structs.replace(self._done[digest], more=False)
                self._done[digest] = reckoned
                if first and reckoned.more:
                    self._unsure[digest] = task, askers
                    while len(self._unsure) > WAITING:
                        self._unsure.popitem(last=False)
                while len(self._done) > KEPT:
                    self._done.popitem(last=False)
                for room, seat in askers:
                    if _still(room, seat, digest, self.seconds):
                        room.retell(seat)
        finally:
            self._hands.discard(cast("asyncio.Task[None]", asyncio.current_task()))

    async def _reckon(self, task: Task) -> Reckoned:
        process = None
        try:
            process = self._running.pop() if self._running else await _start()
            reckoned = await asyncio.wait_for(_asked(process, task), _PATIENCE + 10 * task.seconds)
        except (OSError, EOFError, ValueError, msgspec.MsgspecError) as wrong:
            reckoned = Reckoned(failed=type(wrong).__name__)
            self._failures += 1
            if self._failures >= _FAILURES:
                self._failures, self._paused_until = 0, asyncio.get_running_loop().time() + _PAUSE
        else:
            self._failures = 0
            self._running.append(process)
            process = None
        finally:
            if process is not None:
                await _end(process)
        if reckoned.failed:
            _log.warning("no odds for a question: %s", reckoned.failed)
        return reckoned


def _still(room: Room, seat: str, digest: str, seconds: float) -> bool:
    """Whether that seat still stands before that question."""
    return seat in room.state.encounter.asked() and task_of(room, seat, seconds)[0] == digest


async def _start() -> asyncio.subprocess.Process:
    # In a session of its own: Ctrl-C at the server's terminal is not for it. Where the server is killed its stream ends.
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "referee.table.reckoning",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


async def _asked(process: asyncio.subprocess.Process, task: Task) -> Reckoned:
    """EOFError if the process has ended, ValueError if it answers with something else."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(framed(encode(task)))
    await process.stdin.drain()
    size = int.from_bytes(await process.stdout.readexactly(SIZE), "big")
    if size > _LARGEST:
        raise ValueError("too long an answer")
    return replies.decode(await process.stdout.readexactly(size))


async def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    with contextlib.suppress(OSError):
        await process.communicate()  # to the end of its streams: then they are closed
