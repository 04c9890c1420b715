"""The values of very many small zero-sum games at once, with floating point numbers; `zero_sum` is exact, and one at a time."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .matrix import zero_sum

Array = np.ndarray[Any, np.dtype[np.float64]]

BATCH: Final = 4096
MOST_PIVOTS: Final = 100
NEARLY: Final = 1e-12


def values(games: Array) -> Array:
    """The values to the rows of games in an array (rows, columns, games), within 1e-9 of the spread of their payoffs.

    Where the best that one player can be sure of is what the other can hold it to, that is the value; else all games of a batch
    are pivoted together. One that rounding keeps from ending is solved exactly.
    """
    lower = games.min(axis=1).max(axis=0)
    found = np.array(lower)
    mixed = np.flatnonzero(games.max(axis=0).min(axis=0) > lower)
    for start in range(0, len(mixed), BATCH):
        batch = mixed[start : start + BATCH]
        found[batch] = _mixed(np.ascontiguousarray(games[:, :, batch].transpose(2, 0, 1)))
    return found


def _mixed(games: Array) -> Array:
    """Simplex on condensed tableaux, the games along the first axis: maximise the sum of y with (game + shift) y <= 1."""
    count, rows, columns = games.shape
    low = games.min(axis=(1, 2))
    spread = games.max(axis=(1, 2)) - low
    table = np.empty((count, rows + 1, columns + 1))
    table[:, :rows, :columns] = 1 + (games - low[:, None, None]) / spread[:, None, None]
    table[:, :rows, columns] = 1
    table[:, rows, :columns] = -1
    table[:, rows, columns] = 0
    totals = np.full(count, np.nan)
    left = np.arange(count)
    for _ in range(MOST_PIVOTS):
        entering = table[:, rows, :columns].argmin(axis=1)
        every = np.arange(len(left))
        going = table[every, rows, entering] < -NEARLY
        if not going.all():
            ended = ~going
            totals[left[ended]] = table[ended, rows, columns]
            table, left, entering = table[going], left[going], entering[going]
            if not len(left):
                break
            every = np.arange(len(left))
        column = table[every, :, entering]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(column[:, :rows] > NEARLY, table[:, :rows, columns] / column[:, :rows], np.inf)
        leaving = ratios.argmin(axis=1)
        pivot = column[every, leaving]
        row = table[every, leaving] / pivot[:, None]
        row[every, entering] = 1 / pivot
        column[every, leaving] = 0
        table[every, :, entering] = 0
        table -= column[:, :, None] * row[:, None, :]
        table[every, leaving] = row
    for number in np.flatnonzero(np.isnan(totals)):
        scaled = np.rint((games[number] - low[number]) / spread[number] * 2**40).astype(np.int64)
        value = zero_sum([[int(each) for each in line] for line in scaled]).row_value / 2**40
        totals[number] = 1 / (1 + float(value))
    return np.asarray(low + (1 / totals - 1) * spread, dtype=np.float64)
