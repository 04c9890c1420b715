"""Properties of every encounter, however it is played: saves, forks, undo, siblings, replays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import Choice, Encounter, IllegalAnswer, Roll, Together, compare, transcript
from tests.engine.playing import act, answer, played
from tests.engine.skirmish import CONTENT

# Lists of a drawn length: left alone, hypothesis draws short ones, which end in the first round.
numbers = st.integers(0, 100).flatmap(lambda size: st.lists(st.integers(0, 10**6), min_size=size, max_size=size))


def everything(encounter: Encounter) -> tuple:
    """All that anybody could notice of an encounter."""
    seats = list(encounter.game.seats)
    return (
        encounter.key(), encounter.where, encounter.result, encounter.nodes, encounter.asked(), encounter.history(),
        encounter.events(), [encounter.view(seat).bytes() for seat in seats], [encounter.events_for(seat) for seat in seats],
        [[(shown.label, shown.value, shown.rules) for shown in encounter.offers(seat)] for seat in seats],
    )  # fmt: skip


@settings(max_examples=60)
@given(numbers, numbers, st.sampled_from([7, None]))
def test_load_goes_on_as_if_it_had_never_been_saved(before, after, seed):
    encounter = played(before, seed=seed)
    data = encounter.save()
    loaded = Encounter.load(data, CONTENT)
    assert loaded.save() == data
    assert loaded.key() == encounter.key()
    for number in after:
        act(encounter, number)
        act(loaded, number)
        assert loaded.key() == encounter.key()
    assert everything(loaded) == everything(encounter)
    assert loaded.save() == encounter.save()
    assert loaded.transcript() == encounter.transcript()


@settings(max_examples=20)
@given(numbers)
def test_load_at_every_question(moves):
    straight = played([])
    reloaded = played([])
    for number in moves:
        act(straight, number)
        reloaded = Encounter.load(reloaded.save(), CONTENT)
        act(reloaded, number)
        assert reloaded.save() == straight.save()
    assert everything(reloaded) == everything(straight)


@settings(max_examples=40)
@given(numbers, numbers, numbers, numbers)
def test_forks_leave_each_other_alone(before, left, right, below):
    parent = played(before)
    saved, noticed = parent.save(), everything(parent)
    child = parent.fork()
    assert everything(child) == noticed
    grandchild = None
    for number in left:
        act(child, number)
        grandchild = child.fork()
    assert parent.save() == saved
    assert everything(parent) == noticed
    was = everything(child)
    for number in below:
        if grandchild is not None:
            act(grandchild, number)
    assert everything(child) == was
    for number in right:
        act(parent, number)
    assert everything(child) == was
    assert everything(child) == everything(played(before + left))
    assert everything(parent) == everything(played(before + right))
    if grandchild is not None:
        assert everything(grandchild) == everything(played(before + left + below))


@settings(max_examples=40)
@given(numbers)
def test_a_transcript_plays_again(moves):
    encounter = played(moves)
    text = encounter.transcript()
    replay, difference = compare(transcript.read(text), CONTENT)
    assert difference is None
    again = Encounter(replay.finish())
    assert again.key() == encounter.key() or encounter.game.branches
    assert again.history() == encounter.history()
    assert again.events() == encounter.events()
    assert again.transcript() == text


@settings(max_examples=40)
@given(numbers, numbers)
def test_a_replayed_encounter_goes_on_alike(before, after):
    encounter = played(before)
    if encounter.game.branches is not None:
        return
    again = Encounter(compare(transcript.read(encounter.transcript()), CONTENT)[0].finish())
    for number in after:
        act(encounter, number)
        act(again, number)
    assert again.history() == encounter.history()
    assert again.key() == encounter.key()


@settings(max_examples=30)
@given(numbers)
def test_siblings_of_equal_key_ask_equal_questions(moves):
    encounter = played(moves, seed=None)
    question = encounter.question
    if isinstance(question, Roll):
        choices = [(outcome, None) for outcome in question.spec.law()]
    else:
        choices = [(shown.value, seat) for seat in encounter.asked() for shown in encounter.offers(seat)]
    known: dict[bytes, tuple] = {}
    for value, seat in choices:
        child = encounter.fork()
        child.answer(value, seat)
        loaded = Encounter.load(child.save(), CONTENT)
        for each in (child, loaded):
            asks = (each.where, each.asked(), [[shown.value for shown in each.offers(seat)] for seat in each.asked()])
            assert known.setdefault(each.key(), asks) == asks


@settings(max_examples=40)
@given(numbers, st.integers(0, 10**6), st.integers(0, 3))
def test_undo_is_as_if_the_answer_had_not_been_given(moves, last, place):
    encounter = played(moves)
    question = encounter.question
    if not isinstance(question, Choice):
        return
    was = encounter.key(), encounter.events(), encounter.offers(question.seat)[0].value
    answer(encounter, last)
    undo = encounter.can_undo(question.seat)
    if undo.consents:
        saved = encounter.save()
        for missing in undo.consents:
            with pytest.raises(IllegalAnswer, match="consent"):
                encounter.undo(question.seat, consents=set(undo.consents) - {missing})
        assert encounter.save() == saved
    encounter.undo(question.seat, consents=undo.consents)
    assert (encounter.key(), encounter.events(), encounter.offers(question.seat)[0].value) == was


@settings(max_examples=40)
@given(numbers)
def test_debug_finds_no_fault_and_changes_nothing(moves):
    assert everything(played(moves, debug=True)) == everything(played(moves))


@settings(max_examples=20)
@given(numbers)
def test_an_encounter_without_a_log_plays_alike(moves):
    assert played(moves, log=False).save() == played(moves).save()


@settings(max_examples=40)
@given(numbers)
def test_what_is_not_on_offer_changes_nothing(moves):
    encounter = played(moves, seed=None)
    saved = encounter.save()
    for wrong in ("no such label", 10**9, (), None, True, 1.0, ("strike", "nobody"), [["x"]], object()):
        for seat in (None, *encounter.game.seats, "nobody"):
            asked = encounter.asked() if seat is None else (seat,)
            if any(wrong == shown.value for each in asked if each in encounter.asked() for shown in encounter.offers(each)):
                continue
            with pytest.raises(IllegalAnswer):
                encounter.answer(wrong, seat)
    assert encounter.save() == saved
    assert isinstance(encounter.question, Choice | Roll | Together | None)
