"""GM's rulings on Morphyry's records."""

import pytest

from referee import IllegalAnswer, start


def test_a_ruling_is_logged_and_the_question_asked_again():
    encounter = start("morphyry/broken_stair", seed=1)
    encounter.rule({"sable": {"at": "c2"}}, "she slipped")
    assert encounter.view("garrick").records["sable"]["at"] == "c2"
    assert encounter.line(encounter.events()[-1]).startswith("Ruling by gm: sable at = c2 (she slipped)")


def test_a_ruling_that_the_game_cannot_go_on_with_is_refused_and_changes_nothing():
    encounter = start("morphyry/broken_stair", seed=1)
    before = encounter.save()
    with pytest.raises(IllegalAnswer, match=r"cannot go on with sable\.at = 'z9': sable stands on z9"):
        encounter.rule({"sable": {"at": "z9"}}, "she runs off the board")
    assert encounter.save() == before
