"""Rooms take acts one at a time, store them before anybody sees them, and come back as they were."""

import asyncio
from pathlib import Path

import pytest

from referee.engine.errors import IllegalAnswer
from referee.table import acts
from referee.table.rooms import SAVE_EVERY, Room, Rooms, Stale, Subscriber
from referee.table.seats import Keys
from referee.table.store import Conflict, Row, Store

from .tables import KEYS, act, answer, asked, opened, with_rooms


def again(rooms: Rooms) -> Rooms:
    """Another server on the same database."""
    return Rooms(rooms.store, KEYS, bot_pause=0)


def test_a_table_is_found_again_as_it_was(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        for place in range(SAVE_EVERY + 7):
            if room.state.encounter.question is not None:
                await answer(room, asked(room), place)
        seq, _ = await rooms.store.saved(room.id)
        assert seq == SAVE_EVERY
        other = await again(rooms).get(room.id)
        assert other is not None
        assert other.seq == room.seq
        assert other.state.save() == room.state.save()
        assert other.ticket(asked(other)) == room.ticket(asked(room))
        assert other.state.encounter.events() == room.state.encounter.events()

    with_rooms(tmp_path, work)


def test_an_answer_sent_twice_counts_once(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        seat = asked(room)
        ticket, value = room.ticket(seat), acts.Answer(room.state.encounter.offers(seat)[0].value)
        assert await room.do(seat, ticket, value) == "accepted"
        assert await room.do(seat, ticket, value) == "again"
        with pytest.raises(Stale):
            await room.do(seat, ticket, acts.Answer("something else"))
        assert len(await rooms.store.after(room.id, 0)) == 1

    with_rooms(tmp_path, work)


def test_what_is_not_on_offer_changes_nothing(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        seat = asked(room)
        before = room.state.save()
        for wrong in (["deploy", "no such card"], "fly", None, [[[[]]]], 7):
            with pytest.raises(IllegalAnswer):
                await room.do(seat, room.ticket(seat), acts.Answer(wrong))
        other = next(each for each in room.state.seats("player") if each != seat)
        with pytest.raises(Stale):
            await room.do(other, room.ticket(seat), acts.Answer("nothing"))
        assert room.state.save() == before
        assert await rooms.store.after(room.id, 0) == []

    with_rooms(tmp_path, work)


def test_the_loser_of_a_race_tries_again_by_itself(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        here = await opened(rooms)
        elsewhere = await again(rooms).get(here.id)
        assert elsewhere is not None
        seat = asked(here)
        other = next(each for each in here.state.seats("player") if each != seat)
        await asyncio.gather(act(elsewhere, other, acts.Arrive()), act(here, "gm", acts.Arrive()), answer(here, seat))
        await elsewhere.catch_up()
        assert len(await rooms.store.after(here.id, 0)) == 3
        await here.catch_up()
        assert here.state.save() == elsewhere.state.save()

    with_rooms(tmp_path, work)


def test_the_store_appends_where_it_is_expected_or_not_at_all(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        store: Store = rooms.store
        await store.create(Row("t", "game", "scenario", "name", "play"), b"start")
        await store.append("t", 0, "ann", "one", b"a", "here")
        with pytest.raises(Conflict):
            await store.append("t", 0, "bob", "two", b"b", "here")
        with pytest.raises(Conflict):
            await store.append("t", 1, "ann", "one", b"a", "here")
        assert [each.body for each in await store.after("t", 0)] == [b"a"]
        assert await store.done("t", "ann", "one") == b"a"
        assert await store.table("nothing") is None

    with_rooms(tmp_path, work)


def test_bots_play_a_table_to_its_end_and_give_the_seat_back(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        first, second = room.state.seats("player")
        await act(room, acts.HOST, acts.Seat(first, "random"))
        room.bots_go_on()
        for _ in range(400):
            if asked(room) == second:
                break
            await asyncio.sleep(0.01)
        await act(room, acts.HOST, acts.Seat(first, ""))
        assert first not in room.state.bots
        await act(room, acts.HOST, acts.Seat(first, "random"))
        await act(room, acts.HOST, acts.Seat(second, "random"))
        room.bots_go_on()
        for _ in range(4000):
            if room.state.encounter.question is None:
                break
            await asyncio.sleep(0.01)
        assert room.state.encounter.result is not None

    with_rooms(tmp_path, work)


async def until_two_answered(room: Room) -> tuple[str, str]:
    """Plays until one seat has answered after the other: whose answer could be taken back, and whose consent that needs."""
    first = asked(room)
    for _ in range(40):
        await answer(room, asked(room), 1)
        if asked(room) != first:
            await answer(room, asked(room), 1)
            return first, asked(room)
    raise AssertionError("one seat was asked alone")


def test_taking_back_needs_the_consent_of_who_is_there(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        for seat in room.state.seats("player", "gm"):
            await act(room, seat, acts.Arrive())
        first, other = await until_two_answered(room)
        before = room.state.encounter.key()
        await act(room, first, acts.Undo())
        assert room.state.pending is not None
        assert other in room.state.pending.missing
        assert room.state.encounter.key() == before
        await act(room, other, acts.Consent(False))
        assert room.state.pending is None
        assert room.state.refused == (first, other)
        await act(room, first, acts.Undo())
        for seat in room.state.pending.missing if room.state.pending else ():
            await act(room, seat, acts.Consent(True))
        assert room.state.pending is None
        assert room.state.encounter.key() != before
        assert asked(room) == first

    with_rooms(tmp_path, work)


def test_nothing_is_taken_back_once_all_may_look_at_everything(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        first, _ = await until_two_answered(room)
        await act(room, first, acts.Concede())
        assert room.state.encounter.question is None
        with pytest.raises(IllegalAnswer, match="The encounter is over"):
            await act(room, first, acts.Undo())
        assert room.state.encounter.question is None

    with_rooms(tmp_path, work)


def test_an_empty_chair_and_a_bot_consent(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        first, _ = await until_two_answered(room)
        await act(room, first, acts.Undo())
        assert room.state.pending is None
        assert asked(room) == first

    with_rooms(tmp_path, work)


def test_a_new_link_makes_the_old_one_useless(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        old = room.proof("sable")
        assert room.sits("sable", old)
        assert not room.sits("garrick", old)
        await act(room, "gm", acts.Relink("sable"))
        assert not room.sits("sable", old)
        assert room.sits("sable", room.proof("sable"))
        with pytest.raises(IllegalAnswer):
            await act(room, "garrick", acts.Relink("sable"))

    with_rooms(tmp_path, work)


def test_a_gm_rules_and_pauses_and_nobody_else(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        await act(room, "gm", acts.Pause(True))
        with pytest.raises(IllegalAnswer, match="paused"):
            await answer(room, asked(room))
        await act(room, "gm", acts.Pause(False))
        await act(room, "gm", acts.Rule("sable", "spirit", 11, "a forgotten wound"))
        assert room.state.encounter.view("garrick").records["sable"]["spirit"] == 11
        with pytest.raises(IllegalAnswer):
            await act(room, "garrick", acts.Rule("sable", "spirit", 1, "because"))
        with pytest.raises(IllegalAnswer):
            await act(room, "gm", acts.Rule("sable", "spirit", "many", "because"))

    with_rooms(tmp_path, work)


def test_real_dice_are_thrown_by_who_is_asked_to(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms, real_dice=True)
        thrower = next(each for each in ("sable", "garrick") if room.ticket(each))
        other = "garrick" if thrower == "sable" else "sable"
        assert not room.ticket(other)
        assert not room.ticket("spectator")
        with pytest.raises(IllegalAnswer):
            await room.do(thrower, room.ticket(thrower), acts.Throw(77))
        await room.do(thrower, room.ticket(thrower), acts.Throw(4))
        assert room.ticket(other) or asked(room)

    with_rooms(tmp_path, work)


def test_everybody_is_told_of_a_change(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        watching = Subscriber("spectator")
        watching.changed.clear()
        room.subscribers.add(watching)
        await answer(room, asked(room))
        assert watching.changed.is_set()

    with_rooms(tmp_path, work)


def test_whoever_is_asked_is_told_first(tmp_path: Path) -> None:
    async def work(rooms: Rooms) -> None:
        room = await opened(rooms)
        told: list[str] = []
        for seat in ("spectator", "gm", *room.state.seats("player")):
            watching = Subscriber(seat)
            watching.changed.set = lambda seat=seat: told.append(seat)  # type: ignore[method-assign, misc]
            room.subscribers.add(watching)
        for _ in range(12):
            told.clear()
            room.touch()
            assert len(told) == 4
            assert told[0] in room.state.encounter.asked()
            await answer(room, asked(room))

    with_rooms(tmp_path, work)


def test_the_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    keys = Keys.of(file)
    assert file.stat().st_mode & 0o077 == 0
    assert Keys.of(file).link("t", "ann", 0) == keys.link("t", "ann", 0)
    assert not keys.fits("", "t", "ann", "")
    assert not keys.sits("", "t", "ann", 0)
