"""`referee odds l5r --match-ups`: every two characters of the starter set in the abstract duel, their tables kept on disk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from multiprocessing import get_context
from typing import Any, Final

from ...content.cache import recall_bytes, remember_bytes
from ...engine.chances import Chart, Progress, Tools
from ...solvers import zero_sum
from .duel_table import Duel
from .duellists import duel_of
from .staredown import PARTS, code, table_of

FEW: Final = 8
"""So few duels are not worth a second process."""
KEPT: Final = 20
"""Answers on disk."""
NOTE: Final = "abstract duel, a sketch; equal initiative, in millionths"


def answer(asked: Mapping[str, Any], tools: Tools) -> dict[str, Any]:
    """The chance of each character against each other, before the first bids of a duel."""
    objective = asked["objective"]
    names = sorted(tools.cards("characters"))
    duels, version = {}, 0
    for pair in combinations(names, 2):
        figures = [{"character": name} for name in pair]
        game = tools.stage({"figures": figures, "kind": "duel", "objective": objective}, {}).game
        duels[pair], version = duel_of(game), game.ruleset.rules_version
    found = chances(duels, version, tools.progress)
    half = Fraction(1, 2)
    rows = [
        {other: half if one == other else found[(one, other)] if one < other else 1 - found[(other, one)] for other in names}
        for one in names
    ]
    return {
        "match_ups": [{"character": name, "against": row} for name, row in zip(names, rows, strict=True)],
        "objective": objective, "exact": False, "missing": Fraction(0), "note": NOTE,
    }  # fmt: skip


def chances(duels: Mapping[tuple[str, str], Duel], version: int, progress: Progress = lambda done: None) -> dict[Any, Fraction]:
    """The chance of the first in each duel, from disk if it was reckoned before; several processes share what is left."""
    digest = sha256(repr(sorted(duels.items())).encode()).hexdigest()
    described = f"{version} {code()} {digest}"
    raw = recall_bytes("match-ups", described)
    if raw is not None:
        return {pair: Fraction(text) for pair, text in zip(duels, json.loads(raw), strict=True)}
    found: dict[Any, Fraction] = {}
    processes = min(os.cpu_count() or 1, len(duels) // FEW)
    if processes < 2:
        for pair, duel in duels.items():
            found[pair] = first_bids(duel, version)
            progress(len(found) / len(duels))
    else:
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            waiting = {pool.submit(first_bids, duel, version): pair for pair, duel in duels.items()}
            for done in as_completed(waiting):
                found[waiting[done]] = done.result()
                progress(len(found) / len(duels))
    remember_bytes("match-ups", described, json.dumps([str(found[pair]) for pair in duels]).encode(), KEPT)
    return found


def first_bids(duel: Duel, version: int) -> Fraction:
    """The chance of the first when both bid in the first staredown; its table is kept on disk."""
    table = table_of(duel, 2, version)
    game = table.game(1, (duel.first.poise(1), 0, duel.second.poise(1), 0))
    return zero_sum([[Fraction(round(value * PARTS), PARTS) for value in row] for row in game]).row_value


def tell(told: Mapping[str, Any]) -> Iterator[str]:
    """The answer as a table, rows against columns."""
    rows = told["match_ups"]
    yield f"Duels to {told['objective'].replace('_', ' ')}, chance of the row against the column in per cent ({told['note']})"
    yield " " * 26 + "".join(f"{number:>6}" for number in range(1, len(rows) + 1)) + "   mean"
    for number, row in enumerate(rows, 1):
        cells = "".join(f"{float(chance) * 100:6.1f}" for chance in row["against"].values())
        yield f"{number:>3} {row['character'].replace('_', ' '):<22}{cells} {float(_mean(row)) * 100:6.1f}"


def chart(told: Mapping[str, Any]) -> Chart:
    """Bars: the mean chance of each."""
    rows = told["match_ups"]
    labels = tuple(row["character"].replace("_", " ") for row in rows)
    return Chart(f"Duels to {told['objective'].replace('_', ' ')}", "mean chance", labels, (("chance", tuple(map(_mean, rows))),))


def _mean(row: Mapping[str, Any]) -> Fraction:
    others = [chance for name, chance in row["against"].items() if name != row["character"]]
    return sum(others, Fraction(0)) / len(others)
