"""What never changes in an encounter (sheets, board), and how one is set up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...engine import Content, Frame, Game, Grid, Id, Offer, Seat
from .cards import Action, Artifact, Avatar, MorphyryScenario, Square, Technique, calls_of, falls, side_of, start_of
from .flow import Combat, Turn
from .records import AvatarRecord, GroundRecord, Held, TechniqueRecord

PHASES: Final = {1: "restore_pools", 2: "offer_plan_change", 3: "offer_deployment", 4: "advance", 5: "meet_objective"}


class ActionSheet:
    """An action as the rules read it while they run."""

    __slots__ = (
        "attack", "calls", "card", "counter", "effect", "hardened", "inertia", "jump", "name", "names", "needs", "reach",
        "state", "tags", "ticks",
    )  # fmt: skip

    def __init__(self, action: Action, jumping: int) -> None:
        self.card = action
        self.name = action.name
        self.tags = action.tags
        self.ticks = action.ticks
        self.inertia = action.inertia
        self.needs = action.needs
        self.reach = action.reach
        self.effect = action.effect
        self.attack = "attack" in action.tags
        self.counter = "counter" in action.tags
        self.jump = "jump" in action.tags
        # MOR-STATE-7: which actions the states make harder.
        self.hardened = any(tag in ("attack", "acrobatic_manoeuvre", "martial_manoeuvre", "counter") for tag in action.tags)
        # MOR-STATE-3: the policy replaces the standard addition of 2.
        self.state = tuple(
            (name, amount + jumping - 2 if name == "jumping" else amount) for name, amount in sorted(action.state.items())
        )
        self.calls = tuple((call.name, call.of, f"{call.of}_pool", call.call, call.x) for call in calls_of(action))
        self.names = tuple(call[0] for call in self.calls)


class TechniqueSheet:
    """A technique as the rules read it while they run."""

    __slots__ = ("actions", "card", "consequences", "id")

    def __init__(self, technique: Technique, jumping: int) -> None:
        self.id = technique.id
        self.card = technique
        self.actions = tuple(ActionSheet(action, jumping) for action in technique.actions)
        # MOR-FAIL-6: a jump always brings the Fall.
        fall = ("fall",) if falls(technique) or "fall" in technique.fail else ()
        self.consequences = (*fall, *(each for each in technique.fail if each != "fall"))


class Table:
    """Everything about an encounter that never changes: board, sheets, and offers made once."""

    def __init__(self, content: Content) -> None:
        scenario: MorphyryScenario = content.scenario
        cards = content.cards
        jumping = content.policy("jumping_addition")
        self.scenario = scenario
        self.techniques = {id: TechniqueSheet(card, jumping) for id, card in cards["techniques"].items()}
        self.artifacts: Mapping[Id, Artifact] = cards["artifacts"]
        self.avatars: Mapping[Id, Avatar] = cards["avatars"]
        self.grid = Grid(len(scenario.board[0]), len(scenario.board))
        self.squares: dict[str, Square] = {
            cell: cards["squares"][scenario.board[place // self.grid.columns][place % self.grid.columns]]
            for place, cell in enumerate(self.grid.cells)
        }
        self.order: tuple[Id, ...] = tuple(figure.avatar for figure in scenario.figures)
        self.side: dict[Id, str] = {figure.avatar: side_of(scenario, place) for place, figure in enumerate(scenario.figures)}
        self.slots: dict[Id, tuple[Id, ...]] = {
            who: tuple(f"{who}.{number + 1}" for number in range(content.policy("max_techniques"))) for who in self.order
        }
        self.pool: tuple[Id, ...] = tuple(sorted(scenario.pool or self.techniques))
        self.goal = tuple(
            cell for cell, square in self.squares.items() if scenario.objective and square.id == scenario.objective.hold
        )
        speed = ((1, "speed"),)
        cells = self.grid.cells
        self.step_offers = {
            cell: Offer(("step", cell), "basic", cell, cost=speed, rules=("MOR-BASIC-3", "MOR-MAP-1")) for cell in cells
        }
        self.move_offers = {cell: Offer(("move", cell), "move", cell, rules=("MOR-MAP-1",)) for cell in cells}
        self.target_offers = {who: Offer(("target", who), "target", target=who, rules=("MOR-ATK-1",)) for who in self.order}
        self.deploy_offers = {id: Offer(("deploy", id), "deploy", rules=("MOR-TURN-5",)) for id in self.techniques}
        self.utilise_offers = {id: Offer(("utilise", id), "utilise", rules=("MOR-TURN-5",)) for id in self.artifacts}
        self.ready_offers = {id: Offer(("ready", id), "basic", cost=speed, rules=("MOR-BASIC-4",)) for id in self.artifacts}
        self.pick_up_offers = {id: Offer(("pick_up", id), "basic", cost=speed, rules=("MOR-BASIC-6",)) for id in self.artifacts}
        self.invoke_offers = tuple(
            Offer(("invoke", points), "invoke", cost=((points, "electra"),), rules=("MOR-ADV-2", "MOR-ADV-3"))
            for points in range(13)
        )
        self.tick_offers = tuple(
            Offer(("tick", number + 1), "tick", cost=((1, "speed"),), rules=("MOR-ADV-5",)) for number in range(2)
        )


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
