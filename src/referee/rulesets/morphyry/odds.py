"""Odds and plans of Morphyry: the fewest turns in which a technique can be finished, dropping and breaking a weapon.

A plan is found by playing: a table is set up with the avatar alone against one who does nothing, and its own answers are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Final

from ...dice import D10, Die
from ...engine import Choice, Game, Offer
from ...engine.chances import Aim, Odds, Option, Tools
from .checks import techniques

OPTIONS: Final = (
    Option("electra", "number", "Electra rating.", 4, least=0),
    Option("corpus", "number", "Corpus rating.", 4, least=0),
    Option("spiritum", "number", "Spiritum rating.", 4, least=0),
    Option("with", "word", "An artifact that is ready; may be given again.", many=True),
    Option("on", "word", "The kind of square stood on.", "court"),
    Option("drop", "flag", "The chance that a weapon in hand is dropped."),
    Option("break", "flag", "The chance that a weapon breaks: name it with --with."),
)

HIGHEST: Final = 20
"""Ratings above this are refused."""


def answer(asked: Mapping[str, Any], tools: Tools) -> dict[str, Any]:
    """A plan, or the chance of a Drop or Break. ValueError if the question makes no sense."""
    ratings = {name: asked[name] for name in ("corpus", "electra", "spiritum")}
    for name, rating in ratings.items():
        if rating > HIGHEST:
            raise ValueError(f"{name} {rating} is too much: at most {HIGHEST}")
    artifacts = tools.cards("artifacts")
    for each in asked["with"]:
        if each not in artifacts:
            raise ValueError(f"there is no artifact {each!r}{_nearest(each, artifacts)}")
    told: dict[str, Any] = {}
    if asked["drop"]:
        # MOR-WEAP-3, MOR-WEAP-5: greater than the Corpus rating drops it, equal holds.
        told["drop"] = D10.law().chance(lambda roll: roll > asked["corpus"])
    if asked["break"]:
        weapons = [artifacts[each] for each in asked["with"] if artifacts[each].weapon]
        if not weapons:
            raise ValueError("say which weapon may break: --with sword --break")
        # MOR-WEAP-4, MOR-WEAP-5: greater than the break figure breaks it.
        figure = weapons[0].break_above
        told["break"] = Die(weapons[0].break_die).law().chance(lambda roll: roll > figure)
    if told:
        if len(told) == 1:
            told["chance"] = next(iter(told.values()))
        told |= {"exact": True, "missing": Fraction(0)}
    if asked["subject"] is None:
        if not told:
            raise ValueError("name a technique to plan for, or ask for --drop or --break")
        return told
    return told | _plan(asked, ratings, tools)


def _nearest(name: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(name, known, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(sorted(known))}"


def _plan(asked: Mapping[str, Any], ratings: Mapping[str, int], tools: Tools) -> dict[str, Any]:
    known = tools.cards("techniques")
    name = asked["subject"].replace(" ", "_").lower()
    if name not in known:
        raise ValueError(f"there is no technique {asked['subject']!r}{_nearest(name, known)}")
    squares = tools.cards("squares")
    if asked["on"] not in squares:
        raise ValueError(f"there is no square {asked['on']!r}{_nearest(asked['on'], squares)}")
    start = tools.stage(
        {
            "figures": [{"avatar": "sable", "at": "b2"}, {"avatar": "garrick", "at": "c2"}],
            "board": [[asked["on"]] * 5] * 3,
        },
        {
            "turn": "sable",
            "sable": {**ratings, "card": name, "hand": [], "artifacts": list(asked["with"])},
            "garrick": {"hand": [], "artifacts": []},
        },
    )
    end = tools.plan(start, aim("sable", name))
    if end is None:
        return {"technique": name, "turns": None, "timetable": [], "why": list(_why_not(known[name], ratings))}
    timetable = _timetable(end.events(), "sable")
    return {
        "technique": name,
        "turns": len(timetable),
        "timetable": timetable,
        "risks": list(_risks(known[name], timetable)),
    }


def plans(encounter: Any, seat: str, find: Callable[[Any, Aim], Any]) -> Iterator[dict[str, Any]]:
    """For each technique that an avatar of a seat has in play or in hand: the fewest turns to finish it from here."""
    game = encounter.game
    cards = game.table.techniques
    for who in game.table.order:
        if game.seat_of.get(who) != seat or game.records[who].out:
            continue
        in_play = [each.card for each in techniques(game, who) if each.card]
        for card in dict.fromkeys((*in_play, *game.records[who].hand)):
            end = find(encounter, aim(who, card, seat))
            told = {"technique": card, "who": who, "in_play": card in in_play}
            if end is None:
                yield told | {"turns": None, "timetable": [], "why": ["no way to it was found on which no dice fall"]}
                continue
            timetable = _timetable(end.events(), who)
            yield told | {"turns": len(timetable), "timetable": timetable, "risks": list(_risks(cards[card].card, timetable))}


def aim(who: str, card: str, seat: str = "") -> Aim:
    """To finish a technique in the fewest rounds: ticks, waiting and Speed, nothing else; others do as little as they may."""

    def done(game: Game) -> bool:
        events = game.events or []
        return any(
            event.kind == "enacted" and event.facts["who"] == who and event.facts["card"] == card
            for event in events[max(0, game.logged - 12) : game.logged]
        )

    def wanted(game: Game, choice: Choice, offer: Offer) -> bool:
        if choice.about == "deploy":
            return offer.value in ("nothing", ("deploy", card))
        return offer.group in ("invoke", "tick", "owed", "stop") or choice.about not in ("speed", "spend", "interrupt")

    def others(game: Game, choice: Choice) -> Offer:
        return next((offer for offer in choice.offers if offer.value in ("nothing", "keep", "stop", "fail")), choice.offers[0])

    return Aim(seat or who, done, lambda game: game.round, wanted, others)


def _timetable(events: list[Any], who: str) -> list[dict[str, Any]]:
    """What the log says of each turn: Electra invoked, ticks, checks with the points that they take."""
    turns: list[dict[str, Any]] = []
    for event in events:
        facts = event.facts
        if facts.get("who") != who or event.kind not in ("turn", "invokes", "tick", "check"):
            continue
        if event.kind == "turn" or not turns:  # it may be in the middle of a turn that the plan begins
            turns.append({"turn": len(turns) + 1, "invoke": 0, "speed": 0, "ticks": [], "checks": []})
        if event.kind == "invokes":
            turns[-1] |= {"invoke": facts["points"], "speed": facts["speed"]}
        elif event.kind == "tick":
            turns[-1]["ticks"].append(facts["action"])
        elif event.kind == "check":
            turns[-1]["checks"].append(
                {"action": facts["action"], "points": facts["points"], "of": facts["of"], "left": facts["left"]}
            )
    return turns


def _why_not(card: Any, ratings: Mapping[str, int]) -> Iterator[str]:
    needed = sorted({need for action in card.actions for need in action.needs})
    if needed:
        yield f"it needs {', '.join(needed)}: --with ITEM, or --on SQUARE for outside"
    if not ratings["electra"]:
        yield "without Electra there is no Speed"
    yield "a call is greater than its pool can be, or the square forbids it"


def _risks(card: Any, timetable: list[dict[str, Any]]) -> Iterator[str]:
    """What can go wrong on the way: pools with nothing to spare, weapons, the consequences of failing, the turns between."""
    for turn in timetable:
        for check in turn["checks"]:
            if not check["left"] and check["points"]:
                yield f"turn {turn['turn']}: {check['action']} takes the last {check['of']}; one point lost before it fails"
    if len(timetable) > 1:
        between = len(timetable) - 1
        yield f"{between} {'turn' if between == 1 else 'turns'} of others in between: damage lowers the ratings"
    if "weapon" in [need for action in card.actions for need in action.needs]:
        yield "the weapon must stay in hand and ready"
    for consequence in card.fail:
        yield f"if it fails: {consequence}"


def tell(told: Mapping[str, Any]) -> Iterator[str]:
    """The answer in lines: a small timetable."""
    for name, words in (("drop", "dropped"), ("break", "broken")):
        if name in told:
            yield f"the weapon is {words}: {float(told[name]):.0%} = {told[name]}"
    if "technique" not in told:
        return
    title = told["technique"].replace("_", " ")
    if "who" in told:
        title = f"Plan for {told['who'].replace('_', ' ')}: {title}" + (" (in play)" if told["in_play"] else "")
    if told["turns"] is None:
        yield f"{title} cannot be finished like this:"
        yield from (f"  {reason}" for reason in told["why"])
        return
    yield f"{title}: {told['turns']} {'turn' if told['turns'] == 1 else 'turns'}"
    for turn in told["timetable"]:
        ticks = ", ".join(turn["ticks"]).replace("_", " ") or "none"
        yield f"  turn {turn['turn']}: invoke {turn['invoke']} Electra, Speed {turn['speed']}; ticks: {ticks}"
        for check in turn["checks"]:
            yield f"      {check['action'].replace('_', ' ')}: {check['points']} {check['of']}, {check['left']} left"
    yield from (f"  {risk}" for risk in told["risks"])


TOLD: Final = {
    "at": "moves to", "spirit": "spirit", "corpus": "Corpus", "electra": "Electra", "spiritum": "Spiritum",
    "corpus_pool": "Corpus pool", "electra_pool": "Electra pool", "spiritum_pool": "Spiritum pool", "speed": "Speed",
    "hand": "hand", "aside": "set aside", "prone": "prone", "out": "leaves", "holds": "turns held", "card": "technique",
    "action": "action", "ticks": "ticks", "drive": "drive", "counter": "counter", "states": "state", "artifacts": "artifact",
}  # fmt: skip
HARMS: Final = (("corpus", -1), ("electra", -1), ("spiritum", -1), ("spirit", -1), ("out", 0))

ODDS: Final = Odds(options=OPTIONS, answer=answer, tell=tell, subject="TECHNIQUE", plans=plans, told=TOLD, harms=HARMS)
