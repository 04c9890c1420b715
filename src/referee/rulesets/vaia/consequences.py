"""What follows: HP lost, Stress and burnout, items destroyed, conditions, falling in the middle of an action, leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine import HIDDEN, Frame, Game, Id, Window, cites, come_out, in_hiding, steps
from .records import Carried, CharacterRecord

if TYPE_CHECKING:
    from .setup import Table


# HP


def lose_hp(game: Game, who: Id, amount: int, cause: str, rules: tuple[str, ...]) -> None:
    """Takes HP away; at 0 or less the character is Vulnerable (VAIA-END-1)."""
    record = game.edit(who)
    stood = record.hp > 0
    record.hp -= amount
    game.log("loses_hp", who=who, amount=amount, hp=record.hp, cause=cause, rules=rules)
    if stood and record.hp <= 0:
        note_vulnerable(game, who)


def note_vulnerable(game: Game, who: Id) -> None:
    """Says that a character is Vulnerable."""
    game.log("vulnerable", who=who, hp=game.records[who].hp, rules=("VAIA-END-1",))


def falls(game: Game, ids: tuple[Id, ...]) -> None:
    """VAIA-COND-5: the actions in progress of a character that is Vulnerable, or has left, are interrupted."""
    records = game.records
    for id in ids:
        record = records.get(id)
        if type(record) is CharacterRecord and (record.hp <= 0 or record.out):
            interrupt_all(game, id)


def interrupt_all(game: Game, who: Id) -> None:
    """Ends every action of somebody that is under way; what stands above each concludes first (VAIA-ACT-8)."""
    for depth, frame in enumerate(game.agenda):
        if type(frame).__name__ == "Action" and frame.actor == who and not frame.over:  # type: ignore[attr-defined]
            interrupt(game, depth, "vulnerable", ("VAIA-COND-5",))


def action_of(game: Game, who: Id) -> int:
    """Where on the agenda the innermost action lies that somebody is carrying out; -1 for none."""
    for depth in range(len(game.agenda) - 1, -1, -1):
        frame: Any = game.agenda[depth]
        if type(frame).__name__ == "Action" and frame.actor == who and not frame.over:
            return depth
    return -1


def interrupt(game: Game, depth: int, why: str, rules: tuple[str, ...]) -> None:
    """VAIA-ACT-8: ends the action at a depth of the agenda before its last step; its windows close (VAIA-TRG-7)."""
    frame: Any = game.edit_frame(depth)
    if frame.over:
        return
    frame.over = True
    frame.interrupted = True
    event = "cancelled" if why == "cancelled" else "interrupted"
    frame.happened = (*frame.happened, (event, frame.actor))
    game.log("interrupted", who=frame.actor, action=frame.card, why=why, rules=("VAIA-ACT-8", "VAIA-CEL-3", "VAIA-CEL-5", *rules))
    game.end(depth, "close")


# Stress


def gain_stress(game: Game, who: Id, track: str, amount: int, rules: tuple[str, ...]) -> bool:
    """Adds Stress to a track of 0 to 10 (VAIA-STR-5); whether it is full."""
    record = game.edit(who)
    value = min(10, getattr(record, track) + amount)
    setattr(record, track, value)
    game.log("stress", who=who, track=track, amount=amount, value=value, rules=(*rules, "VAIA-STR-5"))
    return bool(value == 10)


def burn_out(game: Game, who: Id, tracks: tuple[str, ...]) -> None:
    """VAIA-STR-6: what full tracks bring: Physical, then Mental, then Vocal."""
    for track in ("physical", "mental", "vocal"):
        if track not in tracks or getattr(game.records[who], track) < 10:
            continue
        record = game.edit(who)
        setattr(record, track, 9)
        rule = {"physical": "VAIA-STR-7", "mental": "VAIA-STR-8", "vocal": "VAIA-STR-9"}[track]
        game.log("burnout", who=who, track=track, rules=("VAIA-STR-6", rule))
        if track == "physical":
            record.exhausted = True
            lose_hp(game, who, game.table.characters[who].max_hp // 5, "burnout", (rule,))
        elif track == "mental" and record.hp > 0:
            record.hp = 0
            game.log("loses_hp", who=who, amount=None, hp=0, cause="burnout", rules=(rule,))
            note_vulnerable(game, who)
        elif track == "vocal":
            record.mute = True


# Items


def wear(game: Game, who: Id, item: Id, amount: int, rules: tuple[str, ...]) -> None:
    """Takes durability from an item."""
    record = game.edit(who)
    record.items = tuple(Carried(each.id, each.durability - amount) if each.id == item else each for each in record.items)
    left = next(each.durability for each in record.items if each.id == item)
    game.log("wears", who=who, item=item, amount=amount, left=left, rules=rules)


def destroy(game: Game, who: Id, items: tuple[Id, ...], rules: tuple[str, ...]) -> None:
    """VAIA-DUR-5: destroyed is what has 0 or less, or less than 0 under the policy; salvage by policy (VAIA-DUR-8)."""
    record: CharacterRecord = game.records[who]
    least = 0 if game.policy["zero_durability"] == "kept" else 1
    gone = tuple(each.id for each in record.items if each.id in items and each.durability < least)
    if not gone:
        return
    record = game.edit(who)
    record.items = tuple(each for each in record.items if each.id not in gone)
    for item in gone:
        lies = record.at if game.policy["salvage"] == "salvageable" else ""
        game.log("destroyed", who=who, item=item, lies=lies, rules=("VAIA-DUR-5", "VAIA-DUR-8", *rules))


# Conditions


def give_condition(game: Game, who: Id, verb: str, amount: int, rules: tuple[str, ...]) -> None:
    """Lays bleed, hemorrhage, stunned or slowed on a character; `amount` of slowed is the divisor."""
    record = game.edit(who)
    if verb == "slowed":
        record.slowed = min(amount, record.slowed or amount)
    else:
        setattr(record, verb, getattr(record, verb) + amount)
    game.log("condition", who=who, condition=verb, amount=amount, total=getattr(record, verb), rules=rules)


def exsanguinate(game: Game, who: Id, *, half: bool) -> int:
    """VAIA-COND-3: all counters go at once; what they cost is returned."""
    record = game.edit(who)
    amount = 2 * record.bleed + 5 * record.hemorrhage
    record.bleed = record.hemorrhage = 0
    amount = amount // 2 if half else amount
    lose_hp(game, who, amount, "exsanguination", ("VAIA-COND-3", "VAIA-DMG-4"))
    return int(amount)


# The end, and leaving


def announce_end(game: Game, winner: str | None, reason: str, *rules: str) -> None:
    """Says who has won, or that nobody has, and ends the encounter."""
    game.log("ends", winner=winner, reason=reason, rules=rules)
    game.finish(winner, reason)


def end_if_decided(game: Game) -> None:
    """VAIA-END-4: one side only has anyone standing, and wins; if all have fallen it is a draw (VAIA-END-5)."""
    if game.result is not None:
        return
    winner = ""
    for who, side in game.table.side.items():
        if side != winner and game.records[who].standing:
            if winner:
                return
            winner = side
    lurking = [who for who in in_hiding(game, game.table.figures) if game.table.side[who] != winner]
    if lurking:
        for who in lurking:
            come_out(game, who, "alone", ("VAIA-HIDE-8",))
        end_if_decided(game)
    elif winner:
        announce_end(game, winner, "last_standing", "VAIA-END-4")
    else:
        announce_end(game, None, "all_fallen", "VAIA-END-5")


def concede(game: Game, seat: str) -> Concession:
    """The frame by which a side leaves."""
    return Concession(game.seats[seat].side)


def conceded(game: Game, seat: str) -> bool:
    """Whether the side of a seat has left already."""
    return all(game.records[who].out not in ("", HIDDEN) for who in game.seats[seat].figures)


@steps("leave", "go_on")
class Concession(Frame):
    """A side gives up, whoever is asked (VAIA-END-8)."""

    side: str

    @cites("VAIA-END-8")
    def leave(concession, game: Game) -> None:
        table: Table = game.table
        for who in in_hiding(game, table.sides[concession.side]):
            come_out(game, who, "leaves", ("VAIA-HIDE-8",))
        leaving = tuple(who for who in table.sides[concession.side] if not game.records[who].out)
        game.log("concedes", side=concession.side, figures=leaving)
        for depth, frame in enumerate(game.agenda):
            # Whoever was asked in a window is gone: the window finds the next.
            if isinstance(frame, Window) and frame.pc == frame.NAMES["ask"] and frame.order[frame.place] in leaving:
                game.edit_frame(depth).pc = frame.NAMES["find_next"]
        for who in leaving:
            record = game.edit(who)
            record.out = "left"
            record.items = ()
            record.slots = 0
            interrupt_all(game, who)
        order = game.edit("order")
        order.who = tuple(who for who in order.who if who not in leaving)

    @cites("VAIA-END-4")
    def go_on(concession, game: Game) -> None:
        end_if_decided(game)
