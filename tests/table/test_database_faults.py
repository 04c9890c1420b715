"""A database that is gone, full or read-only while people play: clear words, nothing lost, and the table goes on after it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection

from referee.table import acts
from referee.table.rooms import Room, Rooms
from referee.table.store import Full, Unavailable
from referee.table.web import application

from .postgres import Postgres, missing
from .server import Server, api
from .tables import act, asked, opened, with_rooms

HERE = "http://localhost"


async def pragma(rooms: Rooms, words: str) -> int:
    """Sets or reads a setting of the server's own connection."""

    def run(connection: Connection) -> int:
        told = connection.exec_driver_sql(f"PRAGMA {words}")
        return int(told.scalar() or 0) if told.returns_rows else 0

    return await rooms.store._read(run)


async def sent(client: httpx.AsyncClient, room: Room, *, script: bool = True) -> httpx.Response:
    """The first offer, as the page of the seat that is asked sends it."""
    seat = asked(room)
    value = acts.encode(acts.Answer(room.state.encounter.offers(seat)[0].value))
    form = {"ticket": room.ticket(seat), "answer": value[value.index(b'"value":') + 8 : -1].decode()}
    headers = {"origin": HERE, "cookie": f"seat={room.proof(seat)}", **({"hx-request": "true"} if script else {})}
    return await client.post(f"/t/{room.id}/{seat}/answer", data=form, headers=headers)


@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_a_disk_that_takes_nothing_more(tmp_path: Path, fault: str) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        transport = httpx.ASGITransport(application(rooms, "sqlite:///", ("localhost",)))
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            if fault == "full":
                await pragma(rooms, f"max_page_count={await pragma(rooms, 'page_count')}")
            else:
                await pragma(rooms, "query_only=1")
            for _ in range(100):  # what room there is in the last page is still used
                before = room.state.save(), room.seq
                told = await sent(client, room)
                if told.status_code != 204:
                    break
            assert told.status_code == 503
            assert told.headers["retry-after"]
            assert "takes nothing more" in told.text
            assert "takes nothing more" in (await sent(client, room, script=False)).text
            assert (room.state.save(), room.seq) == before
            page = await client.get(f"/t/{room.id}/spectator", headers={"cookie": f"seat={room.proof('spectator')}"})
            assert page.status_code == 200
            made = await client.post("/tables", data={"scenario": "morphyry/altar_of_dust"}, headers={"origin": HERE})
            assert made.status_code == 503
            await pragma(rooms, "query_only=0")
            await pragma(rooms, "max_page_count=1000000")
            assert (await sent(client, room)).status_code == 204
            assert [entry.seq for entry in await rooms.store.after(room.id, 0)] == list(range(1, room.seq + 1))
            assert room.seq == before[1] + 1

    with_rooms(tmp_path, work)


def test_bots_go_on_after_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.table.rooms._AGAIN", 0.01)

    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        for seat in room.state.seats("player"):
            await act(room, acts.HOST, acts.Seat(seat, "random"))
        await pragma(rooms, "query_only=1")
        room.bots_go_on()
        await asyncio.sleep(0.05)
        stopped = room.seq
        await pragma(rooms, "query_only=0")
        for _ in range(300):
            if room.seq > stopped:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("the bots do not go on")

    with_rooms(tmp_path, work)


def test_what_is_wrong_is_told_apart(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        await pragma(rooms, "query_only=1")
        with pytest.raises(Full, match="SQLITE_READONLY"):
            await opened(rooms)
        await pragma(rooms, "query_only=0")
        with pytest.raises(Unavailable, match="does not answer") as told:
            await rooms.store._read(lambda connection: connection.exec_driver_sql("SELECT * FROM nothing"))
        assert not isinstance(told.value, Full)

    with_rooms(tmp_path, work)


def test_postgres_stops_and_comes_back_while_a_table_is_played(tmp_path: Path) -> None:
    if why := missing():
        pytest.skip(why)
    database = Postgres()
    try:
        server = Server(tmp_path, database.start().url).start()
        try:
            links = server.set_table()
            seat = next(each for each in ("sable", "garrick") if api(server, links[each]).json()["question"])
            question = api(server, links[seat]).json()["question"]
            answer = {"ticket": question["ticket"], "value": question["offers"][0]["value"]}
            database.stop("immediate")
            told = api(server, links[seat], "/answer", json=answer)
            assert told.status_code == 503
            assert "does not answer" in told.json()["detail"]
            page = server.client().get(links["gm"])
            assert page.status_code == 503
            assert "The table cannot be reached" in page.text
            assert 'http-equiv="refresh"' in page.text
            assert server.http.get("/healthz").status_code == 503
            assert api(server, links[seat]).json()["question"] == question, "what is in memory is still shown"
            database.start()
            assert api(server, links[seat], "/answer", json=answer).json() == {"again": False}
            assert api(server, links[seat], "/answer", json=answer).json() == {"again": True}
            server.sit(links["gm"])
            database.stop("immediate")
            database.start()  # all connections are dead, and nobody has noticed yet
            seat = next(each for each in ("sable", "garrick") if api(server, links[each]).json()["question"])
            question = api(server, links[seat]).json()["question"]
            answer = {"ticket": question["ticket"], "value": question["offers"][0]["value"]}
            assert api(server, links[seat], "/answer", json=answer).json() == {"again": False}
        finally:
            server.stop()
        assert "Traceback" not in server.log()
        database.stop()
    finally:
        database.remove()
