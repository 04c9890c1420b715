"""A made-up skirmish that uses all that the engine has: four figures on three sides, secret bids, windows, checks, effects."""

from typing import Any

from referee.dice import D6, Dice, Stream
from referee.engine import (
    Choice,
    Cut,
    Effect,
    Encounter,
    Frame,
    Hiding,
    Id,
    Offer,
    Policy,
    Reason,
    Refusal,
    Roll,
    Ruleset,
    Scenario,
    Seat,
    Together,
    Until,
    Window,
    breakdown,
    cites,
    for_each,
    legal,
    named,
    steps,
    total,
    used,
)  # fmt: skip
from referee.engine.hiding import NOWHERE
from tests.engine.content import Words, content_of
from tests.engine.figures import FIGURES, GRID, KINDS, Figure, Pot, against_strike, armour, near, seats_standing, standing


@steps("begin_round", "ask_bids", "take_bids", "take_turns", "end_round")
class Skirmish(Frame):
    def begin_round(skirmish, game):
        game.round += 1
        game.log("round", number=game.round)

    def ask_bids(skirmish, game):
        return Together({seat: Bid(seat=seat) for seat in seats_standing(game)}, "bids")

    @cites("SK-10")
    def take_bids(skirmish, game, sealed):
        game.edit("pot").gold += sum(amount for amount, _ in sealed.values())
        game.log("bids", bids=tuple(sealed.items()))

    def take_turns(skirmish, game):
        return for_each(Turn, standing(game), "sword")

    def end_round(skirmish, game):
        game.happens("round ends")
        if game.round >= 4:
            game.finish(None, "time")
        skirmish.go("begin_round")


@steps("ask_amount", "take_amount", "ask_stake", "take_stake")
class Bid(Frame):
    """A secret bid: an amount, then perhaps a card from the hand."""

    seat: str
    amount: int = 0
    sealed: Any = None

    def ask_amount(bid, game):
        return Choice(bid.seat, "amount", tuple(Offer(each) for each in range(3)), form="number")

    def take_amount(bid, game, answer):
        bid.amount = answer
        bid.sealed = (answer, "")
        if not answer:
            bid.done()

    def ask_stake(bid, game):
        hand = [card for id in game.seats[bid.seat].figures for card in game.records[id].hand]
        return Choice(bid.seat, "stake", (Offer(""), *map(Offer, dict.fromkeys(hand))), always=True)

    def take_stake(bid, game, answer):
        bid.sealed = (bid.amount, "card" if answer else "")


def refuse(game: Any, choice: Choice) -> list[Refusal]:
    found = []
    for target in FIGURES:
        if target != choice.who and (reasons := tuple(against_strike(game, choice.who, target))):
            found.append(Refusal(("strike", target), reasons))
    return found


@steps("begin", "ask", "act", "ask_square", "move", "end")
class Turn(Frame):
    who: Id
    weapon: str

    def begin(turn, game):
        game.happens("turn begins", turn.who)
        if turn.who not in standing(game):
            turn.done()

    def ask(turn, game):
        targets = [each for each in standing(game) if each != turn.who and legal(against_strike(game, turn.who, each))]
        offers = [Offer(("strike", each), target=each, rules=("SK-2",)) for each in targets]
        wait = (Offer(("guard",)), Offer(("step",)), Offer(("peek",)))
        return Choice(game.seat_of[turn.who], "action", (*offers, *wait), turn.who, refuse=refuse)

    def act(turn, game, answer):
        name = answer[0]
        if name == "step":
            return None
        turn.go("end")
        if name == "strike":
            return Strike(attacker=turn.who, target=answer[1])
        if name == "peek":
            seat = game.seat_of[turn.who]
            game.log("peeked", who=turn.who, pot=game.records["pot"].gold, seen_by=(seat,))
            game.reveal(seat)
            return None
        game.give(turn.who, Effect("braced", 1, "guard", ("strike",), until=Until("turn begins", turn.who)))
        game.log("guards", who=turn.who)
        return None

    def ask_square(turn, game):
        here = game.records[turn.who].at
        taken = {game.records[each].at for each in FIGURES}
        free = tuple(each for each in GRID.neighbours(here) if each not in taken)
        return Choice(game.seat_of[turn.who], "square", tuple(Offer(each, cell=each) for each in (here, *free)), form="path")

    def move(turn, game, answer):
        game.edit(turn.who).at = answer

    def end(turn, game):
        game.log("turn over", who=turn.who, explain=True)


@steps("declare", "open", "roll_damage", "hurt", "close", "end")
class Strike(Frame):
    attacker: Id
    target: Id
    reacted: tuple[str, ...] = ()

    @cites("SK-2")
    def declare(strike, game):
        game.log("strikes", who=strike.attacker, target=strike.target)

    def open(strike, game):
        order = (strike.target, *(each for each in standing(game) if each != strike.target))
        return Window(occasion="declared", order=order, once_per="frame")

    def roll_damage(strike, game):
        return Roll("damage", D6, strike.attacker)

    @cites("SK-4")
    def hurt(strike, game, roll):
        lost = max(0, roll - total(armour(game, strike.target)))
        target = game.edit(strike.target)
        target.hp -= lost
        for effect in named(target.effects, "braced"):
            target.effects = used(target.effects, effect)
        game.log("hurt", target=strike.target, lost=lost)

    def close(strike, game):
        order = tuple(each for each in standing(game) if each != strike.attacker)
        return Window(occasion="resolved", order=order, passes="once", once_per="window")

    def end(strike, game):
        pushed = GRID.straight_away(game.records[strike.attacker].at, game.records[strike.target].at)
        if pushed and pushed not in {game.records[each].at for each in FIGURES}:
            game.edit(strike.target).at = pushed


@steps("spend", "open", "conclude")
class Parry(Frame):
    who: Id

    @cites("SK-6")
    def spend(parry, game):
        discard(game, parry.who, "parry")

    def open(parry, game):
        return Window(occasion="countered", order=tuple(each for each in standing(game) if each != parry.who))

    def conclude(parry, game):
        game.log("parries", who=parry.who)
        game.end(game.find(Strike), "end")


@steps("spend", "cut")
class Feint(Frame):
    """Cuts the parry short: the strike goes on with its damage at once."""

    who: Id

    @cites("SK-7")
    def spend(feint, game):
        discard(game, feint.who, "feint")

    def cut(feint, game):
        game.log("feints", who=feint.who)
        return Cut(game.find(Strike), "roll_damage")


@steps("spend", "settle")
class Brace(Frame):
    """Armour against one strike; and everybody is asked again."""

    who: Id

    def spend(brace, game):
        discard(game, brace.who, "brace")

    def settle(brace, game):
        game.give(brace.who, Effect("braced", 2, "card", ("strike",), 1, Until("round ends"), "highest"))
        game.restart(game.find(Strike))


@steps("shout", "roll_fear", "frighten")
class Jeer(Frame):
    who: Id

    def shout(jeer, game):
        game.log("jeers", who=jeer.who)

    def roll_fear(jeer, game):
        return Roll("fear", Dice(2, 3), jeer.who)

    def frighten(jeer, game, dice):
        if dice == (1, 1):
            game.edit("pot").gold += 1


def discard(game: Any, who: Id, card: str) -> None:
    figure = game.edit(who)
    hand = list(figure.hand)
    hand.remove(card)
    figure.hand = tuple(hand)
    game.log("plays", who=who, card=card)
    game.reveal()


class Played:
    """A reaction that needs a card; whoever has any card is asked."""

    def __init__(self, name: str, occasion: str, frame: type[Frame]) -> None:
        self.name, self.occasion, self.frame = name, occasion, frame

    def may_hold(self, game, window, who):
        return window.occasion == self.occasion and who in standing(game) and bool(self.frame is Jeer or game.records[who].hand)

    def offers(self, game, window, who):
        return [Offer((self.name,))] if self.frame is Jeer or self.name in game.records[who].hand else []

    def refusals(self, game, window, who):
        return [] if self.offers(game, window, who) else [Refusal((self.name,), (Reason("no card", (self.name,)),))]

    def play(self, game, window, who, value):
        return self.frame(who=who)


REACTIONS = (
    Played("parry", "declared", Parry),
    Played("brace", "declared", Brace),
    Played("feint", "countered", Feint),
    Played("jeer", "resolved", Jeer),
)


@steps("fall")
class Fall(Frame):
    who: Id

    @cites("SK-8")
    def fall(frame, game):
        figure = game.edit(frame.who)
        figure.down = True
        figure.effects = ()
        game.log("falls", who=frame.who)


@steps("scare")
class Panic(Frame):
    who: Id

    @cites("SK-9")
    def scare(panic, game):
        game.edit(panic.who).scared = True
        game.log("panics", who=panic.who)


@steps("flee")
class Flight(Frame):
    side: str

    def flee(flight, game):
        for id, seat in game.seat_of.items():
            if game.seats[seat].side == flight.side:
                game.edit(id).fled = True
        game.log("flees", side=flight.side)


def fallen(game: Any, ids: tuple[Id, ...]) -> Frame | None:
    return next((Fall(who=id) for id in ids if id in FIGURES and game.records[id].hp <= 0 and not game.records[id].down), None)


def panicked(game: Any, ids: tuple[Id, ...]) -> Frame | None:
    low = (id for id in ids if id in FIGURES and game.records[id].hp <= 3 and not game.records[id].scared)
    return next((Panic(who=id) for id in low), None)


def victory(game: Any, ids: tuple[Id, ...]) -> None:
    sides = {game.seats[game.seat_of[id]].side for id in standing(game)}
    if len(sides) < 2:
        game.finish(next(iter(sides), None), "alone")


def setup(game: Any) -> Frame:
    hands = {"ada": ("feint", "brace"), "axel": ("bluff",), "bo": ("parry", "brace"), "cy": ("feint", "parry")}
    for id, at in zip(FIGURES, ("b1", "a2", "b2", "c2"), strict=True):
        game.put(Figure(id, at, game.policy["health"], hand=hands[id], plan=f"plan of {id}", doom=1, trap="pit"))
    game.put(Pot("pot"))
    game.log("set up", figures=FIGURES)
    return Skirmish()


def possible(game: Any, seat: str, rng: Stream) -> None:
    for id in FIGURES:
        if game.records[id].out == NOWHERE:
            continue
        owner = game.seat_of[id]
        figure = game.edit(id)
        if owner != seat:
            figure.hand = tuple(rng.choose(KINDS) for _ in figure.hand)
        if game.seats[owner].side != game.seats[seat].side or game.seats[seat].role != "player":
            figure.plan = rng.choose(("attack", "hold"))
        figure.doom = rng.below(6)
        if not near(game, figure, seat):
            figure.trap = rng.choose(("pit", "net"))


def numbers(game: Any, choice: Choice, offer: Offer) -> list[Any]:
    return [breakdown("armour", armour(game, offer.target), 0)] if offer.target else []


SEATS = (
    Seat("ann", "red", ("ada",)), Seat("abe", "red", ("axel",)), Seat("ben", "blue", ("bo",)), Seat("cleo", "green", ("cy",)),
    Seat("gm", role="gm"), Seat("watcher", role="spectator"),
)  # fmt: skip


def left(game: Any, seat: str) -> bool:
    return all(game.records[id].fled for id in game.seats[seat].figures)


RULESET = Ruleset(
    id="skirmish", title="Skirmish", rules_version=1, package="tests", main_scenario="meadow", cards={}, scenario=Scenario,
    policies={"health": Policy((6, 9), "how long it takes", any_number=True)}, records=(Figure, Pot),
    frames=(Skirmish, Bid, Turn, Strike, Parry, Feint, Brace, Jeer, Fall, Panic, Flight), seats=lambda content: SEATS,
    setup=setup, words=Words, checks=(fallen, panicked, victory), reactions=lambda game, window, who: REACTIONS,
    breakdown=numbers, concede=lambda game, seat: Flight(side=game.seats[seat].side), conceded=left, possible=possible,
    hiding=Hiding(kind=Figure, course=("Skirmish", "Each"), rules=("SK-11",)),
)  # fmt: skip


CONTENT = content_of(RULESET)


def start(seed: int | None = 7, **options: Any) -> Encounter:
    return Encounter.start(CONTENT, seed, **options)
