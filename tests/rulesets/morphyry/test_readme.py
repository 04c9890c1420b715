"""The table of the README names every statement, and steps and functions that exist."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.content import registry, rulebook
from referee.engine import RefereeError
from referee.testkit import Scene

FOLDER = Path(__file__).parents[3] / "src/referee/rulesets/morphyry"
ROWS = re.findall(r"^\| (MOR-\w+-\d+) \| ([\w/.]*) ?\| (.*) \|$", (FOLDER / "README.md").read_text(), re.M)


def test_every_statement_has_its_row() -> None:
    assert [row[0] for row in ROWS] == list(rulebook(registry.get("morphyry")).statements)


def test_the_places_exist() -> None:
    for rule, file, places in ROWS:
        if not file or file.endswith(".yaml"):
            continue
        module = importlib.import_module(f"referee.rulesets.morphyry.{file}")
        for place in re.findall(r"`([\w.]+)`", places):
            found = module
            for name in place.split("."):
                assert hasattr(found, name), f"{rule}: there is no {place} in {file}.py"
                found = getattr(found, name)


def test_policies_are_told() -> None:
    ruleset = registry.get("morphyry")
    told = re.findall(r"^\| `(\w+)` \| ([\w, ;]+) \| ", (FOLDER / "README.md").read_text(), re.M)
    assert [name for name, _ in told] == list(ruleset.policies)
    for name, values in told:
        assert values.split(",")[0] == str(ruleset.policies[name].default).lower()


def test_what_a_scene_may_give_is_understood() -> None:
    example = next(
        each for each in re.findall(r"```yaml\n(.*?)```", (FOLDER / "README.md").read_text(), re.S) if "given:" in each
    )
    with Scene("morphyry", given=yaml.safe_load(example)["given"]) as scene:
        scene.then({"sable.1": {"action": 1, "states": [["jumping", 2]]}, "garrick": {"at": "c2"}}).asked("sable", "speed")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"sabel": {"at": "b1"}}, "there is no record 'sabel'; there are sable, sable.1"),
        ({"sable": {"corpse": 1}}, "sable has no 'corpse'; it has at, corpus"),
        ({"turn": "nobody"}, "the turn of 'nobody', phase 1: the avatars are sable, garrick, phases 1 to 5"),
        ({"turn": "sable", "phase": 6}, "the turn of 'sable', phase 6"),
    ],
)
def test_what_it_may_not_give_is_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(RefereeError, match=re.escape(told)):
        Scene("morphyry", given=given)
