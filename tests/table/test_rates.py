"""How often one place may ask: what is counted together, when it may ask again, and what it is told meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from referee.table.rates import PER_MINUTE, Rates, place_of
from referee.table.rooms import Rooms
from referee.table.web import application

from .tables import asked, opened, with_rooms

HERE = "http://localhost"
SCENARIO = {"scenario": "morphyry/broken_stair"}


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("::ffff:127.0.0.9", ""),
        ("", "?"),
        ("a socket", "a socket"),
    ],
)
def test_what_is_counted_together(address: str, place: str) -> None:
    assert place_of(address) == place


def test_each_minute_begins_anew() -> None:
    now = [0.0]
    rates = Rates(lambda: now[0], {"open": 2, "wrong": 1})
    assert [rates.allows("203.0.113.7", "open") for _ in range(3)] == [True, True, False]
    assert rates.spent("203.0.113.7", "open")
    assert not rates.spent("203.0.113.7", "wrong")
    assert rates.allows("203.0.113.8", "open")
    assert all(rates.allows("127.0.0.1", "open") for _ in range(9))
    now[0] = 60.0
    assert not rates.spent("203.0.113.7", "open")
    assert rates.allows("203.0.113.7", "open")


def test_places_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.table.rates._PLACES", 3)
    rates = Rates(lambda: 0.0, {"open": 1})
    for last in range(4):
        assert rates.allows(f"203.0.113.{last}", "open")
    assert not rates.allows("203.0.113.3", "open")
    assert rates.allows("203.0.113.0", "open")


def test_a_place_that_asks_too_often_is_told_so(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        shield: Any = application(rooms, "sqlite:///", ("localhost",))
        shield._app.state.rates = Rates(lambda: 0.0, {"open": 1, "act": 1, "wrong": 2, "upload": 1})

        def client(address: str) -> httpx.AsyncClient:
            transport = httpx.ASGITransport(cast(Any, shield), client=(address, 1))
            return httpx.AsyncClient(transport=transport, base_url=HERE, headers={"origin": HERE, "hx-request": "true"})

        async with client("203.0.113.7") as guest, client("203.0.113.8") as other, client("127.0.0.1") as here:
            assert (await guest.post("/tables", data=SCENARIO)).status_code == 303
            told = await guest.post("/tables", data=SCENARIO)
            assert told.status_code == 429
            assert told.headers["retry-after"] == "60"
            assert "too often" in told.text
            assert (await other.post("/tables", data=SCENARIO)).status_code == 303
            for _ in range(3):
                assert (await here.post("/tables", data=SCENARIO)).status_code == 303

            seat = asked(room)
            good, wrong = f"/s/{room.id}/{seat}/{room.proof(seat)}", f"/s/{room.id}/{seat}/{'0' * 40}"
            assert (await guest.get(good)).status_code == 303
            guest.cookies.clear()
            assert (await guest.get(wrong)).status_code == 404
            assert (await guest.get(f"/t/{room.id}/{seat}")).status_code == 401
            assert (await guest.get(good)).status_code == 429, "a good link is not tried either"
            bearer = {"authorization": f"Bearer {room.proof(seat)}"}
            assert (await guest.get(f"/api/tables/{room.id}/{seat}", headers=bearer)).status_code == 429
            assert (await other.get(good)).status_code == 303

            other.cookies.clear()
            sitting = {"cookie": f"seat={room.proof(seat)}"}
            answer = {"ticket": "no ticket", "answer": "1"}
            assert (await other.post(f"/t/{room.id}/{seat}/answer", data=answer, headers=sitting)).status_code == 409
            assert (await other.post(f"/t/{room.id}/{seat}/answer", data=answer, headers=sitting)).status_code == 429
            assert (await other.post(f"/t/{room.id}/{seat}/act", data=answer, headers=sitting)).status_code == 429
            sent = {"ticket": "no ticket", "value": 1}
            assert (await other.post(f"/api/tables/{room.id}/{seat}/answer", json=sent, headers=bearer)).status_code == 429

    with_rooms(tmp_path, work)


def test_people_at_one_table_may_share_an_address() -> None:
    assert PER_MINUTE["act"] >= 10 * 60, "ten answers a second"
