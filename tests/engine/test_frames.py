"""Frames and steps: order, jumps, questions that answer themselves, checks and their order, faults of rulesets."""

from typing import Any

import pytest

from referee.dice import D6
from referee.engine import Choice, Cut, Encounter, Frame, Offer, Record, Roll, RuleError, Ruleset, Together, cites, steps
from tests.engine.playing import Thing, begin, played, tiny
from tests.engine.skirmish import RULESET, start


def two(about: str = "choose", seat: str = "a", **more: Any) -> Choice:
    return Choice(seat, about, (Offer("x"), Offer("y")), **more)


def kinds(encounter: Encounter) -> list[str]:
    return [event.kind for event in encounter.events()]


def test_a_step_and_a_fact_of_one_name_clash():
    with pytest.raises(TypeError, match="'hit' is a step and a fact"):

        @steps("hit")
        class Wrong(Frame):
            hit: bool = False


def test_a_step_must_be_there_and_take_at_most_one_answer():
    with pytest.raises(TypeError, match="no step 'missing'"):
        steps("missing")(type("Wrong", (Frame,), {}))

    def greedy(frame, game, one, other):
        pass

    with pytest.raises(TypeError, match="at most one answer"):
        steps("greedy")(type("Wrong", (Frame,), {"greedy": greedy}))


def test_steps_run_in_order_with_their_rules_and_answers():
    @steps("first", "ask", "take", "roll", "look", "never", "last")
    class All(Frame):
        said: str = ""

        @cites("T-1", "T-2")
        def first(frame, game):
            game.log("first", rules=("T-9",))

        def ask(frame, game):
            return two()

        def take(frame, game, answer):
            frame.said = answer
            game.log("said", answer=answer)

        def roll(frame, game):
            return Roll("dice", D6)

        def look(frame, game, outcome):
            game.log("rolled", outcome=outcome)
            frame.go("last")

        def never(frame, game):
            game.log("never")

        def last(frame, game):
            frame.done()

    encounter = begin(All, seed=None)
    assert encounter.events()[0].rules == ("T-1", "T-2", "T-9")
    assert encounter.where == "All(ask)"
    encounter.answer("y")
    encounter.answer(4)
    assert [event.facts for event in encounter.events()] == [{}, {"answer": "y"}, {"outcome": 4}]
    assert encounter.events()[1].rules == ()
    assert encounter.nodes == 2
    assert encounter.question is None


@steps("ask", "take")
class Single(Frame):
    always: bool = False

    def ask(single, game):
        return Choice("a", "only", (Offer("x"),), always=single.always)

    def take(single, game, answer):
        game.log("took", answer=answer)


def test_a_choice_of_one_offer_answers_itself():
    encounter = begin(Single)
    assert encounter.question is None
    assert (encounter.nodes, encounter.history(), kinds(encounter)) == (0, [], ["took"])


def test_a_choice_that_must_tell_nothing_is_asked():
    encounter = begin(Single, first=lambda game: Single(always=True))
    assert encounter.asked() == ("a",)
    encounter.answer("x")
    assert (encounter.nodes, len(encounter.history())) == (1, 1)


def asking(question: Any, before: Any = None, takes: bool = False, **options: Any) -> Encounter:
    """A game whose second step asks, after doing something."""

    def ask(frame, game):
        if before:
            before(frame, game)
        return question

    def ask_after(frame, game, answer):
        return ask(frame, game)

    @steps("begin", "ask", "take")
    class Asks(Frame):
        fact: int = 0

        def begin(frame, game):
            pass

        def take(frame, game, answer):
            pass

        locals()["ask"] = ask_after if takes else ask

    return begin(Asks, **options)


def test_a_choice_needs_an_offer():
    with pytest.raises(RuleError, match=r"Asks\(ask\) asks a without an offer"):
        asking(Choice("a", "nothing", ()))


def test_a_choice_needs_a_seat_of_the_scenario():
    with pytest.raises(RuleError, match="asks 'nobody'; the seats are a, b, gm"):
        asking(two(seat="nobody"))


CHANGES = {
    "record": lambda frame, game: setattr(game.edit("thing"), "amount", 3),
    "touch": lambda frame, game: game.edit("thing"),
    "fact": lambda frame, game: setattr(frame, "fact", frame.fact + 1),
    "round": lambda frame, game: setattr(game, "round", game.round + 1),
    "put": lambda frame, game: game.put(Thing("other")),
    "log": lambda frame, game: game.log("asked"),
    "jump": lambda frame, game: frame.done(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("question", [two(), Roll("dice", D6), Choice("a", "only", (Offer("x"),)), Together({})])
def test_debug_catches_a_step_that_asks_and_changes_something(change, question):
    with pytest.raises(RuleError, match=r"a step that asks changes something: Asks"):
        asking(question, change, debug=True)


def test_debug_catches_a_step_that_asks_and_takes_an_answer():
    with pytest.raises(RuleError, match="a step that asks takes an answer"):
        asking(two(), takes=True, debug=True)
    assert asking(two(), debug=True).asked() == ("a",)


# State-based checks


@steps("mark")
class Mark(Frame):
    name: str

    def mark(frame, game):
        game.log(frame.name)


@steps("hurt", "go_on", "later")
class Hurts(Frame):
    def hurt(frame, game):
        game.edit("thing").amount += 1

    def go_on(frame, game):
        game.log("went on")

    def later(frame, game):
        game.log("later")


def once(name: str, frame: Any = None) -> Any:
    def check(game: Any, ids: tuple[str, ...]) -> Any:
        thing = game.records["thing"]
        if "thing" in ids and thing.amount == 1:
            return frame or Mark(name=name)
        return None

    return check


def test_checks_interrupt_in_their_order_and_the_paused_rule_goes_on():
    assert kinds(begin(Hurts, Mark, checks=(once("first"), once("second")))) == ["first", "second", "went on", "later"]
    assert kinds(begin(Hurts, Mark, checks=(once("second"), once("first")))) == ["second", "first", "went on", "later"]


def test_checks_look_only_at_what_was_edited():
    looked: list[tuple[str, ...]] = []
    begin(Hurts, checks=(lambda game, ids: looked.append(ids),))
    assert looked == [("thing",)]


def test_a_check_may_cut():
    assert kinds(begin(Hurts, Mark, checks=(once("", Cut(0, "later")),))) == ["later"]


def test_what_a_check_interrupts_is_not_handed_its_frame():
    @steps("hurt", "take")
    class Takes(Frame):
        def hurt(frame, game):
            game.edit("thing").amount += 1

        def take(frame, game, answer):
            game.log("took", answer=answer)

    encounter = begin(Takes, Mark, checks=(once("check"),))
    assert encounter.events()[-1].facts == {"answer": None}


def test_the_order_of_checks_in_the_skirmish():
    encounter = start(real_dice=True)
    for seat in encounter.asked():
        encounter.answer(0, seat)
    encounter.rule([("bo", "hp", 0)], "a stroke")
    assert kinds(encounter)[-3:] == ["ruling", "falls", "panics"]
    assert encounter.events()[-2].rules == ("SK-8",)


def test_the_end_of_the_encounter_stops_everything():
    @steps("win", "go_on")
    class Wins(Frame):
        def win(frame, game):
            game.finish("a", "won")

        def go_on(frame, game):
            game.log("went on")

    encounter = begin(Wins)
    assert (encounter.question, encounter.where, kinds(encounter)) == (None, "", [])
    assert (encounter.result.winner, encounter.result.reason) == ("a", "won")


# Loops


def test_a_loop_of_mandatory_triggers_names_its_cycle():
    @steps("harm")
    class Thorns(Frame):
        def harm(frame, game):
            game.edit("thing").amount += 1
            return Spikes()

    @steps("harm")
    class Spikes(Frame):
        def harm(frame, game):
            return Thorns()

    with pytest.raises(RuleError, match=r"a loop that never ends: (Thorns > Spikes|Spikes > Thorns) again and again, in Thorns"):
        begin(Thorns, Spikes)


def test_a_loop_of_checks_names_its_cycle():
    @steps("harm")
    class Again(Frame):
        def harm(frame, game):
            game.edit("thing").amount += 1

    with pytest.raises(RuleError, match="a loop that never ends: Again again and again"):
        begin(Again, checks=(lambda game, ids: Again(),))


def test_a_loop_that_does_not_grow_says_where_it_is():
    @steps("spin")
    class Spin(Frame):
        def spin(frame, game):
            frame.go("spin")

    with pytest.raises(RuleError, match=r"steps without a question: Spin\(spin\)"):
        begin(Spin)


# Records


def test_two_records_of_one_id():
    with pytest.raises(RuleError, match="two records of the id 'thing'"):
        begin(Single, first=lambda game: game.put(Thing("thing")))


def test_removing_and_putting_records_is_seen_by_checks():
    looked: list[tuple[str, ...]] = []

    class Other(Record):
        pass

    @steps("change", "ask", "take")
    class Changes(Frame):
        def change(frame, game):
            game.remove("thing")
            game.put(Other("other"))

        def ask(frame, game):
            return two()

        def take(frame, game, answer):
            pass

    encounter = begin(Changes, records=(Other,), checks=(lambda game, ids: looked.append(ids),))
    assert looked == [("thing", "other")]
    assert list(encounter.game.records) == ["other"]
    assert Encounter.load(encounter.save(), encounter.content).key() == encounter.key()


def test_answering_a_fork_leaves_the_frames_and_records_of_its_parent():
    parent = start(real_dice=True)
    for seat in parent.asked():
        parent.answer(0, seat)
    parent.answer(("strike", "bo"))
    frames, records = list(parent.game.agenda), dict(parent.game.records)
    images = [repr(each) for each in (*frames, *records.values())]
    child = parent.fork()
    child.answer(("brace",))
    child.fork().answer("pass")
    assert all(one is other for one, other in zip(parent.game.agenda, frames, strict=True))
    assert [repr(each) for each in (*frames, *records.values())] == images
    assert child.game.records["bo"] is not records["bo"]
    assert child.game.records["cy"] is records["cy"]


def test_the_made_up_ruleset_reaches_everything():
    """Else the properties of this folder would prove little."""
    reached = set()
    for seed in range(60):
        reached |= set(kinds(played([(seed * 7919 + each * 104729) % 10**6 for each in range(120)], seed=seed)))
    assert isinstance(RULESET, Ruleset)
    assert tiny(Single).ruleset.id == "tiny"
    assert reached >= {
        "bids", "strikes", "passed", "plays", "parries", "feints", "hurt", "falls", "panics", "flees", "jeers", "peeked",
        "guards", "ruling",
    }  # fmt: skip
