"""Moments at which others may act out of turn: Wait, Crescent Moon Style, redirections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...engine import Frame, Game, Id, Offer, Refusal, Value, Window, steps
from .facts import able, band, figure


@steps("open", "close")
class Occasion(Frame):
    """Something that others may have waited for: attacks, moves, handles, ends_turn."""

    event: str
    who: Id
    target: Id = ""
    came: int = 0

    def open(occasion, game: Game) -> Window:
        order = tuple(who for who in game.table.order if who != occasion.who)
        return Window(occasion.event, order, passes="once")

    def close(occasion, game: Game) -> None:
        pass


def occasion(game: Game, event: str, who: Id, target: Id = "", came: int = 0) -> Frame | None:
    """The moment for those who wait, if anybody does."""
    table = game.table
    if table.duel:
        return None
    records = game.records
    for other in table.order:
        if records[other].wait:
            return Occasion(event, who, target, came)
    if event == "attacks":
        for other in table.order:
            if any(effect.name == "crescent" for effect in records[other].effects):
                return Occasion(event, who, target, came)
    return None


class _Waited:
    """L5R-ACT-14: the trigger has come."""

    name = "waited"

    def may_hold(self, game: Game, window: Window, who: Id) -> bool:
        record = figure(game, who)
        if not record.wait or not able(game, who):
            return False
        moment = game.agenda[window.depth]
        if not isinstance(moment, Occasion):
            return False
        _, event, whom, near = record.wait
        if whom not in (moment.who, game.table.side[moment.who]):
            return False
        if event == "within":
            within = int(near)
            before = min(6, abs(record.at - moment.came))
            return moment.event == "moves" and before > within >= band(game, who, moment.who)
        return event == moment.event

    def offers(self, game: Game, window: Window, who: Id) -> Sequence[Offer]:
        return [Offer(("waited", figure(game, who).wait[0]), "reaction", rules=("L5R-ACT-14",))]

    def refusals(self, game: Game, window: Window, who: Id) -> Sequence[Refusal]:
        return []

    def play(self, game: Game, window: Window, who: Id, value: Value) -> Frame:
        return game.new_frame("Waited", who)


class _Crescent:
    """L5R-TEC-15: after an attack on oneself or the guarded by somebody near, a Strike in return."""

    name = "crescent"

    def may_hold(self, game: Game, window: Window, who: Id) -> bool:
        moment = game.agenda[window.depth]
        if not isinstance(moment, Occasion) or moment.event != "attacks" or not able(game, who):
            return False
        record = figure(game, who)
        if not any(effect.name == "crescent" for effect in record.effects):
            return False
        if game.table.side[moment.who] == game.table.side[who] or game.records[moment.who].out:
            return False
        return moment.target in (who, record.guarding) and 1 <= band(game, who, moment.who) <= 2

    def offers(self, game: Game, window: Window, who: Id) -> Sequence[Offer]:
        moment: Any = game.agenda[window.depth]
        return [Offer(("crescent", moment.who), "reaction", target=moment.who, rules=("L5R-TEC-15",))]

    def refusals(self, game: Game, window: Window, who: Id) -> Sequence[Refusal]:
        return []

    def play(self, game: Game, window: Window, who: Id, value: Value) -> Frame:
        return game.new_frame("Riposte", who, value[1])  # type: ignore[index]


class _Redirect:
    """L5R-DICE-20: a technique by which a figure takes an attack on an ally on itself."""

    name = "redirect"

    def may_hold(self, game: Game, window: Window, who: Id) -> bool:
        techniques = game.table.techniques
        if window.occasion != "kept" or not able(game, who):
            return False
        check: Any = game.agenda[window.depth]
        near = band(game, who, check.targets[0]) <= 1
        return near and any(techniques[name].ability == "redirect" for name in game.table.sheets[who].techniques)

    def offers(self, game: Game, window: Window, who: Id) -> Sequence[Offer]:
        return [Offer(("redirect", who), "reaction", target=who, rules=("L5R-DICE-20",))]

    def refusals(self, game: Game, window: Window, who: Id) -> Sequence[Refusal]:
        return []

    def play(self, game: Game, window: Window, who: Id, value: Value) -> Frame:
        return game.new_frame("Redirection", who, window.depth)


_ON_OCCASIONS: Final = (_Waited(), _Crescent())
_ON_KEEPING: Final = (_Redirect(),)


def reactions(game: Game, window: Window, who: Id) -> Sequence[Any]:
    """What a figure may hold in a window, as all can see."""
    if window.occasion == "kept":
        return _ON_KEEPING
    record = figure(game, who)
    return _ON_OCCASIONS if record.wait or record.effects else ()
