"""The table as a seat sees it: the figures with their numbers, then the track with its terrain."""

from __future__ import annotations

from typing import Any

from ...engine import Game, unknown_to
from .facts import endurance, incapacitated, strife_seen
from .naming import face, listed, name, state_name, thing, title
from .phrases import effect_words, rounds_left

BAR = 12


def tableau(game: Game, seat: str) -> list[str]:
    """The lines of the table."""
    table = game.table
    objective = f"  objective: {thing(table.objective)}" if table.duel else ""
    lines = [f"{table.scenario.title}, round {game.round}{objective}"]
    unknown = unknown_to(game, seat)
    for side, figures in table.sides.items():
        if len(figures) > 1:
            lines.append(f"The {side} side")
        for who in figures:
            if who not in unknown:
                lines += _figure(game, who, seat)
    if not table.duel:
        lines += _track(game, seat)
    return lines


def _bar(value: int, most: int) -> str:
    """A number against its limit, drawn."""
    filled = min(BAR, -(-value * BAR // max(1, most)))
    return f"{'#' * filled}{'.' * (BAR - filled)} {value}/{most}"


def _figure(game: Game, who: str, seat: str) -> list[str]:
    record = game.records[who]
    sheet = game.table.sheets[who]
    if record.out:
        words = {"dead": "is dead", "defeated": "is defeated", "yielded": "has yielded", "away": "is still to come"}
        words["hidden"] = f"hides at position {record.at}"
        return [f"{name(who)} {words[record.out]}"]
    stance = f"{record.stance.title()} stance" if record.stance else "no stance yet"
    initiative = f"initiative {record.initiative + record.bid}"
    void = f"Void {'o' * record.void}{'.' * max(0, sheet.rings['void'] - record.void)}" if not sheet.minion else "minion"
    strife = strife_seen(game, who, seat)
    lines = [
        f"{name(who):<18} {stance:<15} {initiative:<14} {void}",
        f"    strife  {_bar(strife, sheet.composure)}   fatigue {_bar(record.fatigue, endurance(game, who))}",
        "    rings   " + "  ".join(f"{ring.title()} {value}" for ring, value in _rings(sheet)) + _skills(sheet),
    ]
    if record.items:
        lines.append(f"    gear    {', '.join(_item(game, item) for item in record.items)}")
    notes = _notes(game, who, seat)
    if notes:
        lines.append(f"    now     {'; '.join(notes)}")
    return lines


def _rings(sheet: Any) -> list[tuple[str, int]]:
    return [(ring, sheet.rings[ring]) for ring in ("air", "earth", "fire", "water", "void")]


def _skills(sheet: Any) -> str:
    ranks = [f"{title(skill)} {rank}" for skill, rank in sheet.skills.items() if rank]
    return f"   {', '.join(ranks)}" if ranks else ""


def _item(game: Game, item: Any) -> str:
    words = {"1h": "one hand", "2h": "two hands", "stowed": "stowed", "worn": "worn", "dropped": "dropped"}
    harm = f", {item.harm}" if item.harm else ""
    return f"{thing(item.card)} ({words[item.state]}{harm})"


def _notes(game: Game, who: str, seat: str) -> list[str]:
    record = game.records[who]
    facts = game.seats[seat]
    own = facts.role == "gm" or (facts.role == "player" and facts.side == game.table.side[who])
    notes = []
    if record.compromised:
        notes.append("COMPROMISED")
    if incapacitated(game, who):
        notes.append("INCAPACITATED")
    for condition in record.conditions:
        notes.append(f"dying ({rounds_left(record.dying)})" if condition == "dying" else state_name(condition))
    notes += [f"scar: {thing(scar)}" for scar in record.scars]
    if own:
        notes += [thing(trait) for trait in record.traits]
        if record.predict:
            notes.append(f"has noted {record.predict.title()}")
        if record.tainted:
            notes.append("Tainted")
    else:
        known = game.records[f"side.{facts.side}"] if facts.role == "player" else None
        if known is not None:
            notes += [f"known: {thing(trait)}" for figure, trait in known.traits if figure == who]
            if who in known.taints:
                notes.append("known to be Tainted")
        if record.predict:
            notes.append("has noted a ring")
    if record.reserve:
        notes.append("reserve " + " ".join(f"{title(skill)} {face(letters)}" for skill, letters in record.reserve))
    if record.wait:
        action, event, whom, near = record.wait
        notes.append(f"waits to {thing(action)} ({thing(event)}{' ' + near if near else ''}: {name(whom)})")
    if record.assisting:
        notes.append(f"assists {name(record.assisting[0])}")
    if record.clash:
        notes.append(f"clash with {name(record.clash)}")
    for effect in record.effects:
        if effect.name != "predicting":
            notes.append(effect_words(effect.name, effect.amount, effect.applies, effect.source, who))
    if record.unmasked:
        notes.append("unmasked")
    return notes


def _track(game: Game, seat: str) -> list[str]:
    """The positions from the first to the last that matter, with who stands there and what terrain is known."""
    table = game.table
    on: dict[int, list[str]] = {}
    for who in table.order:
        if not game.records[who].out:
            on.setdefault(game.records[who].at, []).append(name(who))
    places = [*on, *table.terrain]
    lines = ["The track"]
    for at in range(min(places), max(places) + 1):
        terrain = _terrain(game, at, seat)
        lines.append(f"  {at:>3}  {', '.join(on.get(at, [])):<44} {terrain}".rstrip())
    return lines


def _terrain(game: Game, at: int, seat: str) -> str:
    if at not in game.table.terrain:
        return ""
    piece = game.records[game.table.terrain[at]]
    facts = game.seats[seat]
    known = not piece.undiscovered or facts.role == "gm"
    if facts.role == "player" and at in game.records[f"side.{facts.side}"].terrain:
        known = True
    more = [f"{what} {ring}" for what, ring in (("hallowed", piece.hallowed), ("imbalanced", piece.imbalanced)) if ring]
    if known:
        return f"~ {listed([*piece.qualities, *more])}"
    return f"~ undiscovered: {listed(game.table.possible_terrain[at], 'or')}"
