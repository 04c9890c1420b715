"""A server that is killed at any moment loses nothing that it has accepted, and does nothing twice."""

import random
import sqlite3
import threading
import time
from pathlib import Path

import httpx

from .server import Server, api

KILLS = 5


def play(server: Server, links: dict[str, str], stop: threading.Event, told: list[tuple[str, str, object]], seed: int) -> None:
    """Answers for both seats; what broke off is sent again with the same ticket until the server says something."""
    draws = random.Random(seed)
    while not stop.is_set():
        for seat in ("sable", "garrick"):
            try:
                seen = api(server, links[seat]).json()
                if seen["result"]:
                    return
                question = seen["question"]
            except (httpx.TransportError, ValueError):
                time.sleep(0.02)
                continue
            if question is None:
                continue
            value = draws.choice(question["offers"])["value"]
            while True:
                try:
                    sent = api(server, links[seat], "/answer", json={"ticket": question["ticket"], "value": value})
                except httpx.TransportError:
                    if stop.is_set():
                        return
                    time.sleep(0.02)
                    continue
                assert sent.status_code == 200, sent.text
                told.append((seat, question["ticket"], value))
                break


def test_nothing_is_lost_or_done_twice(tmp_path: Path) -> None:
    server = Server(tmp_path).start()
    tables = [server.set_table() for _ in range(4)]
    stop = threading.Event()
    told: list[list[tuple[str, str, object]]] = [[] for _ in tables]
    players = [
        threading.Thread(target=play, args=(server, links, stop, told[place], place)) for place, links in enumerate(tables)
    ]
    for player in players:
        player.start()
    draws = random.Random(7)
    for _ in range(KILLS):
        time.sleep(0.2 + draws.random() * 0.4)
        server.kill()
        server.start()
    time.sleep(0.5)
    stop.set()
    for player in players:
        player.join(30)
        assert not player.is_alive()
    server.stop()
    with sqlite3.connect(tmp_path / "tables.db") as database:
        accepted = 0
        for links, answers in zip(tables, told, strict=True):
            table = links["sable"].split("/")[-3]
            rows = database.execute("SELECT seq, seat, key FROM entry WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
            assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
            stored = [(seat, key) for _, seat, key in rows]
            assert len(stored) == len(set(stored))
            for seat, ticket, _ in answers:
                assert stored.count((seat, ticket)) == 1
            accepted += len(answers)
    assert accepted > 20
