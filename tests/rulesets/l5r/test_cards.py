"""What is wrong with characters, techniques and scenarios that are refused, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.content import registry
from referee.content.checking import check
from referee.content.faults import ContentError
from referee.testkit.staging import stage

RINGS = "rings: {air: 2, earth: 2, fire: 2, water: 2, void: 2}"
CARDS = {
    "a pc with a printed value": (
        f"characters: [{{id: ako, kind: pc, {RINGS}, honour: 50, endurance: 9}}]",
        "ako is a pc, whose endurance is not printed; leave it out: it is reckoned as 8 (L5R-DER-1)",
    ),
    "an npc without one": (
        f"characters: [{{id: ako, kind: minion, {RINGS}, honour: 50, composure: 8, focus: 4, vigilance: 2}}]",
        "ako has no printed endurance; add `endurance:` (L5R-DER-2)",
    ),
    "four rings": (
        "characters: [{id: ako, kind: pc, rings: {air: 2, earth: 2, fire: 2, water: 2}, honour: 50}]",
        "ako has no void ring; give all five rings, 1 to 5 (L5R-CHR-1)",
    ),
    "a group of skills for a pc": (
        f"characters: [{{id: ako, kind: pc, {RINGS}, honour: 50, skills: {{martial: 2}}}}]",
        "'martial' is a group of an NPC's skills; name skills: melee",
    ),
    "too many Void points": (
        f"characters: [{{id: ako, kind: pc, {RINGS}, honour: 50, void: 3}}]",
        "ako has 3 Void points; at most 2, the Void ring (L5R-CHK-7)",
    ),
    "an unknown weapon": (
        f"characters: [{{id: ako, kind: pc, {RINGS}, honour: 50, gear: [katanna]}}]",
        'no card "katanna" in weapons; did you mean "katana"?',
    ),
    "a technique of no use": (
        "techniques: [{id: idle, rule: L5R-ACT-5}]",
        "idle does nothing; give it an attack, a deed, an ability or opportunities",
    ),
    "an unknown condition": (
        "techniques: [{id: daze, rule: L5R-ACT-5, types: [support], deed: {condition: dazzed}}]",
        "there is no condition 'dazzed'; did you mean 'dazed'?",
    ),
    "an unknown effect": (
        "opportunities: [{id: own_row, rule: L5R-OPP-1, cost: 1, effect: nothing_known}]",
        "no effect 'nothing_known'; one of log",
    ),
    "a weapon without a grip": (
        "weapons: [{id: stick, skill: melee, range: [0, 1], damage: 1, deadliness: 1}]",
        "stick has no grip; add `one_hand: {}` or `two_hands: {}` (L5R-EQP-1)",
    ),
}


@pytest.mark.parametrize("name", CARDS)
def test_a_card_that_is_refused(name: str, tmp_path: Path) -> None:
    text, expected = CARDS[name]
    path = tmp_path / "own.yaml"
    path.write_text(f"game: l5r\n{text}\n")
    found = [str(fault) for fault in check([path]).faults if "no scenario uses" not in str(fault)]
    assert len(found) == 1, found
    assert expected in found[0]


TWO = [{"character": "kakita_ken"}, {"character": "hida_hiro"}]
SCENARIOS = {
    "a third duellist": ({"base": "duel_at_dawn", "figures": [*TWO, {"character": "doji_ren"}]}, "3 figures in a duel"),
    "a latecomer to a duel": (
        {"base": "duel_at_dawn", "figures": [TWO[0], {**TWO[1], "arrives": 2}]},
        "nobody joins a duel later",
    ),
    "four on a side": (
        {"base": "ambush", "figures": [TWO[0], *[{"character": "desperate_bandit", "side": "second"}] * 4]},
        "4 figures on the side second",
    ),
    "one who is Tainted unmarked": (
        {"base": "kata", "maybe_tainted": []},
        "loyal_bushi is Tainted, but not marked as possibly so",
    ),
    "one twice": (
        {"base": "duel_at_dawn", "figures": [{**TWO[0], "id": "ken"}, {**TWO[1], "id": "ken"}]},
        "two figures are named ken",
    ),
    "an objective of a skirmish": ({"base": "kata", "objective": "death"}, "a skirmish has no objective of this kind"),
    "terrain that cannot be": (
        {"base": "kata", "terrain": [{"at": 1, "qualities": ["obscuring"], "undiscovered": True, "possible": ["dangerous"]}]},
        "undiscovered terrain that could not be imagined",
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_that_is_refused(name: str) -> None:
    described, expected = SCENARIOS[name]
    with pytest.raises(ContentError, match=expected):
        stage(registry.get("l5r"), described)
