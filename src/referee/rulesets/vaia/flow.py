"""The course of an encounter, top to bottom: order, Full Rounds, active phases, Upkeep, the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ...dice import D20
from ...engine import Choice, Frame, Game, Id, Offer, Reason, Refusal, Roll, Value, cites, come_out, in_hiding, legal, steps
from .actions import Action
from .checks import is_final, shares
from .consequences import announce_end, end_if_decided, lose_hp
from .requirements import targets, unaffordable, untargeted
from .sheets import ActionSheet

if TYPE_CHECKING:
    from .setup import Table

END: Final = Offer("end", "end", rules=("VAIA-TURN-5",))


@steps(
    "announce", "roll_order", "note_roll", "settle_order",
    "begin_round", "next_phase",
    "begin_upkeep", "bleed", "weary", "end_upkeep", "end_round",
)  # fmt: skip
class Skirmish(Frame):
    """The whole encounter."""

    rolls: tuple[int, ...] = ()
    left: tuple[Id, ...] = ()  # whose phase of this round is still to come
    stood: tuple[tuple[str, int, int], ...] = ()  # the shares at the start of Upkeep

    @cites("VAIA-TURN-1", "VAIA-HIDE-1")
    def announce(skirmish, game: Game) -> None:
        table: Table = game.table
        game.log("opens", scenario=table.scenario.id, sides=tuple(table.sides.items()))
        for who in table.figures:
            record = game.records[who]
            game.log("seated", who=who, at=record.at, hp=record.hp, rules=("VAIA-CHAR-2",))
            if record.out:
                game.log("lurks", who=who, at=record.at, rules=("VAIA-HIDE-6",))
        if table.scenario.traps:
            game.log(
                "traps", kinds=game.records["traps"].kinds, tiles=table.scenario.possible_tiles, hidden=table.hidden_traps,
                rules=("VAIA-MOVE-4", "VAIA-HIDE-2", "VAIA-HIDE-3"),
            )  # fmt: skip
        skirmish.pass_over(game)

    def roll_order(skirmish, game: Game) -> Roll:
        return Roll("order", D20, game.table.figures[len(skirmish.rolls)])

    @cites("VAIA-TURN-2")
    def note_roll(skirmish, game: Game, roll: int) -> None:
        table: Table = game.table
        who = table.figures[len(skirmish.rolls)]
        value = roll + table.characters[who].awareness
        skirmish.rolls = (*skirmish.rolls, value)
        game.log("rolled_for_order", who=who, roll=roll, value=value)
        skirmish.pass_over(game)
        if len(skirmish.rolls) < len(table.figures):
            skirmish.go("roll_order")

    def pass_over(skirmish, game: Game) -> None:
        """Whoever hides rolls nothing (VAIA-HIDE-6), and would come last."""
        figures = game.table.figures
        while len(skirmish.rolls) < len(figures) and figures[len(skirmish.rolls)] in game.unseen:
            skirmish.rolls = (*skirmish.rolls, -100)

    @cites("VAIA-TURN-2", "VAIA-TURN-3")
    def settle_order(skirmish, game: Game) -> None:
        table: Table = game.table
        rolls = dict(zip(table.figures, skirmish.rolls, strict=True))
        # Sorting keeps lower seat numbers first among equals.
        order = sorted(
            (who for who in table.figures if not game.records[who].out),
            key=lambda who: (-rolls[who], -table.characters[who].awareness),
        )
        game.edit("order").who = tuple(order)
        skirmish.rolls = ()
        game.log("order", who=tuple(order))

    @cites("VAIA-TURN-4")
    def begin_round(skirmish, game: Game) -> None:
        game.round += 1
        skirmish.left = game.records["order"].who
        game.log("round", number=game.round)

    def next_phase(skirmish, game: Game) -> Frame | None:
        left = list(skirmish.left)
        while left:
            who = left.pop(0)
            if game.records[who].standing:
                skirmish.left = tuple(left)
                skirmish.go("next_phase")
                return Phase(who)
        skirmish.left = ()
        return None

    @cites("VAIA-TURN-8", "VAIA-TURN-6")
    def begin_upkeep(skirmish, game: Game) -> None:
        skirmish.stood = shares(game)
        game.log("upkeep", round=game.round)
        for who in game.table.figures:
            record = game.records[who]
            if record.out:
                continue
            if record.slots or record.acted:
                changed = game.edit(who)
                changed.acted = False
                if record.slots:
                    game.log("reserved_lost", who=who, slots=record.slots)
                    changed.slots = 0

    @cites("VAIA-COND-1", "VAIA-COND-2")
    def bleed(skirmish, game: Game) -> None:
        for who in game.table.figures:
            record = game.records[who]
            if record.out:
                continue
            if record.bleed:
                gone = max(1, record.bleed // 2)
                bleeding(game, who, "bleed", record.bleed, gone, "VAIA-COND-1")
            if record.hemorrhage:
                bleeding(game, who, "hemorrhage", 3 * record.hemorrhage, 1, "VAIA-COND-2")

    @cites("VAIA-END-6")
    def weary(skirmish, game: Game) -> None:
        begins = game.policy["weariness_from"]
        if begins and game.round >= begins:
            for who, sheet in game.table.characters.items():
                if game.records[who].standing:
                    lose_hp(game, who, -(-sheet.max_hp // 10), "weariness", ())

    @cites("VAIA-TURN-8")
    def end_upkeep(skirmish, game: Game) -> None:
        stood, skirmish.stood = skirmish.stood, ()
        if game.unseen and not any(game.records[who].standing for who in game.table.figures):
            for who in in_hiding(game, game.table.figures):
                come_out(game, who, "alone", ("VAIA-HIDE-8",))
        if any(game.records[who].standing for who in game.table.figures):
            end_if_decided(game)
            return
        # VAIA-END-5: the last sides fell together.
        winner = ahead(stood)
        announce_end(game, winner, "fell_together" if winner else "all_fallen", "VAIA-END-5", "VAIA-END-4")

    @cites("VAIA-END-7")
    def end_round(skirmish, game: Game) -> None:
        if game.result is not None:
            return
        if game.round < game.policy["round_limit"]:
            skirmish.go("begin_round")
            return
        for who in in_hiding(game, game.table.figures):
            come_out(game, who, "end", ("VAIA-HIDE-8",))
        announce_end(game, ahead(shares(game)), "round_limit")


def bleeding(game: Game, who: Id, kind: str, amount: int, gone: int, rule: str) -> None:
    """Damage by a condition, which ignores mitigation; then counters go."""
    lose_hp(game, who, amount, kind, (rule, "VAIA-DMG-4"))
    record = game.edit(who)
    setattr(record, kind, getattr(record, kind) - gone)
    game.log("counters_go", who=who, condition=kind, gone=gone, left=getattr(record, kind), rules=(rule,))


def ahead(counted: tuple[tuple[str, int, int], ...]) -> str | None:
    """The side with the highest share of its HP; none if two are equal."""
    best = max(counted, key=lambda each: each[1] / each[2])
    equal = [side for side, hp, most in counted if hp * best[2] == best[1] * most]
    return equal[0] if len(equal) == 1 else None


def _refuse(game: Game, choice: Choice) -> Iterator[Refusal]:
    """Why each action of the sheet cannot be activated now."""
    for sheet in game.table.characters[choice.who].actions:
        reasons = tuple(barred(game, choice.who, sheet))
        if reasons:
            yield Refusal((sheet.id,), reasons, sheet.kind)
        elif sheet.by_slots:
            slots = game.records[choice.who].slots
            yield Refusal(("move", slots + 1), (Reason("slots", (slots + 1, slots), ("VAIA-CEL-6", "VAIA-MOVE-2")),), "move")


def barred(game: Game, who: Id, sheet: ActionSheet) -> Iterator[Reason]:
    """Why an action cannot be activated in the own active phase (VAIA-ACT-1)."""
    when = sheet.when
    if sheet.kind == "rider":
        yield Reason("only_riding", (str(when and when.at),), ("VAIA-RID-1",))
    elif sheet.kind == "trigger":
        yield Reason("only_triggered", (str(when and when.at),), ("VAIA-TRG-1",))
    elif sheet.kind == "response":
        yield Reason("only_answering", (str(when and when.event),), ("VAIA-RSP-1", "VAIA-RSP-2"))
    yield from unaffordable(game, who, sheet)
    if sheet.kind == "plain":
        yield from untargeted(game, who, sheet)


@steps("begin", "ask", "activate", "test_end", "finish")
class Phase(Frame):
    """One active phase: slots, actions as long as the character wishes and can pay, Reserved Slots."""

    who: Id

    @cites("VAIA-TURN-4")
    def begin(phase, game: Game) -> None:
        sheet = game.table.characters[phase.who]
        record = game.edit(phase.who)
        record.acted = True
        record.used = ()
        slots = gained = sheet.slots
        if record.slowed:
            lost = gained // record.slowed
            slots -= lost
            game.log("slots_lost", who=phase.who, lost=lost, condition="slowed", rules=("VAIA-COND-4",))
            record.slowed = 0
        if record.stunned:
            lost = min(record.stunned, slots)
            slots -= lost
            record.stunned -= lost
            game.log("slots_lost", who=phase.who, lost=lost, condition="stunned", rules=("VAIA-COND-4",))
        record.slots = slots
        game.log("phase", who=phase.who, slots=slots)

    def ask(phase, game: Game) -> Choice | None:
        who = phase.who
        record = game.records[who]
        if not record.standing:
            phase.go("finish")
            return None
        table: Table = game.table
        offers: list[Offer] = []
        slots = record.slots
        used = record.used
        aimed: dict[tuple[str, int], Sequence[Id]] = {("none", 0): ("",)}
        for sheet, made in table.plain[who]:
            # The commonest reasons come first; `unaffordable` gives all of them.
            if sheet.celerity > slots or sheet.id in used:
                continue
            if sheet.more_than_slots and not legal(unaffordable(game, who, sheet, who)):
                continue
            if sheet.by_slots:
                offers += table.move_offers[1 : slots + 1]
                continue
            found = aimed.get(sheet.aim)
            if found is None:
                found = aimed[sheet.aim] = targets(game, who, sheet)
            if found:
                offers += [made[target] for target in found] if made else table.reaction_offers(game, who, sheet, found)
        offers.append(END)
        return Choice(game.seat_of[who], "phase", tuple(offers), who, refuse=_refuse)

    @cites("VAIA-TURN-5")
    def activate(phase, game: Game, answer: Value) -> Frame | None:
        if answer == "end":
            phase.go("finish")
            return None
        assert isinstance(answer, tuple)
        table: Table = game.table
        sheet: ActionSheet = table.actions[str(answer[0])]
        if sheet.by_slots:
            return Action(actor=phase.who, card=sheet.id, slots=int(answer[1]))  # type: ignore[arg-type]
        target = str(answer[1]) if sheet.whom != "none" else ""
        return Action(actor=phase.who, card=sheet.id, target=target, item=table.item_in(phase.who, sheet, answer))

    @cites("VAIA-END-4")
    def test_end(phase, game: Game) -> None:
        end_if_decided(game)
        phase.go("ask")

    @cites("VAIA-TURN-5", "VAIA-TURN-7")
    def finish(phase, game: Game) -> None:
        record = game.edit(phase.who)
        # What may be used outside the own phase stays spent until the next one.
        if record.used:
            actions = game.table.actions
            record.used = tuple(each for each in record.used if actions[each].reserved)
        if is_final(game, phase.who):
            if record.slots:
                game.log("slots_discarded", who=phase.who, slots=record.slots, rules=("VAIA-TURN-7",))
            record.slots = 0
        else:
            game.log("phase_ends", who=phase.who, reserved=record.slots)
