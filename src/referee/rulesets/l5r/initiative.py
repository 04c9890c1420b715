"""Initiative: checks, base values, order of turns and its ties (section 4)."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import Any, Final

from ...dice import Die as PlainDie
from ...engine import Frame, Game, Id, Roll, cites, steps
from .check import Check
from .damage import aftermath
from .facts import able
from .interrupts import rank_among

INITIATIVE_SKILLS: Final = {"tactics": "tactics", "meditation": "meditation"}


def base_of(game: Game, who: Id) -> int:
    """L5R-CON-3: focus if ready, vigilance if surprised."""
    sheet = game.table.sheets[who]
    return int(sheet.vigilance if game.records[who].surprised else sheet.focus)


@steps("begin", "roll_initiative", "take_check", "bleed", "conclude")
class Initiative(Frame):
    """One figure's initiative check, and the stance that it leads to."""

    who: Id
    tn: int = 1
    strife: int = 0

    @cites("L5R-CON-5")
    def begin(initiative, game: Game) -> None:
        who = initiative.who
        record = game.edit(who)
        if record.out == "away":
            record.out = ""
        if record.late:
            record.late = False
        if game.table.sheets[who].minion:
            record.initiative = base_of(game, who)
            game.log(
                "initiative", who=who, base=record.initiative, initiative=record.initiative, rules=("L5R-CON-3", "L5R-CON-7")
            )
            initiative.done()

    def roll_initiative(initiative, game: Game) -> Frame | None:
        who = initiative.who
        if not able(game, who):
            initiative.done()
            return None
        skill = "meditation" if game.table.duel else game.policy["skirmish_initiative_skill"]
        rule = "L5R-CON-2" if initiative.tn == 1 else "L5R-SKIR-2"
        return Check(who, INITIATIVE_SKILLS[skill], "initiative", initiative.tn, rule, "initiative")

    def take_check(initiative, game: Game, check: Check) -> None:
        who = initiative.who
        initiative.strife = check.strife
        record = game.edit(who)
        base = game.table.sheets[who].focus if check.rallied else base_of(game, who)
        record.initiative = base + 1 + check.bonus if check.succeeded else base
        rules = ("L5R-CON-4", "L5R-CON-3", *(["L5R-OPP-24"] if check.rallied else []))
        game.log("initiative", who=who, base=base, initiative=record.initiative, rules=rules)
        if game.policy["initiative_stance_timing"] == "after_check":
            record.stance = check.ring
            game.log("stance", who=who, stance=check.ring, rules=("L5R-CON-6",))

    def bleed(initiative, game: Game) -> Frame | None:
        return aftermath(game, initiative.who, initiative.strife)

    def conclude(initiative, game: Game) -> None:
        pass


def order_key(game: Game, who: Id, by: str) -> tuple[int, ...]:
    """What figures are ordered by, apart from chance: "rolls" (L5R-CON-8) or "turns" (L5R-CON-9)."""
    if by == "rolls":
        honour, kind = rank_among(game, who)
        return (-honour, kind)
    record = game.records[who]
    return (-record.initiative - record.bid, *rank_among(game, who))


@steps("find_tie", "draw", "take_draw")
class Ranking(Frame):
    """Puts figures in order; where nothing else tells them apart, chance does (L5R-CHK-17)."""

    figures: tuple[Id, ...]
    by: str
    order: tuple[Id, ...] = ()
    tied: tuple[Id, ...] = ()

    def find_tie(ranking, game: Game) -> None:
        left = sorted(
            (who for who in ranking.figures if who not in ranking.order), key=lambda who: order_key(game, who, ranking.by)
        )
        for _, group in groupby(left, key=lambda who: order_key(game, who, ranking.by)):
            equal = tuple(group)
            if len(equal) > 1:
                ranking.tied = equal
                return
            ranking.order = (*ranking.order, *equal)
        ranking.done()

    def draw(ranking, game: Game) -> Roll:
        return Roll("tie", PlainDie(len(ranking.tied)), ranking.tied[0], ranking.tied)

    @cites("L5R-CHK-17")
    def take_draw(ranking, game: Game, roll: Any) -> None:
        first = ranking.tied[int(roll) - 1]
        game.log("tie", who=first, roll=roll)
        ranking.order = (*ranking.order, first)
        ranking.tied = ()
        ranking.go("find_tie")


def by_honour(game: Game, order: tuple[Id, ...]) -> bool:
    """Whether lower honour has put somebody before another of the same initiative, as far as all can see."""
    keys = [order_key(game, who, "turns") for who in order if who not in game.unseen]
    return any(one[0] == other[0] and one[1] < other[1] for one, other in pairwise(keys))


def ranked(game: Game, figures: tuple[Id, ...], by: str) -> tuple[Id, ...] | None:
    """The figures in order; None where chance must decide between some."""
    keys = {order_key(game, who, by): who for who in figures}
    return tuple([keys[key] for key in sorted(keys)]) if len(keys) == len(figures) else None
