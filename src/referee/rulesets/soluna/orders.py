"""What a side orders in secret: for each of its models an Action with every parameter, asked in small Choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from ...engine import Choice, Frame, Game, Id, Offer, Reason, Refusal, Value, cites, legal, steps
from .cards import RISKS
from .checks import (
    cannot_call,
    cannot_enter,
    cannot_interact,
    cannot_pay_attack,
    cannot_reach,
    cannot_reach_thing,
    combat_left,
    cost,
    flips_prepared,
    longest_move,
    marked,
    model,
    opponents,
    preparation_fits,
    speed_left,
    taken,
    thing_actions,
    ways,
)
from .records import Deed

if TYPE_CHECKING:
    from .setup import Table

MOVE: Final = Offer("move", "move", rules=("SOL-MOVE-1",))
PREPARE: Final = Offer("prepare", "wait", rules=("SOL-PREP-2",))
PREPARE_ON: Final = Offer("prepare", "wait", rules=("SOL-PREP-3",))
DEFER: Final = Offer("defer", "wait", rules=("SOL-PHASE-8", "SOL-PHASE-3"))
HOLD: Final = Offer("hold", "wait", rules=("SOL-PHASE-9",))
STOP: Final = Offer("stop", "square", rules=("SOL-MOVE-1",))
INCREASES: Final = tuple(
    Offer(("increase", number), "increase", rules=("SOL-RISK-7", "SOL-RISK-8") if number else ("SOL-RISK-7",))
    for number in range(7)
)
FLIPS: Final = {
    roll: Offer(("flips", roll), "flips", rules=("SOL-PREP-7", "SOL-PREP-5")) for roll in ("pool", "boost", "attack", "contest")
}
NO_FLIPS: Final = Offer(("flips", "none"), "flips", rules=("SOL-PREP-7",))
SHOWN_REFUSALS: Final = 2
"""Pools that cost up to so many points more than there are, are shown as refused."""


# Legality


def cannot_move(game: Game, who: Id) -> Iterator[Reason]:
    """Why a model cannot move at all."""
    if not longest_move(game, who):
        yield Reason("no_speed", (speed_left(game, who), model(game, who).left), ("SOL-MOVE-1", "SOL-MIND-5"))
    here = model(game, who).at
    others = taken(game, who)
    if all(cell in others for cell in ways(game, who)[here]):
        yield Reason("shut_in", (here,), ("SOL-MOVE-2",))


def cannot_attack(game: Game, who: Id, weapon: Id, target: Id) -> Iterator[Reason]:
    """Why a model cannot attack a target with a weapon."""
    yield from cannot_reach(game, who, weapon, target)
    yield from cannot_pay_attack(game, who)


def cannot_do(game: Game, who: Id, interaction: Id, target: Id) -> Iterator[Reason]:
    """Why a model cannot interact with a thing; its own weapons it carries."""
    yield from cannot_interact(game, model(game, who), game.table.interactions[interaction].need)
    if target in game.table.things:
        yield from cannot_reach_thing(game, who, game.records[target])


def cannot_spend(left: int, dice: int, flips: int) -> Iterator[Reason]:
    """Why dice and flips cannot be committed."""
    if flips and not dice:
        yield Reason("no_die_to_flip", (), ("SOL-FLIP-3",))
    if dice + 2 * flips > left:
        yield Reason("too_many_points", (dice + 2 * flips, left), ("SOL-MIND-2", "SOL-PHASE-7"))


def cannot_increase(game: Game, deed: Deed, increase: int) -> Iterator[Reason]:
    """Why the accuracy of an attack cannot be raised by so much."""
    base = game.table.weapons[deed.name].accuracy
    if increase > base and game.table.risks["risk_accuracy"].most:
        yield Reason("more_than_doubled", (base,), ("SOL-RISK-7",))
    left = model(game, deed.who).left - cost(deed.pool)
    if left <= 0:
        yield Reason("no_mind_after", (cost(deed.pool),), ("SOL-PHASE-7", "SOL-MIND-5"))


# Refusals


def _refuse_action(game: Game, choice: Choice) -> Iterator[Refusal]:
    who = choice.who
    table: Table = game.table
    record = model(game, who)
    barred = tuple(cannot_move(game, who))
    if barred:
        yield Refusal("move", barred, "move")
    for target in opponents(game, who):
        for weapon in table.sheets[who].weapons:
            reasons = tuple(cannot_attack(game, who, weapon, target))
            if reasons:
                yield Refusal(("attack", weapon, target), reasons, "attack")
    for interaction, thing in thing_actions(game, who):
        reasons = tuple(cannot_do(game, who, interaction, thing))
        if reasons:
            yield Refusal(("interact", interaction, thing), reasons, "interact")
    for contest, prize in table.callable:
        reasons = tuple(cannot_call(game, who, contest, prize))
        if reasons:
            yield Refusal(("contest", contest, prize), reasons, "contest")
    orders = choice.facts[0]
    if marked(record.mind, orders):
        yield Refusal("hold", (Reason("own_action", (orders,), ("SOL-PHASE-9",)),), "wait")
    else:
        for name in ("prepare", "defer"):
            yield Refusal(name, (Reason("saved_action", (orders,), ("SOL-PHASE-9",)),), "wait")


def _refuse_square(game: Game, choice: Choice) -> Iterator[Refusal]:
    path = choice.facts
    who = choice.who
    here = path[-1] if path else model(game, who).at
    for cell in game.table.grid.neighbours(here):
        reasons = tuple(cannot_enter(game, who, here, cell))
        if reasons:
            yield Refusal(("to", cell), reasons, "square")
    if not path:
        yield Refusal("stop", (Reason("one_square", (), ("SOL-MOVE-1",)),), "square")


def refuse_pool(game: Game, choice: Choice) -> Iterator[Refusal]:
    """The pools that cost a little too much, and flips without a die."""
    left = choice.facts[1]
    for points in range(left + 1, left + 1 + SHOWN_REFUSALS):
        for flips in range((points - 1) // 2 + 1):
            dice = points - 2 * flips
            yield Refusal(("pool", dice, flips), tuple(cannot_spend(left, dice, flips)), "pool")
    yield Refusal(("pool", 0, 1), tuple(cannot_spend(left, 0, 1)), "pool")


def _refuse_increase(game: Game, choice: Choice) -> Iterator[Refusal]:
    weapon, *pool = choice.facts
    deed = Deed(choice.who, "attack", weapon, pool=tuple(pool))
    for increase in range(1, game.table.weapons[weapon].accuracy + 2):
        reasons = tuple(cannot_increase(game, deed, increase))
        if reasons:
            yield Refusal(("increase", increase), reasons, "increase")


def _refuse_flips(game: Game, choice: Choice) -> Iterator[Refusal]:
    for roll in choice.facts:
        yield Refusal(("flips", roll), (Reason("sacrificed", (), ("SOL-FLIP-5",)),), "flips")


# The branch


@steps(
    "ask_action", "take_action", "ask_square", "take_square", "ask_pool", "take_pool",
    "ask_increase", "take_increase", "ask_boost", "take_boost", "ask_flips", "take_flips", "seal",
)  # fmt: skip
class Orders(Frame):
    """The secret orders of a side, model after model; `deed` is the one being drafted (SOL-PHASE-4, SOL-HIDE-2)."""

    side: str
    phase: int
    models: tuple[Id, ...]
    place: int = 0
    deed: Deed = Deed("", "")
    sealed: tuple[Value, ...] = ()

    def ask_action(orders, game: Game) -> Choice:
        table: Table = game.table
        who = orders.models[orders.place]
        record = model(game, who)
        offers = []
        if legal(cannot_move(game, who)):
            offers.append(MOVE)
        own = combat_left(game, who)
        if own or legal(cannot_pay_attack(game, who)):
            attacks = table.attack_offers if own else table.risked_attack_offers
            for target in opponents(game, who):
                # Of `cannot_reach` only what changes is looked at here: which weapons are ready.
                reaching = table.reaching[record.at][game.records[target].at]
                for weapon in record.ready:
                    if weapon in reaching:
                        offers.append(attacks[weapon, target])
        for action in thing_actions(game, who):
            if legal(cannot_do(game, who, *action)):
                offers.append(table.interact_offers[action])
        for call in table.callable:
            if legal(cannot_call(game, who, *call)):
                offers.append(table.contest_offers[call])
        if marked(record.mind, orders.phase):
            offers += (PREPARE_ON if record.prepared else PREPARE, DEFER)
        else:
            offers.append(HOLD)
        return Choice(orders.side, "action", tuple(offers), who, facts=(orders.phase,), refuse=_refuse_action)

    @cites("SOL-PHASE-3", "SOL-PHASE-4")
    def take_action(orders, game: Game, answer: Value) -> None:
        who = orders.models[orders.place]
        if not isinstance(answer, tuple):
            orders.deed = Deed(who, str(answer))
            orders.go("ask_square" if answer == "move" else "seal")
            return
        kind, name, target = (str(each) for each in answer)
        orders.deed = Deed(who, kind, name, target)
        if kind == "attack":
            orders.go("ask_increase" if combat_left(game, who) else "ask_pool")
        elif kind == "contest":
            orders.go("ask_flips" if flips_prepared(game, model(game, who)) else "seal")
        else:
            orders.go("ask_pool" if game.table.interactions[name].need else "seal")

    # A move, square by square

    def ask_square(orders, game: Game) -> Choice:
        deed = orders.deed
        path = deed.path
        offers = [STOP] if path else []
        if len(path) < longest_move(game, deed.who):
            others = taken(game, deed.who)
            squares = game.table.square_offers
            here = path[-1] if path else model(game, deed.who).at
            offers += [squares[cell] for cell in ways(game, deed.who)[here] if cell not in others]
        return Choice(orders.side, "square", tuple(offers), deed.who, form="path", facts=path, refuse=_refuse_square)

    @cites("SOL-MOVE-1", "SOL-MOVE-2", "SOL-RISK-2", "SOL-RISK-4")
    def take_square(orders, game: Game, answer: Value) -> None:
        deed = orders.deed
        if isinstance(answer, tuple):
            orders.deed = msgspec.structs.replace(deed, path=(*deed.path, str(answer[1])))
            orders.go("ask_square")
        else:
            orders.go("ask_pool" if len(deed.path) > speed_left(game, deed.who) else "seal")

    # Dice and flips: of an interaction, of a Risk to move, of a Risk for a Combat Point

    def ask_pool(orders, game: Game) -> Choice:
        deed = orders.deed
        left = model(game, deed.who).left
        offers = game.table.pools[left]
        about = "interaction" if deed.kind == "interact" else RISKS[deed.kind == "attack"]
        return Choice(orders.side, about, offers, deed.who, facts=(deed, left), refuse=refuse_pool)

    @cites("SOL-FLIP-2", "SOL-RISK-3", "SOL-RISK-10")
    def take_pool(orders, game: Game, answer: Value) -> None:
        deed = orders.deed = msgspec.structs.replace(orders.deed, pool=_pool(answer))
        if deed.kind != "attack":
            if flips_prepared(game, model(game, deed.who)) and preparation_fits(game, deed.pool[1]):
                orders.deed = msgspec.structs.replace(deed, flips="pool")
            orders.go("seal")

    # An attack: by how much its accuracy is to be raised, and at what price

    def ask_increase(orders, game: Game) -> Choice:
        deed = orders.deed
        base = game.table.weapons[deed.name].accuracy
        offers = [each for number, each in enumerate(INCREASES[: base + 1]) if not number or _may_raise(game, deed, number)]
        facts = (deed.name, *deed.pool)
        return Choice(orders.side, "increase", tuple(offers), deed.who, form="number", facts=facts, refuse=_refuse_increase)

    @cites("SOL-RISK-7", "SOL-RISK-8")
    def take_increase(orders, game: Game, answer: Value) -> None:
        increase = int(answer[1])  # type: ignore[index, arg-type]
        if increase:
            orders.deed = msgspec.structs.replace(orders.deed, increase=increase)
        else:
            orders.go("ask_flips")

    def ask_boost(orders, game: Game) -> Choice:
        deed = orders.deed
        left = model(game, deed.who).left - cost(deed.pool)
        return Choice(orders.side, RISKS[2], game.table.pools[left], deed.who, facts=(deed, left), refuse=refuse_pool)

    @cites("SOL-PHASE-7")
    def take_boost(orders, game: Game, answer: Value) -> None:
        orders.deed = msgspec.structs.replace(orders.deed, boost=_pool(answer))

    # Preparation flips: to the one roll that the owner names

    def ask_flips(orders, game: Game) -> Choice:
        deed = orders.deed
        rolls = _rolls(deed)
        fitting = [roll for roll in rolls if preparation_fits(game, _sacrificed(deed, roll))]
        offers = [FLIPS[roll] for roll in fitting]
        if deed.kind == "contest":
            offers.append(NO_FLIPS)
        if not flips_prepared(game, model(game, deed.who)):
            offers = [NO_FLIPS]
        barred = tuple(roll for roll in rolls if roll not in fitting)
        return Choice(orders.side, "flips", tuple(offers), deed.who, facts=barred, refuse=_refuse_flips)

    @cites("SOL-PREP-7")
    def take_flips(orders, game: Game, answer: Value) -> None:
        roll = str(answer[1])  # type: ignore[index]
        if roll != "none":
            orders.deed = msgspec.structs.replace(orders.deed, flips=roll)

    @cites("SOL-PHASE-4")
    def seal(orders, game: Game) -> None:
        orders.sealed = (*orders.sealed, msgspec.structs.astuple(orders.deed))
        orders.deed = Deed("", "")
        orders.place += 1
        if orders.place < len(orders.models):
            orders.go("ask_action")


def _may_raise(game: Game, deed: Deed, increase: int) -> bool:
    return legal(cannot_increase(game, deed, increase))


def _pool(answer: Value) -> tuple[int, int]:
    return int(answer[1]), int(answer[2])  # type: ignore[index, arg-type]


def _rolls(deed: Deed) -> list[str]:
    """The rolls of an Action that may take preparation flips."""
    if deed.kind == "contest":
        return ["contest"]
    return [roll for roll, pool in (("pool", deed.pool), ("boost", deed.boost)) if pool] + ["attack"]


def _sacrificed(deed: Deed, roll: str) -> int:
    pool = deed.pool if roll == "pool" else deed.boost if roll == "boost" else ()
    return pool[1] if pool else 0
