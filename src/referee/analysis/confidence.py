"""How sure a sampled share is."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import Final

_Z: Final = NormalDist().inv_cdf(0.975)


def wilson(share: float, count: int) -> tuple[float, float]:
    """Between what the true share lies with 95 % confidence, if `share` of `count` tries went so.

    The score interval (Wilson 1927); from 0 to 1 without a try.
    """
    if not count:
        return 0.0, 1.0
    square = _Z * _Z
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = _Z * sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    return max(0.0, middle - half), min(1.0, middle + half)
