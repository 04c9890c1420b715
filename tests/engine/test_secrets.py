"""Together: drafts and sealed answers, who sees them, what interrupts them, the reveal."""

from typing import Any

import pytest

from referee.dice import D6, Stream
from referee.engine import (
    Choice,
    Cut,
    Encounter,
    Frame,
    IllegalAnswer,
    Offer,
    Roll,
    RuleError,
    Together,
    cites,
    compare,
    steps,
    transcript,
)
from tests.engine.playing import begin
from tests.engine.skirmish import CONTENT, start


def test_several_seats_are_asked_at_once_each_in_steps():
    encounter = start()
    assert isinstance(encounter.question, Together)
    assert encounter.asked() == ("ann", "abe", "ben", "cleo")
    encounter.answer(1, "ann")
    assert [shown.value for shown in encounter.offers("ann")] == ["", "feint", "brace"]
    encounter.answer("feint", "ann")
    assert encounter.asked() == ("abe", "ben", "cleo")
    with pytest.raises(IllegalAnswer, match="ann is not asked"):
        encounter.answer("", "ann")


def test_somebody_must_say_who_answers_while_several_are_asked():
    with pytest.raises(IllegalAnswer, match="say which one answers"):
        start().answer(0)


def test_the_reveal_comes_when_all_have_sealed_and_records_them_in_seat_order():
    encounter = start()
    for seat, *answers in (("cleo", 0), ("ben", 2, ""), ("abe", 1, "bluff"), ("ann", 0)):
        assert encounter.game.records["pot"].gold == 0
        assert encounter.history() == []
        for each in answers:
            encounter.answer(each, seat)
    assert encounter.game.records["pot"].gold == 3
    assert encounter.history() == [("together", (("ann", (0,)), ("abe", (1, "bluff")), ("ben", (2, "")), ("cleo", (0,))))]
    event = encounter.events_for("watcher")[2]
    assert (event.kind, event.rules) == ("bids", ("SK-10",))
    assert event["bids"] == (("ann", (0, "")), ("abe", (1, "card")), ("ben", (2, "")), ("cleo", (0, "")))


def test_what_a_seat_imagines_does_not_tell_that_another_has_drafted():
    encounter = start()
    before = encounter.imagine("ben", Stream(1)).save()
    encounter.answer(1, "ann")
    assert encounter.imagine("ben", Stream(1)).save() == before


def test_the_order_of_arrival_leaves_no_trace():
    one, other = start(), start()
    for seat in one.asked():
        one.answer(0, seat)
    for seat in reversed(other.asked()):
        other.answer(0, seat)
    assert one.save() == other.save()


def drafting(amount: int, stake: str | None) -> Encounter:
    encounter = start()
    encounter.answer(amount, "ann")
    if stake is not None:
        encounter.answer(stake, "ann")
    return encounter


def test_drafts_and_sealed_answers_show_in_key_and_save_and_in_no_other_view():
    for sealed in (False, True):
        one, other = drafting(1, "" if sealed else None), drafting(2, "feint" if sealed else None)
        assert one.key() != other.key()
        assert one.save() != other.save()
        assert one.view("gm").sealed == (("ann",) if sealed else ())
        for seat in ("abe", "ben", "cleo", "gm", "watcher"):
            assert one.view(seat).bytes() == other.view(seat).bytes()
            assert one.events_for(seat) == other.events_for(seat)
            assert [shown.label for shown in one.offers(seat)] == [shown.label for shown in other.offers(seat)]
            for wrong in ("nonsense", 7):
                with pytest.raises(IllegalAnswer) as first:
                    one.answer(wrong, seat)
                with pytest.raises(IllegalAnswer) as second:
                    other.answer(wrong, seat)
                assert str(first.value) == str(second.value)
            assert one.imagine(seat, _stream()).key() == other.imagine(seat, _stream()).key()


def _stream() -> Stream:
    return Stream(5)


def test_a_seat_imagines_its_own_drafts():
    imagined = drafting(1, None).imagine("ann", _stream())
    assert [choice.about for choice in (imagined.choice("ann"), imagined.choice("ben"))] == ["stake", "amount"]


def test_taking_back_starts_that_seat_again():
    encounter = start()
    fresh = encounter.key()
    encounter.answer(2, "ann")
    encounter.take_back("ann")
    assert encounter.key() == fresh
    encounter.answer(0, "ann")
    assert "ann" not in encounter.asked()
    encounter.take_back("ann")
    assert encounter.key() == fresh
    assert encounter.nodes == 0
    assert [shown.value for shown in encounter.offers("ann")] == [0, 1, 2]


def test_there_must_be_something_to_take_back():
    encounter = start()
    for seat in ("ann", "gm", "nobody"):
        with pytest.raises(IllegalAnswer, match="nothing"):
            encounter.take_back(seat)
    for seat in encounter.asked():
        encounter.answer(0, seat)
    with pytest.raises(IllegalAnswer, match="nothing"):
        encounter.take_back("ann")


def test_a_load_in_the_middle_keeps_drafts_and_seals():
    encounter = drafting(1, None)
    encounter.answer(0, "ben")
    loaded = Encounter.load(encounter.save(), CONTENT)
    assert loaded.save() == encounter.save()
    assert loaded.asked() == ("ann", "abe", "cleo")
    assert [shown.value for shown in loaded.offers("ann")] == ["", "feint", "brace"]


def test_a_fork_in_the_middle_leaves_the_drafts_of_its_parent():
    encounter = drafting(1, None)
    saved = encounter.save()
    child = encounter.fork()
    child.answer("", "ann")
    child.take_back("ann")
    child.answer(0, "ben")
    assert encounter.save() == saved
    assert encounter.asked() == ("ann", "abe", "ben", "cleo")


def test_conceding_in_the_middle_keeps_the_drafts_of_others():
    encounter = drafting(1, None)
    encounter.answer(0, "ben")
    encounter.concede("cleo")
    assert encounter.asked() == ("ann", "abe")
    assert [shown.value for shown in encounter.offers("ann")] == ["", "feint", "brace"]
    encounter.answer("feint", "ann")
    encounter.answer(0, "abe")
    assert encounter.history()[-1] == ("together", (("ann", (1, "feint")), ("abe", (0,)), ("ben", (0,))))
    replayed, difference = compare(transcript.read(encounter.transcript()), CONTENT)
    assert difference is None
    assert replayed.game.key() == encounter.key()


def test_conceding_may_be_the_last_thing_waited_for():
    encounter = start()
    for seat in ("ann", "abe", "ben"):
        encounter.answer(0, seat)
    encounter.concede("cleo")
    assert [entry[0] for entry in encounter.history()] == ["concede", "together"]
    replayed, difference = compare(transcript.read(encounter.transcript()), CONTENT)
    assert difference is None
    assert replayed.game.key() == encounter.key()


def test_a_ruling_drops_those_drafts_that_it_makes_impossible():
    encounter = start()
    encounter.answer(1, "ann")
    encounter.answer("feint", "ann")
    encounter.answer(1, "abe")
    encounter.answer("bluff", "abe")
    encounter.rule({"ada": {"hand": ("brace",)}}, "a card too many")
    assert encounter.asked() == ("ann", "ben", "cleo")
    assert [shown.value for shown in encounter.offers("ann")] == ["", "brace"]
    encounter.answer("brace", "ann")
    encounter.answer(0, "ben")
    encounter.answer(0, "cleo")
    assert encounter.history()[-1][1][0] == ("ann", (1, "brace"))
    assert compare(transcript.read(encounter.transcript()), CONTENT)[1] is None


@steps("pick", "seal")
class Pick(Frame):
    seat: str
    options: tuple[int, ...] = (1, 2)
    sealed: Any = None

    def pick(pick, game):
        return Choice(pick.seat, "pick", tuple(map(Offer, pick.options)))

    def seal(pick, game, answer):
        pick.sealed = answer


def both(game: Any, **options: Any) -> Together:
    return Together({seat: Pick(seat=seat, **options) for seat in ("a", "b")}, "picks")


@steps("ask", "take", "ask_after", "end")
class Table(Frame):
    options: tuple[int, ...] = (1, 2)

    def ask(table, game):
        return both(game, options=table.options)

    def take(table, game, sealed):
        game.edit("thing").amount = sum(sealed.values())

    def ask_after(table, game):
        return Choice("a", "after", (Offer("x"), Offer("y")))

    def end(table, game, answer):
        pass


def test_secrets_that_answer_themselves_are_no_entry_of_the_history():
    encounter = begin(Table, Pick, first=lambda game: Table(options=(4,)))
    assert encounter.game.records["thing"].amount == 8
    assert encounter.history() == []
    encounter.answer("x")
    assert compare(transcript.read(encounter.transcript()), encounter.content)[1] is None


@steps("leave")
class Leave(Frame):
    how: str

    def leave(leave, game):
        if leave.how == "end":
            game.end(game.find(Round), "ask")
            return None

        return Cut(game.find(Round), "ask")


@steps("ask_picks", "ask", "take", "back")
class Round(Frame):
    sealed: int = 0

    def ask_picks(table, game):
        return both(game)

    def ask(table, game):
        return Choice("a", "another", (Offer("x"), Offer("y")))

    def take(table, game, answer):
        pass

    def back(table, game):
        table.go("ask_picks")


@pytest.mark.parametrize("how", ["end", "cut"])
def test_drafts_are_gone_when_the_rule_that_asks_for_them_is_left(how):
    encounter = begin(Round, Pick, Leave, concede=lambda game, seat: Leave(how=how))
    encounter.answer(1, "a")
    encounter.concede("b")
    assert encounter.choice().about == "another"
    assert encounter.view("b").sealed == ()
    with pytest.raises(IllegalAnswer, match="nothing"):
        encounter.take_back("a")
    encounter.answer("x")
    assert encounter.asked() == ("a", "b")


@steps("ask", "take")
class Pause(Frame):
    """Asks something openly while secrets are open."""

    def ask(pause, game):
        return Choice("b", "really?", (Offer("yes"), Offer("no")))

    def take(pause, game, answer):
        game.log("said", answer=answer)


def test_an_open_question_may_come_between_secrets():
    encounter = begin(Table, Pick, Pause, concede=lambda game, seat: Pause())
    encounter.answer(1, "a")
    encounter.concede("b")
    assert encounter.asked() == ("b",)
    loaded = Encounter.load(encounter.save(), encounter.content)
    for each in (encounter, loaded, encounter.fork()):
        each.answer("no")
        assert each.asked() == ("b",)
        each.answer(2)
        assert each.game.records["thing"].amount == 3


@steps("ask", "take")
class Within(Frame):
    """Asks for secrets while secrets are open."""

    def ask(within, game):
        return both(game)

    def take(within, game, sealed):
        game.log("within", sealed=tuple(sealed.items()))


def test_secrets_within_secrets_begin_anew_and_so_do_those_they_interrupt():
    encounter = begin(Table, Pick, Within, concede=lambda game, seat: Within())
    encounter.answer(1, "a")
    encounter.concede("b")
    assert encounter.asked() == ("a", "b")
    for _ in range(2):
        assert Encounter.load(encounter.save(), encounter.content).asked() == ("a", "b")
        encounter.answer(2, "b")
        encounter.answer(2, "a")
    assert encounter.game.records["thing"].amount == 4
    assert compare(transcript.read(encounter.transcript()), encounter.content)[1] is None


def private(step: Any) -> Any:
    """A game whose private branch runs that step before it asks."""

    @steps("begin", "pick", "seal")
    class Wrong(Frame):
        sealed: Any = None
        begin = step

        def pick(pick, game):
            return Choice("a", "pick", (Offer(1), Offer(2)))

        def seal(pick, game, answer):
            pick.sealed = answer

    @steps("ask", "take")
    class Asks(Frame):
        def ask(table, game):
            return Together({"a": Wrong()})

        def take(table, game, sealed):
            pass

    return begin(Asks, Wrong)


@pytest.mark.parametrize(
    "step",
    [
        lambda wrong, game: game.log("told"),
        lambda wrong, game: setattr(game.edit("thing"), "amount", 5) or None,
        lambda wrong, game: game.remove("thing"),
        lambda wrong, game: game.reveal(),
        lambda wrong, game: game.finish("a", "won"),
        lambda wrong, game: Roll("dice", D6),
        lambda wrong, game: both(game),
        lambda wrong, game: Choice("b", "wrong seat", (Offer(1), Offer(2))),
    ],
    ids=["log", "edit", "remove", "reveal", "finish", "roll", "together", "wrong seat"],
)
def test_a_private_branch_does_nothing_in_the_open(step):
    with pytest.raises(RuleError, match="private branch of a"):
        private(step)


def test_a_private_branch_ends_in_a_sealed_answer():
    @steps("go_on")
    class Empty(Frame):
        def go_on(empty, game):
            pass

    @steps("ask")
    class Asks(Frame):
        def ask(table, game):
            return Together({"a": Empty()})

    with pytest.raises(RuleError, match="without a field `sealed`: Empty"):
        begin(Asks, Empty)


def test_the_rules_of_the_running_step_stay_with_public_events():
    @steps("ask", "take")
    class Cited(Frame):
        def ask(table, game):
            return both(game)

        @cites("T-1")
        def take(table, game, sealed):
            game.log("picked")

    encounter = begin(Cited, Pick)
    encounter.answer(1, "b")
    encounter.answer(1, "a")
    assert encounter.events()[-1].rules == ("T-1",)
