"""The numbers in an offer, line by line, and the numbers that scene files may ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from ...engine import Breakdown, Choice, Game, Offer
from ...engine import breakdown as explained
from .cards import CARDS, Avatar, card_problems
from .checks import current, needed_lines, speed_lines, stride_lines, techniques
from .words import attribute_card


def breakdown(game: Game, choice: Choice, offer: Offer) -> Iterator[Breakdown]:
    """Speed of an invocation, points of a Step, points of the calls that a tick leads to."""
    who = choice.who
    value = offer.value
    verb = value[0] if isinstance(value, tuple) else value
    if verb == "invoke" and isinstance(value, tuple):
        yield explained("speed", speed_lines(game, who, int(value[1])), 0)  # type: ignore[arg-type]
    elif verb == "step":
        yield explained("stride", stride_lines(game, who), 0)
    elif verb == "tick" and isinstance(value, tuple):
        technique = game.records[game.table.slots[who][int(value[1]) - 1]]  # type: ignore[arg-type]
        action = current(game, technique)
        for call, called in enumerate(action.calls):
            yield explained(called.name, needed_lines(game, who, technique, action, call), 0)
    elif verb in ("interrupt", "change") and isinstance(value, tuple):
        technique = next(each for each in techniques(game, who) if each.card == value[1])
        inertia = current(game, technique).inertia
        yield explained("cost", ((1, "interrupting", "MOR-INERT-2"), (inertia, "inertia", "MOR-INERT-1")))


def allowed_pips(**attributes: int) -> bool:
    """MOR-CARD-1: whether an avatar card with these attributes is accepted; what is left out is missing."""
    try:
        avatar = msgspec.convert({"id": "somebody", "hand": [], **attributes}, Avatar)
    except msgspec.ValidationError:
        return False
    cards: dict[str, dict[str, Any]] = {kind: {} for kind in CARDS} | {"avatars": {"somebody": avatar}}
    return not [problem for problem in card_problems(cards) if not problem.note]


CASES: Final[dict[str, Callable[..., Any]]] = {"allowed_pips": allowed_pips, "attribute_card": attribute_card}
