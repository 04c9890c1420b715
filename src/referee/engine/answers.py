"""Answers: what may be said to a game at a question, checked before anything changes; and recorded answers played again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..dice import ImpossibleRoll
from . import branches, hiding
from .errors import IllegalAnswer
from .frames import Ruling, copied
from .game import Entry, Game
from .questions import Choice, Offer, Roll, Together

Edits = Sequence[tuple[str, str, Any]] | Mapping[str, Mapping[str, Any]]


def asked(game: Game) -> tuple[str, ...]:
    """The seats that are asked now."""
    question = game.question
    if type(question) is Choice:
        return (question.seat,)
    # In the order of the branches, whatever the order in which they came to their questions.
    return tuple(seat for seat in game.branches or () if seat in game.asked_for) if type(question) is Together else ()


def choice_of(game: Game, seat: str | None = None) -> Choice | None:
    """The Choice before a seat, or before the one seat that is asked; None if it is not asked."""
    question = game.question
    if type(question) is Choice:
        return question if seat is None or seat == question.seat else None
    if type(question) is Together:
        if seat is None and len(game.asked_for) == 1:
            return next(iter(game.asked_for.values()))
        return game.asked_for.get(seat) if seat else None
    return None


def known(game: Game, seat: str | None) -> str | None:
    """The seat, if there is one of that name. IllegalAnswer if not."""
    if seat is not None and seat not in game.seats:
        raise IllegalAnswer(f"there is no seat {seat!r}; the seats are {', '.join(game.seats)}")
    return seat


def answer(game: Game, answer: Any, seat: str | None = None) -> None:
    """Answers the question of a game. IllegalAnswer, and nothing changed, if that is not on offer or the seat not asked."""
    question = game.question
    if type(question) is Choice:
        if seat is not None and seat != question.seat:
            raise _not_asked(game, seat)
        for offer in question.offers:
            if offer is answer:
                value = offer.value
                break
        else:
            value = _find(game, question, answer)
        game.note(("choice", question.seat, value))
        game.nodes += 1
        game.run(value, 1)
    elif type(question) is Roll:
        known(game, seat)
        outcome = _outcome(question, answer)
        game.note(("roll", outcome))
        game.rolls += 1
        game.nodes += 1
        game.run(outcome, 1)
    elif type(question) is Together:
        _answer_in_secret(game, answer, seat)
    else:
        raise IllegalAnswer("the encounter is over; nothing is asked")


def _answer_in_secret(game: Game, answer: Any, seat: str | None) -> None:
    choice = choice_of(game, known(game, seat))
    if choice is None:
        raise _not_asked(game, seat)
    value = _find(game, choice, answer)
    game.nodes += 1
    branches.draft(game, choice.seat, value)
    sealed = branches.revealed(game)
    if sealed is not None:
        game.run(sealed, 1)


def take_back(game: Game, seat: str) -> None:
    """Takes back what a seat has drafted or sealed in secret. IllegalAnswer if there is nothing."""
    if game.branches is None or seat not in game.branches:
        raise IllegalAnswer(f"{seat} has nothing sealed or drafted to take back")
    branch = game.branches[seat]
    if not branch.answers:
        raise IllegalAnswer(f"{seat} has nothing sealed or drafted to take back")
    game.nodes -= len(branch.answers)
    branch.agenda, branch.answers, branch.closed, branch.sealed = [copied(branch.first)], (), False, None
    branches.run(game, seat)


def _not_asked(game: Game, seat: str | None) -> IllegalAnswer:
    known(game, seat)
    seats = ", ".join(asked(game))
    if seat is None:
        return IllegalAnswer(f"several seats are asked: say which one answers ({seats})")
    return IllegalAnswer(f"{seat} is not asked now; asked is {seats or 'nobody'}")


def _find(game: Game, choice: Choice, answer: Any) -> Any:
    offers = choice.offers
    for offer in offers:
        if offer is answer:
            return offer.value
    if isinstance(answer, Offer):
        answer = answer.value
    answer = as_value(answer)
    for offer in offers:
        if offer.value == answer and same(offer.value, answer):
            return offer.value
    label = game.ruleset.words.label
    labels = [str(label(game, choice, offer)) for offer in offers]
    named = [offer for offer, text in zip(offers, labels, strict=True) if text == answer]
    if len(named) == 1:
        return named[0].value
    shown = "; ".join(labels[:12]) + (f"; and {len(labels) - 12} more" if len(labels) > 12 else "")
    raise IllegalAnswer(f"{answer!r} is not on offer to {choice.seat}; on offer: {shown}")


def _outcome(roll: Roll, answer: Any) -> Any:
    if isinstance(answer, str):
        try:
            return roll.spec.read(answer)
        except ImpossibleRoll as wrong:
            raise IllegalAnswer(str(wrong)) from None
    outcome = as_value(answer)
    if not roll.spec.allows(outcome):
        raise IllegalAnswer(f"{roll.spec} cannot show {answer!r}")
    return outcome


def concede(game: Game, seat: str) -> None:
    """The side of a seat gives up. IllegalAnswer if it cannot."""
    known(game, seat)
    if game.question is None:
        raise IllegalAnswer("the encounter is over; there is nothing to concede")
    if game.ruleset.concede is None or game.seats[seat].role != "player":
        raise IllegalAnswer(f"{seat} has nothing to concede")
    if game.ruleset.conceded(game, seat):
        raise IllegalAnswer(f"{seat} has left already")
    leaving = game.ruleset.concede(game, seat)  # may refuse, then nothing is noted
    game.note(("concede", seat))
    game.interrupt(leaving)


def rule(game: Game, edits: Edits, reason: str, by: str) -> None:
    """A GM's ruling. IllegalAnswer, and nothing changed, if an edit does not fit."""
    if game.question is None:
        raise IllegalAnswer("the encounter is over; nothing is left to rule on")
    if not reason.strip():
        raise IllegalAnswer("a ruling needs a reason")
    if isinstance(edits, Mapping):
        edits = [(id, field, value) for id, fields in edits.items() for field, value in fields.items()]
    if not all(isinstance(edit, list | tuple) and len(edit) == 3 for edit in edits):
        raise IllegalAnswer("each edit of a ruling names a record, a field and a value")
    checked = tuple((id, field, _fitting(game, id, field, value)) for id, field, value in edits)
    for id, field, value in checked:
        if why := hiding.unfit(game, id, field, value):
            raise IllegalAnswer(why)
    _try_ruling(game, Ruling(checked, reason, by))
    game.note(("ruling", by, reason, as_value(msgspec.to_builtins(checked))))
    game.interrupt(Ruling(checked, reason, by))


def _try_ruling(game: Game, ruling: Ruling) -> None:
    """Values that fit their types may still name what is not there: the ruling is tried on a fork first."""
    trial = game.fork()
    trial.history = None
    try:
        trial.interrupt(ruling)
        for complaint in trial.ruleset.invariants(trial) if trial.result is None else ():
            raise ValueError(complaint)
    except Exception as wrong:
        edits = ", ".join(f"{id}.{field} = {value!r}" for id, field, value in ruling.edits)
        raise IllegalAnswer(f"the game cannot go on with {edits}: {wrong}") from None


def _fitting(game: Game, id: str, field: str, value: Any) -> Any:
    record = game.records.get(id)
    if record is None:
        raise IllegalAnswer(f"there is no record {id!r}; there are {', '.join(game.records)}")
    kinds = {each.name: each.type for each in msgspec.structs.fields(type(record)) if each.name != "id"}
    if field not in kinds:
        raise IllegalAnswer(f"{id} has no field {field!r} to rule on; it has {', '.join(kinds)}")
    try:
        return msgspec.convert(as_value(value), kinds[field])
    except msgspec.ValidationError as wrong:
        raise IllegalAnswer(f"{value!r} does not fit {id}.{field}: {wrong}") from None


def as_value(answer: Any) -> Any:
    """Lists as tuples, however deep: what JSON and people hand in as offers hold it."""
    return tuple(as_value(each) for each in answer) if isinstance(answer, list | tuple) else answer


def same(one: Any, other: Any) -> bool:
    """Whether two equal values are of equal types too, however deep: 1 is not True."""
    if type(one) is tuple:
        return type(other) is tuple and all(map(same, one, other))
    return type(one) is type(other)


def effective(history: Sequence[Entry]) -> list[Entry]:
    """The entries that still count when what was undone is left out."""
    played: list[Entry] = []
    for entry in history:
        if entry[0] == "undo":
            del played[entry[1] :]
        else:
            played.append(entry)
    return played


def seats_in(entry: Entry) -> tuple[str, ...]:
    """The seats whose answer an entry records."""
    if entry[0] in ("choice", "concede", "ruling"):
        return (entry[1],)
    return tuple(seat for seat, values in entry[1] if values) if entry[0] == "together" else ()


def rolls_seen(game: Game, tail: Sequence[Entry]) -> dict[bytes, Any]:
    """What the rolls showed in entries that were played on from a game, by the key of the game that rolled."""
    ahead = game.fork()
    ahead.history = None
    ahead.events = None
    seen = {}
    for entry in tail:
        if entry[0] == "roll":
            seen[ahead.key()] = entry[1]
        feed(ahead, entry)
    return seen


def feed(game: Game, entry: Entry) -> None:
    """Plays one recorded entry. IllegalAnswer if the game asks for something else."""
    kind = entry[0]
    question = game.question
    if kind == "choice":
        if type(question) is not Choice:
            raise IllegalAnswer(f"an answer of {entry[1]} is recorded where none is asked")
        answer(game, entry[2], entry[1])
    elif kind == "roll":
        if type(question) is not Roll:
            raise IllegalAnswer("a roll is recorded where none is asked")
        answer(game, entry[1])
    elif kind == "together":
        if type(question) is not Together:
            raise IllegalAnswer("secret answers are recorded where none are asked")
        for seat, values in entry[1]:
            for value in values:
                answer(game, value, seat)
    elif kind == "concede":
        concede(game, entry[1])
    elif kind == "ruling":
        rule(game, entry[3], entry[2], entry[1])
    else:
        raise IllegalAnswer(f"an entry of an unknown kind: {kind!r}")
