"""What one seat is shown: plain facts for templates, taken from what the encounter tells that seat and nothing else."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ..engine.encounter import Encounter, Shown
from ..engine.events import Event
from ..engine.numbers import Breakdown, Reason
from ..engine.questions import Choice, Offer, Roll
from ..engine.views import Unseen
from .acts import HOST
from .rooms import Room

COLOURS: Final = 8
FEW: Final = 40  # offers up to which every number is shown with its lines

_json = msgspec.json.Encoder().encode


def called(id: str) -> str:
    """A seat or figure as people read it."""
    return "Game master" if id == "gm" else id.replace("_", " ").title()


def thing(id: str) -> str:
    """Anything else that has an id."""
    return id.replace("_", " ").replace(".", " ")


def plain(value: Any) -> str:
    """A value as JSON on one line."""
    return _json(value).decode()


def figures(encounter: Encounter) -> dict[str, int]:
    """A colour for every figure and every seat without one, always the same in a scenario."""
    seats = encounter.game.seats.values()
    names = [figure for seat in seats for figure in (seat.figures or (seat.name,)) if seat.role == "player"]
    colours = {name: place % COLOURS for place, name in enumerate(dict.fromkeys(names))}
    for seat in seats:
        if seat.role == "player" and seat.figures:
            colours.setdefault(seat.name, colours[seat.figures[0]])
    return colours


def token(encounter: Encounter, who: str) -> dict[str, Any]:
    """A letter and a colour for a figure or seat."""
    role = encounter.game.seats[who].role if who in encounter.game.seats else "player"
    colour = figures(encounter).get(who)
    kind = f"c{colour}" if colour is not None else {"gm": "gm", "spectator": "watch"}.get(role, "none")
    return {"id": who, "name": called(who), "letter": called(who)[:1], "colour": kind}


def top(room: Room, seat: str) -> dict[str, Any]:
    """The round, and who is asked."""
    state = room.state
    encounter = state.encounter
    view = encounter.view(seat)
    chips = []
    for name in state.seats("player"):
        asked = name in view.asked
        chips.append(
            token(encounter, name)
            | {"asked": asked, "sealed": name in view.sealed, "bot": name in state.bots, "you": name == seat}
        )  # fmt: skip
    return {
        "round": view.round, "over": view.result is not None, "chips": chips, "seat": token(encounter, seat),
        "gm": state.role(seat) in ("gm", HOST),
    }  # fmt: skip


def table(room: Room, seat: str) -> dict[str, Any]:
    """The table itself: the face's facts where the game has a face, else the game's own tableau."""
    encounter = room.state.encounter
    game = encounter.game
    cells: dict[str, list[dict[str, Any]]] = {}
    targets: dict[str, list[dict[str, Any]]] = {}
    for offer in offers(room, seat):
        if offer["cell"]:
            cells.setdefault(offer["cell"], []).append(offer)
        if offer["target"]:
            targets.setdefault(offer["target"], []).append(offer)
    view = encounter.view(seat)
    ruleset = encounter.content.ruleset
    face = dict(ruleset.face(encounter.content, view)) if ruleset.face is not None else {}
    tokens = {who: token(encounter, who) for who in figures(encounter)}
    asked = [figure for name in view.asked for figure in (game.seats[name].figures or (name,))]
    shared = {"cells": cells, "targets": targets, "tokens": tokens, "asked": asked, "you": list(game.seats[seat].figures)}
    return {"face": face, **shared}


def tableau(room: Room, seat: str) -> list[tuple[str, bool]]:
    """The game's own lines of text, and whether one heads what stands indented below it."""
    game = room.state.encounter.game
    lines = [each for line in game.ruleset.words.tableau(game, seat) for each in str(line).splitlines() or [""]]
    return [(line, line[:1].isalpha()) for line in lines]


def records(room: Room, seat: str) -> list[dict[str, Any]]:
    """Every record as the seat may know it, field by field."""
    view = room.state.encounter.view(seat)
    found = []
    for id, facts in view.records.items():
        rows = [
            (thing(name), None if isinstance(value, Unseen) else plain(value))
            for name, value in facts.items()
            if name not in ("id", "kind") and (isinstance(value, Unseen) or value not in ("", None, (), False))
        ]
        found.append({"id": id, "name": called(id.replace(".", " ")), "rows": rows})
    return found


def fields(room: Room) -> list[tuple[str, list[str]]]:
    """The records and their fields that a ruling may set."""
    return [(id, [name for name in facts if name not in ("id", "kind")]) for id, facts in _gm_view(room).records.items()]


def _gm_view(room: Room) -> Any:
    return room.state.encounter.view(room.state.seats("gm")[0])


def offers(room: Room, seat: str) -> list[dict[str, Any]]:
    """The offers before a seat, worded once for each state of the table."""
    key = ("offers", seat)
    if key not in room.shown:
        encounter = room.state.encounter
        shown = encounter.offers(seat)
        room.shown[key] = [_offer(encounter, place, each, len(shown) <= FEW) for place, each in enumerate(shown)]
    found: list[dict[str, Any]] = room.shown[key]
    return found


def _offer(encounter: Encounter, place: int, shown: Shown, with_numbers: bool) -> dict[str, Any]:
    offer = shown.offer
    return {
        "place": place, "value": plain(offer.value), "label": shown.label, "group": offer.group, "cell": offer.cell,
        "target": offer.target, "dice": list(offer.dice), "rules": list(dict.fromkeys(offer.rules)),
        "cost": [(amount, thing(what)) for amount, what in offer.cost],
        "numbers": [_number(each) for each in encounter.breakdown(shown)] if with_numbers else [],
    }  # fmt: skip


def _number(number: Breakdown) -> dict[str, Any]:
    lines = [
        (f"{value:+d}" if place else str(value), thing(source), rule) for place, (value, source, rule) in enumerate(number.lines)
    ]
    floored = number.least is not None and number.total != sum(line[0] for line in number.lines)
    return {"name": thing(number.name), "total": number.total, "lines": lines, "least": number.least if floored else None}


def question(room: Room, seat: str) -> dict[str, Any]:
    """What the seat is asked, or whom it waits for; undo, conceding and the end with it."""
    state = room.state
    encounter = state.encounter
    game = encounter.game
    role = state.role(seat)
    view = encounter.view(seat)
    told: dict[str, Any] = {
        "kind": "idle", "ticket": room.ticket(seat), "act": room.next_act(seat), "agenda": view.agenda, "role": role,
        "paused": state.paused, "waiting": [called(each) for each in view.asked if each != seat],
        "pending": None, "refused": None, "may_undo": role == "player" and state.done.get(seat, 0) > 0,
        "may_concede": False, "result": None,
    }  # fmt: skip
    if state.pending is not None:
        missing = [called(each) for each in state.pending.missing]
        own = state.pending.seat == seat
        told["pending"] = {
            "seat": called(state.pending.seat), "own": own, "missing": missing, "asked": seat in state.pending.missing,
        }  # fmt: skip
    elif state.refused is not None:
        told["refused"] = {"seat": called(state.refused[0]), "by": called(state.refused[1])}
    if encounter.question is None:
        assert encounter.result is not None
        return told | {"kind": "over", "result": str(game.ruleset.words.result(game, encounter.result)), "may_undo": False}
    told["may_concede"] = role == "player" and game.ruleset.concede is not None and not game.ruleset.conceded(game, seat)
    roll = encounter.question
    if isinstance(roll, Roll):
        if not state.may_throw(seat):
            return told | {"kind": "dice"}
        return told | {"kind": "throw", "about": str(game.ruleset.words.about(game, roll)), "dice": str(roll.spec)}
    choice = encounter.choice(seat)
    if choice is None:
        return told
    return told | _asked(room, seat, choice)


def _asked(room: Room, seat: str, choice: Choice) -> dict[str, Any]:
    encounter = room.state.encounter
    game = encounter.game
    words = game.ruleset.words
    groups: dict[str, list[dict[str, Any]]] = {}
    number = 0
    # Squares lie on the board too; they get no digit, and stand behind what else is on offer.
    for offer in offers(room, seat):
        groups.setdefault(offer["group"] if not offer["cell"] else f"{offer['group']} squares", []).append(offer)
    shown = []
    for name, members in groups.items():
        squares = bool(members[0]["cell"]) and len(members) > 3
        rows = []
        for offer in members:
            if not squares:
                number += 1
            rows.append(offer | {"key": str(number) if number < 10 and not squares else ""})
        shown.append(
            {
                "name": name,
                "title": _common([each["label"] for each in members]) if squares else thing(name),
                "squares": squares,
                "offers": rows,
            }
        )
    refusals = [
        {
            "label": str(words.label(game, choice, Offer(each.value, each.group))),
            "reasons": [_reason(encounter, why) for why in each.reasons],
        }
        for each in encounter.refusals(seat)
    ]
    return {
        "kind": "choice", "about": str(words.about(game, choice)), "who": token(encounter, choice.who or seat),
        "form": choice.form, "groups": shown, "refusals": refusals, "secret": game.branches is not None,
    }  # fmt: skip


def _common(labels: list[str]) -> str:
    """The words with which all labels begin."""
    words = []
    for each in zip(*(label.split() for label in labels), strict=False):
        if len(set(each)) > 1:
            break
        words.append(each[0])
    return " ".join(words) or "Squares"


def _reason(encounter: Encounter, why: Reason) -> dict[str, Any]:
    words = encounter.game.ruleset.words
    return {"text": sentence(str(words.reason(encounter.game, why))), "rules": list(dict.fromkeys(why.rules))}


def sentence(text: str) -> str:
    """A text with a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def line(encounter: Encounter, event: Event) -> dict[str, Any]:
    """A line of the log: words, rule ids, and whom it is about."""
    rules = list(dict.fromkeys(event.rules))
    text = encounter.line(event).removesuffix(f" [{', '.join(rules)}]")
    heading = text.startswith("---")
    who = event.facts.get("who")
    about = token(encounter, who) if isinstance(who, str) and who in figures(encounter) else None
    return {
        "text": text.strip("- ") if heading else text, "heading": heading, "rules": rules, "kind": event.kind,
        "who": about, "secret": event.seen_by is not None, "deep": event.depth > 4,
    }  # fmt: skip


def events(room: Room, seat: str) -> list[Event]:
    """The log that the seat may see, without what is shown on request only."""
    key = ("events", seat)
    if key not in room.shown:
        room.shown[key] = [event for event in room.state.encounter.events_for(seat) if not event.explain]
    found: list[Event] = room.shown[key]
    return found
