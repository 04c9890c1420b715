"""The conformance kit on tables that no scenario of the game sets: many sides, every policy turned, cards of a table's own."""

import random
from pathlib import Path

import pytest

from referee.content import load, registry
from referee.engine import Encounter
from referee.testkit.conformance import CHECKS, LONG, check
from referee.testkit.staging import stage

HOUSE = Path(__file__).parent / "house"
CROWD = [
    {"character": character, "side": side, "name": f"{character}_{side}"}
    for side in ("north", "south", "east", "west")
    for character in ("bruiser", "seer", "duelist")
]
TURNED = {
    "window_order": "trigger_first",
    "response_timing": "immediate",
    "rider_on_reactions": False,
    "zero_durability": "kept",
    "salvage": "salvageable",
    "burnout_timing": "before",
    "final_phase_multiplier": 4,
    "traps": "open",
    "weariness_from": 0,
    "round_limit": 6,
}
WORN = [
    {"character": "bruiser", "side": "west", "carries": ["worn_axe", "plate"]},
    {"character": "seer", "side": "west", "learns": ["mend"], "carries": ["satchel"]},
    {"character": "duelist", "side": "east"},
    {"character": "thornback", "side": "east", "learns": ["riposte", "brace"], "carries": ["sword", "buckler"]},
]
TABLES = {
    "four sides of three": {"base": "ford", "figures": CROWD, "policies": {"round_limit": 3, "weariness_from": 1}},
    "three sides at the bell": {
        "base": "bell",
        "figures": [
            {"character": "bruiser", "side": "north"},
            {"character": "thornback", "side": "south"},
            {"character": "duelist", "side": "east"},
        ],
    },
    "every policy turned": {"base": "ford", "policies": TURNED},
    "more items": {"base": "ford", "figures": WORN},
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", CHECKS)
def test_other_tables_conform(name: str, table: str) -> None:
    content = stage(registry.get("vaia"), TABLES[table])
    assert sum(check(name, content, seed) for seed in range(LONG)) > 0


@pytest.mark.parametrize("name", CHECKS)
def test_a_table_with_cards_of_its_own_conforms(name: str) -> None:
    content = load(HOUSE / "ford_at_home.yaml")
    assert sum(check(name, content, seed) for seed in range(2 * LONG)) > 0


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_without_a_log_the_same_happens(seed: int, turned: bool) -> None:
    # Only with a log are windows made that nobody can use, so that it says why.
    content = stage(registry.get("vaia"), {"base": "ford", "figures": WORN, "policies": TURNED if turned else {}})
    told, silent = (Encounter.start(content, seed, log=log) for log in (True, False))
    draw = random.Random(seed)
    while told.question is not None:
        assert told.key() == silent.key()
        value = draw.choice(told.offers()).value
        told.answer(value)
        silent.answer(value)
    assert told.key() == silent.key()
    assert told.result == silent.result is not None
