"""Every verb as people and programs call it: output, JSON shapes, exit status, messages for bad input."""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from referee.cli import main
from referee.content import opening, registry

INSTALLED = Path(__file__).parents[1] / "players" / "installed"


class Told:
    def __init__(self, code: object, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def forget() -> None:
    registry._claims.cache_clear()
    registry.get.cache_clear()
    opening._restored.clear()
    sys.modules.pop("scuffle", None)
    importlib.invalidate_caches()


def environment(site: Path = INSTALLED) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(site)}


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from referee.cli import main; main()", *words]


def referee_in(site: Path, *words: str) -> Told:
    """In a process of its own, with other packages installed."""
    done = subprocess.run(command(*words), capture_output=True, text=True, env=environment(site), timeout=60, check=False)
    return Told(done.returncode, done.stdout, done.stderr)


def referee(*words: str, typed: str = "") -> Told:
    """In this process: starting Python anew for every call would take most of the time."""
    out, err = io.StringIO(), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.StringIO(typed)
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
            main(words)
    finally:
        sys.stdin = stdin
    return Told(left.value.code, out.getvalue(), err.getvalue())


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty working directory, and the made-up ruleset `scuffle` installed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_CACHE", "cache")
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    monkeypatch.syspath_prepend(str(INSTALLED))
    forget()
    yield
    forget()


def refused(*words: str, says: str, typed: str = "") -> None:
    told = referee(*words, typed=typed)
    assert told.code == 2, told.err
    assert re.search(says, told.err), told.err
    assert "Traceback" not in told.err
    assert told.err.count("\n") == 1


def test_the_version_is_told_without_importing_anything_large() -> None:
    told = referee("--version")
    assert re.fullmatch(r"referee \d+\.\d+\.\d+\n", told.out)
    large = "sorted({'typer', 'msgspec', 'rich'} & set(sys.modules))"
    code = f"import sys; from referee.cli import main\ntry: main(['--version'])\nfinally: print({large})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")


def test_help_names_every_verb() -> None:
    for words in ([], ["--help"], ["-h"]):
        told = referee(*words)
        assert told.code == 0
        for verb in ("games", "play", "run", "replay", "check"):
            assert f"\n  {verb} " in told.out


def test_games_lists_the_main_scenario_first() -> None:
    told = referee("games", "--json")
    assert told.code == 0
    listed = {each["id"]: each for each in json.loads(told.out)}
    assert listed["scuffle"] == {"id": "scuffle", "title": "Scuffle", "scenarios": ["scuffle/yard", "scuffle/open_yard"]}
    assert re.search(r"^scuffle +Scuffle +scuffle/yard scuffle/open_yard$", referee("games").out, re.MULTILINE)


def test_run_tells_seed_log_with_rules_and_result() -> None:
    told = referee("run", "scuffle", "--seed", "1")
    lines = told.out.splitlines()
    assert told.code == 0
    assert lines[0] == "scuffle/yard, seed 1"
    assert lines[1] == "ann: greedy, bob: greedy"
    assert re.fullmatch(r"round 1 +SCU-ACT-1", lines[2])
    assert re.fullmatch(r"(Ann|Bob) wins: down", lines[-1])
    assert len({line.index("SCU-") for line in lines if "SCU-" in line}) == 1
    assert "\x1b" not in told.out
    assert "passed" not in told.out
    assert referee("run", "scuffle/yard", "--seed", "1").out == told.out


def test_run_tells_the_seed_that_it_drew() -> None:
    first = referee("run", "scuffle")
    seed = re.match(r"scuffle/yard, seed (\d+)\n", first.out)
    assert seed is not None
    assert referee("run", "scuffle", "--seed", seed[1]).out == first.out


def test_run_explains_who_could_have_acted() -> None:
    assert "passed" in referee("run", "scuffle", "--seed", "1", "--explain").out


def test_run_quietly() -> None:
    told = referee("run", "scuffle", "--seed", "1", "--quiet", "--seat", "bob=random")
    assert re.fullmatch(r"scuffle/yard, seed 1\nann: greedy, bob: random\n\n.*\n", told.out)


def test_run_as_json() -> None:
    told = json.loads(referee("run", "scuffle", "--seed", "1", "--json").out)
    assert set(told) == {"result", "nodes", "rounds", "seed"}
    assert set(told["result"]) == {"winner", "reason"}
    assert told["result"]["winner"] in ("ann", "bob")
    assert told["seed"] == 1
    assert told["nodes"] > told["rounds"] > 0


def test_a_transcript_is_written_and_agrees() -> None:
    ran = referee("run", "scuffle", "--seed", "1", "--transcript", "t.txt")
    checked = referee("replay", "t.txt", "--check")
    assert (checked.code, checked.out) == (0, f"t.txt: {entries()} entries agree\n")
    replayed = referee("replay", "t.txt")
    assert replayed.out.splitlines() == ran.out.splitlines()[2:]
    assert "passed" in referee("replay", "t.txt", "--explain").out


def entries() -> int:
    return int(Path("t.txt").read_text().splitlines()[-1].split()[1])


def test_a_replay_stops_where_it_is_told() -> None:
    referee("run", "scuffle/open_yard", "--seed", "1", "--transcript", "t.txt")
    assert referee("replay", "t.txt", "--to", "0").out.splitlines()[-1] == f"After entry 0 of {entries()}: Ann: act?"
    told = json.loads(referee("replay", "t.txt", "--to", "1", "--json").out)
    assert told["replayed"] == 1
    assert told["entries"] == entries()
    assert told["result"] is told["difference"] is None
    assert told["events"][0] == {"kind": "round", "rules": ["SCU-ACT-1"], "line": "round 1 [SCU-ACT-1]"}
    refused("replay", "t.txt", "--to", "999", says="no entry 999; it has")


def test_a_difference_is_told_with_line_entry_and_rules() -> None:
    site = Path("site")
    for file in (path for path in INSTALLED.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        copy = site / file.relative_to(INSTALLED)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes().replace(b"hurt(game, other(act.who), 2)", b"hurt(game, other(act.who), 1)"))
    referee("run", "scuffle", "--seed", "1", "--transcript", "t.txt")
    told = referee_in(site, "replay", "t.txt", "--check")
    assert told.code == 1
    found = re.fullmatch(r"t\.txt: difference: line (\d+), entry (\d+): what followed .* \[SCU-ACT-2.*\]\n", told.out)
    assert found is not None, told.out
    assert Path("t.txt").read_text().splitlines()[int(found[1]) - 1].startswith(f"{found[2]} ")
    as_json = json.loads(referee_in(site, "replay", "t.txt", "--check", "--json").out)
    assert as_json["difference"]["line"] == int(found[1])
    assert as_json["difference"]["rules"][0] == "SCU-ACT-2"
    assert referee_in(site, "replay", "t.txt").code == 1


def test_a_broken_transcript_is_refused() -> None:
    referee("run", "scuffle", "--seed", "1", "--transcript", "t.txt")
    text = Path("t.txt").read_text()
    Path("cut.txt").write_text("\n".join(text.splitlines()[:-3]))
    Path("changed.txt").write_text(text.replace("Ann hurt", "Bob hurt", 1))
    Path("picture.png").write_bytes(b"\x89PNG\xff")
    refused("replay", "cut.txt", "--check", says=r"line \d+: this transcript was cut")
    refused("replay", "changed.txt", "--check", says="changed after this transcript was written")
    refused("replay", "picture.png", says="picture.png is no transcript")
    refused("replay", "none.txt", says="none.txt: No such file")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("frobnicate",), "No such command 'frobnicate'"),
        (("run",), "Missing argument 'SCENARIO'"),
        (("run", "scuffel"), 'no ruleset "scuffel"; did you mean "scuffle"'),
        (("run", "scuffle/yrd"), 'no scenario "yrd" in scuffle; did you mean "yard"'),
        (("run", "nowhere.yaml"), 'no file "nowhere.yaml"'),
        (("run", "scuffle", "--seed", "x"), "Invalid value for '--seed'"),
        (("run", "scuffle", "--seed", "-1"), "Invalid value for '--seed'"),
        (("run", "scuffle", "--seed", str(2**63)), "a seed is a whole number from 0 to"),
        (("run", "scuffle", "--sed", "1"), "No such option: --sed"),
        (("run", "scuffle", "--seat", "an=greedy"), "there is no seat 'an'; did you mean \"ann\""),
        (("run", "scuffle", "--seat", "ann=gredy"), "there is no player 'gredy'; did you mean \"greedy\""),
        (("run", "scuffle", "--seat", "ann"), "write NAME=PLAYER, as --seat ann=greedy"),
        (("run", "scuffle", "--seat", "ann=human"), "there is no player 'human'"),
        (("run", "scuffle", "--seat", "ann=random", "--seat", "ann=greedy"), "ann is taken by random"),
        (("run", "scuffle", "--transcript", "no/such/t.txt"), "name a file in a folder that exists"),
        (("play", "scuffle", "--seat", "carl=human"), "there is no seat 'carl'"),
        (("check",), "name files or folders to check"),
    ],
)
def test_bad_input_is_told_in_one_line(words: tuple[str, ...], says: str) -> None:
    refused(*words, says=says)
    assert not any(path.name != "cache" for path in Path().iterdir())


def test_files_that_are_no_encounter_are_refused() -> None:
    Path("letter.txt").write_text("dear Bob")
    refused("play", "letter.txt", says="no save of an encounter")
    refused("play", "letter.txt", "--seed", "1", says="for a new encounter")


def test_play_without_people_shows_the_whole_log() -> None:
    told = referee("play", "scuffle", "--terminal", "--seat", "ann=greedy", "--seed", "1")
    assert told.code == 0
    assert "Scuffle, seed 1\nann: greedy, bob: greedy\n" in told.out
    log = referee("run", "scuffle", "--seed", "1").out.splitlines()[2:]
    assert told.out.splitlines()[-len(log) :] == log


def test_a_person_plays_leaves_and_comes_back() -> None:
    told = referee("play", "scuffle", "--terminal", "--seed", "1", typed="high\nfeint\n")
    assert told.code == 0
    saved = told.out.splitlines()[-1].removeprefix("Saved. Go on with: referee play ")
    assert saved == "state/referee/scuffle-yard-1.save"
    again = referee("play", saved, "--terminal", "--seat", "ann=human", typed="l\nconcede\ny\n")
    assert again.code == 0
    assert again.out.endswith("Bob wins: conceded\n")
    assert "Ann acts feint" in again.out


def test_a_transcript_is_played_on() -> None:
    referee("run", "scuffle", "--seed", "1", "--transcript", "t.txt")
    told = referee("play", "t.txt", "--terminal", "--seat", "ann=greedy")
    assert told.out.splitlines()[-1] == referee("run", "scuffle", "--seed", "1").out.splitlines()[-1]


def test_check_reports_all_faults_at_once() -> None:
    scenario = INSTALLED / "scuffle" / "scenarios" / "yard.yaml"
    good = referee("check", str(scenario))
    assert (good.code, good.out) == (0, "no faults\n")
    Path("bad.yaml").write_text(scenario.read_text().replace("stamina: 9", "stamina: nine\nstamnia: 3"))
    bad = referee("check", "bad.yaml", str(scenario))
    assert bad.code == 2
    assert re.search(r"^bad\.yaml:4:\d+: .*; ", bad.out, re.MULTILINE)
    assert re.search(r"^bad\.yaml:5:1: .*stamnia.*; .*stamina", bad.out, re.MULTILINE)
    told = json.loads(referee("check", "bad.yaml", "--json").out)
    assert set(told["faults"][0]) == {"file", "line", "column", "wrong", "right"}
    assert told["notes"] == []
    refused_run = referee("run", "bad.yaml")
    assert refused_run.code == 2
    assert "bad.yaml:4:" in refused_run.err
    assert "bad.yaml:5:" in refused_run.err


def test_schemas_are_written_for_editors() -> None:
    told = referee("check", "--schemas", "schemas")
    assert told.code == 0
    assert json.loads(Path("schemas/scuffle.scenario.json").read_text())["properties"]["ruleset"] == {"const": "scuffle"}


def test_a_reader_who_goes_away_is_no_failure_worth_a_traceback() -> None:
    line = f"{shlex.join(command('run', 'scuffle', '--seed', '1'))} | head -1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, env=environment(), check=False)
    assert done.stdout == "scuffle/yard, seed 1\n"
    assert done.stderr == ""


def test_ctrl_c_saves_and_exits_with_130() -> None:
    process = subprocess.Popen(
        command("play", "scuffle", "--terminal", "--seed", "1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        # Whoever runs tests in the background has it ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    while "2  low" not in (process.stdout.readline()):
        pass
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130  # before its input ends, which it would take for a goodbye
    out, err = process.communicate()
    assert "Saved. Go on with: referee play state/referee/scuffle-yard-1.save" in out
    assert err == ""
