"""A figure as it is printed: what was measured, what is asked of it, what the cores did meanwhile."""

from __future__ import annotations

from typing import NamedTuple

from .machine import Load


class Row(NamedTuple):
    """One figure. `asked` is empty where nothing is asked; loads are per cent of one core, below 0 where not measured."""

    what: str
    measured: float
    unit: str
    asked: str = ""
    server: float = -1
    others: float = -1

    def __str__(self) -> str:
        measured = f"{self.measured:,.{2 if 0 < abs(self.measured) < 10 and self.measured % 1 else 0}f} {self.unit}".strip()
        shares = "".join(f"{each:>7.0f}%" if each >= 0 else f"{'':>8}" for each in (self.server, self.others))
        return f"{self.what:<44}{measured:>12}  {self.asked:<12}{shares}"

    def under(self, load: Load) -> Row:
        """The same with the shares of the cores."""
        return self._replace(server=load.servers, others=load.others)
