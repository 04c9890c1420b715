"""Which rules of a game would no scene miss? `python -m referee.testkit.mutate GAME [--sample N] [--seed S] [--fine]`.

Disables one rule after another, each in a process of its own, runs the game's scenes until one fails, and lists the mutants
that none noticed.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import io
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any

from ..content import ContentError, RegistryError, registry, restore
from ..dice import Stream
from ..engine import Content, Ruleset
from .files import Script, read_scripts, scene_files
from .mutants import Mutant, find_mutants, import_mutant, mutated
from .running import Outcome, run, staged

_SURVIVED, _NOTICED = 0, 1
_LEAST_SECONDS = 20.0


@dataclass(frozen=True)
class Verdict:
    """What became of the mutants: those that a scene noticed, those that none did."""

    noticed: tuple[Mutant, ...]
    survived: tuple[Mutant, ...]


def mutate(ruleset: Ruleset, mutants: Sequence[Mutant], *, workers: int = 2, progress: bool = False) -> Verdict:
    """Runs a ruleset's scenes against each mutant. ValueError if a scene fails without any, or a mutant cannot be made."""
    cast = staged(read_scripts(scene_files(ruleset), ruleset))
    begun = time.monotonic()
    outcomes = [run(script, content) for script, content in cast]
    failed = [each for each in outcomes if not each.passed]
    if failed:
        raise ValueError(f"{failed[0].at}: the scene {failed[0].name!r} fails without a mutant: {failed[0].why}")
    patience = max(_LEAST_SECONDS, 10 * (time.monotonic() - begun))
    context = multiprocessing.get_context("fork")
    # Imported afresh but unchanged the scenes must pass: else every mutant would seem to be noticed.
    control = context.Process(target=_try, args=(ruleset, None, cast))
    control.start()
    control.join()
    if control.exitcode != _SURVIVED:
        raise ValueError(f"the scenes of {ruleset.id} fail when it is imported afresh, without a mutant")
    waiting = list(enumerate(mutants))[::-1]
    running: dict[Any, tuple[Any, int, float]] = {}
    noticed: dict[int, bool] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            number, mutant = waiting.pop()
            mutated(mutant)
            ordered = _likeliest_first(mutant, cast, outcomes)
            process = context.Process(target=_try, args=(ruleset, mutant, ordered))
            process.start()
            running[process.sentinel] = (process, number, time.monotonic() + patience)
        ended = wait(list(running), timeout=0.5)
        for sentinel in list(running):
            process, number, until = running[sentinel]
            hangs = time.monotonic() > until
            if sentinel in ended or hangs:
                if hangs and sentinel not in ended:
                    process.kill()
                process.join()
                noticed[number] = process.exitcode != _SURVIVED
                del running[sentinel]
                if progress:
                    survivors = sum(not each for each in noticed.values())
                    print(f"\r{len(noticed)} of {len(mutants)}, {survivors} not noticed", end="", file=sys.stderr, flush=True)
    if progress:
        print(file=sys.stderr)
    return Verdict(
        tuple(mutant for number, mutant in enumerate(mutants) if noticed[number]),
        tuple(mutant for number, mutant in enumerate(mutants) if not noticed[number]),
    )


def _likeliest_first(
    mutant: Mutant, cast: Sequence[tuple[Script, Content | None]], outcomes: Sequence[Outcome]
) -> list[tuple[Script, Content | None]]:
    """The scenes, those first that test or met the mutant's rules."""

    def rank(place: int) -> int:
        outcome = outcomes[place]
        tests = any(rule in outcome.rules for rule in mutant.rules)
        return 0 if tests else 1 if any(rule in outcome.seen for rule in mutant.rules) else 2

    return [cast[place] for place in sorted(range(len(cast)), key=rank)]


def _try(ruleset: Ruleset, mutant: Mutant | None, cast: Sequence[tuple[Script, Content | None]]) -> None:
    """In a process of its own: 1 as soon as a scene fails, else 0."""
    code = _NOTICED
    with contextlib.suppress(BaseException), contextlib.redirect_stderr(io.StringIO()):
        changed = import_mutant(ruleset, mutant)
        for script, content in cast:
            again = None if content is None else restore(content.source)
            if not run(dataclasses.replace(script, ruleset=changed), again).passed:
                break
        else:
            code = _SURVIVED
    os._exit(code)


def sample(mutants: Sequence[Mutant], count: int | None, seed: int) -> list[Mutant]:
    """So many of the mutants, drawn by the seed, in their order; all if there are no more."""
    if count is None or count >= len(mutants):
        return list(mutants)
    drawn = Stream.named(seed, "mutants").sample(list(range(len(mutants))), count)
    return [mutants[place] for place in sorted(drawn)]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if a mutant was not noticed, 2 for bad input."""
    parser = argparse.ArgumentParser(
        prog="python -m referee.testkit.mutate", description="Lists the rules that no scene would miss."
    )
    parser.add_argument("game")
    parser.add_argument("--sample", type=int, metavar="N", help="try so many mutants, drawn at random (else all)")
    parser.add_argument("--seed", type=int, default=1, help="what draws the sample")
    parser.add_argument("--fine", action="store_true", help="also leave out single statements and turn conditions round")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    given = parser.parse_args(arguments)
    try:
        ruleset = registry.get(given.game)
        every = find_mutants(ruleset, fine=given.fine)
        drawn = sample(every, given.sample, given.seed)
        verdict = mutate(ruleset, drawn, workers=given.workers, progress=sys.stderr.isatty())
    except (RegistryError, ContentError, ValueError) as error:
        print(error.args[0], file=sys.stderr)
        return 2
    for mutant in verdict.survived:
        print(f"not noticed: {mutant}")
    print(f"{len(verdict.noticed)} of {len(drawn)} mutants noticed ({len(every)} in all, seed {given.seed})")
    return 1 if verdict.survived else 0


if __name__ == "__main__":
    raise SystemExit(main())
