"""Morphyry's numbers: what a call comes to, what Speed is in hand, what cannot be done and why. Nothing changes here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine import Game, Id, Line, Reason, legal, total
from .records import AvatarRecord, TechniqueRecord

if TYPE_CHECKING:
    from .sheets import ActionSheet, Derived, Table


# Who and what


def avatar(game: Game, who: Id) -> AvatarRecord:
    """The avatar's record, to be read."""
    return game.records[who]  # type: ignore[no-any-return]


def techniques(game: Game, who: Id) -> list[TechniqueRecord]:
    """The techniques that an avatar has in play."""
    found = []
    for slot in game.table.slots[who]:
        technique = game.records[slot]
        if technique.card:
            found.append(technique)
    return found


def living(game: Game) -> list[Id]:
    """The avatars on the board, in seat order."""
    return [who for who in game.table.order if not game.records[who].out]


def current(game: Game, technique: TechniqueRecord) -> ActionSheet:
    """The action that is worked on: the first one not completed."""
    return game.table.techniques[technique.card].actions[technique.action]  # type: ignore[no-any-return]


def standing_on(game: Game, cell: str) -> Id | None:
    """Who stands on a square."""
    for who in game.table.order:
        record = game.records[who]
        if record.at == cell and not record.out:
            return str(who)
    return None


def free_beside(game: Game, cell: str) -> list[str]:
    """The free squares beside a square (MOR-MAP-1, MOR-MAP-2)."""
    records = game.records
    free = list(game.table.grid.neighbours(cell))
    for who in game.table.order:
        record = records[who]
        if record.at in free and not record.out:
            free.remove(record.at)
    return free


def weapon_in_hand(game: Game, who: Id) -> Id | None:
    """The ready weapon that an avatar holds."""
    artifacts = game.table.artifacts
    for held in game.records[who].artifacts:
        if held.utilised and held.readies == 0 and artifacts[held.id].weapon:
            return str(held.id)
    return None


def turn_of(game: Game) -> Id:
    """Whose turn it is; empty before the first."""
    depth = game.find(game.frame_classes["Turn"])
    return str(game.agenda[depth].who) if depth >= 0 else ""  # type: ignore[attr-defined]


# Modifiers


def modifiers(game: Game, who: Id, derived: Derived, states: tuple[tuple[str, int], ...] = ()) -> Iterator[Line]:
    """The modifiers of a check or of Speed: artifacts, the square, what spells gave."""
    record = game.records[who]
    if derived.artifacts:
        for held in record.artifacts:
            if held.id in derived.artifacts and held.utilised and held.readies == 0:
                for state, amount, rule in derived.artifacts[held.id]:
                    if not state or any(state == name for name, _ in states):
                        yield amount, held.id, rule
                        # MOR-MOD-8: what takes an artifact's first line takes no other of it.
                        break
    line = derived.squares.get(record.at)
    if line is not None:
        yield line
    for effect in record.effects:
        if derived.takes(effect.applies):
            yield effect.amount, effect.source, "MOR-MOD-10"


def modifier(game: Game, who: Id, derived: Derived) -> int:
    """The sum of the modifiers of a derived attribute that no state touches."""
    record = game.records[who]
    if record.effects or (derived.artifacts and any(held.id in derived.artifacts for held in record.artifacts)):
        return total(modifiers(game, who, derived))
    line = derived.squares.get(record.at)
    return line[0] if line is not None else 0


def speed_after(game: Game, record: AvatarRecord, points: int) -> int:
    """Speed in hand after invoking so many further points of Electra."""
    if not points:
        return record.speed
    speed = record.speed_modifier if record.invoked else modifier(game, record.id, game.table.speed)
    before = max(0, record.invoked + speed) if record.invoked else 0
    return record.speed + max(0, record.invoked + points + speed) - before


def speed_lines(game: Game, who: Id, points: int) -> Iterator[Line]:
    """Speed in hand after invoking so many points, line by line."""
    record = avatar(game, who)
    yield record.invoked + points, "electra", "MOR-ADV-2"
    if record.invoked:
        if record.speed_modifier:
            yield record.speed_modifier, "speed modifier", "MOR-ADV-6"
    elif points:
        yield from modifiers(game, who, game.table.speed)
    spent = max(0, record.invoked + record.speed_modifier) - record.speed if record.invoked else 0
    if spent:
        yield -spent, "spent", "MOR-ADV-5"


# Calls


def call_lines(game: Game, technique: TechniqueRecord | None, action: ActionSheet, call: int = 0) -> Iterator[Line]:
    """A call before modifiers: printed points, what states add, the multiplier (MOR-CHK-8)."""
    called = action.calls[call]
    printed, multiplier = called.printed, called.x
    states = technique.states if technique is not None and action.hardened else ()
    additions = 0
    yield printed, called.name, "MOR-CHK-5" if printed == 1 else "MOR-CHK-4"
    for state, amount in states:
        additions += amount
        yield amount, state, _STATE_RULES.get(state, "MOR-STATE-1")
    if multiplier != 1:
        raised = printed + additions if game.policy["multiplier_order"] == "before" else printed
        yield raised * (multiplier - 1), f"x {multiplier}", "MOR-STATE-5"


_STATE_RULES = {"jumping": "MOR-STATE-3", "spinning": "MOR-STATE-4"}


def needed_lines(game: Game, who: Id, technique: TechniqueRecord | None, action: ActionSheet, call: int = 0) -> Iterator[Line]:
    """The points to invoke for a call: the call less the modifiers (MOR-CHK-9); 0 at the least."""
    yield from call_lines(game, technique, action, call)
    states = technique.states if technique is not None else ()
    # MOR-MOD-7: a line that an earlier call of the check took is not taken again.
    taken = {line[1] for earlier in action.calls[:call] for line in modifiers(game, who, earlier.derived, states)}
    for amount, source, rule in modifiers(game, who, action.calls[call].derived, states):
        if source not in taken:
            yield -amount, source, rule


def payments(game: Game, who: Id, technique: TechniqueRecord | None, action: ActionSheet) -> list[tuple[str, int]]:
    """What each call of an action takes from which pool; remembered for the facts that it depends on."""
    record = game.records[who]
    states = technique.states if technique is not None else ()
    facts = (action, states, record.at, record.artifacts, record.effects)
    due: list[tuple[str, int]] | None = game.table.known.get(facts)
    if due is None:
        due = [
            (called.pool, total(needed_lines(game, who, technique, action, place), 0))
            for place, called in enumerate(action.calls)
        ]
        game.table.known[facts] = due
    return due


def payable(record: AvatarRecord, due: list[tuple[str, int]]) -> bool:
    """Whether the pools hold all of it at once (MOR-CHK-10)."""
    if len(due) == 1:
        pool, points = due[0]
        return getattr(record, pool) >= points  # type: ignore[no-any-return]
    sums: dict[str, int] = {}
    for pool, points in due:
        sums[pool] = sums.get(pool, 0) + points
    return all(getattr(record, pool) >= points for pool, points in sums.items())


def met(game: Game, who: Id, technique: TechniqueRecord, action: ActionSheet) -> Iterator[Reason]:
    """Why an action cannot succeed now apart from points: its conditions and the square."""
    record = avatar(game, who)
    table: Table = game.table
    square = table.squares[record.at]
    for need in action.needs:
        if need == "weapon":
            if weapon_in_hand(game, who) is None:
                yield Reason("needs_weapon", (action.name,), ("MOR-ADV-9",))
        elif need == "outside":
            if square.mark != "outside":
                yield Reason("needs_outside", (action.name, record.at), ("MOR-ADV-9",))
        elif not any(held.id == need and held.works for held in record.artifacts):
            yield Reason("needs_artifact", (action.name, need), ("MOR-ADV-9",))
    if square.forbid and (technique.card in square.forbid or any(tag in square.forbid for tag in action.tags)):
        yield Reason("square_forbids", (action.name, square.id, record.at), ("MOR-ADV-10",))


def short_of(game: Game, who: Id, technique: TechniqueRecord, action: ActionSheet) -> Iterator[Reason]:
    """Why the call of an action cannot be paid now."""
    record = avatar(game, who)
    due = payments(game, who, technique, action)
    if not payable(record, due):
        for (pool, points), called in zip(due, action.calls, strict=True):
            rule = "MOR-CHK-9" if len(due) == 1 else "MOR-CHK-10"
            yield Reason("call_unpaid", (called.name, points, called.of, getattr(record, pool)), (rule,))


def targets(game: Game, who: Id, reach: int) -> list[Id]:
    """Whom an attack may name: within reach, and beyond distance 1 under the same sky (MOR-ATK-1, MOR-ATK-2)."""
    table: Table = game.table
    here = game.records[who].at
    found = []
    for other in table.order:
        if other == who:
            continue
        record = game.records[other]
        if record.out:
            continue
        distance = table.grid.distance(here, record.at)
        if distance <= reach and (distance <= 1 or table.squares[here].mark == table.squares[record.at].mark):
            found.append(other)
    return found


def reasons_to_wait(game: Game, who: Id, technique: TechniqueRecord) -> Iterator[Reason]:
    """MOR-ADV-15c: what the tick that completes the action would run into."""
    action = current(game, technique)
    yield from short_of(game, who, technique, action)
    yield from met(game, who, technique, action)
    if action.attack and not targets(game, who, action.reach):
        yield Reason("no_target", (action.name, action.reach), ("MOR-ATK-1",))


# Interrupting


def interrupt_cost(game: Game, technique: TechniqueRecord) -> int:
    """1 + the inertia of the current action (MOR-INERT-2)."""
    return 1 + int(current(game, technique).inertia)


def electra_for(game: Game, who: Id, cost: int) -> int | None:
    """The fewest further points of Electra with which Speed in hand covers a cost; None if it is out of reach."""
    record = avatar(game, who)
    short = cost - record.speed
    if short <= 0:
        return 0
    speed = record.speed_modifier if record.invoked else modifier(game, who, game.table.speed)
    # Points that a negative modifier swallows first; a positive one counts only with the first point of the turn.
    points = short - min(0, record.invoked + speed) if record.invoked else max(1, short - speed)
    return points if points <= record.electra_pool else None


def cannot_interrupt(game: Game, who: Id, technique: TechniqueRecord) -> Iterator[Reason]:
    """Why the inertia is too great."""
    cost = interrupt_cost(game, technique)
    if electra_for(game, who, cost) is None:
        record = avatar(game, who)
        yield Reason("inertia", (technique.card, cost, record.speed, record.electra_pool), ("MOR-INERT-2", "MOR-INERT-1"))


# Drive and Basic Actions


def cannot_advance(game: Game, who: Id, technique: TechniqueRecord) -> Iterator[Reason]:
    """Why no tick of a technique in play may be revealed now."""
    record = avatar(game, who)
    if record.debts:
        debt = record.debts[0]
        yield Reason("owed_first", (debt,), ("MOR-BASIC-7", "MOR-FAIL-4") if debt == "alternate_ready" else ("MOR-BASIC-7",))
    if not technique.drive and record.speed <= drive_left(game, who):
        yield Reason("driven", (), ("MOR-INERT-6",))


def drive_left(game: Game, who: Id) -> int:
    """The ticks that inertia still drives (MOR-INERT-6)."""
    records = game.records
    if records[who].debts:
        return 0
    drive = 0
    for slot in game.table.slots[who]:
        drive += records[slot].drive
    return drive


def least_invocation(game: Game, who: Id) -> int:
    """The fewest points that may be invoked for Speed at the start of phase 4 (MOR-ADV-3, MOR-INERT-6)."""
    record = avatar(game, who)
    least = 0 if record.speed or not record.electra_pool else 1
    drive = drive_left(game, who)
    if drive:
        wanted = min(drive, speed_after(game, record, record.electra_pool))
        least = max(least, next(points for points in range(13) if speed_after(game, record, points) >= wanted))
    return least


def in_progress(game: Game, who: Id) -> bool:
    """Whether a technique of the avatar has a revealed tick."""
    for slot in game.table.slots[who]:
        technique = game.records[slot]
        if technique.ticks or technique.action:
            return True
    return False


def cannot_step(game: Game, who: Id) -> Iterator[Reason]:
    """Why an avatar may not Step at all now."""
    records = game.records
    record = records[who]
    if record.debts:
        yield Reason("owed_first", (record.debts[0],), ("MOR-BASIC-7",))
    if record.stepped and record.stepped >= (1 if in_progress(game, who) else 2):
        yield Reason("stepped", (record.stepped,), ("MOR-BASIC-2",))
    drive = 0
    for slot in game.table.slots[who]:
        technique = records[slot]
        drive += technique.drive
        if technique.states and any(name == "jumping" for name, _ in technique.states):
            yield Reason("jumping", (), ("MOR-BASIC-2",))
    if record.speed <= (0 if record.debts else drive):
        yield Reason("driven", (), ("MOR-INERT-6", "MOR-BASIC-2"))
    if record.corpus_pool < (points := step_cost(game, who)):
        yield Reason("call_unpaid", ("stride", points, "corpus", record.corpus_pool), ("MOR-BASIC-3",))


def stride_lines(game: Game, who: Id) -> Iterator[Line]:
    """What a Step calls for: Stride 1 of Corpus, category standard_movement."""
    yield 1, "stride", "MOR-BASIC-3"
    for amount, source, rule in modifiers(game, who, game.table.stride):
        yield -amount, source, rule


def step_cost(game: Game, who: Id) -> int:
    """The Corpus that a Step takes from here."""
    return max(0, 1 - modifier(game, who, game.table.stride))


def cannot_do_basic(game: Game, who: Id) -> Iterator[Reason]:
    """Why an avatar may do no Basic Action other than Step and those it owes."""
    record = avatar(game, who)
    if record.debts:
        yield Reason("owed_first", (record.debts[0],), ("MOR-BASIC-7",))
    if in_progress(game, who):
        yield Reason("working", (), ("MOR-BASIC-2",))


def cannot_stop(game: Game, who: Id) -> Iterator[Reason]:
    """Why Speed in hand may not be left unspent (MOR-ADV-15)."""
    records = game.records
    if records[who].debts:
        return
    for slot in game.table.slots[who]:
        technique = records[slot]
        if not technique.card:
            continue
        if technique.drive:
            yield Reason("driven", (), ("MOR-INERT-6",))
        if technique.ticks + 1 < current(game, technique).ticks or legal(reasons_to_wait(game, who, technique)):
            yield Reason("must_go_on", (technique.card,), ("MOR-ADV-15",))
