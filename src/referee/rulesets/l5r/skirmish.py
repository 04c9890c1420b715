"""The course of a skirmish: initiative, rounds of turns, clashes, the end (section 6)."""

from __future__ import annotations

from typing import Any

from ...engine import Choice, Frame, Game, Id, Together, Value, cites, come_out, for_each, in_hiding, steps
from .changes import gain_strife, learn_terrain
from .deeds import return_stake
from .duel import Staredown, _seated, concessions, tick_dying
from .ending import ConcessionAnswer, SceneEnd, speaker
from .facts import able, allies, figure, incapacitated, standing
from .initiative import Initiative, Ranking, by_honour, ranked
from .turn import Turn
from .waiting import Waited


@steps(
    "open", "order_initiative", "roll_initiative",
    "begin_round", "ask_concessions", "take_concessions", "arrive", "order_turns", "note_order",
    "begin_turn", "close_turn", "fight_clash", "close_clash", "act_late", "close_late", "end_round",
)  # fmt: skip
class Skirmish(Frame):
    """A skirmish of two sides."""

    order: tuple[Id, ...] = ()
    place: int = 0
    fought: tuple[Id, ...] = ()

    @cites("L5R-SKIR-1", "L5R-SKIR-5", "L5R-CON-1")
    def open(skirmish, game: Game) -> None:
        table = game.table
        game.log("opens", scenario=table.scenario.title, figures=table.order, objective="", rules=())
        for who in table.order:
            _seated(game, who)
            if who in game.unseen:
                game.log("lurks", who=who, at=game.records[who].at, rules=("L5R-HIDE-8",))
            if not game.records[who].out:
                learn_terrain(game, table.side[who], game.records[who].at)

    @cites("L5R-CON-8")
    def order_initiative(skirmish, game: Game) -> Frame | None:
        here = _here(game)
        return Ranking(here, "rolls") if ranked(game, here, "rolls") is None else None

    @cites("L5R-CON-8")
    def roll_initiative(skirmish, game: Game, ranking: Ranking | None) -> Frame:
        order = ranking.order if ranking is not None else ranked(game, _here(game), "rolls")
        game.log("initiative_order", order=order, explain=True)
        return for_each(Initiative, order or ())

    # A round

    @cites("L5R-CON-1")
    def begin_round(skirmish, game: Game) -> None:
        game.round += 1
        skirmish.fought = ()
        for who in game.table.order:
            if game.records[who].once_a_round:
                game.edit(who).once_a_round = ()
        game.log("round", number=game.round)

    def ask_concessions(skirmish, game: Game) -> Together | None:
        if game.policy["concede"] != "round_start":
            skirmish.go("arrive")
            return None
        speakers = [speaker(game, side) for side in game.table.sides]
        seats = {game.seat_of[who]: ConcessionAnswer(game.seat_of[who], who) for who in speakers}
        return Together(seats, "concession")

    @cites("L5R-SKIR-13")
    def take_concessions(skirmish, game: Game, sealed: Any) -> Frame | None:
        return concessions(game, sealed)

    @cites("L5R-SKIR-2")
    def arrive(skirmish, game: Game) -> Frame | None:
        late = [
            who for who in game.table.order
            if (game.records[who].out == "away" and game.table.placed[who].arrives <= game.round) or game.records[who].late
        ]  # fmt: skip
        if not late:
            return None
        for who in late:
            if not game.records[who].late:
                game.log("arrives", who=who)
        return for_each(Initiative, late, 2)

    @cites("L5R-CON-9")
    def order_turns(skirmish, game: Game) -> Frame | None:
        here = _here(game)
        return Ranking(here, "turns") if ranked(game, here, "turns") is None else None

    @cites("L5R-CON-9")
    def note_order(skirmish, game: Game, ranking: Ranking | None) -> None:
        skirmish.order = ranking.order if ranking is not None else ranked(game, _here(game), "turns") or ()
        skirmish.place = 0
        numbers = tuple(game.records[who].initiative for who in skirmish.order)
        game.log("turn_order", order=skirmish.order, initiative=numbers, by_honour=by_honour(game, skirmish.order))

    def begin_turn(skirmish, game: Game) -> Frame | None:
        who = skirmish.order[skirmish.place]
        skirmish.place += 1
        record = game.records[who]
        if record.clash and record.clash_round:
            game.log("in_clash", who=who, rules=("L5R-SKIR-10",))
            return None
        return Turn(who)

    @cites("L5R-SKIR-12")
    def close_turn(skirmish, game: Game) -> Frame | None:
        end = beaten(game)
        if end is not None:
            return end
        if skirmish.place < len(skirmish.order):
            skirmish.go("begin_turn")
        return None

    # Round end

    @cites("L5R-SKIR-9")
    def fight_clash(skirmish, game: Game) -> Frame | None:
        for who in game.table.order:
            record = game.records[who]
            if record.challenger and record.clash and who not in skirmish.fought:
                skirmish.fought = (*skirmish.fought, who)
                return Clash(who, record.clash)
        skirmish.go("act_late")
        return None

    @cites("L5R-SKIR-12")
    def close_clash(skirmish, game: Game) -> Frame | None:
        skirmish.go("fight_clash")
        return beaten(game)

    @cites("L5R-ACT-14")
    def act_late(skirmish, game: Game) -> Frame | None:
        for who in skirmish.order:
            if game.records[who].wait:
                if able(game, who):
                    return Waited(who, True)
                game.edit(who).wait = ()
        skirmish.go("end_round")
        return None

    def close_late(skirmish, game: Game) -> Frame | None:
        skirmish.go("act_late")
        return beaten(game)

    @cites("L5R-SKIR-12")
    def end_round(skirmish, game: Game) -> Frame | None:
        tick_dying(game)
        skirmish.order = ()
        skirmish.place = 0
        skirmish.fought = ()
        skirmish.go("begin_round")
        if game.round >= game.policy["max_rounds"]:
            for who in in_hiding(game, game.table.order):
                come_out(game, who, "end", ("L5R-HIDE-10",))
            return SceneEnd("", "max_rounds")
        return beaten(game)


def _here(game: Game) -> tuple[Id, ...]:
    """The figures that are in the scene, the dead and defeated apart."""
    return tuple(who for who in game.table.order if not game.records[who].out)


def beaten(game: Game) -> Frame | None:
    """L5R-SKIR-12: a side loses when none of it stands; late ones still count."""
    left = [
        side
        for side, figures in game.table.sides.items()
        if any(game.records[who].out == "away" or standing(game, who) for who in figures)
    ]
    if len(left) > 1:
        return None
    lurking = [who for who in in_hiding(game, game.table.order) if game.table.side[who] not in left]
    if lurking:
        for who in lurking:
            come_out(game, who, "alone", ("L5R-HIDE-10",))
        return beaten(game)
    return SceneEnd(left[0] if left else "", "beaten")


@steps("begin", "stare", "order_turns", "note_order", "begin_turn", "close_turn", "judge", "ask_one", "hear_one", "settle")
class Clash(Frame):
    """A clash of two: staredown, a turn each, then it is won, or goes on by mutual consent."""

    challenger: Id
    foe: Id
    order: tuple[Id, ...] = ()
    place: int = 0
    won: bool = False
    willing: bool = False

    @cites("L5R-SKIR-9")
    def begin(clash, game: Game) -> None:
        if game.records[clash.challenger].out or game.records[clash.foe].out:
            clash.go("judge")
            return
        for who in (clash.challenger, clash.foe):
            record = game.edit(who)
            record.clash_round += 1
            if record.clash_round == 1:
                record.struck_for = ()
        game.log("clash", who=clash.challenger, foe=clash.foe, round=game.records[clash.challenger].clash_round)

    @cites("L5R-SKIR-9")
    def stare(clash, game: Game) -> Frame:
        return Staredown((clash.challenger, clash.foe), game.records[clash.challenger].clash_round)

    @cites("L5R-SKIR-9", "L5R-DUEL-7")
    def order_turns(clash, game: Game) -> Frame | None:
        both = (clash.challenger, clash.foe)
        return Ranking(both, "turns") if ranked(game, both, "turns") is None else None

    @cites("L5R-SKIR-9")
    def note_order(clash, game: Game, ranking: Ranking | None) -> None:
        both = (clash.challenger, clash.foe)
        clash.order = ranking.order if ranking is not None else ranked(game, both, "turns") or both
        numbers = tuple(game.records[who].initiative + game.records[who].bid for who in clash.order)
        game.log("turn_order", order=clash.order, initiative=numbers, by_honour=by_honour(game, clash.order))
        for who in both:
            if game.records[who].bid:
                game.edit(who).bid = 0

    def begin_turn(clash, game: Game) -> Frame:
        clash.place += 1
        return Turn(clash.order[clash.place - 1])

    def close_turn(clash, game: Game) -> None:
        if clash.place < 2:
            clash.go("begin_turn")

    @cites("L5R-SKIR-10")
    def judge(clash, game: Game) -> None:
        beaten_ones = [who for who in (clash.challenger, clash.foe) if _beaten_in_clash(game, who)]
        if not beaten_ones:
            return
        if len(beaten_ones) == 1:
            loser = beaten_ones[0]
            winner = clash.foe if loser == clash.challenger else clash.challenger
            game.log("wins_clash", who=winner, loser=loser)
            for ally in allies(game, loser):
                gain_strife(game, ally, 3, "clash_lost", winner, ("L5R-SKIR-11",))
            if winner == clash.challenger:
                return_stake(game, winner)
        else:
            return_stake(game, clash.challenger)
        clash.won = True
        clash.go("settle")

    def ask_one(clash, game: Game) -> Choice:
        return _wish(game, clash.challenger)

    def hear_one(clash, game: Game, answer: Value) -> None:
        clash.willing = answer == "go_on"

    @cites("L5R-SKIR-10")
    def settle(clash, game: Game) -> Frame | None:
        if clash.willing:
            return Consent(clash.challenger, clash.foe)
        if not clash.won:
            return_stake(game, clash.challenger)
        end_clash(game, clash.challenger, clash.foe, drawn=not clash.won)
        return None


def _beaten_in_clash(game: Game, who: Id) -> bool:
    record = figure(game, who)
    down = "unconscious" in record.conditions or "dying" in record.conditions
    return bool(record.out) or incapacitated(game, who) or down


def _wish(game: Game, who: Id) -> Choice:
    offers = (
        game.table.offer("go_on", "clash", ("L5R-SKIR-10",)),
        game.table.offer("break_off", "clash", ("L5R-SKIR-10",)),
    )
    return Choice(game.seat_of[who], "clash", offers, who)


@steps("ask", "settle")
class Consent(Frame):
    """Whether the second one in a clash wants to go on too (L5R-SKIR-10)."""

    challenger: Id
    foe: Id

    def ask(consent, game: Game) -> Choice:
        return _wish(game, consent.foe)

    @cites("L5R-SKIR-10")
    def settle(consent, game: Game, answer: Value) -> None:
        if answer == "go_on":
            game.log("clash_goes_on", who=consent.challenger, foe=consent.foe)
        else:
            return_stake(game, consent.challenger)
            end_clash(game, consent.challenger, consent.foe, drawn=True)


def end_clash(game: Game, challenger: Id, foe: Id, *, drawn: bool) -> None:
    """The two go their ways again."""
    for who in (challenger, foe):
        record = game.edit(who)
        record.clash, record.clash_round, record.challenger, record.struck_for = "", 0, False, ()
    game.log("clash_ends", who=challenger, foe=foe, drawn=drawn, rules=("L5R-SKIR-10",))
