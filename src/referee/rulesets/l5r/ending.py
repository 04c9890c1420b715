"""How a scene ends: objectives met, concessions, sobering up, what sinks afterwards, points (L5R-DUEL-15 to L5R-DUEL-24)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...engine import Choice, Frame, Game, Id, IllegalAnswer, Offer, Value, cites, come_out, in_hiding, steps
from .check import Check
from .damage import aftermath
from .facts import able, endurance, figure, incapacitated, strife_of

if TYPE_CHECKING:
    from .setup import Table


# Objectives


def objective_met(game: Game, who: Id) -> bool:
    """Whether a duellist has met the duel's objective against the foe (L5R-DUEL-15 to L5R-DUEL-19)."""
    table: Table = game.table
    own = figure(game, who)
    foe = table.foes[who][0]
    record = figure(game, foe)
    objective = table.objective
    if objective == "first_strike":
        return own.inflicted >= 0
    if objective == "first_blood":
        return own.inflicted >= 5
    dead = record.out in ("dead", "defeated")
    dying = "dying" in record.conditions
    if objective == "incapacitation":
        return dead or incapacitated(game, foe) or "unconscious" in record.conditions
    if objective == "defeat":
        return dead or dying or "unconscious" in record.conditions or record.out == "yielded"
    return dead or dying or own.inflicted_dying


OBJECTIVE_RULES: Final = {
    "first_strike": "L5R-DUEL-15",
    "first_blood": "L5R-DUEL-16",
    "incapacitation": "L5R-DUEL-17",
    "defeat": "L5R-DUEL-18",
    "death": "L5R-DUEL-19",
}


# Concession


@steps("leave")
class Concession(Frame):
    """A side gives up: its figures have yielded."""

    side: str

    def leave(concession, game: Game) -> Frame | None:
        side = concession.side
        game.log("concedes", who=game.table.sides[side][0], side=side, rules=end_rules(game, "conceded"))
        return yield_side(game, side)


def yield_side(game: Game, side: str) -> Frame | None:
    """The figures of a side have yielded; if one side is left, it has won."""
    for who in in_hiding(game, game.table.order):
        come_out(game, who, "leaves", ("L5R-HIDE-10",))
    for who in game.table.sides[side]:
        if not game.records[who].out or game.records[who].out == "away":
            game.edit(who).out = "yielded"
    left = [other for other in game.table.sides if not has_yielded(game, other)]
    if len(left) == 1:
        return SceneEnd(left[0], "conceded")
    return SceneEnd("", "both_conceded")


def speaker(game: Game, side: str) -> Id:
    """Who answers for a side when it is asked to give up: its first figure, of those that do not hide if there are such."""
    figures: tuple[Id, ...] = game.table.sides[side]
    return next((who for who in figures if who not in game.unseen), figures[0]) if game.unseen else figures[0]


def has_yielded(game: Game, side: str) -> bool:
    """Whether all of a side are out."""
    return all(game.records[who].out for who in game.table.sides[side])


def concede(game: Game, seat: str) -> Frame:
    """The frame by which the side of a seat leaves. IllegalAnswer where concessions are asked for at the round's start."""
    if game.policy["concede"] == "round_start":
        raise IllegalAnswer("concessions are asked for at the start of each round, and only then (L5R-DUEL-27)")
    return Concession(game.seats[seat].side)


def conceded(game: Game, seat: str) -> bool:
    """Whether the side of a seat has yielded already."""
    return any(game.records[who].out == "yielded" for who in game.table.sides[game.seats[seat].side])


@steps("ask", "seal")
class ConcessionAnswer(Frame):
    """A side's secret answer whether it concedes (L5R-DUEL-27)."""

    seat: str
    who: Id
    sealed: str = ""

    def ask(answer_, game: Game) -> Choice:
        offers = (_FIGHT_ON, _GIVE_UP)
        return Choice(answer_.seat, "concession", offers, answer_.who)

    def seal(answer_, game: Game, answer: Value) -> None:
        answer_.sealed = str(answer)


_FIGHT_ON: Final = Offer("fight_on", "concession", rules=("L5R-DUEL-27", "L5R-SKIR-13", "L5R-HIDE-2"))
_GIVE_UP: Final = Offer("give_up", "concession", rules=("L5R-DUEL-27", "L5R-SKIR-13", "L5R-HIDE-2"))


# The end of the scene


@steps("begin", "sober_up", "settle_down", "finish")
class SceneEnd(Frame):
    """The scene is over: strife and fatigue sink, and the encounter ends."""

    winner: str
    reason: str
    place: int = 0

    def begin(end, game: Game) -> None:
        for who in game.table.order:
            if game.records[who].effects or game.records[who].predict:
                record = game.edit(who)
                record.effects = ()
                record.predict = ""

    @cites("L5R-COND-13")
    def sober_up(end, game: Game) -> Frame | None:
        order = game.table.order
        while end.place < len(order):
            who = order[end.place]
            end.place += 1
            if "intoxicated" in game.records[who].conditions and able(game, who):
                end.go("sober_up")
                return Sobering(who)
        return None

    @cites("L5R-DER-8")
    def settle_down(end, game: Game) -> None:
        for who in game.table.order:
            record = figure(game, who)
            if record.out == "dead" or record.out == "defeated":
                continue
            strife, fatigue = settled(
                strife_of(record), record.fatigue, game.table.sheets[who].composure, endurance(game, who),
                exhausted="exhausted" in record.conditions,
            )  # fmt: skip
            gone = tuple(each for each in ("afflicted", "enraged") if each in record.conditions)
            if (strife, fatigue) != (strife_of(record), record.fatigue) or gone:
                record = game.edit(who)
                rules = ("L5R-COND-10",) if "exhausted" in record.conditions else ()
                record.strife, record.stain, record.fatigue = strife, 0, fatigue
                record.compromised = False
                record.conditions = tuple(each for each in record.conditions if each not in gone)
                if "enraged" in gone:
                    rules = (*rules, "L5R-COND-9")
                if "afflicted" in gone:
                    rules = (*rules, "L5R-COND-2")
                game.log("settles", who=who, strife=strife, fatigue=fatigue, ended=gone, rules=rules)

    def finish(end, game: Game) -> None:
        reason = end.reason
        rules = end_rules(game, reason)
        points = scores(game, end.winner) if game.table.duel and game.policy["duel_scoring"] == "on" else ()
        if points:
            rules = (*rules, "L5R-DUEL-23", "L5R-DUEL-24")
            if reason in ("both", "max_rounds", "objective"):
                best = max(points, key=lambda each: each[1])
                even = points[0][1] == points[1][1]
                end.winner = "" if even else game.table.side[best[0]]
                game.log("scored", points=points, difference=abs(points[0][1] - points[1][1]), rules=rules)
        cheats = [who for who in game.table.order if game.records[who].cheated] if game.table.duel else []
        if len(cheats) == 1:
            end.winner = game.table.side[game.table.foes[cheats[0]][0]]
            reason = "cheated"
            rules = (*rules, "L5R-DUEL-23")
        game.log("ends", winner=end.winner or None, reason=reason, rules=rules)
        game.finish(end.winner or None, reason)


_ENDS_OF_DUELS: Final = {
    "objective": ("L5R-DUEL-20",),
    "both": ("L5R-DUEL-20",),
    "conceded": ("L5R-DUEL-3", "L5R-DUEL-27"),
    "both_conceded": ("L5R-DUEL-27",),
    "max_rounds": ("L5R-DUEL-22",),
    "beaten": ("L5R-DUEL-20",),
    "one_roll": ("L5R-DUEL-25",),
}
_ENDS_OF_SKIRMISHES: Final = {
    "conceded": ("L5R-SKIR-13",),
    "both_conceded": ("L5R-SKIR-13",),
    "max_rounds": ("L5R-SKIR-12",),
    "beaten": ("L5R-SKIR-12",),
}


def end_rules(game: Game, reason: str) -> tuple[str, ...]:
    """The rules by which a scene ends for that reason."""
    if not game.table.duel:
        return _ENDS_OF_SKIRMISHES.get(reason, ())
    rules = _ENDS_OF_DUELS.get(reason, ())
    if reason != "objective":
        return rules
    at_once = game.find(game.frame_classes["FinishingBlow"]) >= 0
    return (OBJECTIVE_RULES[game.table.objective], *(("L5R-DUEL-14",) if at_once else rules))


def settled(strife: int, fatigue: int, composure: int, most_fatigue: int, *, exhausted: bool = False) -> tuple[int, int]:
    """L5R-DER-8: strife and fatigue above half, rounded up, sink to it; the Exhausted keep their fatigue."""
    fatigue = fatigue if exhausted else min(fatigue, (most_fatigue + 1) // 2)
    return min(strife, (composure + 1) // 2), fatigue


def scores(game: Game, winner: str) -> tuple[tuple[Id, int], ...]:
    """L5R-DUEL-23: the points of both duellists."""
    found = []
    for who in game.table.order:
        record = figure(game, who)
        points = 6 if objective_met(game, who) else 0
        points += 3 if record.inflicted_first else 0
        points += record.fatigue_inflicted
        foe = figure(game, game.table.foes[who][0])
        if game.table.objective == "death" and foe.out == "dead":
            points += 14
        elif record.inflicted >= 0:
            points += record.inflicted
        if record.unmasked:
            points -= 2
        found.append((who, points))
    return tuple(found)


def verdict(difference: int) -> str:
    """L5R-DUEL-24: what a difference of points is called."""
    difference = abs(difference)
    for least, name in ((7, "no_contest"), (3, "absolute"), (2, "clear"), (1, "narrow")):
        if difference >= least:
            return name
    return "draw"


def award(difference: int) -> int:
    """L5R-DUEL-24: what a victory adds to a glory award."""
    return {"no_contest": 5, "absolute": 3}.get(verdict(difference), 0)


@steps("roll_sobering", "sober", "bleed")
class Sobering(Frame):
    """The Intoxicated test whether they are sober again (L5R-COND-13)."""

    who: Id
    strife: int = 0

    def roll_sobering(sobering, game: Game) -> Frame:
        game.edit(sobering.who).stance = "water"
        return Check(sobering.who, "fitness", "sober", 3, "L5R-COND-13", "intoxicated", ring="water")

    @cites("L5R-COND-13")
    def sober(sobering, game: Game, check: Check) -> None:
        sobering.strife = check.strife
        if check.succeeded:
            record = game.edit(sobering.who)
            record.conditions = tuple(each for each in record.conditions if each != "intoxicated")
            game.log("condition_ends", who=sobering.who, condition="intoxicated")

    def bleed(sobering, game: Game) -> Frame | None:
        return aftermath(game, sobering.who, sobering.strife)
