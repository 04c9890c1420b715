"""What the README says that a scene may give is understood; what it may not is told."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.engine import RefereeError
from referee.testkit import Scene

TEXT = (Path(__file__).parents[3] / "src/referee/rulesets/morphyry/README.md").read_text(encoding="utf-8")


def test_what_a_scene_may_give_is_understood() -> None:
    example = next(each for each in re.findall(r"```yaml\n(.*?)```", TEXT, re.S) if "given:" in each)
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
