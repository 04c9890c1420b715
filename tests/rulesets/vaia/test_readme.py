"""What the README says that a scene may give is understood; what it may not is told."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.engine import RefereeError
from referee.testkit import Scene

TEXT = (Path(__file__).parents[3] / "src/referee/rulesets/vaia/README.md").read_text(encoding="utf-8")


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
