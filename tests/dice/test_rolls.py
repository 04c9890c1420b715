"""Dice as values: what they can show, draw, and read from what people type."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.dice import D6, D10, D20, Dice, Die, ImpossibleRoll, Stream

specs = st.builds(Die, st.integers(1, 20)) | st.builds(Dice, st.integers(1, 3), st.integers(1, 6))


@given(specs, st.integers(0, 1000))
def test_what_is_drawn_is_allowed_and_can_be_typed(spec, seed):
    outcome = spec.sample(Stream(seed))
    assert spec.allows(outcome)
    assert spec.law().chance(outcome) > 0
    typed = str(outcome) if isinstance(outcome, int) else " ".join(map(str, outcome))
    assert spec.read(f"  {typed} ") == outcome


@given(specs)
def test_every_outcome_of_the_law_is_allowed(spec):
    assert all(map(spec.allows, spec.law()))
    assert len(spec.law()) == (spec.sides if isinstance(spec, Die) else spec.sides**spec.count)


@pytest.mark.parametrize("outcome", [0, 7, -1, True, 1.0, "3", None, (3,), [3]])
def test_a_die_cannot_show(outcome):
    assert not D6.allows(outcome)


@pytest.mark.parametrize("outcome", [(1,), (1, 2, 3), (0, 1), (1, 7), (1, True), (1, 2.0), ("1", "2"), 3, None, {1, 2}, "12"])
def test_dice_cannot_show(outcome):
    assert not Dice(2, 6).allows(outcome)
    assert Dice(2, 6).allows((1, 6))
    assert Dice(2, 6).allows([6, 1])


@pytest.mark.parametrize("text", ["", " ", "0", "7", "-1", "+3", "3.0", "six", "1 2", "9" * 5000, "d6", "0x3"])
def test_typed_for_a_die_in_vain(text):
    with pytest.raises(ImpossibleRoll, match=r"d6 cannot show .*: type a whole number from 1 to 6"):
        D6.read(text)


@pytest.mark.parametrize("text", ["", "1", "1 2 3", "1 7", "1 x", "0 1", "1;2", "1 -2", "9" * 5000])
def test_typed_for_dice_in_vain(text):
    with pytest.raises(ImpossibleRoll, match=r"2d6 cannot show .*: type 2 whole numbers from 1 to 6"):
        Dice(2, 6).read(text)


def test_typed():
    assert (D6.read("4"), D20.read(" 20\n"), D10.read("07")) == (4, 20, 7)
    assert Dice(3, 6).read("1,2, 3") == Dice(3, 6).read("1 2 3") == (1, 2, 3)
    assert isinstance(ImpossibleRoll("x"), ValueError)


def test_names():
    assert list(map(str, (D6, D10, D20, Dice(2, 6)))) == ["d6", "d10", "d20", "2d6"]


def test_specs_are_small_in_saves_and_come_back():
    for spec in (D10, Dice(3, 10)):
        data = msgspec.msgpack.encode(spec)
        assert len(data) < 10
        assert msgspec.msgpack.decode(data, type=Die | Dice) == spec


def test_dice_fall_as_often_as_the_law_says():
    stream = Stream(4)
    counts = Counter(Dice(2, 3).sample(stream) for _ in range(9000))
    law = Dice(2, 3).law()
    assert sum((counts[each] - 1000) ** 2 for each in law) / 1000 < 32
    assert set(counts) == set(law)
