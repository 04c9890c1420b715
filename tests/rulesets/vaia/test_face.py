"""The face of the web table shows what the seat's view tells: bars, tracks and the order, never where a trap lies."""

from __future__ import annotations

from typing import Any

import pytest

from referee.content import load
from referee.engine import Encounter
from referee.testkit import Scene


def face(encounter: Encounter, seat: str) -> dict[str, Any]:
    ruleset = encounter.content.ruleset
    assert ruleset.face is not None
    return dict(ruleset.face(encounter.content, encounter.view(seat)))


def character(facts: dict[str, Any], who: str) -> dict[str, Any]:
    return next(each for side in facts["sides"] for each in side["characters"] if each["id"] == who)


def tile(facts: dict[str, Any], cell: str) -> dict[str, Any]:
    return next(each for each in facts["tiles"] if each["cell"] == cell)


def with_traps(*tiles: str) -> Encounter:
    given = {
        "phase": "seer",
        "order": ["duelist", "seer", "bruiser", "thornback"],
        "traps": {"placed": dict.fromkeys(tiles, "caltrops")},
    }
    with Scene("vaia", "bell", given=given) as scene:
        return scene.encounter.fork()


@pytest.mark.parametrize("seat", ["west", "east", "spectator"])
def test_where_traps_lie_changes_no_face_but_the_gms(seat: str) -> None:
    one, other = with_traps("b3", "d3"), with_traps("c2", "c4")
    assert face(one, seat) == face(other, seat)
    assert tile(face(one, seat), "b3")["doubtful"]
    assert not tile(face(one, seat), "b3")["trap"]
    assert face(one, "gm") != face(other, "gm")
    assert tile(face(one, "gm"), "b3")["trap"] == "caltrops"


def test_open_traps_are_shown_to_all() -> None:
    with Scene("vaia", {"base": "bell", "policies": {"traps": "open"}}, given={"phase": "seer"}) as scene:
        facts = face(scene.encounter, "west")
    assert [each["cell"] for each in facts["tiles"] if each["trap"]] == ["b3", "d3"]


def test_entered_tiles_are_spent() -> None:
    with Scene("vaia", "bell", given={"phase": "seer", "traps": {"placed": {"c4": "caltrops"}, "entered": ["b3"]}}) as scene:
        facts = face(scene.encounter, "west")
    assert tile(facts, "b3")["spent"]
    assert not tile(facts, "b3")["doubtful"]
    assert tile(facts, "c2")["doubtful"]
    assert tile(facts, "c3")["objective"]


def test_the_order_and_the_slots_of_each_kind() -> None:
    facts = face(with_traps("b3", "d3"), "west")
    assert [(each["id"], each["state"]) for each in facts["order"]] == [
        ("duelist", "done"), ("seer", "now"), ("bruiser", "waits"), ("thornback", "waits"),
    ]  # fmt: skip
    phases = {who: character(facts, who)["phase"] for who in ("duelist", "seer", "bruiser")}
    assert phases == {"duelist": "reserved", "seer": "active", "bruiser": "none"}
    assert facts["stack"] == []


def test_bars_tracks_items_and_conditions() -> None:
    hurt = {"hp": 0, "mental": 9, "bleed": 2, "slowed": 2, "items": {"axe": 0, "buckler": 4}}
    with Scene("vaia", "ford", given={"phase": "seer", "bruiser": hurt}) as scene:
        facts = face(scene.encounter, "east")
        shown = character(facts, "bruiser")
    assert (shown["hp"], shown["max_hp"], shown["level"]) == (0, 48, "down")
    assert shown["stress"] == [("physical", 0), ("mental", 9), ("vocal", 0)]
    assert shown["conditions"] == ["Vulnerable", "bleed 2", "slowed: loses a half of the next slots"]
    assert [(each["name"], each["left"], each["of"]) for each in shown["carried"]] == [("axe", 0, 16), ("buckler", 4, 6)]
    assert next(each for each in facts["order"] if each["id"] == "bruiser")["state"] == "down"


def test_a_fresh_encounter_has_a_face() -> None:
    facts = face(Encounter.start(load("vaia/ford"), 1), "spectator")
    assert facts["goal"] is None
    assert len(facts["tiles"]) == 25
    assert dict(facts["legend"]) == {"?": "may hide caltrops (1 trap left)"}


def three_against_one() -> Encounter:
    figures = [
        {"character": "bruiser", "side": "west", "at": "c2"},
        {"character": "seer", "side": "west", "at": "b2"},
        {"character": "seer", "side": "west", "name": "augur", "at": "b1"},
        {"character": "duelist", "side": "east", "at": "c3"},
    ]
    given = {"phase": "duelist", "order": ["seer", "augur", "bruiser", "duelist"], "seer": {"slots": 1}, "augur": {"slots": 1}}
    with Scene("vaia", {"base": "ford", "figures": figures}, given=given) as scene:
        return scene.encounter.fork()


def test_an_open_window_tells_what_it_is_about_and_who_has_been_asked() -> None:
    encounter = three_against_one()
    assert encounter.view("spectator").underway == {}
    encounter.answer(("strike", "bruiser"), "east")
    facts = face(encounter, "spectator")["underway"]
    assert (facts["who"], facts["action"], facts["target"]) == ("duelist", "Strike", "bruiser")
    assert facts["levels"] == ["Duelist: Strike at Bruiser", "Triggers, declared"]
    assert facts["window"]["asked"] == [("seer", "now"), ("augur", "waits")]
    encounter.answer("pass", "west")
    assert encounter.view("east").underway["window"]["asked"] == [("seer", "done"), ("augur", "now")]
    encounter.answer(("warning_cry",), "west")
    facts = encounter.view("east").underway
    assert facts["levels"][1:] == ["Triggers, declared", "Augur: Warning cry (Trigger)"]
    assert (facts["who"], "window" in facts) == ("augur", False)
    encounter.answer(2)  # its stress check
    facts = encounter.view("east").underway
    assert facts["lines"] == [("evasion bonus", "+4", "warning cry")]
    assert facts["used"] == [("augur", "Warning cry")]
    # The pass brought something, so another follows (VAIA-TRG-5).
    assert facts["window"]["asked"] == [("seer", "now"), ("augur", "done")]


def test_a_window_of_responses_tells_which_action_they_answer() -> None:
    given = {
        "phase": "bruiser",
        "order": ["duelist", "bruiser", "seer", "thornback"],
        "bruiser": {"at": "c2"},
        "duelist": {"at": "c3", "slots": 1},
    }
    with Scene("vaia", "ford", given=given) as scene:
        encounter = scene.encounter
        encounter.answer(("strike", "duelist"), "west")
        encounter.answer("pass", "east")
        encounter.answer(1)
        facts = encounter.view("west").underway
        assert facts["levels"] == ["Bruiser: Strike at Duelist (over)", "Responses to Bruiser's Strike"]
        assert (facts["who"], facts["action"], facts["target"]) == ("bruiser", "Strike", "duelist")
        assert facts["window"]["asked"] == [("duelist", "now")]
