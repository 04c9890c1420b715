"""`python -m bench [--json FILE]`: all speeds, as a table, with their ratios to the peers in the same run."""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time

from referee.content.registry import get, ids

from .operations import at_depth, operations
from .playing import greedy_play, works
from .timing import alternately, microseconds

GREEDY = ("l5r/duel_at_dawn", "l5r/first_blood", "l5r/to_the_death")


def command_seconds(*words: str) -> float:
    """The shortest wall time of a command in five runs."""
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "referee", *words], check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return min(taken)


def main() -> None:
    """Takes and prints everything."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="also write the figures to a file")
    options = parser.parse_args()
    print(f"Python {platform.python_version()} on {platform.machine()}, best of several rounds, processor time\n")
    figures: dict[str, object] = {}

    speeds = alternately(works())
    figures["nodes a second"] = speeds
    peers = [name for name in speeds if "/" not in name]
    print(f"{'random play':<28}{'nodes/s':>10}" + "".join(f"{'/ ' + name:>26}" for name in peers))
    for name, speed in speeds.items():
        ratios = "".join(f"{speed / speeds[peer]:>26.2f}" for peer in peers) if "/" in name else ""
        print(f"{name:<28}{speed:>10,.0f}{ratios}")

    duels = alternately({name: greedy_play(name, 100) for name in GREEDY}, rounds=3)
    figures["greedy encounters a second"] = duels
    print(f"\n{'greedy bots':<28}{'encounters/s':>14}")
    for name, speed in duels.items():
        print(f"{name:<28}{speed:>14,.0f}")

    print(f"\n{'microseconds':<28}{'fork':>8}{'key':>8}{'save':>8}{'load':>8}{'fresh':>8}")
    for id in ids():
        scenario = f"{id}/{get(id).main_scenario}"
        for where, encounter in zip(("first question", "deep"), at_depth(scenario), strict=True):
            taken = {name: microseconds(call) for name, call in operations(encounter).items()}
            figures[f"{scenario}, {where}"] = taken
            print(f"{id + ', ' + where:<28}" + "".join(f"{value:>8.1f}" for value in taken.values()))

    print(f"\n{'seconds of wall time':<28}")
    for words in (("--version",), ("run", "morphyry/broken_stair", "--seed", "1", "--quiet")):
        figures[" ".join(words)] = command_seconds(*words)
        print(f"{'referee ' + ' '.join(words):<50}{figures[' '.join(words)]:>6.2f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
