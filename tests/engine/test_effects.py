"""Lasting effects, numbers that explain themselves, and what a record may hold."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine import Effect, Hidden, Reason, Record, Refusal, Until, breakdown, legal, named, total, used
from referee.engine.records import check_flat, happened, hidden_fields, merged
from tests.engine.playing import begin
from tests.engine.skirmish import Figure, armour, start
from tests.engine.test_frames import Single


def effect(amount: int = 1, source: str = "x", **more: Any) -> Effect:
    return Effect("hurt", amount, source, **more)


def test_refresh_replaces():
    other = Effect("calm")
    assert merged((effect(3, "y"), other), effect(1)) == (other, effect(1))


def test_stack_lies_beside():
    assert merged((effect(),), effect(merge="stack")) == (effect(), effect(merge="stack"))


@pytest.mark.parametrize(("old", "new", "left"), [(3, 1, 3), (1, 3, 3), (2, 2, 2)])
def test_highest_keeps_the_greater(old, new, left):
    kept = merged((effect(old, "old", merge="highest"),), effect(new, "new", merge="highest"))
    assert [each.amount for each in kept] == [left]
    assert kept[0].source == ("old" if old > new else "new"), "an equal one is the fresher one"


def test_sources_last_until_the_last_is_gone():
    until = {source: Until(f"{source} leaves") for source in "pq"}
    both: tuple[Effect, ...] = ()
    for source in "pqp":
        both = merged(both, effect(1, source, merge="sources", until=until[source]))
    assert [each.source for each in both] == ["q", "p"]
    both = happened(both, "q leaves", "")
    assert [each.source for each in both] == ["p"]
    assert happened(both, "p leaves", "") == ()


def test_until_the_nth_event_of_somebody():
    one = (effect(until=Until("turn begins", "bo", 3)),)
    assert happened(one, "turn begins", "ada") is one
    assert happened(one, "turn ends", "bo") is one
    for left in (2, 1):
        one = happened(one, "turn begins", "bo")
        assert one == (effect(until=Until("turn begins", "bo", left)),)
    assert happened(one, "turn begins", "bo") == ()


def test_until_an_event_of_anybody():
    assert happened((effect(until=Until("noise")),), "noise", "whoever") == ()
    assert happened((effect(),), "noise", "whoever") == (effect(),)


def test_uses_run_out():
    twice, always = effect(uses=2), effect(source="y")
    effects = (twice, always)
    assert used(effects, always) is effects
    effects = used(effects, twice)
    assert effects == (effect(uses=1), always)
    assert used(effects, effects[0]) == (always,)


def test_only_the_one_that_worked_is_used_up():
    first, second = effect(uses=1, merge="stack"), effect(uses=1, merge="stack")
    assert len(used((first, second), first)) == 1


def test_effects_by_name():
    assert named((effect(), Effect("calm"), effect(2)), "hurt") == [effect(), effect(2)]


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("pqr"), st.sampled_from(["refresh", "highest", "sources"]))))
def test_merging_keeps_no_two_of_a_kind(given):
    effects: tuple[Effect, ...] = ()
    for amount, source, merge in given:
        effects = merged(effects, Effect("hurt" + merge, amount, source, merge=merge))
    kinds = [(each.name, each.source if each.merge == "sources" else "") for each in effects]
    assert len(kinds) == len(set(kinds))
    highest = [amount for amount, _, merge in given if merge == "highest"]
    assert [each.amount for each in effects if each.merge == "highest"] == ([max(highest)] if highest else [])


def test_the_engine_gives_effects_and_tells_them_what_happens():
    game = begin(Single, first=lambda game: Single(always=True)).game
    game.give("thing", effect(until=Until("bell", count=2)))
    game.give("thing", Effect("calm"))
    before = game.records["thing"]
    game.happens("nothing")
    assert game.records["thing"] is before
    game.happens("bell", "anna")
    game.happens("bell", "bert")
    assert [each.name for each in game.records["thing"].effects] == ["calm"]


def test_guarding_lasts_until_the_next_turn_and_shows_in_the_breakdown():
    encounter = start(real_dice=True)
    for seat in encounter.asked():
        encounter.answer(0, seat)
    for _ in range(2):
        encounter.answer(("guard",))
    encounter.answer(("strike", "ada"))
    game = encounter.game
    lines = breakdown("armour", armour(game, "ada"), 0)
    assert (lines.name, lines.lines, lines.total) == ("armour", ((0, "nothing", "SK-1"), (1, "guard", "SK-5")), 1)
    while encounter.asked():
        encounter.answer("pass")
    encounter.answer(4)
    assert game.records["ada"].hp == 3
    while "Turn" in encounter.where:
        encounter.answer("pass" if "Window" in encounter.where else ("guard",))
    for seat in encounter.asked():
        encounter.answer(0, seat)
    assert encounter.choice().who == "ada"
    assert named(encounter.game.records["ada"].effects, "braced") == []


# Numbers


@given(st.lists(st.integers(-5, 5)), st.none() | st.integers(-3, 3))
def test_a_number_is_the_sum_of_its_lines(amounts, least):
    lines = [(amount, "source", "T-1") for amount in amounts]
    value = sum(amounts) if least is None else max(least, sum(amounts))
    assert total(iter(lines), least) == value
    assert breakdown("number", iter(lines), least).total == value
    assert breakdown("number", iter(lines)).lines == tuple(lines)


def test_no_reason_means_legal_and_the_first_one_is_enough():
    def reasons():
        yield Reason("no", (), ("T-1", "T-2"))
        raise AssertionError("nobody should ask on")

    assert legal(iter(()))
    assert not legal(reasons())
    assert Refusal("x", (Reason("no", (), ("T-1",)), Reason("nor", (), ("T-2",)))).rules == ("T-1", "T-2")


# Records


def test_records_hold_only_what_cannot_change_in_place():
    check_flat(Figure)

    class Fine(Record):
        a: int | None
        b: tuple[tuple[str, int], ...] = ()
        c: Literal["x", "y"] = "x"
        d: Annotated[tuple[Effect, ...], Hidden("gm")] = ()

    check_flat(Fine)

    class WithList(Record):
        wrong: list[int]

    class Deep(Record):
        wrong: Annotated[tuple[dict[str, int], ...], Hidden("gm")]

    class Points(Record):
        wrong: Figure

    for kind in (WithList, Deep, Points):
        with pytest.raises(TypeError, match=r"wrong: .* can be changed in place; use numbers, texts and tuples"):
            check_flat(kind)


def test_hidden_fields_are_read_off_the_class():
    assert {name: mark.known_to for name, mark in hidden_fields(Figure).items() if name != "trap"} == {
        "hand": "owner", "plan": "side", "doom": "gm",
    }  # fmt: skip
