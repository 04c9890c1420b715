"""How speeds are taken here: processor time, several short rounds, the best of them; peers in turn with ours."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

ROUNDS = 7


def per_second(work: Callable[[], int], *, rounds: int = ROUNDS) -> float:
    """The best of several rounds of things done per second of processor time; `work` does some and says how many."""
    return alternately({"": work}, rounds=rounds)[""]


def alternately(works: dict[str, Callable[[], int]], *, rounds: int = ROUNDS) -> dict[str, float]:
    """The same for several works, taken in turn, so that a busy machine disturbs all of them alike."""
    best = dict.fromkeys(works, 0.0)
    for work in works.values():
        work()
    for _ in range(rounds):
        for name, work in works.items():
            gc.collect()
            began = time.process_time()
            done = work()
            best[name] = max(best[name], done / (time.process_time() - began))
    return best


def microseconds(call: Callable[[], object], *, times: int = 2000, rounds: int = ROUNDS) -> float:
    """The best of several rounds of the processor time of one call, in microseconds."""

    def work() -> int:
        for _ in range(times):
            call()
        return times

    return 1e6 / per_second(work, rounds=rounds)
