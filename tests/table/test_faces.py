"""What a game's face says to somebody new, and groups of offers that it draws in a way of its own."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.content import opening, registry
from referee.players.seats import players_of
from referee.table import acts, looking, refusals, render
from referee.table.languages import language, speak
from referee.table.state import State
from referee.table.texts import text

from .test_looking import GAMES, states
from .test_secrets import room_of


def after(state: State, draws: random.Random) -> State:
    """The table after an answer at random."""
    seat = state.encounter.asked()[0]
    return state.apply(seat, acts.decode(acts.encode(acts.Answer(draws.choice(state.encounter.offers(seat)).value))))


@pytest.mark.parametrize("game", GAMES)
def test_somebody_new_is_told_how_it_goes(game: str) -> None:
    room = room_of(opening.start(GAMES[game], 3))
    seat = room.state.encounter.asked()[0]
    page = render.page(room, seat)
    assert render.primer(game) in page
    assert text("primer_link") in page
    assert render.primer(game) in render.fill("rules.html", title="Rules", game=game, sections={})


@pytest.mark.parametrize("game", GAMES)
def test_hints_are_about_what_is_asked(game: str) -> None:
    """A question that has a hint shows it to a new seat, and no longer to one that has answered for a while."""
    hints, state, draws = render.hints(game), State(opening.start(GAMES[game], 3)), random.Random(1)
    early, late = set[str](), 0
    for _ in range(260):
        if state.encounter.question is None:
            state = State(opening.start(GAMES[game], draws.randrange(99)))
        seat = state.encounter.asked()[0]
        room = room_of(state.encounter)
        room.state = state
        shown = looking.question(room, seat)
        topic = shown["topic"]
        new = state.asked.get(seat, 0) <= looking.NEW
        assert bool(topic) == new
        early |= {topic} & hints.keys()
        late += not new
        state = after(state, draws)
    assert len(early) >= min(3, len(hints))
    assert late
    room = room_of(opening.start(GAMES[game], 3))
    seat = room.state.encounter.asked()[0]
    topic = looking.question(room, seat)["topic"]
    assert ('<p class="hint">' in render.page(room, seat)) == (topic in hints)


def test_dice_and_flips_are_a_table_with_a_button_for_every_offer() -> None:
    for state in states("soluna", 400):
        seat = state.encounter.asked()[0] if state.encounter.question is not None else ""
        choice = state.encounter.choice(seat) if seat else None
        if choice is None or choice.offers[-1].group != "pool":
            continue
        room = room_of(state.encounter)
        room.state = state
        part = render.parts(room, seat)["question"].html
        grid = part.partition('<table class="splits">')[2].partition("</table>")[0]
        offers: list[dict[str, Any]] = looking.offers(room, seat)
        assert grid.count('name="answer"') == len(offers)
        assert all(f'id="odds-{each["place"]}"' in grid and each["label"] in grid for each in offers)
        return
    raise AssertionError("no dice and flips were asked for")


def test_what_the_engine_says_is_marked_as_english_on_a_german_page() -> None:
    assert not refusals.is_english(422, "No such offer.")
    before = language()
    speak("de")
    try:
        assert refusals.is_english(422, "No such offer.")
        assert not refusals.is_english(422, looking.sentence(text("refused")))
        assert not refusals.is_english(409, looking.sentence(text("stale")))
        assert '<p class="lede" lang="en">No' in render.fill("error.html", title="Nein", detail="No.", english=True, again=0)
    finally:
        speak(before)


def test_every_seat_finds_its_own_figures() -> None:
    for game in registry.ids():
        room = room_of(opening.start(GAMES[game], 3))
        for seat in players_of(room.state.encounter):
            own = room.state.encounter.game.seats[seat].figures
            assert render.parts(room, seat)["table"].html.count('class="yours"') == len(own)
        assert 'class="yours"' not in render.parts(room, "spectator")["table"].html
