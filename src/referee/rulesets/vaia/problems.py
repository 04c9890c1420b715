"""Faults of cards and scenarios that their types cannot say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...engine import Content, Grid, Problem
from .cards import (
    AT_TARGET,
    ON_ACTION,
    RIDDEN,
    ROLLED,
    VERBS,
    Action,
    Deed,
    Rolled,
    VaiaScenario,
    name_of,
    points_spent,
    sides_of,
    start_of,
)


def card_problems(cards: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    """Points spent, occasions that fit their kind, deeds that fit their place."""
    for character in cards.get("characters", {}).values():
        spent, allowed = points_spent(character), 17 + 2 * character.level
        if spent > allowed:
            right = f"{allowed} at level {character.level}: lower an attribute or raise the level (VAIA-CHAR-1)"
            yield Problem(("characters", character.id), f"{character.id} costs {spent} points", right)
        for place, action in enumerate(character.actions):
            if action in character.actions[:place]:
                yield Problem(("characters", character.id, "actions", place), f"{action!r} stands here twice", "each once")
        for place, item in enumerate(character.items):
            if item in character.items[:place]:
                yield Problem(("characters", character.id, "items", place), f"{item!r} stands here twice", "each once")
    for action in cards.get("actions", {}).values():
        yield from _action_problems(("actions", action.id), action)


def _action_problems(path: tuple[str | int, ...], action: Action) -> Iterator[Problem]:
    when = action.when
    if action.kind == "plain" and when is not None:
        yield Problem((*path, "when"), "a plain action has no occasion", "leave `when` out, or name its `kind`")
    elif action.kind != "plain":
        key = "event" if action.kind == "response" else "at"
        other = "at" if key == "event" else "event"
        ids = {"rider": "VAIA-RID-1", "trigger": "VAIA-TRG-1", "response": "VAIA-RSP-1"}
        if when is None or getattr(when, key) is None:
            right = f"add `when: {{{key}: …}}` ({ids[action.kind]})"
            yield Problem((*path, "when") if when else path, f"a {action.kind} without its `{key}`", right)
        if when is not None and getattr(when, other) is not None:
            yield Problem((*path, "when", other), f"a {action.kind} has no `{other}`", f"say `{key}`")
        if when is not None and action.kind == "rider" and when.actor != "any":
            yield Problem((*path, "when", "actor"), "a rider rides on own actions only", "leave `actor` out (VAIA-RID-2)")
    if (action.durability is None) != (action.item is None):
        missing = "item" if action.item is None else "durability"
        yield Problem(path, f"`durability` and `item` go together; {missing!r} is missing", "add it (VAIA-DUR-1)")
    if action.kind != "rider" and not action.forced and not (action.celerity or action.durability or action.named):
        right = "add `celerity`, `durability` or `named`, so that it ends by cost"
        yield Problem(path, f"{action.id} costs nothing that runs out", right)
    if action.forced and action.kind != "trigger":
        yield Problem((*path, "forced"), "only a trigger can be forced", "leave it out")
    if action.melee and action.range is not None:
        yield Problem((*path, "range"), "a melee action reaches the tiles beside", "leave `range` or `melee` out (VAIA-MOVE-5)")
    if action.target == "actor" and action.kind not in ("trigger", "response"):
        yield Problem((*path, "target"), "`actor` is the actor of what a trigger or response looks at", "name another target")
    for place, step in enumerate(action.steps):
        if not isinstance(step, str):
            yield from _deed_problems((*path, "steps", place), action, step, RIDDEN if action.kind == "rider" else VERBS)
        elif action.kind == "rider":
            yield Problem((*path, "steps", place), "a rider has no accuracy step", "name what it adds (VAIA-RID-5)")
    aimed = any(step == "accuracy" or (not isinstance(step, str) and step.verb in AT_TARGET) for step in action.steps)
    if aimed and action.kind != "rider" and action.target == "none":
        yield Problem((*path, "target"), "a step needs somebody to act on", "name a target")


def _deed_problems(
    path: tuple[str | int, ...], action: Action, deed: Deed | Rolled, allowed: tuple[str, ...]
) -> Iterator[Problem]:
    verbs = [name for name in VERBS if getattr(deed, name, None) not in (None, False)]
    if len(verbs) != 1:
        said = f"a step names {len(verbs)} things: {', '.join(verbs)}" if verbs else "a step that does nothing"
        yield Problem(path, said, f"name exactly one of {', '.join(allowed)}")
        return
    verb = verbs[0]
    if verb not in allowed:
        yield Problem((*path, verb), f"`{verb}` has no place here", f"one of {', '.join(allowed)}")
    if verb in ON_ACTION and action.kind not in ("rider", "trigger"):
        yield Problem((*path, verb), f"`{verb}` changes another action", "only riders and triggers have it (VAIA-TRG-3)")
    if verb == "addition" and action.kind == "trigger":
        yield Problem((*path, verb), "`addition` is for riders", "use accuracy_bonus, evasion_bonus or mitigation")
    if isinstance(deed, Rolled):
        return
    if verb == "damage" and deed.damage == "weapon" and action.item is None:
        yield Problem((*path, verb), "no weapon is used", "add `durability` and `item: weapon`")
    if (verb == "roll") != bool(deed.branches):
        yield Problem(path, "`roll` and `branches` go together", "write {roll: v6, branches: [{from: 1, to: 4, deeds: […]}, …]}")
        return
    taken: list[int] = []
    for place, branch in enumerate(deed.branches):
        here = (*path, "branches", place)
        sides = int(str(deed.roll)[1:])
        if not branch.low <= branch.high <= sides:
            yield Problem(here, f"{branch.low} to {branch.high} is no part of 1 to {sides}", "write from <= to (VAIA-CHK-2)")
        if any(branch.low <= each <= branch.high for each in taken):
            yield Problem(here, "two branches share a number", "each number belongs to one branch at the most (VAIA-CHK-2)")
        taken += range(branch.low, branch.high + 1)
        for number, inner in enumerate(branch.deeds):
            yield from _deed_problems((*here, "deeds", number), action, inner, ROLLED)


def scenario_problems(content: Content) -> Iterator[Problem]:
    """Tiles that exist and are free, sides of the right number and size, traps on possible tiles."""
    scenario: VaiaScenario = content.scenario
    grid = Grid(scenario.board.columns, scenario.board.rows)
    tiles = f"tiles are named from a1 to {grid.cells[-1]}"
    blocked = scenario.objective.at if scenario.objective else ""
    if blocked and blocked not in grid:
        yield Problem(("objective", "at"), f"there is no tile {blocked!r}", tiles)
    sides = sides_of(scenario)
    if not 2 <= len(sides) <= 4:
        yield Problem(("figures",), f"{len(sides)} sides", "2 to 4 sides (VAIA-TURN-1)")
    for side in sides:
        number = sum(figure.side == side for figure in scenario.figures)
        if number > 3:
            yield Problem(("figures",), f"the side {side} has {number} characters", "one to three a side (VAIA-TURN-1)")
        if all(figure.hidden for figure in scenario.figures if figure.side == side):
            right = "leave `hidden: true` out of one at the least (VAIA-HIDE-6)"
            yield Problem(("figures",), f"all of the side {side} hide", right)
    taken: dict[str, str] = {}
    names: list[str] = ["order", "traps", "objective", "gm", "spectator"]
    for place, figure in enumerate(scenario.figures):
        at, name = start_of(scenario, place), name_of(figure)
        where: tuple[str | int, ...] = ("figures", place, "at") if figure.at else ("figures", place)
        if not at:
            yield Problem(where, f"{name} has no starting tile", "add `at: b2`, or `starts` for so many")
        elif at not in grid:
            yield Problem(where, f"there is no tile {at!r}", tiles)
        elif at in taken or at == blocked:
            yield Problem(
                where, f"{name} starts on {at}, which {taken.get(at, 'the objective')} fills", "one a tile (VAIA-MOVE-1)"
            )
        taken.setdefault(at, name)
        if name in names:
            yield Problem(("figures", place), f"the name {name!r} is taken", "add `name:` with one of its own")
        names.append(name)
        if figure.side in ("gm", "spectator"):
            yield Problem(("figures", place, "side"), f"{figure.side!r} is no side", "choose another name")
    for place, tile in enumerate(scenario.possible_tiles):
        if tile not in grid or tile == blocked:
            yield Problem(("possible_tiles", place), f"no trap can lie on {tile!r}", tiles)
    trapped: list[str] = []
    for place, traps in enumerate(scenario.traps):
        for number, tile in enumerate(traps.on):
            if tile not in scenario.possible_tiles:
                right = "add it to `possible_tiles` (VAIA-HIDE-2)"
                yield Problem(("traps", place, "on", number), f"{tile!r} is not among the possible tiles", right)
            if tile in trapped:
                yield Problem(("traps", place, "on", number), f"two traps on {tile}", "one a tile (VAIA-HIDE-3)")
            trapped.append(tile)
    for place, each in enumerate(scenario.extra_actions):
        action = content.cards["actions"][each]
        if action.beside_objective and scenario.objective is None:
            yield Problem(("extra_actions", place), f"{each} needs an objective", "add `objective:`")
