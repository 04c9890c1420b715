"""Phase 4: Speed and what it is spent on, completed actions, interrupting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine import Choice, Frame, Game, Id, Offer, Reason, Refusal, Value, cites, legal, steps
from .checks import (
    avatar,
    cannot_advance,
    cannot_do_basic,
    cannot_interrupt,
    cannot_step,
    cannot_stop,
    current,
    electra_for,
    free_beside,
    interrupt_cost,
    least_invocation,
    met,
    modifiers,
    needed_lines,
    payable,
    payments,
    short_of,
    standing_on,
    techniques,
)
from .consequences import Failure, invoke, leave_play
from .deploying import put_into_play
from .effects import Enact
from .records import AvatarRecord, TechniqueRecord

if TYPE_CHECKING:
    from .sheets import ActionSheet, Table

STOP = Offer("stop", "stop", rules=("MOR-ADV-15",))
FALL = Offer("fall", "owed", cost=((1, "speed"),), rules=("MOR-BASIC-6",))
READY = Offer("ready", "owed", cost=((1, "speed"),), rules=("MOR-BASIC-4",))
ALTERNATE_READY = Offer("alternate_ready", "owed", cost=((1, "speed"),), rules=("MOR-BASIC-5",))
OWED = {"fall": FALL, "ready": READY, "alternate_ready": ALTERNATE_READY}


def invocations(game: Game, choice: Choice) -> Iterator[Refusal]:
    """The numbers of points next to those on offer, and why they are not."""
    who = choice.who
    record = avatar(game, who)
    least = least_invocation(game, who)
    always = 0 if record.speed or not record.electra_pool else 1
    for points in range(least):
        if points < always:
            reason = Reason("must_invoke", (always,), ("MOR-ADV-3",))
        else:
            reason = Reason("drive_invokes", (least,), ("MOR-INERT-6",))
        yield Refusal(("invoke", points), (reason,), "invoke")
    pool = record.electra_pool
    yield Refusal(("invoke", pool + 1), (Reason("pool", ("electra", pool), ("MOR-ADV-2", "MOR-ADV-4")),), "invoke")


def basic_refusals(game: Game, choice: Choice) -> Iterator[Refusal]:
    """What an avatar might want to spend Speed on, and may not."""
    who = choice.who
    table: Table = game.table
    record = avatar(game, who)
    reasons = tuple(cannot_step(game, who))
    free = free_beside(game, record.at)
    for cell in table.grid.neighbours(record.at):
        if cell not in free:
            other = standing_on(game, cell) or ""
            yield Refusal(("step", cell), (*reasons, Reason("taken", (cell, other), ("MOR-MAP-2",))), "basic")
        elif reasons:
            yield Refusal(("step", cell), reasons, "basic")
    barred = tuple(cannot_do_basic(game, who))
    for held in record.artifacts:
        if held.utilised and held.readies and barred:
            yield Refusal(("ready", held.id), barred, "basic")
        elif not held.utilised:
            yield Refusal(("ready", held.id), (Reason("not_utilised", (held.id,), ("MOR-CARD-5",)), *barred), "basic")
    for artifact in lying_here(game, who):
        reasons = (*barred, *hands_full(game, who, artifact))
        if reasons:
            yield Refusal(("pick_up", artifact), reasons, "basic")
    for place, slot in enumerate(table.slots[who]):
        technique = game.records[slot]
        if technique.card and (barred := tuple(cannot_advance(game, who, technique))):
            yield Refusal(("tick", place + 1), barred, "tick")
    stopping = tuple(cannot_stop(game, who))
    if stopping:
        yield Refusal("stop", stopping, "stop")
    for technique in techniques(game, who):
        if game.policy["interrupt_when"] == "before_failure":
            reason = Reason("only_before_failure", (technique.card,), ("MOR-INERT-3",))
            yield Refusal(("interrupt", technique.card), (reason,), "interrupt")
        elif record.debts:
            reason = Reason("owed_first", (record.debts[0],), ("MOR-INERT-3", "MOR-BASIC-7"))
            yield Refusal(("interrupt", technique.card), (reason,), "interrupt")
        elif reasons := tuple(cannot_interrupt(game, who, technique)):
            yield Refusal(("interrupt", technique.card), reasons, "interrupt")


def lying_here(game: Game, who: Id) -> list[Id]:
    """The artifacts on an avatar's square, one of each kind."""
    lying = game.records["ground"].lying
    at = game.records[who].at
    # Two of a kind may lie there: one of them at a time is on offer.
    return list(dict.fromkeys(artifact for cell, artifact in lying if cell == at)) if lying else []


def hands_full(game: Game, who: Id, artifact: Id) -> Iterator[Reason]:
    """Why an artifact cannot be picked up: there is one weapon to an avatar (MOR-WEAP-7)."""
    if game.table.artifacts[artifact].weapon:
        for held in avatar(game, who).artifacts:
            if game.table.artifacts[held.id].weapon:
                yield Reason("one_weapon", (held.id,), ("MOR-WEAP-7",))


def interrupt_offer(game: Game, technique: TechniqueRecord) -> Offer:
    """Interrupting a technique, with what it costs (MOR-INERT-2, MOR-INERT-3)."""
    cost = interrupt_cost(game, technique)
    return Offer(("interrupt", technique.card), "interrupt", cost=((cost, "speed"),), rules=("MOR-INERT-3", "MOR-INERT-2"))


def reveal_tick(game: Game, who: Id, slot: Id) -> Frame | None:
    """One TimeTick of a technique (MOR-ADV-7); an action that it completes is settled at once (MOR-ADV-8)."""
    game.edit(who).speed -= 1
    technique = game.edit(slot)
    technique.ticks += 1
    if technique.drive:
        technique.drive -= 1
    action = current(game, technique)
    complete = technique.ticks == action.ticks
    if game.events is not None:
        game.log(
            "tick", who=who, card=technique.card, action=action.name, ticks=technique.ticks, of=action.ticks,
            rules=("MOR-ADV-5", "MOR-ADV-7", "MOR-ADV-8") if complete else ("MOR-ADV-5", "MOR-ADV-7"),
        )  # fmt: skip
    return Completion(who, slot) if complete else None


GO_ON = Offer("fail", "fail", rules=("MOR-FAIL-1",))


@steps("examine", "ask_interrupt", "interrupt_or_fail", "pay", "go_on")
class Completion(Frame):
    """A completed action: its check, the interrupt before it fails, its effects, its state, the next action."""

    who: Id
    slot: Id

    def examine(completion, game: Game) -> None:
        technique = game.records[completion.slot]
        action = current(game, technique)
        if legal(short_of(game, completion.who, technique, action)) and legal(met(game, completion.who, technique, action)):
            completion.go("pay")
            return
        for reason in (*short_of(game, completion.who, technique, action), *met(game, completion.who, technique, action)):
            rules = ("MOR-CHK-2", *reason.rules) if reason.key == "call_unpaid" else reason.rules
            game.log("falls_short", who=completion.who, card=technique.card, reason=reason.key, facts=reason.facts, rules=rules)
        if not legal(cannot_interrupt(game, completion.who, technique)):
            cost = interrupt_cost(game, technique)
            game.log("cannot_interrupt", who=completion.who, card=technique.card, cost=cost, rules=("MOR-INERT-2", "MOR-INERT-1"))

    def ask_interrupt(completion, game: Game) -> Choice:
        technique = game.records[completion.slot]
        offers = [GO_ON]
        if legal(cannot_interrupt(game, completion.who, technique)):
            offers.insert(0, interrupt_offer(game, technique))
        return Choice(completion.who, "interrupt", tuple(offers), completion.who, facts=(technique.card,))

    @cites("MOR-ADV-11")
    def interrupt_or_fail(completion, game: Game, answer: Value) -> Frame:
        completion.done()
        if answer != "fail":
            return Interruption(completion.who, completion.slot)
        technique = game.records[completion.slot]
        action = current(game, technique)
        due = payments(game, completion.who, technique, action)
        record = avatar(game, completion.who)
        if payable(record, due) and game.policy["unmet_condition_spends"]:
            charge(game, completion.who, due)
            for (_, points), called in zip(due, action.calls, strict=True):
                game.log("points_lost", who=completion.who, action=called.name, points=points, of=called.of)
        unmet = not legal(met(game, completion.who, technique, action))
        return Failure(completion.who, completion.slot, ("MOR-ADV-11",) if unmet else ("MOR-FAIL-1",))

    @cites("MOR-CHK-9")
    def pay(completion, game: Game) -> Frame | None:
        who = completion.who
        technique = game.records[completion.slot]
        action = current(game, technique)
        due = payments(game, who, technique, action)
        rules = _rules_of(game, who, technique, action) if game.events is not None else ()
        record = charge(game, who, due)
        if game.events is not None:
            for (pool, points), called in zip(due, action.calls, strict=True):
                game.log(
                    "check", who=who, card=technique.card, action=called.name, points=points, of=called.of,
                    left=getattr(record, pool), rules=rules,
                )  # fmt: skip
        if action.effect is None and not action.attack:
            return None
        return Enact(who, technique.id, technique.card, technique.action)

    def go_on(completion, game: Game, enact: Enact | None) -> None:
        if enact is not None and enact.failed:
            return
        technique = game.edit(completion.slot)
        sheet = game.table.techniques[technique.card]
        _begin_state(game, completion.who, technique, sheet.actions[technique.action])
        technique.action += 1
        technique.ticks = 0
        if technique.action < len(sheet.actions):
            game.log(
                "next_action",
                who=completion.who,
                card=technique.card,
                action=sheet.actions[technique.action].name,
                rules=("MOR-ADV-13",),
            )
            return
        game.log("enacted", who=completion.who, card=technique.card, rules=("MOR-ADV-14",))
        record = game.edit(completion.who)
        record.aside = (*record.aside, technique.card)
        leave_play(game, completion.slot)
        if game.policy["redeploy"] == "at_once":
            depth = game.find(game.frame_classes["Turn"])
            if depth >= 0:
                turn = game.edit_frame(depth)
                turn.enacted = True  # type: ignore[attr-defined]


def _begin_state(game: Game, who: Id, technique: TechniqueRecord, action: ActionSheet) -> None:
    """The state that an enacted action begins (MOR-STATE-1, MOR-STATE-2)."""
    if action.state:
        rules = ("MOR-STATE-1", "MOR-STATE-2", *(("MOR-STATE-6",) if technique.states else ()))
        technique.states = tuple(sorted((*technique.states, *action.state)))
        game.log("state", who=who, card=technique.card, states=action.state, rules=rules)


def _rules_of(game: Game, who: Id, technique: TechniqueRecord, action: ActionSheet) -> tuple[str, ...]:
    """The rules that made the points of a check what they are."""
    lines = [line for place in range(len(action.calls)) for line in needed_lines(game, who, technique, action, place)]
    rules = [line[2] for line in lines]
    if len(action.calls) > 1:
        rules.append("MOR-CHK-10")
    if not any(True for called in action.calls for _ in modifiers(game, who, called.derived, technique.states)):
        rules.append("MOR-MOD-9")
    if any(called.x != 1 for called in action.calls) or len(lines) > 1:
        rules.append("MOR-CHK-8")
    if technique.states:
        rules += ["MOR-STATE-6", "MOR-STATE-7"]
    if any(called.of == "electra" for called in action.calls):
        rules.append("MOR-CHK-7")
    if any(called.name in _NAMED for called in action.calls):
        rules.append("MOR-CHK-6")
    return tuple(dict.fromkeys(rules))


_NAMED = frozenset(("draw", "direct", "jump", "spin", "kick"))
"""The derived attributes whose paying attribute MOR-CHK-6 names."""


def charge(game: Game, who: Id, due: list[tuple[str, int]]) -> AvatarRecord:
    """Takes the points out of the pools; the avatar's record."""
    record: AvatarRecord = game.edit(who)
    for pool, points in due:
        setattr(record, pool, getattr(record, pool) - points)
    return record


@steps("interrupt")
class Interruption(Frame):
    """A technique is given up before it fails, against its inertia."""

    who: Id
    slot: Id

    @cites("MOR-INERT-2", "MOR-INERT-4")
    def interrupt(interruption, game: Game) -> None:
        who = interruption.who
        technique = game.records[interruption.slot]
        cost = interrupt_cost(game, technique)
        points = electra_for(game, who, cost) or 0
        record = invoke(game, who, points)
        record.speed -= cost
        record.aside = (*record.aside, technique.card)
        game.log("interrupts", who=who, card=technique.card, cost=cost, electra=points, speed=record.speed)
        leave_play(game, interruption.slot)


@steps("deploy")
class DeployAtOnce(Frame):
    """Policy redeploy at_once: another card may be deployed with the Speed left (MOR-ADV-14)."""

    who: Id
    card: Id

    @cites("MOR-ADV-14")
    def deploy(at_once, game: Game) -> None:
        put_into_play(game, at_once.who, at_once.card)
