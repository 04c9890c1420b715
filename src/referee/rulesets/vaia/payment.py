"""What an activation costs, in the order in which it is paid: Celerity, Durability, named resources, Stress (VAIA-ACT-3)."""

from __future__ import annotations

from typing import Final

from ...dice import Die
from ...engine import Game, Id
from .consequences import gain_stress, lose_hp, wear
from .sheets import ActionSheet

ROLL: Final = {sides: Die(sides) for sides in (4, 6, 8, 10, 12, 20, 100)}

KIND_RULES: Final = {
    "plain": ("VAIA-ACT-3",),
    "trigger": ("VAIA-ACT-3", "VAIA-TRG-1", "VAIA-TRG-2", "VAIA-TRG-4"),
    "response": ("VAIA-ACT-3", "VAIA-RSP-1", "VAIA-RSP-2"),
    "rider": ("VAIA-ACT-3", "VAIA-RID-1", "VAIA-RID-5"),
}


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
    full: tuple[str, ...] = ()
    for track, fixed, _ in sheet.stress:
        if fixed and gain_stress(game, who, track, fixed, ("VAIA-STR-1", "VAIA-STR-2")):
            full = (*full, track)
    return full


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
