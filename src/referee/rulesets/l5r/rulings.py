"""Rulings of the GM that the rules carry out: Void points, traits that fit, hazards, waking up."""

from __future__ import annotations

from typing import Final

from ...engine import Effect, Frame, Game, Id, cites, steps
from ...engine.frames import Ruling
from .changes import gain_void, spend_void
from .damage import Critical, Damage, deadliness_of


def rulings_made(game: Game, edited: tuple[Id, ...]) -> Frame | None:
    """State-based: rulings of the GM that the rules carry out; only a ruling on a record leaves any."""
    if game.agenda[-1].__class__ is Ruling:
        for id in edited:
            if id in game.table.sheets and game.records[id].rulings:
                return RulingDeed(id)
    return None


@steps("carry_out")
class RulingDeed(Frame):
    """A ruling of the GM that gives or costs something, or brings a hazard: the field `rulings` of a figure."""

    who: Id

    @cites("L5R-CHK-9", "L5R-CHK-10")
    def carry_out(deed, game: Game) -> Frame | None:
        record = game.edit(deed.who)
        ruling, record.rulings = record.rulings[0], record.rulings[1:]
        name, *facts = ruling
        game.log("rules", who=deed.who, name=name, facts=tuple(facts))
        if record.rulings:
            deed.go("carry_out")
        if name in ("complication", "hidden_tn", "inverted"):
            gain_void(game, deed.who, name, ("L5R-CHK-10",))
        elif name in ("use", "seize") and record.void:
            spend_void(game, deed.who, name, ("L5R-CHK-9",))
            bearer, trait = (facts[0], facts[1]) if name == "use" else (deed.who, facts[1])
            game.give(bearer, Effect("invoked", source=deed.who, applies=(trait,), uses=1))
        elif name == "fall":
            return fall_of(game, deed.who, int(facts[0]))
        elif name == "hazard":
            source, amount, *numbers = facts
            more = [int(number) for number in numbers]
            deadliness = deadliness_of(
                source, silhouette=more[0] if source == "object" and more else 0,
                again=more[0] if source == "fire" and more else 0,
            )  # fmt: skip
            return Damage(deed.who, int(amount), deadliness, source, rule="L5R-DMG-7")
        elif name == "wake":
            record.conditions = tuple(each for each in record.conditions if each != "unconscious")
            game.log("condition_ends", who=deed.who, condition="unconscious", rules=("L5R-COND-16",))
        return None


def fall_of(game: Game, who: Id, bands: int) -> Frame:
    """L5R-DMG-20: what a fall of so many bands does."""
    if bands <= 3:
        amount = {1: 4, 2: 8, 3: 12}[bands]
        return Damage(who, amount, deadliness_of("fall"), "fall", rule="L5R-DMG-20")
    severity = {4: 10, 5: 16, 6: 18}[min(6, bands)]
    game.log("falls_far", who=who, bands=bands, severity=severity, rules=("L5R-DMG-20",))
    return Critical(who, severity, "", "fall", resist_tn=3, resist_rings=(("air", 1), ("earth", 5)))


RULINGS: Final = ("complication", "hidden_tn", "inverted", "use", "seize", "fall", "hazard", "wake")
