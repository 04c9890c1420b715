"""Odds in words: what is sure once, outcomes or things a line, chances that do not look more certain than they are."""

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

import referee
from referee.analysis.digests import digest
from referee.analysis.odds import Outlook, outlooks
from referee.analysis.wording import brief, in_words, lines, percent, said
from referee.engine.chances import Odds

ODDS = Odds(options=(), answer=lambda values, tools: {}, tell=lambda answer: ())


def outlook(*outcomes, missing=Fraction(0)):
    return Outlook(tuple(outcomes), not missing, missing, 0, Fraction(0))


HIT = (("ken", "strife", 1), ("hiro", "hp", -2))
MISS = (("ken", "strife", 1),)


def test_what_is_common_stands_once():
    told = lines(outlook((HIT, Fraction(1, 4)), (MISS, Fraction(3, 4))))
    assert told == ["  always  Ken: strife +1", "  75.00%  nothing more", "  25.00%  Hiro: hp -2"]
    assert lines(outlook(((), Fraction(1)))) == [" 100.00%  nothing changes"]
    assert lines(outlook((HIT, Fraction(1)))) == [" 100.00%  Ken: strife +1; Hiro: hp -2"]


def test_many_outcomes_are_told_thing_by_thing():
    several = [((("ken", "strife", each), ("hiro", "hp", -1)), Fraction(1, 8)) for each in range(1, 9)]
    told = lines(outlook(*several))
    assert told[0] == "  always  Hiro: hp -1"
    assert told[1].startswith("  Ken, strife: 12.50% +1, 12.50% +2")
    assert told[1].endswith("on the average +4.50")
    assert len(lines(outlook(*several), most=8)) == 9


def test_the_game_has_words_for_what_it_tells_and_the_rest_makes_no_difference():
    declared = replace(ODDS, told={"strife": "strife", "out": "leaves"}, harms=(("hp", -1),))
    hidden = ((*HIT, ("hiro", "begun", True)), Fraction(1, 8))
    told = lines(outlook((HIT, Fraction(1, 8)), hidden, ((("hiro", "out", "dead"),), Fraction(3, 4))), declared)
    assert told == ["  75.00%  Hiro: leaves dead", "  25.00%  Ken: strife +1; Hiro: hp -2"]


def test_beside_an_answer_stands_how_it_goes_and_whom_it_hurts():
    declared = replace(ODDS, told={"attack": "attack", "hp": "HP"}, harms=(("hp", -1),), won=("hits",))
    hit = (("ken", "attack", "hits"), ("hida_hiro", "hp", -3))
    looked = outlook((hit, Fraction(1, 3)), ((("ken", "attack", "misses"),), Fraction(2, 3)))
    assert brief(digest(looked, declared, who="ken")) == "33% hits, 33% hurts Hida Hiro (HP -1.00)"
    assert brief(digest(outlook((MISS, Fraction(1, 100)), ((), Fraction(99, 100))), None)) == "Ken: strife +0.01 on the average"
    assert brief(digest(outlook(((("", "winner", "ken"),), Fraction(1, 3)), ((), Fraction(2, 3))), None)) == "winner none 67%"
    assert brief(digest(outlook((HIT, Fraction(1))), None)) == "Ken: strife +1; Hiro: hp -2"
    assert brief(digest(outlook((HIT, Fraction(1))), None), {("ken", "strife", "+1")}) == "Hiro: hp -2"
    played = replace(looked, samples=40, drawn=looked.outcomes)
    assert brief(digest(played, declared, who="ken")) == "~33% hits, ~33% hurts Hida Hiro (HP -1.00)"
    assert brief(digest(replace(looked, worlds=12, agreed=False), declared, who="ken")).startswith("~33% hits")


def test_nothing_found_is_said():
    assert lines(outlook(missing=Fraction(1))) == ["not found out with so little work"]


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(1), "100.00%"), (Fraction(0), "0.00%"), (Fraction(1, 3), "33.33%"),
        (Fraction(1, 10**6), "<0.01%"), (1 - Fraction(1, 10**6), ">99.99%"),
    ],
)  # fmt: skip
def test_what_is_not_certain_does_not_look_so(chance, text):
    assert percent(chance) == text


def test_changes_in_words():
    changes = (("ken", "compromised", True), ("ken", "prone", False), ("ken.1", "card", ""), ("", "winner", "hida_hiro"))
    assert in_words(changes) == "ken compromised, ken prone no more, ken.1 card none, winner hida hiro"


def test_how_far_it_can_be_trusted():
    assert said(outlook((MISS, Fraction(1)))) == "exact"
    assert said(outlook((MISS, Fraction(99, 100)), missing=Fraction(1, 100))) == "0.01 left out"


def test_an_outlook_goes_from_process_to_process():
    encounter = referee.start("vaia/ford", 5)
    looked = [found for _, found in outlooks(encounter, encounter.asked()[0], 0.2)]
    assert pickle.loads(pickle.dumps(looked)) == looked
