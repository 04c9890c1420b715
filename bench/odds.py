"""`python -m bench.odds`: exact odds, the first call in a fresh process without imports, beside icepool and dyce in one run.

Before anything is timed the peers' answers are compared with ours, as fractions.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

RUNS = 7


def like(dice: int, sides: int) -> Callable[[], dict[int, Fraction]]:
    from referee.dice.like import group_counts

    return lambda: {k: Fraction(n, sides**dice) for k, n in enumerate(group_counts(dice, 0, sides)) if n}


def like_icepool(dice: int, sides: int) -> Callable[[], dict[int, Fraction]]:
    import icepool

    def call() -> dict[int, Fraction]:
        law = icepool.d(sides).pool(dice).largest_count()
        return {k: law.probability(k) for k in law.outcomes()}

    return call


def like_dyce(dice: int, sides: int) -> Callable[[], dict[int, Fraction]]:
    import dyce

    def call() -> dict[int, Fraction]:
        counts: dict[int, int] = {}
        for roll, count in dyce.P(*[dyce.H(sides)] * dice).rolls_with_counts():
            size = max(roll.count(face) for face in set(roll))
            counts[size] = counts.get(size, 0) + count
        return {k: Fraction(n, sides**dice) for k, n in sorted(counts.items())}

    return call


def keep(dice: int, sides: int, most: int) -> Callable[[], dict[int, Fraction]]:
    from referee.dice import Die
    from referee.dice.law import highest

    def call() -> dict[int, Fraction]:
        law = highest(Die(sides).law(), dice, most)
        return {total: law.chance(total) for total in law}

    return call


def keep_icepool(dice: int, sides: int, most: int) -> Callable[[], dict[int, Fraction]]:
    import icepool

    def call() -> dict[int, Fraction]:
        law = icepool.d(sides).highest(dice, most)
        return {total: law.probability(total) for total in law.outcomes()}

    return call


def l5r(ring: int, skill: int, *goal: Any, what: str = "chance", **how: Any) -> Callable[[], object]:
    from referee.dice.goals import Goal
    from referee.dice.joint import joint
    from referee.dice.keep import Keep, Throw
    from referee.dice.reroll import Reroll
    from referee.rulesets.l5r.best import DICE

    def call() -> object:
        best = Keep(Throw(DICE, (ring, skill), ring), Goal.reach(*goal), whole=what == "joint", **how)
        if what == "joint":
            return joint(best)
        return Reroll(best).chance() if what == "reroll" else best.chance()

    return call


def equilibrium(points: int, price: Fraction, value: str) -> Callable[[], object]:
    from referee.rulesets.soluna.odds import equilibrium

    return lambda: equilibrium((points, points), price, value)


def games(count: int, *, at_once: bool) -> Callable[[], object]:
    import numpy as np

    from referee.solvers import zero_sum
    from referee.solvers.batches import values

    made = np.random.default_rng(1).integers(0, 1000, (6, 6, count))
    one_by_one = [made[:, :, number].tolist() for number in range(count)]
    if at_once:
        return lambda: values(made.astype(np.float64)).tolist()
    return lambda: [float(zero_sum(game).row_value) for game in one_by_one]


def table(composure: int, endurance: int) -> Callable[[], object]:
    from referee.rulesets.l5r.duel_table import Duel, DuelTable
    from referee.rulesets.l5r.duellists import Sketch, sketched

    side = sketched(Sketch((3, 2), 2, 4, 0.75), (composure, endurance, 5), endurance)
    return lambda: DuelTable.build(Duel(side, side))


def at_bids(scenario: str) -> Any:
    import referee
    from referee.players.greedy import Greedy

    encounter = referee.start(scenario, 3)
    bots = {seat: Greedy(1, seat) for seat in encounter.game.seats}
    while encounter.choice(encounter.asked()[0]).about != "bid":  # type: ignore[union-attr]
        seat = encounter.asked()[0]
        encounter.answer(bots[seat](encounter, seat), seat)
    return encounter


def match_up() -> Callable[[], object]:
    """The one of most positions: Miyamoto and the bushi or the ronin have composure up to 12, endurance 12, focus 5."""
    from referee.rulesets.l5r.duel_table import DuelTable
    from referee.rulesets.l5r.duellists import duel_of

    encounter = at_bids("l5r/to_the_death")
    return lambda: DuelTable.build(duel_of(encounter.game))


def bid(scenario: str) -> Callable[[], object]:
    import os
    import tempfile

    from referee.analysis.equilibria import mixed
    from referee.rulesets.l5r.duellists import duel_of
    from referee.rulesets.l5r.staredown import table_of

    os.environ["REFEREE_CACHE"] = tempfile.mkdtemp()
    encounter = at_bids(scenario)
    table_of(duel_of(encounter.game), 2, encounter.game.ruleset.rules_version)
    return lambda: mixed(encounter, encounter.asked()[0])


CASES: dict[str, tuple[float | None, Callable[[], Callable[[], object]]]] = {
    "10d6 like faces": (0.1, lambda: like(10, 6)),
    "10d6 like faces, icepool": (None, lambda: like_icepool(10, 6)),
    "10d6 like faces, dyce": (None, lambda: like_dyce(10, 6)),
    "60d10 like faces": (1.5, lambda: like(60, 10)),
    "60d10 like faces, icepool": (None, lambda: like_icepool(60, 10)),
    "100d10 like faces": (8, lambda: like(100, 10)),
    "10d10 keep 5": (None, lambda: keep(10, 10, 5)),
    "10d10 keep 5, icepool": (None, lambda: keep_icepool(10, 10, 5)),
    "3+3 TN 3 O 1 T 2": (3, lambda: l5r(3, 3, 3, 1, 2)),
    "5+5 TN 3 O 1 T 2": (15, lambda: l5r(5, 5, 3, 1, 2)),
    "3+3 joint law": (5, lambda: l5r(3, 3, 3, what="joint")),
    "5+5 joint law": (20, lambda: l5r(5, 5, 3, what="joint")),
    "3+3 together": (8, lambda: l5r(3, 3, 3, 1, 2, follow_ups="together")),
    "5+5 together": (60, lambda: l5r(5, 5, 3, 1, 2, follow_ups="together")),
    "a duel: the slowest action, warm": (100, lambda: deciding("l5r/duel_at_dawn", "action")),
    "a duel: the slowest keep, warm": (100, lambda: deciding("l5r/duel_at_dawn", "keep")),
    "3+3 rerolls": (8, lambda: l5r(3, 3, 3, 1, 2, what="reroll")),
    "5+5 rerolls": (100, lambda: l5r(5, 5, 3, 1, 2, what="reroll")),
    "equilibrium at 10 points": (5, lambda: equilibrium(10, Fraction(1, 5), "difference")),
    "the same, general-sum": (5, lambda: equilibrium(10, Fraction(1, 5), "win")),
    "general-sum, price 1/20": (None, lambda: equilibrium(10, Fraction(1, 20), "win")),
    "2000 games 6x6 at once": (None, lambda: games(2000, at_once=True)),
    "2000 games 6x6, one by one": (None, lambda: games(2000, at_once=False)),
    "duel table 10, 10": (2000, lambda: table(10, 10)),
    "duel table, largest match-up": (30_000, match_up),
    "bid, Duel at Dawn": (1000, lambda: bid("l5r/duel_at_dawn")),
    "bid, To the Death": (1000, lambda: bid("l5r/to_the_death")),
}


def deciding(scenario: str, about: str) -> Callable[[], object]:
    """All offers of one decision, the second time: laws of dice are known by then."""
    import referee
    from referee.analysis.odds import outlooks
    from referee.players.greedy import Greedy

    encounter = referee.start(scenario, 1)
    bots = {seat: Greedy(1, seat) for seat in encounter.game.seats}
    worst: tuple[float, object] = (0.0, None)
    for _ in range(60):
        seats = encounter.asked()
        if not seats:
            break
        choice = encounter.choice(seats[0])
        if choice is not None and choice.about == about:
            outlooks(encounter, seats[0])
            began = time.process_time()
            outlooks(encounter, seats[0])
            taken = time.process_time() - began
            worst = max(worst, (taken, encounter.fork()), key=lambda each: each[0])
        encounter.answer(bots[seats[0]](encounter, seats[0]), seats[0])
    chosen: Any = worst[1]
    return lambda: outlooks(chosen, chosen.asked()[0])


LARGEST = (
    "l5r --ring 8 --skill 8 --tn 3 --opportunity 1 --max-strife 2",
    "l5r --ring 8 --skill 8 --tn 3 --dist",
    "l5r --ring 7 --skill 7 --tn 3 --opportunity 1 --max-strife 2 --distinction",
    "l5r --ring 7 --skill 8 --tn 3 --opportunity 1 --max-strife 2 --follow-ups together",
    "l5r --table --tn 3 --opportunity 1 --max-strife 2 --distinction",
    "soluna --contest 40+20 40+20 --ties higher_face",
)
"""The largest questions that are answered; larger ones are refused."""


def megabytes(words: str) -> float:
    """The most memory that a question takes, in a process of its own."""
    asked = (
        f"import resource, sys; from referee.cli import main\ntry: main(['odds', *{words.split()!r}])\nexcept SystemExit: pass\n"
    )
    code = asked + "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, file=sys.stderr)"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stderr)


def compare() -> None:
    """Stops the run if a peer says something else."""
    for dice, sides in ((5, 6), (10, 6), (12, 10)):
        ours = like(dice, sides)()
        if ours != like_icepool(dice, sides)() or (dice < 12 and ours != like_dyce(dice, sides)()):
            raise SystemExit(f"{dice}d{sides}: the peers count other like faces")
    if keep(10, 10, 5)() != keep_icepool(10, 10, 5)():
        raise SystemExit("10d10 keep 5: the peers count otherwise")
    pairs = zip(games(50, at_once=True)(), games(50, at_once=False)(), strict=True)  # type: ignore[call-overload]
    if any(abs(one - other) > 1e-6 for one, other in pairs):
        raise SystemExit("games solved at once have other values than one by one")


def measured(case: str) -> tuple[float, float]:
    """Milliseconds of the first call of a case in fresh processes, the best of several; the most memory at a time, in MB."""
    command = [sys.executable, "-m", "bench.odds", case]
    printed = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(RUNS)]
    return min(float(each[0]) for each in printed), max(float(each[1]) for each in printed)


def main() -> None:
    """Compares, then takes and prints all times."""
    if sys.argv[1:]:
        call = CASES[sys.argv[1]][1]()
        began = time.process_time()
        call()
        print((time.process_time() - began) * 1e3, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return
    compare()
    print("All results equal. Milliseconds of the first call in a fresh process, imports not counted; MB of memory at most.")
    for case, (target, _) in CASES.items():
        taken, memory = measured(case)
        said = "" if target is None else f"  (to be below {target:g})"
        print(f"{case:<36}{taken:>10.2f} ms{memory:>7.0f} MB{said}")
    print("The largest questions that are answered, MB of memory at most (to be below 300).")
    for words in LARGEST:
        print(f"{megabytes(words):>6.0f} MB  {words}")


if __name__ == "__main__":
    main()
