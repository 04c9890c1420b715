"""What a seat cannot know of the others' hands, and how it is distributed for it (MOR-HIDE-4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ...dice import Stream
from ...engine import Game, Hiding, Id, Secret, in_hiding
from .records import AvatarRecord

if TYPE_CHECKING:
    from .sheets import Table


# Whoever is the only one in sight is asked or rolls just then, and so cannot hide.
HIDING: Final = Hiding(kind=AvatarRecord, course=("Combat",), rules=("MOR-HIDE-6",))


def hiding_on(game: Game, cell: str) -> Id | None:
    """Who hides on a square (MOR-HIDE-7)."""
    return next((who for who in in_hiding(game, game.table.order) if game.records[who].at == cell), None)


def possible(game: Game, seat: str, rng: Stream) -> None:
    """Draws the unseen cards of every hand that the seat does not know: any set of the pool, each equally likely."""
    if game.policy["hands"] == "open":
        return
    table: Table = game.table
    own = game.seats[seat].figures
    for who in table.order:
        record = game.records[who]
        if who in own or not record.hand:
            continue
        known = [card for card in record.hand if card in record.seen]
        unseen = len(record.hand) - len(known)
        if unseen:
            rest = [card for card in table.pool if card not in record.seen]
            game.edit(who).hand = tuple(sorted((*known, *rng.sample(rest, unseen))))


def hand_seen_by(game: Game, who: str, seat: str) -> tuple[str, ...] | str:
    """A hand as a seat sees it: its cards, or how many there are and which of them are known (MOR-HIDE-3)."""
    record = game.records[who]
    if who in game.seats[seat].figures or game.seats[seat].role == "gm" or game.policy["hands"] == "open":
        return tuple(record.hand)
    known = [card.replace("_", " ") for card in record.hand if card in record.seen]
    return f"{len(record.hand)} cards" + (f", among them {', '.join(known)}" if known else "")


def secrets(game: Game) -> Iterator[Secret]:
    """The cards in every hand, which a GM may show to all or have forgotten again (MOR-HIDE-1, MOR-HIDE-3)."""
    table: Table = game.table
    if game.policy["hands"] == "open" or game.result is not None:
        return
    for who in table.order:
        record = game.records[who]
        for card in sorted({*record.hand, *record.seen}):
            known = card in record.seen
            seen = tuple(each for each in record.seen if each != card) if known else (*record.seen, card)
            what = card.replace("_", " ") + ("" if card in record.hand else " (not in hand now)")
            yield Secret(f"{who}.{card}", who.replace("_", " ").title(), what, "the others", known, who, "seen", seen)
