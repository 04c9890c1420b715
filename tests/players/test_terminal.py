"""A person at the terminal: what is shown, what may be typed, what comes of it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from referee.content import opening
from referee.engine import Encounter, Event
from referee.players.ink import Ink
from referee.players.seats import Player, bot, play
from referee.players.terminal import BrokenOff, Left, Terminal


def at_table(
    encounter: Encounter, typed: Iterable[str], people: tuple[str, ...] = ("ann",), kept: str = "kept.save"
) -> tuple[str, str]:
    """What the screen showed until the input ended, and the goodbye."""
    screen = io.StringIO()
    lines = iter([f"{line}\n" for line in typed])
    ink = Ink(screen)
    ink.learn(encounter)
    table = Terminal(people, ink, keep=lambda encounter: kept, read=lambda: next(lines, ""))
    players: dict[str, Player] = {seat: bot("greedy", 1, seat) for seat in ("ann", "bob")} | dict.fromkeys(people, table)
    goodbye = ""
    try:
        for event in play(encounter, players, table.roll):
            ink.event(encounter.line(event), event)
    except Left as left:
        goodbye = str(left)
    return screen.getvalue(), goodbye


def open_yard(seed: int = 3, *, real_dice: bool = False) -> Encounter:
    return opening.start("scuffle/open_yard", seed, real_dice=real_dice)


def test_table_offers_groups_and_costs_are_shown_aligned() -> None:
    screen, _ = at_table(open_yard(), [])
    assert screen.splitlines()[1:] == [
        "",
        "── ann " + "─" * 93,
        "Ann  stamina  9  breath 1  high  dodge",
        "Bob  stamina  9  breath 1  high  1 cards",
        "",
        "Ann: act?",
        "  attack",
        "  1  strike",
        "  2  feint    1 breath",
        "  rest",
        "  3  wait",
        "ann> ",
    ]


@pytest.mark.parametrize("typed", ["2", "feint", "Feint", "  2 "])
def test_an_offer_is_taken_by_number_or_by_its_words(typed: str) -> None:
    encounter = open_yard()
    at_table(encounter, [typed])
    assert encounter.history()[0] == ("choice", "ann", "feint")


@pytest.mark.parametrize("typed", ["0", "4", "99", "-1", "xyz", "b", "b 9", "r", "r NO-SUCH-1", "s", "1 2", "l x", "u"])
def test_what_means_nothing_changes_nothing_and_is_answered(typed: str) -> None:
    encounter = open_yard()
    before = encounter.save()
    screen, goodbye = at_table(encounter, [typed])
    assert encounter.save() == before
    answer = screen.split(f"ann> {typed}\n")[1]
    assert answer.strip()
    assert goodbye == "Saved. Go on with: referee play kept.save"


def test_refusals_are_shown_with_reason_and_rules() -> None:
    screen, _ = at_table(open_yard(), ["feint", "?"])
    assert "  not now: feint\n      it takes 1 breath, and there is 0 [SCU-ACT-2]\n" in screen


def test_beside_each_offer_stands_what_it_may_come_to() -> None:
    screen, _ = at_table(open_yard(), ["?"])
    assert re.search(r"\n  1  strike +(\* )?\S.*\n  2  feint    1 breath +\S", screen.split("ann> ?\n")[1])


def test_a_breakdown_shows_every_line_with_its_rule() -> None:
    screen, _ = at_table(open_yard(), ["b 2", "b 1"])
    assert (
        "  feint [SCU-ACT-2]\n  damage: 2\n      +3  a feint             SCU-ACT-3\n      -1  against a fighter   SCU-ACT-3\n"
        in screen
    )
    assert "  strike [SCU-ACT-3]\n  There is no number in it.\n" in screen


@pytest.mark.parametrize("typed", ["r SCU-ACT-2", "r scu-act-2", "r act-2"])
def test_a_rule_is_shown_by_its_id(typed: str) -> None:
    screen, _ = at_table(open_yard(), [typed])
    assert "  SCU-ACT-2  Then one after the other acts: strikes, feints for 1 breath, or waits.\n" in screen


def test_the_log_is_shown_whole_or_its_end() -> None:
    screen, _ = at_table(open_yard(), ["feint", "l", "l 1"])
    whole, end = (part.splitlines() for part in re.split(r"ann> l.*\n", screen)[1:])
    assert whole[0].startswith("round 1")
    assert len(whole) > 4
    assert end[0].startswith("round 2")


def test_help_names_every_command() -> None:
    screen, _ = at_table(open_yard(), ["h"])
    for typed in ("?", "b 3", "r ID", "t", "l", "u", "s FILE", "concede", "q", "h"):
        assert f"\n  {typed} " in screen


def test_taking_back_asks_again_with_the_bot_consenting() -> None:
    encounter = open_yard()
    screen, _ = at_table(encounter, ["feint", "u"])
    assert "ann takes back the last answer." in screen
    assert encounter.game.records["ann"].stamina == 9
    assert screen.count("Ann: act?") == 3


def test_another_person_is_asked_before_something_is_taken_back() -> None:
    encounter = open_yard()
    screen, _ = at_table(encounter, ["feint", "feint", "u", "n", "u", "y"], ("ann", "bob"))
    assert screen.count("bob, may ann take that back? (y/n)") == 2
    assert "bob does not consent; nothing was taken back." in screen
    assert [entry[0] for entry in encounter.history()] == ["choice", "choice", "undo"]


def test_a_sealed_answer_is_not_on_the_screen_of_the_next() -> None:
    encounter = opening.start("scuffle/yard", 3)
    screen, _ = at_table(encounter, ["low"], ("ann", "bob"))
    after = screen.split("ann> low\n")[1]
    assert "low" not in after.replace("  2  low", "")
    assert "bob is asked, and nobody else may look" in after
    assert "dodge" not in after


def test_a_save_goes_on_where_it_was_written() -> None:
    encounter = open_yard()
    screen, _ = at_table(encounter, ["feint", "s here.save"])
    assert "Saved. Go on with: referee play here.save" in screen
    assert opening.load(Path("here.save").read_bytes()).key() == encounter.key()


def test_a_save_overwrites_no_other_kind_of_file() -> None:
    Path("letter.txt").write_text("dear Bob")
    screen, _ = at_table(open_yard(), ["s letter.txt", "s no/such/folder"])
    assert "letter.txt is a file of another kind" in screen
    assert "no/such/folder: No such file or directory" in screen
    assert Path("letter.txt").read_text() == "dear Bob"


def test_conceding_is_asked_twice() -> None:
    encounter = open_yard()
    at_table(encounter, ["concede", "n"])
    assert encounter.result is None
    at_table(encounter, ["concede", "y"])
    assert encounter.result is not None
    assert encounter.result.winner == "bob"


@pytest.mark.parametrize("typed", [["q"], []])
def test_quitting_and_the_end_of_the_input_save(typed: list[str]) -> None:
    assert at_table(open_yard(), typed)[1] == "Saved. Go on with: referee play kept.save"
    assert at_table(open_yard(), typed, kept="")[1] == "Not saved."


def test_real_dice_are_typed_and_checked() -> None:
    encounter = open_yard(real_dice=True)
    screen, _ = at_table(encounter, ["strike", "7", "six", "5", "q"], ("ann", "bob"))
    assert "Ann rolls for damage" not in screen  # Bob is asked first whether he dodges
    encounter = open_yard(real_dice=True)
    screen, _ = at_table(encounter, ["strike", "pass", "7", "six", "h", "5"], ("ann", "bob"))
    assert "Ann rolls for damage\nd6 shows> 7\n  d6 cannot show '7': type a whole number from 1 to 6" in screen
    assert "d6 cannot show 'six'" in screen
    assert ("roll", 5) in encounter.history()
    assert encounter.game.records["bob"].stamina == 9 - 3


def test_names_are_coloured_by_side_only_where_the_screen_can(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    def shown() -> str:
        screen = Screen()
        ink = Ink(screen)
        ink.learn(open_yard())
        ink.say("Ann hits Bob, not Annabel")
        return screen.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert shown() == "\x1b[96mAnn\x1b[0m hits \x1b[95mBob\x1b[0m, not Annabel\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown() == "Ann hits Bob, not Annabel\n"


def test_the_whole_table_is_shown_after_others_have_acted_and_after_taking_back() -> None:
    assert at_table(open_yard(), [])[0].count("── ann ─") == 1
    assert at_table(open_yard(), ["feint"])[0].count("── ann ─") == 2
    assert at_table(open_yard(), ["feint", "u"])[0].count("── ann ─") == 3
    assert at_table(opening.start("scuffle/yard", 3), ["low"])[0].count("── ann ─") == 1
    assert at_table(opening.start("scuffle/yard", 3), ["low", "u"])[0].count("── ann ─") == 2


def test_after_taking_back_what_happens_is_told_as_before() -> None:
    screen, _ = at_table(open_yard(), ["feint", "u", "feint"])
    assert screen.count("  Ann acts feint") == screen.count("  Bob hurt 2") == 2


def test_the_log_holds_nothing_that_is_shown_on_request_only() -> None:
    screen, _ = at_table(open_yard(), ["strike", "l"])
    assert "acts strike" in screen.split("ann> l\n")[1]
    assert "passed" not in screen.split("ann> l\n")[1]


def test_a_second_question_in_a_row_shows_one_changed_line() -> None:
    encounter = open_yard()
    table = Terminal(("ann",), Ink(screen := io.StringIO()), read=lambda: "feint\n")
    table(encounter, "ann")
    encounter.rule({"ann": {"breath": 3}}, "a deep breath")
    screen.truncate(0)
    table(encounter, "ann")
    assert "Ann  stamina  9  breath 3  high  dodge\n\nAnn: act?" in screen.getvalue()
    assert "── ann ─" not in screen.getvalue()
    assert "Bob" not in screen.getvalue()


def test_the_whole_table_comes_back_on_request() -> None:
    screen, _ = at_table(open_yard(), ["t"])
    assert screen.count("── ann ─") == 2
    assert screen.count("  2  feint    1 breath") == 2


def test_rule_ids_are_broken_at_the_edge_of_a_screen_but_not_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    event = Event("kind", {}, ("SCU-ACT-1", "SCU-ACT-2", "SCU-ACT-3", "SCU-ACT-4"))
    shown = {}
    for file in (Screen(), io.StringIO()):
        Ink(file).event("Something happens [SCU-ACT-1, SCU-ACT-2, SCU-ACT-3, SCU-ACT-4]", event)
        shown[type(file)] = file.getvalue().splitlines()
    assert [line.split()[-1] for line in shown[Screen]] == ["SCU-ACT-2,", "SCU-ACT-4"]
    assert shown[Screen][1] == " " * 52 + "SCU-ACT-3, SCU-ACT-4"
    assert len(shown[io.StringIO]) == 1
    assert shown[io.StringIO][0].endswith("SCU-ACT-1, SCU-ACT-2, SCU-ACT-3, SCU-ACT-4")


def test_a_line_between_dashes_is_a_heading() -> None:
    file = io.StringIO()
    Ink(file).event("--- Round 2 ---", Event("round", {}, ()))
    assert file.getvalue() == "\n── Round 2 " + "─" * 89 + "\n"


def test_ctrl_c_at_the_prompt_saves() -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    table = Terminal(("ann",), Ink(io.StringIO()), keep=lambda encounter: "kept.save", read=interrupted)
    with pytest.raises(BrokenOff, match=r"Saved. Go on with: referee play kept\.save"):
        table(open_yard(), "ann")


def test_the_odds_stand_beside_the_offers_on_demand() -> None:
    screen, _ = at_table(open_yard(), ["o", "o 1", "o 9", "h"])
    assert re.search(r"1  strike: .*worlds.*\n +\d+\.\d\d%  ", screen)
    assert "3  wait: " in screen
    assert "there is no offer '9' here" in screen
    assert "the odds of every offer" in screen
