"""`python -m bench.odds`: exact odds, the first call in a fresh process without imports, beside icepool and dyce in one run.

Before anything is timed the peers' answers are compared with ours, as fractions.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

RUNS = 3


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


def equilibrium(points: int, price: Fraction) -> Callable[[], object]:
    from referee.rulesets.soluna.odds import _payoffs, equilibrium

    _payoffs((points, points), "no_change")
    return lambda: equilibrium((points, points), price, "difference")


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
    "3+3 rerolls": (8, lambda: l5r(3, 3, 3, 1, 2, what="reroll")),
    "5+5 rerolls": (100, lambda: l5r(5, 5, 3, 1, 2, what="reroll")),
    "equilibrium at 10 points": (5, lambda: equilibrium(10, Fraction(1, 5))),
}


def compare() -> None:
    """Stops the run if a peer says something else."""
    for dice, sides in ((5, 6), (10, 6), (12, 10)):
        ours = like(dice, sides)()
        if ours != like_icepool(dice, sides)() or (dice < 12 and ours != like_dyce(dice, sides)()):
            raise SystemExit(f"{dice}d{sides}: the peers count other like faces")
    if keep(10, 10, 5)() != keep_icepool(10, 10, 5)():
        raise SystemExit("10d10 keep 5: the peers count otherwise")


def milliseconds(case: str) -> float:
    """The first call of a case in fresh processes, the best of several."""
    command = [sys.executable, "-m", "bench.odds", case]
    return min(float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(RUNS))


def main() -> None:
    """Compares, then takes and prints all times."""
    if sys.argv[1:]:
        call = CASES[sys.argv[1]][1]()
        began = time.process_time()
        call()
        print((time.process_time() - began) * 1e3)
        return
    compare()
    print("All results equal. Milliseconds of the first call in a fresh process, imports not counted.")
    for case, (target, _) in CASES.items():
        taken = milliseconds(case)
        said = "" if target is None else f"  (to be below {target:g})"
        print(f"{case:<28}{taken:>10.2f}{said}")


if __name__ == "__main__":
    main()
