"""How good a position looks to a seat: the judgement of greedy bots, no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...engine import Game, Id, total
from .actions import Action
from .checks import accuracy_lines, active, additions, evasion_lines, mitigation_lines
from .records import CharacterRecord
from .sheets import WEAPON, ActionSheet

if TYPE_CHECKING:
    from .setup import Table

HP: Final = 10
STANDING: Final = 150
NEAR: Final = 9
GOAL: Final = 9
RESERVE: Final = (0, 22, 34, 40, 43, 44)
"""What so many slots are worth as long as there is something to do with them."""


def worth(game: Game, seat: str) -> int:
    """A number that grows as the seat's side fares better; 100,000 for a victory."""
    table: Table = game.table
    own = game.seats[seat].side
    if game.result is not None:
        winner = game.result.winner
        return 0 if winner is None else 100_000 if winner == own else -100_000
    sides = {side: sum(_character(game, who, side == own) for who in figures) for side, figures in table.sides.items()}
    for frame in game.agenda:
        if type(frame) is Action and not frame.over:
            if frame.target:
                sides[table.side[frame.target]] -= _blow_to_come(game, frame)
            elif frame.slots:
                sides[table.side[frame.actor]] += _way_to_go(game, frame)
    others = [value for side, value in sides.items() if side != own]
    value = sides[own] - sum(others) // len(others)
    if table.objective_at:
        done = dict(game.records["objective"].done)
        value += 140 * done[own] - 140 * max(times for side, times in done.items() if side != own)
    return value


def _character(game: Game, who: Id, own: bool) -> int:
    """How well one character fares, for its own side."""
    table: Table = game.table
    record: CharacterRecord = game.records[who]
    if record.out:
        return -10
    if record.hp <= 0:
        return 0
    enemies = [game.records[each] for each in table.among[who, "enemy"]]
    value = STANDING + HP * record.hp
    value -= HP * min(record.hp, record.bleed * 2 + record.hemorrhage * (record.hemorrhage + 1) * 3 // 2)
    value -= 12 * min(record.stunned, 5) + (20 if record.slowed == 2 else 8 if record.slowed else 0)
    value -= 2 * record.physical + 40 * max(0, record.physical - 8)
    value -= 3 * record.mental + 80 * max(0, record.mental - 7) + 2 * record.vocal
    value += sum(4 * have for _, have in record.named)
    value += sum(min(12, 2 * item.durability) for item in record.items)
    value += RESERVE[min(5, _slots(game, who, enemies, own))]
    value -= NEAR * _too_far(game, who)
    if table.objective_at:
        value -= GOAL * max(0, table.distances[record.at][table.objective_at] - 1)
    return value


def _slots(game: Game, who: Id, enemies: list[CharacterRecord], own: bool) -> int:
    """How many slots may still be of use: all before and in the own phase, afterwards against who has yet to act."""
    record = game.records[who]
    if not record.acted:
        return int(game.table.characters[who].slots)
    now = active(game)
    if who == now:
        return int(record.slots)
    # That the own phase goes on is no boon to the others, or ending it would seem one to oneself.
    to_come = sum(not each.acted or (own and each.id == now and each.slots > 0) for each in enemies if each.standing)
    return min(int(record.slots), 2 * to_come)


def _too_far(game: Game, who: Id) -> int:
    """How many tiles somebody is too far from the nearest enemy: beside it to fight hand to hand, else within range."""
    table: Table = game.table
    record = game.records[who]
    reach = table.characters[who].fighting_reach
    enemies = (game.records[each] for each in table.among[who, "enemy"])
    near = min((table.distances[record.at][each.at] for each in enemies if each.standing), default=1)
    return max(0, near - min(reach, 4))


def _way_to_go(game: Game, action: Action) -> int:
    """What the tiles left of a Move may be expected to bring."""
    tiles = action.count(game) - action.place
    value = NEAR * min(tiles, _too_far(game, action.actor))
    if game.table.objective_at:
        away = game.table.distances[game.records[action.actor].at][game.table.objective_at] - 1
        value += GOAL * min(tiles, max(0, away))
    return value


def _blow_to_come(game: Game, action: Action) -> int:
    """What an action under way may still be expected to cost its target."""
    sheet = action.sheet(game)
    if not sheet.attack or not game.records[action.target].standing:
        return 0
    if action.result:
        chance = {"hit": 20, "half": 10, "miss": 0}[action.result]
    else:
        ahead = total(accuracy_lines(game, action)) - total(evasion_lines(game, action))
        chance = max(0, min(20, 20 + ahead))
    return chance * _full_blow(game, action, sheet) // 20


def _full_blow(game: Game, action: Action, sheet: ActionSheet) -> int:
    character = game.table.characters[action.actor]
    value = 0
    for step in sheet.steps[action.place :]:
        if step.verb == "damage":
            die = int(game.table.items[action.item].weapon[1:]) if step.die == WEAPON else step.die
            # Twice the mean, so that all is whole numbers.
            twice = die + bool(die) + 2 * (step.amount + character.raw)
            twice += sum(more + bool(more) + 2 * constant for more, constant in additions(action))
            twice = twice * character.focal // 10 - 2 * total(mitigation_lines(action))
            value += HP * max(0, twice) // 2
        else:
            value += _effect(step.verb, step.amount)
    return value + sum(_effect(verb, amount) for verb, amount, _ in action.added)


def _effect(verb: str, amount: Any) -> int:
    if verb == "slowed":
        return 20 if amount == 2 else 8
    return {"bleed": 18, "hemorrhage": 30, "stunned": 12, "hurt": HP}.get(verb, 0) * int(amount)
