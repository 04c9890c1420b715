"""Riders: paid when activated, and attached to an action of the same character (VAIA-RID-5)."""

from __future__ import annotations

from typing import Any

from ...engine import Frame, Game, Id, Roll, cites, steps
from . import effects
from .checks import price
from .consequences import burn_out
from .payment import KIND_RULES, ROLL, met_stress, pay, stress_die, tire
from .sheets import ActionSheet


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
        rules = KIND_RULES["rider"] if below.sheet(game).kind == "plain" else (*KIND_RULES["rider"], "VAIA-RID-4")
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
