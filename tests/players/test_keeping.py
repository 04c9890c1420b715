"""Dice kept at the terminal by their places, as in `keep 1 3`."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pytest

from referee.content import opening
from referee.engine import Encounter
from referee.players.ink import Ink
from referee.players.terminal import BrokenOff, Left, Terminal


def at_a_keep(dice: tuple[tuple[str, str], ...]) -> Encounter:
    """An initiative check of a duel with these dice on the table."""
    encounter = opening.start("l5r/duel_at_dawn", 3)
    while True:
        seat = encounter.asked()[0]
        choice = encounter.choice(seat)
        assert choice is not None
        if choice.form == "keep" and all(die in choice.facts[0] for die in dice):
            return encounter
        encounter.answer(choice.offers[-1], seat)


def typed(encounter: Encounter, *lines: str) -> object:
    """What the person in the seat answers with these lines."""
    words: Iterable[str] = iter([f"{line}\n" for line in lines])
    ink = Ink(io.StringIO())
    ink.learn(encounter)
    seat = encounter.asked()[0]
    table = Terminal((seat,), ink, keep=lambda _: "kept", read=lambda: next(words, ""))  # type: ignore[call-overload]
    try:
        offer = table(encounter, seat)
    except (Left, BrokenOff):
        return None
    assert offer is not None
    return offer.value


def test_dice_are_kept_by_their_places() -> None:
    encounter = at_a_keep(())
    choice = encounter.choice()
    assert choice is not None
    wanted = next(offer for offer in choice.offers if len(offer.dice) == 2)
    assert typed(encounter, "keep " + " ".join(map(str, wanted.dice))) == wanted.value
    assert typed(encounter, "KEEP " + ", ".join(str(place) for place in reversed(wanted.dice))) == wanted.value


def test_equal_dice_stand_for_one_another() -> None:
    encounter = opening.start("l5r/duel_at_dawn", 3)
    for _ in range(200):
        seat = encounter.asked()[0]
        choice = encounter.choice(seat)
        assert choice is not None
        dice = choice.facts[0] if choice.form == "keep" else ()
        twice = [place for place, die in enumerate(dice, 1) if dice.index(die) + 1 < place]
        single = [offer for offer in choice.offers if len(offer.dice) == 1]
        if twice and single:
            first = dice.index(dice[twice[0] - 1]) + 1
            assert typed(encounter, f"keep {twice[0]}") == ("keep", first)
            return
        encounter.answer(choice.offers[-1], seat)
        if encounter.question is None:
            break
    pytest.fail("no roll showed the same face twice")


@pytest.mark.parametrize("line", ["keep 0", "keep 9", "keep 1 1", "keep", "drop 1"])
def test_dice_that_are_not_there_are_not_kept(line: str) -> None:
    assert typed(at_a_keep(()), line) is None


def test_an_answer_may_be_typed_as_its_words() -> None:
    encounter = opening.start("l5r/duel_at_dawn", 3)
    choice = encounter.choice(encounter.asked()[0])
    assert choice is not None
    value = choice.offers[-1].value
    assert isinstance(value, tuple)
    assert typed(encounter, " ".join(map(str, value))) == value
