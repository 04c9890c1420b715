"""What steps do: the vocabulary of deeds on cards. Each function carries out one verb for an action under way."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from ...dice import Die
from ...engine import Frame, Game, Id, Roll, cites, come_out, steps, total
from .checks import (
    accuracy_lines,
    character,
    evasion_lines,
    filled,
    mitigated,
    mitigation_lines,
    potency,
    sheet_of,
)
from .consequences import action_of, announce_end, destroy, exsanguinate, give_condition, interrupt, lose_hp, wear
from .hidden import hiding_on
from .sheets import ActionSheet, StepSheet

if TYPE_CHECKING:
    from .actions import Action
    from .setup import Table

Rolled = tuple[int, ...]


def happened(action: Action, event: str, who: Id) -> None:
    """Notes what really happened, for Responses to look at (VAIA-RSP-6)."""
    action.happened = (*action.happened, (event, who))


def halved(action: Action, amount: int) -> int:
    """VAIA-HIT-2: a half-hit halves every effect."""
    return amount // 2 if action.result == "half" else amount


def half_rules(action: Action, *rules: str) -> tuple[str, ...]:
    """The rules of an effect, with the half-hit where there was one."""
    return (*rules, "VAIA-HIT-2") if action.result == "half" else rules


# Attacks


def accuracy(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """VAIA-HIT-1: the roll with Accuracy and modifiers against Evasion and modifiers."""
    value = rolled[0] + total(accuracy_lines(game, action))
    against = total(evasion_lines(game, action))
    action.result = "hit" if value > against else "half" if value == against else "miss"
    happened(action, {"hit": "hit", "half": "half_hit", "miss": "missed"}[action.result], action.target)
    rules: tuple[str, ...] = ("VAIA-HIT-1", "VAIA-CHK-1")
    if ("redirected_to", action.target) in action.happened:
        rules += ("VAIA-TRG-9",)
    game.log(
        "accuracy", who=action.actor, action=action.card, target=action.target, roll=rolled[0], value=value, against=against,
        result=action.result, rules=rules,
    )  # fmt: skip


def damage(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """VAIA-DMG-1 to 4: the potency, what armour and mitigation leave of it, HP."""
    table: Table = game.table
    target = action.target
    strength = potency(game, action, rolled, step.amount)
    game.log("potency", who=action.actor, action=action.card, rolled=rolled, potency=strength, rules=("VAIA-DMG-1",))
    if action.result == "half":
        strength //= 2
        game.log("halved", who=action.actor, potency=strength, rules=("VAIA-HIT-2", "VAIA-DMG-2"))
    flat = total(mitigation_lines(action)) if action.lines else 0
    worn = [each.id for each in game.records[target].items if table.items[each.id].armour and each.durability > 0]
    armour: list[tuple[int, int]] = []
    for id in worn:
        card = table.items[id].armour
        assert card is not None
        armour.append((card.resistance, card.reduction))
    left, absorbed = mitigated(strength, tuple(armour), flat)
    if worn or flat:
        stopped = strength - left - sum(absorbed)
        game.log("mitigated", who=target, absorbed=absorbed, flat=stopped, left=left, rules=("VAIA-DMG-2",))
    for id, amount in zip(worn, absorbed, strict=True):
        if amount:
            wear(game, target, id, amount, ("VAIA-DMG-3",))
    if left:
        fell(game, action, target, left, "damage", ("VAIA-DMG-4",))
    else:
        game.log("unhurt", who=target, rules=("VAIA-DMG-2",))
    if worn:
        destroy(game, target, tuple(worn), ("VAIA-DMG-3",))


def fell(game: Game, action: Action, who: Id, amount: int, cause: str, rules: tuple[str, ...]) -> None:
    """Takes HP, and notes who was hurt and who fell by it."""
    stood = game.records[who].hp > 0
    lose_hp(game, who, amount, cause, rules)
    happened(action, "hurt", who)
    if stood and game.records[who].hp <= 0:
        happened(action, "fell", who)


# Effects on the target


def hurt(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """HP lost without mitigation."""
    at_target(game, action, "hurt", sum(rolled) + step.amount)


def restore(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """HP gained, up to the maximum; whoever was Vulnerable stands again above 0 (VAIA-END-3)."""
    at_target(game, action, "restore", sum(rolled) + step.amount)


def condition(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> Frame | None:
    """Bleed, hemorrhage, stunned, slowed, pushed: the printed amount and what Riders have added to it."""
    amount = sum(rolled) + step.amount
    if step.verb != "slowed":
        amount += sum(each for verb, each, _ in action.added if verb == step.verb)
        action.added = tuple(each for each in action.added if each[0] != step.verb)
    return at_target(game, action, step.verb, amount)


def bleed_out(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """Exsanguination."""
    at_target(game, action, "exsanguinate", 0)


def branch(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> Frame | None:
    """VAIA-CHK-2: the branch that the roll names, and no other."""
    frame = None
    for verb, amount in branch_of(game, action.actor, action.card, step, rolled[0]):
        frame = at_target(game, action, verb, amount) or frame
    return frame


def branch_of(game: Game, who: Id, card: Id, step: StepSheet, roll: int) -> list[tuple[str, int]]:
    """The deeds of the branch that a roll names."""
    found = [(each.verb, each.amount) for low, high, deeds in step.branches if low <= roll <= high for each in deeds]
    game.log("branch", who=who, action=card, roll=roll, deeds=tuple(found), rules=("VAIA-CHK-2",))
    return found


def at_target(game: Game, action: Action, verb: str, amount: int) -> Frame | None:
    """Does one thing to the target, halved after a half-hit."""
    target = action.target
    rules = half_rules(action, *(("VAIA-HIT-3",) if not action.sheet(game).attack else ()))
    if verb == "slowed":
        give_condition(game, target, verb, amount * 2 if action.result == "half" else amount, ("VAIA-COND-4", *rules))
        return None
    if verb == "exsanguinate":
        stood = game.records[target].hp > 0
        exsanguinate(game, target, half=action.result == "half")
        happened(action, "hurt", target)
        if stood and game.records[target].hp <= 0:
            happened(action, "fell", target)
        return None
    amount = halved(action, amount)
    if not amount:
        game.log("nothing", who=target, deed=verb, rules=rules)
    elif verb == "hurt":
        fell(game, action, target, amount, "effect", ("VAIA-DMG-4", *rules))
    elif verb == "restore":
        mend(game, target, amount, rules)
    elif verb == "push":
        happened(action, "pushed", target)
        return Pushing(action.actor, target, amount)
    else:
        number = {"bleed": "VAIA-COND-1", "hemorrhage": "VAIA-COND-2"}.get(verb, "VAIA-COND-4")
        give_condition(game, target, verb, amount, (number, *rules))
    return None


def mend(game: Game, who: Id, amount: int, rules: tuple[str, ...]) -> None:
    """Gives HP back, up to the maximum."""
    record = game.edit(who)
    lay = record.hp <= 0
    record.hp = min(sheet_of(game, who).max_hp, record.hp + amount)
    game.log("mended", who=who, amount=amount, hp=record.hp, rules=rules)
    if lay and record.hp > 0:
        game.log("stands_again", who=who, rules=("VAIA-END-3",))


def execute(game: Game, action: Action, how: str) -> None:
    """VAIA-END-2: dead, or out for the encounter, as the actor says."""
    record = game.edit(action.target)
    record.out = how
    record.slots = 0
    game.log("executed", who=action.target, by=action.actor, how=how, rules=("VAIA-END-2", "VAIA-HIT-3"))


# Effects on the actor and the scenario


def refill(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """VAIA-RES-3: named resources refill only by an action, up to their maximum."""
    most = sheet_of(game, action.actor).named
    record = game.edit(action.actor)
    more = dict(step.refill)
    record.named = tuple((name, min(most[name], have + more.get(name, 0))) for name, have in record.named)
    game.log("refills", who=action.actor, named=record.named, rules=("VAIA-RES-3",))


def objective(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """VAIA-END-7: the side that has done it often enough first wins at once."""
    table: Table = game.table
    goal = table.scenario.objective
    assert goal is not None
    side = table.side[action.actor]
    record = game.edit("objective")
    record.done = tuple((each, times + step.amount if each == side else times) for each, times in record.done)
    times = dict(record.done)[side]
    game.log("objective", who=action.actor, side=side, times=times, of=goal.times, name=goal.name, rules=("VAIA-END-7",))
    if times >= goal.times:
        announce_end(game, side, "objective", "VAIA-END-7")


# Effects on the action that a Trigger pauses


def modify(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """VAIA-TRG-3: a modifier for the paused action."""
    paused: Any = game.edit_frame(action.cause)
    paused.lines = (*paused.lines, (step.verb, step.amount, action.card))
    game.log("modifies", who=action.actor, action=paused.card, what=step.verb, amount=step.amount, rules=("VAIA-TRG-3",))


def cancel(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """VAIA-TRG-3: the paused action ends here; what was paid for it is lost, and its Riders with it (VAIA-RID-8)."""
    paused: Any = game.agenda[action.cause]
    rules = ("VAIA-RID-8",) if any(kind in ("accuracy_bonus", "addition") for kind, _, _ in paused.lines) else ()
    interrupt(game, action.cause, "cancelled", ("VAIA-TRG-3", "VAIA-TRG-7", *rules))


def redirect(game: Game, action: Action, step: StepSheet, rolled: Rolled) -> None:
    """VAIA-TRG-8: a new target; what Triggers gave the old one is lost, Riders stay (VAIA-TRG-9, VAIA-RID-8)."""
    paused: Any = game.edit_frame(action.cause)
    if paused.over:
        return
    new = action.target or action.actor
    old, paused.target = paused.target, new
    happened(paused, "redirected_from", old)
    happened(paused, "redirected_to", new)
    paused.lines = tuple(line for line in paused.lines if line[0] not in ("evasion_bonus", "mitigation"))
    rules: tuple[str, ...] = ("VAIA-TRG-3", "VAIA-TRG-8")
    if paused.lines or paused.added:
        rules += ("VAIA-RID-8",)
    game.log("redirected", who=action.actor, action=paused.card, old=old, new=new, rules=rules)
    game.restart(action.cause)


# What Riders attach


def attach(game: Game, ridden: Action, sheet: ActionSheet, rolled: Rolled) -> None:
    """VAIA-RID-5: modifiers at once; deeds go with the step of their kind, or after the last."""
    rolls = iter(rolled)
    for step in sheet.steps:
        if step.verb == "addition":
            # Die and constant in one number; the die is rolled with the damage.
            ridden.lines = (*ridden.lines, ("addition", 100 * step.die + step.amount, sheet.id))
        elif step.verb == "accuracy_bonus":
            ridden.lines = (*ridden.lines, ("accuracy_bonus", step.amount, sheet.id))
        elif step.verb == "refill":
            refill(game, ridden, step, ())
        elif step.verb == "roll":
            deeds = branch_of(game, ridden.actor, sheet.id, step, next(rolls))
            ridden.added = (*ridden.added, *((verb, amount, sheet.id) for verb, amount in deeds))
        else:
            amount = step.amount + (next(rolls) if step.die else 0)
            ridden.added = (*ridden.added, (step.verb, amount, sheet.id))
    game.log("attached", who=ridden.actor, rider=sheet.id, action=ridden.card, rules=("VAIA-RID-5",))


def add_next(game: Game, action: Action) -> Frame | None:
    """The next thing that Riders have added and no step has taken up; skipped as a step would be (VAIA-ACT-7)."""
    (verb, amount, _), *rest = action.added
    action.added = tuple(rest)
    record = game.records.get(action.target)
    if record is None or record.out or record.hp <= 0:
        return None
    if action.sheet(game).attack and action.result not in ("hit", "half"):
        return None
    return at_target(game, action, verb, amount)


# Movement and traps


def enter(game: Game, who: Id, tile: str) -> Frame | None:
    """Moves somebody one tile; a trap there springs (VAIA-MOVE-3)."""
    record = game.edit(who)
    record.at = tile
    game.log("moves", who=who, to=tile, rules=("VAIA-MOVE-1",))
    table: Table = game.table
    if tile not in table.scenario.possible_tiles or tile in game.records["traps"].entered:
        return None
    traps = game.edit("traps")
    traps.entered = tuple(sorted((*traps.entered, tile)))
    if table.hidden_traps:
        game.reveal()
    found = next((trap for place, trap in traps.placed if place == tile), None)
    if found is None:
        game.log("no_trap", who=who, at=tile, rules=("VAIA-HIDE-2",))
        return None
    return Springing(who, tile, found)


@steps("spring", "roll", "hurt", "lay_conditions", "end_action")
class Springing(Frame):
    """A trap springs on whoever has entered its tile, and is used up (VAIA-MOVE-3)."""

    who: Id
    tile: str
    trap: Id

    @cites("VAIA-MOVE-3", "VAIA-HIDE-2")
    def spring(springing, game: Game) -> None:
        traps = game.edit("traps")
        traps.placed = tuple(each for each in traps.placed if each[0] != springing.tile)
        traps.known = tuple(each for each in traps.known if each[0] != springing.tile)
        kinds = list(traps.kinds)
        kinds.remove(springing.trap)
        traps.kinds = tuple(kinds)
        rules = ("VAIA-MOVE-4",) if game.table.hidden_traps else ()
        game.log("springs", who=springing.who, trap=springing.trap, at=springing.tile, rules=("VAIA-ACT-6", *rules))
        card = game.table.traps[springing.trap]
        if not card.die:
            springing.go("lay_conditions")
            if card.amount:
                lose_hp(game, springing.who, card.amount, "trap", ("VAIA-DMG-4",))

    def roll(springing, game: Game) -> Roll | None:
        return Roll("trap", Die(game.table.traps[springing.trap].die), springing.who, (springing.trap,))

    @cites("VAIA-DMG-4")
    def hurt(springing, game: Game, roll: int) -> None:
        card = game.table.traps[springing.trap]
        lose_hp(game, springing.who, roll + card.amount, "trap", ())

    @cites("VAIA-MOVE-3")
    def lay_conditions(springing, game: Game) -> None:
        for verb, amount in game.table.traps[springing.trap].conditions:
            give_condition(game, springing.who, verb, amount, ())

    @cites("VAIA-MOVE-3")
    def end_action(springing, game: Game) -> None:
        # Who is pushed in the middle of an own action is acting too (VAIA-MOVE-6).
        depth = action_of(game, springing.who)
        if game.table.traps[springing.trap].ends_action and depth >= 0:
            interrupt(game, depth, "trap", ("VAIA-MOVE-3", "VAIA-CEL-4"))


@steps("push")
class Pushing(Frame):
    """Somebody is pushed straight away from the actor, tile by tile (VAIA-MOVE-6)."""

    actor: Id
    who: Id
    left: int

    @cites("VAIA-MOVE-6")
    def push(pushing, game: Game) -> Frame | None:
        if not pushing.left:
            return None
        here = character(game, pushing.who).at
        to = game.table.grid.straight_away(character(game, pushing.actor).at, here)
        if game.unseen and to is not None and (found := hiding_on(game, to)):
            come_out(game, found, "found", ("VAIA-HIDE-7",))
        if to is None or to not in game.table.around[here] or to in filled(game):
            game.log("not_pushed", who=pushing.who)
            return None
        pushing.left -= 1
        pushing.go("push")
        game.log("pushed", who=pushing.who, by=pushing.actor)
        return enter(game, pushing.who, to)


DEEDS: Final[dict[str, Callable[[Game, Any, StepSheet, Rolled], Frame | None]]] = {
    "accuracy": accuracy, "damage": damage, "hurt": hurt, "restore": restore,
    "bleed": condition, "hemorrhage": condition, "stunned": condition, "slowed": condition, "push": condition,
    "exsanguinate": bleed_out, "roll": branch, "refill": refill, "objective": objective,
    "accuracy_bonus": modify, "evasion_bonus": modify, "mitigation": modify, "cancel": cancel, "redirect": redirect,
}  # fmt: skip
