"""Many random encounters: does every one end, without an error or a broken invariant?

`python -m referee.testkit.soak GAME -n N [--seed S] [--greedy] [--debug]`, or scenarios in place of the game. A failure is
recorded with its scenario and seed, and the batch goes on.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..content import ContentError, RegistryError, load, registry
from ..dice import Stream
from ..engine import Content, Encounter, RefereeError
from ..players.seats import bot
from .wandering import NODES, answer_at_random

_SECONDS = 120  # of processor time, after which an encounter counts as hanging
_CHUNK = 20


@dataclass(frozen=True)
class Failure:
    """An encounter that went wrong: play it again by its scenario and seed."""

    scenario: str
    seed: int
    why: str

    def __str__(self) -> str:
        return f"{self.scenario}, seed {self.seed}: {self.why}"


@dataclass
class Batch:
    """What came of some encounters."""

    encounters: int = 0
    nodes: int = 0
    rounds: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: Batch) -> None:
        """Adds what came of another batch."""
        self.encounters += other.encounters
        self.nodes += other.nodes
        self.rounds += other.rounds
        self.ends += other.ends
        self.failures += other.failures


class Hanging(Exception):
    """An encounter that takes too long."""


def soak_one(content: Content, seed: int, *, greedy: bool = False, debug: bool = False) -> Encounter:
    """Plays one encounter to its end, with the ruleset's invariants looked at after every answer.

    RefereeError with what is wrong.
    """
    encounter = Encounter.start(content, seed, log=debug, debug=debug)
    invariants = getattr(content.ruleset, "invariants", None)
    rng = Stream.named(seed, "soak")
    bots: dict[str, Any] = {}
    while encounter.question is not None:
        if greedy and encounter.asked():
            seat = encounter.asked()[0]
            player = bots.setdefault(seat, bot("greedy", seed, seat))
            encounter.answer(player(encounter, seat), seat)
        else:
            answer_at_random(encounter, rng)
        for complaint in invariants(encounter.game) if invariants is not None else ():
            raise RefereeError(f"{complaint}, at {encounter.where}")
        if encounter.nodes > NODES:
            raise RefereeError(f"no end after {NODES} questions, at {encounter.where}")
    if encounter.result is None:
        raise RefereeError("it ended without a result")
    return encounter


def soak(
    contents: Sequence[Content], seeds: Iterable[int], *, greedy: bool = False, debug: bool = False, seconds: int = _SECONDS
) -> Batch:
    """Plays an encounter for each seed, the scenarios by turns."""
    batch = Batch()
    for seed in seeds:
        content = contents[seed % len(contents)]
        batch.encounters += 1
        try:
            with _Limit(seconds):
                encounter = soak_one(content, seed, greedy=greedy, debug=debug)
        except Exception as error:  # whatever it is, the batch goes on
            batch.failures.append(Failure(content.scenario.id, seed, f"{type(error).__name__}: {error}"))
            continue
        assert encounter.result is not None
        batch.nodes += encounter.nodes
        batch.rounds += encounter.game.round
        batch.ends[encounter.result.reason] += 1
    return batch


class _Limit:
    """Raises Hanging in the block after some seconds of processor time, where the system has such alarms.

    Processor time, so that a busy or stopped machine makes no failures. Only for the main thread.
    """

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGPROF, self._raise)
            signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def __exit__(self, *_: object) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _raise(self, *_: object) -> None:
        raise Hanging(f"no end after {self._seconds} seconds of processor time")


def _chunk(job: tuple[Sequence[str], range, bool, bool]) -> Batch:
    names, seeds, greedy, debug = job
    return soak(_contents(names), seeds, greedy=greedy, debug=debug)


def _contents(names: Sequence[str]) -> list[Content]:
    scenarios = []
    for name in names:
        scenarios += [name] if "/" in name else [f"{name}/{each}" for each in registry.scenarios(registry.get(name))]
    return [load(each) for each in scenarios]


def _batches(names: Sequence[str], count: int, first: int, *, greedy: bool, debug: bool, workers: int) -> Iterator[Batch]:
    jobs = [
        (names, range(start, min(start + _CHUNK, first + count)), greedy, debug)
        for start in range(first, first + count, _CHUNK)
    ]  # fmt: skip
    if workers < 2:
        yield from map(_chunk, jobs)
        return
    with multiprocessing.Pool(workers) as pool:
        yield from pool.imap(_chunk, jobs)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if an encounter failed, 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m referee.testkit.soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="+", metavar="GAME", help="a game, or scenarios as GAME/SCENARIO; they take turns")
    parser.add_argument("-n", type=int, default=1000, help="so many encounters (1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first one; each has the next")
    parser.add_argument("--greedy", action="store_true", help="greedy bots instead of random answers")
    parser.add_argument("--debug", action="store_true", help="also see that no step that asks changes anything; keeps logs")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    given = parser.parse_args(arguments)
    try:
        _contents(given.names)
    except (RegistryError, ContentError) as error:
        print(error.args[0], file=sys.stderr)
        return 2
    total = Batch()
    begun = time.monotonic()
    for batch in _batches(
        given.names, given.n, given.seed, greedy=given.greedy, debug=given.debug, workers=given.workers
    ):  # fmt: skip
        total.add(batch)
        for failure in batch.failures:
            print(f"\rfailed: {failure}", flush=True)
        if sys.stderr.isatty():
            print(f"\r{total.encounters} of {given.n}, {len(total.failures)} failed", end="", file=sys.stderr, flush=True)
    seconds = time.monotonic() - begun
    finished = max(1, total.encounters - len(total.failures))
    print(
        f"{total.encounters} encounters, {len(total.failures)} failed; {total.nodes / finished:.0f} questions and "
        f"{total.rounds / finished:.1f} rounds each; {total.nodes / max(seconds, 0.001):,.0f} questions a second"
    )
    for reason, count in total.ends.most_common():
        print(f"  {reason:<20} {count:>8}  {100 * count / finished:5.1f} %")
    return 1 if total.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
