"""How an encounter is set up: seats, figures, and what a scene gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...engine import Content, Frame, Game, Id, Seat
from .cards import MorphyryScenario, side_of, start_of
from .flow import Combat, Turn
from .records import AvatarRecord, GroundRecord, Held, TechniqueRecord
from .sheets import Table

PHASES: Final = {1: "restore_pools", 2: "offer_plan_change", 3: "offer_deployment", 4: "advance", 5: "meet_objective"}


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
                hand=tuple(sorted(card.hand if figure.hand is None else figure.hand)),
                artifacts=(
                    *(Held(id) for id in artifacts),
                    *(Held(id, False, table.artifacts[id].ready) for id in figure.carried),
                ),
            )
        )
        for slot in table.slots[figure.avatar]:
            game.put(TechniqueRecord(slot, figure.avatar))
    game.put(GroundRecord("ground", tuple((cell, id) for cell, ids in sorted(table.scenario.lying.items()) for id in ids)))


def setup(game: Game) -> Combat:
    """Puts everything in place; the combat begins with the rolls for the first turn."""
    put_figures(game)
    return Combat(game.table.order)


def arrange(game: Game, given: Mapping[str, Any]) -> tuple[Frame, ...]:
    """Sets up what a scene gives: `turn` (whose), `phase` (1 to 5), `round`, and for each record its fields.

    Without `turn` the encounter begins with its rolls. In place of hand, artifacts and debts stand lists; `card`, `action` and
    `ticks` of the technique in play stand with the avatar.
    """
    put_figures(game)
    turn = given.get("turn")
    game.round = given.get("round", 1)
    for id, fields in given.items():
        if id not in ("turn", "phase", "round"):
            _give(game, id, fields)
    if turn is None:
        return (Combat(game.table.order),)
    order = game.table.order
    combat = Combat(order, place=order.index(turn))
    combat.pc = Combat.NAMES["finish_turn"]
    begun = Turn(turn)
    begun.pc = Turn.NAMES[PHASES[given.get("phase", 1)]]
    return combat, begun


def _give(game: Game, id: Id, fields: Mapping[str, Any]) -> None:
    record = game.edit(id)
    technique = game.edit(f"{id}.1") if f"{id}.1" in game.records else None
    for name, value in fields.items():
        if name == "artifacts":
            record.artifacts = tuple(
                Held(each) if isinstance(each, str) else Held(each["id"], each.get("utilised", True), each.get("readies", 0))
                for each in value
            )
        elif name in ("card", "action", "ticks"):
            setattr(technique, name, value)
        elif name == "states":
            setattr(technique, name, tuple(sorted(value.items())))
        elif name == "lying":
            record.lying = tuple((cell, each) for cell, ids in sorted(value.items()) for each in ids)
        elif isinstance(value, list):
            setattr(record, name, tuple(value))
        else:
            setattr(record, name, value)
            if name in ("corpus", "electra", "spiritum") and f"{name}_pool" not in fields:
                setattr(record, f"{name}_pool", value)
