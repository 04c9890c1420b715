"""Pools and keep choices of Legend of the Five Rings, against brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest

from referee.dice import ImpossibleRoll, Stream
from referee.rulesets.l5r.dice import RING, RING_DIE, SKILL, SKILL_DIE, Pool, keepable, subsets


@pytest.mark.parametrize(("ring", "skill"), [(1, 0), (0, 1), (2, 1), (2, 2), (3, 1)])
def test_the_law_of_a_pool_is_that_of_its_dice(ring: int, skill: int) -> None:
    pool = Pool(ring, skill)
    law = pool.law()
    counted: dict[tuple[str, ...], int] = {}
    for faces in product(*[RING_DIE] * ring, *[SKILL_DIE] * skill):
        counted[pool.ordered(faces)] = counted.get(pool.ordered(faces), 0) + 1
    whole = 6**ring * 12**skill
    assert {faces: law.chance(faces) for faces in law} == {faces: Fraction(times, whole) for faces, times in counted.items()}


def test_three_and_two_dice_have_1568_outcomes() -> None:
    assert len(Pool(3, 2).law()) == 1568


def test_samples_are_outcomes_of_the_law() -> None:
    pool, stream = Pool(2, 2), Stream(1)
    law = pool.law()
    assert all(law.chance(pool.sample(stream)) > 0 for _ in range(200))


def test_typed_dice_are_read_in_any_order_and_case() -> None:
    assert Pool(2, 1).read("o {TS} / e") == ("ST", "O", "E")
    assert Pool(1, 1).read("blank -") == ("-", "-")


@pytest.mark.parametrize("text", ["", "S", "E O", "S OT", "S S S", "T S", "x S"])
def test_impossible_dice_are_refused(text: str) -> None:
    with pytest.raises(ImpossibleRoll, match="1 ring die and 1 skill die cannot show"):
        Pool(1, 1).read(text)


FACES = [
    ((RING, "S"), (RING, "S"), (RING, "OT"), (SKILL, "E"), (SKILL, "-")),
    ((RING, "ET"), (RING, "ST"), (SKILL, "ET")),
    ((RING, "-"),),
    ((RING, "ST"), (RING, "ST"), (SKILL, "ST"), (SKILL, "O"), (SKILL, "O"), (SKILL, "O")),
]


@pytest.mark.parametrize("dice", FACES)
@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("compromised", [False, True])
def test_what_may_be_kept_is_every_set_of_faces_once(dice: tuple[tuple[str, str], ...], limit: int, compromised: bool) -> None:
    free = [place for place, (_, face) in enumerate(dice) if not (compromised and "T" in face)]
    wanted = {
        tuple(sorted(dice[place] for place in chosen))
        for count in range(1 if free else 0, limit + 1)
        for chosen in combinations(free, count)
    }
    found = [tuple(sorted(dice[number - 1] for number in chosen)) for chosen in keepable(dice, limit, compromised)]
    assert len(found) == len(set(found))
    assert set(found) == wanted


def test_of_equal_dice_the_first_stand_for_all() -> None:
    assert subsets(((RING, "S"), (RING, "S"), (SKILL, "S")), 1, 1) == ((1,), (3,))
