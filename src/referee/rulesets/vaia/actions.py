"""The life of one action, from its payment to its Responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from ...engine import Choice, Frame, Game, Id, Offer, Roll, RuleError, Value, cites, come_out, steps
from . import effects
from .checks import additions, filled, price, usable_items
from .consequences import burn_out, destroy
from .hidden import hiding_on
from .payment import KIND_RULES, ROLL, met_stress, pay, stress_die, tire
from .reactions import forced_trigger, response_window, rider_window, trigger_window
from .requirements import new_targets
from .sheets import WEAPON, ActionSheet, StepSheet, tiles_for

if TYPE_CHECKING:
    from .setup import Table

STAY: Final = Offer("stay", "tile", rules=("VAIA-ACT-5",))
DEAD: Final = Offer("dead", "execute", rules=("VAIA-END-2",))
OUT: Final = Offer("out", "execute", rules=("VAIA-END-2",))
DEEPEST: Final = 60
"""So many actions inside one another are a loop."""


class Ended(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An action that is over and waits for its Responses (VAIA-RSP-4)."""

    actor: Id
    card: Id
    happened: tuple[tuple[str, Id], ...] = ()


@steps(
    "activate", "check_stress", "note_stress", "burn_early", "declare",
    "open_first", "open_second", "leave_occasion",
    "begin_step", "choose", "take_choice", "roll", "note_roll", "resolve",
    "close", "destroy_items", "burn_late", "queue", "offer_responses", "answered",
)  # fmt: skip
class Action(Frame):
    """An action: paid for, declared, its steps with their occasions, its end, its Responses."""

    actor: Id
    card: Id
    target: Id = ""
    item: Id = ""
    slots: int = 0  # what a Move costs
    cause: int = -1  # where on the agenda the action lies that this Trigger pauses
    place: int = 0
    occasion: str = ""
    result: str = ""
    rolled: tuple[int, ...] = ()
    lines: tuple[tuple[str, int, str], ...] = ()  # modifiers: what, how much, from which card
    added: tuple[tuple[str, int, str], ...] = ()  # deeds that Riders have added and no step has taken up
    reacted: tuple[str, ...] = ()
    happened: tuple[tuple[str, Id], ...] = ()
    worn: tuple[Id, ...] = ()
    burning: tuple[str, ...] = ()
    interrupted: bool = False
    over: bool = False
    waiting: tuple[Ended, ...] = ()

    def sheet(action, game: Game) -> ActionSheet:
        """Its card."""
        return game.table.actions[action.card]  # type: ignore[no-any-return]

    def step(action, game: Game) -> StepSheet:
        """The step that is due."""
        sheet: ActionSheet = game.table.actions[action.card]
        return sheet.steps[0] if sheet.by_slots else sheet.steps[action.place]

    def count(action, game: Game) -> int:
        """How many steps it has; a Move has one for each tile."""
        sheet: ActionSheet = game.table.actions[action.card]
        return tiles_for(action.slots) if sheet.by_slots else len(sheet.steps)

    # 1 and 2: declared, tested (when it was offered), paid

    @cites("VAIA-ACT-1")
    def activate(action, game: Game) -> None:
        sheet = action.sheet(game)
        if len(game.agenda) > 2 * DEEPEST:
            raise RuleError(loop(game))
        if game.events is not None:
            rules = (*KIND_RULES[sheet.kind], *(("VAIA-HIT-3",) if action.target and not sheet.attack else ()))
            game.log(
                "activates", who=action.actor, action=action.card, kind_of_action=sheet.kind, target=action.target, rules=rules
            )
        cost = action.slots or price(game, action.actor, sheet)
        action.burning = pay(game, action.actor, sheet, action.item, cost)
        if action.item:
            action.worn = (action.item,)
        if stress_die(sheet, 0)[1]:
            return
        if action.burning or game.records[action.actor].exhausted:
            action.go("burn_early")
        else:
            action.meet("declared", "begin_step", game)

    def check_stress(action, game: Game) -> Roll:
        track, die = stress_die(action.sheet(game), len(action.rolled))
        return Roll("stress", ROLL[die], action.actor, (track, action.card))

    @cites("VAIA-STR-4")
    def note_stress(action, game: Game, roll: int) -> None:
        sheet = action.sheet(game)
        track, die = stress_die(sheet, len(action.rolled))
        if met_stress(game, action.actor, track, die, roll):
            action.burning = (*action.burning, track)
        action.rolled = (*action.rolled, roll)
        if stress_die(sheet, len(action.rolled))[1]:
            action.go("check_stress")
        else:
            action.rolled = ()

    def burn_early(action, game: Game) -> None:
        tire(game, action.actor, action.sheet(game))
        if action.burning and game.policy["burnout_timing"] == "before":
            burning, action.burning = action.burning, ()
            burn_out(game, action.actor, burning)

    # 3: the occasions, each with automatic events, Rider window, Trigger window

    def declare(action, game: Game) -> None:
        action.meet("declared", "begin_step", game)

    def meet(action, occasion: str, after: str, game: Game) -> None:
        """Opens the windows of an occasion, or goes on at once if no card has anything for it."""
        if game.table.occasion(occasion, action.card, action.actor) is None:
            action.go(after)
        else:
            action.occasion = occasion
            action.go("open_first")

    def open_first(action, game: Game) -> Frame | None:
        table: Table = game.table
        occasion = table.occasion(action.occasion, action.card, action.actor)
        assert occasion is not None
        forced = forced_trigger(game, action, occasion) if occasion.forced else None
        if forced is not None:
            who, sheet, target = forced
            action.reacted = (*action.reacted, f"{who} {sheet.id}")
            game.log("forced", who=who, action=sheet.id, rules=("VAIA-ACT-6",))
            action.go("open_first")
            items = usable_items(game, who, sheet) if sheet.item else ("",)
            return Action(actor=who, card=sheet.id, target=target, item=items[0], cause=len(game.agenda) - 1)
        window = (rider_window if table.rider_first else trigger_window)(game, action, occasion)
        return action.open_second(game) if window is None else window

    def open_second(action, game: Game) -> Frame | None:
        table: Table = game.table
        occasion = table.occasion(action.occasion, action.card, action.actor)
        assert occasion is not None
        window = (trigger_window if table.rider_first else rider_window)(game, action, occasion)
        if window is None:
            action.leave_occasion(game)
        else:
            action.go("leave_occasion")
        return window

    def leave_occasion(action, game: Game) -> None:
        occasion, action.occasion = action.occasion, ""
        if occasion[0] == "b":
            # A Trigger may have changed whether the step is legal.
            sheet: ActionSheet = game.table.actions[action.card]
            step = action.step(game)
            if not skipped(game, action, sheet, step):
                action.go("choose" if step.asks else "roll")
                return
        if occasion != "declared":
            action.place += 1
        action.go("begin_step")

    # 4: the steps

    def begin_step(action, game: Game) -> Frame | None:
        sheet: ActionSheet = game.table.actions[action.card]
        count = tiles_for(action.slots) if sheet.by_slots else len(sheet.steps)
        while action.place < count:
            step = sheet.steps[0 if sheet.by_slots else action.place]
            if not skipped(game, action, sheet, step):
                action.meet(step.before, "choose" if step.asks else "roll", game)
                return None
            action.place += 1
        if action.added and not action.over:
            action.go("begin_step")
            return effects.add_next(game, action)
        return action.close(game)

    def choose(action, game: Game) -> Choice:
        table: Table = game.table
        sheet = table.actions[action.card]
        step = sheet.steps[0 if sheet.by_slots else action.place]
        seat = game.seat_of[action.actor]
        if step.verb == "execute":
            return Choice(seat, "execute", (DEAD, OUT), action.actor, facts=(action.target,))
        here = game.records[action.actor].at
        taken = filled(game)
        offers = (STAY, *[offer for tile, offer in table.tile_offers[here] if tile not in taken])
        left = tiles_for(action.slots) - action.place if sheet.by_slots else step.follow + 1
        return Choice(seat, "tile", offers, action.actor, form="path", facts=(action.card, left))

    @cites("VAIA-ACT-5")
    def take_choice(action, game: Game, answer: Value) -> Frame | None:
        if answer == "stay":
            action.place = action.count(game) if action.sheet(game).by_slots else action.place + action.step(game).follow + 1
            action.go("begin_step")
            return None
        if isinstance(answer, str):
            effects.execute(game, action, answer)
            action.leave_step("after effect", game)
            return None
        if game.unseen and (found := hiding_on(game, str(answer[1]))):  # type: ignore[index]
            action.go("choose")
            return come_out(game, found, "found", ("VAIA-HIDE-7",))
        action.leave_step("after move", game)
        return effects.enter(game, action.actor, str(answer[1]))  # type: ignore[index]

    def roll(action, game: Game) -> Roll | None:
        dice = action.dice(game)
        if len(action.rolled) == len(dice):
            action.go("resolve")
            return None
        step = action.step(game)
        return Roll(step.verb, ROLL[dice[len(action.rolled)]], action.actor, (action.card, action.target))

    def dice(action, game: Game) -> tuple[int, ...]:
        """What the step rolls: its die, and the dice of additions to the potency."""
        step = action.step(game)
        if not step.die:
            first: tuple[int, ...] = ()
        elif step.die == WEAPON:
            first = (int(game.table.items[action.item].weapon[1:]),)
        else:
            first = (step.die,)
        if step.verb == "damage" and action.lines:
            return (*first, *(die for die, _ in additions(action) if die))
        return first

    def note_roll(action, game: Game, roll: int) -> Frame | None:
        action.rolled = (*action.rolled, roll)
        if len(action.rolled) < len(action.dice(game)):
            action.go("roll")
            return None
        return action.carry_out(game)

    def resolve(action, game: Game) -> Frame | None:
        return action.carry_out(game)

    def carry_out(action, game: Game) -> Frame | None:
        """Does what the step says, with what was rolled for it."""
        step = action.step(game)
        rolled, action.rolled = action.rolled, ()
        frame = effects.DEEDS[step.verb](game, action, step, rolled)
        action.leave_step(step.after, game)
        if action.over:
            action.go("close")
        return frame

    def leave_step(action, occasion: str, game: Game) -> None:
        """The occasion after a step, then the next; at once if no card has anything for it."""
        if game.table.occasion(occasion, action.card, action.actor) is None:
            action.place += 1
            action.go("begin_step")
        else:
            action.occasion = occasion
            action.go("open_first")

    # 5: the end, after the last step or by interruption

    def close(action, game: Game) -> Frame | None:
        action.over = True
        # No later rule reads these.
        action.lines = action.added = ()
        action.rolled = ()
        action.occasion = ""
        game.log("ended", who=action.actor, action=action.card, interrupted=action.interrupted, rules=("VAIA-ACT-9",))
        if not (action.worn or action.burning):
            return action.queue(game)
        action.go("destroy_items" if action.worn else "burn_late")
        return None

    @cites("VAIA-DUR-4")
    def destroy_items(action, game: Game) -> None:
        destroy(game, action.actor, action.worn, ("VAIA-DUR-6",) if action.interrupted else ())
        if not action.burning:
            action.go("queue")

    @cites("VAIA-ACT-9")
    def burn_late(action, game: Game) -> None:
        burning, action.burning = action.burning, ()
        burn_out(game, action.actor, burning)

    def queue(action, game: Game) -> Frame | None:
        """Puts the action among those that wait for Responses, behind those that ended before it (VAIA-RSP-3)."""
        answerable = game.table.responses_to(action.card)
        if answerable:
            ended = Ended(action.actor, action.card, (*action.happened, ("ended", action.target)))
        action.happened = ()
        if action.sheet(game).kind != "trigger" or game.policy["response_timing"] == "immediate":
            if answerable:
                action.waiting = (*action.waiting, ended)
            return action.offer_responses(game)
        action.done()
        if answerable:
            for depth in range(len(game.agenda) - 2, -1, -1):
                below: Any = game.agenda[depth]
                if type(below) is Action and below.sheet(game).kind != "trigger":
                    game.log("waits", who=action.actor, action=action.card, rules=("VAIA-RSP-3",), explain=True)
                    collector: Any = game.edit_frame(depth)
                    collector.waiting = (*collector.waiting, ended)
                    break
        return None

    # 6: Responses

    def offer_responses(action, game: Game) -> Frame | None:
        while action.waiting:
            window = response_window(game, action.waiting[0])
            if window is not None:
                action.go("answered")
                return window
            action.waiting = action.waiting[1:]
        action.done()
        return None

    def answered(action, game: Game) -> None:
        action.waiting = action.waiting[1:]
        action.go("offer_responses")


def skipped(game: Game, action: Action, sheet: ActionSheet, step: StepSheet) -> bool:
    """VAIA-ACT-7: whether the step that is due is skipped, and says so."""
    if action.over:
        return True
    why = illegal(game, action, sheet, step)
    if why:
        game.log("skipped", who=action.actor, action=action.card, step=step.verb, why=why, rules=("VAIA-ACT-7",))
    return bool(why)


def illegal(game: Game, action: Action, sheet: ActionSheet, step: StepSheet) -> str:
    """Why the step that is due is not legal now; empty if it is."""
    if step.aimed and action.target:
        record = game.records[action.target]
        if record.out:
            return "gone"
        if sheet.whom not in ("vulnerable", "self_or_ally") and record.hp <= 0:
            return "vulnerable"
        if sheet.whom == "vulnerable" and record.hp > 0:
            return "standing"
        if game.table.distances[game.records[action.actor].at][record.at] > sheet.reach:
            return "out_of_reach"
    if sheet.attack and step.aimed and step.verb != "accuracy" and action.result not in ("hit", "half"):
        return "no_hit"
    if step.verb == "redirect" and (
        (action.target if sheet.redirect == "choice" else action.actor) not in new_targets(game, game.agenda[action.cause])  # type: ignore[arg-type]
    ):
        return "no_new_target"
    return ""


def loop(game: Game) -> str:
    """The actions that set one another off without end, by their cards."""
    cards = [frame.card for frame in game.agenda if type(frame) is Action]
    tail = cards[-24:]
    for size in range(1, len(tail) // 2 + 1):
        if tail[-size:] == tail[-2 * size : -size]:
            return f"a loop that never ends: {' > '.join((*tail[-size:], tail[-size]))}; give one of these cards a cost"
    return f"{len(cards)} actions inside one another: {' > '.join(tail)}; give one of these cards a cost"
