"""Greedy bots fight duels sensibly: they beat random players, and do not bid themselves into being Compromised."""

from __future__ import annotations

from typing import Any

import pytest

from referee.content import load
from referee.engine import Encounter
from referee.players.greedy import Greedy
from referee.players.random_player import Random
from referee.rulesets.l5r.best import best_keep
from referee.rulesets.l5r.choosing import _outdoes, _symbols, _undominated
from referee.rulesets.l5r.dice import RING, SKILL
from referee.rulesets.l5r.duelling import Prospects
from referee.rulesets.l5r.likely import totals
from referee.rulesets.l5r.naming import state_name
from referee.testkit import Scene

ENCOUNTERS = 5


def won(scenario: str, greedy: int, seed: int) -> bool:
    encounter = Encounter.start(load(f"l5r/{scenario}"), seed, log=False)
    seats = [name for name, seat in encounter.game.seats.items() if seat.role == "player"]
    bots = {name: (Greedy if place == greedy else Random)(seed, name) for place, name in enumerate(seats)}
    while encounter.question is not None:
        seat = encounter.asked()[0]
        encounter.answer(bots[seat](encounter, seat), seat)
    assert encounter.result is not None
    return encounter.result.winner == encounter.game.seats[seats[greedy]].side


@pytest.mark.parametrize("scenario", ["duel_at_dawn", "first_blood", "to_the_death", "kata"])
def test_greedy_beats_random_from_either_seat(scenario: str) -> None:
    games = [won(scenario, greedy, seed) for greedy in (0, 1) for seed in range(ENCOUNTERS)]
    assert sum(games) >= 0.8 * len(games)


@pytest.mark.parametrize("strife", range(7))
def test_nobody_bids_itself_into_being_compromised(strife: int) -> None:
    scene = Scene("l5r", "duel_at_dawn", given={"round": 1, "kakita_ken": {"stance": "air", "strife": strife, "initiative": 3}})
    if scene.encounter.choice("kakita_ken") is None:
        return  # Compromised by the staredown already
    bid = Greedy(1, "kakita_ken")(scene.encounter, "kakita_ken").value
    assert isinstance(bid, tuple)
    assert isinstance(bid[1], int)
    assert strife + 1 + bid[1] <= 6


def test_a_keep_choice_takes_the_better_dice() -> None:
    given = {
        "turn": "kakita_ken",
        "step": "ask_action",
        "kakita_ken": {"stance": "fire", "void": 0, "items": ["katana 1h"]},
        "hida_hiro": {"stance": "earth"},
    }
    scene = Scene("l5r", "duel_at_dawn", given=given, dice=[["S", "-", "S"]])
    scene.answer("kakita_ken", "strike hida_hiro katana")
    assert Greedy(1, "kakita_ken")(scene.encounter, "kakita_ken").value == ("keep", 1, 3)


@pytest.mark.parametrize("compromised", [False, True])
@pytest.mark.parametrize("pool", [(1, 0, 1), (2, 1, 2), (3, 2, 3), (4, 1, 2)])
def test_what_bots_reckon_with_is_exact(pool: tuple[int, int, int], compromised: bool) -> None:
    found = totals(*pool, compromised)
    for tn in (1, 2, 3, 4):
        assert found.reach[tn] == pytest.approx(float(best_keep(*pool, tn, compromised).chance()), abs=1e-9)


@pytest.mark.parametrize("fire", [False, True])
def test_a_keep_that_is_left_out_is_outdone_by_one_that_is_not(fire: bool) -> None:
    dice = ((RING, "ET"), (RING, "S"), (RING, "OT"), (SKILL, "SO"), (SKILL, "O"))
    kept = _undominated(dice, 3, False, fire)
    assert 1 < len(kept) < len(_symbols(dice, 3, False))
    for symbols in _symbols(dice, 3, False):  # what each keep comes to, once
        assert any(_outdoes(other, symbols, fire) for _, other in kept)


DUEL = {"turn": "kakita_ken", "step": "ask_action", "hida_hiro": {"stance": "water", "void": 0}}


def answer(given: dict[str, object]) -> object:
    scene = Scene("l5r", "duel_at_dawn", given=DUEL | given)
    return Greedy(1, "kakita_ken")(scene.encounter, "kakita_ken").value


def test_whoever_has_nothing_more_to_fear_unmasks() -> None:
    ken = {"stance": "air", "strife": 8, "struck_for": ["compromised"]}
    assert answer({"step": "ask_unmask", "kakita_ken": ken}) == "unmask"


def test_a_blade_is_sheathed_and_drawn_in_one_turn_against_a_foe_who_could_not_defend() -> None:
    hiro = {"stance": "earth", "strife": 20, "void": 0}
    ken = {"stance": "water", "items": ["katana 2h"]}
    assert answer({"kakita_ken": ken}) != ("prepare", "katana", "stowed")
    assert answer({"kakita_ken": ken, "hida_hiro": hiro}) == ("prepare", "katana", "stowed")
    # In another stance it would be drawn in the next turn, and the foe has unmasked by then.
    assert answer({"kakita_ken": {**ken, "stance": "air"}, "hida_hiro": hiro}) == ("strike", "hida_hiro", "katana")


def test_the_incapacitated_take_breath_rather_than_see_to_their_blades() -> None:
    assert answer({"kakita_ken": {"stance": "air", "items": ["katana 2h"], "fatigue": 11}}) == ("calming_breath",)


def test_nothing_is_noted_that_the_foe_will_not_choose_in_time() -> None:
    ken = {"stance": "air", "items": ["katana 2h"], "strife": 5, "initiative": 3, "fatigue": 3}
    last = {"turn": "hida_hiro", "step": "ask_action", "order": ["kakita_ken", "hida_hiro"], "kakita_ken": ken}
    trailing = Scene("l5r", "duel_at_dawn", given={**last, "hida_hiro": HIRO})
    assert Prospects(trailing.encounter.game, "hida_hiro").foresight() > 0
    leading = Scene("l5r", "duel_at_dawn", given={**last, "hida_hiro": {**HIRO, "initiative": 5}})
    assert Prospects(leading.encounter.game, "hida_hiro").foresight() == 0


HIRO = {"stance": "earth", "items": ["katana 2h"], "initiative": 1}


def test_who_bleeds_keeps_no_strife_for_more_than_it_needs() -> None:
    given = {
        "turn": "hida_hiro", "step": "ask_action", "kakita_ken": {"stance": "earth"},
        "hida_hiro": {**HIRO, "void": 0, "fatigue": 9, "conditions": ["bleeding"]},
    }  # fmt: skip
    scene = Scene("l5r", "duel_at_dawn", given=given, dice=[["S", "ST", "S", "ST"]])
    scene.answer("hida_hiro", "strike kakita_ken katana")
    assert Greedy(1, "hida_hiro")(scene.encounter, "hida_hiro").value == ("keep", 1, 2)


def test_whoever_has_all_but_lost_strikes_at_once() -> None:
    hiro = {"stance": "water", "void": 0, "inflicted": 3, "items": ["katana 2h"]}
    found = answer({"kakita_ken": {"stance": "air", "void": 0}, "hida_hiro": hiro})
    assert isinstance(found, tuple)
    assert found[0] in ("strike", "rising_blade")


def bids(given: dict[str, object]) -> object:
    scene = Scene("l5r", "duel_at_dawn", given=given)
    value = Greedy(1, "hida_hiro")(scene.encounter, "hida_hiro").value
    assert isinstance(value, tuple)
    return value[1]


def test_nobody_bids_to_ready_a_weapon_first_but_to_strike_first() -> None:
    ken = {"stance": "air", "initiative": 7, "void": 1}
    assert bids({"round": 1, "kakita_ken": ken, "hida_hiro": {"stance": "earth", "initiative": 4}}) == 0
    armed = {"stance": "earth", "initiative": 6, "items": ["katana 2h"]}
    assert bids({"round": 1, "kakita_ken": ken | {"items": ["katana 2h"]}, "hida_hiro": armed}) == 1


def test_no_ring_is_noted_for_a_foe_whom_the_next_staredown_makes_compromised() -> None:
    ken = {"stance": "air", "void": 0, "items": ["katana 2h"]}
    hiro = {"stance": "earth", "void": 0, "items": ["katana 2h"]}
    before = {"round": 2, "order": ["hida_hiro", "kakita_ken"], "kakita_ken": ken}
    calm = answer(before | {"hida_hiro": hiro | {"strife": 7}})
    assert isinstance(calm, tuple)
    assert calm[0] == "predict"
    doomed = answer(before | {"hida_hiro": hiro | {"strife": 10}})
    assert isinstance(doomed, tuple)
    assert doomed[0] == "strike"


class Mistrusting(dict[Any, Any]):
    """Reckonings that are never taken from what was kept, and must come to the same each time."""

    def get(self, key: Any, default: Any = None) -> Any:
        return None

    def __setitem__(self, key: Any, found: Any) -> None:
        assert self.setdefault(key, found) == found, key


@pytest.mark.parametrize("scenario", ["duel_at_dawn", "first_blood", "to_the_death"])
def test_what_bots_reckon_once_rests_on_nothing_else(scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = load(f"l5r/{scenario}")
    table = Encounter.start(content, 0, log=False).game.table
    kept = Mistrusting()
    monkeypatch.setattr(table, "reckoned", kept)
    for seed in range(ENCOUNTERS):
        encounter = Encounter.start(content, seed, log=False)
        assert encounter.game.table is table
        bots = {name: Greedy(seed, name) for name, seat in encounter.game.seats.items() if seat.role == "player"}
        while encounter.question is not None:
            seat = encounter.asked()[0]
            encounter.answer(bots[seat](encounter, seat), seat)
    assert len(kept) > 20


def test_conditions_have_names() -> None:
    assert state_name("severely_wounded_air") == "Severely Wounded (Air)"
    assert state_name("lightly_wounded_void") == "Lightly Wounded (Void)"
    assert state_name("bleeding") == "bleeding"
