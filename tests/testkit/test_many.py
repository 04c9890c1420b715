from pathlib import Path

import pytest

from referee.content import load, registry
from referee.engine import Encounter
from referee.testkit import perft, playthroughs, soak

from .conftest import forget


def slow_perft(encounter: Encounter, depth: int, rolls: str) -> int:
    """The slow twin: every sequence on its own."""
    from referee.testkit.perft import children

    if depth == 0 or encounter.question is None:
        return 1
    return sum(slow_perft(each, depth - 1, rolls) for each in children(encounter, rolls))


@pytest.mark.parametrize("rolls", ["each", "one"])
def test_perft_counts_what_counting_one_by_one_counts(rolls: str, installed: Path) -> None:
    encounter = Encounter.start(load("brawl/yard"), 1)
    before = encounter.save()
    real = Encounter.start(load("brawl/yard"))
    for depth in range(6):
        assert perft(encounter, depth, rolls) == slow_perft(real, depth, rolls)  # type: ignore[arg-type]
    assert encounter.save() == before


def test_perft_of_a_small_depth_by_hand(installed: Path) -> None:
    encounter = Encounter.start(load("brawl/yard"), 1)
    # One: hit, wait, brace. Two: block or pass; three; three.
    assert [perft(encounter, depth) for depth in range(3)] == [1, 3, 8]


def test_playthroughs_are_kept_and_compared(installed: Path, tmp_path: Path) -> None:
    ruleset = registry.get("brawl")
    golden = tmp_path / "golden"
    assert playthroughs.changed(golden, ruleset) == ["brawl/yard-1.txt is missing", "brawl/perft.txt is missing"]
    path, counts = playthroughs.write(golden, ruleset)
    assert playthroughs.changed(golden, ruleset) == []
    assert counts.read_text(encoding="utf-8").splitlines()[:2] == ["yard 1 3", "yard 2 8"]
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(" ann answers ", " bob answers ", 1), encoding="utf-8")
    (told,) = playthroughs.changed(golden, ruleset)
    assert "-1 bob answers" in told
    assert "+1 ann answers" in told
    (golden / "brawl" / "old-1.txt").write_text("", encoding="utf-8")
    assert playthroughs.changed(golden, ruleset)[1:] == ["old-1.txt is of no scenario"]
    assert playthroughs.main([str(golden), "brawl"]) == 0
    assert playthroughs.main([str(golden), "brawl", "--check"]) == 0


def test_a_batch_counts_and_goes_on_after_failures(installed: Path) -> None:
    sound = soak.soak([load("brawl/yard")], range(30))
    assert (sound.encounters, sound.failures, sum(sound.ends.values())) == (30, [], 30)
    path = installed / "brawl" / "__init__.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("roll + total(", "(1 // (6 - roll)) * 0 + roll + total("), encoding="utf-8")
    forget()
    broken = soak.soak([load("brawl/yard")], range(30))
    assert 0 < len(broken.failures) < 30
    assert broken.encounters == 30
    first = broken.failures[0]
    assert (first.scenario, first.why) == ("yard", "ZeroDivisionError: integer division or modulo by zero")
    with pytest.raises(ZeroDivisionError):
        soak.soak_one(load("brawl/yard"), first.seed)


def test_an_encounter_that_hangs_is_a_failure(installed: Path) -> None:
    path = installed / "brawl" / "__init__.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("amount = max(", "while True: pass\n        amount = max("), encoding="utf-8")
    forget()
    tally = soak.soak([load("brawl/yard")], [1], seconds=1)
    assert [each.why for each in tally.failures] == ["Hanging: no end after 1 seconds of processor time"]


@pytest.mark.parametrize("option", [[], ["--greedy"], ["--debug"]])
def test_the_command(option: list[str], installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["brawl", "-n", "5", "--workers", "1", *option]) == 0
    assert "5 encounters, 0 failed" in capsys.readouterr().out
    assert soak.main(["brawl/yard", "-n", "2", "--workers", "1"]) == 0
    assert soak.main(["nothing"]) == 2
    assert soak.main(["brawl/nowhere"]) == 2
