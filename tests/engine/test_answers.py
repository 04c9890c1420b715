"""Answers and what is no answer; rulings and concessions; real dice."""

import pytest

from referee.dice import D6, Dice
from referee.engine import Choice, Effect, Encounter, Frame, IllegalAnswer, Offer, Roll, Until, compare, steps, transcript
from tests.engine.playing import begin, to_actions
from tests.engine.skirmish import CONTENT, start


@steps("ask", "take")
class Ask(Frame):
    def ask(frame, game):
        return Choice("a", "one", tuple(map(Offer, (1, True, "1", ("x", 1), ("x", (False,)), ("same", 1), None))))

    def take(frame, game, answer):
        game.log("took", answer=answer)


def took(answer) -> object:
    encounter = begin(Ask)
    encounter.answer(answer)
    return encounter.events()[-1]["answer"]


@pytest.mark.parametrize("value", [1, True, "1", ("x", 1), ("x", (False,)), None])
def test_an_answer_by_its_value_is_of_its_very_type(value):
    answered = took(value)
    assert repr(answered) == repr(value)


@pytest.mark.parametrize("value", [1.0, False, 0, ("x", True), ("x", (0,)), ("x", 1.0), ("x",), "x", b"1", {1}, float("nan")])
def test_numbers_and_truth_values_are_not_confused(value):
    encounter = begin(Ask)
    saved = encounter.save()
    with pytest.raises(IllegalAnswer, match="not on offer to a; on offer: "):
        encounter.answer(value)
    assert encounter.save() == saved


def test_lists_answer_for_tuples_and_labels_and_offers_for_values():
    assert took(["x", [False]]) == ("x", (False,))
    assert took("x 1") == ("x", 1)
    assert took(Offer(("same", 1))) == ("same", 1)
    encounter = begin(Ask)
    encounter.answer(encounter.offers()[3])
    assert encounter.events()[-1]["answer"] == ("x", 1)


def test_a_label_that_two_offers_share_does_not_answer():
    @steps("ask", "take")
    class Twins(Frame):
        def ask(frame, game):
            return Choice("a", "one", (Offer(("x", "y")), Offer(("x y",))))

        def take(frame, game, answer):
            pass

    with pytest.raises(IllegalAnswer, match="on offer: x y; x y"):
        begin(Twins).answer("x y")


def test_only_seats_that_are_asked_answer():
    encounter = begin(Ask)
    for seat, message in (("b", "b is not asked now; asked is a"), ("nobody", "no seat 'nobody'; the seats are a, b, gm")):
        with pytest.raises(IllegalAnswer, match=message):
            encounter.answer(1, seat)
        assert encounter.asked() == ("a",)
    encounter.answer(1, "a")
    for doing in (lambda: encounter.answer(1), lambda: encounter.concede("a"), lambda: encounter.rule([], "why")):
        with pytest.raises(IllegalAnswer):
            doing()


def test_many_offers_are_not_all_listed():
    @steps("ask", "take")
    class Many(Frame):
        def ask(frame, game):
            return Choice("a", "one", tuple(map(Offer, range(50))))

        def take(frame, game, answer):
            pass

    with pytest.raises(IllegalAnswer, match="11; and 38 more"):
        begin(Many).answer(99)


def test_offers_tell_their_cost_and_rules_and_numbers():
    encounter = to_actions(start())
    shown = encounter.offers("ann")[0]
    assert (shown.label, shown.value, shown.rules, shown.cost) == ("strike bo", ("strike", "bo"), ("SK-2",), ())
    number = encounter.breakdown(shown)[0]
    assert (number.name, number.lines, number.total) == ("armour", ((1, "leather", "SK-1"),), 1)
    assert encounter.breakdown(shown.offer) == encounter.breakdown(shown)
    with pytest.raises(IllegalAnswer, match="another question"):
        encounter.breakdown(Offer("x"))


def test_refusals_give_reasons_with_rules():
    refused = {each.value[1]: [reason.key for reason in each.reasons] for each in to_actions(start()).refusals("ann")}
    assert refused == {"axel": ["friend"]}
    assert to_actions(start()).refusals("ben") == []


def test_a_refusal_is_told_in_words_to_the_seat_that_is_asked():
    encounter = to_actions(start())
    (refusal,) = encounter.refusals("ann")
    assert encounter.why(refusal) == encounter.why(refusal, "ann")
    assert encounter.why(refusal).startswith("strike axel: because friend")
    with pytest.raises(IllegalAnswer, match="ben is asked nothing"):
        encounter.why(refusal, "ben")


# Real dice


@steps("roll", "look", "roll_two", "look_again")
class Rolls(Frame):
    def roll(frame, game):
        return Roll("one", D6, "anna")

    def look(frame, game, outcome):
        game.log("one", outcome=outcome)

    def roll_two(frame, game):
        return Roll("two", Dice(2, 10))

    def look_again(frame, game, outcome):
        game.log("two", outcome=outcome)


def test_real_dice_are_typed():
    encounter = begin(Rolls, seed=None)
    assert encounter.asked() == ()
    saved = encounter.save()
    for wrong in ("7", "0", "six", "", "1 2", 7, 0, True, 1.0, None, (1,)):
        with pytest.raises(IllegalAnswer, match="d6 cannot show"):
            encounter.answer(wrong)
        assert encounter.save() == saved
    with pytest.raises(IllegalAnswer, match="no seat"):
        encounter.answer(3, "nobody")
    encounter.answer(" 6 ")
    for wrong in ("1", "1 11", (1, True), (1, 2, 3), "a b"):
        with pytest.raises(IllegalAnswer, match="2d10 cannot show"):
            encounter.answer(wrong)
    encounter.answer("10, 3")
    assert [event["outcome"] for event in encounter.events()] == [6, (10, 3)]
    assert encounter.history() == [("roll", 6), ("roll", (10, 3))]


def test_real_dice_are_asked_with_a_seed_too_and_after_load_and_replay():
    encounter = to_actions(start(7, real_dice=True))
    assert encounter.seed is None
    encounter.answer(("strike", "bo"))
    while encounter.asked():
        encounter.answer("pass")
    loaded = Encounter.load(encounter.save(), CONTENT)
    replayed = Encounter(compare(transcript.read(encounter.transcript()), CONTENT)[0].finish())
    for each in (encounter, loaded, replayed, encounter.fork()):
        assert isinstance(each.question, Roll)
        each.answer(3)
        assert each.game.records["bo"].hp == 4


# Conceding


def test_conceding_is_possible_whoever_is_asked_and_the_question_stays():
    encounter = to_actions(start())
    assert encounter.asked() == ("ann",)
    encounter.concede("ben")
    assert encounter.game.records["bo"].fled
    assert encounter.asked() == ("ann",)
    assert ("strike", "bo") not in [shown.value for shown in encounter.offers("ann")]
    saved = encounter.save()
    for seat, message in (("ben", "left already"), ("gm", "nothing to concede"), ("x", "no seat"), ("watcher", "nothing")):
        with pytest.raises(IllegalAnswer, match=message):
            encounter.concede(seat)
    assert encounter.save() == saved
    encounter.concede("cleo")
    assert (encounter.question, encounter.result.winner) == (None, "red")
    with pytest.raises(IllegalAnswer, match="over"):
        encounter.concede("ann")


def test_conceding_while_a_roll_is_asked():
    encounter = to_actions(start(None))
    encounter.answer(("strike", "bo"))
    while encounter.asked():
        encounter.answer("pass")
    encounter.concede("cleo")
    assert isinstance(encounter.question, Roll)
    encounter.answer(2)
    assert encounter.game.records["bo"].hp == 5


def test_a_ruleset_without_concession():
    with pytest.raises(IllegalAnswer, match="a has nothing to concede"):
        begin(Ask).concede("a")


# Rulings


@pytest.mark.parametrize(
    ("edits", "reason", "message"),
    [
        ([("ada", "hp", 3)], " ", "needs a reason"),
        ([("nobody", "hp", 3)], "why", "no record 'nobody'; there are ada, "),
        ([("ada", "luck", 3)], "why", "no field 'luck' to rule on; it has at, hp"),
        ([("ada", "id", "eve")], "why", "no field 'id'"),
        ([("ada", "hp", "many")], "why", "'many' does not fit ada.hp"),
        ([("ada", "hp", True)], "why", "True does not fit ada.hp"),
        ([("ada", "down", 1)], "why", "1 does not fit ada.down"),
        ([("ada", "hp", 3), ("bo", "hp", None)], "why", "None does not fit bo.hp"),
        ([("ada", "hp")], "why", "a record, a field and a value"),
        (["ada"], "why", "a record, a field and a value"),
        ({"ada": {"hand": ["parry", 3]}}, "why", "does not fit ada.hand"),
    ],
)
def test_rulings_that_do_not_fit_change_nothing(edits, reason, message):
    encounter = to_actions(start())
    saved, events = encounter.save(), encounter.events()
    with pytest.raises(IllegalAnswer, match=message):
        encounter.rule(edits, reason)
    assert (encounter.save(), encounter.events()) == (saved, events)


def test_a_ruling_is_logged_with_its_reason_and_replays():
    encounter = to_actions(start())
    effect = Effect("braced", 2, "gm", ("strike",), 1, Until("round ends"))
    encounter.rule({"ada": {"hp": 2, "effects": (effect,)}, "bo": {"at": "d3"}}, "a forgotten\nblow \u2028 twice")
    assert encounter.game.records["ada"].effects == (effect,)
    assert (encounter.events()[-2].kind, encounter.events()[-2]["reason"]) == ("ruling", "a forgotten\nblow \u2028 twice")
    assert encounter.asked() == ("ann",)
    assert ("strike", "bo") not in [shown.value for shown in encounter.offers()], "bo is out of reach now"
    text = encounter.transcript()
    replayed, difference = compare(transcript.read(text), CONTENT)
    assert difference is None
    assert replayed.game.key() == encounter.key()
    assert Encounter(replayed.finish()).transcript() == text
    loaded = Encounter.load(encounter.save(), CONTENT)
    assert loaded.events() == encounter.events()


def test_a_ruling_on_something_hidden_is_read_by_those_who_may_know_it():
    encounter = to_actions(start())
    before = {seat: len(encounter.events_for(seat)) for seat in encounter.game.seats}
    encounter.rule({"ada": {"hand": ["parry"]}}, "a wrong card")
    told = {seat: [event["edits"] for event in encounter.events_for(seat, before[seat])] for seat in before}
    edits = ((("ada", "hand", ("parry",)),),)
    assert {seat: tuple(each) for seat, each in told.items()} == {
        "ann": edits, "gm": edits, "abe": (), "ben": (), "cleo": (), "watcher": (),
    }  # fmt: skip


def test_a_ruling_may_end_the_encounter():
    encounter = to_actions(start())
    encounter.rule({"bo": {"hp": 0}, "cy": {"fled": True}}, "an avalanche")
    assert encounter.result.winner == "red"
