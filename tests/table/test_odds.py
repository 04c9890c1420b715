"""Odds beside the offers: worked out by processes of their own, shared, dropped, never in the way."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from referee.analysis.digests import Digest
from referee.engine.errors import IllegalAnswer
from referee.table import acts, beside, odds, render
from referee.table.odds import Workers, task_of
from referee.table.reckoning import Reckoned, Task, reckon
from referee.table.rooms import Room, Rooms

from .tables import STAIR, act, answer, asked, opened, with_rooms

DUEL = "l5r/duel_at_dawn"


async def told(room: Room, seat: str) -> Reckoned:
    """The odds of a seat, once they are there."""
    assert room.rooms.odds is not None
    for _ in range(600):
        found = room.rooms.odds.of(room, seat)
        if found is not None:
            return found
        await asyncio.sleep(0.05)
    raise AssertionError("no odds came")


def test_odds_come_from_a_process_and_stand_beside_the_offers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "FINER", 1)  # the second time says the same

    async def work(rooms: Rooms) -> None:
        rooms.odds = workers = Workers(0.02, 1)
        room = await opened(rooms, DUEL)
        seat = asked(room)
        before = render.frame(room, seat, 0, "")
        assert before is not None
        assert "being worked out" in before.html
        assert not workers.first.idle  # nothing was waited for
        reckoned = await told(room, seat)
        assert reckoned.offers == reckon(task_of(room, seat, 0.02)[1]).offers
        after = render.frame(room, seat, before.seen, before.version)
        assert after is not None
        assert 'hx-target="#odds-0"' in after.html
        assert 'hx-target="#question"' not in after.html  # a part of its own: dice that are picked stay picked
        page = render.page(room, seat)
        assert f'id="chances-{len(reckoned.offers) - 1}"' in page
        assert "Wilson" not in page
        assert "%" in page
        # A table at which the seat knows the same shares them.
        other = await opened(rooms, DUEL)
        shared = workers.of(other, seat)
        assert shared is not None
        assert shared.offers == reckoned.offers
        assert render.parts(other, seat)["odds"] == render.parts(room, seat)["odds"]

    with_rooms(tmp_path, work)


def test_what_was_answered_meanwhile_is_not_worked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Task] = []

    async def work(rooms: Rooms) -> None:
        gate = asyncio.Event()

        async def noted(self: Workers, desk: object, task: Task) -> Reckoned:
            done.append(task)
            await gate.wait()
            return Reckoned(failed="not today")

        monkeypatch.setattr(Workers, "_reckon", noted)
        rooms.odds = Workers(0.02, 1)
        room = await opened(rooms, STAIR)
        for _ in range(4):
            render.page(room, asked(room))
            await answer(room, asked(room))
        seat = asked(room)
        render.page(room, seat)
        assert len(done) == 1
        gate.set()
        await told(room, seat)
        assert [task_of(room, seat, 0.02)[1]] == done[1:]

    with_rooms(tmp_path, work)


def test_a_question_gives_way_where_too_many_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "WAITING", 2)

    async def work(rooms: Rooms) -> None:
        workers = Workers(0.02, 1)
        workers.first.hands.add(asyncio.create_task(asyncio.sleep(0)))  # busy
        for seed in range(5):
            room = await opened(rooms, STAIR, seed)
            assert workers.of(room, asked(room)) is None
            assert len(workers.first.waiting) <= 2

    with_rooms(tmp_path, work)


@pytest.mark.parametrize("broken", ["exit", "garbage", "missing"])
def test_a_process_that_fails_takes_nothing_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    command = {"exit": ["false"], "garbage": ["yes"], "missing": ["/nowhere/python"]}[broken]

    async def start(niceness: int) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)

    monkeypatch.setattr(odds, "_start", start)

    async def work(rooms: Rooms) -> None:
        rooms.odds = workers = Workers(0.02, 1)
        room = await opened(rooms, STAIR)
        for _ in range(4):
            seat = asked(room)
            with caplog.at_level(logging.CRITICAL if _ else logging.WARNING):
                assert (await told(room, seat)).failed
            assert "There are no odds for this question" in render.page(room, seat)
            assert await answer(room, seat) == "accepted"
        assert workers._paused_until > asyncio.get_running_loop().time()

    with_rooms(tmp_path, work)
    assert "no odds for a question" in caplog.text


def test_a_table_may_do_without(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        class Never:
            def of(self, room: Room, seat: str) -> Reckoned:
                raise AssertionError("nobody wants odds")

            async def stop(self) -> None: ...

        rooms.odds = Never()
        room = await opened(rooms, STAIR)
        seat = asked(room)
        with pytest.raises(IllegalAnswer, match="game master"):
            await act(room, seat, acts.Advise(False))
        await act(room, "gm", acts.Advise(False))
        assert beside.odds(room, seat)["state"] == "off"
        assert "Show odds" in render.page(room, "gm")
        assert "Show odds" not in render.page(room, seat)
        assert room.state.load(room.state.save()).odds is False

    with_rooms(tmp_path, work)


def test_odds_that_are_switched_off_leave_the_page(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        class AtOnce:
            def of(self, room: Room, seat: str) -> Reckoned:
                return reckon(task_of(room, seat, 0.005)[1])

            async def stop(self) -> None: ...

        rooms.odds = AtOnce()
        room = await opened(rooms, DUEL)
        seat = asked(room)
        shown = render.frame(room, seat, 0, "")
        assert shown is not None
        await act(room, "gm", acts.Advise(False))
        emptied = render.frame(room, seat, shown.seen, shown.version)
        assert emptied is not None
        assert 'hx-target="#question"' in emptied.html
        assert "chances-" not in emptied.html

    with_rooms(tmp_path, work)


def test_what_was_sampled_is_worked_out_better_when_nothing_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []

    async def noted(self: Workers, desk: object, task: Task) -> Reckoned:
        seconds.append(task.seconds)
        sampled = Digest(None, (), (), (), False, 0.0, 70 if len(seconds) == 1 else 560, 0, True, 0.0)
        return Reckoned((sampled,), more=len(seconds) == 1)

    monkeypatch.setattr(Workers, "_reckon", noted)

    async def work(rooms: Rooms) -> None:
        rooms.odds = workers = Workers(0.5, 1)
        room = await opened(rooms, STAIR)
        seat = asked(room)
        await told(room, seat)
        while len(seconds) < 2 or workers.thorough.hands:
            await asyncio.sleep(0)
        assert seconds == [0.5, 0.5 * odds.FINER]
        assert (await told(room, seat)).offers[0].samples == 560

    with_rooms(tmp_path, work)


def test_a_first_look_waits_for_no_thorough_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    ended: list[str] = []

    async def noted(self: Workers, desk: object, task: Task) -> Reckoned:
        if task.thorough:
            begun.append(task.seat)
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(task.seat)
        return Reckoned(more=True)

    monkeypatch.setattr(Workers, "_reckon", noted)
    monkeypatch.setattr(odds, "_GLANCE", 0.01)

    async def work(rooms: Rooms) -> None:
        rooms.odds = workers = Workers(0.5, 1)
        room, other = await opened(rooms, STAIR), await opened(rooms, DUEL)
        seat = asked(room)
        await told(room, seat)
        while begun != [seat]:
            workers.of(room, seat)
            await asyncio.sleep(0)
        assert (await told(other, asked(other))).more
        assert not ended
        await answer(room, seat)  # which ends the thorough look at it
        async with asyncio.timeout(5):
            while len(begun) < 2:
                workers.of(other, asked(other))
                await asyncio.sleep(0.001)
        assert ended == [seat]
        assert len(workers.thorough.hands) == 1
        await workers.stop()
        assert len(ended) == 2

    with_rooms(tmp_path, work)


def test_no_thorough_look_begins_while_a_first_one_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bool] = []

    async def work(rooms: Rooms) -> None:
        gate = asyncio.Event()

        async def noted(self: Workers, desk: object, task: Task) -> Reckoned:
            looks.append(task.thorough)
            await gate.wait()
            return Reckoned(more=not task.thorough)

        monkeypatch.setattr(Workers, "_reckon", noted)
        rooms.odds = workers = Workers(0.5, 1)
        tables = [await opened(rooms, name) for name in (STAIR, DUEL, "vaia/ford")]
        workers._done[task_of(tables[0], asked(tables[0]), 0.5)[0]] = Reckoned(more=True)
        for room in reversed(tables):
            workers.of(room, asked(room))
        await asyncio.sleep(0.01)
        assert looks == [False]  # one waits, and a thorough one behind it
        gate.set()
        for room in tables[1:]:
            await told(room, asked(room))
        while len(looks) < 3:
            await asyncio.sleep(0.001)
        assert looks == [False, False, True]

    with_rooms(tmp_path, work)


def test_a_thorough_look_that_fails_rests_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def start(niceness: int) -> asyncio.subprocess.Process:
        raise OSError("no more processes")

    monkeypatch.setattr(odds, "_start", start)

    async def work(rooms: Rooms) -> None:
        rooms.odds = workers = Workers(0.5, 1)
        room = await opened(rooms, STAIR)
        seat = asked(room)
        digest, _task = task_of(room, seat, 0.5)
        for _ in range(2 * odds._FAILURES):
            workers._done[digest] = Reckoned(more=True)
            assert workers.of(room, seat) == Reckoned(more=True)
            while workers.thorough.hands:
                await asyncio.sleep(0.001)
            assert workers.of(room, seat) == Reckoned()
        assert not workers._paused_until

    with_rooms(tmp_path, work)


def test_a_game_that_raises_tells_its_kind_alone() -> None:
    assert reckon(Task(b"no save", "somebody", 1.0)) == Reckoned(failed="BadSave")
