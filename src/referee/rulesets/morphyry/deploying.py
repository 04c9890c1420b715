"""Phase 3's acts: a technique card comes into play, an artifact into use."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine import Game, Id, Reason
from .checks import techniques
from .records import Held


def cannot_deploy(game: Game, who: Id) -> Iterator[Reason]:
    """Why an avatar may put no technique card into play now."""
    record = game.records[who]
    if record.prone:
        yield Reason("prone", (), ("MOR-FAIL-9",))
    in_play = techniques(game, who)
    if len(in_play) >= game.policy["max_techniques"]:
        yield Reason("in_play", (in_play[0].card,), ("MOR-TURN-8",))


def put_into_play(game: Game, who: Id, card: Id) -> None:
    """Deploys a technique card from the hand; from now on it is known (MOR-HIDE-3)."""
    slots = game.table.slots[who]
    for slot in slots:
        if not game.records[slot].card:
            game.edit(slot).card = card
            break
    record = game.edit(who)
    place = record.hand.index(card)
    record.hand = record.hand[:place] + record.hand[place + 1 :]
    rules: tuple[str, ...] = ("MOR-CARD-4",)
    if card not in record.seen:
        record.seen = tuple(sorted((*record.seen, card)))
        if game.policy["hands"] == "hidden":
            game.reveal()
        rules = ("MOR-CARD-4", "MOR-HIDE-3")
    if len(slots) > 1 and len(techniques(game, who)) > 1:
        rules = (*rules, "MOR-TURN-8")
    if game.events is not None:
        game.log("deploys", who=who, card=card, kind_of_card=game.table.techniques[card].card.kind, rules=rules)


def utilise(game: Game, who: Id, artifact: Id) -> None:
    """Takes a carried artifact into use; it is to be readied (MOR-CARD-5)."""
    record = game.edit(who)
    place = next(place for place, held in enumerate(record.artifacts) if held.id == artifact and not held.utilised)
    readies = record.artifacts[place].readies
    record.artifacts = (*record.artifacts[:place], Held(artifact, True, readies), *record.artifacts[place + 1 :])
    game.log("utilises", who=who, artifact=artifact, readies=readies, rules=("MOR-CARD-5",))
