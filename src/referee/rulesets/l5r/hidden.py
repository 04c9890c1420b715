"""What a seat cannot know, and how it is distributed for it (section 18)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...dice import Stream
from ...engine import Game, Secret
from .naming import name, thing

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
            if table.side[who] == side:
                continue
            for trait in game.records[who].traits:
                yield told("traits", (who, trait), name(who), thing(trait))
            if who in table.maybe_tainted:
                yield told("taints", who, name(who), "Tainted" if game.records[who].tainted else "not Tainted")
        for at, id in sorted(table.terrain.items()):
            piece = game.records[id]
            if piece.undiscovered:
                yield told("terrain", at, f"Position {at}", ", ".join(piece.qualities))
