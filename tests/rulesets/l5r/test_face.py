"""The face at the web table: what a seat cannot know changes nothing of it, and it says in words what it shows."""

from __future__ import annotations

import re
from typing import Any

import pytest

from referee.engine import Encounter
from referee.table import looking, render
from referee.testkit import Scene

OTHERS = ("kakita_miyamoto", "spectator")


def facts(encounter: Encounter, seat: str) -> dict[str, Any]:
    """What the face is given for a seat."""
    face = encounter.content.ruleset.face
    assert face is not None
    return dict(face(encounter.content, encounter.view(seat)))


def figure(encounter: Encounter, seat: str, who: str) -> dict[str, Any]:
    return next(each for each in facts(encounter, seat)["figures"] if each["id"] == who)


def html(encounter: Encounter, seat: str) -> str:
    """The table as the seat's page shows it."""
    view, seats = encounter.view(seat), encounter.game.seats
    tokens = {who: looking.token(encounter, who) for who in looking.figures(encounter)}
    asked = [who for name in view.asked for who in seats[name].figures]
    face = facts(encounter, seat)
    return render.fill("l5r/table.html", game="l5r", face=face, cells={}, targets={}, tokens=tokens, asked=asked, you=[])


def kata(tainted: bool = True, traits: tuple[str, ...] = ("steady_hand",), **bushi: Any) -> Encounter:
    """The Tainted Bushi in round 2, with a bushi whose secrets are as said."""
    figures = [
        {"character": "kakita_miyamoto", "at": 0},
        {"character": "loyal_bushi", "at": 3, "tainted": tainted, "traits": list(traits)},
    ]
    given = {"round": 2, "turn": "kakita_miyamoto", "loyal_bushi": {"stance": "fire", "strife": 4, "initiative": 3, **bushi}}
    return Scene("l5r", {"base": "kata", "figures": figures}, given=given).encounter


def ambush(terrain: str) -> Encounter:
    """The Ambush with undiscovered terrain that is one thing or another."""
    piece = {"at": 1, "qualities": [terrain], "undiscovered": True, "possible": ["entangling", "dangerous"]}
    return Scene("l5r", {"base": "ambush", "terrain": [piece]}, given={"round": 1, "turn": "loyal_bushi"}).encounter


SECRETS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "Tainted": ({}, {"tainted": False}),
    "strife of the Tainted": ({"stain": 3}, {"tainted": False, "stain": 3}),
    "traits": ({}, {"traits": ("quick_reflexes", "steady_hand")}),
    "a predicted ring": ({"predict": "fire"}, {"predict": "water"}),
}


@pytest.mark.parametrize("secret", SECRETS)
def test_what_a_seat_cannot_know_changes_nothing(secret: str) -> None:
    one, other = (kata(**each) for each in SECRETS[secret])
    for seat in OTHERS:
        assert facts(one, seat) == facts(other, seat), seat
        assert html(one, seat) == html(other, seat), seat
    assert facts(one, "loyal_bushi") != facts(other, "loyal_bushi")
    assert facts(one, "gm") != facts(other, "gm")


def test_undiscovered_terrain_is_shown_as_what_it_may_be() -> None:
    one, other = ambush("entangling"), ambush("dangerous")
    for seat in ("first", "second", "spectator"):
        assert facts(one, seat) == facts(other, seat), seat
        assert "undiscovered: entangling or dangerous" in html(one, seat)
    assert facts(one, "gm") != facts(other, "gm")


def test_a_sealed_bid_is_shown_as_sealed_and_no_more() -> None:
    given = {"round": 1, "kakita_ken": {"stance": "air", "initiative": 3}, "hida_hiro": {"stance": "fire", "initiative": 3}}
    low = Scene("l5r", "duel_at_dawn", given=given).encounter
    high = low.fork()
    before = facts(low, "hida_hiro")
    low.answer(("bid", 0), "kakita_ken")
    high.answer(("bid", 3), "kakita_ken")
    for seat in low.game.seats:
        if seat != "kakita_ken":
            assert facts(low, seat) == facts(high, seat), seat
    states = [(each["id"], each["state"]) for each in facts(low, "hida_hiro")["facing"]["figures"]]
    assert states == [("kakita_ken", "sealed"), ("hida_hiro", "asked")]
    assert [each["state"] for each in before["facing"]["figures"]] == ["asked", "asked"]
    assert "bid sealed" in html(low, "hida_hiro")
    low.answer(("bid", 1), "hida_hiro")
    assert [each["bid"] for each in facts(low, "spectator")["facing"]["figures"]] == [0, 1]


def test_lines_that_are_crossed_are_said_in_words() -> None:
    ken = {"strife": 7, "fatigue": 9, "conditions": ["dying", "lightly_wounded_fire"], "dying": 2, "reserve": [["melee", "ET"]]}
    given = {"round": 2, "turn": "hida_hiro", "kakita_ken": ken, "hida_hiro": {"strife": 12, "fatigue": 10}}
    encounter = Scene("l5r", "duel_at_dawn", given=given).encounter
    over, under = figure(encounter, "spectator", "kakita_ken"), figure(encounter, "spectator", "hida_hiro")
    assert (over["compromised"], over["incapacitated"]) == (True, True)
    assert (over["strife"]["over"], over["fatigue"]["over"]) == (True, True)
    assert (under["strife"]["over"], under["fatigue"]["over"], under["incapacitated"]) == (False, False, False)
    assert [words for words, _ in over["conditions"]] == ["Dying, 2 rounds", "Lightly wounded (Fire)"]
    page = html(encounter, "spectator")
    assert "Compromised" in page
    assert "Incapacitated" in page
    assert 'aria-label="skill die, explosive success E, strife T"' in page


def test_the_order_of_the_round_and_the_ranges() -> None:
    encounter = kata()
    shown = facts(encounter, "kakita_miyamoto")
    assert [(each["id"], each["initiative"]) for each in shown["order"]] == [("loyal_bushi", 3), ("kakita_miyamoto", 0)]
    assert [place["band"] for place in shown["track"]["places"]] == [0, 1, 2, 3, 4, 5]
    assert [place["band"] for place in facts(encounter, "loyal_bushi")["track"]["places"]] == [3, 2, 1, 0, 1, 2]
    assert figure(encounter, "spectator", "loyal_bushi")["ranges"] == [("Kakita Miyamoto", 3, "throw")]


@pytest.mark.parametrize("seat", ["first", "second", "gm", "spectator"])
def test_the_page_keeps_to_what_its_policy_allows(seat: str) -> None:
    page = html(ambush("dangerous"), seat)
    assert not re.search(r"\sstyle=|<script|<style|\son\w+=", page)
    assert page.count("<article") == 6
    assert page.count("<div") == page.count("</div>")


def test_a_dropped_blade_is_not_shown_as_sheathed() -> None:
    dropped = {"stance": "air", "items": [{"card": "katana", "state": "dropped"}]}
    scene = Scene("l5r", "duel_at_dawn", given={"turn": "hida_hiro", "kakita_ken": dropped, "hida_hiro": {"stance": "air"}})
    ken, hiro = facts(scene.encounter, "spectator")["facing"]["figures"]
    assert (ken["weapon"], ken["shape"]) == ("katana dropped", "")
    assert (hiro["weapon"], hiro["shape"]) == ("katana sheathed", "blade")
    assert "katana dropped" in html(scene.encounter, "spectator")
