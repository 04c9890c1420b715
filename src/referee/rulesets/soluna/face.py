"""Facts for the templates in `faces/`: the ten phases, the board, every model's dice and points, from what one seat may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...engine import Content, Event, Id, Rolled, View
from .checks import FULL_FIVE, PHASES, marked
from .phrases import name, plural, thing
from .setup import Table


def face(content: Content, view: View) -> dict[str, Any]:
    """The Turn with its phases, the squares row by row, the sides with their models, the things that can be held."""
    table: Table = content.setting.table
    return {
        "turn": view.round,
        "phase": _phase(view),
        "contest": view.about.startswith("contest "),
        "phases": list(range(1, PHASES + 1)),
        "marks": [_marks(view, who) for who in table.order if not view.records[who]["out"]],
        "columns": table.grid.columns,
        "squares": [_square(table, view, cell) for cell in table.grid.cells],
        "sides": [_side(table, view, side) for side in table.sides],
        "holders": {who: held for who in table.order if (held := _held(table, view, who))},
        "things": list(_things(table, view)),
        "goal": _goal(table),
    }


def _phase(view: View) -> int:
    """The phase in which all choose or commit; 0 at any other time."""
    what, _, number = view.about.partition(" ")
    return int(number) if what in ("phase", "contest") and number.isdigit() else 0


def _marks(view: View, who: Id) -> dict[str, Any]:
    """SOL-PHASE-2: the phases marked for a model's Mind as it is now."""
    record = view.records[who]
    acts = [marked(record["mind"], phase) for phase in range(1, PHASES + 1)]
    return {"id": who, "name": name(who), "acts": acts, "saved": record["saved"]}


def _side(table: Table, view: View, side: str) -> dict[str, Any]:
    models = [_model(table, view, who) for who in table.members[side]]
    alone = len(models) == 1 and models[0]["id"] == side
    return {
        "id": side,
        "name": "" if alone else name(side),
        "state": "sealed" if side in view.sealed else "chooses" if side in view.asked else "",
        "models": models,
    }


def _model(table: Table, view: View, who: Id) -> dict[str, Any]:
    record = view.records[who]
    sheet = table.sheets[who]
    left = max(0, record["mind"] - record["mind_spent"])
    return {
        "id": who,
        "name": name(who),
        "out": record["out"],
        "at": record["at"],
        # A die for each point of the sheet's Mind: to spend, spent this Turn, lost to wounds.
        "dice": ["left"] * left + ["spent"] * (record["mind"] - left) + ["lost"] * (sheet.mind - record["mind"]),
        "left": left,
        "mind": record["mind"],
        "points": [
            (kind, max(0, most - record[f"{kind}_spent"]), most)
            for kind, most in (("speed", sheet.speed), ("combat", sheet.combat))
        ],
        "body": record["body"],
        "of_body": sheet.body,
        "guard": sheet.guard,
        "weapons": [_weapon(table, weapon, weapon in record["ready"]) for weapon in sheet.weapons],
        "prepared": record["prepared"],
        "step": record["prepared"] % FULL_FIVE,
        "of_steps": FULL_FIVE,
        "flips": record["prepared"] // FULL_FIVE,
        "saved": record["saved"],
        "holds": _held(table, view, who),
        "notes": list(_notes(record)),
    }


def _held(table: Table, view: View, who: Id) -> list[str]:
    return [thing(each) for each in table.artifacts if view.records[each]["holder"] == who]


def _weapon(table: Table, weapon: Id, ready: bool) -> dict[str, Any]:
    card = table.weapons[weapon]
    facts = [plural(card.accuracy, "die", "dice"), f"damage {card.damage}", f"range {card.range}"]
    return {"id": weapon, "name": thing(weapon), "ready": ready, "facts": ", ".join(facts)}


def _notes(record: Mapping[str, Any]) -> Iterable[str]:
    if record["mind"] < record["mind_spent"]:
        yield "overspent"


def _things(table: Table, view: View) -> Iterable[dict[str, Any]]:
    """Artifacts and what can be opened, with how they stand."""
    for id, placed in table.things.items():
        record = view.records[id]
        if placed.kind == "artifact":
            holder = record["holder"]
            where = f"held by {name(holder)}" if holder else f"on {record['at']}" if record["at"] else "to be won"
            if not holder and not record["at"] and placed.prize:
                where += f" at {thing(placed.prize)}"
            yield {"name": thing(id), "where": where}
        elif placed.interaction:
            yield {"name": f"{thing(id)} on {placed.at}", "where": "open" if record["done"] else thing(placed.interaction)}


def _square(table: Table, view: View, cell: str) -> dict[str, Any]:
    here = [who for who in table.order if not view.records[who]["out"] and view.records[who]["at"] == cell]
    lying = [_thing(table, view, id) for id in table.things if view.records[id]["at"] == cell]
    goal = table.scenario.objective
    return {
        "cell": cell,
        "obstacle": cell in table.obstacles,
        "shut": any(each["shut"] for each in lying),
        "who": here,
        "things": lying,
        "targets": [*here, *(target for each in lying for target in each["targets"])],
        "exit": goal is not None and cell in (goal.to, goal.reach) and cell != "",
    }


def _thing(table: Table, view: View, id: Id) -> dict[str, Any]:
    placed = table.things[id]
    # What is to be won at a place is called for there.
    prizes = [each for each in table.artifacts if table.things[each].prize and table.contests[table.things[each].prize].at == id]
    return {
        "name": thing(id),
        "kind": placed.kind,
        "shut": placed.kind == "door" and not view.records[id]["done"],
        "done": view.records[id]["done"],
        "prize": [thing(each) for each in prizes if not view.records[each]["holder"] and not view.records[each]["at"]],
        "targets": [id, *prizes],
    }


def _goal(table: Table) -> str:
    """What wins, besides standing alone; empty if nothing does."""
    goal = table.scenario.objective
    if goal is None:
        return ""
    if goal.carry:
        return f"carry the {thing(goal.carry)} to {goal.to}"
    return f"a model of {name(goal.side)} on {goal.reach}" + (f", through the {thing(goal.unlock)}" if goal.unlock else "")


def rolled(event: Event) -> Iterator[Rolled]:
    """The dice of a roll, and once more as they lie after flips."""
    if event.kind == "rolls" and event.facts["roll"]:
        yield _dice("rolls ", event.facts["roll"])
        if event.facts["flips"]:
            yield _dice(": ", event.facts["shown"])


def _dice(before: str, faces: tuple[int, ...]) -> Rolled:
    return before, " ".join(map(str, faces)), tuple(("d6", str(face)) for face in faces)
