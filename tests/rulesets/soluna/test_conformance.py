"""The conformance kit on tables that no scenario of the game sets: three and four sides, three models, every policy turned."""

import pytest

from referee.content import registry
from referee.testkit.conformance import CHECKS, LONG, check
from referee.testkit.staging import stage


def side(*models: str, name: str = "") -> dict[str, object]:
    return {
        "name": name,
        "models": [{"model": model.partition("=")[2] or model, "name": model.partition("=")[0]} for model in models],
    }


TURNED = {
    "overspent_thoughtless": "allowed",
    "prep_and_sacrifice": "one_only",
    "prep_counts": "own_actions",
    "prep_across_turns": False,
    "contest_tie": "reroll",
    "risk_when": "empty",
    "turn_limit": 3,
}
TABLES = {
    "three sides at the table": {
        "base": "high_stakes",
        "sides": [side("xul"), side("meena"), side("bouncer", "tekla", name="house")],
        "policies": {**TURNED, "turn_limit": 4},
    },
    "four sides": {
        "base": "high_stakes",
        "weapons": "ready",
        "sides": [side("xul"), side("meena"), side("bouncer"), side("tekla")],
        "policies": {"contest_tie": "higher_face", "turn_limit": 3},
    },
    "three against three": {
        "base": "alley",
        "sides": [side("xul", "meena", "tekla", name="first"), side("bouncer", "other=xul", "third=tekla", name="second")],
        "policies": {"turn_limit": 2},
        "things": [
            {"id": "idol", "kind": "artifact", "at": "d3"},
            {"id": "gate", "kind": "door", "at": "d1", "interaction": "open_door"},
            {"id": "cipher", "at": "c2", "interaction": "decode_cipher", "for": "first"},
            {"id": "trap", "at": "e3", "interaction": "disarm_moderate_trap"},
        ],
    },
    "a door, every policy turned": {"base": "door_under_fire", "policies": TURNED},
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", CHECKS)
def test_other_tables_conform(name: str, table: str) -> None:
    content = stage(registry.get("soluna"), TABLES[table])
    assert sum(check(name, content, seed) for seed in range(LONG)) > 0
