"""Servers that are killed at any moment lose nothing that they have accepted, and do nothing twice."""

from pathlib import Path

from .killing import kill_run
from .server import Server

KILLS = 5


def test_nothing_is_lost_or_done_twice(tmp_path: Path) -> None:
    count = kill_run([Server(tmp_path).start()], KILLS, tables=4)
    assert (count.missing, count.twice, count.gaps, count.broken) == (0, 0, 0, 0)
    assert count.acknowledged > 20
    assert count.broken_off > 0
