"""Like faces: the recursion against every roll listed one by one, and the figures of the rules."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from referee.dice import Dice
from referee.dice.like import (
    after_flips,
    best_group,
    contest_chances,
    face_law,
    group_chance,
    group_counts,
    group_law,
    words,
)

ROLLS = 20_000
SMALL = [(dice, sides) for sides in range(1, 8) for dice in range(8) if sides**dice <= ROLLS]


def slow_best(roll: tuple[int, ...], flips: int, sides: int) -> tuple[int, int]:
    """The slow twin: every way to set so many dice, the largest group, of equal ones the highest face."""
    best = (0, 0)
    for set_dice in product((False, True), repeat=len(roll)):
        if sum(set_dice) > flips:
            continue
        for face in range(1, sides + 1):
            dice = [face if flip else shown for flip, shown in zip(set_dice, roll, strict=True)]
            best = max(best, *((dice.count(each), each) for each in range(1, sides + 1)))
    return best


@pytest.mark.parametrize(("dice", "sides"), SMALL)
def test_counts_are_those_of_all_rolls(dice: int, sides: int) -> None:
    rolls = list(product(range(1, sides + 1), repeat=dice))
    largest = Counter(max(map(roll.count, roll), default=0) for roll in rolls)
    for flips in range(dice + 2):
        reached: Counter[int] = Counter()
        for size, count in largest.items():
            reached[min(dice, size + flips)] += count
        assert group_counts(dice, flips, sides) == tuple(reached[size] for size in range(dice + 1))


@pytest.mark.parametrize(("dice", "sides"), SMALL)
def test_faces_are_those_of_all_rolls(dice: int, sides: int) -> None:
    for flips in range(dice + 2):
        found = Counter(best_group(roll, flips, sides) for roll in product(range(1, sides + 1), repeat=dice))
        law = face_law(dice, flips, sides)
        assert {group: law.chance(group) for group in law} == {
            group: Fraction(count, sides**dice) for group, count in found.items()
        }


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 6), (3, 6), (4, 4), (5, 3)])
def test_flips_are_used_in_the_best_way(dice: int, sides: int) -> None:
    for flips in range(4):
        for roll in product(range(1, sides + 1), repeat=dice):
            size, face = slow_best(roll, flips, sides)
            assert best_group(roll, flips, sides) == (size, face)
            shown = after_flips(roll, flips, sides)
            assert shown.count(face) == size
            assert sum((Counter(roll) - Counter(shown)).values()) <= flips


@pytest.mark.parametrize(("dice", "sides"), [(10, 6), (60, 10), (100, 10), (50, 100), (37, 20), (13, 2)])
def test_large_pools_add_up(dice: int, sides: int) -> None:
    counts = group_counts(dice, 0, sides)
    assert sum(counts) == sides**dice
    assert min(counts) >= 0
    by_size: Counter[int] = Counter()
    if dice * sides <= 60:
        law = face_law(dice, 2, sides)
        for (size, _), weight in law.items():
            by_size[size] += weight
        assert {size: Fraction(weight, law.total) for size, weight in by_size.items()} == {
            size: group_law(dice, 2, sides).chance(size) for size in group_law(dice, 2, sides)
        }


def test_words_without_letters_and_limits() -> None:
    assert words(0, 0, 0) == 1
    assert words(2, 0, 1) == 0
    assert words(3, 2, 1) == 0
    assert words(4, 4, 1) == 24


def test_icepool_agrees() -> None:
    icepool = pytest.importorskip("icepool")
    for dice, sides in ((5, 6), (10, 6), (12, 10)):
        largest = icepool.d(sides).pool(dice).largest_count()
        for size, count in enumerate(group_counts(dice, 0, sides)):
            if count:
                assert largest.probability(size) == Fraction(count, sides**dice)


def test_contests_are_those_of_all_rolls() -> None:
    for first, second in (((2, 0), (3, 1)), ((3, 1), (3, 0)), ((0, 0), (1, 0))):
        outcomes: Counter[int] = Counter()
        for ours in Dice(first[0], 6).law():
            for theirs in Dice(second[0], 6).law():
                one, other = best_group(ours, first[1])[0], best_group(theirs, second[1])[0]
                outcomes[(one > other) - (one < other)] += 1
        total = sum(outcomes.values())
        chances = contest_chances(group_law(*first), group_law(*second))
        assert chances == tuple(Fraction(outcomes[sign], total) for sign in (1, 0, -1))


def test_known_contests() -> None:
    assert contest_chances(group_law(3, 1), group_law(5)) == (Fraction(65, 162), Fraction(1375, 2916), Fraction(371, 2916))
    five = contest_chances(group_law(5), group_law(5))
    assert five == (Fraction(44005, 186624), Fraction(49307, 93312), Fraction(44005, 186624))
    faces = contest_chances(face_law(3, 1), face_law(5))
    assert faces == (Fraction(23855, 34992), Fraction(3275, 34992), Fraction(3931, 17496))


def test_chances_follow_the_flips() -> None:
    for dice in range(1, 9):
        for flips in range(5):
            for need in range(12):
                expected = 0 if need > dice else 1 if need - flips <= 1 else group_chance(dice, 0, need - flips)
                assert group_chance(dice, flips, need) == expected


@pytest.mark.parametrize("nonsense", [(-1, 0, 6), (1, -1, 6), (1, 0, 0)])
def test_nonsense_is_refused(nonsense: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="negative"):
        group_counts(*nonsense)
