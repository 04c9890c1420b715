"""Odds of Sol'una: a need with dice and flips, the best use of Mind Points, contests and their equilibria.

The figures are those of `docs/rules/soluna.md`, section 4; the laws are those of `referee.dice.like`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement
from math import factorial
from operator import mul
from typing import Any, Final

from ...dice import Dice, Law
from ...dice.like import face_law, group_chance, group_law
from ...engine import Choice, Event, Game, Roll
from ...engine.chances import Chart, Odds, Option, Tools
from ...solvers import Equilibrium, general_sum, zero_sum
from .cards import RISKS
from .checks import flips_prepared, need_of, preparation_fits
from .committing import contest, foresee

MOST_DICE: Final = 200
MOST_POINTS: Final = 12
"""Equilibria are solved up to so many Mind Points: 42 pools each."""

TIES: Final = ("no_change", "higher_face", "reroll")

OPTIONS: Final = (
    Option("need", "number", "The score that is needed.", least=0),
    Option("mind", "number", "Mind Points: all ways to use them, and the best.", least=0),
    Option("dice", "number", "Dice.", least=0),
    Option("flips", "number", "Flips after the roll.", 0, least=0),
    Option("contest", "word", "Two pools, as dice+flips: 3+1 5+0.", count=2),
    Option("ties", "word", "What an equal score means (policy contest_tie).", "no_change", TIES),
    Option("equilibrium", "number", "Mind Points of two contestants who choose in secret.", count=2, least=0),
    Option("price", "fraction", "With --equilibrium: what a Mind Point is worth, if the prize is worth 1.", 0),
    Option(
        "value", "word", "With --equilibrium: difference: a defeat costs as much as a win brings; win: only winning counts.",
        "difference", ("difference", "win"),
    ),
)  # fmt: skip


def answer(asked: Mapping[str, Any], tools: Tools) -> dict[str, Any]:
    """A chance, a contest or an equilibrium. ValueError if the question makes no sense."""
    kinds = [name for name in ("need", "contest", "equilibrium") if asked[name] not in (None, ())]
    if len(kinds) != 1:
        raise ValueError("ask one question: --need 3 with --dice or --mind, --contest 3+1 5+0, or --equilibrium 5 5")
    if kinds == ["contest"]:
        return _contest(asked)
    if kinds == ["equilibrium"]:
        return _equilibrium(asked)
    if (asked["dice"] is None) == (asked["mind"] is None):
        raise ValueError("say what is rolled: either --dice 3 --flips 1, or --mind 5")
    return _mind(asked["need"], asked["mind"]) if asked["mind"] is not None else _dice(asked)


def _checked(dice: int, flips: int) -> tuple[int, int]:
    if dice > MOST_DICE:
        raise ValueError(f"{dice} dice are too many: at most {MOST_DICE}")
    return dice, flips


def _dice(asked: Mapping[str, Any]) -> dict[str, Any]:
    dice, flips = _checked(asked["dice"], asked["flips"])
    law = group_law(dice, flips)
    return {
        "chance": group_chance(dice, flips, asked["need"]),
        "exact": True,
        "missing": Fraction(0),
        "dice": dice,
        "flips": flips,
        "need": asked["need"],
        "dist": [{"score": score, "chance": law.chance(score)} for score, _ in sorted(law.items())],
    }


def splits(points: int) -> list[tuple[int, int]]:
    """SOL-MIND-1, SOL-FLIP-1: dice and flips that so many Mind Points pay for."""
    return [(dice, flips) for dice in range(points + 1) for flips in range((points - dice) // 2 + 1)]


def _mind(need: int, points: int) -> dict[str, Any]:
    _checked(points, 0)
    if points > 60:
        raise ValueError(f"{points} Mind Points are too many: at most 60")
    chances = {pool: group_chance(*pool, need) for pool in splits(points)}
    best = max(chances, key=lambda pool: (chances[pool], -pool[0] - 2 * pool[1]))
    ways = {(dice, flips): {"dice": dice, "flips": flips, "chance": chance} for (dice, flips), chance in chances.items()}
    told = {"chance": chances[best], "exact": True, "missing": Fraction(0)}
    return {**told, "need": need, "mind": points, "best": ways[best], "splits": list(ways.values())}


def _contest(asked: Mapping[str, Any]) -> dict[str, Any]:
    pools = []
    for text in asked["contest"]:
        read = re.fullmatch(r"(\d{1,4})(?:\+(\d{1,4}))?", text)
        if read is None:
            raise ValueError(f"{text!r} is no pool: write dice+flips, such as 3+1")
        pools.append(_checked(int(read[1]), int(read[2] or 0)))
    if asked["ties"] == "higher_face" and max(dice for dice, _ in pools) > 40:
        raise ValueError("with --ties higher_face at most 40 dice a side")
    first, tie, second = contest(pools[0], pools[1], asked["ties"])
    return {
        "first": first, "tie": tie, "second": second, "exact": True, "missing": Fraction(0),
        "pools": [f"{dice}+{flips}" for dice, flips in pools], "ties": asked["ties"],
    }  # fmt: skip


@lru_cache(maxsize=16)
def _outcomes(points: tuple[int, int], ties: str) -> tuple[list[list[Any]], list[list[Any]], int]:
    """For all pairs of pools the wins of the first and of the second, of so many; chances where ties are rolled again."""
    pools = [splits(each) for each in points]
    law: Any = face_law if ties == "higher_face" else group_law
    laws = [[law(*pool) for pool in each] for each in pools]
    ranks = sorted({outcome for each in laws for found in each for outcome, _ in found.items()})
    rows = [[_listed(found, ranks, 6**most) for found in each] for each, most in zip(laws, points, strict=True)]
    below = [[[0, *accumulate(row[:-1])] for row in each] for each in rows]
    # A product ends with the shorter of its rows, and no pool reaches what lies behind its last weight.
    for row in (*rows[0], *rows[1]):
        while not row[-1]:
            row.pop()
    wins = [[sum(map(mul, ours, theirs)) for theirs in below[1]] for ours in rows[0]]
    if points[0] == points[1]:
        losses = [list(column) for column in zip(*wins, strict=True)]
    else:
        losses = [[sum(map(mul, theirs, ours)) for theirs in rows[1]] for ours in below[0]]
    if ties != "reroll":
        return wins, losses, 6 ** sum(points)
    decided = [[contest(one, other, ties) for other in pools[1]] for one in pools[0]]
    return [[win for win, _, _ in row] for row in decided], [[loss for _, _, loss in row] for row in decided], 1


def _listed(law: Law[Any], ranks: list[Any], total: int) -> list[int]:
    """The weights of these outcomes, of a total that is a multiple of the law's own."""
    weights, times = dict(law.items()), total // law.total
    return [weights.get(rank, 0) * times for rank in ranks]


def equilibrium(points: tuple[int, int], price: Fraction, value: str, ties: str = "no_change") -> Equilibrium:
    """SOL-CONT-6: what two should commit in secret. A price on both sides keeps a game of win and loss zero-sum.

    Adding the other's own cost to a payoff changes nobody's best choice, so that game is solved in place of the priced one.
    """
    wins, losses, total = _outcomes(points, ties)
    # Payoffs in parts of the prize: so many that all are whole where the chances are.
    parts = total * price.denominator
    unit = Fraction(1, parts)
    costs = [[price.numerator * total * (dice + 2 * flips) for dice, flips in splits(each)] for each in points]
    prize = price.denominator
    if value == "difference":
        solved = zero_sum(
            [
                [prize * (win - loss) - cost + other for win, loss, other in zip(*pair, costs[1], strict=True)]
                for cost, pair in zip(costs[0], zip(wins, losses, strict=True), strict=True)
            ]
        )
        paid = [
            sum((w * c for w, c in zip(each, cost, strict=True) if w), Fraction(0))
            for each, cost in zip((solved.rows, solved.columns), costs, strict=True)
        ]
        name = "zero-sum: as good as any other" if not price else "zero-sum apart from the price: as good as any other"
        values = (solved.row_value - paid[1]) * unit, (solved.column_value - paid[0]) * unit
        return Equilibrium(solved.rows, solved.columns, *values, name)
    ours = [[prize * win - cost for win in row] for cost, row in zip(costs[0], wins, strict=True)]
    theirs = [[prize * loss - cost for loss, cost in zip(row, costs[1], strict=True)] for row in losses]
    found = general_sum(ours, theirs)
    return Equilibrium(found.rows, found.columns, found.row_value * unit, found.column_value * unit, found.name)


def _equilibrium(asked: Mapping[str, Any]) -> dict[str, Any]:
    points = tuple(asked["equilibrium"])
    if max(points) > MOST_POINTS:
        raise ValueError(f"{max(points)} Mind Points are too many for an equilibrium: at most {MOST_POINTS}")
    price = Fraction(asked["price"])
    if price < 0:
        raise ValueError("a price is 0 or more")
    found = equilibrium(points, price, asked["value"], asked["ties"])
    return {
        "equilibrium": found.name,
        "exact": True,
        "missing": Fraction(0),
        "price": price,
        "mind": list(points),
        "first": _mixed(points[0], found.rows),
        "second": _mixed(points[1], found.columns),
        "values": [found.row_value, found.column_value],
    }


def _mixed(points: int, weights: tuple[Fraction, ...]) -> list[dict[str, Any]]:
    return [
        {"dice": dice, "flips": flips, "chance": weight}
        for (dice, flips), weight in zip(splits(points), weights, strict=True)
        if weight
    ]


def tell(told: Mapping[str, Any]) -> Iterator[str]:
    """The answer in lines."""
    if "equilibrium" in told:
        yield f"Equilibrium ({told['equilibrium']})"
        for name, value in zip(("first", "second"), told["values"], strict=True):
            yield f"{name}, worth {float(value):+.4f}:"
            for way in told[name]:
                bar = "#" * max(1, round(40 * float(way["chance"])))
                yield f"  {way['dice']} dice + {way['flips']} flips  {float(way['chance']):7.2%}  {bar}"
    elif "pools" in told:
        yield f"{told['pools'][0]} against {told['pools'][1]} (ties: {told['ties']})"
        for name in ("first", "tie", "second"):
            yield f"  {name:<7}{float(told[name]):8.3%}  {told[name]}"
    elif "splits" in told:
        best = told["best"]
        pool = f"{best['dice']} dice + {best['flips']} flips"
        yield f"Best for {told['need']}: {pool}, {float(best['chance']):.3%} = {best['chance']}"
        for way in sorted(told["splits"], key=lambda way: (-way["chance"], way["dice"] + 2 * way["flips"])):
            yield f"  {way['dice']} dice + {way['flips']} flips  {float(way['chance']):8.3%}  {way['chance']}"
    else:
        chance = told["chance"]
        yield f"{told['dice']} dice + {told['flips']} flips reach {told['need']}: {float(chance):.4%} = {chance}"
        for entry in told["dist"]:
            yield f"  score {entry['score']:>2}  {float(entry['chance']):8.3%}"


def chart(told: Mapping[str, Any]) -> Chart | None:
    """Bars: scores, splits, the sides of a contest or of an equilibrium."""
    if "equilibrium" in told:
        pools = sorted({(way["dice"], way["flips"]) for side in ("first", "second") for way in told[side]})
        weights = [{(way["dice"], way["flips"]): way["chance"] for way in told[side]} for side in ("first", "second")]
        series = tuple(
            (side, tuple(each.get(pool, Fraction(0)) for pool in pools))
            for side, each in zip(("first", "second"), weights, strict=True)
        )
        return Chart("Equilibrium", "dice+flips", tuple(f"{dice}+{flips}" for dice, flips in pools), series)
    if "pools" in told:
        names = ("first", "tie", "second")
        return Chart(" against ".join(told["pools"]), "who wins", names, (("chance", tuple(told[name] for name in names)),))
    if "splits" in told:
        labels = tuple(f"{way['dice']}+{way['flips']}" for way in told["splits"])
        return Chart(f"Need {told['need']}", "dice+flips", labels, (("chance", tuple(way["chance"] for way in told["splits"])),))
    labels = tuple(str(entry["score"]) for entry in told["dist"])
    return Chart("Largest group", "score", labels, (("chance", tuple(entry["chance"] for entry in told["dist"])),))


# In an encounter


@lru_cache(maxsize=32)
def law_of(count: int, sides: int) -> Law[tuple[int, ...]]:
    """All rolls of so many dice, those that differ in their order alone as one: no rule looks at the order (SOL-FLIP-4)."""
    weights = {}
    for roll in combinations_with_replacement(range(1, sides + 1), count):
        weight = factorial(count)
        for shown in set(roll):
            weight //= factorial(roll.count(shown))
        weights[roll] = weight
    return Law(weights)


def law(game: Game, roll: Roll) -> Law[tuple[int, ...]] | None:
    """The law of a roll with its order left out; None for other rolls."""
    return law_of(roll.spec.count, roll.spec.sides) if isinstance(roll.spec, Dice) and roll.spec.count <= 12 else None


def decide(game: Game, choice: Choice) -> Any:
    """Dice and flips of an Action that is being ordered: the best chance, at the least cost of those."""
    if choice.about not in ("interaction", *RISKS):
        return None
    deed = choice.facts[0]
    need = need_of(game, deed, "boost" if choice.about == "risk_accuracy" else "pool")
    prepared = flips_prepared(game, game.records[deed.who]) if deed.kind != "attack" else 0
    pools = [(int(offer.value[1]), int(offer.value[2])) for offer in choice.offers]  # type: ignore[index, arg-type]

    def rated(pool: tuple[int, int]) -> tuple[Fraction, int]:
        extra = prepared if preparation_fits(game, pool[1]) else 0
        return group_chance(pool[0], pool[1] + extra, need), -pool[0] - 2 * pool[1]

    return "pool", *max(pools, key=rated)


def note(event: Event) -> tuple[str, str] | None:
    """Whether an attack hits, a risk or an interaction succeeds, a contest is won."""
    if event.kind in ("hits", "misses"):
        return "attack", event.kind
    if event.kind in ("risk", "interacts"):
        return event.kind.replace("interacts", "interaction"), "succeeds" if event.facts["won"] else "fails"
    return ("contest", "wins") if event.kind == "wins" else None


TOLD: Final = {
    "attack": "attack", "risk": "Risk", "interaction": "interaction", "contest": "contest",
    "at": "moves to", "mind": "Mind", "body": "Body", "mind_spent": "Mind spent", "speed_spent": "Speed spent",
    "combat_spent": "Combat spent", "ready": "ready", "saved": "saved Actions", "prepared": "phases prepared", "out": "leaves",
    "holder": "held by", "done": "done",
}  # fmt: skip
HARMS: Final = (("body", -1), ("mind", -1), ("out", 0))

ODDS: Final = Odds(
    options=OPTIONS, answer=answer, tell=tell, chart=chart, law=law, decide=decide, note=note, told=TOLD, harms=HARMS,
    won=("hits", "succeeds", "wins"), foresee=foresee, contested={"commitment": True},
)  # fmt: skip
