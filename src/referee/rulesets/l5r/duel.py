"""The course of a duel: initiative, rounds of concession, staredown and turns, the end (section 5)."""

from __future__ import annotations

from typing import Any

from ...engine import Choice, Frame, Game, Id, Together, Value, cites, for_each, steps
from .actions import remember
from .changes import gain_strife, harm_item
from .check import Check
from .damage import Critical, aftermath
from .ending import ConcessionAnswer, SceneEnd, objective_met, speaker, yield_side
from .facts import able, figure, present, weapon_numbers
from .initiative import Initiative, Ranking, by_honour, ranked
from .turn import Turn

__all__ = ["Bid", "Duel", "OneRoll", "Staredown", "harm_item"]


@steps("ask", "seal")
class Bid(Frame):
    """A duellist's secret bid in the staredown."""

    who: Id
    sealed: int = 0

    def ask(bid, game: Game) -> Choice:
        key = ("bid", bid.who)
        choice: Choice | None = game.table.choices.get(key)
        if choice is None:
            focus = game.table.sheets[bid.who].focus
            offers = tuple(game.table.offer(("bid", points), "bid", ("L5R-DUEL-5",)) for points in range(focus + 1))
            choice = remember(game, key, Choice(game.seat_of[bid.who], "bid", offers, bid.who, form="number"))
        return choice

    def seal(bid, game: Game, answer: Value) -> None:
        bid.sealed = int(answer[1])  # type: ignore[index, arg-type]


@steps("stare", "ask_bids", "show_bids")
class Staredown(Frame):
    """Both gain strife, then bid for initiative; a clash has one too (L5R-SKIR-9)."""

    figures: tuple[Id, ...]
    round: int

    @cites("L5R-DUEL-4")
    def stare(staredown, game: Game) -> None:
        rules = () if game.table.duel else ("L5R-SKIR-9",)
        for who in staredown.figures:
            if not game.records[who].out:
                gain_strife(game, who, staredown.round, "staredown", rules=rules)

    @cites("L5R-DUEL-5")
    def ask_bids(staredown, game: Game) -> Together | None:
        bidders = [who for who in staredown.figures if not game.records[who].compromised and able(game, who)]
        if not bidders:
            for who in staredown.figures:
                game.log("bids_nothing", who=who)
            staredown.done()
            return None
        return Together({game.seat_of[who]: Bid(who) for who in bidders}, "bid")

    @cites("L5R-DUEL-6", "L5R-HIDE-2")
    def show_bids(staredown, game: Game, sealed: Any) -> None:
        bids = {who: sealed[game.seat_of[who]] for who in staredown.figures if game.seat_of[who] in sealed}
        for who in staredown.figures:
            if who not in bids:
                game.log("bids_nothing", who=who, rules=("L5R-DUEL-5",))
        for who, points in bids.items():
            game.edit(who).bid = points
            game.log("bids", who=who, points=points)
        for who, points in bids.items():
            gain_strife(game, who, points, "bid")


@steps(
    "open", "order_initiative", "roll_initiative", "roll_once",
    "begin_round", "ask_concessions", "take_concessions", "stare_down", "order_turns", "take_order",
    "begin_turn", "end_round", "judge",
)  # fmt: skip
class Duel(Frame):
    """A duel of two, from the first roll to its end."""

    order: tuple[Id, ...] = ()
    place: int = 0

    @cites("L5R-DUEL-1", "L5R-DUEL-2", "L5R-CON-1")
    def open(duel, game: Game) -> None:
        table = game.table
        rules = ("L5R-DUEL-21",) if table.kind == "iaijutsu" else ()
        game.log("opens", scenario=table.scenario.title, figures=table.order, objective=table.objective, rules=rules)
        for who in table.order:
            _seated(game, who)

    @cites("L5R-CON-8")
    def order_initiative(duel, game: Game) -> Frame | None:
        if ranked(game, game.table.order, "rolls") is None:
            return Ranking(game.table.order, "rolls")
        return None

    @cites("L5R-CON-8")
    def roll_initiative(duel, game: Game, ranking: Ranking | None) -> Frame:
        order = ranking.order if ranking is not None else ranked(game, game.table.order, "rolls")
        game.log("initiative_order", order=order, explain=True)
        if game.policy["one_roll_duel"] == "on":
            return OneRoll(game.table.order)
        return for_each(Initiative, order or ())

    def roll_once(duel, game: Game) -> None:
        pass

    # A round

    @cites("L5R-DUEL-3", "L5R-CON-1")
    def begin_round(duel, game: Game) -> None:
        game.round += 1
        for who in game.table.order:
            record = game.records[who]
            if record.bid or record.once_a_round:
                record = game.edit(who)
                record.bid = 0
                record.once_a_round = ()
        if game.events is not None:
            game.log("round", number=game.round)
        if game.policy["concede"] != "round_start":
            duel.go("stare_down")

    def ask_concessions(duel, game: Game) -> Together:
        sides = game.table.sides
        seats = {game.seat_of[sides[side][0]]: ConcessionAnswer(game.seat_of[sides[side][0]], sides[side][0]) for side in sides}
        return Together(seats, "concession")

    @cites("L5R-DUEL-27", "L5R-DUEL-3")
    def take_concessions(duel, game: Game, sealed: Any) -> Frame | None:
        return concessions(game, sealed)

    @cites("L5R-DUEL-4")
    def stare_down(duel, game: Game) -> Frame:
        return Staredown(game.table.order, game.round)

    @cites("L5R-DUEL-7", "L5R-CON-9")
    def order_turns(duel, game: Game) -> Frame | None:
        order = ranked(game, game.table.order, "turns")
        if order is None:
            return Ranking(game.table.order, "turns")
        _begin_turns(game, duel, order)
        return None

    @cites("L5R-DUEL-7", "L5R-CON-9")
    def take_order(duel, game: Game, ranking: Ranking) -> None:
        _begin_turns(game, duel, ranking.order)

    def begin_turn(duel, game: Game) -> Frame:
        who = duel.order[duel.place]
        duel.place += 1
        if duel.place < len(duel.order):
            duel.go("begin_turn")
        return Turn(who)

    @cites("L5R-DUEL-20")
    def end_round(duel, game: Game) -> None:
        tick_dying(game)

    @cites("L5R-DUEL-20", "L5R-DUEL-22")
    def judge(duel, game: Game) -> Frame | None:
        duel.order = ()
        duel.place = 0
        duel.go("begin_round")
        order = game.table.order
        met = [who for who in order if objective_met(game, who)]
        if len(met) == 1:
            return SceneEnd(game.table.side[met[0]], "objective")
        if met:
            return SceneEnd("", "both")
        left = present(game)
        if len(left) < len(order):
            return SceneEnd(game.table.side[left[0]] if left else "", "beaten")
        if game.round >= game.policy["max_rounds"]:
            return SceneEnd("", "max_rounds")
        return None


def _begin_turns(game: Game, duel: Duel, order: tuple[Id, ...]) -> None:
    duel.order = order
    duel.place = 0
    duel.go("begin_turn")
    if game.events is not None:
        numbers = tuple(game.records[who].initiative + game.records[who].bid for who in order)
        game.log("turn_order", order=order, initiative=numbers, by_honour=by_honour(game, order))


def _seated(game: Game, who: Id) -> None:
    record = figure(game, who)
    sheet = game.table.sheets[who]
    game.log(
        "seated", who=who, at=record.at, endurance=sheet.endurance, composure=sheet.composure, focus=sheet.focus,
        vigilance=sheet.vigilance, void=record.void,
        rules=(
            "L5R-DER-1" if sheet.kind == "pc" else "L5R-DER-2",
            *("L5R-CHK-7", "L5R-CHR-1", "L5R-CHR-3", "L5R-CHR-4", "L5R-HIDE-1"),
        ),
    )  # fmt: skip


def concessions(game: Game, sealed: Any) -> Frame | None:
    """L5R-DUEL-27: what both sides have said of giving up."""
    giving_up = [side for side in game.table.sides if sealed.get(game.seat_of[speaker(game, side)]) == "give_up"]
    if not giving_up:
        return None
    for side in giving_up:
        game.log("concedes", who=game.table.sides[side][0], side=side)
    if len(giving_up) == len(game.table.sides):
        for side in giving_up:
            for who in game.table.sides[side]:
                game.edit(who).out = "yielded"
        return SceneEnd("", "both_conceded")
    return yield_side(game, giving_up[0])


def tick_dying(game: Game) -> None:
    """L5R-COND-8: Dying drops by one per round end."""
    for who in game.table.order:
        record = game.records[who]
        if "dying" in record.conditions and not record.out:
            record = game.edit(who)
            record.dying = max(0, record.dying - 1)
            game.log("dying", who=who, rounds=record.dying, rules=("L5R-COND-8",))


@steps("roll_one", "take_one", "roll_other", "take_other", "compare", "strike", "finish")
class OneRoll(Frame):
    """L5R-DUEL-25: one competitive check decides the duel."""

    figures: tuple[Id, ...]
    results: tuple[tuple[bool, int], ...] = ()
    blows: tuple[tuple[Id, int], ...] = ()

    @cites("L5R-DUEL-25")
    def roll_one(one, game: Game) -> Frame:
        return Check(one.figures[0], "melee", "one_roll", 1, "L5R-DUEL-25")

    def take_one(one, game: Game, check: Check) -> Frame | None:
        one.results = (_result(check),)
        return aftermath(game, check.who, check.strife)

    def roll_other(one, game: Game) -> Frame:
        return Check(one.figures[1], "melee", "one_roll", 1, "L5R-DUEL-25")

    def take_other(one, game: Game, check: Check) -> Frame | None:
        one.results = (*one.results, _result(check))
        return aftermath(game, check.who, check.strife)

    @cites("L5R-CHK-4", "L5R-DUEL-25")
    def compare(one, game: Game) -> None:
        winners = competitive(one.results)
        blows = []
        for place in winners:
            who = one.figures[place]
            succeeded, number = one.results[place]
            weapon = next((item.card for item in figure(game, who).items if item.card in game.table.weapons), "punch")
            deadliness = weapon_numbers(game, who, weapon, "1h")[1]
            blows.append((who, 2 * deadliness + (number if succeeded else 0)))
        one.blows = tuple(blows)
        game.log("compares", order=one.figures, results=one.results, winners=tuple(one.figures[place] for place in winners))

    @cites("L5R-DUEL-25")
    def strike(one, game: Game) -> Frame | None:
        if not one.blows:
            return None
        (who, severity), *rest = one.blows
        one.blows = tuple(rest)
        one.go("strike")
        return Critical(game.table.foes[who][0], severity, who, "one_roll")

    def finish(one, game: Game) -> Frame:
        dealt = [who for who in one.figures if game.records[who].inflicted >= 0]
        return SceneEnd(game.table.side[dealt[0]] if len(dealt) == 1 else "", "one_roll")


def _result(check: Check) -> tuple[bool, int]:
    """Whether a check succeeded, and by how much, or by how much not."""
    return (check.succeeded, check.bonus if check.succeeded else -check.shortfall)


def competitive(results: tuple[tuple[bool, int], ...]) -> tuple[int, ...]:
    """L5R-CHK-4: who wins a competitive check, by success and bonus, or by the smallest shortfall; several if they tie."""
    best = max(results)
    return tuple(place for place, result in enumerate(results) if result == best)
