"""A duel at the terminal: bids are answered by their number, long lists of keeps are cut, what is spent is told in words."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from referee.engine import Encounter
from referee.players.ink import Ink
from referee.players.seats import Player, bot, play
from referee.players.terminal import Left, Terminal
from referee.testkit import Scene


def screen(encounter: Encounter, typed: Sequence[str]) -> str:
    shown = io.StringIO()
    ink = Ink(shown)
    ink.learn(encounter)
    lines = iter([f"{line}\n" for line in typed])
    table = Terminal(("kakita_ken",), ink, keep=lambda encounter: "kept.save", read=lambda: next(lines, ""))
    players: dict[str, Player] = {"kakita_ken": table, "hida_hiro": bot("greedy", 1, "hida_hiro")}
    try:
        for event in play(encounter, players, table.roll):
            ink.event(encounter.line(event), event)
    except Left:
        pass
    return shown.getvalue()


def test_a_bid_is_answered_by_its_number() -> None:
    scene = Scene("l5r", "duel_at_dawn", given={"round": 1, "kakita_ken": {"stance": "air"}, "hida_hiro": {"stance": "earth"}})
    shown = screen(scene.encounter, ["2"])
    assert "  0  Bid 0\n  1  Bid 1\n  2  Bid 2\n" in shown
    assert "Kakita Ken bids 2" in shown


GIVEN = {
    "turn": "kakita_ken", "step": "ask_action", "kakita_ken": {"stance": "air", "void": 0, "items": ["katana 2h"]},
    "hida_hiro": {"stance": "fire", "void": 0},
}  # fmt: skip


def test_a_long_list_of_keeps_is_cut_and_any_may_be_named() -> None:
    scene = Scene("l5r", "duel_at_dawn", given=GIVEN)
    shown = screen(scene.encounter, ["strike hida_hiro katana", "S ST O SO", "keep 3"])
    assert " 12  keep " in shown
    assert " 13  keep " not in shown
    assert "  2 more: name the dice, as in keep 1 2 4\n" in shown
    assert "Kakita Ken keeps ring {O" in shown


def test_dice_that_may_not_be_kept_are_told_apart_from_what_means_nothing() -> None:
    scene = Scene("l5r", "duel_at_dawn", given=GIVEN)
    shown = screen(scene.encounter, ["strike hida_hiro katana", "S ST O SO", "keep 1 2 3 4", "?"])
    assert "  keep 1 2 3 4 is not possible here; ? says what is not, and why\n" in shown
    assert "at most 3 may be kept [L5R-DICE-9]" in shown


def test_opportunities_and_what_they_leave_are_told_in_words() -> None:
    scene = Scene("l5r", "duel_at_dawn", given=GIVEN)
    shown = screen(scene.encounter, ["strike hida_hiro katana", "O - - -", "keep 1", "opp_7 1"])
    assert "Kakita Ken spends 1 opportunity: next Martial check adds a kept {O}" in shown
    told = [event.kind for event in scene.encounter.events() if not event.explain]
    assert "opportunity" in told
    assert "effect" not in told  # the line before says it
    assert "acts" in told
    assert "attacks" not in told  # so does the line of the action
    assert "Kakita Ken acts: Strike: Hida Hiro, with the katana" in shown


def test_beside_each_offer_stands_how_likely_it_goes_well() -> None:
    scene = Scene("l5r", "duel_at_dawn", given=GIVEN)
    shown = screen(scene.encounter, ["?"])
    assert re.search(r"Strike: Hida Hiro, with the katana +(\* )?\d+% succeeds, \d+% hurts Hida Hiro \(fatigue \+", shown)
    assert "  *: best, as the game judges; o tells more\n" in shown
    assert re.search(r"\*.*\n", shown)


def test_too_many_dice_typed_are_no_save_though_they_begin_as_one(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = screen(Scene("l5r", "duel_at_dawn", given=GIVEN).encounter, ["strike hida_hiro katana", "S S", "S kept.save"])
    assert (
        "Kakita Ken rolls: Melee. Type 3 of - OT O ST S ET for the ring dice, then 1 of - O ST S SO ET E for the skill dice\n"
        in shown
    )
    assert "  3 ring dice and 1 skill die cannot show 'S S': type 3 of" in shown
    assert "Saved." in shown
    assert [each.name for each in tmp_path.iterdir()] == ["kept.save"]


def test_what_a_tn_is_made_of_and_what_explodes_are_told() -> None:
    scene = Scene("l5r", "duel_at_dawn", given=GIVEN | {"hida_hiro": {"stance": "air", "void": 0}})
    shown = screen(scene.encounter, ["strike hida_hiro katana", "ET O - -", "keep 1 2", "S"])
    assert "Melee (Air), TN 3: base 2, Air stance +1" in re.sub(r"\s+", " ", shown)
    assert "{ET ✸▲} explodes: ring {S ●}" in shown


def test_why_a_critical_strike_is_softened_is_told() -> None:
    blow = {"target": "kakita_miyamoto", "severity": 3, "source": "skillful_ronin", "cause": "finishing_blow"}
    given = {
        "turn": "skillful_ronin", "skillful_ronin": {"stance": "air", "conditions": ["enraged"]},
        "kakita_miyamoto": {"stance": "water", "void": 0},
        "frames": [{"Critical": blow}],
    }  # fmt: skip
    scene = Scene("l5r", "to_the_death", given=given)
    lines = [scene.encounter.line(event) for event in scene.encounter.events() if event.kind == "critical"]
    told = "A critical strike on Kakita Miyamoto by Skillful Ronin (finishing blow): severity 5: base 3, enraged +2"
    assert [each.partition(" [")[0] for each in lines] == [told]
