"""Views: all that one seat may know, and nothing else; and encounters imagined from it."""

from __future__ import annotations

from typing import Any

import msgspec

from . import hiding
from .frames import sentence
from .game import Game
from .questions import Choice, Together
from .records import hidden_fields, knows


class Unseen(msgspec.Struct, frozen=True, gc=False):
    """Stands for a value that the seat cannot know; `shown` is what everybody may know of it."""

    shown: Any = None


class View(msgspec.Struct, frozen=True, gc=False):
    """What a seat may know: the records with what is hidden replaced by `Unseen`, and who is asked for what.

    `underway` holds what the ruleset tells of what the agenda is doing, for its face.
    """

    seat: str
    round: int
    records: dict[str, dict[str, Any]]
    agenda: str
    asked: tuple[str, ...]
    sealed: tuple[str, ...]
    about: str
    result: Any
    underway: dict[str, Any]

    def bytes(self) -> bytes:
        """The view as JSON: what would be sent to the seat."""
        return msgspec.json.encode(self)


def view(game: Game, name: str) -> View:
    """All that the seat may know."""
    seat = game.seats[name]
    records: dict[str, dict[str, Any]] = {}
    strangers = hiding.unknown_to(game, name)
    for id, record in game.records.items():
        if strangers and hiding.of_hidden(game, record, strangers):
            continue
        records[id] = facts = {"kind": type(record).__name__, **msgspec.structs.asdict(record)}
        for field, mark in hidden_fields(record.__class__).items():
            if not knows(game, seat, record, mark):
                facts[field] = Unseen(mark.shown(facts[field]) if mark.shown else None)
        if strangers:
            for field in record.__struct_fields__:
                if facts[field].__class__ is not Unseen:
                    facts[field] = hiding.without(game, facts[field], strangers)
    question = game.question
    asked: tuple[str, ...] = ()
    sealed: tuple[str, ...] = ()
    if isinstance(question, Choice):
        asked = (question.seat,)
    elif isinstance(question, Together):
        assert game.branches is not None
        asked = tuple(seat for seat, branch in game.branches.items() if not branch.closed)
        sealed = tuple(seat for seat, branch in game.branches.items() if branch.closed)
    about = "" if question is None else question.about
    underway = dict(game.ruleset.underway(game, name))
    if strangers:
        underway = hiding.without(game, underway, strangers)
        away = hiding.unknown_seats(game, name)
        asked, sealed = (tuple(seat for seat in seats if seat not in away) for seats in (asked, sealed))
    return View(name, game.round, records, sentence(game.agenda), asked, sealed, about, game.result, underway)


def imagined(game: Game, name: str, rng: Any) -> Game:
    """A game drawn from those that look the same to the seat: hidden facts as the ruleset distributes them, nobody in hiding.

    It has no log, no history, no seed and no dice of its own: rolls are asked. Drafts and sealed answers of others are
    gone, for the GM too.
    """
    new = game.fork()
    new.history = None
    new.events = None
    new.start = None
    new.dice = None
    new.remembered = {}
    # Counts of what others have drafted, rolled and learned.
    new.nodes = new.rolls = 0
    new.learned = {}
    redraw(new, name, rng)
    question = new.question
    if new.branches is not None:
        new.branches = {seat: branch for seat, branch in new.branches.items() if seat == name}
    elif question is None or (isinstance(question, Choice) and question.seat == name):
        return new
    # What others are asked, and what is rolled, follows from what was drawn for them.
    new.question = None
    new.run()
    return new


def redraw(game: Game, name: str, rng: Any) -> None:
    """Draws what a seat cannot know anew, in place: whoever hides from it is not there, then what the ruleset distributes."""
    if game.seats[name].role == "gm":
        return
    if game.unseen:
        hiding.forget(game, name)
    game.ruleset.possible(game, name, rng)
    game.edited.clear()
