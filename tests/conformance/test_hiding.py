"""The conformance kit on scenarios in which figures begin in hiding."""

from pathlib import Path

import pytest

from referee.analysis.odds import outlooks
from referee.content import load, opening, registry
from referee.dice import Stream
from referee.engine import Content, Encounter, in_hiding
from referee.engine.hiding import why_not
from referee.testkit.conformance import CHECKS, check, keeps_secrets
from referee.testkit.wandering import answer_at_random

QUICK = ("saves", "forks", "has words", "can be conceded", "replays", "ends")
HIDDEN = {
    "morphyry/broken_stair": ("{avatar: garrick}",),
    "vaia/ford": ("{character: seer, side: west}", "{character: thornback, side: east}"),
    "l5r/ambush": (
        "{character: loyal_bushi, side: second, at: 3}",
        "{character: hida_sugi, side: first, at: 0, surprised: true}",
    ),
}


def hidden(scenario: str, folder: Path) -> Content:
    """A scenario with some of its figures in hiding."""
    text = registry.find(scenario).read_text(encoding="utf-8")
    for figure in HIDDEN[scenario]:
        assert figure in text
        text = text.replace(figure, figure.replace("}", ", hidden: true}"))
    path = folder / "hidden.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path)


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("scenario", ["morphyry/broken_stair", "vaia/ford"])
def test_a_scenario_with_figures_in_hiding_conforms(name: str, scenario: str, tmp_path: Path) -> None:
    assert check(name, hidden(scenario, tmp_path), 1) > 0


@pytest.mark.parametrize("scenario", HIDDEN)
def test_they_begin_in_hiding_and_many_are_found(scenario: str, tmp_path: Path) -> None:
    content = hidden(scenario, tmp_path)
    found = 0
    for seed in range(6):
        encounter = Encounter.start(content, seed)
        game = encounter.game
        assert len(in_hiding(game, game.seat_of)) == len(HIDDEN[scenario])
        rng = Stream.named(seed, "hiding")
        while encounter.question is not None and encounter.nodes < 1500:
            answer_at_random(encounter, rng)
        found += any(event.kind == "comes_out" for event in encounter.events())
    assert found


@pytest.mark.parametrize(
    ("scenario", "figure"), [("morphyry/broken_stair", "garrick"), ("vaia/ford", "seer"), ("l5r/ambush", "doji_ren")]
)
def test_whoever_knows_nothing_of_one_has_odds(scenario: str, figure: str) -> None:
    looked = 0
    for seed in range(4):
        encounter = Encounter.start(load(scenario), seed)
        rng = Stream.named(seed, "odds beside those in hiding")
        while encounter.nodes < 20 and encounter.question is not None:
            seat = next(iter(encounter.asked()), "")
            if not in_hiding(encounter.game, [figure]) and not why_not(encounter.game, figure):
                encounter.hide(figure, "none may see it")
            if seat and encounter.nodes % 7 == 0:
                looked += len(outlooks(opening.load(encounter.imagine(seat, rng).save()), seat, 0.1))
            answer_at_random(encounter, rng)
    assert looked > 20


@pytest.mark.parametrize("scenario", ["vaia/ford", "l5r/ambush"])
def test_secrets_are_kept_among_many(scenario: str, tmp_path: Path) -> None:
    """At a few moments: all of them are for long runs."""
    content = hidden(scenario, tmp_path)
    looked = 0
    for seed in range(4):
        encounter = Encounter.start(content, seed)
        rng = Stream.named(seed, "hiding")
        for _ in range(3 + 9 * seed):
            answer_at_random(encounter, rng)
        if in_hiding(encounter.game, encounter.game.seat_of):
            keeps_secrets(encounter, rng)
            looked += 1
    assert looked > 1


@pytest.mark.long
@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("scenario", HIDDEN)
def test_every_check_with_figures_in_hiding(name: str, scenario: str, tmp_path: Path) -> None:
    assert check(name, hidden(scenario, tmp_path), 2) > 0
