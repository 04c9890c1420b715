"""Cards and artifacts come and go, and none is lost or made."""

from collections import Counter

import pytest

from referee import load_content
from referee.dice import Stream
from referee.engine import Encounter


def cards_of(encounter, who):
    record = encounter.game.records[who]
    played = [encounter.game.records[slot].card for slot in encounter.game.table.slots[who]]
    return Counter([*record.hand, *record.aside, *filter(None, played)])


def artifacts_of(encounter):
    held = [each.id for who in encounter.game.table.order for each in encounter.game.records[who].artifacts]
    return Counter([*held, *(id for _, id in encounter.game.records["ground"].lying)])


@pytest.mark.parametrize("scenario", ["broken_stair", "altar_of_dust"])
def test_no_card_is_lost_and_no_artifact_made(scenario):
    content = load_content(f"morphyry/{scenario}")
    broken = 0
    for seed in range(20):
        encounter = Encounter.start(content, seed)
        rng = Stream.named(seed, "cards")
        order = encounter.game.table.order
        dealt, brought = {who: cards_of(encounter, who) for who in order}, artifacts_of(encounter)
        while encounter.question is not None:
            encounter.answer(rng.choose(encounter.question.offers))
            for who in order:
                if not encounter.game.records[who].out:
                    assert cards_of(encounter, who) == dealt[who]
            lost = brought - artifacts_of(encounter)
            assert not artifacts_of(encounter) - brought
            breaks = sum(event.kind == "break_roll" and event["broken"] for event in encounter.events())
            assert sum(lost.values()) == breaks
        broken += breaks
    assert scenario != "broken_stair" or broken
