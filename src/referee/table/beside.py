"""What stands beside the offers: their odds as facts for templates, and which answer the game would give itself."""

from __future__ import annotations

from typing import Any, Final

from ..analysis.digests import Digest, Goal, Harm, Thing
from ..engine.encounter import Encounter
from ..engine.questions import Choice
from . import looking
from .reckoning import Mix, Reckoned
from .rooms import Room

FEW: Final = 24
"""Offers up to which all odds open in full."""
_WIDE: Final = 0.02  # an interval wider than this is shown
_VAGUE: Final = 0.25  # and wider than this it stands for the chance itself


def odds(room: Room, seat: str) -> dict[str, Any]:
    """The odds before a seat: `state` is off, wait, none or here; then `slots` by the offer's place, and `advice`."""
    reckoner = room.rooms.odds
    state = room.state
    choice = state.encounter.choice(seat) if seat in state.encounter.game.seats else None
    told: dict[str, Any] = {"state": "off", "slots": {}, "advice": None, "mix": None, "game": room.row.ruleset}
    if reckoner is None or not state.odds or choice is None or len(choice.offers) < 2 or seat in state.bots:
        return told
    reckoned = reckoner.of(room, seat)
    if reckoned is None:
        return told | {"state": "wait"}
    if reckoned.failed or len(reckoned.offers) != len(choice.offers):
        return told | {"state": "none"}
    if not any(each.goal or each.things or each.harms for each in reckoned.offers) and not _advises(choice):
        return told | {"state": "here"}  # all is certain, and the page says so by saying nothing
    whole = len(choice.offers) <= FEW
    offers = looking.offers(room, seat)
    squares = [each for each in offers if each["cell"]]
    brief = [each for each in squares if looking.on_board([other for other in squares if other["group"] == each["group"]])]
    cells = {each["place"]: each["cell"] for each in brief}
    slots = {place: _slot(state.encounter, each, whole, cells.get(place, "")) for place, each in enumerate(reckoned.offers)}
    if reckoned.mix is not None and len(reckoned.mix.worth) == len(slots):
        for place, slot in slots.items():
            slot["win"] = {"chance": percent(reckoned.mix.worth[place]), "part": round(100 * reckoned.mix.worth[place])}
            slot["best"] = reckoned.mix.weights[place] > 0
        return told | {"state": "here", "slots": slots, "mix": _mix(offers, reckoned.mix)}
    if reckoned.more and _advises(choice) and state.encounter.game.branches is not None:  # better advice is on its way
        return told | {"state": "wait", "slots": slots}
    return told | {"state": "here", "slots": slots, "advice": _advice(room, seat, choice, reckoned) if _advises(choice) else None}


def _advises(choice: Choice) -> bool:
    """Whether the question is one of those at which people reckon: bids, splits, dice to keep."""
    return choice.form in ("keep", "number") or any(offer.dice for offer in choice.offers)


def _slot(encounter: Encounter, digest: Digest, whole: bool, cell: str) -> dict[str, Any]:
    """`cell` is named where the offer itself stands on the board."""
    return {
        "goal": _goal(digest.goal),
        "harms": [_harm(encounter, each) for each in digest.harms],
        "sure": [_sure(encounter, *each) for each in digest.sure],
        "things": [_thing(encounter, each) for each in (digest.things if whole else digest.things[:1])],
        "whole": whole,
        "trust": _trust(digest),
        "cell": cell,
        "win": None,
        "best": not digest.behind,
        "behind": _number(digest.behind),
    }


def _goal(goal: Goal | None) -> dict[str, Any] | None:
    if goal is None:
        return None
    return {
        "what": goal.what, "how": goal.how, "chance": _roughly(goal.chance, goal.low, goal.high),
        "part": round(100 * goal.chance), "between": _between(goal.chance, goal.low, goal.high),
    }  # fmt: skip


def _harm(encounter: Encounter, harm: Harm) -> dict[str, Any]:
    who = _whose(encounter, harm.who)
    return {
        "who": who, "chance": _roughly(harm.chance, harm.low, harm.high), "part": round(100 * harm.chance),
        "between": _between(harm.chance, harm.low, harm.high),
        "amount": _signed(harm.amount), "what": harm.what,
    }  # fmt: skip


def _thing(encounter: Encounter, thing: Thing) -> dict[str, Any]:
    rows = [
        {
            "change": each.change, "chance": percent(each.chance),
            "part": round(1000 * each.chance) / 10, "between": _between(each.chance, each.low, each.high),
        }
        for each in thing.values
    ]  # fmt: skip
    return {
        "title": _title(encounter, thing.whose, thing.what), "rows": rows, "who": _whose(encounter, thing.whose),
        "what": thing.what, "mean": "" if thing.mean is None else _signed(thing.mean),
        "others": percent(thing.others) if thing.others else "",
    }  # fmt: skip


def _whose(encounter: Encounter, whose: str) -> dict[str, Any]:
    return looking.token(encounter, whose)


def _title(encounter: Encounter, whose: str, what: str) -> str:
    return f"{looking.called(whose.replace('.', ' '))}: {what}" if whose else what


def _sure(encounter: Encounter, whose: str, what: str, change: str) -> str:
    return f"{_title(encounter, whose, what)} {change}"


def _trust(digest: Digest) -> list[tuple[str, dict[str, Any]]]:
    """How far the chances can be trusted: texts with their facts."""
    if digest.exact:
        return [("odds_exact", {})]
    if digest.samples:
        return [("odds_sampled", {"count": digest.samples})]
    said: list[tuple[str, dict[str, Any]]] = []
    if digest.worlds:
        said.append(("odds_agreed" if digest.agreed else "odds_worlds", {"count": digest.worlds}))
    if digest.missing:
        said.append(("odds_missing", {"share": percent(digest.missing)}))
    return said


def _mix(offers: list[dict[str, Any]], mix: Mix) -> dict[str, Any]:
    """What to choose how often, the likeliest first."""
    chosen = sorted(
        ((weight, place) for place, weight in enumerate(mix.weights) if weight > 0), key=lambda each: (-each[0], each[1])
    )
    rows = [(offers[place]["label"], percent(weight), round(1000 * weight) / 10) for weight, place in chosen]
    return {"rows": rows, "chance": percent(mix.chance), "note": mix.note}


def _advice(room: Room, seat: str, choice: Choice, reckoned: Reckoned) -> dict[str, Any] | None:
    """The best answer and what it is worth over the next; None where all are as good."""
    offers = looking.offers(room, seat)
    behind = [each.behind for each in reckoned.offers]
    place = behind.index(0)
    others = sorted((each, where) for where, each in enumerate(behind) if each > 0)
    if not others:
        return None
    first, second = others[0]
    shown = looking.dice_to_keep(choice, offers)
    dice = offers[place]["dice"] if shown else []
    return {
        "place": place, "best": offers[place].get("short", offers[place]["label"]), "dice": dice,
        "pictures": [(shown[each - 1]["kind"], shown[each - 1]["face"]) for each in dice],
        "second": offers[second].get("short", offers[second]["label"]), "ahead": _number(first), "as_good": behind.count(0) - 1,
    }  # fmt: skip


def percent(chance: float) -> str:
    """A chance for people; what is not sure is never shown as 0 or 100."""
    if 0 < chance < 0.005:
        return "<1\N{NO-BREAK SPACE}%"
    if 0.995 < chance < 1:
        return ">99\N{NO-BREAK SPACE}%"
    return f"{100 * chance:.0f}\N{NO-BREAK SPACE}%"


def _roughly(chance: float, low: float, high: float) -> str:
    """A chance that says so where it is not known well; only between what it lies where it is hardly known."""
    if high - low > _VAGUE:
        return _between(chance, low, high)
    return f"\N{ALMOST EQUAL TO}{percent(chance)}" if high - low > _WIDE else percent(chance)


def _between(chance: float, low: float, high: float) -> str:
    return f"{percent(low)} to {percent(high)}" if high - low > _WIDE else ""


def _signed(value: float) -> str:
    """A mean with its sign; empty where it rounds to nothing."""
    return f"{value:+.1f}" if abs(value) >= 0.05 else ""


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
