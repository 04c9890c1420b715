"""What callers do between nodes: fork, key, save, load, a fresh encounter; at the start and deep in the agenda."""

from __future__ import annotations

import random
from collections.abc import Callable

from referee.content import load
from referee.engine import Encounter, Together


def at_depth(name: str, tries: int = 4000) -> tuple[Encounter, Encounter]:
    """An encounter at its first question, and one at a question as deep in the agenda as random play came."""
    content = load(name)
    first = Encounter.start(content, 1)
    draw = random.Random(1).random
    deepest, depth = first, 0
    encounter = first.fork()
    for _ in range(tries):
        if encounter.question is None:
            encounter = first.fork()
        seat = encounter.asked()[0] if type(encounter.question) is Together else None
        choice = encounter.choice(seat)
        encounter.answer(choice.offers[int(draw() * len(choice.offers))], seat)
        if encounter.question is not None and len(encounter.game.agenda) > depth:
            deepest, depth = encounter.fork(), len(encounter.game.agenda)
    return first, deepest


def operations(encounter: Encounter) -> dict[str, Callable[[], object]]:
    """The calls whose time is taken; results are checked equal first."""
    data = encounter.save()
    content = encounter.content
    again = Encounter.load(data, content)
    if again.key() != encounter.key() or again.save() != data or encounter.fork().key() != encounter.key():
        raise SystemExit("a save or a fork is not what it was made of")
    return {
        "fork": encounter.fork,
        "key": encounter.key,
        "save": encounter.save,
        "load": lambda: Encounter.load(data, content),
        "fresh encounter": lambda: Encounter.start(content, 1, log=False),
    }
