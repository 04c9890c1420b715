"""The first page: pictures, lengths that were measured, what a scenario teaches; and how large the first page of a table is."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from referee.content import load, registry
from referee.content.lengths import FILE, Length, lengths
from referee.engine import Encounter
from referee.players.seats import players_of
from referee.table import pictures, render, shelf
from referee.testkit.lengths import measure

from .test_looking import GAMES
from .test_secrets import SCENARIOS, room_of


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_picture_is_well_formed_and_shows_every_figure(name: str, own: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not own:
        monkeypatch.setattr(pictures, "_has_own", lambda ruleset_id: False)
    content = load(name)
    drawn = ElementTree.fromstring(pictures.scenario(content))
    assert drawn.get("aria-hidden") == "true"
    letters = sorted(text.text or "" for text in drawn.iter("text"))
    encounter = Encounter.start(content, log=False)
    figures = [each for seat in players_of(encounter) for each in encounter.game.seats[seat].figures]
    assert letters == sorted(each[0].upper() for each in figures)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_a_picture_with_and_without_one_of_its_own(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"id": game, "title": "Xyz", "letter": "X"}
    own = ElementTree.fromstring(pictures.emblem(facts))
    monkeypatch.setattr(pictures, "_has_own", lambda ruleset_id: False)
    generic = ElementTree.fromstring(pictures.emblem(facts))
    assert [text.text for text in generic.iter("text")] == ["X"]
    assert not list(own.iter("text"))


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_says_what_it_teaches_and_how_long_it_takes(name: str) -> None:
    shown = {each["id"]: each for game in shelf.games() for each in game["scenarios"]}[name]
    assert shown["about"].count("Teaches ") == 1
    length: Length = shown["length"]
    for low, half, high in (length.rounds, length.answers, length.moments):
        assert 0 < low <= half <= high
    assert length.answers[1] <= length.moments[1] <= shown["players"] * length.answers[1] + 1
    assert 5 <= length.minutes <= 120


@pytest.mark.parametrize("game", GAMES)
def test_lengths_were_measured_under_the_rules_of_now(game: str) -> None:
    ruleset = registry.get(game)
    found = registry.folder(ruleset) / FILE
    assert f'"rules_version": {ruleset.rules_version},' in found.read_text()
    assert set(lengths(ruleset)) == set(registry.scenarios(ruleset))


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[pytest.mark.long] if each.startswith(("l5r", "vaia")) else []) for each in SCENARIOS]
)
def test_lengths_fit_what_bots_do_now(name: str) -> None:
    told = lengths(registry.get(name.partition("/")[0]))[name.partition("/")[2]]
    measured = [measure(load(name), seed) for seed in range(3)]
    for kept, values in zip((told.rounds, told.answers, told.moments), zip(*measured, strict=True), strict=True):
        assert kept[0] / 1.5 <= sorted(values)[1] <= kept[2] * 1.5


@pytest.mark.parametrize("game", GAMES)
def test_the_first_page_of_a_table_is_small(game: str) -> None:
    """40 kB with the odds, which come later and take up to 3 kB at Midnight in Vaia's first question."""
    for seed in range(10):
        room = room_of(Encounter.start(load(GAMES[game]), seed))
        for seat in players_of(room.state.encounter):
            assert len(render.page(room, seat).encode()) <= 37_000
