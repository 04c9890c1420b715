"""Sides give up at any question, rolls included; the others play on to the end (SOL-END-5)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.content import registry
from referee.dice import Stream
from referee.engine import Content, Encounter, Roll
from referee.testkit.staging import stage

SIDES = [{"models": [{"model": model}]} for model in ("xul", "meena", "bouncer", "tekla")]
TABLES: dict[str, dict[str, Any]] = {
    "contests": {"base": "high_stakes", "sides": SIDES, "policies": {"turn_limit": 3}},
    "attacks": {
        "base": "high_stakes",
        "sides": SIDES,
        "weapons": "ready",
        "policies": {"contest_tie": "reroll", "turn_limit": 3},
    },
}


def play_and_give_up(content: Content, seed: int) -> Encounter:
    encounter = Encounter.start(content, debug=True, real_dice=True)
    rng = Stream(seed)
    while (question := encounter.question) is not None:
        players = [seat for seat, facts in encounter.game.seats.items() if facts.role == "player"]
        left = [seat for seat in players if not content.ruleset.conceded(encounter.game, seat)]
        if len(left) > 2 and rng.below(8 if isinstance(question, Roll) else 400) == 0:
            encounter.concede(rng.choose(left))
        elif isinstance(question, Roll):
            encounter.answer(question.spec.sample(rng))
        else:
            seat = rng.choose(encounter.asked())
            choice = encounter.choice(seat)
            assert choice is not None
            offers = choice.offers
            calls = [offer for offer in offers if offer.group == "contest"]
            encounter.answer(rng.choose(calls if calls and rng.below(2) else offers), seat)
    return encounter


@pytest.mark.parametrize("table", TABLES)
def test_the_others_play_on(table: str) -> None:
    content = stage(registry.get("soluna"), TABLES[table])
    given_up = 0
    for seed in range(40):
        encounter = play_and_give_up(content, seed)
        assert encounter.result is not None
        events = [event.kind for event in encounter.events()]
        given_up += events.count("concedes")
        for event in encounter.events():
            assert encounter.line(event)
    assert given_up > 10
