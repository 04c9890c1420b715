"""Pictures of games and scenarios for the first page: drawn by templates from what everybody sees as an encounter begins."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from markupsafe import Markup

from ..engine import Content, Encounter, unknown_to
from . import looking, render

_MOST: Final = 4  # figures of a side in a picture of a game that has none of its own


def emblem(game: dict[str, Any]) -> Markup:
    """The picture of a game: its own, else its letter."""
    return Markup(_pictures(game["id"]).emblem(game))


def scenario(content: Content) -> Markup:
    """The picture of a scenario: its game's own, else its figures facing each other."""
    encounter = Encounter.start(content, log=False)
    ruleset = content.ruleset
    watching = next((seat.name for seat in encounter.game.seats.values() if seat.role == "spectator"), None)
    own = watching is not None and _has_own(ruleset.id)
    face = dict(ruleset.face(content, encounter.view(watching))) if own and ruleset.face is not None and watching else {}
    unknown = unknown_to(encounter.game, watching) if watching else ()
    sides: dict[str, list[dict[str, Any]]] = {}
    for seat in encounter.game.seats.values():
        if seat.role == "player":
            sides.setdefault(seat.side or seat.name, []).extend(
                looking.token(encounter, who) for who in seat.figures or (seat.name,) if who not in unknown
            )
    left: list[dict[str, Any]] = next(iter(sides.values()), [])
    right = [each for side in list(sides.values())[1:] for each in side]
    facts = {
        "face": face, "of": msgspec.to_builtins(content.scenario),
        "tokens": {who: looking.token(encounter, who) for who in looking.figures(encounter)},
        "first": [each["id"] for each in left],
        "left": left[:_MOST], "right": right[:_MOST],
    }  # fmt: skip
    return Markup(_pictures(ruleset.id).scenario(facts))


@cache
def _has_own(ruleset_id: str) -> bool:
    return render.has_face(ruleset_id) and (render.face_folder(ruleset_id) / "picture.html").is_file()


def _pictures(ruleset_id: str) -> Any:
    own = f"{ruleset_id}/picture.html" if _has_own(ruleset_id) else "picture.html"
    return render.environment().get_template(own).module
