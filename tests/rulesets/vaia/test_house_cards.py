"""Cards in a folder outside the package, written without Python: they load, play, and are refused with reasons; and loops."""

from pathlib import Path

import pytest

from referee.content.checking import check
from referee.engine import RuleError
from referee.testkit import Scene
from referee.testkit.running import run_scenes

HOUSE = Path(__file__).parent / "house"


def test_the_folder_is_without_fault() -> None:
    assert [str(fault) for fault in check([HOUSE / "cards.yaml", HOUSE / "ford_at_home.yaml"]).faults] == []


def test_the_cards_play_in_scenes() -> None:
    report = run_scenes([HOUSE / "scenes.yaml"])
    assert [(each.name, each.why) for each in report.failed] == []
    assert len(report.passed) == 6


ECHO = {
    "kind": "trigger", "forced": True, "reserved": True, "when": {"at": "declared", "actor": "enemy"},
    "steps": [{"accuracy_bonus": 1}],
}  # fmt: skip


def echoing(**echo: object) -> Scene:
    figures = [
        {"character": "bruiser", "side": "west", "learns": ["echo"]},
        {"character": "duelist", "side": "east", "learns": ["echo"]},
    ]
    return Scene(
        "vaia",
        {"figures": figures},
        cards={"actions": [{"id": "echo", **ECHO, **echo}]},
        given={"phase": "bruiser", "order": ["duelist", "bruiser"], "bruiser": {"slots": 6}, "duelist": {"slots": 5}},
    )


def test_a_loop_of_forced_triggers_is_an_error_that_names_the_cards() -> None:
    with pytest.raises(RuleError, match="a loop that never ends: echo > echo; give one of these cards a cost"):
        echoing().answer("west", "move 1")


def test_a_loop_that_costs_something_ends() -> None:
    with echoing(celerity=1) as scene:
        scene.answer("west", "move 1").asked("west", "tile").then({"bruiser": {"slots": 0}, "duelist": {"slots": 0}})


def test_a_loop_of_free_choices_ends_by_cost() -> None:
    with echoing(forced=False, celerity=1) as scene:
        scene.answer("west", "move 1")
        for seat in ["east", "west"] * 5:
            scene.answer(seat, "echo")
        scene.asked("west", "tile").then({"bruiser": {"slots": 0}, "duelist": {"slots": 0}})
