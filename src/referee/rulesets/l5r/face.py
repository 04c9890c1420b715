"""Facts for the templates in `faces/`: figures with their tracks, the staredown, the track, from what one seat may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ...engine import Content, Event, Game, Id, Rolled, Unseen, View, total
from .cards import RINGS
from .check import Check
from .facts import terrain_at
from .naming import face as written
from .naming import name, thing, title
from .numbers import tn_lines
from .phrases import effect_words, rounds_left
from .setup import Table

KINDS: Final = ("pc", "adversary", "minion")
BANDS: Final = ("touch", "sword", "spear", "throw", "bow", "volley", "sight")
"""L5R-SKIR-3."""
OBJECTIVES: Final = {
    "first_strike": ("The first critical strike decides", "L5R-DUEL-15"),
    "first_blood": ("A critical strike of final severity 5 decides", "L5R-DUEL-16"),
    "incapacitation": ("Until one is Incapacitated or Unconscious", "L5R-DUEL-17"),
    "defeat": ("Until one is beaten", "L5R-DUEL-18"),
    "death": ("To the death", "L5R-DUEL-19"),
}
OUT: Final = {"dead": "dead", "defeated": "defeated", "yielded": "has yielded", "away": "still to come", "hidden": "in hiding"}
STATES: Final = {"1h": "in one hand", "2h": "in two hands", "stowed": "stowed", "worn": "worn", "dropped": "dropped"}
LEAST_TRACK: Final = 6


def face(content: Content, view: View) -> dict[str, Any]:
    """The figures in seat order, who comes first, the staredown of a duel, the track of a skirmish."""
    table: Table = content.setting.table
    seats = {who: table.placed[who].seat or table.side[who] for who in table.order}
    side = next((table.side[who] for who, seat in seats.items() if seat == view.seat), "")
    objective, rule = OBJECTIVES.get(table.objective, ("", ""))
    figures = [_figure(table, view, who, side) for who in table.order if who in view.records]
    return {
        "title": table.scenario.title,
        "kind": table.kind,
        "objective": objective,
        "objective_rule": rule,
        "round": view.round,
        "figures": figures,
        "sides": [
            {"name": title(each), "figures": [figure for figure in figures if figure["side"] == each]} for each in table.sides
        ],
        "order": _order(table, view) if view.round else [],
        "check": view.underway,
        "facing": _facing(table, view, seats),
        "track": None if table.duel else _track(table, view, side),
    }


def _figure(table: Table, view: View, who: Id, side: str) -> dict[str, Any]:
    record = view.records[who]
    sheet = table.sheets[who]
    endurance = sheet.endurance - record["endurance_lost"]
    strife = record["strife"] + (record["stain"] if record["tainted"] is True else 0)
    endures = any(effect.name == "endure" and effect.source == "incapacitated" for effect in record["effects"])
    return {
        "id": who,
        "name": name(who),
        "side": table.side[who],
        "kind": {"pc": "", "adversary": "adversary", "minion": "minion"}[sheet.kind],
        "out": OUT.get(record["out"], ""),
        "stance": record["stance"],
        "rings": [(ring, sheet.rings[ring]) for ring in RINGS],
        "skills": [(title(skill), rank) for skill, rank in sheet.skills.items() if rank],
        "strife": _against("Strife", "composure", strife, sheet.composure),
        "fatigue": _against("Fatigue", "endurance", record["fatigue"], endurance),
        "compromised": record["compromised"],
        "incapacitated": record["fatigue"] > endurance and not endures,
        "void": None if sheet.minion else (record["void"], sheet.rings["void"]),
        "honour": record["honour"],
        "glory": record["glory"],
        "focus": sheet.focus,
        "vigilance": sheet.vigilance,
        "weapons": [_weapon(table, item) for item in record["items"] if item.card in table.weapons],
        "armour": [_armour(table, item) for item in record["items"] if item.card in table.armours],
        "conditions": list(_conditions(table, record)),
        "traits": list(_traits(table, view, who, side)),
        "notes": list(_notes(record)),
        "reserve": [(title(skill), letters) for skill, letters in record["reserve"]],
        "at": record["at"],
        "ranges": _ranges(table, view, who),
    }


def _against(what: str, limit_name: str, value: int, limit: int) -> dict[str, Any]:
    """A track of boxes: those up to the line, and at least two beyond it."""
    return {
        "what": what,
        "limit_name": limit_name,
        "value": value,
        "limit": max(0, limit),
        "boxes": max(limit + 2, value),
        "over": value > limit,
    }


def _weapon(table: Table, item: Any) -> dict[str, Any]:
    card = table.weapons[item.card]
    grip = {"1h": card.one_hand, "2h": card.two_hands}.get(item.state)
    least, most = card.range
    return _item(item) | {
        "ready": item.state in ("1h", "2h"),
        "damage": card.damage + (grip.damage if grip else 0),
        "deadliness": card.deadliness + (grip.deadliness if grip else 0),
        "range": str(least) if least == most else f"{least} to {most}",
        "qualities": [thing(each) for each in table.qualities[item.card]],
    }


def _armour(table: Table, item: Any) -> dict[str, Any]:
    card = table.armours[item.card]
    less = {"damaged": 2, "destroyed": 99}.get(item.harm, 0)  # L5R-EQP-5
    values = (("physical", card.physical), ("supernatural", card.supernatural))
    return _item(item) | {
        "ready": item.state == "worn",
        "resistance": [(kind, max(0, value - less)) for kind, value in values if value or kind == "physical"],
        "qualities": [thing(each) for each in table.qualities[item.card]],
    }


def _item(item: Any) -> dict[str, Any]:
    return {"name": title(item.card), "state": STATES[item.state], "harm": item.harm}


def _conditions(table: Table, record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Words and the rule they rest on."""
    for condition in record["conditions"]:
        rule = table.conditions[condition].rule
        if condition == "dying":
            yield f"Dying, {rounds_left(record['dying'])}", rule
        elif "_wounded_" in condition:
            wound, _, ring = condition.rpartition("_")
            yield f"{title(wound)} ({ring.title()})", rule
        else:
            yield title(condition), rule
    for scar in record["scars"]:
        yield f"Scar: {thing(scar)}", "L5R-DMG-16"


def _traits(table: Table, view: View, who: Id, side: str) -> Iterator[tuple[str, str]]:
    """The traits that the seat knows of a figure, and how it comes to know."""
    record = view.records[who]
    if isinstance(record["traits"], Unseen):
        known = view.records[f"side.{side}"]["traits"] if side else ()
        found = [trait for figure, trait in known if figure == who]
    else:
        found = list(record["traits"])
    for trait in found:
        yield title(trait), table.traits[trait].kind
    if record["tainted"] is True:
        yield "Tainted", "taint"


def _notes(record: Mapping[str, Any]) -> Iterator[str]:
    if record["surprised"]:
        yield "surprised"
    if record["unmasked"]:
        yield "unmasked"
    predict = record["predict"]
    if isinstance(predict, Unseen):
        if predict.shown:
            yield "has noted a ring in secret"
    elif predict:
        yield f"has noted {predict.title()}"
    if record["wait"]:
        action, event, whom, near = record["wait"]
        yield f"waits to {thing(action)} ({thing(event)}{' ' + near if near else ''}: {name(whom)})"
    if record["assisting"]:
        yield f"assists {name(record['assisting'][0])}"
    if record["guarding"]:
        yield f"guards {name(record['guarding'])}"
    if record["clash"]:
        yield f"clash with {name(record['clash'])}"
    for effect in record["effects"]:
        if effect.name != "predicting":
            yield effect_words(effect.name, effect.amount, effect.applies, effect.source, record["id"])


def _here(table: Table, view: View) -> list[Id]:
    """The figures in the scene that the seat can see, in seat order."""
    return [who for who in table.order if who in view.records and not view.records[who]["out"]]


def _order(table: Table, view: View) -> list[dict[str, Any]]:
    """L5R-CON-9: the highest initiative first, then the lower honour; what only chance can order stands as seated."""
    here = _here(table, view)

    def key(who: Id) -> tuple[int, int, int]:
        record = view.records[who]
        return (-(record["initiative"] + record["bid"]), record["honour"], KINDS.index(table.sheets[who].kind))

    return [
        {
            "id": who,
            "name": name(who),
            "initiative": view.records[who]["initiative"],
            "bid": view.records[who]["bid"],
            "stance": view.records[who]["stance"],
        }
        for who in sorted(here, key=key)
    ]


def _facing(table: Table, view: View, seats: Mapping[Id, str]) -> dict[str, Any] | None:
    """The two of a duel, or of the clash whose staredown it is, with what the bids tell; None if nobody faces anybody."""
    bidding = view.about == "bid"
    pair = table.order
    if not table.duel:
        pairs = [(who, view.records[who]["clash"]) for who in _here(table, view) if view.records[who]["challenger"]]
        fought = [each for each in pairs if view.records[each[0]]["clash_round"]]
        asked = [each for each in pairs if bidding and any(seats[who] in (*view.asked, *view.sealed) for who in each)]
        chosen = asked or fought
        if not chosen:
            return None
        pair = chosen[0]
    return {
        "round": view.round if table.duel else view.records[pair[0]]["clash_round"],
        "bidding": bidding,
        "figures": [_duellist(table, view, who, bidding, seats[who]) for who in pair],
    }


def _duellist(table: Table, view: View, who: Id, bidding: bool, seat: str) -> dict[str, Any]:
    record = view.records[who]
    weapons = [item for item in record["items"] if item.card in table.weapons]
    readied = next((item for item in weapons if item.state in ("1h", "2h")), None)
    state = ""
    if bidding and not record["out"]:
        state = "sealed" if seat in view.sealed else "asked" if seat in view.asked else "none"
    blade = readied or next((item for item in weapons if item.state == "stowed"), None)
    shape = "" if blade is None else _shape(table, blade.card)
    dropped = ", ".join(f"{thing(item.card)} dropped" for item in weapons if item.state == "dropped")
    return {
        "id": who,
        "name": name(who),
        "stance": record["stance"],
        "bid": record["bid"],
        "initiative": record["initiative"],
        "state": state,
        "drawn": readied is not None,
        "shape": shape,
        "weapon": dropped or "no weapon" if blade is None else f"{thing(blade.card)} {_carried(shape, readied is not None)}",
        "compromised": record["compromised"],
        "out": OUT.get(record["out"], ""),
    }


def _shape(table: Table, weapon: Id) -> str:
    """How a weapon is drawn."""
    card = table.weapons[weapon]
    if card.skill == "ranged":
        return "bow"
    if card.range[0] > 1:
        return "pole"
    return "blade" if "razor_edged" in card.qualities else "club"


def _carried(shape: str, ready: bool) -> str:
    return "readied" if ready else "sheathed" if shape == "blade" else "stowed"


def _ranges(table: Table, view: View, who: Id) -> list[tuple[str, int, str]]:
    """How far the foes of a figure in a skirmish are (L5R-SKIR-5)."""
    if table.duel or view.records[who]["out"]:
        return []
    foes = [foe for foe in _here(table, view) if foe in table.foes[who]]
    bands = [(name(foe), min(6, abs(view.records[who]["at"] - view.records[foe]["at"]))) for foe in foes]
    return [(foe, band, BANDS[band]) for foe, band in bands]


def _track(table: Table, view: View, side: str) -> dict[str, Any]:
    """The positions that matter, six at least, with the band of each as seen from the seat's first figure."""
    here = _here(table, view)
    places = [*(view.records[who]["at"] for who in here), *table.terrain]
    first = min(places, default=0)
    last = max(max(places, default=0), first + LEAST_TRACK - 1)
    viewer = next((who for who in here if table.side[who] == side), here[0] if here else "")
    eye = view.records[viewer]["at"] if viewer else first
    return {
        "viewer": name(viewer),
        "places": [
            {
                "at": at,
                "band": (band := min(6, abs(at - eye))),
                "reach": BANDS[band],
                "who": [who for who in here if view.records[who]["at"] == at],
                **_terrain(table, view, at),
            }
            for at in range(first, last + 1)
        ],
    }


def _terrain(table: Table, view: View, at: int) -> dict[str, Any]:
    """What the seat knows of the terrain of a position: qualities, else what it may be (L5R-HIDE-7)."""
    if at not in table.terrain:
        return {"terrain": [], "maybe": []}
    piece = view.records[table.terrain[at]]
    open_to_all = [f"{what} {piece[what].title()}" for what in ("hallowed", "imbalanced") if piece[what]]
    if isinstance(piece["qualities"], Unseen):
        return {"terrain": open_to_all, "maybe": [thing(each) for each in table.possible_terrain[at]]}
    return {"terrain": [*(thing(each) for each in piece["qualities"]), *open_to_all], "maybe": []}


def underway(game: Game, seat: str) -> dict[str, Any]:
    """The check that is under way once it is fixed: what by whom, the TN line by line, the dice, those that lie on the table."""
    depth = game.find(Check)
    check: Any = game.agenda[depth] if depth >= 0 else None
    if check is None or not check.limit:
        return {}
    lines = tuple(tn_lines(game, check)) if _knows_ground(game, seat, (check.who, *check.targets)) else ()
    added_up = total(lines, 0 if check.tn_base == 0 else 1) == check.tn
    return {
        "who": check.who,
        "skill": title(check.skill),
        "ring": check.ring,
        "purpose": thing(check.technique or check.purpose),
        "targets": [name(each) for each in check.targets],
        "tn": check.tn,
        "lines": [(amount, thing(source), rule) for amount, source, rule in lines] if added_up and len(lines) > 1 else [],
        "ring_dice": check.ring_dice,
        "skill_dice": check.skill_dice,
        "limit": check.limit,
        "dice": [(die.kind, die.face, die.fate) for die in check.dice],
        "successes": check.raw,
    }


def _knows_ground(game: Game, seat: str, figures: tuple[Id, ...]) -> bool:
    """Whether a seat knows the terrain on which all these figures stand (L5R-HIDE-7): lines of a TN would tell it."""
    facts = game.seats[seat]
    found = game.records[f"side.{facts.side}"].terrain if facts.role == "player" else ()
    for who in figures:
        at = game.records[who].at
        piece = terrain_at(game, at)
        if piece is not None and piece.undiscovered and facts.role != "gm" and at not in found:
            return False
    return True


def rolled(event: Event) -> Iterator[Rolled]:
    """The dice in an event, as its line writes them."""
    facts = event.facts
    for kind, letters in (*facts.get("dice", ()), *facts.get("dropped", ())):
        yield "", written(letters), ((kind, letters),)
    for letters in facts.get("faces", ()):
        yield "", written(letters), (("any", letters),)
