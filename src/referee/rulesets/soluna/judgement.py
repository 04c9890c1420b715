"""How good things look to a bot: positions, and offers in a secret draft by their exact odds. No rule stands here."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...engine import Choice, Game, Id, Offer
from .checks import (
    combat_left,
    cost,
    flips_prepared,
    holder_of,
    longest_move,
    marked,
    model,
    need_of,
    opponents,
    preparation_fits,
    share,
    speed_left,
    standing,
    taken,
    ways,
)
from .contests import Commitment, Contests
from .records import Deed
from .stakes import (
    EQUILIBRIUM,
    FLIP,
    GOAL,
    PRIZE,
    SHAKEN,
    chance,
    hit_value,
    increased_value,
    pools,
    raised_value,
    win_and_loss,
)

if TYPE_CHECKING:
    from .setup import Table

# Positions


def worth(game: Game, seat: str) -> int:
    """A number that grows as a side fares better; 1,000,000 for a victory."""
    if game.result is not None:
        winner = game.result.winner
        return 0 if winner is None else 1_000_000 if winner == seat else -1_000_000
    table: Table = game.table
    value = 0.0
    for side in table.sides:
        left, whole = share(game, side)
        sign = 1.0 if side == seat else -1.0 / (len(table.sides) - 1)
        value += sign * 1000 * left / whole
    for who in standing(game):
        sign = 1.0 if table.side[who] == seat else -1.0 / (len(table.sides) - 1)
        record = model(game, who)
        value += sign * (150 + SHAKEN * record.mind + 20 * len(record.ready) + 5 * record.prepared)
        value += sign * place_value(game, who, record.at) / 2
    goal = table.scenario.objective
    if goal is not None and goal.carry and holder_of(game, goal.carry):
        value += PRIZE if table.side[holder_of(game, goal.carry)] == seat else -PRIZE
    if goal is not None and goal.unlock and game.records[goal.unlock].done:
        value += PRIZE if goal.side == seat else -PRIZE
    return round(10 * value)


def place_value(game: Game, who: Id, cell: str) -> float:
    """What a square is worth to a model: whom it can hit from there, who can hit it there, how near the goal is."""
    table: Table = game.table
    others = opponents(game, who)
    record = model(game, who)
    best = threat = 0.0
    nearest = 99
    for other in others:
        at = game.records[other].at
        blocked, distance = table.sight[cell][at], table.distances[cell, at]
        nearest = min(nearest, distance)
        if blocked < 4:
            cover = int(blocked >= 2)
            guard, own = table.sheets[other].guard + cover, table.sheets[who].guard + cover
            for weapon in record.ready:
                if distance <= table.weapons[weapon].range:
                    best = max(best, _hit(table, weapon, guard, game.records[other].body))
            # SOL-ATK-1: without points left it cannot attack again this Turn.
            able = bool(combat_left(game, other)) or model(game, other).left >= 2
            reached = [
                _hit(table, weapon, own, record.body)
                for weapon in game.records[other].ready
                if distance <= table.weapons[weapon].range
            ]
            if reached:
                threat += max(reached) * (0.45 if able else 0.2)
    value = 0.8 * best - threat
    if not best:
        value -= 9 * nearest
    return value + goal_value(game, who, cell)


def _hit(table: Table, weapon: Id, guard: int, body: int) -> float:
    card = table.weapons[weapon]
    return hit_value(card.accuracy, 0, guard, card.damage, body)


def goal_value(game: Game, who: Id, cell: str) -> float:
    """What a square is worth for the objective of the scenario."""
    table: Table = game.table
    goal = table.scenario.objective
    if goal is None:
        return 0.0
    distances = table.distances
    if goal.reach:
        if table.side[who] != goal.side:
            # In the way is where the others have to pass.
            return 40.0 if distances[cell, goal.reach] == 1 else 0.0
        if goal.unlock and not game.records[goal.unlock].done:
            return -45.0 * max(0, distances[cell, goal.reach] - 1)
        return GOAL if cell == goal.reach else -70.0 * distances[cell, goal.reach]
    holder = holder_of(game, goal.carry)
    if holder == who:
        return GOAL if cell == goal.to else -80.0 * distances[cell, goal.to]
    if holder and table.side[holder] != table.side[who]:
        block = 260.0 if cell == goal.to else 0.0
        return block - 50.0 * distances[cell, game.records[holder].at]
    if holder:
        return 0.0
    lies = game.records[goal.carry].at
    if not lies:
        card = table.contests.get(table.things[goal.carry].prize)
        lies = table.things[card.at].at if card and card.at else goal.to
    return -60.0 * max(0, distances[cell, lies] - 1)


# Offers in a draft


def judge(game: Game, choice: Choice, offer: Offer) -> int:
    """How good an offer looks to the seat that drafts: by exact odds, with what the seat knows."""
    frame: Any = (game.branches or {})[choice.seat].agenda[-1]
    value: Any = offer.value
    who = choice.who
    if isinstance(frame, Commitment):
        return round(1000 * _commitment_value(game, choice, (value[1], value[2])))
    deed: Deed = frame.deed
    phase: int = frame.phase
    if choice.about == "action":
        judged = _action_value(game, who, phase, value)
    elif choice.about == "square":
        judged = _square_value(game, who, choice.facts, value)
    elif choice.about == "increase":
        numbers = _attack_numbers(game, deed)
        judged = increased_value(
            value[1], model(game, who).left - cost(deed.pool), *numbers, _extra(game, who), _price(game, who, phase)
        )
    elif choice.about == "flips":
        judged = _flips_value(game, deed, str(value[1]))
    else:
        judged = _pool_value(game, who, phase, deed, choice.about, (value[1], value[2]))
    return round(1000 * judged)


def _extra(game: Game, who: Id) -> int:
    return flips_prepared(game, model(game, who))


def _price(game: Game, who: Id, phase: int) -> float:
    """What a point of Mind is worth for later phases of this Turn."""
    record = model(game, who)
    later = sum(marked(record.mind, number) for number in range(phase + 1, 11)) + record.saved
    if not later:
        return 0.1
    return 22.0 if later > combat_left(game, who) else 10.0


def _attack_numbers(game: Game, deed: Deed) -> tuple[int, int, int, int]:
    """Accuracy, Guard, damage, Body of an attack."""
    table: Table = game.table
    weapon = table.weapons[deed.name]
    blocked = table.sight[model(game, deed.who).at][model(game, deed.target).at]
    guard = table.sheets[deed.target].guard + int(blocked >= 2)
    return weapon.accuracy, guard, weapon.damage, model(game, deed.target).body


def _action_value(game: Game, who: Id, phase: int, value: Any) -> float:
    record = model(game, who)
    price = _price(game, who, phase)
    # Anything but preparing on and holding ends a preparation.
    lost = 0.0 if value in ("prepare", "hold") else 9.0 * (record.prepared % 5)
    if value == "prepare":
        return _preparing_value(game, who, phase)
    if value == "hold":
        return 1.0
    if value == "defer":
        return 2.0 - lost
    if value == "move":
        return _best_move(game, who, (), longest_move(game, who)) - 3.0 - lost
    kind, name, target = value
    deed = Deed(who, kind, name, target)
    if kind == "attack":
        numbers = _attack_numbers(game, deed)
        extra = _extra(game, who)
        if combat_left(game, who):
            return raised_value(record.left, *numbers, extra, price) - lost
        worths = [_combat_risk_value(game, deed, pool, price) for pool in pools(record.left)]
        return max(worths) - lost
    if kind == "contest":
        others = _equals(game, who, (other for other in opponents(game, who)))
        pool = (*EQUILIBRIUM[record.left], _extra(game, who))
        won, beaten = win_and_loss(pool, others)
        return _prize_value(game, target) * (won - beaten) - price * cost(pool) / 2 + 20.0 - lost
    need = game.table.interactions[name].need
    gain = _interaction_gain(game, who, name, target)
    if not need:
        return gain - lost
    best = max(chance(*pool, need) * gain - price * cost(pool) for pool in _with_extra(game, who, record.left))
    return best - lost


def _with_extra(game: Game, who: Id, left: int) -> Iterable[tuple[int, int]]:
    """Pools in which preparation flips are counted in."""
    extra = _extra(game, who)
    return ((dice, flips + (extra if preparation_fits(game, flips) else 0)) for dice, flips in pools(left))


def _combat_risk_value(game: Game, deed: Deed, pool: tuple[int, int], price: float) -> float:
    numbers = _attack_numbers(game, deed)
    after = raised_value(model(game, deed.who).left - cost(pool), *numbers, _extra(game, deed.who), price)
    return chance(*pool, game.table.risks["risk_cp"].need) * after - price * cost(pool)


def _preparing_value(game: Game, who: Id, phase: int) -> float:
    """Phases that will have been prepared at the next mark, and whether they bring a flip."""
    record = model(game, who)
    count = record.prepared + 1
    number = phase
    if game.policy["prep_counts"] == "all_phases":
        while not marked(record.mind, number := number % 10 + 1):
            count += 1
    value = 6.0 + 2.0 * (count % 5)
    if count // 5 > flips_prepared(game, record):
        value += FLIP
    return value


def _interaction_gain(game: Game, who: Id, interaction: Id, target: Id) -> float:
    table: Table = game.table
    goal = table.scenario.objective
    if interaction == "ready_weapon":
        record = model(game, who)
        others = opponents(game, who)
        guard = min((table.sheets[other].guard for other in others), default=2)
        worths = {
            weapon: _hit(table, weapon, guard, 99) + 9.0 * table.weapons[weapon].range for weapon in table.sheets[who].weapons
        }
        return 1.2 * (worths[target] - max((worths[weapon] for weapon in record.ready), default=0.0))
    if goal is not None and target in (goal.unlock, goal.carry):
        return 2 * PRIZE if not goal.side or goal.side == table.side[who] else 0.0
    return 40.0


def _prize_value(game: Game, prize: Id) -> float:
    goal = game.table.scenario.objective
    return 2 * PRIZE if goal is not None and goal.carry == prize else 60.0


def _equals(game: Game, who: Id, others: Iterable[Id]) -> tuple[tuple[int, int, int], ...]:
    """What opponents may be expected to commit: what pays best among equals."""
    return tuple((*EQUILIBRIUM[model(game, other).left], 0) for other in others if other != who)


def _commitment_value(game: Game, choice: Choice, pool: tuple[int, int]) -> float:
    contests: Any = game.agenda[game.find(Contests)]
    called = next(each for each in contests.called if (each.name, each.prize) == (choice.facts[0], choice.facts[3]))
    who = choice.who
    table: Table = game.table
    extras = dict(zip(called.contestants, called.pools, strict=True))
    others = tuple(
        (*EQUILIBRIUM[model(game, other).left], extras[other][2])
        for other in called.contestants
        if table.side[other] != table.side[who]
    )
    won, beaten = win_and_loss((*pool, extras[who][2]), others)
    return _prize_value(game, called.prize) * (won - beaten) - 4.0 * cost(pool)


def _pool_value(game: Game, who: Id, phase: int, deed: Deed, about: str, pool: tuple[int, int]) -> float:
    price = _price(game, who, phase)
    if about == "risk_cp":
        return _combat_risk_value(game, deed, pool, price)
    if about == "risk_accuracy":
        accuracy, *rest = _attack_numbers(game, deed)
        extra = _extra(game, who)
        more = hit_value(accuracy + deed.increase, extra, *rest) - hit_value(accuracy, extra, *rest)
        return chance(*pool, 1 + deed.increase) * more - price * cost(pool)
    flips = pool[1] + (_extra(game, who) if preparation_fits(game, pool[1]) else 0)
    if about == "interaction":
        gain = _interaction_gain(game, who, deed.name, deed.target)
    else:
        gain = max(60.0, place_value(game, who, deed.path[-1]) - place_value(game, who, model(game, who).at))
    return chance(pool[0], flips, need_of(game, deed, "pool")) * gain - price * cost(pool)


def _flips_value(game: Game, deed: Deed, roll: str) -> float:
    """What preparation flips do for each roll of an Action."""
    extra = _extra(game, deed.who)
    if deed.kind == "contest":
        return 1.0 if roll == "contest" else 0.0
    accuracy, *rest = _attack_numbers(game, deed)
    flips = {name: extra if roll == name else 0 for name in ("pool", "boost", "attack")}
    value = hit_value(accuracy, flips["attack"], *rest)
    if deed.boost:
        more = hit_value(accuracy + deed.increase, flips["attack"], *rest) - value
        value += chance(deed.boost[0], deed.boost[1] + flips["boost"], need_of(game, deed, "boost")) * more
    if deed.pool:
        value *= chance(deed.pool[0], deed.pool[1] + flips["pool"], need_of(game, deed, "pool"))
    return value


# Moves


def _reachable(game: Game, who: Id, here: str, steps: int) -> dict[str, int]:
    """The squares that a path can still end on, with the steps to them."""
    beside = ways(game, who)
    others = taken(game, who)
    found = {here: 0}
    waiting = deque([here])
    while waiting:
        cell = waiting.popleft()
        if found[cell] < steps:
            for other in beside[cell]:
                if other not in found and other not in others:
                    found[other] = found[cell] + 1
                    waiting.append(other)
    return found


def _best_move(game: Game, who: Id, path: tuple[str, ...], longest: int) -> float:
    """What the best square gains that a path begun so can end on; beyond the Speed left only with the chance of a Risk."""
    record = model(game, who)
    here = path[-1] if path else record.at
    stay = place_value(game, who, record.at)
    own = speed_left(game, who)
    best = -1000.0
    for cell, steps in _reachable(game, who, here, longest - len(path)).items():
        length = len(path) + steps
        if not length:
            continue
        gain = place_value(game, who, cell) - stay
        if length > own:
            gain = gain * max(chance(*pool, length) for pool in pools(record.left)) - 20.0 * record.left
        best = max(best, gain - 4.0 * length)
    return best


def _square_value(game: Game, who: Id, path: tuple[str, ...], value: Any) -> float:
    longest = longest_move(game, who)
    if value == "stop":
        return _best_move(game, who, path, len(path)) + 0.5
    return _best_move(game, who, (*path, str(value[1])), longest)
