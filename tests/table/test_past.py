"""Looking back: a seat finds what it saw, moment by moment, and never more; replays and "what if" open when all is over."""

import asyncio
import hashlib
from typing import Any, cast

import pytest

from referee.content import opening, registry
from referee.dice import Stream
from referee.engine.encounter import Encounter
from referee.engine.questions import Together
from referee.table import languages, lookback
from referee.table.past import EVERY, Past, branched
from referee.table.rooms import Room, Rooms
from referee.table.state import State
from referee.table.store import Row
from referee.table.texts import text_in

from .tables import KEYS

SCENARIOS = [f"{game}/{name}" for game in registry.ids() for name in registry.scenarios(registry.get(game))]


def shown(encounter: Encounter, seat: str) -> tuple[bytes, int]:
    return encounter.view(seat).bytes(), sum(not event.explain for event in encounter.events_for(seat))


def digest(what: tuple[bytes, int]) -> str:
    return f"{hashlib.sha256(what[0]).hexdigest()[:12]} {what[1]}"


def play(encounter: Encounter, draws: Stream, answers: int) -> dict[str, list[tuple[bytes, int]]]:
    """Plays on at random: what each seat was shown, without what is the same as before or passes while all decide in secret."""
    saw: dict[str, list[tuple[bytes, int]]] = {seat: [] for seat in encounter.game.seats}
    for number in range(answers + 1):
        between = encounter.game.branches is not None and any(each.answers for each in encounter.game.branches.values())
        for seat, all_of_it in saw.items():
            now = shown(encounter, seat)
            if not between and all_of_it[-1:] != [now]:
                all_of_it.append(now)
        if encounter.question is None or number == answers:
            break
        seat = draws.choose(encounter.asked())
        encounter.answer(draws.choose(encounter.offers(seat)), seat)
    return saw


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_past_of_a_seat_is_what_it_was_shown_then(scenario: str) -> None:
    encounter = opening.start(scenario, 11)
    saw = play(encounter, Stream.named(11, "past"), 35)
    past = Past()
    past.follow(encounter)
    for seat, all_of_it in saw.items():
        seen = past.seen(seat)
        found = [shown(past.at(entries), seat) for entries in seen.entries]
        assert [digest(each) for each in found] == [digest(each) for each in all_of_it], seat
        assert seen.lines == [count for _, count in all_of_it]
        assert seen.events[: seen.lines[-1]] == [event for event in encounter.events_for(seat) if not event.explain]


def room_of(encounter: Encounter) -> Room:
    """A table that nothing stores."""
    content = encounter.content
    rooms = Rooms(cast(Any, None), KEYS)
    return Room(rooms, Row("0" * 16, content.ruleset.id, content.scenario.id, "A table", "play"), 0, State(encounter))


async def page(room: Room, seat: str, number: int, named: str | None = None) -> str:
    shown = await lookback.moment(lookback.Looker(room, seat, "", named, ""), number)
    return str(shown.content)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_pages_of_the_past_are_equal_where_only_secrets_differ(scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = opening.start(scenario, 4)
    play(encounter, Stream.named(4, "past"), 25)
    plain = Past.at

    async def compare() -> None:
        for seat, facts in encounter.game.seats.items():
            if facts.role == "gm" or encounter.question is None:
                continue
            room = room_of(encounter)
            last = len((await lookback.past_of(room)).seen(seat).entries) - 1

            def otherwise(past: Past, entries: int, seat: str = seat) -> Encounter:
                other = plain(past, entries)
                if other.question is not None:
                    other.game.ruleset.possible(other.game, seat, Stream.named(entries, "other"))
                    other.game.edited.clear()
                return other

            for number in range(0, last + 1, 6):
                one = await page(room, seat, number)
                monkeypatch.setattr(Past, "at", otherwise)
                same = await page(room, seat, number) == one  # a page is too long for a difference in the report
                assert same, (seat, number)
                monkeypatch.setattr(Past, "at", plain)

    asyncio.run(compare())


def test_the_test_above_can_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = opening.start("morphyry/broken_stair", 4)
    plain = Past.at

    def otherwise(past: Past, entries: int) -> Encounter:
        other = plain(past, entries)
        other.game.edit("garrick").hand = ("soulgrip", *other.game.records["garrick"].hand[1:])
        return other

    async def compare() -> None:
        room = room_of(encounter)
        for seat, same in (("sable", True), ("garrick", False), ("gm", False)):
            one = await page(room, seat, 0)
            monkeypatch.setattr(Past, "at", otherwise)
            assert (await page(room, seat, 0) == one) is same
            monkeypatch.setattr(Past, "at", plain)

    asyncio.run(compare())


def test_a_past_speaks_the_language_of_each_page() -> None:
    async def compare() -> None:
        encounter = opening.start("morphyry/broken_stair", 4)
        encounter.rule([("garrick", "hand", ("shove",))], "a secret")  # a line that not everybody sees, and says so
        room = room_of(encounter)
        pages = {}
        for spoken in ("en", "de"):
            languages.speak(spoken)
            pages[spoken] = await page(room, "gm", 1)
        for spoken, words in pages.items():
            assert text_in(spoken, "only_you") in words
            assert text_in(spoken, "past_title") in words

    asyncio.run(compare())


def test_the_past_goes_on_with_the_table_and_forgets_what_was_taken_back() -> None:
    encounter = opening.start("morphyry/broken_stair", 5)
    draws = Stream.named(5, "past")
    past = Past()
    for _ in range(6):
        play(encounter, draws, 12)
        past.follow(encounter)
        fresh = Past()
        fresh.follow(encounter)
        for seat in encounter.game.seats:
            assert past.seen(seat).entries == fresh.seen(seat).entries
            assert past.seen(seat).events == fresh.seen(seat).events
        seat = encounter.asked()[0]
        encounter.undo(seat, encounter.can_undo(seat).consents)
    before = len(past.entries)
    past.follow(encounter)
    assert len(past.entries) < before
    assert past.at(len(past.entries)).key() == encounter.key()


def test_a_long_past_is_played_again_from_near_by(monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = opening.start("l5r/ambush", 3)
    play(encounter, Stream.named(3, "past"), 400)
    past = Past()
    past.follow(encounter)
    count = len(past.seen("gm").entries)
    assert count > 2 * EVERY
    played = []
    monkeypatch.setattr("referee.table.past.feed", lambda game, entry: played.append(entry))
    for number in (count - 1, 3, count // 2, 0):
        past.at(past.seen("gm").entries[number])
    assert len(played) < 4 * EVERY


def test_a_branch_has_the_past_of_its_table_and_dice_of_its_own() -> None:
    encounter = opening.start("morphyry/broken_stair", 5)
    play(encounter, Stream.named(5, "past"), 40)
    past = Past()
    past.follow(encounter)
    entries = past.seen("gm").entries[-4]
    branch = branched(past.at(entries), 77)
    assert branch.key() == past.at(entries).key()
    assert branch.seed == 77
    assert branch.history() == past.entries[:entries]
    again = opening.load(branch.save())
    assert opening.check_replay(again.transcript()) is None
    play(branch, Stream.named(1, "branch"), 60)
    assert past.at(entries).key() != branch.key()


def test_real_dice_are_moments_of_their_own() -> None:
    async def look() -> None:
        encounter = opening.start("morphyry/broken_stair", real_dice=True)
        for shows in ("3", "8"):
            encounter.answer(shows)
        room = room_of(encounter)
        assert (await lookback.past_of(room)).seen("sable").entries == [0, 1, 2]
        assert "Who begins (Garrick)" in await page(room, "sable", 1)
        assert "What if?" not in await page(room, "gm", 1)
        assert "What if?" in await page(room, "gm", 2)

    asyncio.run(look())


def test_a_secret_choice_is_a_single_moment() -> None:
    encounter = opening.start("soluna/alley", 3)
    while not isinstance(encounter.question, Together):
        seat = encounter.asked()[0]
        encounter.answer(encounter.offers(seat)[0], seat)
    past = Past()
    past.follow(encounter)
    before = [len(past.seen(seat).entries) for seat in encounter.game.seats]
    seat = encounter.asked()[0]
    encounter.answer(encounter.offers(seat)[0], seat)
    assert encounter.game.branches is not None
    past.follow(encounter)
    assert [len(past.seen(seat).entries) for seat in encounter.game.seats] == before
