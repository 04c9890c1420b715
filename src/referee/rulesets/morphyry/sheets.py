"""What never changes in an encounter: sheets made of the cards, the board, offers made once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...engine import Content, Grid, Id, Line, Offer
from .cards import Action, Artifact, Avatar, MorphyryScenario, Square, Technique, calls_of, falls, side_of


class Board(NamedTuple):
    """What can modify derived attributes: artifacts by id, squares by the cells they lie on."""

    artifacts: Mapping[Id, Artifact]
    squares: Mapping[str, Square]


class Derived:
    """A derived attribute as a check calls for it, with the lines of modifiers that touch it.

    `artifacts` has for each artifact its lines as (state they ask for, amount, rule), `squares` for each cell its line.
    """

    __slots__ = ("artifacts", "names", "squares")

    def __init__(self, board: Board, name: str, tags: tuple[str, ...]) -> None:
        self.names = frozenset((name, *tags))
        self.artifacts: dict[Id, tuple[tuple[str, int, str], ...]] = {}
        self.squares: dict[str, Line] = {}
        for id, card in board.artifacts.items():
            lines = [("", card.mod), *sorted(card.while_state.items())]
            found = [
                (state, amount, "MOR-MOD-7" if matches > 1 else card.rule or "MOR-MOD-2")
                for state, line in lines
                for amount, matches in [self._matching(line)]
                if matches
            ]
            if found:
                self.artifacts[id] = tuple(found)
        for cell, square in board.squares.items():
            amount, matches = self._matching(square.mod)
            if matches:
                self.squares[cell] = amount, square.id, "MOR-MOD-7" if matches > 1 else square.rule or "MOR-MOD-5"

    def _matching(self, line: Mapping[str, int]) -> tuple[int, int]:
        """MOR-MOD-7: a line counts once, however many of its entries match; the strongest of them."""
        found = [amount for name, amount in line.items() if name in self.names]
        return (max(found, key=lambda amount: (abs(amount), amount)) if found else 0), len(found)

    def takes(self, applies: tuple[str, ...]) -> bool:
        """Whether a modifier that applies to these names touches it."""
        return any(name in self.names for name in applies)


class CallSheet(NamedTuple):
    """One call of an action: its name, the paying attribute and its pool, printed points and multiplier."""

    name: str
    of: str
    pool: str
    printed: int
    x: int
    derived: Derived


class ActionSheet:
    """An action as the rules read it while they run."""

    __slots__ = (
        "attack", "calls", "card", "effect", "hardened", "inertia", "name", "needs", "reach", "state", "tags", "ticks",
    )  # fmt: skip

    def __init__(self, action: Action, jumping: int, board: Board) -> None:
        self.card = action
        self.name = action.name
        self.tags = action.tags
        self.ticks = action.ticks
        self.inertia = action.inertia
        self.needs = action.needs
        self.reach = action.reach
        self.effect = action.effect
        self.attack = "attack" in action.tags
        # MOR-STATE-7: which actions the states make harder.
        self.hardened = any(tag in ("attack", "acrobatic_manoeuvre", "martial_manoeuvre", "counter") for tag in action.tags)
        # MOR-STATE-3: the policy replaces the standard addition of 2.
        self.state = tuple(
            (name, amount + jumping - 2 if name == "jumping" else amount) for name, amount in sorted(action.state.items())
        )
        self.calls = tuple(
            CallSheet(call.name, call.of, f"{call.of}_pool", call.call, call.x, Derived(board, call.name, action.tags))
            for call in calls_of(action)
        )


class TechniqueSheet:
    """A technique as the rules read it while they run."""

    __slots__ = ("actions", "card", "consequences", "id")

    def __init__(self, technique: Technique, jumping: int, board: Board) -> None:
        self.id = technique.id
        self.card = technique
        self.actions = tuple(ActionSheet(action, jumping, board) for action in technique.actions)
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
        self.artifacts: Mapping[Id, Artifact] = cards["artifacts"]
        self.avatars: Mapping[Id, Avatar] = cards["avatars"]
        self.grid = Grid(len(scenario.board[0]), len(scenario.board))
        self.squares: dict[str, Square] = {
            cell: cards["squares"][scenario.board[place // self.grid.columns][place % self.grid.columns]]
            for place, cell in enumerate(self.grid.cells)
        }
        board = Board(self.artifacts, self.squares)
        self.techniques = {id: TechniqueSheet(card, jumping, board) for id, card in cards["techniques"].items()}
        self.speed = Derived(board, "speed", ())
        self.stride = Derived(board, "stride", ("standard_movement",))
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
        # Numbers of checks, each for the facts that it depends on (see checks.py).
        self.known: dict[tuple[Any, ...], Any] = {}
        self._deployments: dict[tuple[Id, ...], list[Offer]] = {}
        self._steps: dict[tuple[str, tuple[str, ...]], list[Offer]] = {}
        self.move_offers = {cell: Offer(("move", cell), "move", cell, rules=("MOR-MAP-1",)) for cell in cells}
        self.target_offers = {who: Offer(("target", who), "target", target=who, rules=("MOR-ATK-1",)) for who in self.order}
        self.deploy_offers = {id: Offer(("deploy", id), "deploy", rules=("MOR-TURN-5",)) for id in self.techniques}
        self.utilise_offers = {id: Offer(("utilise", id), "utilise", rules=("MOR-TURN-5",)) for id in self.artifacts}
        self.ready_offers = {id: Offer(("ready", id), "basic", cost=speed, rules=("MOR-BASIC-4",)) for id in self.artifacts}
        self.pick_up_offers = {id: Offer(("pick_up", id), "basic", cost=speed, rules=("MOR-BASIC-6",)) for id in self.artifacts}
        self.invoke_offers = tuple(
            Offer(("invoke", points), "invoke", cost=((points, "electra"),), rules=("MOR-ADV-2", "MOR-ADV-3", "MOR-TURN-6"))
            for points in range(13)
        )
        self.tick_offers = tuple(
            Offer(("tick", number + 1), "tick", cost=((1, "speed"),), rules=("MOR-ADV-5", "MOR-ADV-1")) for number in range(2)
        )

    def deployments(self, hand: tuple[Id, ...]) -> list[Offer]:
        """The cards of a hand as offers to deploy them; made once for each hand."""
        found = self._deployments.get(hand)
        if found is None:
            found = self._deployments[hand] = [self.deploy_offers[card] for card in hand]
        return found

    def steps_to(self, cell: str, taken: tuple[str, ...]) -> list[Offer]:
        """Steps from a square to those beside it that are not taken; made once for each state of the board."""
        found = self._steps.get((cell, taken))
        if found is None:
            found = [self.step_offers[each] for each in self.grid.neighbours(cell) if each not in taken]
            self._steps[cell, taken] = found
        return found
