"""What the machine does meanwhile: processor time of processes and of all else, memory."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


def _children(of: int) -> list[int]:
    found = []
    for listed in Path(f"/proc/{of}/task").glob("*/children"):
        for child in map(int, listed.read_text().split()):
            found += [child, *_children(child)]
    return found


def processor_seconds(process: int, *, with_children: bool = True) -> float:
    """The processor time that a process and those that it has started have used."""
    total = 0.0
    for each in [process, *(_children(process) if with_children else [])]:
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += (int(fields[11]) + int(fields[12])) / _TICK
    return total


def _busy_seconds() -> float:
    fields = [int(each) for each in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / _TICK


def megabytes(process: int) -> float:
    """The memory that a process holds."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Meter:
    """Measures from its making to `read`: the share of a core that each server used, and all that is not ours."""

    def __init__(self, servers: Iterable[int], also_ours: Iterable[int] = ()) -> None:
        self._servers = list(servers)
        self._also = list(also_ours)
        self._began = time.perf_counter()
        self._before = self._now()

    def _now(self) -> tuple[float, float, float]:
        servers = sum(processor_seconds(each, with_children=False) for each in self._servers)
        # The servers are children of this process.
        ours = processor_seconds(os.getpid()) + sum(processor_seconds(each) for each in self._also)
        return servers, ours, _busy_seconds()

    def read(self) -> Load:
        """The shares until now, in hundredths of a core."""
        taken = time.perf_counter() - self._began
        servers, ours, busy = (100 * (now - before) / taken for now, before in zip(self._now(), self._before, strict=True))
        return Load(taken, servers, max(0.0, busy - ours))


class Load:
    """Seconds measured; per cent of a core that the servers used, and that others used."""

    def __init__(self, seconds: float, servers: float, others: float) -> None:
        self.seconds = seconds
        self.servers = servers
        self.others = others
