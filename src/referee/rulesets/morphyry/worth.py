"""How good a position looks to a seat: the judgement of greedy bots, no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine import Game, Id
from .checks import current, techniques

if TYPE_CHECKING:
    from .sheets import Table


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
        value -= 8 * min(table.grid.distance(game.records[own].at, cell) for cell in table.goal)
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
        action = current(game, technique)
        value += 30 + 40 * technique.action + 12 * technique.ticks * (technique.ticks < action.ticks)
    if game.table.squares[record.at].mark == "inside":
        begins = game.policy["collapse_from"]
        value -= 80 if begins and game.round + 1 >= begins else 0
    return value
