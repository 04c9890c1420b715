"""How often one place may ask for something costly."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

_PLACES: Final = 10_000


class Rates:
    """Counts in whole minutes; forgets the places that asked longest ago."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._counts: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def allows(self, place: str, per_minute: int) -> bool:
        """Whether it is not too often; counts it if so."""
        minute = int(self._clock() // 60)
        before, count = self._counts.pop(place, (minute, 0))
        count = count + 1 if before == minute else 1
        self._counts[place] = minute, count
        if len(self._counts) > _PLACES:
            self._counts.popitem(last=False)
        return count <= per_minute
