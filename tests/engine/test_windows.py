"""Windows: who is asked, how often, in which order; nested windows; ending, cutting and restarting what is paused."""

from typing import Any

import pytest

from referee.engine import Choice, Frame, Offer, RuleError, Window, for_each, steps
from tests.engine.playing import begin, to_actions
from tests.engine.skirmish import start


def striking(attacker: str = "ada", target: str = "bo") -> Any:
    """A strike just declared: its target is asked first."""
    encounter = to_actions(start(real_dice=True))
    while encounter.choice().who != attacker:
        encounter.answer(("guard",))
    encounter.answer(("strike", target))
    return encounter


def kinds(encounter: Any) -> list[str]:
    return [event.kind for event in encounter.events()]


def test_the_order_is_asked_and_whoever_holds_a_card_is_asked_even_with_nothing_playable():
    encounter = striking()
    asked = []
    while encounter.asked():
        asked.append((encounter.choice().who, [shown.value for shown in encounter.offers()]))
        encounter.answer("pass")
    assert asked == [
        ("bo", ["pass", ("parry",), ("brace",)]),
        ("ada", ["pass", ("brace",)]),
        ("axel", ["pass"]),
        ("cy", ["pass", ("parry",)]),
    ]


def test_refusals_say_why_a_card_cannot_be_played():
    encounter = striking()
    encounter.answer("pass")
    refused = encounter.refusals()
    assert [(each.value, each.reasons[0].key) for each in refused] == [(("parry",), "no card")]


def test_a_pass_is_explained_only_on_request():
    encounter = striking()
    encounter.answer("pass")
    assert encounter.events()[-1].explain


def test_a_window_is_said_in_the_sentence_of_the_agenda():
    assert striking().where == "Skirmish(end round) > Each(begin next) > Turn(end) > Strike(roll damage) > Window(ask)"


def test_a_trigger_within_a_trigger_and_the_end_of_what_it_paused():
    encounter = striking()
    encounter.answer(("parry",))
    assert encounter.where.endswith("Window(conclude) > Parry(conclude) > Window(ask)")
    assert encounter.choice().who == "ada"
    for _ in range(3):
        encounter.answer("pass")
    assert "hurt" not in kinds(encounter)
    assert "parries" in kinds(encounter)
    assert encounter.game.records["bo"].hand == ("brace",)
    assert encounter.game.records["bo"].at == "b3", "the end of the strike pushed it straight away"


def test_a_cut_abandons_what_stands_above():
    encounter = striking()
    encounter.answer(("parry",))
    encounter.answer(("feint",))
    assert "parries" not in kinds(encounter)
    assert encounter.where.endswith("Turn(end) > Strike(roll damage)")
    encounter.answer(5)
    assert encounter.game.records["bo"].hp == 2


def test_restart_begins_a_new_pass_and_once_per_frame_still_counts():
    encounter = striking()
    encounter.answer("pass")
    assert encounter.choice().who == "ada"
    encounter.answer(("brace",))
    assert encounter.choice().who == "bo", "everybody is asked again, from the first"
    encounter.answer(("brace",))
    assert encounter.choice().who == "bo"
    assert [shown.value for shown in encounter.offers()] == ["pass", ("parry",)]
    effects = encounter.game.records["bo"].effects
    assert [(each.name, each.amount, each.uses) for each in effects] == [("braced", 2, 1)]


def test_restart_needs_a_window():
    @steps("go_wrong")
    class Wrong(Frame):
        def go_wrong(wrong, game):
            game.restart(0)

    with pytest.raises(RuleError, match="no window over the frame at depth 0"):
        begin(Wrong)


def test_once_asks_each_once():
    encounter = striking()
    while encounter.asked():
        encounter.answer("pass")
    encounter.answer(1)
    assert encounter.where.endswith("Strike(end) > Window(ask)")
    asked = []
    while encounter.question is not None and "Window" in encounter.where:
        if not encounter.asked():
            encounter.answer((2, 2))
            continue
        asked.append(encounter.choice().who)
        encounter.answer(("jeer",))
    assert asked == ["axel", "bo", "cy"]


@steps("open", "say")
class Paused(Frame):
    """Opens a window as it is told to."""

    passes: str = "until quiet"
    once_per: str = ""
    order: tuple[str, ...] = ("anna", "bert")
    occasion: str = "open"
    reacted: tuple[str, ...] = ()

    def open(paused, game):
        return Window(occasion=paused.occasion, order=paused.order, passes=paused.passes, once_per=paused.once_per)

    def say(paused, game):
        game.log("done")


@steps("nod")
class Nod(Frame):
    who: str

    def nod(nod, game):
        game.log("nods", who=nod.who)


class Nodding:
    name = "nod"

    def may_hold(self, game, window, who):
        return window.occasion == "open"

    def offers(self, game, window, who):
        return [Offer(("nod",))]

    def refusals(self, game, window, who):
        return []

    def play(self, game, window, who, value):
        return Nod(who=who)


def paused(**facts: Any) -> Any:
    return begin(
        Paused, Nod, first=lambda game: Paused(**facts), reactions=lambda game, window, who: (Nodding(),)
    )  # fmt: skip


def asked_with(answers: str, **facts: Any) -> list[str]:
    """Who is asked, in order, if the answers are n(od) and p(ass)."""
    encounter = paused(**facts)
    asked = []
    for each in answers:
        asked.append(encounter.choice().who)
        encounter.answer(("nod",) if each == "n" else "pass")
    assert encounter.question is None
    return asked


@pytest.mark.parametrize(
    ("facts", "answers", "asked"),
    [
        ({"passes": "once"}, "nn", ["anna", "bert"]),
        ({"passes": "once"}, "pn", ["anna", "bert"]),
        ({}, "pp", ["anna", "bert"]),
        ({}, "nppp", ["anna", "bert", "anna", "bert"]),
        ({}, "pnpp", ["anna", "bert", "anna", "bert"]),
        ({}, "npnppp", ["anna", "bert", "anna", "bert", "anna", "bert"]),
        ({"once_per": "window"}, "np" + "p", ["anna", "bert", "bert"]),
        ({"once_per": "frame"}, "nn", ["anna", "bert"]),
        ({"order": ("bert", "anna")}, "pp", ["bert", "anna"]),
        ({"order": ("bert",)}, "p", ["bert"]),
    ],
)
def test_passes_and_limits(facts, answers, asked):
    assert asked_with(answers, **facts) == asked


def test_a_window_that_nobody_could_use_is_not_opened():
    encounter = paused(occasion="shut")
    assert encounter.question is None
    assert kinds(encounter) == ["done"]
    assert encounter.events()[0].depth == 1
    assert paused(order=()).question is None


@pytest.mark.parametrize("occasion", ["open", "shut"])
def test_the_step_after_a_window_can_tell_whether_it_was_opened(occasion):
    @steps("open", "look")
    class Looks(Paused):
        open = Paused.open

        def look(frame, game, window):
            game.log("looked", opened=window is not None)

    content = {"first": lambda game: Looks(occasion=occasion), "reactions": lambda game, window, who: (Nodding(),)}
    encounter = begin(Looks, Nod, **content)
    while encounter.question:
        encounter.answer("pass")
    assert encounter.events()[-1].facts == {"opened": occasion == "open"}


def test_once_per_frame_holds_over_several_windows_of_the_frame():
    @steps("open", "open_again", "end")
    class Twice(Frame):
        reacted: tuple[str, ...] = ()

        def open(twice, game):
            return Window(occasion="open", order=("anna", "bert"), once_per="frame")

        def open_again(twice, game):
            return Window(occasion="open", order=("anna", "bert"), once_per="frame")

        def end(twice, game):
            pass

    encounter = begin(Twice, Nod, reactions=lambda game, window, who: (Nodding(),))
    encounter.answer(("nod",))
    encounter.answer("pass")
    encounter.answer("pass")
    assert encounter.choice().who == "bert", "anna has nodded over this frame"
    encounter.answer("pass")
    assert encounter.question is None


def test_each_runs_a_frame_for_every_item():
    @steps("say")
    class Say(Frame):
        item: str
        extra: int = 0

        def say(say, game):
            game.log("says", item=say.item, extra=say.extra)

    @steps("run", "end")
    class All(Frame):
        def run(every, game):
            return for_each(Say, ["x", "y"], 7)

        def end(every, game, loop):
            game.log("ran", items=loop.items)

    encounter = begin(All, Say)
    assert [event.facts for event in encounter.events()] == [
        {"item": "x", "extra": 7}, {"item": "y", "extra": 7}, {"items": ("x", "y")},
    ]  # fmt: skip
    assert begin(All, Say, first=lambda game: for_each(Say, [])).question is None


def test_ending_a_frame_from_the_frame_above_finishes_that_one_first():
    @steps("say", "end", "conclude")
    class Above(Frame):
        def say(above, game):
            game.end(game.find(Below), "late")

        def end(above, game):
            game.log("above goes on")

        def conclude(above, game):
            return Choice("a", "more", (Offer(1), Offer(2)))

    @steps("run", "early", "late")
    class Below(Frame):
        def run(below, game):
            return Above()

        def early(below, game):
            game.log("early")

        def late(below, game):
            game.log("late")

    encounter = begin(Below, Above)
    encounter.answer(1)
    assert kinds(encounter) == ["above goes on", "late"]
