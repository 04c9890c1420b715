"""What one seat is shown: plain facts for templates, taken from what the encounter tells that seat and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from ..engine.encounter import Encounter, Shown
from ..engine.events import Event
from ..engine.hiding import unknown_seats, unknown_to
from ..engine.numbers import Breakdown, Reason
from ..engine.questions import Choice, Offer, Roll
from ..engine.ruleset import Rolled
from ..engine.views import Unseen, View
from . import sums
from .acts import HOST
from .languages import language
from .rooms import Room
from .state import State
from .texts import text

COLOURS: Final = 8
NEW: Final = 30  # questions of a seat at a table that may come with a hint
FEW: Final = 40  # offers up to which every number is shown with its lines

_MARKED: Final = 256  # scenarios, each in one language
_MARKS: Final[dict[tuple[str, str], tuple[dict[str, int], dict[str, dict[str, Any]]]]] = {}

_json = msgspec.json.Encoder().encode


def called(id: str) -> str:
    """A seat or figure as people read it."""
    return text("gm") if id == "gm" else id.replace("_", " ").title()


def thing(id: str) -> str:
    """Anything else that has an id."""
    return id.replace("_", " ").replace(".", " ")


def plain(value: Any) -> str:
    """A value as JSON on one line."""
    return _json(value).decode()


def figures(encounter: Encounter) -> dict[str, int]:
    """A colour for every figure and every seat without one, always the same in a scenario."""
    return _marks(encounter)[0]


def token(encounter: Encounter, who: str) -> dict[str, Any]:
    """A letter and a colour for a figure or seat."""
    colours, tokens = _marks(encounter)
    return tokens[who] if who in tokens else _token(encounter, who, colours)


def _token(encounter: Encounter, who: str, colours: dict[str, int]) -> dict[str, Any]:
    role = encounter.game.seats[who].role if who in encounter.game.seats else "player"
    colour = colours.get(who)
    kind = f"c{colour}" if colour is not None else {"gm": "gm", "spectator": "watch"}.get(role, "none")
    return {"id": who, "name": called(who), "letter": called(who)[:1], "colour": kind}


def _marks(encounter: Encounter) -> tuple[dict[str, int], dict[str, dict[str, Any]]]:
    """The colours and tokens of all seats and figures: made once for a scenario's content, in which they never change."""
    key = encounter.content.digest, language()
    if key not in _MARKS:
        seats = encounter.game.seats.values()
        names = [figure for seat in seats for figure in (seat.figures or (seat.name,)) if seat.role == "player"]
        colours = {name: place % COLOURS for place, name in enumerate(dict.fromkeys(names))}
        for seat in seats:
            if seat.role == "player" and seat.figures:
                colours.setdefault(seat.name, colours[seat.figures[0]])
        while len(_MARKS) >= _MARKED:
            del _MARKS[next(iter(_MARKS))]
        _MARKS[key] = colours, {who: _token(encounter, who, colours) for who in (*colours, *encounter.game.seats)}
    return _MARKS[key]


def view_of(room: Room, seat: str) -> View:
    """All that a seat may know, looked up once for each state of the table."""
    key = ("view", seat)
    if key not in room.shown:
        room.shown[key] = room.state.encounter.view(seat)
    found: View = room.shown[key]
    return found


def top(room: Room, seat: str) -> dict[str, Any]:
    """The round, and who is asked."""
    state = room.state
    encounter = state.encounter
    view = view_of(room, seat)
    away = unknown_seats(encounter.game, seat) if seat in encounter.game.seats else ()
    chips = []
    for name in state.seats("player"):
        if name in away:
            continue
        asked = name in view.asked
        chips.append(
            token(encounter, name)
            | {"asked": asked, "sealed": name in view.sealed, "bot": name in state.bots, "you": name == seat}
        )  # fmt: skip
    return {
        "round": view.round, "round_name": encounter.content.ruleset.round_name, "over": view.result is not None,
        "chips": chips, "seat": token(encounter, seat),
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
    view = view_of(room, seat)
    ruleset = encounter.content.ruleset
    face = dict(ruleset.face(encounter.content, view)) if ruleset.face is not None else {}
    tokens = {who: token(encounter, who) for who in figures(encounter)}
    asked = _figures_asked(encounter, seat, view.asked)
    shared = {"cells": cells, "targets": targets, "tokens": tokens, "asked": asked, "you": list(game.seats[seat].figures)}
    return {"face": face, **shared}


def _figures_asked(encounter: Encounter, seat: str, seats: tuple[str, ...]) -> list[str]:
    """The figures that are asked for: of secret choices those of the seats, but one's own figure alone."""
    game = encounter.game
    if isinstance(game.question, Choice) and game.question.who in figures(encounter):
        return [game.question.who]
    own = encounter.choice(seat)
    unknown = unknown_to(game, seat)
    found: list[str] = []
    for name in seats:
        if name == seat and own is not None and own.who:
            found.append(own.who)
        else:
            found += [each for each in game.seats[name].figures or (name,) if each not in unknown]
    return found


def tableau(room: Room, seat: str) -> list[tuple[str, bool]]:
    """The game's own lines of text, and whether one heads what stands indented below it."""
    game = room.state.encounter.game
    lines = [each for line in game.ruleset.words.tableau(game, seat) for each in str(line).splitlines() or [""]]
    return [(line, line[:1].isalpha()) for line in lines]


def records(room: Room, seat: str) -> list[dict[str, Any]]:
    """Every record as the seat may know it, field by field."""
    view = view_of(room, seat)
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
    return view_of(room, room.state.seats("gm")[0])


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
    keeps = shown.choice.form == "keep"
    numbers = [_number(each) for each in encounter.breakdown(shown)] if with_numbers or keeps else []
    return {
        "place": place, "value": plain(offer.value), "label": shown.label, "group": offer.group, "cell": offer.cell,
        "target": offer.target, "dice": list(offer.dice), "rules": list(dict.fromkeys(offer.rules)),
        "cost": [(amount, thing(what)) for amount, what in offer.cost],
        "numbers": [] if keeps else numbers, "comes": [(each["name"], each["total"]) for each in numbers] if keeps else [],
    }  # fmt: skip


def _number(number: Breakdown) -> dict[str, Any]:
    lines = [
        (f"{value:+d}" if place else str(value), thing(source), rule) for place, (value, source, rule) in enumerate(number.lines)
    ]
    floored = number.least is not None and number.total != sum(line[0] for line in number.lines)
    name = number.name.upper() if len(number.name) < 3 else thing(number.name)  # TN, HP
    return {"name": name, "total": number.total, "lines": lines, "least": number.least if floored else None}


def question(room: Room, seat: str) -> dict[str, Any]:
    """What the seat is asked, or whom it waits for; undo, conceding and the end with it."""
    state = room.state
    encounter = state.encounter
    game = encounter.game
    role = state.role(seat)
    view = view_of(room, seat)
    told: dict[str, Any] = {
        "kind": "idle", "ticket": room.ticket(seat), "act": room.next_act(seat), "agenda": view.agenda, "role": role,
        "paused": state.paused, "waiting": [called(each) for each in view.asked if each != seat],
        "pending": None, "refused": None, "may_undo": role == "player" and _has_answered(state, seat),
        "may_concede": False, "result": None, "draft": list(state.drafts.get(seat, ())),
        "intro": "" if _has_answered(state, seat) else str(encounter.content.scenario.about),
        "odds_shown": state.odds if room.rooms.odds is not None else None,
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


def _has_answered(state: State, seat: str) -> bool:
    """Whether the seat was asked anything before what it is asked now."""
    return state.asked.get(seat, 0) > (seat in state.encounter.asked())


def _asked(room: Room, seat: str, choice: Choice) -> dict[str, Any]:
    state = room.state
    encounter = state.encounter
    game = encounter.game
    words = game.ruleset.words
    groups: dict[str, list[dict[str, Any]]] = {}
    number = 0
    # Squares lie on the board too; they get no digit, and stand behind what else is on offer.
    for offer in offers(room, seat):
        groups.setdefault(offer["group"] if not offer["cell"] else f"{offer['group']} squares", []).append(offer)
    about = str(words.about(game, choice))
    dice = dice_to_keep(choice, offers(room, seat))
    shown: list[dict[str, Any]] = []
    for name, members in groups.items():
        squares = on_board(members)
        rows = []
        for offer in members:
            if not squares:
                number += 1
            rows.append(offer | {"key": str(number) if number < 10 and not squares and not dice else ""})
        shown.append(
            {
                "name": name,
                "title": _common([each["label"] for each in members]) if squares else thing(name),
                "squares": squares,
                "offers": rows,
            }
        )
    common = sums.common([row for each in shown for row in each["offers"]])
    sums.name_cards([row for each in shown for row in each["offers"]])
    refusals = [
        {
            "label": str(words.label(game, choice, Offer(each.value, each.group))),
            "reasons": [_reason(encounter, why) for why in each.reasons],
        }
        for each in encounter.refusals(seat)
    ]
    return {
        "kind": "choice", "about": _undiced(about) if dice else about, "who": token(encounter, choice.who or seat),
        "form": choice.form, "groups": shown, "refusals": refusals, "secret": game.branches is not None, "dice": dice,
        "numbers": common, "topic": choice.about.partition(" ")[0] if state.asked.get(seat, 0) <= NEW else "",
    }  # fmt: skip


def on_board(offers: list[dict[str, Any]]) -> bool:
    """Whether like offers are shown as squares of the board, and in the question in brief."""
    return bool(offers[0]["cell"]) and len(offers) > 3


def dice_to_keep(choice: Choice, offers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The dice that are chosen among, under the form "keep". Each offer gets `match`: what tells its dice from those of others.

    That is their faces, so that equal dice may stand for one another, or their places where faces tell too little.
    """
    if choice.form != "keep" or not choice.facts:
        return []
    dice = [{"place": place, "kind": str(kind), "face": str(face)} for place, (kind, face) in enumerate(choice.facts[0], 1)]
    names = [f"{each['kind']}:{each['face']}" for each in dice]
    by_face = [" ".join(sorted(names[place - 1] for place in offer["dice"])) for offer in offers]
    telling = len(set(by_face)) == len(by_face)
    for offer, match in zip(offers, by_face, strict=True):
        offer["match"] = match if telling else " ".join(sorted(str(place) for place in offer["dice"]))
        offer["short"] = _undiced(offer["label"])
    for each, name in zip(dice, names, strict=True):
        each["match"] = name if telling else str(each["place"])
        each["picked"] = each["place"] in offers[0]["dice"]
    return dice


def _undiced(text: str) -> str:
    """A text up to where it lists dice, which are shown as pictures: `Keep up to 2, TN 3: ring 1:{S}`."""
    head, found, _ = text.partition("{")
    end = max(head.rfind(": "), head.rfind("? ") + 1)
    return head[:end] if found and end > 0 else text


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
    text = text.strip("- ") if heading else text
    who = event.facts.get("who")
    about = token(encounter, who) if isinstance(who, str) and who in figures(encounter) else None
    return {
        "text": text, "pieces": _pieces(text, encounter.game.ruleset.rolled(event)), "heading": heading, "rules": rules,
        "kind": event.kind, "who": about, "secret": event.seen_by is not None, "deep": event.depth > 4,
    }  # fmt: skip


def _pieces(text: str, rolled: Iterable[Rolled]) -> list[str | tuple[str, str]]:
    """A line in pieces: words, and dice as (kind, face)."""
    pieces: list[str | tuple[str, str]] = []
    for before, written, dice in rolled:
        head, found, tail = text.partition(before + written)
        if found:
            pieces += [head + before, *dice]
            text = tail
    return [*pieces, text]


def events(room: Room, seat: str) -> list[Event]:
    """The log that the seat may see, without what is shown on request only."""
    key = ("events", seat)
    if key not in room.shown:
        room.shown[key] = [event for event in room.state.encounter.events_for(seat) if not event.explain]
    found: list[Event] = room.shown[key]
    return found
