"""The tables of the README name every statement, steps and functions that exist, every policy; what `given` may say."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.content import registry, rulebook
from referee.engine import RefereeError
from referee.testkit import Scene

TEXT = (Path(__file__).parents[3] / "src/referee/rulesets/vaia/README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (VAIA-\w+-\d+) \| ([\w/.]*) ?\| (.*) \|$", TEXT, re.M)


def test_every_statement_has_its_row() -> None:
    assert [row[0] for row in ROWS] == list(rulebook(registry.get("vaia")).statements)


def test_the_places_exist() -> None:
    for rule, file, places in ROWS:
        if not file:
            continue
        module = importlib.import_module(f"referee.rulesets.vaia.{file}")
        for place in re.findall(r"`([\w.]+)`", places):
            found = module
            for name in place.split("."):
                assert hasattr(found, name), f"{rule}: there is no {place} in {file}.py"
                found = getattr(found, name)


def test_policies_are_told() -> None:
    ruleset = registry.get("vaia")
    told = re.findall(r"^\| `(\w+)` \| ([\w, ]+) \| ", TEXT, re.M)
    assert [name for name, _ in told] == list(ruleset.policies)
    for name, values in told:
        shown = [str(value).lower() for value in ruleset.policies[name].values]
        assert values.split(", ") == [*shown, *(["n"] if ruleset.policies[name].any_number else [])]


def test_what_a_scene_may_give_is_understood() -> None:
    example = next(each for each in re.findall(r"```yaml\n(.*?)```", TEXT, re.S) if "given:" in each)
    with Scene("vaia", given=yaml.safe_load(example)["given"]) as scene:
        scene.asked("west", "phase", "bruiser").then(
            {
                "bruiser": {"items": [["axe", 4]], "slots": 3, "acted": True},
                "seer": {"named": [["focus", 1]], "acted": False},
                "duelist": {"acted": True, "slots": 2},
                "traps": {"placed": [["d3", "caltrops"]], "kinds": ["caltrops"]},
                "round": 3,
            }
        )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"brusier": {"at": "b1"}}, "there is no record 'brusier'; there are bruiser, seer"),
        ({"bruiser": {"focus": 1}}, "bruiser has no 'focus'; it has id, at, hp"),
        ({"phase": "nobody"}, "the phase of 'nobody' in the order bruiser, seer, duelist, thornback: the figures are"),
        ({"phase": "seer", "order": ["seer", "cook"]}, "the phase of 'seer' in the order seer, cook"),
    ],
)
def test_what_it_may_not_give_is_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(RefereeError, match=re.escape(told)):
        Scene("vaia", given=given)
