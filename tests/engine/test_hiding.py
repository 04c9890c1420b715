"""Figures in hiding: absent from all that who does not know of them is told; hidden and revealed by rulings that replay."""

import pytest

from referee.content import opening
from referee.dice import Stream
from referee.engine import HIDDEN, Encounter, IllegalAnswer, come_out, compare, hides, in_hiding, transcript
from referee.engine.hiding import NOWHERE, told, unknown_seats, unknown_to, without
from tests.engine.playing import to_actions
from tests.engine.skirmish import CONTENT, start

STRANGERS = ("ben", "cleo", "watcher")
INFORMED = ("ann", "abe", "gm")


def hidden(who: str = "axel") -> Encounter:
    """Before Ann's action in the first round, an ally of hers having slipped away."""
    encounter = to_actions(start())
    encounter.hide(who, "it slips away")
    return encounter


def test_who_hides_is_in_the_views_of_its_side_and_the_gm_alone():
    encounter = hidden()
    assert encounter.game.unseen == ("axel",)
    assert [seat for seat in encounter.game.seats if "axel" in encounter.view(seat).records] == ["ann", "abe", "gm"]
    for seat in STRANGERS:
        assert b"axel" not in encounter.view(seat).bytes()
        assert unknown_to(encounter.game, seat) == ("axel",)
        assert unknown_seats(encounter.game, seat) == ("abe",)
    assert [unknown_to(encounter.game, seat) for seat in INFORMED] == [()] * 3


def test_whom_a_seat_does_not_know_it_cannot_aim_at_nor_wait_for():
    encounter = hidden("bo")
    assert ("strike", "bo") not in [each.value for each in encounter.offers("ann")]
    for _ in range(3):
        encounter.answer(("guard",))
    assert encounter.asked() == ("ann", "abe", "cleo")  # the next bids
    for seat in ("ann", "abe", "cleo", "watcher"):
        assert encounter.view(seat).asked == ("ann", "abe", "cleo")


def test_going_into_hiding_and_coming_out_are_told_to_all_and_replay():
    encounter = hidden()
    assert [each.kind for each in encounter.events_for("ben")][-1] == "hides"
    encounter.reveal("axel", "a twig snaps")
    said = encounter.events_for("ben")[-1]
    assert (said.kind, said["who"], said["reason"], said.rules) == ("comes_out", "axel", "a twig snaps", ("SK-11",))
    assert encounter.game.unseen == ()
    again, difference = compare(transcript.read(encounter.transcript()), CONTENT)
    assert difference is None
    assert again.game.key() == encounter.key()


def test_hidden_and_revealed_again_all_is_as_it_was():
    encounter = to_actions(start())
    before = encounter.key()
    encounter.hide("axel", "it slips away")
    assert encounter.key() != before
    encounter.reveal("axel", "and is back")
    assert encounter.key() == before


def test_what_is_ruled_of_one_who_hides_is_told_to_those_who_know():
    encounter = hidden()
    before = {seat: (encounter.view(seat).bytes(), len(encounter.events_for(seat))) for seat in STRANGERS}
    encounter.rule({"axel": {"at": "d3", "hp": 5}}, "it creeps on")
    for seat in STRANGERS:
        assert (encounter.view(seat).bytes(), len(encounter.events_for(seat))) == before[seat]
    assert [encounter.events_for(seat)[-1]["reason"] for seat in INFORMED] == ["it creeps on"] * 3


def test_a_line_that_names_it_among_others_is_told_without_it_and_one_about_it_not_at_all():
    encounter = hidden()
    encounter.game.log("meets", figures=("ada", "axel", "bo"), wounds=(("axel", 3), ("bo", 1)), by=(("red", ("ada", "axel")),))
    encounter.game.log("moves", who="axel")
    assert [each.kind for each in encounter.events_for("ann")][-2:] == ["meets", "moves"]
    last = encounter.events_for("ben")[-1]
    assert last.facts == {"figures": ("ada", "bo"), "wounds": (("bo", 1),), "by": (("red", ("ada",)),)}
    encounter.reveal("axel", "it is back")
    assert encounter.events_for("ben")[-2] == last  # what was told is told


def test_the_log_of_a_seat_looks_like_one_of_a_game_without_it():
    encounter = hidden()
    encounter.game.log("moves", who="ada")
    line = told(encounter.game, encounter.events(), "ben")[-1]
    assert type(line).__name__ == "Event"
    assert line == told(encounter.game, encounter.events(), "watcher")[-1]


def test_a_value_without_somebody():
    game = hidden().game
    value = {
        "axel": 1, "rows": [("axel", "hp"), ("bo", "hp"), ("ada", "axel"), 3], "whom": ("when", "axel", 2), "target": "axel",
        "none": None, "only": ["axel"],
    }  # fmt: skip
    rest = {"rows": [("bo", "hp"), ("ada",), 3], "whom": ("when", "", 2), "target": "", "none": None, "only": []}
    assert without(game, value, ("axel",)) == rest


def test_who_does_not_know_of_it_imagines_that_nobody_is_there():
    encounter = hidden()
    encounter.rule({"axel": {"hp": 5}}, "hurt on the way")
    other = hidden()
    worlds = [each.imagine("ben", Stream(3)).game.records["axel"] for each in (encounter, other)]
    assert worlds[0] == worlds[1]
    assert (worlds[0].out, worlds[0].at, worlds[0].hp) == (NOWHERE, "", 6)  # 6 by default
    assert encounter.imagine("ben", Stream(3)).view("ben").bytes() == encounter.view("ben").bytes()
    assert encounter.imagine("ann", Stream(3)).game.records["axel"].out == HIDDEN


def test_forks_and_saves_keep_who_hides():
    encounter = hidden()
    assert encounter.fork().game.unseen == ("axel",)
    assert Encounter.load(encounter.save(), CONTENT).game.unseen == ("axel",)
    fork = encounter.fork()
    fork.reveal("axel", "there")
    assert encounter.game.unseen == ("axel",)
    assert in_hiding(encounter.game, ("ada", "axel")) == ("axel",)


def test_what_is_revealed_is_not_taken_back_without_those_who_learned_of_it():
    encounter = hidden()
    encounter.answer(("guard",))
    assert encounter.can_undo("ann").consents == ()
    come_out(encounter.game, "axel", "found")
    assert set(encounter.can_undo("ann").consents) == {"abe", "ben", "cleo", "gm"}


def test_nobody_is_told_that_a_seat_in_hiding_must_consent():
    encounter = to_actions(start())
    for _ in range(2):
        encounter.answer(("guard",))  # of Ann and Abe
    encounter.answer(("guard",))  # of Ben
    encounter.hide("axel", "it slips away")
    assert encounter.can_undo("ben").consents == ("gm",)
    encounter.reveal("axel", "there")
    assert encounter.can_undo("ann").consents == ("abe", "ben", "cleo", "gm")


def refused(encounter: Encounter, who: str, why: str) -> None:
    before = encounter.save()
    with pytest.raises(IllegalAnswer, match=why):
        encounter.hide(who, "because")
    assert encounter.save() == before


def test_who_cannot_hide_just_now():
    refused(start(), "axel", "abe takes part in what is decided in secret just now")
    encounter = to_actions(start())
    refused(encounter, "ada", "ada is asked something just now")
    refused(encounter, "pot", "pot has no field 'out'")
    refused(encounter, "nobody", "no record 'nobody'")
    encounter.answer(("strike", "bo"))
    refused(encounter, "cy", "cy takes part in what is going on just now; wait until that is over")  # it may react
    refused(encounter, "ada", "ada takes part in what is going on")
    refused(hidden(), "axel", "axel hides already")
    with pytest.raises(IllegalAnswer, match="ada does not hide"):
        encounter.reveal("ada", "because")
    encounter.rule({"axel": {"out": "gone home"}}, "tired")
    refused(encounter, "axel", r"axel takes no part any more \(gone home\)")
    with pytest.raises(IllegalAnswer, match="nobody is ruled to be 'nowhere'"):
        encounter.rule({"axel": {"out": NOWHERE}}, "because")


def test_one_who_hides_may_be_ruled_out_and_all_learn_of_it():
    encounter = hidden()
    encounter.rule({"axel": {"out": "gone home"}}, "tired of waiting")
    assert not hides(encounter.game, "axel")
    assert [each.kind for each in encounter.events_for("ben")][-2:] == ["comes_out", "ruling"]
    assert encounter.view("ben").records["axel"]["out"] == "gone home"


def test_a_game_that_has_no_place_for_hiding_says_why():
    encounter = opening.start("soluna/alley", 1)
    who = next(iter(encounter.game.seat_of))
    before = encounter.save()
    for attempt in (lambda: encounter.hide(who, "why"), lambda: encounter.rule({who: {"out": HIDDEN}}, "why")):
        with pytest.raises(IllegalAnswer, match="in Sol'una nobody hides"):
            attempt()
    assert encounter.save() == before
