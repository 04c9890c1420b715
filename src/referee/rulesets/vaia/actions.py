"""The life of one action, from its payment to its Responses; and the activation of a Rider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from ...dice import Die
from ...engine import Choice, Frame, Game, Id, Offer, Roll, RuleError, Value, cites, steps
from . import effects
from .checks import additions, free_beside, price, usable_items
from .consequences import burn_out, destroy, gain_stress, lose_hp, wear
from .reactions import forced_trigger, response_window, rider_window, trigger_window
from .requirements import new_targets
from .sheets import WEAPON, ActionSheet, StepSheet, tiles_for

if TYPE_CHECKING:
    from .setup import Table

ROLL: Final = {sides: Die(sides) for sides in (4, 6, 8, 10, 12, 20, 100)}
STAY: Final = Offer("stay", "tile", rules=("VAIA-ACT-5",))
DEAD: Final = Offer("dead", "execute", rules=("VAIA-END-2",))
OUT: Final = Offer("out", "execute", rules=("VAIA-END-2",))
DEEPEST: Final = 60
"""So many actions inside one another are a loop."""

_KIND_RULES: Final = {
    "plain": ("VAIA-ACT-3",),
    "trigger": ("VAIA-ACT-3", "VAIA-TRG-1", "VAIA-TRG-2", "VAIA-TRG-4"),
    "response": ("VAIA-ACT-3", "VAIA-RSP-1", "VAIA-RSP-2"),
    "rider": ("VAIA-ACT-3", "VAIA-RID-1", "VAIA-RID-5"),
}


class Ended(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An action that is over and waits for its Responses (VAIA-RSP-4)."""

    actor: Id
    card: Id
    happened: tuple[tuple[str, Id], ...] = ()


def pay(game: Game, who: Id, sheet: ActionSheet, item: Id, slots: int) -> tuple[str, ...]:
    """VAIA-ACT-3: Celerity, Durability, named resources, fixed Stress, in that order; the tracks that are full now."""
    record = game.edit(who)
    record.slots -= slots
    if sheet.once:
        record.used = tuple(sorted((*record.used, sheet.id)))
    if slots:
        game.log("pays", who=who, action=sheet.id, slots=slots, left=record.slots, rules=("VAIA-CEL-1", "VAIA-CEL-2"))
    if item:
        low = next(each.durability for each in record.items if each.id == item) < sheet.durability
        wear(game, who, item, sheet.durability, ("VAIA-DUR-1", "VAIA-DUR-2", *(("VAIA-DUR-3",) if low else ())))
    if sheet.named:
        have = dict(record.named)
        for name, amount in sheet.named:
            have[name] -= amount
            game.log("spends", who=who, name=name, amount=amount, left=have[name], rules=("VAIA-RES-3",))
        record.named = tuple(sorted(have.items()))
    full = [
        track for track, fixed, _ in sheet.stress if fixed and gain_stress(game, who, track, fixed, ("VAIA-STR-1", "VAIA-STR-2"))
    ]
    return tuple(full)


def stress_die(sheet: ActionSheet, rolled: int) -> tuple[str, int]:
    """The track and die of the next stress check; no die when all are rolled."""
    for track, _, die in sheet.stress:
        if die:
            if not rolled:
                return track, die
            rolled -= 1
    return "", 0


def tire(game: Game, who: Id, sheet: ActionSheet) -> None:
    """VAIA-STR-7: after a Physical burnout each action with Physical Stress also costs HP at activation."""
    if game.records[who].exhausted and any(track == "physical" for track, _, _ in sheet.stress):
        lose_hp(game, who, game.table.characters[who].max_hp // 10, "exhaustion", ("VAIA-STR-7",))


def met_stress(game: Game, who: Id, track: str, die: int, roll: int) -> bool:
    """VAIA-STR-3: on Nat Min, as rolled, one Stress; whether the track is full."""
    game.log("stress_check", who=who, track=track, die=die, roll=roll, rules=("VAIA-STR-3", "VAIA-STR-4", "VAIA-CHK-1"))
    return roll == 1 and gain_stress(game, who, track, 1, ("VAIA-STR-1", "VAIA-STR-2", "VAIA-STR-3"))


@steps(
    "activate", "check_stress", "note_stress", "burn_early", "declare",
    "open_first", "open_second", "leave_occasion",
    "begin_step", "test_step", "choose", "take_choice", "roll", "note_roll", "resolve", "follow_up",
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
        game.log(
            "activates", who=action.actor, action=action.card, kind_of_action=sheet.kind, target=action.target,
            rules=(*_KIND_RULES[sheet.kind], *(("VAIA-HIT-3",) if action.target and not sheet.attack else ())),
        )  # fmt: skip
        cost = action.slots or price(game, action.actor, sheet)
        action.burning = pay(game, action.actor, sheet, action.item, cost)
        if action.item:
            action.worn = (action.item,)
        if not stress_die(sheet, 0)[1]:
            action.go("burn_early" if action.burning or game.records[action.actor].exhausted else "declare")

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
        if game.table.quiet(occasion, action.card, action.actor):
            action.go(after)
        else:
            action.occasion = occasion
            action.go("open_first")

    def open_first(action, game: Game) -> Frame | None:
        forced = forced_trigger(game, action)
        if forced is not None:
            who, sheet, target = forced
            action.reacted = (*action.reacted, f"{who} {sheet.id}")
            game.log("forced", who=who, action=sheet.id, rules=("VAIA-ACT-6",))
            action.go("open_first")
            items = usable_items(game, who, sheet) if sheet.item else ("",)
            return Action(actor=who, card=sheet.id, target=target, item=items[0], cause=len(game.agenda) - 1)
        first = rider_window if game.policy["window_order"] == "rider_first" else trigger_window
        return first(game, action)

    def open_second(action, game: Game) -> Frame | None:
        second = trigger_window if game.policy["window_order"] == "rider_first" else rider_window
        return second(game, action)

    def leave_occasion(action, game: Game) -> None:
        occasion, action.occasion = action.occasion, ""
        action.go("begin_step" if occasion == "declared" else "test_step" if occasion[0] == "b" else "follow_up")

    # 4: the steps

    def begin_step(action, game: Game) -> Frame | None:
        sheet: ActionSheet = game.table.actions[action.card]
        if action.place >= (tiles_for(action.slots) if sheet.by_slots else len(sheet.steps)):
            if action.added and not action.over:
                action.go("begin_step")
                return effects.add_next(game, action)
            action.go("close")
            return None
        step = sheet.steps[0 if sheet.by_slots else action.place]
        if skipped(game, action, sheet, step):
            action.place += 1
            action.go("begin_step")
        else:
            action.meet(step.before, "choose" if step.asks else "roll", game)
        return None

    def test_step(action, game: Game) -> None:
        if skipped(game, action, action.sheet(game), action.step(game)):
            action.place += 1
            action.go("begin_step")

    def choose(action, game: Game) -> Choice | None:
        table: Table = game.table
        sheet = table.actions[action.card]
        step = sheet.steps[0 if sheet.by_slots else action.place]
        seat = game.seat_of[action.actor]
        if step.verb == "move":
            tile_offers = table.tile_offers
            offers = [STAY]
            offers += [tile_offers[tile] for tile in free_beside(game, game.records[action.actor].at)]
            left = tiles_for(action.slots) - action.place if sheet.by_slots else step.follow + 1
            return Choice(seat, "tile", tuple(offers), action.actor, form="path", facts=(action.card, left))
        if step.verb == "execute":
            return Choice(seat, "execute", (DEAD, OUT), action.actor, facts=(action.target,))
        action.go("roll")
        return None

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
        if game.table.quiet(occasion, action.card, action.actor):
            action.place += 1
            action.go("begin_step")
        else:
            action.occasion = occasion
            action.go("open_first")

    def follow_up(action, game: Game) -> None:
        action.place += 1
        action.go("begin_step")

    # 5: the end, after the last step or by interruption

    def close(action, game: Game) -> None:
        action.over = True
        # No later rule reads these.
        action.lines = action.added = ()
        action.rolled = ()
        action.occasion = ""
        game.log("ended", who=action.actor, action=action.card, interrupted=action.interrupted, rules=("VAIA-ACT-9",))
        if not (action.worn or action.burning):
            action.go("queue")

    @cites("VAIA-DUR-4")
    def destroy_items(action, game: Game) -> None:
        if action.worn:
            destroy(game, action.actor, action.worn, ("VAIA-DUR-6",) if action.interrupted else ())

    @cites("VAIA-ACT-9")
    def burn_late(action, game: Game) -> None:
        if action.burning:
            burning, action.burning = action.burning, ()
            burn_out(game, action.actor, burning)

    def queue(action, game: Game) -> None:
        """Puts the action among those that wait for Responses, behind those that ended before it (VAIA-RSP-3)."""
        ended = Ended(action.actor, action.card, (*action.happened, ("ended", action.target)))
        action.happened = ()
        own = action.sheet(game).kind != "trigger" or game.policy["response_timing"] == "immediate"
        if not game.table.triggers_of("response", action.card):
            if not own or not action.waiting:
                action.done()
            return
        if own:
            action.waiting = (*action.waiting, ended)
            return
        action.done()
        for depth in range(len(game.agenda) - 2, -1, -1):
            below: Any = game.agenda[depth]
            if type(below) is Action and below.sheet(game).kind != "trigger":
                game.log("waits", who=action.actor, action=action.card, rules=("VAIA-RSP-3",), explain=True)
                collector: Any = game.edit_frame(depth)
                collector.waiting = (*collector.waiting, ended)
                return

    # 6: Responses

    def offer_responses(action, game: Game) -> Frame | None:
        if not action.waiting:
            action.done()
            return None
        return response_window(game, action.waiting[0])

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
        if game.table.distances[game.records[action.actor].at, record.at] > sheet.reach:
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


@steps("activate", "check_stress", "note_stress", "burn_early", "roll", "note_roll", "attach")
class Ride(Frame):
    """A Rider: paid when activated, and attached to the action at once; it has no occasions itself (VAIA-RID-5)."""

    actor: Id
    card: Id
    ridden: int
    item: Id = ""
    rolled: tuple[int, ...] = ()
    full: tuple[str, ...] = ()

    @cites("VAIA-RID-1", "VAIA-RID-3")
    def activate(ride, game: Game) -> None:
        sheet: ActionSheet = game.table.actions[ride.card]
        below: Any = game.agenda[ride.ridden]
        rules = _KIND_RULES["rider"] if below.sheet(game).kind == "plain" else (*_KIND_RULES["rider"], "VAIA-RID-4")
        game.log("activates", who=ride.actor, action=ride.card, kind_of_action="rider", target="", rules=rules)
        ride.full = pay(game, ride.actor, sheet, ride.item, price(game, ride.actor, sheet))
        if not stress_die(sheet, 0)[1]:
            ride.go("burn_early")

    def check_stress(ride, game: Game) -> Roll:
        track, die = stress_die(game.table.actions[ride.card], len(ride.rolled))
        return Roll("stress", ROLL[die], ride.actor, (track, ride.card))

    @cites("VAIA-STR-4")
    def note_stress(ride, game: Game, roll: int) -> None:
        sheet: ActionSheet = game.table.actions[ride.card]
        track, die = stress_die(sheet, len(ride.rolled))
        if met_stress(game, ride.actor, track, die, roll):
            ride.full = (*ride.full, track)
        ride.rolled = (*ride.rolled, roll)
        if stress_die(sheet, len(ride.rolled))[1]:
            ride.go("check_stress")
        else:
            ride.rolled = ()

    def burn_early(ride, game: Game) -> None:
        """What burns out does so when the ridden action has ended, or at once under the policy."""
        tire(game, ride.actor, game.table.actions[ride.card])
        ridden: Any = game.edit_frame(ride.ridden)
        if ride.item:
            ridden.worn = (*ridden.worn, ride.item)
        if ride.full and game.policy["burnout_timing"] == "before":
            burn_out(game, ride.actor, ride.full)
        elif ride.full:
            ridden.burning = (*ridden.burning, *ride.full)

    def roll(ride, game: Game) -> Roll | None:
        dice = ride.dice(game)
        if len(ride.rolled) == len(dice):
            ride.go("attach")
            return None
        return Roll("effect", ROLL[dice[len(ride.rolled)]], ride.actor, (ride.card, ""))

    def dice(ride, game: Game) -> tuple[int, ...]:
        """What its deeds roll; an addition to the potency is rolled with the damage."""
        sheet: ActionSheet = game.table.actions[ride.card]
        return tuple(step.die for step in sheet.steps if step.die and step.verb != "addition")

    def note_roll(ride, game: Game, roll: int) -> None:
        ride.rolled = (*ride.rolled, roll)
        ride.go("roll")

    @cites("VAIA-RID-5")
    def attach(ride, game: Game) -> None:
        ridden: Any = game.edit_frame(ride.ridden)
        if not ridden.over:
            effects.attach(game, ridden, game.table.actions[ride.card], ride.rolled)
