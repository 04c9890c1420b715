"""The table as a seat sees it: characters with their numbers, then the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine import HIDDEN, Game, Id, unknown_to
from .checks import active
from .hidden import doubtful, unknown_kinds

if TYPE_CHECKING:
    from .setup import Table


def tableau(game: Game, seat: str) -> list[str]:
    """The table as a seat sees it."""
    table: Table = game.table
    unknown = unknown_to(game, seat)
    order = tuple(who for who in game.records["order"].who if who not in unknown)
    lines = [f"Full Round {game.round}" + (f"   order: {' > '.join(_name(who) for who in order)}" if order else "")]
    for side, figures in table.sides.items():
        lines.append(_name(side) + _objective(game, side))
        for who in figures:
            if who not in unknown:
                lines += _character(game, who)
    return [*lines, *_board(game, seat)]


def _name(id: str) -> str:
    return id.replace("_", " ").title()


def _thing(id: str) -> str:
    return id.replace("_", " ")


def _objective(game: Game, side: str) -> str:
    goal = game.table.scenario.objective
    if goal is None:
        return ""
    return f"   {goal.name}: {dict(game.records['objective'].done)[side]} of {goal.times}"


def _bar(value: int, most: int, width: int = 12) -> str:
    full = -(-max(0, value) * width // most)
    return "#" * full + "." * (width - full)


def _character(game: Game, who: Id) -> list[str]:
    record = game.records[who]
    sheet = game.table.characters[who]
    if record.out == HIDDEN:
        return [f"  {_name(who):<10} hides on {record.at}, HP {record.hp}/{sheet.max_hp}"]
    if record.out:
        return [f"  {_name(who):<10} {'dead' if record.out == 'dead' else 'has left'}"]
    now = active(game)
    slots = (
        f"{record.slots} slot{'' if record.slots == 1 else 's'}"
        if now == who
        else f"{record.slots} reserved"
        if record.acted
        else "no slots yet"
    )
    mark = ">" if now == who else " "
    state = "" if record.hp > 0 else "  VULNERABLE"
    lines = [
        f"{mark} {_name(who):<10} {record.at}  HP {_bar(record.hp, sheet.max_hp)} {record.hp:>2}/{sheet.max_hp:<3} {slots:<12} "
        f"accuracy {sheet.accuracy:+d}  evasion {sheet.evasion:+d}{state}"
    ]
    notes = []
    stress = [f"{track} {getattr(record, track)}" for track in ("physical", "mental", "vocal") if getattr(record, track)]
    if stress:
        notes.append(f"stress: {', '.join(stress)}")
    notes += [f"{kind} {getattr(record, kind)}" for kind in ("bleed", "hemorrhage", "stunned") if getattr(record, kind)]
    if record.slowed:
        notes.append("slowed")
    if record.exhausted:
        notes.append("physically burnt out")
    if record.mute:
        notes.append("vocally burnt out")
    if record.items:
        notes.append(", ".join(f"{_thing(item.id)} {item.durability}" for item in record.items))
    notes += [f"{_thing(resource)} {have}/{sheet.named[resource]}" for resource, have in record.named]
    if notes:
        lines.append(f"               {'; '.join(notes)}")
    return lines


def _board(game: Game, seat: str) -> list[str]:
    table: Table = game.table
    on = {game.records[who].at: _name(who)[:10] for who in table.figures if not game.records[who].out}
    traps = game.records["traps"]
    everything = not table.hidden_traps or game.seats[seat].role == "gm"
    shown = dict(traps.placed if everything else traps.known)
    possible = doubtful(game) if unknown_kinds(game) else []
    width = 4 + max((len(name) for name in on.values()), default=0)
    lines = ["", ("    " + "".join(chr(97 + column).ljust(width) for column in range(table.grid.columns))).rstrip()]
    for row in range(table.grid.rows):
        texts = []
        for tile in table.grid.cells[row * table.grid.columns : (row + 1) * table.grid.columns]:
            ground = "!" if tile in shown else "?" if tile in possible and not everything else "."
            if tile == table.objective_at:
                ground = f"[{table.objective_name}]"[:width]
            texts.append((ground + (f" {on[tile]}" if tile in on else "")).ljust(width))
        lines.append(f"{row + 1:>2}  {''.join(texts)}".rstrip())
    if traps.kinds:
        kinds = ", ".join(_thing(kind) for kind in traps.kinds)
        where = "lies on a tile marked !" if everything or not possible else "may lie on a tile marked ?"
        lines.append(f"    {kinds}: {where}")
    return lines
