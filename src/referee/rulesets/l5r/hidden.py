"""What a seat cannot know, and how it is distributed for it (section 18)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ...dice import Stream
from ...engine import Game, Hiding, Id, Secret, come_out, in_hiding
from .facts import standing
from .naming import name, thing
from .records import FigureRecord

if TYPE_CHECKING:
    from .setup import Table


def possible(game: Game, seat: str, rng: Stream) -> None:
    """Draws Predict's ring, who is Tainted, traits and undiscovered terrain as a seat may imagine them."""
    table: Table = game.table
    facts = game.seats[seat]
    known: Any = game.records.get(f"side.{facts.side}") if facts.role == "player" else None
    for who in table.order:
        own = facts.role == "player" and table.side[who] == facts.side
        record = game.records[who]
        if own:
            continue
        if record.predict:
            # L5R-HIDE-4: equally likely any of the four.
            game.edit(who).predict = ("air", "earth", "fire", "water")[rng.below(4)]
        if who in table.maybe_tainted and (known is None or who not in known.taints):
            # L5R-HIDE-5: Tainted or not with equal chance.
            game.edit(who).tainted = rng.below(2) == 1
        _imagine_traits(game, who, known, rng)
    for at, id in sorted(table.terrain.items()):
        piece = game.records[id]
        if piece.undiscovered and (known is None or at not in known.terrain):
            # L5R-HIDE-7: one of the possible qualities, equally likely.
            qualities = table.possible_terrain[at]
            game.edit(id).qualities = (qualities[rng.below(len(qualities))],)
    if known is None:
        for side in table.sides:
            record = game.records[f"side.{side}"]
            if record.traits or record.taints:
                game.edit(record.id).traits = ()
                game.edit(record.id).taints = ()


def certain(game: Game, seat: str) -> bool:
    """Whether the game is the only one that a player's seat could imagine."""
    table: Table = game.table
    side = game.seats[seat].side
    if game.seats[seat].role != "player" or table.maybe_tainted or table.terrain:
        return False
    known = game.records[f"side.{side}"].traits
    maybe = table.scenario.possible_traits
    for who in table.order:
        if table.side[who] == side:
            continue
        record = game.records[who]
        if record.predict or who in maybe:
            return False
        if (known or record.traits) and record.traits != tuple(sorted([trait for name, trait in known if name == who])):
            return False
    return True


def _imagine_traits(game: Game, who: str, known: Any, rng: Stream) -> None:
    """L5R-HIDE-3: what is known, and any set of what the scenario lists as possible."""
    table: Table = game.table
    told = [trait for name, trait in known.traits if name == who] if known is not None else []
    maybe = [trait for trait in table.scenario.possible_traits.get(who, ()) if trait not in told]
    drawn = [trait for trait in maybe if rng.below(2)]
    traits = tuple(sorted((*told, *drawn)))
    if game.records[who].traits != traits:
        game.edit(who).traits = traits


def secrets(game: Game) -> Iterator[Secret]:
    """What a side may be told of the others by a ruling: traits, who is Tainted, terrain (L5R-HIDE-3, HIDE-5, HIDE-7)."""
    table: Table = game.table
    if game.result is not None:
        return
    for side in table.sides:
        record = game.records[f"side.{side}"]

        def told(field: str, item: Any, about: str, what: str, of: Any = record, to: str = side) -> Secret:
            have = getattr(of, field)
            known = item in have
            value = tuple(each for each in have if each != item) if known else tuple(sorted((*have, item)))
            return Secret(f"{to}.{field}.{item}", about, what, name(to), known, of.id, field, value)

        for who in table.order:
            if table.side[who] == side or who in game.unseen:
                continue
            for trait in game.records[who].traits:
                yield told("traits", (who, trait), name(who), thing(trait))
            if who in table.maybe_tainted:
                yield told("taints", who, name(who), "Tainted" if game.records[who].tainted else "not Tainted")
        for at, id in sorted(table.terrain.items()):
            piece = game.records[id]
            if piece.undiscovered:
                yield told("terrain", at, f"Position {at}", ", ".join(piece.qualities))


# Figures in hiding


def _refuses(game: Game, who: Id) -> Iterator[str]:
    table: Table = game.table
    if table.duel:
        yield "in a duel both stand before one another (L5R-HIDE-8)"
    elif game.records[who].clash:
        yield f"{who} is in a clash"
    elif not standing(game, who):
        yield f"{who} does not stand any more"
    elif not any(standing(game, each) for each in table.sides[table.side[who]] if each != who):
        yield f"{who} is the only one of its side in sight who stands; somebody must"


def _returns(game: Game, who: Id) -> None:
    """L5R-HIDE-8: initiative is rolled for who has none yet as for one who arrives late."""
    if not game.records[who].initiative:
        game.edit(who).late = True


HIDING: Final = Hiding(
    kind=FigureRecord, course=("Skirmish",), rules=("L5R-HIDE-8",), refuses=_refuses, returns=_returns
)  # fmt: skip


def find_foes(game: Game, who: Id, low: int, high: int) -> None:
    """L5R-HIDE-9: the foes that hide at so many range bands from a figure are found."""
    at = game.records[who].at
    for other in in_hiding(game, game.table.foes[who]):
        if low <= min(6, abs(at - game.records[other].at)) <= high:
            come_out(game, other, "found", ("L5R-HIDE-9",))
