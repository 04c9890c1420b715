"""Servers that are killed 25 times while they are played on."""

from __future__ import annotations

from pathlib import Path

from tests.table.killing import kill_run
from tests.table.server import Server

from .figures import Row

KILLS = 25
TABLES = 8


def run(name: str, folder: Path, database: str, *, servers: int = 1) -> list[Row]:
    """What was acknowledged and is missing, and what was done twice."""
    count = kill_run([Server(folder, database).start() for _ in range(servers)], KILLS, tables=TABLES)
    return [
        Row(f"{name}: acknowledged", count.acknowledged, ""),
        Row(f"{name}: requests broken off", count.broken_off, ""),
        Row(f"{name}: stored", count.stored, ""),
        Row(f"{name}: lost in {KILLS} kills", count.missing, "", "0"),
        Row(f"{name}: done twice", count.twice, "", "0"),
        Row(f"{name}: tables with gaps or that do not open", count.gaps + count.broken, "", "0"),
    ]
