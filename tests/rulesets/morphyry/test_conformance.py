"""The conformance kit on tables that no scenario of the game sets: three and four sides, two techniques, every policy turned."""

import pytest

from referee.content import registry
from referee.testkit.conformance import CHECKS, LONG, check
from referee.testkit.staging import stage

SEATED = [{"avatar": avatar} for avatar in ("sable", "garrick", "mirel", "osric")]
TURNED = {"max_techniques": 2, "interrupt_when": "any_tick", "redeploy": "at_once"}
TABLES = {
    "three sides": {"base": "broken_stair", "figures": SEATED[:3]},
    "four sides, two techniques": {
        "base": "altar_of_dust",
        "figures": [{**SEATED[0], "carried": ["plate_hauberk", "staff_of_jumping"]}, *SEATED[1:]],
        "policies": {**TURNED, "prone_debt": "both", "countered_attack": "misses"},
        "lying": {"c2": ["ringmail_hauberk", "wand_of_summoning", "axe", "axe"]},
    },
    "two techniques": {"base": "broken_stair", "policies": TURNED},
    "open hands": {
        "base": "broken_stair",
        "figures": SEATED[:3],
        "policies": {
            "hands": "open",
            "jumping_addition": 3,
            "multiplier_order": "after",
            "unmet_condition_spends": False,
            "drop_break": "break_if_dropped",
            "drop_against": "electra",
            "collapse_from": 0,
            "fall_damage": 2,
            "round_limit": 12,
        },
    },
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", CHECKS)
def test_other_tables_conform(name: str, table: str) -> None:
    content = stage(registry.get("morphyry"), TABLES[table])
    assert sum(check(name, content, seed) for seed in range(LONG)) > 0
