"""What an enacted action does: its target, the Counter that may meet it, and the vocabulary of effects on cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine import Choice, Effect, Frame, Game, Id, Offer, Until, Value, cites, come_out, steps
from .checks import avatar, free_beside, targets, turn_of
from .consequences import Failure, Fall, hurt
from .hidden import hiding_on

if TYPE_CHECKING:
    from .sheets import ActionSheet

STAY = Offer("stay", "move")


@steps(
    "ask_target", "take_target", "meet_counter", "after_failure",
    "apply_to_target", "ask_move", "move", "affect_oneself",
)  # fmt: skip
class Enact(Frame):
    """The effects of a succeeded action, to their targets (MOR-ADV-12)."""

    who: Id
    slot: Id
    card: Id
    place: int
    target: Id = ""
    failed: bool = False
    moved: int = 0

    def action(enact, game: Game) -> ActionSheet:
        """The action that is enacted."""
        return game.table.techniques[enact.card].actions[enact.place]  # type: ignore[no-any-return]

    @cites("MOR-ATK-3")
    def ask_target(enact, game: Game) -> Choice | None:
        action = enact.action(game)
        if not action.attack:
            enact.go("ask_move")
            return None
        found = targets(game, enact.who, action.reach)
        if not found:
            game.log("strikes_air", who=enact.who, action=action.name)
            enact.done()
            return None
        offers = tuple(game.table.target_offers[each] for each in found)
        return Choice(enact.who, "target", offers, enact.who, facts=(action.name,))

    @cites("MOR-ATK-1")
    def take_target(enact, game: Game, answer: Value) -> None:
        enact.target = str(answer[1])  # type: ignore[index]
        action = enact.action(game)
        rules = ("MOR-ATK-2",) if action.reach > 1 else ()
        game.log("attacks", who=enact.who, target=enact.target, action=action.name, rules=rules)

    @cites("MOR-ATK-5")
    def meet_counter(enact, game: Game) -> Frame | None:
        held = avatar(game, enact.target).counter
        if not any(tag in held for tag in enact.action(game).tags):
            enact.go("apply_to_target")
            return None
        game.edit(enact.target).counter = ()
        enact.failed = game.policy["countered_attack"] == "fails"
        game.log("countered", who=enact.target, attacker=enact.who, fails=enact.failed)
        return Failure(enact.who, enact.slot, ("MOR-ATK-5",)) if enact.failed else None

    def after_failure(enact, game: Game) -> None:
        enact.done()

    @cites("MOR-ADV-12")
    def apply_to_target(enact, game: Game) -> Frame | None:
        effect = enact.action(game).effect
        if effect is None:
            return None
        if effect.damage is not None:
            hurt(game, enact.target, effect.damage, effect.type)
        elif effect.push is not None:
            push(game, enact.who, enact.target, effect.push)
        elif effect.fall is not None:
            return Fall(enact.target, "MOR-FAIL-11")
        elif effect.give is not None:
            give(game, enact.card, enact.target, effect.give)
        return None

    def ask_move(enact, game: Game) -> Choice | None:
        effect = enact.action(game).effect
        if effect is None or effect.move is None or enact.moved >= effect.move:
            enact.go("affect_oneself")
            return None
        cells = free_beside(game, avatar(game, enact.who).at)
        offers = (STAY, *(game.table.move_offers[cell] for cell in cells))
        return Choice(enact.who, "move", offers, enact.who, form="path", facts=(enact.action(game).name,))

    @cites("MOR-ADV-12")
    def move(enact, game: Game, answer: Value) -> None:
        if answer == "stay":
            return
        if game.unseen and (found := hiding_on(game, str(answer[1]))):  # type: ignore[index]
            come_out(game, found, "found", ("MOR-HIDE-7",))
            enact.go("ask_move")
            return
        enact.moved += 1
        record = game.edit(enact.who)
        came, record.at = record.at, str(answer[1])  # type: ignore[index]
        game.log("moves", who=enact.who, to=record.at, came=came)
        enact.go("ask_move")

    @cites("MOR-ADV-12")
    def affect_oneself(enact, game: Game) -> None:
        effect = enact.action(game).effect
        if effect is not None and effect.give is not None and not enact.target:
            give(game, enact.card, enact.who, effect.give)
        if effect is not None and effect.counter:
            record = game.edit(enact.who)
            replaced = bool(record.counter)
            record.counter = effect.counter
            game.log("counter", who=enact.who, against=effect.counter, replaced=replaced, rules=("MOR-ATK-4",))


def push(game: Game, who: Id, target: Id, squares: int) -> None:
    """MOR-ATK-6: straight away, as long as the next square exists and is free."""
    for _ in range(squares):
        record = avatar(game, target)
        to = game.table.grid.straight_away(avatar(game, who).at, record.at)
        if game.unseen and to is not None and (found := hiding_on(game, to)):
            come_out(game, found, "found", ("MOR-HIDE-7",))
        if to is None or to not in free_beside(game, record.at):
            game.log("not_pushed", who=target, rules=("MOR-ATK-6",) if to is None else ("MOR-ATK-6", "MOR-MAP-2"))
            return
        game.edit(target).at = to
        game.log("pushed", who=target, to=to, rules=("MOR-ATK-6",))


def give(game: Game, card: Id, target: Id, modifiers: dict[str, int]) -> None:
    """MOR-MOD-10: a modifier to the end of the bearer's first turn that begins from now on; renewed, not added."""
    turns = 2 if turn_of(game) == target else 1
    for name, amount in sorted(modifiers.items()):
        until = Until("turn ends", target, turns)
        game.give(target, Effect(f"{card} {name}", amount, card, (name,), until=until))
        game.log("given", who=target, card=card, name=name, amount=amount, rules=("MOR-MOD-10",))
