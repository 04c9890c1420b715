"""Random play: nodes a second of every game, beside OpenSpiel's and PettingZoo's decisions a second; duels of greedy bots."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count, islice

from referee.content import load
from referee.content.registry import get, ids
from referee.engine import Encounter, Together
from referee.players.greedy import Greedy


def referee_play(name: str, encounters: int) -> Callable[[], int]:
    """Random encounters of a scenario; labels and refusals unread, no log. Returns nodes."""
    content = load(name)
    draw = random.Random(1).random

    def work() -> int:
        nodes = 0
        for seed in range(encounters):
            encounter = Encounter.start(content, seed, log=False)
            while (question := encounter.question) is not None:
                if type(question) is Together:
                    seat = encounter.asked()[0]
                    offers = encounter.choice(seat).offers
                    encounter.answer(offers[int(draw() * len(offers))], seat)
                else:
                    offers = question.offers
                    encounter.answer(offers[int(draw() * len(offers))])
            nodes += encounter.nodes
        return nodes

    return work


def greedy_play(name: str, encounters: int) -> Callable[[], int]:
    """Greedy bots in all seats, no log, encounters that were not played before. Returns encounters."""
    content = load(name)
    seeds = count()

    def work() -> int:
        for seed in islice(seeds, encounters):
            encounter = Encounter.start(content, seed, log=False)
            bots = {seat.name: Greedy(seed, seat.name) for seat in encounter.game.seats.values() if seat.role == "player"}
            while encounter.question is not None:
                seat = encounter.asked()[0]
                encounter.answer(bots[seat](encounter, seat), seat)
        return encounters

    return work


def open_spiel_kuhn(games: int) -> Callable[[], int] | None:
    """OpenSpiel's kuhn poker written in Python: nodes are decisions and deals, as ours are choices and rolls."""
    try:
        import pyspiel
        from open_spiel.python.games import kuhn_poker  # noqa: F401 - registers the game
    except ImportError:
        return None
    game = pyspiel.load_game("python_kuhn_poker")
    draw = random.Random(1)

    def work() -> int:
        nodes = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(draw.choices(actions, chances)[0])
                else:
                    state.apply_action(draw.choice(state.legal_actions()))
                nodes += 1
        return nodes

    return work


def pettingzoo_tictactoe(games: int) -> Callable[[], int] | None:
    """PettingZoo's tictactoe. Returns decisions."""
    try:
        from pettingzoo.classic import tictactoe_v3
    except ImportError:
        return None
    environment = tictactoe_v3.env()
    draw = random.Random(1)

    def work() -> int:
        decisions = 0
        for _ in range(games):
            environment.reset()
            for _agent in environment.agent_iter():
                observation, _, ended, cut, _ = environment.last()
                if ended or cut:
                    environment.step(None)
                else:
                    legal = [place for place, allowed in enumerate(observation["action_mask"]) if allowed]
                    environment.step(draw.choice(legal))
                    decisions += 1
        return decisions

    return work


def works() -> dict[str, Callable[[], int]]:
    """The main scenario of every installed game, and the peers that are installed."""
    found = {f"{id}/{get(id).main_scenario}": referee_play(f"{id}/{get(id).main_scenario}", 20) for id in ids()}
    for name, work in (
        ("OpenSpiel python kuhn", open_spiel_kuhn(400)),
        ("PettingZoo tictactoe", pettingzoo_tictactoe(20)),
    ):
        if work is not None:
            found[name] = work
    return found
