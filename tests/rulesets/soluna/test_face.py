"""The face of the web table shows what the seat's view tells: the phase and its marks, never a draft."""

from __future__ import annotations

from typing import Any

import pytest

from referee.content import load
from referee.dice import Stream
from referee.engine import Encounter
from referee.testkit import Scene

SEED = 5
SEATS = {"alley": ("xul", "bouncer"), "high_stakes": ("xul", "meena"), "door_under_fire": ("breakers", "wardens")}


def face(encounter: Encounter, seat: str) -> dict[str, Any]:
    ruleset = encounter.content.ruleset
    assert ruleset.face is not None
    return dict(ruleset.face(encounter.content, encounter.view(seat)))


def model(facts: dict[str, Any], who: str) -> dict[str, Any]:
    return next(each for side in facts["sides"] for each in side["models"] if each["id"] == who)


def square(facts: dict[str, Any], cell: str) -> dict[str, Any]:
    return next(each for each in facts["squares"] if each["cell"] == cell)


def at_first_choice(scenario: str) -> Encounter:
    encounter = Encounter.start(load(f"soluna/{scenario}"), SEED)
    while len(encounter.asked()) < 2:
        encounter.answer("defer", encounter.asked()[0])
    return encounter


@pytest.mark.parametrize("scenario", SEATS)
def test_others_see_the_same_face_whatever_is_drafted(scenario: str) -> None:
    start = at_first_choice(scenario)
    chooser, *others = [*SEATS[scenario], "gm", "spectator"]
    rng = Stream(SEED)
    drafted = 0
    for _ in range(25):
        ahead = start.fork()
        for _ in range(3):
            ahead.answer(rng.choose(ahead.choice(chooser).offers), chooser)  # type: ignore[union-attr]
            if chooser not in ahead.asked():
                break
            drafted += 1
            for seat in others:
                assert face(ahead, seat) == face(start, seat)
    assert drafted > 5


def test_who_has_sealed_is_shown_and_nothing_of_what() -> None:
    faces = []
    for order in ("prepare", "defer"):
        encounter = at_first_choice("alley")
        encounter.answer(order, "xul")
        faces.append(face(encounter, "bouncer"))
    assert faces[0] == faces[1]
    assert [side["state"] for side in faces[0]["sides"]] == ["sealed", "chooses"]


def test_phases_marks_and_dice() -> None:
    given = {"phase": 7, "xul": {"mind": 4, "mind_spent": 3, "speed_spent": 1, "prepared": 6}, "bouncer": {"saved": 1}}
    with Scene("soluna", "alley", given=given) as scene:
        facts = face(scene.encounter, "spectator")
        scene.encounter.answer("defer", "bouncer")
    assert facts["phase"] == 7
    acts = {row["id"]: [n for n, each in enumerate(row["acts"], 1) if each] for row in facts["marks"]}
    assert acts == {"xul": [6, 8, 9, 10], "bouncer": [5, 7, 8, 9, 10]}
    xul = model(facts, "xul")
    assert xul["dice"] == ["left", "spent", "spent", "spent", "lost"]
    assert xul["points"] == [("speed", 3, 4), ("combat", 2, 2)]
    assert (xul["flips"], xul["step"]) == (1, 1)
    assert model(facts, "bouncer")["saved"] == 1


def test_the_board_shows_things_and_what_is_done_to_them_there() -> None:
    door = face(at_first_choice("door_under_fire"), "wardens")
    assert square(door, "d2")["obstacle"]
    assert square(door, "g3")["shut"]
    assert square(door, "g3")["exit"]
    assert square(door, "g3")["targets"] == ["door"]
    stakes = face(at_first_choice("high_stakes"), "xul")
    assert "artifact" in square(stakes, "d2")["targets"]  # the contest for it is called at the table
    assert stakes["things"] == [{"name": "artifact", "where": "to be won at poker"}]
    assert [weapon["ready"] for weapon in model(stakes, "xul")["weapons"]] == [True, False]
