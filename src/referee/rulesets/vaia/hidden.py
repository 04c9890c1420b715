"""What no player knows: traps, and how they are distributed for them (VAIA-HIDE-3); characters in hiding (VAIA-HIDE-6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ...dice import Stream
from ...engine import Game, Hiding, Id, Secret, in_hiding
from .records import CharacterRecord

if TYPE_CHECKING:
    from .setup import Table


# Traps


def doubtful(game: Game) -> list[str]:
    """The possible tiles that nobody has entered yet and of which not all know what lies there."""
    traps = game.records["traps"]
    known = [tile for tile, _ in traps.known]
    return [tile for tile in game.table.scenario.possible_tiles if tile not in traps.entered and tile not in known]


def unknown_kinds(game: Game) -> tuple[Id, ...]:
    """The kinds of the traps left of which not all know where they lie."""
    traps = game.records["traps"]
    kinds = list(traps.kinds)
    for _, trap in traps.known:
        kinds.remove(trap)
    return tuple(kinds)


def possible(game: Game, seat: str, rng: Stream) -> None:
    """VAIA-HIDE-3: the traps left, on any of the possible tiles not yet entered, each placing equally likely."""
    table: Table = game.table
    kinds = unknown_kinds(game)
    if not table.hidden_traps or not kinds:
        return
    tiles = rng.sample(doubtful(game), len(kinds))
    game.edit("traps").placed = tuple(sorted((*game.records["traps"].known, *zip(tiles, kinds, strict=True))))


def secrets(game: Game) -> Iterator[Secret]:
    """The traps, which a GM may point out to all players or have forgotten again (VAIA-HIDE-5)."""
    table: Table = game.table
    if not table.hidden_traps or game.result is not None:
        return
    traps = game.records["traps"]
    for tile, trap in traps.placed:
        known = (tile, trap) in traps.known
        left = tuple(each for each in traps.known if each[0] != tile)
        value = left if known else tuple(sorted((*left, (tile, trap))))
        yield Secret(f"trap.{tile}", f"Tile {tile}", trap.replace("_", " "), "all players", known, "traps", "known", value)


def invariants(game: Game) -> Iterator[str]:
    """What is wrong with a state that can never be: two on one tile, traps that all know and that are not there."""
    table: Table = game.table
    records = game.records
    tiles = [records[who].at for who in table.figures if not records[who].out]
    tiles += [records[who].at for who in in_hiding(game, table.figures)]
    if len(set(tiles)) < len(tiles):
        yield "two characters fill one tile"
    strange = [tile for tile, trap in records["traps"].known if (tile, trap) not in records["traps"].placed]
    if strange:
        yield f"all know a trap on {strange[0]} that does not lie there"


# Characters in hiding


def _refuses(game: Game, who: Id) -> Iterator[str]:
    table: Table = game.table
    if not game.records[who].standing:
        yield f"{who} is Vulnerable"
    elif not any(game.records[each].standing for each in table.sides[table.side[who]] if each != who):
        yield f"{who} is the only one of its side in sight who stands; somebody must"


def _returns(game: Game, who: Id) -> None:
    """VAIA-HIDE-6: who has no place in the order is put last, with a phase to come in this round."""
    order = game.records["order"].who
    if not order or who in order:
        return
    game.edit("order").who = (*order, who)
    course: Any = game.agenda[0]
    if course.pc == course.NAMES["next_phase"]:
        course = game.edit_frame(0)
        course.left = (*course.left, who)


HIDING: Final = Hiding(
    kind=CharacterRecord, course=("Skirmish",), rules=("VAIA-HIDE-6",), refuses=_refuses, returns=_returns
)  # fmt: skip


def hiding_on(game: Game, tile: str) -> Id | None:
    """Who hides on a tile (VAIA-HIDE-7)."""
    return next((who for who in in_hiding(game, game.table.figures) if game.records[who].at == tile), None)
