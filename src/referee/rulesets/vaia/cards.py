"""What may stand on Vaia's cards and in its scenarios: the vocabulary of `docs/vaia-cards.md`."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from ...engine import Card, Ref, Scenario

DICE: Final = (4, 6, 8, 10, 12, 20, 100)
"""VAIA-CHK-1: the variables that there are."""

Die = Literal["v4", "v6", "v8", "v10", "v12", "v20", "v100"]
Dice = Annotated[str, Meta(pattern=r"^v(4|6|8|10|12|20|100)(\+\d{1,2})?$", description="a variable, as in v6 or v6+4")]
Amount = Annotated[int, Meta(ge=0, le=99)] | Dice
Blow = (
    Annotated[int, Meta(ge=0, le=99)]
    | Annotated[str, Meta(pattern=r"^(weapon|v(4|6|8|10|12|20|100)(\+\d{1,2})?)$", description="a variable, as in v6, or weapon")]
)
Stress = Annotated[int, Meta(ge=1, le=10, description="fixed stress")] | Die
Small = Annotated[int, Meta(ge=1, le=99)]

Occasion = Literal[
    "declared",
    "before accuracy",
    "after accuracy",
    "before damage",
    "after damage",
    "before move",
    "after move",
    "before push",
    "after push",
    "before effect",
    "after effect",
]
Happening = Literal[
    "hit",
    "half_hit",
    "missed",
    "hurt",
    "fell",
    "pushed",
    "redirected_to",
    "redirected_from",
    "cancelled",
    "interrupted",
    "ended",
]
Outcome = Literal["hit", "half", "miss"]
Whom = Literal["any", "enemy", "ally", "self_or_ally", "vulnerable", "actor", "none"]


class Rolled(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a branch of a roll does: exactly one of these."""

    hurt: Small | None = None
    restore: Small | None = None
    bleed: Small | None = None
    hemorrhage: Small | None = None
    stunned: Small | None = None
    slowed: Literal["quarter", "half"] | None = None
    exsanguinate: bool | None = None
    push: Small | None = None


class Branch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """VAIA-CHK-2: what happens if the roll shows `from` to `to`."""

    low: Annotated[int, Meta(ge=1, le=100)] = msgspec.field(name="from")
    high: Annotated[int, Meta(ge=1, le=100)] = msgspec.field(name="to")
    deeds: tuple[Rolled, ...] = ()


class Deed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that a step or a Rider does: exactly one of these."""

    damage: Blow | None = None
    hurt: Amount | None = None
    restore: Amount | None = None
    bleed: Small | None = None
    hemorrhage: Small | None = None
    stunned: Amount | None = None
    slowed: Literal["quarter", "half"] | None = None
    exsanguinate: bool | None = None
    push: Small | None = None
    move: Small | Literal["by_slots"] | None = None
    execute: bool | None = None
    refill: dict[str, Small] | None = None
    objective: Small | None = None
    accuracy_bonus: Annotated[int, Meta(ge=-40, le=40)] | None = None
    evasion_bonus: Annotated[int, Meta(ge=-40, le=40)] | None = None
    addition: Amount | None = None
    mitigation: Small | None = None
    cancel: bool | None = None
    redirect: Literal["choice", "user"] | None = None
    roll: Die | None = None
    branches: tuple[Branch, ...] = ()

    @property
    def verb(self) -> str:
        """Which of them it is."""
        return verb_of(self)


def verb_of(deed: Deed | Rolled) -> str:
    """Which thing a deed does."""
    return next((name for name in VERBS if getattr(deed, name, None) not in (None, False)), "")


VERBS: Final = (
    "damage", "hurt", "restore", "bleed", "hemorrhage", "stunned", "slowed", "exsanguinate", "push", "move", "execute",
    "refill", "objective", "accuracy_bonus", "evasion_bonus", "addition", "mitigation", "cancel", "redirect", "roll",
)  # fmt: skip
AT_TARGET: Final = ("damage", "hurt", "restore", "bleed", "hemorrhage", "stunned", "slowed", "exsanguinate", "push", "execute")
ON_ACTION: Final = ("accuracy_bonus", "evasion_bonus", "addition", "mitigation", "cancel", "redirect")
RIDDEN: Final = (
    "hurt", "bleed", "hemorrhage", "stunned", "slowed", "exsanguinate", "push", "restore",
    "accuracy_bonus", "addition", "refill", "roll",
)  # fmt: skip
ROLLED: Final = ("hurt", "bleed", "hemorrhage", "stunned", "slowed", "exsanguinate", "push", "restore")


class When(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The occasion that a Rider or Trigger names (`at`), or what a Response answers (`event`), and what must hold then."""

    at: Occasion | None = None
    event: Happening | None = None
    role: Literal["target", "ally", "any"] = "any"
    within: Annotated[int, Meta(ge=1, le=99)] | None = None
    actor: Literal["any", "enemy", "ally"] = "any"
    actor_within: Annotated[int, Meta(ge=1, le=99)] | None = None
    action: tuple[Annotated[str, Ref("actions")], ...] = ()
    attack: bool = False
    melee: bool = False
    outcome: tuple[Outcome, ...] = ()


class Action(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action card: its occasion, its requirements, its steps in order."""

    kind: Literal["plain", "rider", "trigger", "response"] = "plain"
    when: When | None = None
    forced: bool = False
    celerity: Annotated[int, Meta(ge=0, le=30)] = 0
    durability: Annotated[int, Meta(ge=1, le=99)] | None = None
    item: Annotated[str, Ref("items", also=("weapon",))] | None = None
    named: dict[str, Small] = {}
    physical: Stress | None = None
    mental: Stress | None = None
    vocal: Stress | None = None
    once: bool = False
    active_only: bool = False
    reserved: bool = False
    everyone: bool = False
    beside_objective: bool = False
    melee: bool = False
    range: Annotated[int, Meta(ge=1, le=99)] | None = None
    target: Whom | None = None
    steps: Annotated[tuple[Literal["accuracy"] | Deed, ...], Meta(min_length=1)]


class Armour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What armour takes off: a percentage of what comes in, then a flat part."""

    resistance: Annotated[int, Meta(ge=0, le=100, description="percent")] = 0
    reduction: Annotated[int, Meta(ge=0, le=99)] = 0


class Item(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An item with its durability; `weapon` is its die."""

    durability: Annotated[int, Meta(ge=1, le=999)]
    weapon: Die | None = None
    armour: Armour | None = None


class Character(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A character's attributes, items, named resources (with their maximum) and actions."""

    level: Annotated[int, Meta(ge=0, le=100)] = 1
    strength: Annotated[int, Meta(ge=0, le=30)] = 0
    agility: Annotated[int, Meta(ge=-3, le=7)] = -3
    accuracy: Annotated[int, Meta(ge=-3, le=7)] = -3
    awareness: Annotated[int, Meta(ge=0, le=20)] = 0
    vitality: Annotated[int, Meta(ge=1, le=100)] = 1
    items: tuple[Annotated[str, Ref("items")], ...] = ()
    named: dict[str, Small] = {}
    actions: tuple[Annotated[str, Ref("actions")], ...] = ()


class Trap(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A trap: what it does to whoever enters its tile."""

    ends_action: bool = False
    damage: Amount | None = None
    bleed: Small | None = None
    hemorrhage: Small | None = None
    slowed: Literal["quarter", "half"] | None = None


class Placed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A character seated in a scenario; `name` tells two of one card apart; it may learn and carry more than its card says.

    It may begin in hiding.
    """

    character: Annotated[str, Ref("characters")]
    side: str
    name: Annotated[str, Meta(pattern=r"^([a-z][a-z0-9_]*)?$")] = ""
    at: str = ""
    learns: tuple[Annotated[str, Ref("actions")], ...] = ()
    carries: tuple[Annotated[str, Ref("items")], ...] = ()
    named: dict[str, Small] = {}
    hidden: bool = False


class Board(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The size of the grid."""

    columns: Annotated[int, Meta(ge=1, le=26)] = 5
    rows: Annotated[int, Meta(ge=1, le=99)] = 5


class TrapSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Traps of one kind and the tiles on which they lie."""

    trap: Annotated[str, Ref("traps")]
    on: tuple[str, ...]


class Objective(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands on a tile and blocks it; the side that has done its action so many times first wins."""

    name: str
    at: str
    times: Annotated[int, Meta(ge=1, le=99)] = 1


class VaiaScenario(Scenario, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Vaia scenario. `starts` lists starting tiles side by side, for two sides; `starts_of_more` for three or four."""

    board: Board = Board()
    figures: Annotated[tuple[Placed, ...], Meta(min_length=2, max_length=12)]
    starts: tuple[tuple[str, ...], ...] = ()
    starts_of_more: tuple[tuple[str, ...], ...] = ()
    extra_actions: tuple[Annotated[str, Ref("actions")], ...] = ()
    traps: tuple[TrapSet, ...] = ()
    possible_tiles: tuple[str, ...] = ()
    objective: Objective | None = None


CARDS: Final[dict[str, type[Card]]] = {"actions": Action, "items": Item, "characters": Character, "traps": Trap}


# What stands where


def sides_of(scenario: VaiaScenario) -> tuple[str, ...]:
    """The sides, in the order in which the scenario first names them."""
    return tuple(dict.fromkeys(figure.side for figure in scenario.figures))


def name_of(figure: Placed) -> str:
    """The id of a figure: its name, else its card."""
    return figure.name or figure.character


def start_of(scenario: VaiaScenario, place: int) -> str:
    """The tile on which a figure starts: its own, else the scenario's for its side."""
    figure = scenario.figures[place]
    if figure.at:
        return figure.at
    sides = sides_of(scenario)
    starts = scenario.starts if len(sides) == 2 else scenario.starts_of_more
    before = sum(other.side == figure.side for other in scenario.figures[:place])
    side = sides.index(figure.side)
    return starts[side][before] if side < len(starts) and before < len(starts[side]) else ""


def points_spent(character: Character) -> int:
    """VAIA-CHAR-1: what the attributes of a character cost."""
    return (
        2 * character.strength
        + steps_cost(character.agility)
        + steps_cost(character.accuracy)
        + 3 * character.awareness
        + character.vitality
        - 1
    )


def steps_cost(value: int) -> int:
    """VAIA-CHAR-1: Agility or Accuracy from -3 up: 3 a step to 0, 6 to 3, 11 to 7."""
    return sum(3 if each <= 0 else 6 if each <= 3 else 11 for each in range(-2, value + 1))
