"""Counts over encounters of greedy bots."""

import pytest

from referee.content import load
from referee.testkit.tally import main, tally


def test_ends_answers_and_events_are_counted() -> None:
    found = tally(load("l5r/duel_at_dawn"), range(2))
    assert found.encounters == sum(found.ends.values()) == 2
    assert found.events["round"] == found.rounds
    assert any(what.startswith("stance: stance ") for what in found.answers)


def test_it_prints_them_by_the_encounter(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["l5r/duel_at_dawn", "-n", "1"]) == 0
    screen = capsys.readouterr().out
    assert screen.startswith("l5r/duel_at_dawn: 1 encounters, ")
    assert "    opens                                               1.00\n" in screen


def test_an_unknown_scenario_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["l5r/nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
