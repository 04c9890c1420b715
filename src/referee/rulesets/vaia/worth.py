"""How good a position looks to a seat: the judgement of greedy bots, no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine import Game

if TYPE_CHECKING:
    pass


def worth(game: Game, seat: str) -> int:
    """A number that grows as the seat's side fares better; 100,000 for a victory."""
    return 0
