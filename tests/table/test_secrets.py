"""What a seat's page and pushes hold does not depend on what the seat cannot know: the same bytes."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markupsafe import escape

from referee.content import opening, registry
from referee.dice import Stream
from referee.engine.encounter import Encounter
from referee.engine.hiding import unknown_seats, unknown_to, why_not
from referee.engine.questions import Roll
from referee.engine.views import redraw
from referee.players.greedy import hides_something
from referee.players.seats import bot
from referee.table import acts, beside, looking, render
from referee.table.odds import task_of
from referee.table.reckoning import Reckoned, Task, reckon
from referee.table.rooms import Room, Rooms
from referee.table.state import State
from referee.table.store import Row

from .tables import KEYS

SCENARIOS = [f"{game}/{name}" for game in registry.ids() for name in registry.scenarios(registry.get(game))]


class AtOnce:
    """Reckons where a page asks, and no task twice."""

    def __init__(self) -> None:
        self.done: dict[Task, Reckoned] = {}

    def of(self, room: Room, seat: str) -> Reckoned:
        task = task_of(room, seat, 0.002)[1]
        if task not in self.done:
            self.done[task] = reckon(task)
        return self.done[task]

    async def stop(self) -> None: ...


def room_of(encounter: Encounter, odds: AtOnce | None = None) -> Room:
    content = encounter.content
    rooms = Rooms(cast(Any, None), KEYS, odds=odds)  # nothing is stored
    return Room(rooms, Row("0" * 16, content.ruleset.id, content.scenario.id, "A table", "play"), 0, State(encounter))


def played(scenario: str, seed: int, steps: int) -> Encounter:
    """An encounter after some random answers."""
    encounter = opening.start(scenario, seed)
    draws = Stream.named(seed, "secrets")
    for _ in range(steps):
        if encounter.question is None:
            break
        assert not isinstance(encounter.question, Roll)
        seat = draws.choose(encounter.asked())
        encounter.answer(draws.choose(encounter.offers(seat)), seat)
    return encounter


@pytest.mark.parametrize("scenario", SCENARIOS)
@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 60))
def test_bytes_are_equal_where_only_secrets_differ(scenario: str, seed: int, steps: int) -> None:
    encounter = played(scenario, seed, steps)
    for seat, facts in encounter.game.seats.items():
        if facts.role == "gm" or not hides_something(encounter.game, seat):
            continue
        other = encounter.fork()
        redraw(other.game, seat, Stream.named(seed, "other"))
        at_once = AtOnce()
        one, two = room_of(encounter, at_once), room_of(other, at_once)
        if seat in encounter.asked():
            assert task_of(one, seat, 1.0) == task_of(two, seat, 1.0)  # so is whatever is made of it
        page = render.page(one, seat)
        same = page == render.page(two, seat)  # pages are too long for a difference in the report
        assert same, seat
        asked = seat in encounter.asked() and len(encounter.offers(seat)) > 1
        assert beside.odds(one, seat)["state"] in (("here", "wait") if asked else ("off",))
        assert render.frame(one, seat, 0, "") == render.frame(two, seat, 0, "")


HIDING = [each for each in SCENARIOS if not each.startswith("soluna/") and (not each.startswith("l5r/") or each == "l5r/ambush")]


def somebody_hides(encounter: Encounter) -> str:
    """Hides the first figure that can hide now; empty if none can."""
    for who in encounter.game.seat_of:
        if encounter.question is not None and not why_not(encounter.game, who):
            encounter.hide(who, "it slips away")
            return who
    return ""


@pytest.mark.parametrize("scenario", HIDING)
@settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 60))
def test_bytes_are_equal_where_only_a_figure_in_hiding_differs(scenario: str, seed: int, steps: int) -> None:
    encounter = played(scenario, seed, steps)
    who = somebody_hides(encounter)
    if not who:
        return
    away = encounter.fork()
    record = away.game.edit(who)
    record.at = record.at + 1 if isinstance(record.at, int) else away.game.table.grid.cells[0]
    for number in ("hp", "spirit", "fatigue"):
        if hasattr(record, number):
            setattr(record, number, getattr(record, number) - 1)
    away.game.edited.clear()
    for seat in encounter.game.seats:
        if not unknown_to(encounter.game, seat):
            continue
        other = encounter.fork()
        redraw(other.game, seat, Stream.named(seed, "other"))
        one = room_of(encounter)
        assert who not in encounter.view(seat).records
        empty = unknown_seats(encounter.game, seat)
        assert not [chip["id"] for chip in looking.top(one, seat)["chips"] if chip["id"] in empty]
        if seat in encounter.asked():
            assert task_of(one, seat, 1.0) == task_of(room_of(away), seat, 1.0)
            assert bot("greedy", 1, seat)(encounter, seat) == bot("greedy", 1, seat)(away, seat)
        page, frame = render.page(one, seat), render.frame(one, seat, 0, "")
        for each in (away, other):
            same = page == render.page(room_of(each), seat) and frame == render.frame(room_of(each), seat, 0, "")
            assert same, seat


def test_the_test_above_can_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = played("morphyry/broken_stair", 3, 0)
    other = encounter.fork()
    hand = other.game.records["garrick"].hand
    other.game.edit("garrick").hand = ("soulgrip", *hand[1:])
    other.game.edited.clear()
    assert render.page(room_of(encounter), "sable") == render.page(room_of(other), "sable")
    assert render.page(room_of(encounter), "gm") != render.page(room_of(other), "gm")
    assert render.page(room_of(encounter), "garrick") != render.page(room_of(other), "garrick")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_pushed_makes_the_page_that_is_served(scenario: str) -> None:
    """For every seat after every answer: what was sent on is what a page holds that another server has opened anew."""
    encounter = opening.start(scenario, 5)
    draws = Stream.named(5, "pushed")
    room = room_of(encounter)
    held = dict.fromkeys(encounter.game.seats, (0, ""))
    for _ in range(25):
        if room.state.encounter.question is None:
            break
        seat = draws.choose(room.state.encounter.asked())
        offer = draws.choose(room.state.encounter.offers(seat))
        room.state = room.state.apply(seat, acts.decode(acts.encode(acts.Answer(offer.value))))
        room.touch()
        fresh = room_of(encounter)
        fresh.state = State.load(room.state.save())
        for each, (seen, version) in held.items():
            frame = render.frame(room, each, seen, version)
            if frame is not None:
                held[each] = frame.seen, frame.version
            assert render.version(render.parts(fresh, each), render.lines(fresh, each)) == held[each][1]


@pytest.fixture
def faceless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No game has a face, nor what is found beside one."""
    monkeypatch.setattr(render, "has_face", lambda game: False)
    kept = render.primer, render._offers
    for each in kept:
        each.cache_clear()
    yield
    for each in kept:
        each.cache_clear()


@pytest.mark.usefixtures("faceless")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_game_without_a_face_is_shown_by_its_tableau(scenario: str) -> None:
    encounter = played(scenario, 3, 12)
    room = room_of(encounter)
    words = encounter.game.ruleset.words
    for seat in encounter.game.seats:
        page = render.page(room, seat)
        for line in words.tableau(encounter.game, seat):
            assert str(escape(line)) in page
        assert "hidden" in page or not hides_something(encounter.game, seat)
