"""What a process for odds does: reads encounters imagined for a seat, one at a time, and writes what each answer may come to.

Run as `python -m referee.table.reckoning NICENESS`. It ends when nobody writes to it any more.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import IO, Final

import msgspec

from ..analysis.digests import Digest, digest
from ..analysis.equilibria import contested, mixed
from ..analysis.odds import outlooks
from ..content import opening

SIZE: Final = 4
"""Bytes of the length before each message."""
FIRST: Final = 10
"""The niceness of processes for first looks: answers go before odds."""
LAST: Final = 19
"""That of processes for thorough looks: all else goes before them."""


class Task(msgspec.Struct, frozen=True, array_like=True):
    """The odds of all answers of a seat: an encounter as it may imagine it, and the work to be done at the most.

    `thorough` also solves secret choices as a game, which takes as long as it takes.
    """

    save: bytes
    seat: str
    seconds: float
    thorough: bool = False


class Mix(msgspec.Struct, frozen=True, array_like=True):
    """How often each offer should be chosen where another decides in secret too, the chance that it brings, that of the whole."""

    weights: tuple[float, ...]
    worth: tuple[float, ...]
    chance: float
    note: str


class Reckoned(msgspec.Struct, frozen=True, array_like=True):
    """The digests of all offers in their order; or why there are none. `more` says that a thorough look would tell more."""

    offers: tuple[Digest, ...] = ()
    failed: str = ""
    mix: Mix | None = None
    more: bool = False


encode = msgspec.msgpack.Encoder().encode
_tasks = msgspec.msgpack.Decoder(Task)
replies: Final = msgspec.msgpack.Decoder(Reckoned)


def reckon(task: Task) -> Reckoned:
    """Does one task. Whatever an installed game raises is told by its kind alone: its text might hold what is secret."""
    try:
        encounter = opening.load(task.save)
        looked = outlooks(encounter, task.seat, task.seconds)
        best = max((outlook.worth for _, outlook in looked), default=0)
        odds = encounter.content.ruleset.odds
        digests = tuple(digest(outlook, odds, best - outlook.worth, shown.choice.who) for shown, outlook in looked)
        secret = contested(encounter, task.seat)
        mix = mixed(encounter, task.seat, quick=not task.thorough) if secret else None
        if mix is None:
            return Reckoned(digests, more=not task.thorough and (secret or any(each.samples for each in digests)))
        weights, worth = tuple(map(float, mix.weights)), tuple(map(float, mix.worth))
        return Reckoned(digests, mix=Mix(weights, worth, float(mix.value), mix.note))
    except Exception as wrong:
        return Reckoned(failed=type(wrong).__name__)


def framed(message: bytes) -> bytes:
    """A message with its length before it."""
    return len(message).to_bytes(SIZE, "big") + message


def work(source: IO[bytes], sink: IO[bytes]) -> None:
    """Does tasks until there are no more."""
    while len(size := source.read(SIZE)) == SIZE:
        body = source.read(int.from_bytes(size, "big"))
        try:
            sink.write(framed(encode(reckon(_tasks.decode(body)))))
            sink.flush()
        except BrokenPipeError:
            return


def _give_way(niceness: int) -> None:
    """Lets all else go first. Linux may weigh whole sessions against each other: then a session's own niceness counts."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(niceness), encoding="ascii")


def main() -> None:
    """Works between the standard streams; Ctrl-C is for the server, which then stops this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _give_way(int(sys.argv[1]))
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a game that prints must not break the stream
    work(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
