"""What a seat may know: hidden fields, events, imagined encounters; and that hidden facts change nothing it receives."""

from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.dice import Die, Stream
from referee.engine import Choice, Encounter, Frame, Hidden, IllegalAnswer, Offer, Record, Roll, Together, Unseen, steps
from tests.engine.playing import begin, played, to_actions
from tests.engine.skirmish import CONTENT, FIGURES, KINDS, start
from tests.engine.test_properties import numbers

SEATS = ("ann", "abe", "ben", "cleo", "gm", "watcher")


def seen(field: str, figure: str = "ada") -> dict[str, Any]:
    encounter = start()
    return {seat: encounter.view(seat).records[figure][field] for seat in SEATS}


def test_a_field_for_its_owner_shows_others_what_it_declares():
    others = dict.fromkeys(("abe", "ben", "cleo", "watcher"), Unseen(2))
    assert seen("hand") == {**others, "ann": ("feint", "brace"), "gm": ("feint", "brace")}


def test_a_field_for_a_side():
    known = dict.fromkeys(("ann", "abe", "gm"), "plan of ada")
    assert seen("plan") == {**known, **dict.fromkeys(("ben", "cleo", "watcher"), Unseen())}


def test_a_field_for_the_gm():
    assert seen("doom") == {**dict.fromkeys(SEATS, Unseen()), "gm": 1}


def test_a_field_by_a_function_of_the_state():
    near = {"ann": "pit", "abe": "pit", "ben": "pit", "cleo": Unseen(), "gm": "pit", "watcher": Unseen()}
    assert seen("trap", "axel") == near


def test_an_open_field_and_what_else_a_view_tells():
    encounter = to_actions(start())
    view = encounter.view("cleo")
    assert view.records["bo"]["hp"] == 6
    assert (view.seat, view.round, view.asked, view.sealed, view.about, view.result) == ("cleo", 1, ("ann",), (), "action", None)
    assert view.agenda == "Skirmish(end round) > Each(begin next) > Turn(ask)"
    assert b"parry" in view.bytes()
    assert b"feint" not in encounter.view("ben").bytes()
    with pytest.raises(IllegalAnswer, match="no seat 'nobody'"):
        encounter.view("nobody")


def test_a_record_with_an_owner_of_its_own():
    class Deck(Record):
        owner: str
        order: Annotated[tuple[int, ...], Hidden("owner")] = (3, 1)

    @steps("ask", "take")
    class Waits(Frame):
        def ask(frame, game):
            return Choice("a", "wait", (Offer(1), Offer(2)))

        def take(frame, game, answer):
            pass

    def first(game: Any) -> Frame:
        game.put(Deck("deck", "bert"))
        game.put(Deck("loose", "nobody"))
        return Waits()

    encounter = begin(Waits, first=first, records=(Deck,))
    assert [encounter.view(seat).records["deck"]["order"] for seat in ("a", "b", "gm")] == [Unseen(), (3, 1), (3, 1)]
    assert [encounter.view(seat).records["loose"]["order"] for seat in ("a", "b", "gm")] == [Unseen(), Unseen(), (3, 1)]


def test_events_are_numbered_by_what_each_seat_sees():
    encounter = to_actions(start())
    before = {seat: len(encounter.events_for(seat)) for seat in SEATS}
    encounter.answer(("peek",))
    encounter.answer(("guard",))
    told = {seat: [event.kind for event in encounter.events_for(seat, before[seat])] for seat in SEATS}
    all_see = ["turn over", "guards", "turn over"]
    assert told == {**dict.fromkeys(SEATS, all_see), "ann": ["peeked", *all_see], "gm": ["peeked", *all_see]}
    assert encounter.events_for("ben", 10**6) == []
    assert encounter.line(encounter.events()[0]).startswith("set up")
    with pytest.raises(IllegalAnswer, match="no seat"):
        encounter.events_for("nobody")


def received(encounter: Encounter, seat: str) -> tuple[Any, ...]:
    """Everything a seat can get out of an encounter."""
    errors = []
    for wrong in ("no such thing", ("strike", "ghost"), 99):
        try:
            encounter.fork().answer(wrong, seat)
        except IllegalAnswer as refused:
            errors.append(str(refused))
    return (
        encounter.view(seat).bytes(), encounter.events_for(seat), encounter.asked(), encounter.where, errors,
        [(shown.label, shown.value, shown.rules, encounter.breakdown(shown)) for shown in encounter.offers(seat)],
        encounter.refusals(seat), encounter.imagine(seat, Stream(3)).key(),
    )  # fmt: skip


def altered(encounter: Encounter, seat: str, draw: Stream) -> Encounter:
    """Another truth that the seat cannot tell from this one: each hidden fact drawn anew unless the seat knows it."""
    other = encounter.fork()
    game = other.game
    drafting = {each: branch.closed for each, branch in (game.branches or {}).items() if branch.answers and each != seat}
    for each in drafting:
        other.take_back(each)
    for id in FIGURES:
        known = encounter.view(seat).records[id]
        figure = game.edit(id)
        if isinstance(known["hand"], Unseen):
            figure.hand = tuple(draw.choose(KINDS) for _ in figure.hand)
        for field, values in (("plan", ("x", "y")), ("doom", (0, 1, 2)), ("trap", ("pit", "net", ""))):
            if isinstance(known[field], Unseen):
                setattr(figure, field, draw.choose(values))
    game.edited.clear()
    game.question = None
    game.run()
    for each, sealed in drafting.items():
        other.answer(1 + draw.below(2), each)
        if sealed:
            other.answer(draw.choose(other.offers(each)), each)
    return other


@settings(max_examples=60)
@given(numbers, st.integers(0, 10**6))
def test_what_a_seat_cannot_know_changes_nothing_it_receives(moves, number):
    encounter = played(moves, seed=None)
    if encounter.question is None:
        return
    for seat in SEATS:
        other = altered(encounter, seat, Stream(number))
        assert received(other, seat) == received(encounter, seat)


def test_that_property_would_notice():
    encounter = to_actions(start())
    assert received(altered(encounter, "ben", Stream(2)), "ann") != received(encounter, "ann")


# Imagined encounters


@settings(max_examples=40)
@given(numbers, st.integers(0, 1000), st.sampled_from(["ann", "abe", "ben", "cleo"]))
def test_an_imagined_encounter_looks_the_same_to_its_seat(moves, number, seat):
    encounter = played(moves)
    saved = encounter.save()
    imagined = encounter.imagine(seat, Stream(number))
    own = [(shown.label, shown.value) for shown in encounter.offers(seat)]
    assert [(shown.label, shown.value) for shown in imagined.offers(seat)] == own
    assert imagined.view(seat).records == encounter.view(seat).records
    assert imagined.where == encounter.where
    if encounter.game.branches is None:
        assert imagined.view(seat).bytes() == encounter.view(seat).bytes()
    assert (imagined.seed, imagined.game.dice, imagined.game.remembered) == (None, None, {})
    assert encounter.save() == saved


def test_hidden_facts_are_drawn_and_the_rolls_are_asked():
    encounter = to_actions(start())
    hands = {encounter.imagine("ann", Stream(seed)).game.records["bo"].hand for seed in range(40)}
    assert len(hands) > 8
    assert {len(hand) for hand in hands} == {2}
    imagined = encounter.imagine("ann", Stream(1))
    imagined.answer(("strike", "bo"))
    while imagined.asked():
        imagined.answer("pass")
    assert isinstance(imagined.question, Roll)


def test_what_others_are_offered_follows_from_what_was_drawn():
    encounter = to_actions(start())
    encounter.answer(("strike", "bo"))
    for seed in range(20):
        imagined = encounter.imagine("ann", Stream(seed))
        hand = imagined.game.records["bo"].hand
        playable = {shown.value for shown in imagined.offers("ben")} - {"pass"}
        assert playable == {(card,) for card in hand if card in ("parry", "brace")}
    before = start()
    for seed in range(20):
        imagined = before.imagine("ann", Stream(seed))
        imagined.answer(1, "cleo")
        hand = imagined.game.records["cy"].hand
        assert [shown.value for shown in imagined.offers("cleo")] == list(dict.fromkeys(["", *hand]))


class Loaded(Record):
    sides: Annotated[int, Hidden("gm")] = 6


@steps("roll", "look")
class Throw(Frame):
    def roll(frame, game):
        return Roll("loaded", Die(game.records["die"].sides))

    def look(frame, game, outcome):
        pass


def throwing() -> Encounter:
    def first(game: Any) -> Frame:
        game.put(Loaded("die"))
        return Throw()

    def possible(game: Any, seat: str, rng: Stream) -> None:
        game.edit("die").sides = rng.choose((4, 8))

    return begin(Throw, first=first, records=(Loaded,), possible=possible, seed=None)


def test_a_roll_follows_from_what_was_drawn():
    encounter = throwing()
    assert {encounter.imagine("a", Stream(seed)).question.spec.sides for seed in range(9)} == {4, 8}
    assert encounter.imagine("gm", Stream(1)).question.spec == Die(6)


def test_the_gm_imagines_the_truth_but_no_sealed_answer():
    encounter = start()
    encounter.answer(1, "ann")
    encounter.answer("feint", "ann")
    imagined = encounter.imagine("gm", Stream(1))
    assert imagined.game.records["bo"].hand == encounter.game.records["bo"].hand
    assert isinstance(imagined.question, Together)
    assert imagined.asked() == ("ann", "abe", "ben", "cleo")
    assert Encounter.load(encounter.save(), CONTENT).asked() == ("abe", "ben", "cleo")
