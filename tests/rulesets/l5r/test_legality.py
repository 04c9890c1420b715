"""What is kept of earlier questions never differs from what the rules say anew: actions, stances, finishing blows."""

import random
from typing import Any

import pytest

from referee.content import load
from referee.engine import PASS, Choice, Encounter, legal
from referee.rulesets.l5r.actions import action_values
from referee.rulesets.l5r.attack import attack_values, cannot_attack
from referee.rulesets.l5r.cards import RINGS
from referee.rulesets.l5r.turn import cannot_do, cannot_take


def anew(game: Any, choice: Choice) -> list[Any] | None:
    """The answers of a question by the rules alone, free moves and grips apart; None for other questions."""
    frame = game.agenda[-1]
    if choice.about == "action":
        values = [value for value in action_values(game, choice.who) if legal(cannot_do(game, frame, value))]
        return values if not frame.acted else [value for value in values if value != ("nothing",)]
    if choice.about == "stance":
        return [("stance", ring) for ring in RINGS if legal(cannot_take(game, frame, ring))]
    if choice.about == "finishing_blow":
        values = [value for value in attack_values(game, choice.who) if value[1] == frame.target]
        return [value for value in values if legal(cannot_attack(game, choice.who, value, finishing=True))]
    return None


@pytest.mark.parametrize("scenario", ["duel_at_dawn", "to_the_death", "kata", "ambush"])
def test_what_is_remembered_is_what_the_rules_say(scenario: str) -> None:
    content = load(f"l5r/{scenario}")
    draw = random.Random(7)
    seen = 0
    for seed in range(4):
        encounter = Encounter.start(content, seed, log=False)
        while encounter.question is not None:
            choice = encounter.choice(encounter.asked()[0])
            assert choice is not None
            expected = anew(encounter.game, choice)
            if expected is not None:
                offered = [offer.value for offer in choice.offers if offer is not PASS]
                assert [
                    value for value in offered if value != "end" and str(value[0]) not in ("move", "grip", "drop")
                ] == expected  # type: ignore[index]
                seen += 1
            encounter.answer(draw.choice(choice.offers), choice.seat)
    assert seen > 100
