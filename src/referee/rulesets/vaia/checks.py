"""Vaia's numbers: who stands where, what a check and a blow come to, what an action costs. Nothing changes here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...engine import Game, Id, Line, total
from .records import CharacterRecord
from .sheets import ActionSheet, CharacterSheet

if TYPE_CHECKING:
    from .actions import Action
    from .setup import Table


# Who and where


def character(game: Game, who: Id) -> CharacterRecord:
    """A character's record, to be read."""
    return game.records[who]  # type: ignore[no-any-return]


def sheet_of(game: Game, who: Id) -> CharacterSheet:
    """A character's sheet."""
    return game.table.characters[who]  # type: ignore[no-any-return]


def order_of(game: Game) -> tuple[Id, ...]:
    """The Active Phase Order."""
    return game.records["order"].who  # type: ignore[no-any-return]


def next_after(game: Game, who: Id) -> tuple[Id, ...]:
    """All others in order, beginning next after somebody (VAIA-TRG-5); one who has left stands before the first."""
    order = order_of(game)
    if who not in order:
        return order
    place = order.index(who)
    return order[place + 1 :] + order[:place]


def active(game: Game) -> Id:
    """Whose active phase it is; empty between them."""
    agenda: list[Any] = game.agenda
    return agenda[1].who if len(agenda) > 1 and type(agenda[1]).__name__ == "Phase" else ""


def is_final(game: Game, who: Id) -> bool:
    """Whether an active phase is the Final Phase: nobody who stands comes after it (VAIA-TURN-7)."""
    order = order_of(game)
    after = order[order.index(who) + 1 :] if who in order else ()
    return not any(game.records[each].standing for each in after)


def distance(game: Game, one: Id, other: Id) -> int:
    """King's moves between two characters."""
    records = game.records
    return game.table.distances[records[one].at][records[other].at]  # type: ignore[no-any-return]


def filled(game: Game) -> list[str]:
    """The tiles that somebody fills, standing or Vulnerable (VAIA-MOVE-1)."""
    records = game.records
    return [record.at for who in game.table.figures if not (record := records[who]).out]


def shares(game: Game) -> tuple[tuple[str, int, int], ...]:
    """Each side's sum of HP (below 0 counts as 0) and of maximum HP."""
    table: Table = game.table
    records = game.records
    return tuple(
        (
            side,
            sum([record.hp for who in figures if (record := records[who]).hp > 0 and not record.out]),
            table.full_hp[side],
        )
        for side, figures in table.sides.items()
    )


# What an action costs and reaches


def price(game: Game, who: Id, sheet: ActionSheet) -> int:
    """The slots that an action costs somebody now (VAIA-CEL-1, VAIA-CEL-7)."""
    celerity = sheet.celerity
    if celerity and game.table.multiplier > 1:
        phase = active(game)
        if phase and phase != who and is_final(game, phase):
            return celerity * game.table.multiplier  # type: ignore[no-any-return]
    return celerity


def usable_items(game: Game, who: Id, sheet: ActionSheet) -> list[Id]:
    """The items that an action could use: of its kind, with durability 1 or more (VAIA-ACT-4)."""
    fitting = game.table.fitting[who, sheet.id]
    return [each.id for each in game.records[who].items if each.durability > 0 and each.id in fitting]


def reach_now(game: Game, action: Action) -> int:
    """How far an action under way reaches: for melee with moves still to come before its check, those too."""
    sheet: ActionSheet = game.table.actions[action.card]
    return sheet.reach + max(0, sheet.leading - action.place)


# Numbers


def modifiers(action: Action, what: str, rule: str) -> Iterator[Line]:
    """What Riders and Triggers have given to an action under way."""
    for kind, amount, source in action.lines:
        if kind == what:
            yield amount, source, rule


def accuracy_lines(game: Game, action: Action) -> Iterator[Line]:
    """What is added to the roll of an accuracy step."""
    yield sheet_of(game, action.actor).accuracy, "accuracy", "VAIA-HIT-1"
    if action.lines:
        yield from modifiers(action, "accuracy_bonus", "VAIA-RID-5")


def evasion_lines(game: Game, action: Action) -> Iterator[Line]:
    """What an accuracy step is tested against: of the present target (VAIA-TRG-9)."""
    yield sheet_of(game, action.target).evasion, "evasion", "VAIA-CHAR-2"
    if action.lines:
        yield from modifiers(action, "evasion_bonus", "VAIA-TRG-3")


def mitigation_lines(action: Action) -> Iterator[Line]:
    """Flat Mitigation against one attack."""
    yield from modifiers(action, "mitigation", "VAIA-DMG-2")


def additions(action: Action) -> list[tuple[int, int]]:
    """What Riders add to the potency: dice and constants."""
    return [(amount // 100, amount % 100) for kind, amount, _ in action.lines if kind == "addition"]


def potency_lines(game: Game, action: Action, rolled: tuple[int, ...], constant: int) -> Iterator[Line]:
    """The sum that Focal multiplies: variable, Raw, additions (VAIA-DMG-1)."""
    yield rolled[0] if rolled else 0, "variable", "VAIA-DMG-1"
    if constant:
        yield constant, "printed", "VAIA-DMG-1"
    yield sheet_of(game, action.actor).raw, "raw", "VAIA-CHAR-3"
    for amount in rolled[1:]:
        yield amount, "addition", "VAIA-DMG-1"
    for _, amount in additions(action):
        if amount:
            yield amount, "addition", "VAIA-DMG-1"


def potency(game: Game, action: Action, rolled: tuple[int, ...], constant: int) -> int:
    """VAIA-DMG-1: the sum times Focal, computed exactly, rounded down, at least 0."""
    value = total(potency_lines(game, action, rolled, constant)) * sheet_of(game, action.actor).focal // 10
    return max(0, value)


def mitigated(amount: int, armour: tuple[tuple[int, int], ...], flat: int) -> tuple[int, tuple[int, ...]]:
    """VAIA-DMG-2: what is left of a blow after each armour's resistance and reduction and the Flat Mitigation.

    `armour` lists (percent, flat part) of each; also what each absorbed, which is what it loses (VAIA-DMG-3).
    """
    absorbed = []
    for resistance, reduction in armour:
        by_percent = amount * resistance // 100
        by_part = min(amount - by_percent, reduction)
        absorbed.append(by_percent + by_part)
        amount -= by_percent + by_part
    return max(0, amount - flat), tuple(absorbed)
