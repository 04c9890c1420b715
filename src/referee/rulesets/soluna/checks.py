"""Numbers and legality: marks, Mind left, needs, sight and Guard, what may be done and why not. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ...engine import Game, Id, Line, Reason
from .cards import Risk, Weapon
from .records import Deed, ModelRecord, ThingRecord

if TYPE_CHECKING:
    from .setup import Table

PHASES: Final = 10
FULL_FIVE: Final = 5
"""SOL-PREP-1: phases of preparation to a flip; rounded down."""


def model(game: Game, who: Id) -> ModelRecord:
    """The record of a model."""
    record: ModelRecord = game.records[who]
    return record


def standing(game: Game) -> list[Id]:
    """The models that are left, in seat order."""
    records = game.records
    return [who for who in game.table.order if not records[who].out]


def opponents(game: Game, who: Id) -> list[Id]:
    """The models of other sides that are left, in seat order."""
    records = game.records
    return [other for other in game.table.opposing[who] if not records[other].out]


# Phases


def marked(mind: int, phase: int) -> bool:
    """SOL-PHASE-2: whether a model of that Mind may make an Action of its own in a phase."""
    if mind >= PHASES:
        return True
    return mind > 0 and (phase == PHASES - mind or phase >= PHASES + 2 - mind)


def marks(mind: int) -> tuple[int, ...]:
    """The phases marked for a Mind."""
    return tuple(phase for phase in range(1, PHASES + 1) if marked(mind, phase))


MARKS: Final = tuple(marks(mind) for mind in range(PHASES + 1))
"""The marked phases of each Mind, looked up at every phase."""


def due(game: Game, phase: int) -> tuple[Id, ...]:
    """SOL-PHASE-11: the models that must choose now: marked ones, and unmarked ones with a saved Action."""
    records = game.records
    return tuple(
        [who for who in game.table.order if not (record := records[who]).out and (phase in MARKS[record.mind] or record.saved)]
    )


# Flips and needs


def flips_prepared(game: Game, record: ModelRecord) -> int:
    """SOL-PREP-1: one flip for every full five phases, rounded down."""
    return record.prepared // FULL_FIVE


def preparation_fits(game: Game, sacrificed: int) -> bool:
    """SOL-FLIP-5: whether a roll with so many sacrificed flips may take preparation flips too."""
    return not sacrificed or bool(game.policy["prep_and_sacrifice"] == "both")


def cost(pool: tuple[int, ...]) -> int:
    """SOL-MIND-1, SOL-FLIP-1: the Mind Points of dice and flips."""
    return pool[0] + 2 * pool[1] if pool else 0


def cost_lines(pool: tuple[int, ...]) -> Iterator[Line]:
    """The same, line by line."""
    yield pool[0], "dice", "SOL-MIND-1"
    if pool[1]:
        yield 2 * pool[1], "sacrificed for flips", "SOL-FLIP-1"


def risk_lines(risk: Risk, added: int) -> Iterator[Line]:
    """The need of a Risk."""
    if risk.need:
        yield risk.need, risk.id, risk.rule
    if risk.adds:
        yield added, risk.adds, risk.rule


# Attacks


def guard_lines(game: Game, who: Id, target: Id) -> Iterator[Line]:
    """What an attack must score: Guard, and one more where two or three lines of sight are blocked."""
    table: Table = game.table
    yield table.sheets[target].guard, "Guard", "SOL-ATK-2"
    if table.sight[game.records[who].at][game.records[target].at] >= 2:
        yield 1, "partly out of sight", "SOL-ATK-5"


def dice_lines(weapon: Weapon, raised: int) -> Iterator[Line]:
    """The dice of an attack."""
    yield weapon.accuracy, weapon.id, "SOL-ATK-2"
    if raised:
        yield raised, "raised by a Risk", "SOL-RISK-8"


def damage_lines(weapon: Weapon, score: int, guard: int) -> Iterator[Line]:
    """The Body that a hit costs."""
    yield weapon.damage, weapon.id, "SOL-ATK-3"
    yield score - guard, "above Guard", "SOL-ATK-3"


def cannot_reach(game: Game, who: Id, weapon: Id, target: Id) -> Iterator[Reason]:
    """Why a weapon does not reach a target: it is stowed, too far, out of sight (SOL-ATK-1)."""
    table: Table = game.table
    record = model(game, who)
    here, there = record.at, game.records[target].at
    if weapon not in record.ready:
        yield Reason("stowed", (weapon,), ("SOL-ATK-1", "SOL-INT-8"))
    distance = table.distances[here, there]
    if distance > table.weapons[weapon].range:
        yield Reason("out_of_range", (target, distance, table.weapons[weapon].range), ("SOL-ATK-1",))
    if table.sight[here][there] == 4:
        yield Reason("no_sight", (target,), ("SOL-ATK-5", "SOL-ATK-1"))


def cannot_pay_attack(game: Game, who: Id) -> Iterator[Reason]:
    """Why there is no Combat Point for an attack, own or risked (SOL-ATK-1, SOL-RISK-1)."""
    record = model(game, who)
    table: Table = game.table
    if combat_left(game, who):
        return
    limit = table.risks["risk_cp"].per_phase
    if limit and record.cp_risks >= limit:
        yield Reason("risked_already", (limit,), ("SOL-RISK-6",))
    if not record.left:
        yield Reason("no_mind_for_risk", (record.mind, record.mind_spent), ("SOL-MIND-5", "SOL-RISK-3"))


def combat_left(game: Game, who: Id) -> int:
    """Combat Points left this Turn."""
    left: int = game.table.sheets[who].combat - game.records[who].combat_spent
    return max(0, left)


# Moves


def speed_left(game: Game, who: Id) -> int:
    """Speed Points left this Turn."""
    left: int = game.table.sheets[who].speed - game.records[who].speed_spent
    return max(0, left)


def longest_move(game: Game, who: Id) -> int:
    """The squares of the longest move that may come off: by the Speed left, or by a Risk of so many like faces."""
    own = speed_left(game, who)
    if own and game.policy["risk_when"] == "empty":
        return own
    return max(own, model(game, who).left)


def ways(game: Game, who: Id) -> dict[str, tuple[str, ...]]:
    """The squares beside each square, as far as obstacles and doors let this model through (SOL-MOVE-2)."""
    table: Table = game.table
    return table.ways(shut_doors(game, who)) if table.doors else table.open_ways


def shut_doors(game: Game, who: Id) -> tuple[str, ...]:
    """The squares of doors that are shut to a model: locked ones, and those that the scenario keeps for others."""
    side = game.table.side[who]
    return tuple(door.at for door in game.table.doors if not game.records[door.id].done or door.side not in ("", side))


def taken(game: Game, who: Id) -> set[str]:
    """The squares on which other models stood at the start of the phase (SOL-MOVE-2)."""
    records = game.records
    return {records[other].at for other in game.table.order if other != who}


def cannot_enter(game: Game, who: Id, here: str, cell: str) -> Iterator[Reason]:
    """Why a path may not go on to a square beside it (SOL-MOVE-2)."""
    table: Table = game.table
    if cell in table.obstacles:
        yield Reason("obstacle", (cell,), ("SOL-MOVE-2",))
    elif cell in shut_doors(game, who):
        yield Reason("shut", (cell,), ("SOL-MOVE-2",))
    elif cell in taken(game, who):
        yield Reason("taken", (cell,), ("SOL-MOVE-2",))
    elif cell not in ways(game, who)[here]:
        yield Reason("between_obstacles", (cell,), ("SOL-MOVE-2",))


# Interactions and contests


def cannot_interact(game: Game, record: ModelRecord, need: int) -> Iterator[Reason]:
    """Why a model makes no interaction of that need: its Mind is overspent or used up."""
    if record.overspent:
        if need or game.policy["overspent_thoughtless"] == "barred":
            yield Reason("overspent", (record.mind, record.mind_spent), ("SOL-MIND-3",))
    elif need and not record.left:
        yield Reason("no_mind_left", (record.mind,), ("SOL-MIND-4",))


def cannot_reach_thing(game: Game, who: Id, thing: ThingRecord) -> Iterator[Reason]:
    """Why a thing is out of reach, or done with (SOL-INT-7)."""
    table: Table = game.table
    placed = table.things[thing.id]
    if thing.done:
        yield Reason("done_already", (thing.id,), ("SOL-INT-5",))
    if placed.side not in ("", table.side[who]):
        yield Reason("not_theirs", (thing.id, placed.side), ("SOL-INT-7",))
    if thing.holder:
        yield Reason("held", (thing.id, thing.holder), ("SOL-END-4",))
    elif not thing.at:
        yield Reason("to_be_won", (thing.id, placed.prize), ("SOL-END-4",))
    else:
        distance = table.distances[game.records[who].at, thing.at]
        if distance > 1:
            yield Reason("too_far", (thing.id, distance), ("SOL-INT-7",))


def near(game: Game, who: Id, cell: str) -> bool:
    """Whether a model stands on a square or beside it."""
    return bool(game.table.distances[game.records[who].at, cell] <= 1)


def cannot_call(game: Game, who: Id, contest: Id, prize: Id) -> Iterator[Reason]:
    """Why a model may not call a contest for a prize."""
    table: Table = game.table
    yield from cannot_interact(game, model(game, who), 1)
    card = table.contests[contest]
    thing = game.records[prize]
    if card.between == "everybody near":
        if thing.at or thing.holder:
            yield Reason("won_already", (prize,), ("SOL-CONT-6",))
        if not near(game, who, table.things[card.at].at):
            distance = table.distances[game.records[who].at, table.things[card.at].at]
            yield Reason("too_far", (card.at, distance), ("SOL-INT-7",))
        elif len(contestants(game, contest, prize, (who,))) < 2:
            yield Reason("nobody_near", (card.at,), ("SOL-CONT-1",))
    elif not thing.holder or table.side[thing.holder] == table.side[who]:
        yield Reason("no_opponent_holds", (prize,), ("SOL-END-4",))
    elif not near(game, who, game.records[thing.holder].at):
        distance = table.distances[game.records[who].at, game.records[thing.holder].at]
        yield Reason("holder_too_far", (thing.holder, distance), ("SOL-END-4",))


def contestants(game: Game, contest: Id, prize: Id, callers: tuple[Id, ...]) -> tuple[Id, ...]:
    """SOL-CONT-6, SOL-CONT-7: all callers of a contest and those whom they draw in, in seat order."""
    table: Table = game.table
    card = table.contests[contest]
    drawn: set[Id] = set(callers)
    if card.between == "caller and holder":
        drawn.add(game.records[prize].holder)
    else:
        at = table.things[card.at].at
        drawn.update(other for who in callers for other in opponents(game, who) if near(game, other, at))
    return tuple(who for who in table.order if who in drawn)


def thing_actions(game: Game, who: Id) -> Iterator[tuple[Id, Id]]:
    """What a model may think of doing with its weapons and the things on the board: (interaction, object)."""
    record = model(game, who)
    table: Table = game.table
    for weapon in table.sheets[who].weapons:
        if weapon not in record.ready:
            yield "ready_weapon", weapon
    for thing in table.interactive:
        yield ("pick_up" if thing.kind == "artifact" else thing.interaction), thing.id


def need_of(game: Game, deed: Deed, roll: str) -> int:
    """The like faces that a roll of an Action needs."""
    risks = game.table.risks
    if roll == "boost":
        return int(risks["risk_accuracy"].need + deed.increase)
    if deed.kind == "interact":
        return int(game.table.interactions[deed.name].need)
    if deed.kind == "move":
        return int(risks["risk_move"].need + len(deed.path))
    return int(risks["risk_cp"].need)


def share(game: Game, side: str) -> tuple[int, int]:
    """SOL-END-3: Body left and starting Body of a side."""
    table: Table = game.table
    members = [who for who in table.order if table.side[who] == side]
    left = sum(max(0, game.records[who].body) for who in members if not game.records[who].out)
    return left, sum(table.sheets[who].body for who in members)


def holder_of(game: Game, thing: Id) -> Id:
    """Who holds a thing; empty if nobody."""
    record: Any = game.records[thing]
    return str(record.holder)
