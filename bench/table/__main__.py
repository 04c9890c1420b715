"""`python -m bench.table [--only PART …] [--seconds N]`: the web table under load, its figures beside what is asked of them.

Each part starts servers of its own. What else the cores did meanwhile stands beside the figures: where that is much, they
say little, and the part should be run again.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.table.postgres import Postgres, missing

from . import kills, load, pages
from .figures import Row

PARTS: dict[str, Callable[[Path, str, float], list[Row]]] = {
    "push-sqlite": lambda folder, _, seconds: load.push("SQLite", folder, "", seconds),
    "push-postgres": lambda folder, url, seconds: load.push("PostgreSQL", folder, url, seconds),
    "push-two-servers": lambda folder, url, seconds: load.push("PostgreSQL, two servers", folder, url, seconds, servers=2),
    "crowd": lambda folder, _, seconds: load.crowd(folder, seconds),
    "flat-sqlite": lambda folder, _, seconds: load.flat("SQLite", folder, "", seconds),
    "flat-postgres": lambda folder, url, seconds: load.flat("PostgreSQL", folder, url, seconds),
    "memory": lambda folder, _, seconds: load.memory(folder, seconds),
    "first-page": lambda folder, _, seconds: pages.first(folder),
    "long-table": lambda folder, _, seconds: pages.long_table(folder),
    "kills-sqlite": lambda folder, _, seconds: kills.run("SQLite", folder, ""),
    "kills-postgres": lambda folder, url, seconds: kills.run("PostgreSQL, two servers", folder, url, servers=2),
}
_WITH_POSTGRES = [name for name in PARTS if "postgres" in name or "servers" in name]


def main() -> None:
    """Runs the parts that are named, or all, and prints their figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.table", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seconds", type=float, default=30, help="of load in each part that has any (30)")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to a file")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores; load and servers share them\n")
    print(f"{'part':<18}{'figure':<44}{'measured':>12}  {'asked':<12}{'server':>8}{'others':>8}")
    rows: list[dict[str, Any]] = []
    for name in options.only or PARTS:
        if name in _WITH_POSTGRES and (why := missing()):
            print(f"{name:<18}skipped: {why}")
            continue
        database = Postgres(safe=True) if name in _WITH_POSTGRES else None
        try:
            with tempfile.TemporaryDirectory() as folder:
                url = database.start().url if database is not None else ""
                for row in PARTS[name](Path(folder), url, options.seconds):
                    print(f"{name:<18}{row}", flush=True)
                    rows.append({"part": name, **row._asdict()})
            if database is not None:
                database.stop()
        finally:
            if database is not None:
                database.remove()
    print("\nserver, others: per cent of one core that the servers and that other processes used meanwhile")
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
