"""The conformance kit on every installed ruleset and each of its scenarios; REFEREE_LONG=10 plays ten times as many."""

import pytest

from referee.content import load, registry
from referee.testkit.conformance import CHECKS, LONG, check

SCENARIOS = [f"{id}/{name}" for id in registry.ids() for name in registry.scenarios(registry.get(id))]
ENCOUNTERS = 3


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("name", CHECKS)
def test_every_ruleset_conforms(name: str, scenario: str) -> None:
    content = load(scenario)
    looked = sum(check(name, content, seed) for seed in range(ENCOUNTERS * LONG))
    assert looked > 0
