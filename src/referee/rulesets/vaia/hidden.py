"""What no player knows of the traps, and how it is distributed for them (VAIA-HIDE-3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dice import Stream
from ...engine import Game

if TYPE_CHECKING:
    from .setup import Table


def unentered(game: Game) -> list[str]:
    """The possible tiles that nobody has entered yet."""
    entered = game.records["traps"].entered
    return [tile for tile in game.table.scenario.possible_tiles if tile not in entered]


def possible(game: Game, seat: str, rng: Stream) -> None:
    """VAIA-HIDE-3: the traps left, on any of the possible tiles not yet entered, each placing equally likely."""
    table: Table = game.table
    kinds = game.records["traps"].kinds
    if not table.hidden_traps or not kinds:
        return
    tiles = rng.sample(unentered(game), len(kinds))
    game.edit("traps").placed = tuple(sorted(zip(tiles, kinds, strict=True)))
