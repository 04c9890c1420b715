"""Bots judge by exact odds: they beat random players, and split their Mind Points as the table of the rules does."""

from __future__ import annotations

import pytest

from referee.content import load
from referee.engine import Encounter
from referee.players.greedy import Greedy
from referee.players.random_player import Random
from referee.testkit import Scene

ENCOUNTERS = 6


def won(scenario: str, greedy: int, seed: int) -> bool:
    encounter = Encounter.start(load(f"soluna/{scenario}"), seed, log=False)
    seats = [name for name, seat in encounter.game.seats.items() if seat.role == "player"]
    bots = {name: (Greedy if place == greedy else Random)(seed, name) for place, name in enumerate(seats)}
    while encounter.question is not None:
        seat = encounter.asked()[0]
        encounter.answer(bots[seat](encounter, seat), seat)
    assert encounter.result is not None
    return encounter.result.winner == seats[greedy]


@pytest.mark.parametrize("scenario", ["alley", "high_stakes", "door_under_fire"])
def test_greedy_beats_random_from_either_seat(scenario: str) -> None:
    games = [won(scenario, greedy, seed) for greedy in (0, 1) for seed in range(ENCOUNTERS)]
    assert sum(games) >= 0.8 * len(games)


def chosen(scene: Scene, seat: str) -> object:
    return Greedy(1, seat)(scene.encounter, seat).value


def test_a_combat_point_is_made_certain() -> None:
    scene = Scene("soluna", "alley", given={"phase": 8, "xul": {"combat_spent": 2}})
    scene.answer("xul", "attack blade bouncer")
    assert chosen(scene, "xul") == ("pool", 2, 1)


def test_an_equal_game_of_poker_is_played_by_its_equilibrium() -> None:
    scene = Scene("soluna", "high_stakes", given={"phase": 5})
    scene.answer("xul", "contest poker artifact").answer("meena", "prepare")
    assert chosen(scene, "meena") == ("pool", 3, 1)


def test_the_door_is_tried_with_the_best_pool() -> None:
    scene = Scene("soluna", "door_under_fire", given={"phase": 6, "tekla": {"at": "f2"}})
    assert chosen(scene, "breakers") == ("interact", "door_sequence", "door")
    scene.answer("breakers", "interact door_sequence door")
    assert chosen(scene, "breakers") == ("pool", 4, 1)


def test_who_holds_the_artifact_walks_out_with_it() -> None:
    scene = Scene("soluna", "high_stakes", given={"phase": 5, "artifact": {"holder": "xul"}, "xul": {"at": "c4"}})
    for answer in ("move", ("to", "d5"), "stop"):
        assert chosen(scene, "xul") == answer
        scene.encounter.answer(answer, "xul")
