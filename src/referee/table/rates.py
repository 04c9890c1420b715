"""How often one place may ask for something costly. A place is an address; this machine itself is never limited."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

PER_MINUTE: Final[Mapping[str, int]] = {
    "open": 30,  # new tables
    "upload": 20,  # files that are read: transcripts, characters
    "act": 600,  # answers and all else that is done at a table; people at one table may share an address
    "wrong": 30,  # links, cookies and tokens that are no good; then good ones are not tried either
}
_PLACES: Final = 10_000
_NETWORK: Final = 64  # the bits of an IPv6 address that one subscriber is given


class Rates:
    """Counts in whole minutes; forgets the places that asked longest ago."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, limits: Mapping[str, int] = PER_MINUTE) -> None:
        self._clock = clock
        self._limits = limits
        self._counts: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()

    def allows(self, address: str, what: str) -> bool:
        """Counts something that is asked for; whether it is not too often."""
        place = place_of(address)
        if not place:
            return True
        minute, count = self._counted(place, what)
        self._counts[place, what] = minute, count + 1
        self._counts.move_to_end((place, what))
        if len(self._counts) > _PLACES:
            self._counts.popitem(last=False)
        return count < self._limits[what]

    def spent(self, address: str, what: str) -> bool:
        """Whether all that a place may ask for in this minute is used up; counts nothing."""
        place = place_of(address)
        return bool(place) and self._counted(place, what)[1] >= self._limits[what]

    def _counted(self, place: str, what: str) -> tuple[int, int]:
        minute = int(self._clock() // 60)
        before, count = self._counts.get((place, what), (minute, 0))
        return minute, count if before == minute else 0


@lru_cache(1024)
def place_of(address: str) -> str:
    """What is counted together: an address, for IPv6 its network; empty for this machine itself."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address or "?"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return "" if found.is_loopback else str(ipaddress.ip_network((found, _NETWORK), strict=False))
        found = found.ipv4_mapped
    return "" if found.is_loopback else str(found)
