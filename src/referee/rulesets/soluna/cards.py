"""What may stand on Sol'una's cards and in its scenarios. The cards themselves are in `cards/*.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from ...engine import Card, Content, Grid, Id, Problem, Ref, Scenario

Rule = Annotated[str, Meta(pattern=r"^SOL-[A-Z]+-\d+$", description="the rule that it is under")]
MOST_ACCURACY: Final = 6


class Model(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A model: its Mind, Speed Points and Combat Points of a Turn, Body, Guard, weapons."""

    mind: Annotated[int, Meta(ge=1, le=10, description="Mind, 1 to 10")]
    speed: Annotated[int, Meta(ge=0, le=12, description="Speed Points of a Turn")]
    combat: Annotated[int, Meta(ge=0, le=10, description="Combat Points of a Turn")]
    body: Annotated[int, Meta(ge=1, le=30, description="Body, 1 to 30")]
    guard: Annotated[int, Meta(ge=1, le=6, description="like faces that hit it, 1 to 6")] = 2
    weapons: Annotated[tuple[Annotated[str, Ref("weapons")], ...], Meta(min_length=1)] = ("fists",)


class Weapon(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon. `accuracy` is its dice; what is always ready need not be got out."""

    accuracy: Annotated[int, Meta(ge=1, le=MOST_ACCURACY, description="dice, 1 to 6")]
    damage: Annotated[int, Meta(ge=0, le=10, description="Body lost by a hit")]
    range: Annotated[int, Meta(ge=0, le=20, description="how far it reaches, in squares")]
    always_ready: bool = False


class Interaction(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An interaction: its need is its band, from 0 (Thoughtless) to 5 (Impossible)."""

    need: Annotated[int, Meta(ge=0, le=10, description="like faces that succeed")]
    rule: Rule = "SOL-INT-3"


class Contest(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A contested interaction for a prize.

    Between everybody near: the caller and all opposing models within one square of the thing `at`. Between caller and
    holder: the caller, and the opposing model beside it that holds the prize.
    """

    between: Literal["everybody near", "caller and holder"]
    at: str = ""
    rule: Rule = "SOL-CONT-6"


class Risk(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Risk: its need, to which the squares of the move or the increase of accuracy may be added, and its limits."""

    need: Annotated[int, Meta(ge=0, le=10)] = 0
    adds: Literal["", "squares", "increase"] = ""
    per_phase: Annotated[int, Meta(ge=0, le=10, description="how often in a phase; 0: as often as one likes")] = 0
    most: Literal["", "base accuracy"] = ""
    rule: Rule = "SOL-RISK-3"


class Placed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A model seated in a scenario; `name` sets a second one of its kind apart, `at` overrides the scenario's starts."""

    model: Annotated[str, Ref("models")]
    name: Annotated[str, Meta(pattern=r"^([a-z][a-z0-9_]*)?$")] = ""
    at: str = ""

    @property
    def id(self) -> Id:
        """What it is called at the table."""
        return self.name or self.model


class Side(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side, which is one seat: one to three models in seat order. Without a name it is called as its first model."""

    models: Annotated[tuple[Placed, ...], Meta(min_length=1, max_length=3)]
    name: Annotated[str, Meta(pattern=r"^([a-z][a-z0-9_]*)?$")] = ""

    @property
    def id(self) -> str:
        """What it is called at the table."""
        return self.name or self.models[0].id


class Thing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something on the board: a place, an object to interact with, a door that is shut, an Artifact.

    `interaction` is what opens the door or is done with the object; `for` is the only side that may do it and pass the
    door; an Artifact that is the `prize` of a contest lies nowhere before it is won.
    """

    id: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]
    kind: Literal["place", "object", "door", "artifact"] = "object"
    at: str = ""
    interaction: Annotated[str, Ref("interactions", also=("",))] = ""
    side: Annotated[str, Meta(description="the only side that it is for")] = msgspec.field(default="", name="for")
    prize: Annotated[str, Ref("contests", also=("",))] = ""


class Objective(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What wins at the end of a phase: a model that holds the Artifact `carry` on the square `to`, or a model of `side` on
    the square `reach`. At the limit the holder wins, or `side` if it has opened the door `unlock`, else the next side.
    """

    carry: str = ""
    to: str = ""
    side: str = ""
    reach: str = ""
    unlock: str = ""


class SolunaScenario(Scenario, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Sol'una scenario. `starts` lists for each side in seat order the squares of its first, second, third model."""

    columns: Annotated[int, Meta(ge=2, le=26)] = 7
    rows: Annotated[int, Meta(ge=2, le=26)] = 5
    obstacles: tuple[str, ...] = ()
    sides: Annotated[tuple[Side, ...], Meta(min_length=2, max_length=4)]
    starts: tuple[tuple[str, ...], ...] = ()
    weapons: Literal["ready", "stowed"] = "ready"
    things: tuple[Thing, ...] = ()
    objective: Objective | None = None


CARDS: Final[dict[str, type[Card]]] = {
    "models": Model,
    "weapons": Weapon,
    "interactions": Interaction,
    "contests": Contest,
    "risks": Risk,
}
ALWAYS: Final = ("ready_weapon", "pick_up")
"""Interactions that the rules themselves name."""
RISKS: Final = ("risk_move", "risk_cp", "risk_accuracy")


def start_of(scenario: SolunaScenario, side: int, place: int) -> str:
    """The square on which a model starts: its own, else the scenario's; empty where there is none."""
    at = scenario.sides[side].models[place].at
    if at:
        return at
    starts = scenario.starts[side] if side < len(scenario.starts) else ()
    return starts[place] if place < len(starts) else ""


def card_problems(cards: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    """What the types cannot say of cards: weapons that stand twice, contests without a place."""
    for model in cards.get("models", {}).values():
        if len(set(model.weapons)) < len(model.weapons):
            yield Problem(("models", model.id, "weapons"), "a weapon stands twice with this model", "each weapon once")
    for contest in cards.get("contests", {}).values():
        if contest.between == "everybody near" and not contest.at:
            yield Problem(("contests", contest.id), f"{contest.id} has no place", "add `at:`, the id of a thing (SOL-CONT-6)")


def scenario_problems(content: Content) -> Iterator[Problem]:
    """What the types cannot say of a scenario: squares that exist and are free, names that are there and differ."""
    scenario: SolunaScenario = content.scenario
    grid = Grid(scenario.columns, scenario.rows)
    squares = f"squares are named from a1 to {grid.cells[-1]}"
    for place, cell in enumerate(scenario.obstacles):
        if cell not in grid:
            yield Problem(("obstacles", place), f"there is no square {cell!r}", squares)
    for side, cells in enumerate(scenario.starts):
        for place, cell in enumerate(cells):
            if cell not in grid:
                yield Problem(("starts", side, place), f"there is no square {cell!r}", squares)
    for kind, needed in (("interactions", ALWAYS), ("risks", RISKS)):
        for id in needed:
            if id not in content.cards[kind]:
                yield Problem((), f"there is no card {id!r} in {kind}", "the rules need it: add the card")
    yield from _seating_problems(scenario, grid, squares)
    yield from _thing_problems(scenario, grid, squares)
    if content.policy("turn_limit") < 1:
        yield Problem(("policies", "turn_limit"), "turn_limit is 0", "at least 1 Turn is played (SOL-END-3)")


def _seating_problems(scenario: SolunaScenario, grid: Grid, squares: str) -> Iterator[Problem]:
    taken: dict[str, str] = {}
    names: list[str] = []
    shut = {thing.at: thing.id for thing in scenario.things if thing.kind == "door"}
    for number, side in enumerate(scenario.sides):
        if side.id in [other.id for other in scenario.sides[:number]]:
            yield Problem(("sides", number), f"there are two sides {side.id}", "give each side a name of its own (SOL-END-1)")
        for place, placed in enumerate(side.models):
            where = ("sides", number, "models", place)
            at = start_of(scenario, number, place)
            if placed.id in names:
                yield Problem(where, f"{placed.id} is seated twice", "give the second one a `name:`")
            names.append(placed.id)
            if not at:
                yield Problem(where, f"{placed.id} has no starting square", "add `at: b2`, or more squares to `starts`")
            elif at not in grid:
                yield Problem(where, f"there is no square {at!r}", squares)
            elif at in scenario.obstacles:
                yield Problem(where, f"{placed.id} starts on {at}, inside an obstacle", "a free square (SOL-MOVE-2)")
            elif at in shut:
                yield Problem(where, f"{placed.id} starts on {at}, in the {shut[at]}", "a free square (SOL-MOVE-2)")
            elif at in taken:
                yield Problem(where, f"{placed.id} starts on {at}, where {taken[at]} stands", "one model a square (SOL-MOVE-2)")
            taken.setdefault(at, placed.id)


def _thing_problems(scenario: SolunaScenario, grid: Grid, squares: str) -> Iterator[Problem]:
    sides = [side.id for side in scenario.sides]
    models = [placed.id for side in scenario.sides for placed in side.models]
    ids: list[str] = []
    for place, thing in enumerate(scenario.things):
        where = ("things", place)
        if thing.id in (*ids, *models):
            yield Problem((*where, "id"), f"{thing.id} is on the table twice", "give each thing an id of its own")
        ids.append(thing.id)
        if not thing.at and not thing.prize:
            yield Problem(where, f"the {thing.id} lies nowhere", "add `at: b2`; only a prize may lie nowhere")
        elif thing.at and thing.at not in grid:
            yield Problem((*where, "at"), f"there is no square {thing.at!r}", squares)
        elif thing.at in scenario.obstacles:
            yield Problem((*where, "at"), f"the {thing.id} lies on {thing.at}, inside an obstacle", "a free square")
        if thing.prize and thing.kind != "artifact":
            yield Problem((*where, "prize"), f"the {thing.id} is no Artifact", "only an Artifact is a prize: `kind: artifact`")
        if thing.kind == "door" and not thing.interaction:
            yield Problem(where, f"nothing opens the {thing.id}", "add `interaction: open_door`")
        if thing.side and thing.side not in sides:
            yield Problem((*where, "for"), f"there is no side {thing.side!r}", f"one of {', '.join(sides)}")
    goal = scenario.objective
    if goal is None:
        return
    if bool(goal.carry) != bool(goal.to) or bool(goal.side) != bool(goal.reach) or bool(goal.carry) == bool(goal.side):
        yield Problem(("objective",), "this is no objective", "either `carry` and `to`, or `side` and `reach`")
    for field, value, known in (
        ("carry", goal.carry, [thing.id for thing in scenario.things if thing.kind == "artifact"]),
        ("side", goal.side, sides),
        ("unlock", goal.unlock, [thing.id for thing in scenario.things if thing.kind == "door"]),
    ):
        if value and value not in known:
            yield Problem(("objective", field), f"there is no {value!r}", f"one of {', '.join(known) or 'none on this board'}")
    for field, value in (("to", goal.to), ("reach", goal.reach)):
        if value and (value not in grid or value in scenario.obstacles):
            yield Problem(("objective", field), f"{value!r} is no free square", squares)
