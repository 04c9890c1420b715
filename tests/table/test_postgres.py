"""Two servers on one PostgreSQL: what one accepts the other shows, and simultaneous answers are all kept."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from .postgres import Postgres, missing
from .server import Server, api


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    if why := missing():
        pytest.skip(why)
    running = Postgres()
    try:
        yield running.start().url
        running.stop()
    finally:
        running.remove()


def test_two_servers_play_one_table(database: str, tmp_path: Path) -> None:
    here, there = Server(tmp_path, database).start(), Server(tmp_path, database).start()
    try:
        links = here.set_table()
        elsewhere = {seat: link.replace(here.address, there.address) for seat, link in links.items()}
        draws = random.Random(4)
        for number in range(25):
            server, used = ((here, links), (there, elsewhere))[number % 2]
            seat = next(each for each in ("sable", "garrick") if api(server, used[each]).json()["question"])
            question = api(server, used[seat]).json()["question"]
            sent = {"ticket": question["ticket"], "value": draws.choice(question["offers"])["value"]}
            assert api(server, used[seat], "/answer", json=sent).status_code == 200
            other, other_links = ((here, links), (there, elsewhere))[1 - number % 2]
            again = api(other, other_links[seat], "/answer", json=sent)
            assert again.json() == {"again": True}
            one, two = (api(each, each_links["gm"]).json() for each, each_links in ((here, links), (there, elsewhere)))
            assert json.dumps(one) == json.dumps(two)
            if one["result"]:
                break
    finally:
        here.stop()
        there.stop()


def test_simultaneous_secret_answers_are_all_kept(database: str, tmp_path: Path) -> None:
    servers = Server(tmp_path, database).start(), Server(tmp_path, database).start()
    try:
        for _ in range(8):
            links = servers[0].set_table("soluna/alley")
            seats = [seat for seat in links if seat not in ("gm", "spectator", "host")]
            asked = {seat: api(servers[0], links[seat]).json()["question"] for seat in seats}
            assert all(asked.values()), "both decide in secret"
            at_once = threading.Barrier(len(seats))
            told: list[int] = []

            def send(
                place: int, links: dict[str, str], seat: str, question: dict[str, object], at_once: threading.Barrier
            ) -> None:
                server = servers[place % 2]
                link = links[seat].replace(servers[0].address, server.address)
                sent = {"ticket": question["ticket"], "value": question["offers"][0]["value"]}
                api(server, link)
                at_once.wait()
                told.append(api(server, link, "/answer", json=sent).status_code)  # noqa: B023

            threads = [
                threading.Thread(target=send, args=(place, links, seat, asked[seat], at_once)) for place, seat in enumerate(seats)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(20)
            assert told == [200] * len(seats)
    finally:
        for server in servers:
            server.stop()
