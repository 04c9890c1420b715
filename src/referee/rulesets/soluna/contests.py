"""Contests of a phase: who is in, what each commits in secret, the rolls, the winner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ...engine import Choice, Frame, Game, Id, Offer, Reason, Refusal, Together, Value, cites, steps
from .checks import contestants, model
from .orders import refuse_pool
from .records import Called
from .trials import Test, running_phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .setup import Table

Entry = tuple[int, Id, Id, Id, int]
"""The place of a contest, who commits to it, its name and prize, the preparation flips that this one uses."""
Result = tuple[Id, int, int]
"""Who, the score, and the face where the policy looks at it."""


def calls(game: Game, deeds: tuple[Any, ...]) -> tuple[Called, ...]:
    """SOL-CONT-7: the contests that Actions call, each once, in the order of its first caller."""
    callers: dict[tuple[Id, Id], tuple[Id, ...]] = {}
    extra: dict[Id, int] = {}
    for deed in deeds:
        if deed.kind == "contest" and not deed.failed:
            callers[deed.name, deed.target] = (*callers.get((deed.name, deed.target), ()), deed.who)
            extra[deed.who] = deed.extra("contest")
    made = []
    for (name, prize), who in callers.items():
        those = contestants(game, name, prize, who)
        if len(those) < 2:
            game.log("comes_to_nothing", who=who[0], action="contest", name=name, target=prize, rules=("SOL-END-5",))
            continue
        # SOL-CONT-7: only callers use preparation flips.
        made.append(Called(name, prize, who, those, tuple((0, 0, extra[each] if each in who else 0) for each in those)))
    return tuple(made)


@steps("call", "commit", "reveal", "hold_next", "close")
class Contests(Frame):
    """All contests of a phase: called, committed to in secret at once, then held one after another."""

    called: tuple[Called, ...] = ()
    place: int = 0

    @cites("SOL-CONT-1", "SOL-CONT-6")
    def call(contests, game: Game) -> None:
        contests.called = calls(game, running_phase(game).deeds)
        for each in contests.called:
            drawn = tuple(who for who in each.contestants if who not in each.callers)
            rules = ["SOL-CONT-7"] if len(each.callers) > 1 or drawn else []
            if any(model(game, who).prepared for who in drawn):
                rules.append("SOL-PREP-6")
            rules.append(game.table.contests[each.name].rule)
            game.log(
                "called", who=each.callers[0], callers=each.callers, name=each.name, prize=each.prize, drawn=drawn,
                rules=tuple(rules),
            )  # fmt: skip

    def commit(contests, game: Game) -> Together:
        table: Table = game.table
        entries: dict[str, list[Entry]] = {}
        for place, each in enumerate(contests.called):
            for who, (*_, extra) in zip(each.contestants, each.pools, strict=True):
                entries.setdefault(table.side[who], []).append((place, who, each.name, each.prize, extra))
        phase: Any = game.agenda[-2]
        about = f"contest {phase.number}"
        return Together({side: Commitment(side, tuple(entries[side])) for side in table.sides if side in entries}, about)

    @cites("SOL-CONT-2", "SOL-CONT-6", "SOL-HIDE-2")
    def reveal(contests, game: Game, sealed: dict[str, Any]) -> None:
        committed = {(place, who): (dice, flips) for each in sealed.values() for place, who, dice, flips in each}
        made = []
        for place, each in enumerate(contests.called):
            pools = []
            for who, (*_, extra) in zip(each.contestants, each.pools, strict=True):
                dice, flips = committed[place, who]
                pools.append((dice, flips, extra))
                game.log("commits", who=who, name=each.name, dice=dice, flips=flips, extra=extra)
            made.append(msgspec.structs.replace(each, pools=tuple(pools)))
        contests.called = tuple(made)

    def hold_next(contests, game: Game) -> Frame | None:
        if contests.place == len(contests.called):
            return None
        called = contests.called[contests.place]
        contests.place += 1
        contests.go("hold_next")
        if not called.contestants:
            return None
        return Contest(called.name, called.prize, called.contestants, called.pools, called.contestants)

    def close(contests, game: Game) -> None:
        """Nothing is left to do."""


def _refuse(game: Game, choice: Choice) -> Iterator[Refusal]:
    yield from refuse_pool(game, choice)
    if choice.facts[2]:
        for dice in range(1, choice.facts[1] - 1):
            yield Refusal(("pool", dice, 1), (Reason("sacrificed", (), ("SOL-FLIP-5",)),), "pool")


@steps("ask", "take")
class Commitment(Frame):
    """What a side commits to the contests of a phase, model after model, in secret (SOL-CONT-6, SOL-HIDE-2)."""

    side: str
    entries: tuple[Entry, ...]
    place: int = 0
    sealed: tuple[tuple[int, Id, int, int], ...] = ()

    def ask(commitment, game: Game) -> Choice:
        _, who, name, prize, extra = commitment.entries[commitment.place]
        committed = sum(dice + 2 * flips for _, other, dice, flips in commitment.sealed if other == who)
        left = max(0, model(game, who).left - committed)
        offers: tuple[Offer, ...] = game.table.pools[left]
        # SOL-FLIP-5: under the policy a roll that takes preparation flips takes no sacrificed ones.
        single = bool(extra) and game.policy["prep_and_sacrifice"] == "one_only"
        if single:
            offers = tuple(offer for offer in offers if not offer.value[2])  # type: ignore[index]
        return Choice(commitment.side, "commitment", offers, who, facts=(name, left, single, prize), refuse=_refuse)

    @cites("SOL-CONT-2", "SOL-CONT-6")
    def take(commitment, game: Game, answer: Value) -> None:
        number, who, *_ = commitment.entries[commitment.place]
        commitment.sealed = (*commitment.sealed, (number, who, int(answer[1]), int(answer[2])))  # type: ignore[index, arg-type]
        commitment.place += 1
        if commitment.place < len(commitment.entries):
            commitment.go("ask")


@steps("roll_next", "note", "compare", "hand_over", "close")
class Contest(Frame):
    """One contest: all roll, then the largest score wins; a tie goes by the policy `contest_tie`."""

    name: Id
    prize: Id
    contestants: tuple[Id, ...]
    pools: tuple[tuple[int, int, int], ...]
    waiting: tuple[Id, ...]
    results: tuple[Result, ...] = ()
    again: bool = False
    winner: Id = ""

    @cites("SOL-CONT-3")
    def roll_next(contest, game: Game) -> Test | None:
        if not contest.waiting:
            contest.go("compare")
            return None
        who = contest.waiting[0]
        dice, flips, extra = contest.pool(who)
        return Test(who, "contest", dice, flips, extra, costs=not contest.again)

    def note(contest, game: Game, test: Test) -> None:
        contest.waiting = contest.waiting[1:]
        contest.results = (*contest.results, (test.who, test.size, test.face))
        contest.go("roll_next")

    @cites("SOL-CONT-3", "SOL-CONT-4", "SOL-CONT-5")
    def compare(contest, game: Game) -> None:
        best = max(result[1:] for result in contest.results)
        ahead = tuple(who for who, *scored in contest.results if tuple(scored) == best)
        if len(ahead) == 1:
            contest.winner = ahead[0]
            game.log("wins", who=ahead[0], name=contest.name, prize=contest.prize, score=best[0])
            return
        if game.policy["contest_tie"] == "reroll" and can_differ([contest.pool(who) for who in ahead]):
            game.log("rolls_again", name=contest.name, tied=ahead, score=best[0])
            contest.waiting, contest.results, contest.again = ahead, (), True
            contest.go("roll_next")
            return
        game.log("tied", name=contest.name, tied=ahead, score=best[0])
        contest.go("close")

    @cites("SOL-CONT-3", "SOL-END-4")
    def hand_over(contest, game: Game) -> None:
        phase = running_phase(game)
        phase.prizes = (*phase.prizes, (contest.prize, contest.winner))

    def close(contest, game: Game) -> None:
        """Nothing is left to do."""

    def pool(contest, who: Id) -> tuple[int, int, int]:
        """Dice, flips and preparation flips of a contestant."""
        return contest.pools[contest.contestants.index(who)]


def can_differ(pools: list[tuple[int, int, int]]) -> bool:
    """SOL-CONT-4: whether some roll of the tied contestants would leave one of them best alone."""
    ranges = []
    for dice, flips, extra in pools:
        least = -(-dice // 6)
        ranges.append((min(dice, least + flips + extra), dice))
    return any(
        most > max(least for place, (least, _) in enumerate(ranges) if place != number) for number, (_, most) in enumerate(ranges)
    )
