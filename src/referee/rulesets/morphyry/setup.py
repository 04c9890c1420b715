"""How an encounter is set up: seats, figures, and what a scene gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...engine import HIDDEN, Content, Frame, Game, Id, RefereeError, Seat
from .cards import MorphyryScenario, side_of, start_of
from .flow import Combat, Turn
from .records import AvatarRecord, GroundRecord, Held, TechniqueRecord
from .sheets import Table

PHASES: Final = {1: "begin", 2: "offer_plan_change", 3: "offer_deployment", 4: "begin_advance", 5: "meet_objective"}


def seats(content: Content) -> tuple[Seat, ...]:
    """A seat for each avatar, a GM and a spectator."""
    scenario: MorphyryScenario = content.scenario
    players = (Seat(figure.avatar, side_of(scenario, place), (figure.avatar,)) for place, figure in enumerate(scenario.figures))
    return (*players, Seat("gm", role="gm"), Seat("spectator", role="spectator"))


def put_figures(game: Game) -> None:
    """Seats the avatars with their cards, and lays out what lies on the board."""
    table: Table = game.table
    for place, figure in enumerate(table.scenario.figures):
        card = table.avatars[figure.avatar]
        artifacts = card.artifacts if figure.artifacts is None else figure.artifacts
        game.put(
            AvatarRecord(
                figure.avatar,
                start_of(table.scenario, place),
                *(card.corpus, card.electra, card.spiritum),
                *(card.corpus, card.electra, card.spiritum),
                out=HIDDEN if figure.hidden else "",
                hand=tuple(sorted(card.hand if figure.hand is None else figure.hand)),
                artifacts=(
                    *(Held(id) for id in artifacts),
                    *(Held(id, False, table.artifacts[id].ready) for id in figure.carried),
                ),
            )
        )
        for slot in table.slots[figure.avatar]:
            game.put(TechniqueRecord(slot, figure.avatar))
    game.put(GroundRecord("ground", tuple(sorted((cell, id) for cell, ids in table.scenario.lying.items() for id in ids))))


def setup(game: Game) -> Combat:
    """Puts everything in place; the combat begins with the rolls for the first turn."""
    put_figures(game)
    return Combat(game.table.order)


def arrange(game: Game, given: Mapping[str, Any]) -> tuple[Frame, ...]:
    """Sets up what a scene gives; its keys are in this folder's README. RefereeError for what cannot be set up.

    Without `turn` the encounter begins with its rolls for the first turn.
    """
    put_figures(game)
    for id, fields in given.items():
        if id not in ("turn", "phase", "round"):
            _give(game, id, fields)
    for who in game.table.order:
        record = game.edit(who)
        shown = {*record.aside, *(game.records[slot].card for slot in game.table.slots[who])} - {""}
        record.seen = tuple(sorted({*record.seen, *shown}))
        record.hand = tuple(card for card in record.hand if card not in shown)
    turn, phase, number = given.get("turn"), given.get("phase", 1), given.get("round", 1)
    if turn is None:
        game.round = number - 1
        return (Combat(game.table.order),)
    if turn not in game.table.order or phase not in PHASES:
        raise RefereeError(f"the turn of {turn!r}, phase {phase!r}: the avatars are {', '.join(game.table.order)}, phases 1 to 5")
    game.round = number
    order: tuple[Id, ...] = game.table.order
    combat = Combat(order, place=order.index(turn) + 1)
    combat.pc = Combat.NAMES["take_turn" if combat.place < len(order) else "end_round"]
    begun = Turn(turn)
    begun.pc = Turn.NAMES[PHASES[phase]]
    return combat, begun


def _give(game: Game, id: Id, fields: Mapping[str, Any]) -> None:
    if id not in game.records:
        raise RefereeError(f"there is no record {id!r}; there are {', '.join(game.records)}, turn, phase and round")
    record = game.edit(id)
    technique = game.edit(game.table.slots[id][0]) if id in game.table.slots else record
    for name, value in fields.items():
        bearer = technique if name in ("card", "action", "ticks", "states") else record
        if name not in bearer.__struct_fields__:
            raise RefereeError(f"{id} has no {name!r}; it has {', '.join(bearer.__struct_fields__[1:])}")
        setattr(bearer, name, _given_value(game, name, value))
        if name in ("corpus", "electra", "spiritum") and f"{name}_pool" not in fields:
            setattr(record, f"{name}_pool", value)


def _given_value(game: Game, name: str, value: Any) -> Any:
    if name == "artifacts":
        return tuple(Held(each) if isinstance(each, str) else Held(**each) for each in value)
    if name == "states":
        return tuple(sorted(value.items()))
    if name == "lying":
        return tuple(sorted((cell, each) for cell, ids in value.items() for each in ids))
    if name == "hand":
        return tuple(sorted(value))
    return tuple(value) if isinstance(value, list) else value
