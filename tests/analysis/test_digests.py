"""What a reader is told of odds adds up, and is said in words of fields that exist."""

from __future__ import annotations

from fractions import Fraction

import pytest

import referee
from referee.analysis.digests import LEAST, digest
from referee.analysis.odds import Outlook
from referee.content import registry
from referee.engine.chances import Odds

ODDS = Odds(
    options=(), answer=lambda values, tools: {}, tell=lambda answer: (), told={"hp": "HP", "at": "moves to"},
    harms=(("hp", -1), ("out", 0)),
)  # fmt: skip


def outlook(*outcomes: tuple[tuple[tuple[str, str, object], ...], Fraction], **more: object) -> Outlook:
    facts: dict[str, object] = {"exact": True, "missing": Fraction(0), "samples": 0, "worth": Fraction(0)} | more
    return Outlook(outcomes, **facts)  # type: ignore[arg-type]


def test_who_is_hurt_what_is_sure_and_what_is_not() -> None:
    looked = outlook(
        ((("ken", "at", "b2"), ("hiro", "hp", -2), ("hiro", "noise", 1)), Fraction(1, 2)),
        ((("ken", "at", "b2"), ("hiro", "hp", -4), ("ken", "hp", 1)), Fraction(1, 4)),
        ((("ken", "at", "b2"), ("ken", "out", "dead")), Fraction(1, 4)),
    )
    told = digest(looked, ODDS, Fraction(3, 2))
    assert [(harm.who, harm.chance, harm.amount) for harm in told.harms] == [("hiro", 0.75, -2.0), ("ken", 0.25, 0.25)]
    assert told.sure == (("ken", "moves to", "b2"),)
    assert [(thing.whose, thing.what) for thing in told.things] == [("hiro", "HP"), ("ken", "HP"), ("ken", "out")]
    hp = told.things[0]
    assert [(value.change, value.chance) for value in hp.values] == [("-4", 0.25), ("-2", 0.5), ("", 0.25)]
    assert hp.mean == -2.0
    assert told.behind == 1.5


def test_what_is_hardly_likely_is_told_with_others() -> None:
    rare = LEAST / 2
    told = digest(
        outlook(((("ken", "hp", -1),), Fraction(1, 2)), ((("ken", "hp", -9),), rare), ((), Fraction(1, 2) - rare)), ODDS
    )
    (hp,) = told.things
    assert [value.change for value in hp.values] == ["-1", ""]
    assert hp.others == float(rare)


@pytest.mark.parametrize("game", registry.ids())
def test_the_fields_that_a_game_words_are_fields_of_its_records(game: str) -> None:
    ruleset = registry.get(game)
    assert ruleset.odds is not None
    fields = {field for record in ruleset.records for field in record.__struct_fields__}
    assert ruleset.odds.told.keys() <= fields | {"attack", "check", "contest", "interaction", "may make", "risk"}
    assert {field for field, _ in ruleset.odds.harms} <= fields
    assert ruleset.odds.harms


def test_an_attack_is_told_by_whom_it_hurts() -> None:
    encounter = referee.start("vaia/ford", seed=5)
    for _ in range(30):
        seat = encounter.asked()[0]
        aimed = [offer for offer in encounter.offers(seat) if offer.offer.target]
        if aimed:
            break
        encounter.answer(encounter.offers(seat)[0], seat)
    looked = referee.odds(encounter, aimed[0], seat, seconds=0.1)
    told = digest(looked, encounter.content.ruleset.odds)
    for thing in told.things:
        total = sum(value.chance for value in thing.values) + thing.others
        assert total == pytest.approx(float(1 - looked.missing))
