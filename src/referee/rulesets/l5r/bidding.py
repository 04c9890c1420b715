"""`referee odds l5r --staredown`: the bids of two duellists, of the starter set or sketched by a few numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Final

from ...engine.chances import Chart, Tools
from ...solvers import zero_sum
from .duel_table import Duel, First
from .duellists import Sketch, duel_of, sketched
from .staredown import PARTS, table_of

BAR: Final = 30
SKETCHED: Final = ("pool", "composure", "endurance", "focus", "damage", "blow")
"""Options that the sheets of characters answer."""
MOST: Final = {"composure": 20, "endurance": 20, "focus": 12, "damage": 20}
RULES: Final = 1
"""The version of the rules that sketched duels are reckoned under."""
NOTE: Final = "abstract duel, a sketch; worth in millionths, the mix exact for them"


def answer(asked: Mapping[str, Any], tools: Tools) -> dict[str, Any]:
    """The game of bids, its equilibrium, what each bid is worth. ValueError if the question makes no sense."""
    number = asked["staredown"]
    duel, names, version = _characters(asked, tools) if asked["duellists"] else _sketch(asked)
    if asked["initiative"]:
        duel = replace(duel, lead=asked["initiative"][0] - asked["initiative"][1])
    lower: str | None = asked["lower-honour"]
    if lower:
        ties: First = "chance" if lower == "neither" else "first" if lower == "first" else "second"
        duel = replace(duel, ties=ties)
    if number > duel.rounds:
        raise ValueError(f"a duel has {duel.rounds} rounds at the most (L5R-DUEL-22)")
    strife = asked["strife"] or (number * (number + 1) // 2,) * 2
    fatigue = asked["fatigue"] or (0, 0)
    table = table_of(duel, number + 1, version, tools.progress)
    sides = (duel.first, duel.second)
    place = [
        each
        for side, strained, tired in zip(sides, strife, fatigue, strict=True)
        for each in (side.poise(strained), min(tired, side.endurance + 1))
    ]
    game = table.game(number, (place[0], place[1], place[2], place[3]))
    payoffs = [[Fraction(round(value * PARTS), PARTS) for value in row] for row in game]
    found = zero_sum(payoffs)
    worth = [
        [sum((w * p for w, p in zip(found.columns, row, strict=True)), Fraction(0)) for row in payoffs],
        [1 - sum((w * p for w, p in zip(found.rows, column, strict=True)), Fraction(0)) for column in zip(*payoffs, strict=True)],
    ]
    mixes = (found.rows, found.columns)
    return {
        "staredown": number, "names": list(names), "exact": False, "missing": Fraction(0), "note": NOTE,
        "strife": list(strife), "fatigue": list(fatigue), "lead": duel.lead, "ties": duel.ties,
        "value": found.row_value,
        **{
            name: [
                {"bid": bid, "chance": weight, "worth": value}
                for bid, (weight, value) in enumerate(zip(mix, worths, strict=True))
            ]
            for name, mix, worths in zip(("first", "second"), mixes, worth, strict=True)
        },
        "payoffs": payoffs,
    }  # fmt: skip


def _characters(asked: Mapping[str, Any], tools: Tools) -> tuple[Duel, tuple[str, str], int]:
    given = next((name for name in SKETCHED if asked[name] not in (None, ())), "")
    if given:
        raise ValueError(f"with --duellists the sheets say that: leave out --{given}")
    if asked["tn"] is not None:
        raise ValueError("with --duellists the rules say that: leave out --tn")
    known = tools.cards("characters")
    for name in asked["duellists"]:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(sorted(known))}"
            raise ValueError(f"there is no character {name!r}{hint}")
    figures = [{"character": name} for name in asked["duellists"]]
    encounter = tools.stage({"figures": figures, "kind": "duel", "objective": asked["objective"]}, {})
    game = encounter.game
    one, other = game.table.order
    return duel_of(game), (one, other), game.ruleset.rules_version


def _sketch(asked: Mapping[str, Any]) -> tuple[Duel, tuple[str, str], int]:
    numbers = {name: asked[name] or standard for name, standard in (
        ("composure", (10, 10)), ("endurance", (10, 10)), ("focus", (5, 5)), ("damage", (4, 4)),
    )}  # fmt: skip
    for name, most in MOST.items():
        if max(numbers[name]) > most:
            raise ValueError(f"--{name} {max(numbers[name])} is too large: at most {most}")
    blows = asked["blow"] or (Fraction(3, 4), Fraction(3, 4))
    if not all(0 <= blow <= 1 for blow in blows):
        raise ValueError("--blow is a chance, from 0 to 1")
    pools = [_pool(text) for text in asked["pool"] or ("3+2", "3+2")]
    tn = 2 if asked["tn"] is None else asked["tn"]
    if tn > 8:
        raise ValueError(f"--tn {tn} is too large here: at most 8")
    sides = [
        sketched(
            Sketch(pools[side], tn, numbers["damage"][side], float(blows[side])),
            (numbers["composure"][side], numbers["endurance"][side], numbers["focus"][side]),
            numbers["endurance"][1 - side],
        )
        for side in (0, 1)
    ]
    return Duel(sides[0], sides[1]), ("first", "second"), RULES


def _pool(text: str) -> tuple[int, int]:
    read = re.fullmatch(r"(\d)(?:\+(\d))?", text)
    if read is None or not 1 <= int(read[1]) <= 5 or int(read[2] or 0) > 5:
        raise ValueError(f"{text!r} is no pool: write ring+skill, such as 3+2, with a ring from 1 to 5 and a skill up to 5")
    return int(read[1]), int(read[2] or 0)


def tell(told: Mapping[str, Any]) -> Iterator[str]:
    """The answer in words and bars."""
    names = [name.replace("_", " ") for name in told["names"]]
    yield f"Staredown of round {told['staredown']} ({told['note']})"
    for place, (side, name) in enumerate(zip(("first", "second"), names, strict=True)):
        value = told["value"] if not place else 1 - told["value"]
        yield f"{name}, strife {told['strife'][place]}, fatigue {told['fatigue'][place]}: wins {float(value):.1%}"
        for way in told[side]:
            bar = "#" * (max(1, round(BAR * way["chance"])) if way["chance"] else 0)
            yield f"  bid {way['bid']:<2} {float(way['chance']):7.1%}  {bar:<{BAR}}  worth {float(way['worth']):.1%}"


def chart(told: Mapping[str, Any]) -> Chart:
    """Bars: how often each bid is made, by side."""
    bids = range(max(len(told["first"]), len(told["second"])))
    series = tuple(
        (name, tuple(told[side][bid]["chance"] if bid < len(told[side]) else Fraction(0) for bid in bids))
        for side, name in zip(("first", "second"), told["names"], strict=True)
    )
    return Chart(f"Staredown of round {told['staredown']}", "bid", tuple(map(str, bids)), series)
