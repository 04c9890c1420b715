"""Phase 4: Speed and what it is spent on, completed actions, Basic Actions, interrupting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine import Choice, Frame, Game, Id, Offer, Reason, Refusal, Value, cites, legal, steps
from .checks import (
    avatar,
    cannot_do_basic,
    cannot_interrupt,
    cannot_step,
    cannot_stop,
    current,
    drive_left,
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
    step_cost,
    stride_lines,
    techniques,
)
from .consequences import Failure, invoke, leave_play
from .effects import Enact
from .records import Held, TechniqueRecord

if TYPE_CHECKING:
    from .sheets import ActionSheet, Table

STOP = Offer("stop", "stop", rules=("MOR-ADV-15",))
FALL = Offer("fall", "owed", cost=((1, "speed"),), rules=("MOR-BASIC-6",))
READY = Offer("ready", "owed", cost=((1, "speed"),), rules=("MOR-BASIC-4",))
ALTERNATE_READY = Offer("alternate_ready", "owed", cost=((1, "speed"),), rules=("MOR-BASIC-5",))
OWED = {"fall": FALL, "ready": READY, "alternate_ready": ALTERNATE_READY}


def _invocations(game: Game, choice: Choice) -> Iterator[Refusal]:
    who = choice.who
    least = least_invocation(game, who)
    for points in range(least):
        driven = drive_left(game, who) and points
        reason = Reason("driven", (), ("MOR-INERT-6",)) if driven else Reason("must_invoke", (least,), ("MOR-ADV-3",))
        yield Refusal(("invoke", points), (reason,), "invoke")
    pool = avatar(game, who).electra_pool
    yield Refusal(("invoke", pool + 1), (Reason("pool", ("electra", pool), ("MOR-ADV-2", "MOR-ADV-4")),), "invoke")


def _basic_refusals(game: Game, choice: Choice) -> Iterator[Refusal]:
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
    for artifact in _lying_here(game, who):
        reasons = (*barred, *_hands_full(game, who, artifact))
        if reasons:
            yield Refusal(("pick_up", artifact), reasons, "basic")
    if record.debts:
        for place, technique in enumerate(game.table.slots[who]):
            if game.records[technique].card:
                reason = Reason("owed_first", (record.debts[0],), ("MOR-BASIC-7", "MOR-FAIL-4"))
                yield Refusal(("tick", place + 1), (reason,), "tick")
    stopping = tuple(cannot_stop(game, who))
    if stopping:
        yield Refusal("stop", stopping, "stop")
    for technique in techniques(game, who):
        if game.policy["interrupt_when"] == "before_failure":
            reason = Reason("only_before_failure", (technique.card,), ("MOR-INERT-3",))
            yield Refusal(("interrupt", technique.card), (reason,), "interrupt")
        elif reasons := tuple(cannot_interrupt(game, who, technique)):
            yield Refusal(("interrupt", technique.card), reasons, "interrupt")


def _lying_here(game: Game, who: Id) -> list[Id]:
    at = game.records[who].at
    return [artifact for cell, artifact in game.records["ground"].lying if cell == at]


def _hands_full(game: Game, who: Id, artifact: Id) -> Iterator[Reason]:
    if game.table.artifacts[artifact].weapon:
        for held in avatar(game, who).artifacts:
            if game.table.artifacts[held.id].weapon:
                yield Reason("one_weapon", (held.id,), ("MOR-WEAP-7",))


@steps("begin", "ask_speed", "take_speed", "ask_spending", "spend", "close")
class Advance(Frame):
    """Phase 4 of an avatar's turn."""

    who: Id
    enacted: bool = False

    @cites("MOR-ATK-4", "MOR-INERT-6")
    def begin(advance, game: Game) -> None:
        record = avatar(game, advance.who)
        if record.counter:
            game.edit(advance.who).counter = ()
            game.log("counter_ends", who=advance.who)
        if not record.debts:
            for technique in techniques(game, advance.who):
                inertia = current(game, technique).inertia
                if technique.in_progress and inertia:
                    game.edit(technique.id).drive = inertia
                    game.log("driven", who=advance.who, card=technique.card, ticks=inertia)

    def ask_speed(advance, game: Game) -> Choice:
        pool = avatar(game, advance.who).electra_pool
        least = least_invocation(game, advance.who)
        offers = game.table.invoke_offers[least : pool + 1]
        return Choice(advance.who, "speed", offers, advance.who, form="number", refuse=_invocations)

    @cites("MOR-ADV-2", "MOR-ADV-3")
    def take_speed(advance, game: Game, answer: Value) -> None:
        points = int(answer[1])  # type: ignore[index, arg-type]
        if points:
            rules = ("MOR-ADV-4",) if avatar(game, advance.who).invoked else ()
            invoke(game, advance.who, points)
            record = avatar(game, advance.who)
            game.log("invokes", who=advance.who, points=points, speed=record.speed, left=record.electra_pool, rules=rules)

    def ask_spending(advance, game: Game) -> Choice | None:
        who = advance.who
        record = avatar(game, who)
        if not record.speed:
            advance.go("close")
            return None
        if record.debts:
            return Choice(who, "spend", (OWED[record.debts[0]], STOP), who, refuse=_basic_refusals)
        table: Table = game.table
        offers: list[Offer] = []
        slots = table.slots[who]
        records = game.records
        in_play = [records[slot] for slot in slots if records[slot].card]
        for technique in in_play:
            offers.append(table.tick_offers[slots.index(technique.id)])
        if legal(cannot_step(game, who)):
            offers += [table.step_offers[cell] for cell in free_beside(game, record.at)]
        if legal(cannot_do_basic(game, who)):
            offers += [table.ready_offers[held.id] for held in record.artifacts if held.utilised and held.readies]
            offers += [
                table.pick_up_offers[artifact] for artifact in _lying_here(game, who) if legal(_hands_full(game, who, artifact))
            ]
        if game.policy["interrupt_when"] == "any_tick":
            for technique in in_play:
                if legal(cannot_interrupt(game, who, technique)):
                    cost = interrupt_cost(game, technique)
                    offers.append(
                        Offer(("interrupt", technique.card), "interrupt", cost=((cost, "speed"),), rules=("MOR-INERT-3",))
                    )
        if advance.enacted and len(in_play) < len(slots):
            offers += [table.deploy_offers[card] for card in record.hand]
        if legal(cannot_stop(game, who)):
            offers.append(STOP)
        return Choice(who, "spend", tuple(offers), who, refuse=_basic_refusals)

    @cites("MOR-ADV-15")
    def spend(advance, game: Game, answer: Value) -> Frame | None:
        who = advance.who
        advance.go("ask_spending")
        if answer == "stop":
            waiting = [technique.card for technique in techniques(game, who)]
            game.log("stops", who=who, speed=avatar(game, who).speed, waits=waiting, rules=("MOR-ADV-16",) if waiting else ())
            advance.go("close")
            return None
        if isinstance(answer, str):
            return PayDebt(who, answer)
        verb, what = answer[0], answer[1]  # type: ignore[index]
        if verb == "tick":
            return Tick(who, game.table.slots[who][int(what) - 1])  # type: ignore[arg-type]
        if verb == "step":
            return Step(who, str(what))
        if verb == "ready":
            return Ready(who, str(what))
        if verb == "pick_up":
            return PickUp(who, str(what))
        if verb == "interrupt":
            technique = next(each for each in techniques(game, who) if each.card == what)
            return Interruption(who, technique.id)
        return DeployAtOnce(who, str(what))

    def close(advance, game: Game) -> None:
        for slot in game.table.slots[advance.who]:
            if game.records[slot].drive:
                game.edit(slot).drive = 0


def _interrupt_offer(game: Game, technique: TechniqueRecord) -> Offer:
    cost = interrupt_cost(game, technique)
    return Offer(("interrupt", technique.card), "interrupt", cost=((cost, "speed"),), rules=("MOR-INERT-3", "MOR-INERT-2"))


def _spend_point(game: Game, who: Id) -> None:
    game.edit(who).speed -= 1


@steps("reveal", "complete")
class Tick(Frame):
    """One TimeTick of a technique is revealed (MOR-ADV-7); a completed action is settled at once."""

    who: Id
    slot: Id

    @cites("MOR-ADV-5", "MOR-ADV-7")
    def reveal(tick, game: Game) -> None:
        _spend_point(game, tick.who)
        technique = game.edit(tick.slot)
        technique.ticks += 1
        if technique.drive:
            technique.drive -= 1
        action = current(game, technique)
        game.log(
            "tick", who=tick.who, card=technique.card, action=action.name, ticks=technique.ticks, of=action.ticks,
            rules=("MOR-ADV-8",) if technique.ticks == action.ticks else (),
        )  # fmt: skip

    @cites("MOR-ADV-8")
    def complete(tick, game: Game) -> Frame | None:
        technique = game.records[tick.slot]
        if technique.ticks < current(game, technique).ticks:
            return None
        return Completion(tick.who, tick.slot)


GO_ON = Offer("fail", "fail", rules=("MOR-FAIL-1",))


@steps("examine", "ask_interrupt", "interrupt_or_fail", "pay", "enact", "begin_state", "go_on")
class Completion(Frame):
    """A completed action: its check, the interrupt before it fails, its effects, its state, the next action."""

    who: Id
    slot: Id

    def action(completion, game: Game) -> ActionSheet:
        """The action that was completed."""
        return current(game, game.records[completion.slot])

    @cites("MOR-CHK-2")
    def examine(completion, game: Game) -> None:
        technique = game.records[completion.slot]
        action = current(game, technique)
        if legal(short_of(game, completion.who, technique, action)) and legal(met(game, completion.who, technique, action)):
            completion.go("pay")
            return
        for reason in (*short_of(game, completion.who, technique, action), *met(game, completion.who, technique, action)):
            game.log(
                "falls_short", who=completion.who, card=technique.card, reason=reason.key, facts=reason.facts, rules=reason.rules
            )
        if not legal(cannot_interrupt(game, completion.who, technique)):
            cost = interrupt_cost(game, technique)
            game.log("cannot_interrupt", who=completion.who, card=technique.card, cost=cost, rules=("MOR-INERT-2", "MOR-INERT-1"))

    def ask_interrupt(completion, game: Game) -> Choice:
        technique = game.records[completion.slot]
        offers = [GO_ON]
        if legal(cannot_interrupt(game, completion.who, technique)):
            offers.insert(0, _interrupt_offer(game, technique))
        return Choice(completion.who, "interrupt", tuple(offers), completion.who, facts=(technique.card,))

    @cites("MOR-INERT-3", "MOR-FAIL-1", "MOR-ADV-11")
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
        return Failure(completion.who, completion.slot)

    @cites("MOR-CHK-9")
    def pay(completion, game: Game) -> None:
        who = completion.who
        technique = game.records[completion.slot]
        action = current(game, technique)
        due = payments(game, who, technique, action)
        rules = _rules_of(game, who, technique, action) if game.events is not None else ()
        charge(game, who, due)
        record = avatar(game, who)
        for (pool, points), called in zip(due, action.calls, strict=True):
            game.log(
                "check", who=who, card=technique.card, action=called.name, points=points, of=called.of,
                left=getattr(record, pool), rules=rules,
            )  # fmt: skip

    @cites("MOR-ADV-12")
    def enact(completion, game: Game) -> Frame | None:
        technique = game.records[completion.slot]
        action = current(game, technique)
        if action.effect is None and not action.attack:
            return None
        return Enact(completion.who, technique.id, technique.card, technique.action)

    @cites("MOR-STATE-1", "MOR-STATE-2", "MOR-STATE-6")
    def begin_state(completion, game: Game, enact: Enact | None) -> None:
        if (enact is not None and enact.failed) or not game.records[completion.slot].card:
            completion.done()
            return
        action = completion.action(game)
        if action.state:
            technique = game.edit(completion.slot)
            technique.states = tuple(sorted((*technique.states, *action.state)))
            game.log("state", who=completion.who, card=technique.card, states=action.state)

    @cites("MOR-ADV-13", "MOR-ADV-14")
    def go_on(completion, game: Game) -> None:
        technique = game.edit(completion.slot)
        sheet = game.table.techniques[technique.card]
        technique.action += 1
        technique.ticks = 0
        if technique.action < len(sheet.actions):
            game.log("next_action", who=completion.who, card=technique.card, action=sheet.actions[technique.action].name)
            return
        game.log("enacted", who=completion.who, card=technique.card)
        record = game.edit(completion.who)
        record.aside = (*record.aside, technique.card)
        leave_play(game, completion.slot)
        if game.policy["redeploy"] == "at_once":
            depth = game.find(Advance)
            if depth >= 0:
                advance = game.edit_frame(depth)
                advance.enacted = True  # type: ignore[attr-defined]


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
        rules.append("MOR-STATE-7")
    rules.append("MOR-CHK-7" if any(called.of == "electra" for called in action.calls) else "MOR-CHK-6")
    return tuple(dict.fromkeys(rules))


def charge(game: Game, who: Id, due: list[tuple[str, int]]) -> None:
    """Takes the points out of the pools."""
    record = game.edit(who)
    for pool, points in due:
        setattr(record, pool, getattr(record, pool) - points)


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
        if points:
            invoke(game, who, points)
        record = game.edit(who)
        record.speed -= cost
        record.aside = (*record.aside, technique.card)
        game.log("interrupts", who=who, card=technique.card, cost=cost, electra=points, speed=record.speed)
        leave_play(game, interruption.slot)


@steps("move")
class Step(Frame):
    """A Step to a free square beside."""

    who: Id
    to: str

    @cites("MOR-BASIC-3", "MOR-BASIC-1")
    def move(step, game: Game) -> None:
        points = step_cost(game, step.who)
        lines = stride_lines(game, step.who) if game.events is not None else ()
        rules = dict.fromkeys(line[2] for line in lines)
        _spend_point(game, step.who)
        record = game.edit(step.who)
        record.corpus_pool -= points
        record.stepped += 1
        came, record.at = record.at, step.to
        game.log("steps", who=step.who, to=step.to, came=came, points=points, rules=(*rules, "MOR-BASIC-2"))


@steps("work")
class Ready(Frame):
    """One Ready of a utilised artifact."""

    who: Id
    artifact: Id

    @cites("MOR-BASIC-4")
    def work(ready, game: Game) -> None:
        _spend_point(game, ready.who)
        record = game.edit(ready.who)
        record.artifacts = tuple(
            Held(held.id, True, held.readies - 1) if held.id == ready.artifact else held for held in record.artifacts
        )
        left = next(held.readies for held in record.artifacts if held.id == ready.artifact)
        game.log(
            "readies",
            who=ready.who,
            artifact=ready.artifact,
            left=left,
            rules=("MOR-CARD-5",) if left else ("MOR-CARD-5", "MOR-MOD-4"),
        )


@steps("take")
class PickUp(Frame):
    """Takes an artifact from the own square: utilised, but to be readied."""

    who: Id
    artifact: Id

    @cites("MOR-BASIC-6", "MOR-WEAP-7")
    def take(pick_up, game: Game) -> None:
        _spend_point(game, pick_up.who)
        record = game.edit(pick_up.who)
        ground = game.edit("ground")
        lying = list(ground.lying)
        lying.remove((record.at, pick_up.artifact))
        ground.lying = tuple(lying)
        readies = game.table.artifacts[pick_up.artifact].ready
        record.artifacts = (*record.artifacts, Held(pick_up.artifact, True, readies))
        game.log("picks_up", who=pick_up.who, artifact=pick_up.artifact, readies=readies)


@steps("work")
class PayDebt(Frame):
    """One tick of the Basic Action that is owed first."""

    who: Id
    debt: str

    @cites("MOR-BASIC-7", "MOR-FAIL-7")
    def work(pay, game: Game) -> None:
        _spend_point(game, pay.who)
        record = game.edit(pay.who)
        record.debt_ticks += 1
        needed = 2 if pay.debt == "alternate_ready" else 1
        rules = {"fall": ("MOR-BASIC-6", "MOR-FAIL-9"), "ready": ("MOR-BASIC-4", "MOR-FAIL-9")}.get(pay.debt, ("MOR-BASIC-5",))
        game.log("pays_debt", who=pay.who, debt=pay.debt, ticks=record.debt_ticks, of=needed, rules=rules)
        if record.debt_ticks < needed:
            return
        record.debt_ticks = 0
        record.debts = record.debts[1:]
        if pay.debt == "ready" and record.prone:
            record.prone = False
            game.log("stands", who=pay.who, rules=("MOR-FAIL-9",))


@steps("deploy")
class DeployAtOnce(Frame):
    """Policy redeploy at_once: another card may be deployed with the Speed left (MOR-ADV-14)."""

    who: Id
    card: Id

    @cites("MOR-ADV-14")
    def deploy(at_once, game: Game) -> None:
        from .flow import put_into_play

        put_into_play(game, at_once.who, at_once.card)
