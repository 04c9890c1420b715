"""Greedy bots fight duels sensibly: they beat random players, and do not bid themselves into being Compromised."""

from __future__ import annotations

import pytest

from referee.content import load
from referee.engine import Encounter
from referee.players.greedy import Greedy
from referee.players.random_player import Random
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
