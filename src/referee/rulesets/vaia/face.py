"""Facts for the templates in `faces/`: the order, the board, every character with its tracks, from what one seat may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from ...engine import HIDDEN, Content, Event, Rolled, View
from .cards import Item
from .setup import Table
from .sheets import TRACKS, ActionSheet, CharacterSheet
from .words import counted, listed, name, thing, title

STRESS: Final = 10
"""Where a track is full (VAIA-STR-6)."""

_KINDS: Final = {"plain": "action", "rider": "Rider", "trigger": "Trigger", "response": "Response"}


def face(content: Content, view: View) -> dict[str, Any]:
    """The order of the round, what is under way, the tiles row by row, and the sides with their characters."""
    table: Table = content.setting.table
    active = _active(view)
    tiles = [_tile(table, view, tile) for tile in table.grid.cells]
    return {
        "round": view.round,
        "stamp": sum(view.records[who]["slots"] for who in table.figures if who in view.records),  # whatever is done costs slots
        "order": _order(view, active),
        "stack": view.underway.get("levels", []),
        "underway": view.underway,
        "columns": table.grid.columns,
        "tiles": tiles,
        "legend": list(_legend(tiles, view.records["traps"])),
        "sides": [
            {
                "id": side,
                "name": name(side),
                "done": dict(view.records["objective"]["done"]).get(side, 0),
                "characters": [_character(table, view, who, active) for who in figures if who in view.records],
            }
            for side, figures in table.sides.items()
        ],
        "goal": _goal(table),
    }


def _active(view: View) -> str:
    """VAIA-TURN-4: the last in order whose phase of this round has begun, while a phase is under way."""
    records = view.records
    begun = [who for who in records["order"]["who"] if records[who]["acted"] and records[who]["out"] != HIDDEN]
    return begun[-1] if begun and "Phase(" in view.agenda and view.result is None else ""


def _order(view: View, active: str) -> list[dict[str, Any]]:
    order = []
    for who in view.records["order"]["who"]:
        record = view.records[who]
        if record["out"] == HIDDEN:
            continue
        down = record["out"] or record["hp"] <= 0
        state = "now" if who == active else "down" if down else "done" if record["acted"] else "waits"
        said = {"now": "active phase", "down": "not standing", "done": "has acted", "waits": "to come"}[state]
        order.append({"id": who, "name": name(who), "state": state, "said": said})
    return order


def _tile(table: Table, view: View, tile: str) -> dict[str, Any]:
    traps = view.records["traps"]
    placed = traps["placed"]
    seen = [view.records[who] for who in table.figures if who in view.records]
    here = [each["id"] for each in seen if each["at"] == tile and each["out"] in ("", HIDDEN)]
    trap = thing(dict(placed if isinstance(placed, tuple) else traps["known"]).get(tile, ""))
    possible = tile in table.scenario.possible_tiles
    entered = tile in traps["entered"]
    return {
        "cell": tile,
        "who": here[0] if here else "",
        "down": bool(here) and view.records[here[0]]["hp"] <= 0,
        "hides": bool(here) and view.records[here[0]]["out"] == HIDDEN,
        "trap": trap,
        "doubtful": possible and not entered and len(traps["kinds"]) > len(traps["known"]),
        "spent": possible and (entered or not traps["kinds"]),
        "objective": tile == table.objective_at,
    }


def _legend(tiles: list[dict[str, Any]], traps: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """What the marks on the tiles say."""
    kinds = list(traps["kinds"])
    for _, trap in traps["known"]:
        kinds.remove(trap)
    if any(tile["trap"] for tile in tiles):
        yield "✶", listed(dict.fromkeys(tile["trap"] for tile in tiles if tile["trap"]))
    if not isinstance(traps["placed"], tuple) and any(tile["doubtful"] and not tile["trap"] for tile in tiles):
        yield "?", f"may hide {listed((thing(kind) for kind in dict.fromkeys(kinds)), 'or')} ({counted(len(kinds), 'trap')} left)"
    if any(tile["spent"] for tile in tiles):
        yield "✓", "no trap left"


def _character(table: Table, view: View, who: str, active: str) -> dict[str, Any]:
    record = view.records[who]
    sheet = table.characters[who]
    phase = "active" if who == active else "reserved" if record["acted"] else "none"
    words = {
        "active": counted(record["slots"], "slot"),
        "reserved": f"{record['slots']} reserved",
        "none": "none yet",
    }
    return {
        "id": who,
        "name": name(who),
        "out": record["out"],
        "at": record["at"],
        "hp": record["hp"],
        "max_hp": sheet.max_hp,
        "level": "down" if record["hp"] <= 0 else "low" if 3 * record["hp"] <= sheet.max_hp else "",
        "accuracy": sheet.accuracy,
        "evasion": sheet.evasion,
        "phase": phase,
        "slots": record["slots"],
        "of_slots": sheet.slots,
        "slots_said": words[phase],
        "stress": [(track, record[track]) for track in TRACKS],
        "carried": [_item(table.items[each.id], each.durability) for each in record["items"]],
        "named": [(thing(resource), have, sheet.named[resource]) for resource, have in record["named"]],
        "conditions": list(_conditions(record)),
        "actions": _actions(sheet, record["used"]),
    }


def _item(card: Item, durability: int) -> dict[str, Any]:
    if card.armour:
        parts = [f"{card.armour.resistance}%"] * bool(card.armour.resistance) + [f"-{card.armour.reduction}"]
        return _carried(card, durability, " ".join(parts))
    return _carried(card, durability, card.weapon or "")


def _carried(card: Item, durability: int, what: str) -> dict[str, Any]:
    return {"name": thing(card.id), "left": max(0, durability), "of": card.durability, "what": what}


def _conditions(record: Mapping[str, Any]) -> Iterable[str]:
    if record["hp"] <= 0:
        yield "Vulnerable"
    for kind in ("bleed", "hemorrhage", "stunned"):
        if record[kind]:
            yield f"{kind} {record[kind]}"
    if record["slowed"]:
        yield f"slowed: loses a {'half' if record['slowed'] == 2 else 'quarter'} of the next slots"
    if record["exhausted"]:
        yield "burnt out: Physical Stress costs HP"
    if record["mute"]:
        yield "burnt out: no Vocal Stress"


def _actions(sheet: CharacterSheet, used: tuple[str, ...]) -> list[dict[str, Any]]:
    kinds = {kind: place for place, kind in enumerate(_KINDS)}
    return [_action(each, each.once and each.id in used) for each in sorted(sheet.actions, key=lambda each: kinds[each.kind])]


@lru_cache(1024)
def _action(action: ActionSheet, used: bool) -> dict[str, Any]:
    return {
        "title": title(action.id),
        "kind": action.kind,
        "said": _KINDS[action.kind] if action.kind == "plain" or not action.forced else f"forced {_KINDS[action.kind]}",
        "used": used,
        "lines": list(_lines(action)),
    }


def _lines(action: ActionSheet) -> Iterable[str]:
    """What an action costs, when it may be used and how far it reaches."""
    cost = ["1 slot or more" if action.by_slots else counted(action.celerity, "slot")]
    cost += [f"{amount} {thing(resource)}" for resource, amount in action.named]
    if action.durability:
        cost.append(f"{action.durability} durability" + (f" of the {thing(action.item)}" if action.item else ""))
    cost += [f"{track} stress {fixed or f'v{die}'}" for track, fixed, die in action.stress]
    yield "costs " + ", ".join(cost)
    if action.when is not None:
        yield f"used {action.when.at}" if action.kind != "response" else f"after an action: {thing(str(action.when.event))}"
    if action.attack or any(step.aimed for step in action.steps):
        yield "reaches the tiles beside" if action.reach == 1 else f"reaches {action.reach} tiles"
    if action.active_only:
        yield "in the own active phase only"
    if action.reserved:
        yield "may be paid with Reserved Slots"
    if action.once:
        yield "once between two active phases"


def _goal(table: Table) -> dict[str, Any] | None:
    objective = table.scenario.objective
    return None if objective is None else {"name": thing(objective.name), "at": objective.at, "times": objective.times}


def rolled(event: Event) -> Iterable[Rolled]:
    """The die of a roll."""
    if "roll" in event.facts:
        yield "rolls ", str(event.facts["roll"]), ((f"d{event.facts.get('die', 20)}", str(event.facts["roll"])),)
