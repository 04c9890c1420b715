"""Figures in hiding: out of play and out of sight for all but their own side and the GM, until they come out or are found.

A figure's record says in one field why it takes no part; `HIDDEN` there means that it hides. So rules that leave out whoever
takes no part leave it out too, and here is only what that does not bring about: who may know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from .errors import IllegalAnswer, RuleError
from .events import Event, Veiled
from .records import Id

if TYPE_CHECKING:
    from .frames import Frame
    from .game import Game
    from .ruleset import Seat

HIDDEN: Final = "hidden"
"""In the field that `Hiding` names: the figure hides."""
NOWHERE: Final = "nowhere"
"""In an encounter imagined by a seat that does not know of the figure: it is not there at all."""


@dataclass(frozen=True)
class Hiding:
    """Declares that figures of this kind of record may hide, and in which field it then says `HIDDEN` (empty: it takes part).

    `course` names the frames that are the course of play, whose facts list everybody: a figure that another frame names is in
    the middle of something and cannot hide. `rules` are cited where a GM hides or reveals. `refuses` says in words why else a
    figure cannot hide now. `returns` is called once a figure has come out, and may return a frame.
    """

    kind: type[Any]
    course: tuple[str, ...]
    field: str = "out"
    rules: tuple[str, ...] = ()
    refuses: Callable[[Any, Id], Iterable[str]] = lambda game, who: ()
    returns: Callable[[Any, Id], Frame | None] = lambda game, who: None


def out_of_sight(game: Game) -> tuple[Id, ...]:
    """The figures that hide, or are not there in an imagined encounter. Kept as `game.unseen`."""
    hiding = game.ruleset.hiding
    if not isinstance(hiding, Hiding):
        return ()
    kind, field = hiding.kind, hiding.field
    return tuple(
        id for id, record in game.records.items() if record.__class__ is kind and getattr(record, field) in (HIDDEN, NOWHERE)
    )


def hides(game: Game, who: Id) -> bool:
    """Whether a figure hides."""
    return who in game.unseen and getattr(game.records[who], _hiding(game).field) == HIDDEN


def in_hiding(game: Game, figures: Iterable[Id]) -> tuple[Id, ...]:
    """Those among some figures that hide."""
    return tuple(who for who in figures if hides(game, who)) if game.unseen else ()


def of_hidden(game: Game, record: Any, figures: tuple[Id, ...] | None = None) -> bool:
    """Whether a record is a figure's that hides (or one of these), or belongs to it."""
    figures = game.unseen if figures is None else figures
    return bool(figures) and (record.id in figures or getattr(record, "owner", None) in figures)


def go_into(game: Game, who: Id, reason: str, by: str) -> None:
    """Puts a figure into hiding, before the eyes of all."""
    game.log("hides", who=who, reason=reason, by=by, rules=_hiding(game).rules)
    setattr(game.edit(who), _hiding(game).field, HIDDEN)
    game.unseen = out_of_sight(game)


def show(game: Game, who: Id, why: str, rules: tuple[str, ...] = (), **facts: Any) -> None:
    """Brings a figure out of hiding; everybody learns of it. What follows is for `returns`."""
    rules = rules or _hiding(game).rules
    setattr(game.edit(who), _hiding(game).field, "")
    game.unseen = out_of_sight(game)
    game.reveal()
    game.log("comes_out", who=who, why=why, rules=rules, **facts)


def returns(game: Game, who: Id) -> Frame | None:
    """What the ruleset has follow when a figure has come out."""
    return _hiding(game).returns(game, who)


def in_words(event: Event, who: str) -> str:
    """The line of a figure that hides or comes out, `who` being its name."""
    if event.kind == "hides":
        return f"{who} goes into hiding: ruling by {event['by']} ({event['reason']})"
    if event["why"] == "ruling":
        return f"{who} comes out of hiding: ruling by {event['by']} ({event['reason']})"
    return {
        "found": f"{who} was hiding there and is found",
        "alone": f"{who} comes out of hiding: nobody else of that side is left",
        "end": f"{who} comes out of hiding: the last round is over",
        "leaves": f"{who} comes out of hiding",
    }[event["why"]]


def come_out(game: Game, who: Id, why: str, rules: tuple[str, ...] = ()) -> Frame | None:
    """Brings a figure out of hiding, with what follows. `why` is "found", "alone" (no other of its side is left), "end" or
    "leaves"."""
    show(game, who, why, rules)
    return returns(game, who)


def _hiding(game: Game) -> Hiding:
    hiding = game.ruleset.hiding
    if not isinstance(hiding, Hiding):
        raise RuleError(hiding)
    return hiding


# Who knows of whom


def unknown_to(game: Game, name: str) -> tuple[Id, ...]:
    """The figures in hiding that a seat knows nothing of."""
    return _strangers(game, game.seats[name], game.unseen) if game.unseen else ()


def _strangers(game: Game, seat: Seat, figures: tuple[Id, ...]) -> tuple[Id, ...]:
    if seat.role == "gm":
        return ()
    if seat.role != "player":
        return figures
    return tuple(who for who in figures if game.seats[game.seat_of[who]].side != seat.side)


def unknown_seats(game: Game, name: str) -> tuple[str, ...]:
    """The seats all of whose figures hide and are unknown to a seat: it cannot know that anybody sits there."""
    strangers = unknown_to(game, name)
    if not strangers:
        return ()
    return tuple(seat.name for seat in game.seats.values() if seat.figures and set(seat.figures) <= set(strangers))


def told(game: Game, events: list[Event], name: str) -> list[Event]:
    """The lines of a log that a seat is told, without whoever hid when it happened."""
    seat = game.seats[name]
    if seat.role == "gm":
        return events
    # A view begins with this: in long logs the lines are many, and hardly any is veiled.
    seen = [event for event in events if event.seen_by is None or name in event.seen_by]
    return [line for each in seen if (line := each if each.__class__ is Event else _unveiled(game, each, seat)) is not None]


def _unveiled(game: Game, event: Event, seat: Seat) -> Event | None:
    assert isinstance(event, Veiled)
    strangers = _strangers(game, seat, event.unseen)
    if any(fact in strangers for fact in event.facts.values() if isinstance(fact, str)):
        return None
    # The same line where there is nobody to leave out.
    facts = {fact: without(game, value, strangers) for fact, value in event.facts.items()}
    return Event(event.kind, facts, event.rules, event.seen_by, event.depth, event.explain)


def without(game: Game, value: Any, strangers: tuple[Id, ...]) -> Any:
    """A value in which nothing names one of these figures: lists of figures lose them, rows about one go, a name is empty."""
    if isinstance(value, str):
        return "" if value in strangers else value
    if not value or isinstance(value, int):
        return value
    if isinstance(value, dict):
        return {key: without(game, each, strangers) for key, each in value.items() if key not in strangers}
    if isinstance(value, list | tuple):
        figures = _figures(game, value)
        kept = [
            without(game, each, strangers)
            for each in value
            if not (each in strangers if figures else _row_about(game, each, strangers))
        ]
        return kept if isinstance(value, list) else tuple(kept)
    return value


def _figures(game: Game, value: Any) -> bool:
    """Whether this is a list of figures."""
    return all(isinstance(each, str) and each in game.seat_of for each in value)


def _row_about(game: Game, value: Any, strangers: tuple[Id, ...]) -> bool:
    """Whether this, in a list, is a row that names one of these figures beside other things."""
    if not isinstance(value, list | tuple) or _figures(game, value):
        return False
    return any(isinstance(each, str) and each in strangers for each in value)


def forget(game: Game, name: str) -> None:
    """Makes an imagined encounter of a seat one in which nobody hides that it does not know of."""
    for who in unknown_to(game, name):
        for id, record in list(game.records.items()):
            if id == who or getattr(record, "owner", None) == who:
                game.records[id] = _empty(record)
                game.owned.add(id)
        setattr(game.records[who], _hiding(game).field, NOWHERE)


def _empty(record: Any) -> Any:
    """A record that tells nothing: its own id and owner, all else as it is by default."""
    facts: dict[str, Any] = {"id": record.id} | ({"owner": record.owner} if hasattr(record, "owner") else {})
    for field in msgspec.structs.fields(type(record)):
        if field.required and field.name not in facts:
            facts[field.name] = type(getattr(record, field.name))()
    return type(record)(**facts)


# Rulings


def decides(game: Game, id: Id, field: str) -> bool:
    """Whether it depends on this field of a record whether a figure hides."""
    hiding = game.ruleset.hiding
    return isinstance(hiding, Hiding) and field == hiding.field and game.records[id].__class__ is hiding.kind


def ruling(game: Game, who: Id, value: str) -> list[tuple[Id, str, str]]:
    """The edits of a ruling that hides a figure (`HIDDEN`) or reveals it (empty). IllegalAnswer if that cannot be."""
    hiding = game.ruleset.hiding
    if not isinstance(hiding, Hiding):
        raise IllegalAnswer(hiding)
    if not value and (who not in game.records or not hides(game, who)):
        raise IllegalAnswer(f"{who} does not hide")
    return [(who, hiding.field, value)]


def unfit(game: Game, id: Id, field: str, value: Any) -> str:
    """Why a ruling may not set this, as far as hiding is concerned; empty if it may."""
    if value == HIDDEN and id in game.seat_of and (decides(game, id, field) or not isinstance(game.ruleset.hiding, Hiding)):
        return why_not(game, id)
    if value == NOWHERE and decides(game, id, field):
        return f"nobody is ruled to be {NOWHERE!r}; {HIDDEN!r} hides a figure"
    return ""


def why_not(game: Game, who: Id) -> str:
    """Why a figure cannot go into hiding now, as a sentence's end; empty if it can."""
    hiding = game.ruleset.hiding
    if not isinstance(hiding, Hiding):
        return str(hiding)
    record = game.records.get(who)
    if record is None or record.__class__ is not hiding.kind or who not in game.seat_of:
        return f"{who} is no figure"
    state = getattr(record, hiding.field)
    if state:
        return f"{who} hides already" if state == HIDDEN else f"{who} takes no part any more ({state})"
    refused = next(iter(hiding.refuses(game, who)), "")
    if refused:
        return refused
    question: Any = game.question
    if getattr(question, "who", None) == who or any(choice.who == who for choice in game.asked_for.values() if game.branches):
        return f"{who} is asked something just now"
    if game.branches is not None and game.seat_of[who] in game.branches:
        return f"{game.seat_of[who]} takes part in what is decided in secret just now"
    drafts = [frame for branch in (game.branches or {}).values() for frame in branch.agenda]
    for frame in (*game.agenda, *drafts):
        if type(frame).__name__ not in hiding.course and _names(frame, who):
            return f"{who} takes part in what is going on just now; wait until that is over"
    return ""


def _names(value: Any, who: Id) -> bool:
    if isinstance(value, str):
        # Reactions are noted as "figure reaction".
        return value == who or value.startswith(f"{who} ")
    if isinstance(value, msgspec.Struct):
        return any(_names(getattr(value, field), who) for field in value.__struct_fields__)
    return isinstance(value, tuple) and any(_names(each, who) for each in value)
