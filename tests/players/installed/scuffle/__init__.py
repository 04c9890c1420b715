"""A made-up ruleset that is really played: a secret choice, a reaction in a hidden hand, costs, refusals, dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from referee.dice import D6
from referee.engine import (
    Breakdown,
    Choice,
    Frame,
    Game,
    Hidden,
    Offer,
    Reason,
    Record,
    Refusal,
    Roll,
    Ruleset,
    Scenario,
    Seat,
    Together,
    Window,
    breakdown,
    cites,
    steps,
)


class Yard(Scenario, frozen=True, kw_only=True):
    stamina: int = 9
    secret: bool = True


class Fighter(Record):
    stamina: int = 9
    breath: int = 1
    stance: str = "high"
    hand: Annotated[tuple[str, ...], Hidden("owner", shown=len)] = ()


def other(who: str) -> str:
    return "bob" if who == "ann" else "ann"


@steps("pick", "seal")
class Stance(Frame):
    who: str
    sealed: str = ""

    def pick(stance, game: Game) -> Choice:
        return Choice(stance.who, "stance", (Offer("high", "stance"), Offer("low", "stance")), stance.who)

    def seal(stance, game: Game, answer: str) -> None:
        stance.sealed = answer


@steps("begin", "stances", "take_stances", "first", "second", "again")
class Scuffle(Frame):
    @cites("SCU-ACT-1")
    def begin(scuffle, game: Game) -> None:
        game.round += 1
        game.log("round", number=game.round)
        if game.round > 40:
            game.finish(None, "tired")
        elif not game.content.scenario.secret:
            scuffle.go("first")

    def stances(scuffle, game: Game) -> Together:
        return Together({who: Stance(who) for who in ("ann", "bob")}, "stances")

    @cites("SCU-ACT-1")
    def take_stances(scuffle, game: Game, sealed: dict[str, str]) -> None:
        for who, stance in sealed.items():
            game.edit(who).stance = stance
            game.log("stance", who=who, stance=stance)

    def first(scuffle, game: Game) -> Frame:
        return Act("ann")

    def second(scuffle, game: Game) -> Frame:
        return Act("bob")

    def again(scuffle, game: Game) -> None:
        scuffle.go("begin")


def act_refusals(game: Game, choice: Choice) -> Iterator[Refusal]:
    if game.records[choice.who].breath < 1:
        yield Refusal("feint", (Reason("breath", (0, 1), ("SCU-ACT-2",)),))


@steps("ask", "take", "roll_damage", "hurt", "recover")
class Act(Frame):
    who: str

    def ask(act, game: Game) -> Choice:
        offers = [Offer("strike", "attack", rules=("SCU-ACT-3",))]
        if game.records[act.who].breath:
            offers.append(Offer("feint", "attack", cost=((1, "breath"),), rules=("SCU-ACT-2",)))
        offers.append(Offer("wait", "rest"))
        return Choice(act.who, "act", tuple(offers), act.who, refuse=act_refusals)

    @cites("SCU-ACT-2")
    def take(act, game: Game, answer: str) -> Frame | None:
        game.log("acts", who=act.who, act=answer)
        if answer == "wait":
            game.edit(act.who).breath += 1
            act.done()
        elif answer == "feint":
            game.edit(act.who).breath -= 1
            hurt(game, other(act.who), 2)
            act.done()
        else:
            return Window("declared", (other(act.who),))
        return None

    def roll_damage(act, game: Game) -> Roll:
        return Roll("damage", D6, act.who)

    @cites("SCU-ACT-3")
    def hurt(act, game: Game, roll: int) -> None:
        target = other(act.who)
        hurt(game, target, max(0, roll - 2 * (game.records[target].stance == "high")))

    def recover(act, game: Game) -> None:
        pass


def hurt(game: Game, who: str, by: int) -> None:
    game.edit(who).stamina -= by
    game.log("hurt", who=who, by=by)


@steps("leap")
class Dodge(Frame):
    who: str

    @cites("SCU-ACT-4")
    def leap(dodge, game: Game) -> None:
        game.edit(dodge.who).hand = ()
        game.end(game.find(Act), "recover")
        game.log("dodges", who=dodge.who)
        game.reveal()


class HeldDodge:
    name = "dodge"

    def may_hold(self, game: Game, window: Window, who: str) -> bool:
        return len(game.records[who].hand) > 0

    def offers(self, game: Game, window: Window, who: str) -> list[Offer]:
        return [Offer(("dodge",), "dodge", rules=("SCU-ACT-4",))] if "dodge" in game.records[who].hand else []

    def refusals(self, game: Game, window: Window, who: str) -> list[Refusal]:
        return []

    def play(self, game: Game, window: Window, who: str, value: Any) -> Frame:
        return Dodge(who)


@steps("leave")
class Leave(Frame):
    who: str

    def leave(leave, game: Game) -> None:
        game.log("leaves", who=leave.who)
        game.finish(other(leave.who), "conceded")


def down(game: Game, ids: tuple[str, ...]) -> None:
    for id in ids:
        if id in game.records and game.records[id].stamina <= 0:
            game.finish(other(id), "down")


def setup(game: Game) -> Frame:
    stamina = game.content.scenario.stamina
    game.put(Fighter("ann", stamina, 1, "high", ("dodge",)))
    game.put(Fighter("bob", stamina, 1, "high", ("sand",)))
    return Scuffle()


def possible(game: Game, seat: str, rng: Any) -> None:
    for who in ("ann", "bob"):
        if who != seat and game.records[who].hand:
            game.edit(who).hand = (rng.choose(("dodge", "sand")),)


def numbers(game: Game, choice: Choice, offer: Offer) -> Iterator[Breakdown]:
    if offer.value == "feint":
        yield breakdown("damage", [(3, "a feint", "SCU-ACT-3"), (-1, "against a fighter", "SCU-ACT-3")])


class Words:
    @staticmethod
    def label(game: Game, choice: Choice, offer: Offer) -> str:
        return offer.value[0] if isinstance(offer.value, tuple) else str(offer.value)

    @staticmethod
    def about(game: Game, question: Any) -> str:
        if isinstance(question, Roll):
            return f"{question.who.title()} rolls for {question.about}"
        return "Both pick a stance" if isinstance(question, Together) else f"{question.who.title()}: {question.about}?"

    @staticmethod
    def line(game: Game, event: Any) -> str:
        facts = dict(event.facts)
        who = str(facts.pop("who", "")).title()
        told = " ".join(str(each) for each in facts.values())
        rules = f" [{', '.join(event.rules)}]" if event.rules else ""
        return f"{'' if event.kind == 'round' else '  '}{f'{who} {event.kind} {told}'.strip()}{rules}"

    @staticmethod
    def reason(game: Game, reason: Reason) -> str:
        return f"it takes {reason.facts[1]} breath, and there is {reason.facts[0]}"

    @staticmethod
    def tableau(game: Game, seat: str) -> list[str]:
        lines = []
        for who in ("ann", "bob"):
            fighter = game.records[who]
            hand = " ".join(fighter.hand) if who == seat else f"{len(fighter.hand)} cards"
            lines.append(f"{who.title():<5}stamina {fighter.stamina:>2}  breath {fighter.breath}  {fighter.stance:<5} {hand}")
        return lines

    @staticmethod
    def result(game: Game, result: Any) -> str:
        return f"{result.winner.title()} wins: {result.reason}" if result.winner else f"A draw: {result.reason}"


def worth(game: Game, seat: str) -> int:
    if game.result is not None:
        return 0 if game.result.winner is None else 1000 if game.result.winner == seat else -1000
    mine, theirs = game.records[seat], game.records[other(seat)]
    return 10 * (mine.stamina - theirs.stamina) + mine.breath


RULESET = Ruleset(
    id="scuffle",
    title="Scuffle",
    rules_version=1,
    package="scuffle",
    main_scenario="yard",
    cards={},
    scenario=Yard,
    policies={},
    records=(Fighter,),
    frames=(Scuffle, Stance, Act, Dodge, Leave),
    seats=lambda content: (Seat("ann", "ann", ("ann",)), Seat("bob", "bob", ("bob",)), Seat("gm", role="gm")),
    setup=setup,
    words=Words,
    checks=(down,),
    reactions=lambda game, window, who: (HeldDodge(),),
    breakdown=numbers,
    concede=lambda game, seat: Leave(seat),
    worth=worth,
    possible=possible,
)
