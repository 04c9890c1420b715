"""How good a position looks to a seat: the judgement of greedy bots, no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine import Game, Id, legal
from .checks import current, met, payments, targets, techniques
from .records import TechniqueRecord

if TYPE_CHECKING:
    from .sheets import Table, TechniqueSheet


def worth(game: Game, seat: str) -> int:
    """A number that grows as the seat's avatar fares better; 100,000 for a victory."""
    table: Table = game.table
    own = game.seats[seat].figures[0]
    if game.result is not None:
        winner = game.result.winner
        return 0 if winner is None else 100_000 if winner == table.side[own] else -100_000
    others = [who for who in table.order if who != own and not game.records[who].out]
    value = _standing(game, own)
    for other in others:
        value -= _standing(game, other) // max(1, len(others))
    if others:
        near = min(table.grid.distance(game.records[own].at, game.records[other].at) for other in others)
        value -= 6 * near
    if table.goal:
        value -= 30 * min(table.grid.distance(game.records[own].at, cell) for cell in table.goal)
    return value


def _standing(game: Game, who: Id) -> int:
    record = game.records[who]
    if record.out:
        return -5_000
    weakest = min(record.corpus, record.electra, record.spiritum)
    value: int = 100 * (record.corpus + record.electra + record.spiritum) + 60 * weakest + 20 * record.spirit
    value += 300 * record.holds
    value -= 60 * len(record.debts) - 25 * record.debt_ticks + 40 * record.prone
    value += 30 * bool(record.counter)
    value += 25 * sum(held.works for held in record.artifacts)
    for technique in techniques(game, who):
        value += _prospect(game, who, technique)
    if game.table.squares[record.at].mark == "inside":
        begins = game.policy["collapse_from"]
        value -= 80 if begins and game.round + 1 >= begins else 0
    return value


def _prospect(game: Game, who: Id, technique: TechniqueRecord) -> int:
    """What a technique in play promises: its pay-off by the share of it that is done, less what stands in its way."""
    sheet: TechniqueSheet = game.table.techniques[technique.card]
    record = game.records[who]
    action = current(game, technique)
    if technique.ticks >= action.ticks and game.question is not None and game.question.about == "interrupt":
        return -40
    done = sum(each.ticks for each in sheet.actions[: technique.action]) + technique.ticks
    ticks = sum(each.ticks for each in sheet.actions)
    value = _payoff(sheet) * (done + 2) // (ticks + 2) + 10
    if not legal(met(game, who, technique, action)):
        value -= 60
    if any(points > getattr(record, pool.removesuffix("_pool")) for pool, points in payments(game, who, technique, action)):
        value -= 40
    for ahead in sheet.actions[technique.action :]:
        for called in ahead.calls:
            line = called.derived.squares.get(record.at)
            value += 15 * line[0] if line is not None else 0
    if action.attack and not targets(game, who, action.reach):
        value -= 12
    return value


def _payoff(sheet: TechniqueSheet) -> int:
    value = 0
    for action in sheet.actions:
        effect = action.effect
        if effect is not None:
            value += 45 * (effect.damage or 0) + 10 * (effect.push or 0) + 30 * bool(effect.counter)
            value += 80 * bool(effect.fall) + 25 * bool(effect.give)
    return value
