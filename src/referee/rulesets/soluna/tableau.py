"""The table as a seat sees it, for a terminal: models with their points and marks, its own drafts, the board."""

from __future__ import annotations

from typing import Any

from ...engine import Game
from .checks import flips_prepared, marked
from .phrases import deed_facts, deed_words, dice_words, listed, name, plural, thing
from .records import Deed


def tableau(game: Game, seat: str) -> list[str]:
    """The table as a seat sees it: models with their points and marks, its own drafts, then the board."""
    lines = [f"Turn {game.round}"]
    for side in game.table.sides:
        for who in game.table.members[side]:
            lines += _model_lines(game, side, who)
    for id, placed in game.table.things.items():
        if placed.kind == "artifact":
            record = game.records[id]
            where = f"held by {name(record.holder)}" if record.holder else f"on {record.at}" if record.at else "to be won"
            lines.append(f"{thing(id).capitalize()}: {where}")
        elif placed.interaction:
            lines.append(
                f"{thing(id).capitalize()} on {placed.at}: {'done' if game.records[id].done else thing(placed.interaction)}"
            )
    lines += _drafted(game, seat)
    return [*lines, *_board_lines(game)]


def _model_lines(game: Game, side: str, who: str) -> list[str]:
    record = game.records[who]
    sheet = game.table.sheets[who]
    if record.out:
        return [f"{name(who)} {'is out' if record.out == 'out' else 'has left'}"]
    of = f" ({name(side)})" if side != who else ""
    speed, combat = sheet.speed - record.speed_spent, sheet.combat - record.combat_spent
    numbers = (
        f"Mind {record.left}/{record.mind}  Speed {speed}/{sheet.speed}  Combat {combat}/{sheet.combat}  "
        f"Body {record.body}/{sheet.body}  Guard {sheet.guard}"
    )
    lines = [f"{name(who) + of:<20} on {record.at}  {numbers}"]
    track = " ".join(f"{phase}" if marked(record.mind, phase) else "." for phase in range(1, 11))
    lines.append(f"    acts in   {track}")
    weapons = [thing(weapon) + ("" if weapon in record.ready else " (stowed)") for weapon in sheet.weapons]
    lines.append(f"    weapons   {listed(weapons)}")
    notes = []
    if record.saved:
        notes.append(plural(record.saved, "saved Action"))
    if record.prepared:
        flips = flips_prepared(game, record)
        notes.append(f"prepared for {plural(record.prepared, 'phase')}" + (f" ({plural(flips, 'flip')})" if flips else ""))
    if record.overspent:
        notes.append("overspent")
    if notes:
        lines.append(f"    {'; '.join(notes)}")
    return lines


def _drafted(game: Game, seat: str) -> list[str]:
    """What the seat has ordered so far in this phase; nobody else is shown it (SOL-HIDE-2)."""
    branch = (game.branches or {}).get(seat)
    if branch is None:
        return []
    sealed: Any = branch.sealed if branch.closed else getattr(branch.agenda[-1], "sealed", ())
    lines = []
    for each in sealed or ():
        if isinstance(each[0], str):
            lines.append(f"    ordered   {name(each[0])} {deed_words(*deed_facts(Deed(*each)))}")
        else:
            lines.append(f"    committed {name(each[1])}: {dice_words(each[2], each[3])}")
    return lines


def _board_lines(game: Game) -> list[str]:
    table = game.table
    marks_on: dict[str, list[str]] = {}
    for who in table.order:
        if not game.records[who].out:
            marks_on.setdefault(game.records[who].at, []).append(name(who))
    for id, placed in table.things.items():
        if game.records[id].at:
            shut = " (shut)" if placed.kind == "door" and not game.records[id].done else ""
            marks_on.setdefault(game.records[id].at, []).append(thing(id) + shut)
    goal = table.scenario.objective
    if goal is not None and goal.to:
        marks_on.setdefault(goal.to, []).append("exit")
    width = 2 + max([7, *(len(text) for texts in marks_on.values() for text in texts)])
    lines = ["    " + "".join(chr(97 + column).ljust(width) for column in range(table.grid.columns)).rstrip()]
    for row in range(table.grid.rows):
        cells = table.grid.cells[row * table.grid.columns : (row + 1) * table.grid.columns]
        shown = [["#" * (width - 2)] if cell in table.obstacles else marks_on.get(cell, ["."]) for cell in cells]
        for place in range(max(map(len, shown))):
            parts = "".join((texts[place] if place < len(texts) else "").ljust(width) for texts in shown)
            lines.append(f"{row + 1 if place == 0 else ' '}   {parts}".rstrip())
    return lines
