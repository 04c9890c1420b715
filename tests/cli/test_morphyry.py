"""Morphyry from the command line: what the README promises."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
NEEDED = "msgspec, pydantic, rich, typer, yaml"


def referee(*words: str, python: str = sys.executable, typed: str = "") -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "REFEREE_CACHE": "cache", "XDG_STATE_HOME": "state"}
    command = [python, "-c", "from referee.cli import main; main()", *words]
    return subprocess.run(command, input=typed, capture_output=True, text=True, env=variables, timeout=120, check=False)


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def other_pythons() -> list[str]:
    """Other versions of Python on this machine that have what Referee needs."""
    found = []
    for minor in range(11, 20):
        path = shutil.which(f"python3.{minor}")
        if path is None or minor == sys.version_info.minor:
            continue
        able = subprocess.run([path, "-c", f"import referee, {NEEDED}"], capture_output=True, check=False)
        if able.returncode == 0:
            found.append(path)
    return found


def test_a_run_and_its_transcript_agree() -> None:
    ran = referee("run", "morphyry/broken_stair", "--seed", "1", "--transcript", "t.txt")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("morphyry/broken_stair, seed 1\n")
    assert re.search(r" MOR-[A-Z]+-\d+", ran.stdout)
    checked = referee("replay", "t.txt", "--check")
    assert checked.returncode == 0, checked.stdout
    assert re.fullmatch(r"t\.txt: \d+ entries agree\n", checked.stdout)


def test_a_transcript_agrees_under_another_python() -> None:
    pythons = other_pythons()
    if not pythons:
        pytest.skip("no second version of Python with Referee's dependencies is installed here")
    referee("run", "morphyry", "--seed", "1", "--transcript", "t.txt")
    for python in pythons:
        assert referee("replay", "t.txt", "--check", python=python).returncode == 0
        referee("run", "morphyry", "--seed", "1", "--transcript", "other.txt", python=python)
        assert Path("other.txt").read_bytes() == Path("t.txt").read_bytes()


def test_games_names_the_main_scenario_first() -> None:
    (morphyry,) = [each for each in json.loads(referee("games", "--json").stdout) if each["id"] == "morphyry"]
    assert morphyry["scenarios"] == ["morphyry/broken_stair", "morphyry/altar_of_dust"]


def test_bots_play_the_main_scenario_in_every_seat() -> None:
    told = referee("play", "morphyry", "--terminal", "--seat", "sable=greedy", "--seed", "1")
    assert told.returncode == 0, told.stderr
    assert "sable: greedy, garrick: greedy" in told.stdout
    assert "Round 2" in told.stdout
    assert "\x1b" not in told.stdout


def test_a_person_sees_the_table_and_what_is_refused() -> None:
    told = referee("play", "morphyry", "--terminal", "--seed", "3", typed="?\n")
    assert told.returncode == 0, told.stderr
    screen = told.stdout
    assert "Corpus 4/4" in screen
    assert "Deploy elbow" in screen
    assert "not now: Utilise the ring of haste" in screen
    assert "is utilised already [MOR-TURN-5" in screen
    assert "5 cards" in screen
    assert "charge" not in screen  # in Garrick's hand, and so not on Sable's screen
