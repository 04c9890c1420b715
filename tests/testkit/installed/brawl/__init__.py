"""A made-up ruleset for the tests of the testkit: two fighters, a die, a hidden hand, one reaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from referee.dice import D6
from referee.engine import (
    Card,
    Choice,
    Content,
    Frame,
    Game,
    Hidden,
    Offer,
    Policy,
    Problem,
    Reason,
    Record,
    Ref,
    Refusal,
    Roll,
    Ruleset,
    Scenario,
    Seat,
    Window,
    breakdown,
    cites,
    legal,
    steps,
    total,
)


class Fighter(Card, frozen=True, kw_only=True):
    """A card."""

    strength: Annotated[int, msgspec.Meta(ge=0, le=5)]


class Brawl(Scenario, frozen=True, kw_only=True):
    """A scenario."""

    fighters: tuple[Annotated[str, Ref("fighters")], ...]
    hands: tuple[tuple[str, ...], ...] = (("block",), ("block",))


class Figure(Record):
    """Somebody fighting."""

    life: int = 6
    strength: int = 0
    braced: bool = False
    hand: Annotated[tuple[str, ...], Hidden("owner", shown=len)] = ()


def blow(game: Game, who: str) -> Iterator[tuple[int, str, str]]:
    """The damage beyond the die."""
    yield game.records[who].strength, "strength", "BRA-BLOW-2"
    if game.records[other(game, who)].braced:
        yield -1, "braced", "BRA-BLOW-3"


def may_brace(game: Game, who: str) -> Iterator[Reason]:
    if game.records[who].braced:
        yield Reason("braced already", (who,), ("BRA-ACT-2",))


def other(game: Game, who: str) -> str:
    return next(id for id in game.records if id != who)


def refuse(game: Game, choice: Choice) -> list[Refusal]:
    reasons = tuple(may_brace(game, choice.who))
    return [Refusal("brace", reasons)] if reasons else []


@steps("begin_turn", "choose", "act", "roll_blow", "hurt", "pass_on")
class Turn(Frame):
    who: str
    act_chosen: str = ""

    @cites("BRA-ACT-1")
    def begin_turn(turn, game: Game) -> None:
        game.round += 1
        if game.round > game.policy["rounds"]:
            game.finish(None, "time")

    def choose(turn, game: Game) -> Choice:
        offers = [Offer("hit", rules=("BRA-ACT-1",)), Offer(("wait", 0))]
        if legal(may_brace(game, turn.who)):
            offers.append(Offer("brace"))
        return Choice(game.seat_of[turn.who], "act", tuple(offers), turn.who, refuse=refuse)

    @cites("BRA-ACT-2")
    def act(turn, game: Game, answer: Any) -> Window | None:
        if answer == "brace":
            game.edit(turn.who).braced = True
            game.log("braced", who=turn.who)
        if answer != "hit":
            turn.go("pass_on")
            return None
        return Window("blow", (other(game, turn.who),))

    def roll_blow(turn, game: Game) -> Roll:
        return Roll("blow", D6, turn.who)

    @cites("BRA-BLOW-1")
    def hurt(turn, game: Game, roll: int) -> None:
        amount = max(0, roll + total(blow(game, turn.who)))
        target = game.edit(other(game, turn.who))
        target.life = max(0, target.life - amount)
        target.braced = False
        game.log("hurt", who=target.id, by=amount)

    def pass_on(turn, game: Game) -> None:
        turn.who = other(game, turn.who)
        turn.go("begin_turn")


@steps("block")
class Block(Frame):
    who: str

    @cites("BRA-BLOCK-1")
    def block(block, game: Game) -> None:
        hand = list(game.records[block.who].hand)
        hand.remove("block")
        game.edit(block.who).hand = tuple(hand)
        game.end(game.find(Turn), "pass_on")
        game.log("blocked", who=block.who)
        game.reveal()


class BlockReaction:
    name = "block"

    def may_hold(self, game: Game, window: Window, who: str) -> bool:
        return len(game.records[who].hand) > 0

    def offers(self, game: Game, window: Window, who: str) -> list[Offer]:
        return [Offer(("block",))] if "block" in game.records[who].hand else []

    def refusals(self, game: Game, window: Window, who: str) -> list[Refusal]:
        return []

    def play(self, game: Game, window: Window, who: str, value: Any) -> Frame:
        return Block(who=who)


@steps("leave")
class Leave(Frame):
    side: str

    def leave(leave, game: Game) -> None:
        game.log("left", who=leave.side)
        game.finish(other(game, leave.side), "conceded")


def setup(game: Game) -> Frame:
    for id, hand in zip(game.content.scenario.fighters, game.content.scenario.hands, strict=True):
        game.put(Figure(id, strength=game.content.cards["fighters"][id].strength, hand=hand))
    return Turn(who=game.content.scenario.fighters[0])


def arrange(game: Game, given: Mapping[str, Any]) -> Frame:
    frame = setup(game)
    for id, fields in given.items():
        for field, value in fields.items():
            setattr(game.edit(id), field, tuple(value) if isinstance(value, list) else value)
    return frame


def dead(game: Game, ids: tuple[str, ...]) -> None:
    for id in ids:
        if id in game.records and game.records[id].life <= 0:
            game.log("fell", who=id, rules=("BRA-END-1",))
            game.finish(other(game, id), "down")


def possible(game: Game, seat: str, rng: Any) -> None:
    for record in list(game.records.values()):
        if game.seat_of[record.id] != seat:
            game.edit(record.id).hand = tuple(rng.choose(("block", "nothing")) for _ in record.hand)


def worth(game: Game, seat: str) -> int:
    return game.records[seat].life - game.records[other(game, seat)].life


def scenario_problems(content: Content) -> Iterator[Problem]:
    if len(set(content.scenario.fighters)) != 2:
        yield Problem(("fighters",), "not two fighters (BRA-END-1)", "name two")


class Words:
    """The words of the game."""

    @staticmethod
    def label(game: Game, question: Any, offer: Offer) -> str:
        return f"({offer.value})"

    @staticmethod
    def line(game: Game, event: Any) -> str:
        return f"{event.kind} {event.facts}"

    @staticmethod
    def about(game: Game, question: Any) -> str:
        return str(question.about)

    @staticmethod
    def reason(game: Game, reason: Reason) -> str:
        return reason.key

    @staticmethod
    def result(game: Game, result: Any) -> str:
        return str(result.reason)

    @staticmethod
    def tableau(game: Game, seat: str | None) -> str:
        return "\n".join(f"{each.id} {each.life}" for each in game.records.values())


RULESET = Ruleset(
    id="brawl",
    title="Brawl",
    rules_version=1,
    package="brawl",
    main_scenario="yard",
    cards={"fighters": Fighter},
    scenario=Brawl,
    policies={"rounds": Policy((20, 4), "pace", any_number=True)},
    records=(Figure,),
    frames=(Turn, Block, Leave),
    seats=lambda content: (
        *(Seat(id, id, (id,)) for id in content.scenario.fighters),
        Seat("gm", role="gm"),
    ),
    setup=setup,
    words=Words,
    checks=(dead,),
    reactions=lambda game, window, who: (BlockReaction(),),
    breakdown=lambda game, choice, offer: [breakdown("damage", blow(game, choice.who))] if offer.value == "hit" else [],
    concede=lambda game, seat: Leave(side=seat),
    worth=worth,
    arrange=arrange,
    cases={"sum": lambda first, second: first + second},
    possible=possible,
    scenario_problems=scenario_problems,
    in_use=("fighters",),
)
