"""What can never be, whatever is played: looked at after every answer of a soak, and before a ruling is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine import Game, Id, in_hiding
from .checks import avatar, living, techniques
from .records import AvatarRecord

if TYPE_CHECKING:
    from .sheets import Table

DEBTS = {"fall", "ready", "alternate_ready"}


def invariants(game: Game) -> Iterator[str]:
    """What is wrong with a state, in words; nothing if all is well."""
    table: Table = game.table
    places = [avatar(game, who).at for who in (*living(game), *in_hiding(game, table.order))]
    if len(set(places)) < len(places):
        yield "two avatars stand on one square"
    for who in living(game):
        record = avatar(game, who)
        if record.at not in table.grid:
            yield f"{who} stands on {record.at}, which is no square"
        yield from _numbers(record)
        yield from _cards(game, who, record)
        if record.prone != ("ready" in record.debts):
            yield f"{who} is {'prone' if record.prone else 'not prone'} and owes {record.debts}"
        if set(record.debts) - DEBTS:
            yield f"{who} owes {record.debts}"
    yield from _artifacts(game)


def _numbers(record: AvatarRecord) -> Iterator[str]:
    for attribute in ("corpus", "electra", "spiritum"):
        rating, pool = getattr(record, attribute), getattr(record, f"{attribute}_pool")
        if not 0 <= pool <= rating <= 7:
            yield f"{record.id} has {attribute} {pool} of {rating}"
    if not 0 < record.spirit <= 20:
        yield f"{record.id} has {record.spirit} spirit points"
    if record.speed < 0 or record.stepped > 2 or record.healed > 2:
        yield f"{record.id} has Speed {record.speed}, stepped {record.stepped} and healed {record.healed} times"


def _cards(game: Game, who: Id, record: AvatarRecord) -> Iterator[str]:
    table: Table = game.table
    held = [*record.hand, *record.aside, *(technique.card for technique in techniques(game, who))]
    if len(set(held)) < len(held):
        yield f"{who} has a card twice among {sorted(held)}"
    if strange := [card for card in held if card not in table.techniques]:
        yield f"{who} has {strange[0]}, which is no technique of this encounter"
        return
    for technique in techniques(game, who):
        actions = table.techniques[technique.card].actions
        if technique.action >= len(actions) or technique.ticks > actions[technique.action].ticks or technique.drive < 0:
            yield f"{technique.card} stands at action {technique.action}, tick {technique.ticks}, drive {technique.drive}"


def _artifacts(game: Game) -> Iterator[str]:
    table: Table = game.table
    lying = game.records["ground"].lying
    there = [id for _, id in lying]
    for who in table.order:
        held = [each.id for each in avatar(game, who).artifacts]
        there += held
        if sum(table.artifacts[id].weapon for id in held if id in table.artifacts) > 1:
            yield f"{who} holds two weapons"
    if strange := [id for id in there if id not in table.artifacts]:
        yield f"there is {strange[0]}, which is no artifact of this encounter"
    if strange := [cell for cell, _ in lying if cell not in table.grid]:
        yield f"something lies on {strange[0]}, which is no square"
