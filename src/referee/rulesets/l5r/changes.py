"""Small changes that many rules make: strife, fatigue, Void points, conditions, gear, honour. Each is logged with its rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import structs

from ...engine import Effect, Game, Id, Until, happened, used
from .facts import bears, figure, has, incapacitated, item_of
from .hidden import find_foes
from .records import Item


def gain_strife(game: Game, who: Id, amount: int, why: str, by: Id = "", rules: tuple[str, ...] = ()) -> int:
    """Strife gained (L5R-DER-3); more from a foe in Wargear (L5R-EQP-7), twice as much while Intoxicated (L5R-COND-13)."""
    if amount <= 0:
        return 0
    if by and by != who and bears(game, by, "wargear"):
        amount += 1
        rules = (*rules, "L5R-EQP-7")
    if "intoxicated" in game.records[who].conditions and has(figure(game, who), "intoxicated"):
        amount *= 2
        rules = (*rules, "L5R-COND-13")
    record = game.edit(who)
    record.strife += amount
    if game.events is not None:
        game.log("strife", who=who, amount=amount, strife=record.strife, why=why, rules=(*rules, "L5R-DER-3"))
    return amount


def lose_strife(game: Game, who: Id, amount: int, why: str, rules: tuple[str, ...] = ()) -> int:
    """Strife removed: the part that all see first (L5R-HIDE-6); never below 0 (L5R-DER-3). What all see of it."""
    record = figure(game, who)
    if has(record, "intoxicated"):
        amount *= 2
        rules = (*rules, "L5R-COND-13")
    seen = min(amount, record.strife)
    rest = min(amount - seen, record.stain)
    if seen or rest:
        record = game.edit(who)
        record.strife -= seen
        record.stain -= rest
        if rest:
            rules = (*rules, "L5R-HIDE-6")
    game.log("calms", who=who, amount=seen, strife=record.strife, why=why, rules=rules)
    return seen


def gain_fatigue(game: Game, who: Id, amount: int, why: str, by: Id = "", rules: tuple[str, ...] = ()) -> None:
    """Fatigue gained; beyond endurance the figure is Incapacitated (L5R-DER-5)."""
    before = incapacitated(game, who)
    record = game.edit(who)
    record.fatigue += amount
    game.log("fatigue", who=who, amount=amount, fatigue=record.fatigue, why=why, rules=rules)
    if by and by != who and game.policy["duel_scoring"] == "on":
        game.edit(by).fatigue_inflicted += amount
    if not before and incapacitated(game, who) and not game.table.sheets[who].minion:
        game.log("incapacitated", who=who, rules=("L5R-DER-5", "L5R-COND-12"))


def lose_fatigue(game: Game, who: Id, amount: int, why: str, rules: tuple[str, ...] = ()) -> int:
    """Fatigue removed, never below 0; within endurance again nobody is Incapacitated (L5R-COND-12)."""
    before = incapacitated(game, who)
    record = figure(game, who)
    amount = min(amount, record.fatigue)
    if amount:
        record = game.edit(who)
        record.fatigue -= amount
    game.log("rests", who=who, amount=amount, fatigue=record.fatigue, why=why, rules=rules)
    if before and not incapacitated(game, who):
        game.log("recovers", who=who, rules=("L5R-COND-12", "L5R-DER-5"))
    return amount


def gain_void(game: Game, who: Id, why: str, rules: tuple[str, ...] = ()) -> None:
    """One Void point more, up to the Void ring (L5R-CHK-7); minions have none."""
    sheet = game.table.sheets[who]
    record = figure(game, who)
    if sheet.minion or record.void >= sheet.rings["void"]:
        game.log("void_full", who=who, void=record.void, why=why, rules=(*rules, "L5R-CHK-7"))
        return
    record = game.edit(who)
    record.void += 1
    game.log("gains_void", who=who, void=record.void, why=why, rules=rules)


def spend_void(game: Game, who: Id, why: str, rules: tuple[str, ...] = ()) -> None:
    """One Void point less."""
    record = game.edit(who)
    record.void -= 1
    game.log("spends_void", who=who, void=record.void, why=why, rules=rules)


def suffer(game: Game, who: Id, condition: str, rules: tuple[str, ...] = ()) -> None:
    """A condition begins, or is refreshed: there is one of each at the most (L5R-COND-1)."""
    record = figure(game, who)
    again = condition in record.conditions
    if not again:
        record = game.edit(who)
        record.conditions = tuple(sorted((*record.conditions, condition)))
    game.log(
        "condition", who=who, condition=condition, again=again, rules=(*rules, *(("L5R-COND-1",) if again else ())),
        explain=condition == "dying",  # the line of the rounds left says it
    )  # fmt: skip


def recover(game: Game, who: Id, condition: str, rules: tuple[str, ...] = ()) -> None:
    """A condition ends."""
    record = figure(game, who)
    if condition not in record.conditions:
        return
    record = game.edit(who)
    record.conditions = tuple(each for each in record.conditions if each != condition)
    if condition == "dying":
        record.dying = 0
    elif condition == "burning":
        record.burning = 0
    game.log("condition_ends", who=who, condition=condition, rules=rules)


def change_item(game: Game, who: Id, card: Id, **changes: Any) -> None:
    """An item changes."""
    record = game.edit(who)
    record.items = tuple([structs.replace(item, **changes) if item.card == card else item for item in record.items])


def harm_item(game: Game, who: Id, card: Id, rules: tuple[str, ...] = ()) -> None:
    """L5R-EQP-5: Damaged, and damaged again Destroyed; Durable takes the first of it, or softens the second."""
    item = item_of(figure(game, who), card)
    if item is None or item.harm == "destroyed":
        return
    durable = "durable" in game.table.qualities[card] and not item.durable_lost
    if durable:
        change_item(game, who, card, durable_lost=True)
        game.log("durable", who=who, item=card, rules=(*rules, "L5R-EQP-5"))
        return
    harm = "destroyed" if item.harm == "damaged" else "damaged"
    change_item(game, who, card, harm=harm)
    game.log("item_harmed", who=who, item=card, harm=harm, rules=(*rules, "L5R-EQP-5"))


def ready(game: Game, who: Id, card: Id, state: str, rules: tuple[str, ...] = ()) -> None:
    """A weapon is readied in a grip, stowed or dropped."""
    change_item(game, who, card, state=state)
    if game.events is not None:
        game.log("handles", who=who, item=card, state=state, rules=rules)


def lose_honour(game: Game, who: Id, amount: int, why: str, rules: tuple[str, ...]) -> None:
    """Honour lost, never below 0."""
    record = game.edit(who)
    amount = min(amount, record.honour)
    record.honour -= amount
    game.log("loses_honour", who=who, amount=amount, honour=record.honour, why=why, rules=rules)


def lose_glory(game: Game, who: Id, amount: int, why: str, rules: tuple[str, ...]) -> None:
    """Glory lost, never below 0."""
    record = game.edit(who)
    amount = min(amount, record.glory)
    record.glory -= amount
    game.log("loses_glory", who=who, amount=amount, glory=record.glory, why=why, rules=rules)


def comes_to_pass(game: Game, event: str, who: Id) -> None:
    """Something happens by which lasting effects end: only figures bear any."""
    records = game.records
    for bearer in game.table.order:
        effects = records[bearer].effects
        if effects:
            left = happened(effects, event, who)
            if left is not effects:
                game.edit(bearer).effects = left


def in_own_turn(game: Game, who: Id) -> bool:
    """Whether it is this figure's turn."""
    depth = game.find(game.frame_classes["Turn"])
    return depth >= 0 and game.agenda[depth].who == who  # type: ignore[attr-defined]


def until_turn(who: Id) -> Until:
    """To the start of that figure's next turn."""
    return Until("turn begins", who)


def until_turn_end(game: Game, who: Id) -> Until:
    """To the end of that figure's next turn: not of the one that is going on."""
    return Until("turn ends", who, 2 if in_own_turn(game, who) else 1)


def lay(game: Game, bearer: Id, name: str, rule: str, *, explain: bool = False, **facts: Any) -> None:
    """A lasting effect begins; it is logged with its rule, on request only where another line says it."""
    game.give(bearer, Effect(name, **facts))
    game.log(
        "effect", who=bearer, name=name, amount=facts.get("amount", 0), applies=facts.get("applies", ()),
        source=facts.get("source", ""), rules=(rule,), explain=explain,
    )  # fmt: skip


def use_up(game: Game, bearer: Id, wanted: Callable[[Effect], bool]) -> list[Effect]:
    """The effects that work now, each used once."""
    effects = figure(game, bearer).effects
    found = [effect for effect in effects if wanted(effect)]
    if found:
        left = effects
        for effect in found:
            left = used(left, effect)
        if left is not effects:
            game.edit(bearer).effects = left
    return found


def learn_trait(game: Game, side: str, who: Id, trait: str, rules: tuple[str, ...] = ()) -> None:
    """A side comes to know a trait (L5R-HIDE-3)."""
    record = game.records[f"side.{side}"]
    if (who, trait) not in record.traits:
        game.edit(record.id).traits = tuple(sorted((*record.traits, (who, trait))))
        game.reveal()
    seats = tuple(seat.name for seat in game.seats.values() if seat.role == "player" or seat.role == "gm")
    game.log("learns_trait", seen_by=seats, side=side, who=who, trait=trait, rules=(*rules, "L5R-HIDE-3"))


def learn_terrain(game: Game, side: str, at: int, rules: tuple[str, ...] = ()) -> None:
    """A side discovers the qualities of terrain (L5R-HIDE-7)."""
    table = game.table
    if at not in table.terrain or not game.records[table.terrain[at]].undiscovered:
        return
    known = game.records[f"side.{side}"]
    if at in known.terrain:
        return
    game.edit(known.id).terrain = tuple(sorted((*known.terrain, at)))
    seats = tuple(seat.name for seat in game.seats.values() if seat.side == side or seat.role == "gm")
    qualities = game.records[table.terrain[at]].qualities
    game.log("discovers", seen_by=seats, side=side, at=at, qualities=qualities, rules=(*rules, "L5R-HIDE-7"))
    game.reveal(*[seat.name for seat in game.seats.values() if seat.side == side])


def give_away(game: Game, at: int) -> None:
    """What depends on undiscovered terrain tells something of it to those who look on (L5R-HIDE-7)."""
    if at in game.table.terrain and game.records[game.table.terrain[at]].undiscovered:
        game.reveal()


def stand_at(game: Game, who: Id, at: int, why: str, rules: tuple[str, ...] = ()) -> None:
    """A figure comes to stand on a position; its side learns what is there."""
    record = game.edit(who)
    came, record.at = record.at, at
    if game.events is not None:
        game.log("moves", who=who, to=at, came=came, why=why, rules=rules)
    learn_terrain(game, game.table.side[who], at)
    if game.unseen:
        find_foes(game, who, 0, 0)


def bare(item: Item) -> bool:
    """Whether an item is no use any more."""
    return item.harm == "destroyed"


def make_glory(game: Game, who: Id, amount: int, why: str, rules: tuple[str, ...]) -> None:
    """Glory gained, up to 100."""
    record = game.edit(who)
    record.glory = min(100, record.glory + amount)
    game.log("gains_glory", who=who, amount=amount, glory=record.glory, why=why, rules=rules)
