"""The records: figures with all that changes about them, what each side knows, terrain."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from ...engine import Effect, Hidden, Id, Record


def of_own_side(game: Any, record: Any, seat: str) -> bool:
    """Known to the seats of the figure's side (HIDE)."""
    return bool(game.seats[seat].role == "player" and game.seats[seat].side == game.table.side[record.id])


def knows_taint(game: Any, record: FigureRecord, seat: str) -> bool:
    """L5R-HIDE-5: its own side, who was told, and everybody where the scenario marks it as no possible one."""
    if record.id not in game.table.maybe_tainted:
        return True
    facts = game.seats[seat]
    if facts.role != "player":
        return False
    return bool(facts.side == game.table.side[record.id] or record.id in game.records[f"side.{facts.side}"].taints)


def knows_terrain(game: Any, record: TerrainRecord, seat: str) -> bool:
    """L5R-HIDE-7: open unless undiscovered; then known to the sides that have discovered it."""
    if not record.undiscovered:
        return True
    facts = game.seats[seat]
    return facts.role == "player" and record.at in game.records[f"side.{facts.side}"].terrain


def plays(game: Any, record: SideRecord, seat: str) -> bool:
    """Known to those who play, of either side."""
    return bool(game.seats[seat].role == "player")


class Item(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A weapon or armour with a figure: stowed, readied in a grip ("1h", "2h"), worn or dropped; damaged or destroyed."""

    card: Id
    state: str = "stowed"
    harm: str = ""
    durable_lost: bool = False


class FigureRecord(Record):
    """A figure in the scene. `strife` is what all see of it; `stain` counts besides if the figure is Tainted (HIDE-6)."""

    at: int = 0
    strife: int = 0
    stain: int = 0
    fatigue: int = 0
    void: int = 0
    honour: int = 0
    glory: int = 0
    stance: str = ""
    initiative: int = 0
    bid: int = 0
    compromised: bool = False
    unmasked: bool = False
    begun: bool = False
    surprised: bool = False
    out: str = ""  # dead | defeated | yielded | away | hidden
    conditions: tuple[str, ...] = ()
    dying: int = 0
    burning: int = 0
    endurance_lost: int = 0
    scars: tuple[str, ...] = ()
    traits: Annotated[tuple[str, ...], Hidden(of_own_side)] = ()
    tainted: Annotated[bool, Hidden(knows_taint)] = False
    items: tuple[Item, ...] = ()
    reserve: tuple[tuple[str, str], ...] = ()
    effects: tuple[Effect, ...] = ()
    once: tuple[str, ...] = ()
    once_a_round: tuple[str, ...] = ()
    predict: Annotated[str, Hidden(of_own_side, shown=bool)] = ""
    wait: tuple[str, ...] = ()
    assisting: tuple[str, ...] = ()
    guarding: str = ""
    clash: Id = ""
    clash_round: int = 0
    challenger: bool = False
    struck_for: tuple[str, ...] = ()
    inflicted: int = -1  # the highest final severity of a critical it has inflicted on its foe
    inflicted_dying: bool = False
    inflicted_first: bool = False
    fatigue_inflicted: int = 0
    cheated: bool = False
    rulings: tuple[tuple[str, ...], ...] = ()
    late: bool = False  # came out of hiding without initiative


class SideRecord(Record):
    """What a side knows: (figure, trait), who is Tainted, where terrain is discovered."""

    side: str
    traits: Annotated[tuple[tuple[str, str], ...], Hidden(plays)] = ()
    taints: Annotated[tuple[Id, ...], Hidden(plays)] = ()
    terrain: tuple[int, ...] = ()


class TerrainRecord(Record):
    """A piece of terrain on a position of the track."""

    at: int
    undiscovered: bool = False
    qualities: Annotated[tuple[str, ...], Hidden(knows_terrain)] = ()
    hallowed: str = ""
    imbalanced: str = ""


RECORDS: tuple[type[Any], ...] = (FigureRecord, SideRecord, TerrainRecord)
