"""How a skirmish ends: an objective, one side left, the last Turn, a side that gives up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ...engine import Cut, Frame, Game, Id, cites, steps
from .checks import holder_of, share, standing
from .contests import Contest, Contests
from .outcomes import leave
from .records import Called

if TYPE_CHECKING:
    from .setup import Table


def announce(game: Game, side: str | None, reason: str, rule: str) -> None:
    """Ends the skirmish: a side has won, or nobody."""
    game.log("ends", winner=side, reason=reason, rules=(rule,))
    game.finish(side, reason)


def meet_objective(game: Game) -> None:
    """SOL-END-2: an objective that is met at the end of a phase wins at once."""
    table: Table = game.table
    goal = table.scenario.objective
    if goal is None:
        return
    able = table.members.get(goal.side, ())
    if goal.carry and holder_of(game, goal.carry):
        able = (holder_of(game, goal.carry),)
    for who in able:
        at = game.records[who].at
        if at == (goal.to or goal.reach):
            game.log("meets", who=who, at=at, thing=goal.carry)
            announce(game, table.side[who], "objective", "SOL-END-2")
            return


def test_end(game: Game) -> None:
    """SOL-END-1: the only side with models left wins; none left is a draw."""
    if game.result is None:
        left = dict.fromkeys(game.table.side[who] for who in standing(game))
        if len(left) < 2:
            announce(game, next(iter(left), None), "last_standing", "SOL-END-1")


def run_out(game: Game) -> None:
    """SOL-END-3: after the last Turn the scenario decides, else the higher share of Body."""
    table: Table = game.table
    goal = table.scenario.objective
    if goal is not None and goal.carry and holder_of(game, goal.carry):
        announce(game, table.side[holder_of(game, goal.carry)], "holds", "SOL-END-3")
    elif goal is not None and goal.unlock:
        opened = game.records[goal.unlock].done
        other = next(side for side in table.sides if side != goal.side)
        announce(game, goal.side if opened else other, "unlocked" if opened else "kept_shut", "SOL-END-3")
    else:
        shares = {side: share(game, side) for side in table.sides}
        ahead = [
            side for side, (left, whole) in shares.items() if all(left * most >= rest * whole for rest, most in shares.values())
        ]
        for side, (left, whole) in shares.items():
            game.log("share", side=side, left=left, whole=whole, rules=("SOL-END-3",))
        announce(game, ahead[0] if len(ahead) == 1 else None, "turn_limit", "SOL-END-3")


@steps("leave", "drop", "cut")
class Concession(Frame):
    """A side gives up: its models leave at once, and nothing comes of what names them (SOL-END-5)."""

    side: str
    models: tuple[Id, ...] = ()

    @cites("SOL-END-5")
    def leave(concession, game: Game) -> None:
        concession.models = tuple(who for who in standing(game) if game.table.side[who] == concession.side)
        game.log("concedes", side=concession.side)
        _drop_deeds(game, concession.models)
        for who in concession.models:
            game.log("leaves", who=who, at=game.records[who].at)
            leave(game, who, "left")

    @cites("SOL-END-5", "SOL-END-1")
    def drop(concession, game: Game) -> None:
        depth = game.find(Contests)
        if depth >= 0:
            contests: Any = game.edit_frame(depth)
            before = contests.called
            contests.called = tuple(_without(game, each, concession.models) for each in before)
            for old, each in zip(before, contests.called, strict=True):
                if old.contestants and each.callers and not each.contestants:
                    who = each.callers[0]
                    game.log("comes_to_nothing", who=who, action="contest", name=each.name, target=each.prize)
        test_end(game)

    def cut(concession, game: Game) -> Cut | None:
        return _cut(game, concession.models)


def _drop_deeds(game: Game, gone: tuple[Id, ...]) -> None:
    depth = game.find(game.frame_classes["Phase"])
    if depth < 0:
        return
    phase: Any = game.edit_frame(depth)
    held = {artifact for artifact in game.table.artifacts if holder_of(game, artifact) in gone}
    kept = []
    for deed in phase.deeds:
        if deed.who in gone:
            game.log("dropped", who=deed.who, action=deed.kind, name=deed.name, target=deed.target)
            continue
        names = deed.target in gone or (deed.target in held and deed.kind == "contest")
        if names and not deed.failed:
            game.log("comes_to_nothing", who=deed.who, action=deed.kind, name=deed.name, target=deed.target)
            deed = msgspec.structs.replace(deed, failed=True)
        kept.append(deed)
    phase.deeds = tuple(kept)
    phase.won = tuple(each for each in phase.won if each[0] not in gone)
    phase.prizes = tuple((prize, who) for prize, who in phase.prizes if who not in gone and prize not in held)
    phase.wounds = tuple(each for each in phase.wounds if each[0] not in gone and each[2] not in gone)


def _without(game: Game, called: Called, gone: tuple[Id, ...]) -> Called:
    """A contest without those who have left; nobody is left in it if fewer than two remain, no caller, or no holder."""
    left = [place for place, who in enumerate(called.contestants) if who not in gone]
    callers = tuple(who for who in called.callers if who not in gone)
    if game.table.contests[called.name].between == "caller and holder" and len(left) == len(callers):
        # That its holder has left is told of each caller's Action.
        callers = ()
    if len(left) < 2 or not callers:
        return msgspec.structs.replace(called, callers=callers, contestants=(), pools=())
    return msgspec.structs.replace(
        called,
        callers=callers,
        contestants=tuple(called.contestants[place] for place in left),
        pools=tuple(called.pools[place] for place in left),
    )


def _cut(game: Game, gone: tuple[Id, ...]) -> Cut | None:
    """Abandons the roll in progress, if it is one of a model that has left or of an Action that came to nothing."""
    begun = game.find(game.frame_classes["Phase"])
    if begun < 0:
        return None
    phase: Any = game.agenda[begun]
    alive = {deed.who for deed in phase.deeds if not deed.failed}
    for depth in range(begun + 1, len(game.agenda)):
        frame: Any = game.agenda[depth]
        if isinstance(frame, Contest):
            return _cut_contest(game, depth, gone)
        if isinstance(frame, Contests):
            continue
        if "close" in frame.NAMES and frame.who not in alive:
            return Cut(depth, "close")
    return None


def _cut_contest(game: Game, depth: int, gone: tuple[Id, ...]) -> Cut | None:
    contest: Any = game.edit_frame(depth)
    contests: Any = game.agenda[game.find(Contests)]
    called: Called = contests.called[contests.place - 1]
    if not called.contestants:
        return Cut(depth, "close")
    rolling = contest.waiting[0] if contest.waiting else ""
    contest.contestants, contest.pools = called.contestants, called.pools
    contest.waiting = tuple(who for who in contest.waiting if who not in gone)
    contest.results = tuple(each for each in contest.results if each[0] not in gone)
    return Cut(depth, "roll_next") if rolling in gone else None


def concede(game: Game, seat: str) -> Concession:
    """The frame by which a side leaves."""
    return Concession(seat)


def conceded(game: Game, seat: str) -> bool:
    """Whether a side has no models left."""
    return not any(game.table.side[who] == seat for who in standing(game))
