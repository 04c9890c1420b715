"""The conformance kit on tables that no scenario of the game sets: policies turned, latecomers, several seats a side."""

import pytest

from referee.content import registry
from referee.testkit.conformance import CHECKS, LONG, check
from referee.testkit.staging import stage

TABLES = {
    "a duel, policies turned": {
        "base": "first_blood",
        "policies": {
            "follow_ups": "together", "finishing_blow_limit": "per_event", "finishing_blow_draws": "on", "unmask_tn1": "on",
            "initiative_stance_timing": "before_check", "duel_scoring": "on", "strike_order": "critical_first",
            "afflicted_alter": "on", "max_rounds": 6,
        },
    },
    "one roll": {"base": "duel_at_dawn", "policies": {"one_roll_duel": "on"}},
    "a skirmish, two seats on a side": {
        "base": "ambush",
        "figures": [
            {"character": "akodo_masako", "side": "first", "seat": "masako", "at": 0},
            {"character": "hida_sugi", "side": "first", "seat": "sugi", "at": 1},
            {"character": "loyal_bushi", "side": "second", "at": 2},
            {"character": "trained_ashigaru", "side": "second", "at": 2, "arrives": 2},
        ],
        "policies": {"max_rounds": 3, "minion_opportunity": "any", "half_threshold": "exact"},
    },
}  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", CHECKS)
def test_other_tables_conform(name: str, table: str) -> None:
    content = stage(registry.get("l5r"), TABLES[table])
    assert sum(check(name, content, seed) for seed in range(LONG)) > 0
