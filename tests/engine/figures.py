"""The figures of the made-up skirmish: their records, and the pure rules about them."""

from collections.abc import Iterator
from typing import Annotated, Any

from referee.engine import Effect, Grid, Hidden, Id, Line, Reason, Record

GRID = Grid(4, 3)
KINDS = ("parry", "feint", "brace", "bluff")
FIGURES = ("ada", "axel", "bo", "cy")


def near(game: Any, record: Any, seat: str) -> bool:
    return any(GRID.distance(record.at, game.records[each].at) <= 1 for each in game.seats[seat].figures)


class Figure(Record):
    at: str
    hp: int = 6
    down: bool = False
    scared: bool = False
    fled: bool = False
    hand: Annotated[tuple[str, ...], Hidden("owner", shown=len)] = ()
    plan: Annotated[str, Hidden("side")] = ""
    doom: Annotated[int, Hidden("gm")] = 0
    trap: Annotated[str, Hidden(near)] = ""
    effects: tuple[Effect, ...] = ()
    out: str = ""


class Pot(Record):
    gold: int = 0


def standing(game: Any) -> list[Id]:
    return [id for id in FIGURES if not (game.records[id].down or game.records[id].fled or game.records[id].out)]


def seats_standing(game: Any) -> list[str]:
    return list(dict.fromkeys(game.seat_of[id] for id in standing(game)))


def armour(game: Any, who: Id, against: str = "strike") -> Iterator[Line]:
    yield (1, "leather", "SK-1") if who == "bo" else (0, "nothing", "SK-1")
    for effect in game.records[who].effects:
        if effect.name == "braced" and against in effect.applies:
            yield effect.amount, effect.source, "SK-5"


def against_strike(game: Any, who: Id, target: Id) -> Iterator[Reason]:
    if GRID.distance(game.records[who].at, game.records[target].at) > 1:
        yield Reason("too far", (target,), ("SK-2",))
    if game.seats[game.seat_of[who]].side == game.seats[game.seat_of[target]].side:
        yield Reason("friend", (target,), ("SK-3",))
