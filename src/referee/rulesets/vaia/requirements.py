"""Why an action may not be activated: its prices, its occasion, its target. Generators of reasons; none means legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...engine import Game, Id, Reason
from .checks import active, distance, order_of, price, reach_now, sheet_of, usable_items
from .records import CharacterRecord
from .sheets import ActionSheet

if TYPE_CHECKING:
    from .actions import Action, Ended
    from .setup import Table


# Prices and conditions


def unaffordable(game: Game, who: Id, sheet: ActionSheet, phase: Id | None = None) -> Iterator[Reason]:
    """Why somebody cannot activate an action now, its occasion and target apart (VAIA-ACT-1, VAIA-ACT-4).

    `phase` says whose active phase it is, for callers that know.
    """
    record: CharacterRecord = game.records[who]
    if record.hp <= 0 or record.out:
        yield Reason("vulnerable", (), ("VAIA-COND-5", "VAIA-END-1"))
    own = who == (active(game) if phase is None else phase)
    if not own:
        yield from _outside_own_phase(game, record, sheet)
    if sheet.once and sheet.id in record.used:
        yield Reason("once", (), ("VAIA-ACT-10",))
    cost = price(game, who, sheet)
    if cost > record.slots:
        rules: tuple[str, ...] = ("VAIA-CEL-6", "VAIA-ACT-4") if own else ("VAIA-CEL-6", "VAIA-CEL-7")
        if sheet.kind == "rider":
            rules += ("VAIA-RID-3", "VAIA-RID-7")
        yield Reason("slots" if own else "reserved_slots", (cost, record.slots), rules)
    if sheet.item and not usable_items(game, who, sheet):
        yield from _no_item(game, record, sheet)
    if sheet.named:
        yield from _short_of_named(game, record, sheet)
    if record.mute and any(track == "vocal" for track, _, _ in sheet.stress):
        yield Reason("mute", (), ("VAIA-STR-9",))
    if sheet.beside and game.table.objective_at not in game.table.grid.neighbours(record.at):
        yield Reason("not_beside", (game.table.objective_name, game.table.objective_at), ("VAIA-ACT-1", "VAIA-ACT-4"))


def _outside_own_phase(game: Game, record: CharacterRecord, sheet: ActionSheet) -> Iterator[Reason]:
    if sheet.active_only or not sheet.reserved:
        yield Reason("active_only" if sheet.active_only else "not_reserved", (), ("VAIA-CEL-7",))
    if not record.acted:
        order = order_of(game)
        if order and order[-1] == record.id:
            yield Reason("last_in_order", (), ("VAIA-TURN-7", "VAIA-TURN-6"))
        else:
            yield Reason("no_phase_yet", (), ("VAIA-TURN-6",))


def _no_item(game: Game, record: CharacterRecord, sheet: ActionSheet) -> Iterator[Reason]:
    table: Table = game.table
    for each in record.items:
        if each.id == sheet.item or (sheet.item == "weapon" and table.items[each.id].weapon):
            yield Reason("due", (each.id,), ("VAIA-DUR-7", "VAIA-ACT-4"))
            return
    yield Reason("no_item", (sheet.item,), ("VAIA-ACT-4",))


def _short_of_named(game: Game, record: CharacterRecord, sheet: ActionSheet) -> Iterator[Reason]:
    unlocked = sheet_of(game, record.id).named
    have = dict(record.named)
    for name, amount in sheet.named:
        if name not in unlocked:
            yield Reason("not_unlocked", (name,), ("VAIA-RES-2", "VAIA-RES-3"))
        elif have[name] < amount:
            yield Reason("named", (name, amount, have[name]), ("VAIA-RES-3",))


# Targets


def targets(game: Game, who: Id, sheet: ActionSheet, about: Action | Ended | None = None) -> list[Id]:
    """Whom an action may be aimed at: `about` is what a Trigger pauses or a Response answers."""
    records = game.records
    table: Table = game.table
    whom = sheet.whom
    if whom == "new":
        return new_targets(game, about)  # type: ignore[arg-type]
    if whom == "actor":
        others: Sequence[Id] = (about.actor,) if about is not None else ()
    else:
        others = table.among[who, whom]
    reach = sheet.farthest
    away = table.distances[records[who].at]
    either, standing = whom == "self_or_ally", whom != "vulnerable"
    found = []
    for other in others:
        record = records[other]
        if not record.out and away[record.at] <= reach and (either or (record.hp > 0) is standing):
            found.append(other)
    return found


def new_targets(game: Game, action: Action) -> list[Id]:
    """VAIA-TRG-8: standing, neither the actor nor the present target, within the action's reach of the actor's tile."""
    reach = reach_now(game, action)
    return [
        each
        for each in game.table.figures
        if each not in (action.actor, action.target)
        and game.records[each].standing
        and distance(game, action.actor, each) <= reach
    ]


def untargeted(game: Game, who: Id, sheet: ActionSheet, about: Action | Ended | None = None) -> Iterator[Reason]:
    """Why there is nobody to aim an action at (VAIA-ACT-4)."""
    if sheet.whom == "new":
        if not new_targets(game, about):  # type: ignore[arg-type]
            yield Reason("no_new_target", (), ("VAIA-TRG-8", "VAIA-ACT-4"))
    elif sheet.redirect == "user":
        if who not in new_targets(game, about):  # type: ignore[arg-type]
            yield Reason("no_new_target", (), ("VAIA-TRG-8", "VAIA-ACT-4"))
    elif sheet.whom != "none" and not targets(game, who, sheet, about):
        rules = ("VAIA-ACT-4", "VAIA-RSP-7") if sheet.kind == "response" else ("VAIA-ACT-4", "VAIA-MOVE-5")
        yield Reason("no_target", (sheet.whom, sheet.farthest), rules)


# Occasions


def unfit_rider(game: Game, who: Id, sheet: ActionSheet, occasion: str, action: Action) -> Iterator[Reason]:
    """Why a Rider cannot ride on an action at this occasion."""
    when = sheet.when
    assert when is not None
    if action.actor != who:
        yield Reason("not_own", (action.card,), ("VAIA-RID-2",))
    if when.at != occasion:
        yield Reason("other_occasion", (when.at or "", occasion), ("VAIA-RID-1",))
    if not suits(sheet, game.table.actions[action.card]):
        yield Reason("other_action", (action.card,), ("VAIA-RID-1",))
    if game.table.actions[action.card].kind != "plain" and not game.policy["rider_on_reactions"]:
        yield Reason("on_reaction", (action.card,), ("VAIA-RID-4",))
    if when.outcome and action.result not in when.outcome:
        yield Reason("outcome", (*when.outcome, action.result), ("VAIA-RID-3", "VAIA-RID-1", "VAIA-RID-7"))
    if sheet.near:
        yield from _too_far(game, who, sheet, action.actor, action.target, "VAIA-RID-1")


def unfit_trigger(game: Game, who: Id, sheet: ActionSheet, occasion: str, action: Action) -> Iterator[Reason]:
    """Why a Trigger's printed condition is not fulfilled by an action at this occasion."""
    when = sheet.when
    assert when is not None
    if when.role == "target" and action.target != who:
        yield Reason("not_the_target", (action.card,), ("VAIA-TRG-1",))
    if when.at != occasion:
        yield Reason("other_occasion", (when.at or "", occasion), ("VAIA-TRG-1",))
    if not suits(sheet, game.table.actions[action.card]):
        yield Reason("other_action", (action.card,), ("VAIA-TRG-1",))
    yield from _other_people(game, who, sheet, action.actor, action.target, "VAIA-TRG-1")
    if when.outcome and action.result not in when.outcome:
        yield Reason("outcome", (*when.outcome, action.result), ("VAIA-TRG-1",))
    if sheet.near:
        yield from _too_far(game, who, sheet, action.actor, action.target, "VAIA-TRG-1")


def unfit_response(game: Game, who: Id, sheet: ActionSheet, ended: Ended) -> Iterator[Reason]:
    """Why a Response's printed condition was not fulfilled by an action that is over (VAIA-RSP-6)."""
    when = sheet.when
    assert when is not None
    if not suits(sheet, game.table.actions[ended.card]):
        yield Reason("other_action", (ended.card,), ("VAIA-RSP-1",))
    met = [whom for event, whom in ended.happened if event == when.event]
    side = game.table.side
    if when.role == "target":
        fulfilled = who in met
    elif when.role == "ally":
        fulfilled = any(whom != who and side[whom] == side[who] for whom in met)
    else:
        fulfilled = bool(met)
    if not fulfilled:
        yield Reason("did_not_happen", (when.event or "", ended.card), ("VAIA-RSP-6", "VAIA-RSP-1"))
    if not _actor_fits(game, who, when.actor, ended.actor):
        yield Reason("other_actor", (when.actor,), ("VAIA-RSP-1",))
    if sheet.near:
        yield from _too_far(game, who, sheet, ended.actor, met[0] if met else "", "VAIA-RSP-1")


def suits(sheet: ActionSheet, other: ActionSheet) -> bool:
    """Whether an action is of the sort that a Rider, Trigger or Response names."""
    when = sheet.when
    assert when is not None
    return (
        (not when.action or other.id in when.action)
        and (other.attack or not (when.attack or when.melee))
        and (other.melee or not when.melee)
    )


def _actor_fits(game: Game, who: Id, wanted: str, actor: Id) -> bool:
    side = game.table.side
    return wanted == "any" or (side[actor] == side[who]) == (wanted == "ally")


def _other_people(game: Game, who: Id, sheet: ActionSheet, actor: Id, target: Id, rule: str) -> Iterator[Reason]:
    when = sheet.when
    assert when is not None
    side = game.table.side
    if when.role == "ally" and (not target or target == who or side[target] != side[who]):
        yield Reason("not_an_ally", (), (rule,))
    if not _actor_fits(game, who, when.actor, actor):
        yield Reason("other_actor", (when.actor,), (rule,))


def _too_far(game: Game, who: Id, sheet: ActionSheet, actor: Id, target: Id, rule: str) -> Iterator[Reason]:
    when = sheet.when
    assert when is not None
    if when.within is not None and (not target or distance(game, who, target) > when.within):
        yield Reason("too_far", (target, when.within), (rule,))
    if when.actor_within is not None and distance(game, who, actor) > when.actor_within:
        yield Reason("too_far", (actor, when.actor_within), (rule,))
