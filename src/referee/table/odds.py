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
from .reckoning import FIRST, LAST, SIZE, Reckoned, Task, encode, framed, replies
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
_GLANCE: Final = 0.25  # seconds after which a thorough look is found to be of no use any more
_LARGEST: Final = 1 << 24

Asker = tuple[Room, str]

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


class _Desk:
    """Looks of one kind: what waits for one, what is under way, the processes for them that have nothing to do."""

    def __init__(self, hands: int, niceness: int) -> None:
        self.most = hands
        self.niceness = niceness
        self.waiting: OrderedDict[str, tuple[Task, set[Asker]]] = OrderedDict()
        self.underway: dict[str, set[Asker]] = {}
        self.hands: set[asyncio.Task[None]] = set()
        self.idle: list[asyncio.subprocess.Process] = []

    def add(self, digest: str, task: Task, askers: set[Asker]) -> None:
        """Puts a question last, or adds who asks it; the oldest gives way where too many wait."""
        if digest in self.underway:
            self.underway[digest] |= askers
            return
        self.waiting.setdefault(digest, (task, set()))[1].update(askers)
        self.waiting.move_to_end(digest)
        while len(self.waiting) > WAITING:
            self.waiting.popitem(last=False)


class Workers:
    """Reckons in processes that start with the first question. A question that was answered meanwhile is dropped.

    First looks wait for no thorough one: those have processes of their own, at what the processors have left, which are ended
    as soon as their question is answered.
    """

    def __init__(self, seconds: float = SECONDS, processes: int | None = None) -> None:
        self.seconds = seconds
        count = processes or max(1, (os.cpu_count() or 2) - 1)
        self.first = _Desk(count, FIRST)
        self.thorough = _Desk((count + 1) // 2, LAST)
        self._done: OrderedDict[str, Reckoned] = OrderedDict()
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
        known = self._done.get(digest)
        resting = self._stopped or asyncio.get_running_loop().time() < self._paused_until
        if known is not None:
            self._done.move_to_end(digest)
            if known.more and not resting:
                self.thorough.add(digest, task, {(room, seat)})
                self._go_on()
            return known
        if resting:
            return Reckoned(failed="paused")
        self.first.add(digest, task, {(room, seat)})
        self._go_on()
        return None

    def _has_work(self, desk: _Desk) -> bool:
        """Whether something waits; a thorough look also waits for all first ones to be under way."""
        return bool(desk.waiting) and not self._stopped and (desk is self.first or not self.first.waiting)

    def _go_on(self) -> None:
        """Sets hands to what waits."""
        for desk in (self.first, self.thorough):
            if len(desk.hands) < desk.most and self._has_work(desk):
                hand = asyncio.get_running_loop().create_task(self._work(desk))
                desk.hands.add(hand)
                hand.add_done_callback(desk.hands.discard)

    async def stop(self) -> None:
        """Ends all processes."""
        self._stopped = True
        for desk in (self.first, self.thorough):
            for hand in tuple(desk.hands):
                hand.cancel()
            await asyncio.gather(*desk.hands, return_exceptions=True)
            while desk.idle:
                await _end(desk.idle.pop())

    async def _work(self, desk: _Desk) -> None:
        """The newest question first: the others are likelier to be answered by now."""
        try:
            while self._has_work(desk):
                digest, (task, askers) = desk.waiting.popitem()
                desk.underway[digest] = askers = self._standing(digest, askers)
                try:
                    reckoned = await self._look(desk, digest, task) if askers else None
                finally:
                    del desk.underway[digest]
                if reckoned is not None:
                    self._keep(digest, reckoned)
                    for room, seat in self._standing(digest, askers):
                        room.retell(seat)  # which asks for a thorough look where that tells more
        finally:
            desk.hands.discard(cast("asyncio.Task[None]", asyncio.current_task()))
            self._go_on()

    async def _look(self, desk: _Desk, digest: str, task: Task) -> Reckoned | None:
        """What comes of a question; None if it was answered before a thorough look came to an end."""
        if desk is self.first:
            return await self._reckon(desk, task)
        looking = asyncio.ensure_future(self._reckon(desk, structs.replace(task, seconds=FINER * task.seconds, thorough=True)))
        try:
            while not (await asyncio.wait({looking}, timeout=_GLANCE))[0]:
                if not self._standing(digest, desk.underway[digest]):
                    return None
            reckoned = looking.result()
        finally:
            looking.cancel()  # and ends its process, if it is still at it
            await asyncio.gather(looking, return_exceptions=True)
        return structs.replace(self._done[digest], more=False) if reckoned.failed and digest in self._done else reckoned

    def _standing(self, digest: str, askers: set[Asker]) -> set[Asker]:
        """Those of the seats that still stand before that question."""
        return {(room, seat) for room, seat in askers if _still(room, seat, digest, self.seconds)}

    def _keep(self, digest: str, reckoned: Reckoned) -> None:
        self._done[digest] = reckoned
        while len(self._done) > KEPT:
            self._done.popitem(last=False)

    async def _reckon(self, desk: _Desk, task: Task) -> Reckoned:
        process = None
        try:
            process = desk.idle.pop() if desk.idle else await _start(desk.niceness)
            reckoned = await asyncio.wait_for(_asked(process, task), _PATIENCE + 10 * task.seconds)
        except (OSError, EOFError, ValueError, msgspec.MsgspecError) as wrong:
            reckoned = Reckoned(failed=type(wrong).__name__)
            self._failures += desk is self.first  # a thorough look may take too long
            if self._failures >= _FAILURES:
                self._failures, self._paused_until = 0, asyncio.get_running_loop().time() + _PAUSE
        else:
            self._failures = 0
            desk.idle.append(process)
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


async def _start(niceness: int) -> asyncio.subprocess.Process:
    # In a session of its own: Ctrl-C at the server's terminal is not for it. Where the server is killed its stream ends.
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "referee.table.reckoning", str(niceness),
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
