"""Like faces: the law of the largest group of equal faces among several dice, some of which are set after the roll.

Everything is counted in whole numbers, by a recursion on words in which no letter stands too often; no roll is listed.
A *flip* sets one die to any face after the roll; flips are used so that the group is as large as it can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import comb

from .law import Law

Group = tuple[int, int]
"""The size of the largest group and its face; (0, 0) without dice."""


@cache
def words(length: int, letters: int, most: int) -> int:
    """How many words of that length have no letter more than `most` times.

    Let c_k(e) be the number for length k over e letters. Choosing the last letter, and taking away the words in which that
    letter overflows, gives c_{k+1}(e) = e c_k(e) - e C(k, most) c_{k-most}(e-1).
    """
    if length <= most:
        return int(letters**length)
    if most <= 0 or length > letters * most:
        return 0
    # Over e letters only lengths up to length - (letters - e)(most + 1) are ever looked at.
    removed = min(letters - 1, length // (most + 1))
    fewest = letters - removed
    top = length - removed * (most + 1)
    below: list[int] = [fewest**k for k in range(top + 1)]
    if fewest == 1:
        below = [int(k <= most) for k in range(top + 1)]
    for e in range(fewest + 1, letters + 1):
        counts = [e**k for k in range(most + 1)]
        choose = 1  # C(k, most)
        for k in range(most, length - (letters - e) * (most + 1)):
            counts.append(e * (counts[k] - choose * below[k - most]))
            choose = choose * (k + 1) // (k + 1 - most)
        below = counts
    return below[length]


@cache
def group_counts(dice: int, flips: int = 0, sides: int = 6) -> tuple[int, ...]:
    """For k = 0 to `dice`: how many of the `sides ** dice` rolls reach a largest group of k. ValueError below 0 dice."""
    _check(dice, flips, sides)
    counts = [0] * (dice + 1)
    if not dice:
        return (1,)
    half = dice // 2
    rest: int = sides**dice
    others = 1
    for size in range(dice, half, -1):
        # Only one face can hold so large a group.
        counts[size] = sides * comb(dice, size) * others
        others *= sides - 1
        rest -= counts[size]
    smaller = 0
    for size in range(-(-dice // sides), half):
        at_most = words(dice, sides, size)
        counts[size] = at_most - smaller
        smaller = at_most
    if half:
        counts[half] += rest - smaller
    return tuple(_flipped(counts, flips))


def _flipped(counts: Sequence[int], flips: int) -> list[int]:
    most = len(counts) - 1
    reached = [0] * len(counts)
    for size, count in enumerate(counts):
        reached[min(most, size + flips)] += count
    return reached


@cache
def group_law(dice: int, flips: int = 0, sides: int = 6) -> Law[int]:
    """The law of the largest group after the flips. ValueError below 0 dice or flips."""
    return Law(enumerate(group_counts(dice, flips, sides)))


@cache
def group_chance(dice: int, flips: int, need: int, sides: int = 6) -> Fraction:
    """The chance of a largest group of at least `need`."""
    return Fraction(sum(group_counts(dice, flips, sides)[max(0, need) :]), sides**dice)


@cache
def face_law(dice: int, flips: int = 0, sides: int = 6) -> Law[Group]:
    """The law of the largest group with its face, where of equally large groups the higher face is taken.

    With m the rolled group and m + flips < dice the face is the highest one that stands m times; else every die shows the
    highest face that stands at least dice - flips times.
    """
    _check(dice, flips, sides)
    if not dice:
        return Law.certain((0, 0))
    short = dice - flips
    if short <= 0:
        return Law.certain((dice, sides))
    counts: dict[Group, int] = {}
    for size in range(1, short):
        for face in range(1, sides + 1):
            count = comb(dice, size) * sum(
                comb(dice - size, high) * words(high, sides - face, size - 1) * words(dice - size - high, face - 1, size)
                for high in range(dice - size + 1)
            )
            counts[size + flips, face] = count

    def highest_at_most(face: int) -> int:
        """Rolls in which no face above this one stands `short` times."""
        return sum(comb(dice, high) * words(high, sides - face, short - 1) * face ** (dice - high) for high in range(dice + 1))

    below = highest_at_most(0)
    for face in range(1, sides + 1):
        at_most = highest_at_most(face)
        counts[dice, face] = at_most - below
        below = at_most
    return Law(counts)


def best_group(roll: Sequence[int], flips: int = 0, sides: int = 6) -> Group:
    """The largest group that a roll reaches with so many flips, and of equally large groups the highest face."""
    return _best_group(tuple(roll), flips, sides)


@lru_cache(maxsize=1 << 14)
def _best_group(roll: tuple[int, ...], flips: int, sides: int) -> Group:
    if not roll:
        return 0, 0
    dice = len(roll)
    size = max(map(roll.count, roll))
    if size + flips < dice:
        return size + flips, max(face for face in roll if roll.count(face) == size)
    if flips >= dice:
        return dice, sides
    return dice, max(face for face in roll if roll.count(face) >= dice - flips)


def after_flips(roll: Sequence[int], flips: int = 0, sides: int = 6) -> tuple[int, ...]:
    """The dice after the flips, the highest first: the lowest dice outside the group are set to its face."""
    face = best_group(roll, flips, sides)[1]
    shown = sorted(roll)
    for place, value in enumerate(shown):
        if not flips:
            break
        if value != face:
            shown[place] = face
            flips -= 1
    return tuple(sorted(shown, reverse=True))


def contest_chances(first: Law[int] | Law[Group], second: Law[int] | Law[Group]) -> tuple[Fraction, Fraction, Fraction]:
    """The chances that the first is greater, that both are equal, that the second is greater."""
    total = first.total * second.total
    wins = _above(first.items(), second.items())
    losses = _above(second.items(), first.items())
    return Fraction(wins, total), Fraction(total - wins - losses, total), Fraction(losses, total)


def _above(ours: Iterable[tuple[int | Group, int]], theirs: Iterable[tuple[int | Group, int]]) -> int:
    """The weight with which ours is the greater."""
    ordered = sorted(theirs, key=lambda each: each[0])
    wins = below = place = 0
    for value, weight in sorted(ours, key=lambda each: each[0]):
        while place < len(ordered) and ordered[place][0] < value:  # type: ignore[operator]
            below += ordered[place][1]
            place += 1
        wins += weight * below
    return wins


def _check(dice: int, flips: int, sides: int) -> None:
    if dice < 0 or flips < 0 or sides < 1:
        raise ValueError(f"{dice} dice of {sides} sides with {flips} flips: no number may be negative, a die has a side")
