"""Facts for the templates in `faces/`: avatars with their cards, and the board, from what one seat may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ...engine import HIDDEN, Content, Event, Rolled, Unseen, View
from .sheets import Table
from .words import name, thing

ATTRIBUTES: Final = ("corpus", "electra", "spiritum")


def face(content: Content, view: View) -> dict[str, Any]:
    """Avatars in seat order, the squares row by row, and the cards that can be looked up."""
    table: Table = content.setting.table
    avatars = [_avatar(table, view, who) for who in table.order if who in view.records]
    known = {card for each in avatars for card in (*each["in_play"], *each["hand"], *each["known"], *each["aside"])}
    return {
        "avatars": avatars,
        "columns": table.grid.columns,
        "squares": [_square(table, view, cell) for cell in table.grid.cells],
        "cards": {card: _sheet(table, card) for card in sorted(known)},
        "goal": _goal(table),
    }


def _avatar(table: Table, view: View, who: str) -> dict[str, Any]:
    record = view.records[who]
    techniques = [view.records[slot] for slot in table.slots[who] if view.records[slot]["card"]]
    hidden = isinstance(record["hand"], Unseen)
    in_play = [each["card"] for each in techniques]
    return {
        "id": who,
        "name": name(who),
        "out": record["out"],
        "at": record["at"],
        "square": thing(table.squares[record["at"]].id),
        "pools": [(each, record[f"{each}_pool"], record[each]) for each in ATTRIBUTES],
        "speed": record["speed"],
        "spirit": record["spirit"],
        "techniques": [_technique(table, each) for each in techniques],
        "in_play": in_play,
        "hand": [] if hidden else list(record["hand"]),
        "cards": record["hand"].shown if hidden else len(record["hand"]),
        "hidden": hidden,
        # MOR-HIDE-3: what was seen and lies neither in play nor at the side is back in the hand.
        "known": [card for card in record["seen"] if card not in in_play and card not in record["aside"]] if hidden else [],
        "aside": list(record["aside"]),
        "artifacts": [(thing(each.id), each.utilised, each.readies) for each in record["artifacts"]],
        "notes": list(_notes(record)),
        "holds": record["holds"],
    }


def _notes(record: Mapping[str, Any]) -> Iterable[str]:
    if record["prone"]:
        yield "prone"
    for debt in record["debts"]:
        yield f"owes {thing(debt)}"
    if record["counter"]:
        yield f"Counter against {' or '.join(thing(tag) for tag in record['counter'])}"
    for effect in record["effects"]:
        yield f"{thing(effect.applies[0])} {effect.amount:+d} ({thing(effect.source)})"


def _technique(table: Table, record: Mapping[str, Any]) -> dict[str, Any]:
    sheet = _sheet(table, record["card"])
    for place, action in enumerate(sheet["actions"]):
        current = place == record["action"]
        action["done"] = action["ticks"] if place < record["action"] else record["ticks"] if current else 0
        action["current"] = current
    return sheet | {"states": [(thing(state), amount) for state, amount in record["states"]]}


def _sheet(table: Table, card: str) -> dict[str, Any]:
    technique = table.techniques[card].card
    return {
        "id": card,
        "title": technique.title or thing(card).capitalize(),
        "kind": technique.kind,
        "fail": [thing(each) for each in table.techniques[card].consequences],
        "actions": [
            {
                "name": thing(action.name),
                "calls": [(call.printed, call.of, call.x) for call in action.calls],
                "ticks": action.ticks,
                "inertia": action.inertia,
                "reach": action.reach if action.attack and action.reach > 1 else 0,
                "needs": [thing(each) for each in action.needs],
                "done": 0,
                "current": False,
            }
            for action in table.techniques[card].actions
        ],
    }


def _square(table: Table, view: View, cell: str) -> dict[str, Any]:
    square = table.squares[cell]
    seen = [view.records[who] for who in table.order if who in view.records]
    here = [each["id"] for each in seen if each["at"] == cell and each["out"] in ("", HIDDEN)]
    return {
        "cell": cell,
        "kind": square.id,
        "name": thing(square.id),
        "mark": square.mark,
        "modifiers": [(thing(what), amount) for what, amount in square.mod.items()],
        "forbids": [thing(what) for what in square.forbid],
        "who": here[0] if here else "",
        "hides": bool(here) and view.records[here[0]]["out"] == HIDDEN,
        "lying": [thing(artifact) for at, artifact in view.records["ground"]["lying"] if at == cell],
        "goal": cell in table.goal,
    }


def _goal(table: Table) -> dict[str, Any] | None:
    objective = table.scenario.objective
    return None if objective is None else {"square": thing(objective.hold), "times": objective.times}


def rolled(event: Event) -> Iterable[Rolled]:
    """The die of a roll."""
    if "roll" in event.facts:
        yield "rolls ", str(event.facts["roll"]), (("d10", str(event.facts["roll"])),)
