"""A made-up ruleset, found through the same door as every other; its rules are never run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from referee.engine.ruleset import Card, Content, Policy, Problem, Ref, Ruleset, Scenario, Seat


class Move(msgspec.Struct, frozen=True, tag="move", tag_field="do", forbid_unknown_fields=True):
    """Moves somebody."""

    squares: Annotated[int, msgspec.Meta(ge=1, le=3)]


class Arm(msgspec.Struct, frozen=True, tag="arm", tag_field="do", forbid_unknown_fields=True):
    """Puts a weapon into somebody's hand."""

    weapon: Annotated[str, Ref("weapons")]


class Weapon(Card, frozen=True, kw_only=True):
    """Something to strike with."""

    damage: Annotated[int, msgspec.Meta(ge=1, le=6, description="before armour")]
    kind: Literal["blade", "club", "bow"] = "blade"
    weight: Annotated[float, msgspec.Meta(gt=0)] = 1.0
    colour: Annotated[str, msgspec.Meta(pattern="^[a-z]+$")] = "grey"
    effect: Move | Arm | None = None
    shape: tuple[int, int] = (1, 1)


class Condition(Card, frozen=True, kw_only=True):
    """What may befall a figure."""

    lasts: int | Literal["forever"] = 1


class Figure(Card, frozen=True, kw_only=True):
    """Somebody on the table."""

    strength: int
    weapons: tuple[Annotated[str, Ref("weapons")], ...] = ()
    skill: dict[Annotated[str, Ref("weapons")], int] = {}
    marked: Annotated[str, Ref("weapons | conditions")] | None = None


class Duel(Scenario, frozen=True, kw_only=True):
    """Some figures against each other."""

    figures: tuple[Annotated[str, Ref("figures")], ...]
    goal: Literal["survive", "escape"] = "survive"


def card_problems(cards: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    for position, figure in enumerate(cards["figures"].values()):
        if figure.strength > 9:
            yield Problem(("figures", position, "strength"), f"strength {figure.strength} is over budget", "at most 9")
        if not figure.weapons:
            yield Problem(("figures", figure.id), f"{figure.id} is unarmed", "give a weapon", note=True)


def scenario_problems(content: Content) -> Iterator[Problem]:
    figures = content.scenario.figures
    for position, figure in enumerate(figures):
        if figure in figures[:position]:
            yield Problem(("figures", position), f'"{figure}" is here twice', "name each figure once")


def seats(content: Content) -> tuple[Seat, ...]:
    return tuple(Seat(figure, figure, (figure,)) for figure in content.scenario.figures)


RULESET = Ruleset(
    id="skirmish",
    title="Skirmish",
    rules_version=3,
    package="skirmish",
    main_scenario="meeting",
    cards={"weapons": Weapon, "figures": Figure, "conditions": Condition},
    scenario=Duel,
    policies={
        "fall_damage": Policy((1, 0, 2), "amount not given"),
        "hands": Policy(("hidden", "open"), "table taste"),
        "round_limit": Policy((30,), "pace", any_number=True),
        "spends": Policy((True, False), "not said"),
    },
    records=(),
    frames=(),
    seats=seats,
    setup=lambda game: None,
    words=None,
    card_problems=card_problems,
    scenario_problems=scenario_problems,
    readable_versions=(2,),
    in_use=("conditions",),
)
