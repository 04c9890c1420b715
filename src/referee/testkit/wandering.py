"""Random answers to whatever is asked, and all of a state as bytes, to be compared."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ..dice import Stream
from ..engine import Encounter, Roll

NODES: Final = 20_000
"""An encounter of more questions counts as one that never ends."""


def answer_at_random(encounter: Encounter, rng: Stream) -> Any:
    """Answers with any offer of any seat that is asked; a roll with any outcome. Says what was answered."""
    question = encounter.question
    if isinstance(question, Roll):
        outcome = question.spec.sample(rng)
        encounter.answer(outcome)
        return None, outcome
    asked = encounter.asked()
    seat = asked[0] if len(asked) == 1 else rng.choose(asked)
    choice = encounter.choice(seat)
    assert choice is not None
    offer = rng.choose(choice.offers)
    encounter.answer(offer, seat)
    return seat, offer.value


def play_on(encounter: Encounter, rng: Stream, questions: int) -> None:
    """Answers at random for so many questions, or to the end."""
    for _ in range(questions):
        if encounter.question is None:
            return
        answer_at_random(encounter, rng)


def asks(encounter: Encounter, seat: str | None = None) -> bytes:
    """All of a question that matters, as bytes: who is asked what, offers and refusals; to one seat, or to all."""
    question = encounter.question
    if isinstance(question, Roll):
        return msgspec.json.encode((question.about, str(question.spec), question.who, question.facts))
    told = []
    for each in encounter.asked():
        if seat is None or each == seat:
            choice = encounter.choice(each)
            assert choice is not None
            facts = (choice.seat, choice.about, choice.who, choice.form, choice.always, choice.facts, choice.offers)
            told.append((facts, encounter.refusals(each)))
    return msgspec.json.encode((type(question).__name__, told, encounter.result))


def state(encounter: Encounter) -> tuple[bytes, bytes, bytes]:
    """Everything of an encounter as bytes: save, key, log."""
    return encounter.save(), encounter.key(), msgspec.json.encode(encounter.events())
