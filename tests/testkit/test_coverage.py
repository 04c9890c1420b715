import json
from pathlib import Path

import pytest

from referee.cli import main
from referee.content import registry, rulebook
from referee.testkit.coverage import coverage, places, undocumented
from referee.testkit.running import run_scenes


def test_what_is_uncited_and_untested(installed: Path) -> None:
    ruleset = registry.get("brawl")
    found = coverage(ruleset, run_scenes(ruleset))
    assert found.uncited == ("BRA-END-2",)
    assert found.untested == ("BRA-END-2",)
    assert found.informative == ("BRA-ACT-3",)
    assert found.policies == ()
    assert found.gaps == 2


def test_a_scene_that_lists_a_statement_without_meeting_it_tests_nothing(installed: Path) -> None:
    path = installed / "brawl" / "scenes" / "blows.yaml"
    path.write_text("- scene: idle\n  rules: [BRA-BLOCK-1, BRA-ACT-2]\n  play:\n  - ann: brace\n", encoding="utf-8")
    ruleset = registry.get("brawl")
    found = coverage(ruleset, run_scenes(ruleset))
    assert "BRA-BLOCK-1" in found.untested
    assert "BRA-ACT-2" not in found.untested
    assert found.policies == ("rounds=4",)


def test_a_scene_that_fails_tests_nothing(installed: Path) -> None:
    path = installed / "brawl" / "scenes" / "blows.yaml"
    path.write_text("- scene: idle\n  rules: [BRA-ACT-2]\n  play:\n  - ann: brace\n  then: {round: 7}\n", encoding="utf-8")
    ruleset = registry.get("brawl")
    assert "BRA-ACT-2" in coverage(ruleset, run_scenes(ruleset)).untested


def test_the_places_of_a_statement(installed: Path) -> None:
    cited = places(registry.get("brawl"), "BRA-ACT-2")
    assert [(each.file, each.inside) for each in cited] == [("__init__.py", "may_brace"), ("__init__.py", "Turn.act")]
    assert places(registry.get("brawl"), "BRA-ACT-9") == []


def test_a_misspelled_citation_is_found(installed: Path) -> None:
    path = installed / "brawl" / "__init__.py"
    path.write_text(path.read_text(encoding="utf-8").replace('@cites("BRA-BLOCK-1")', '@cites("BRA-BLOK-1")'), encoding="utf-8")
    ruleset = registry.get("brawl")
    assert undocumented(ruleset, rulebook(ruleset), run_scenes(ruleset)) == ("BRA-BLOK-1",)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(words)
    output = capsys.readouterr()
    return int(ended.value.code or 0), output.out, output.err


def test_the_verb_scene(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "scene", "brawl") == (0, "5 scenes: 5 passed, 0 failed\n", "")
    Path("some.yaml").write_text("- scene: this\n  game: brawl\n  play:\n  - bob: hit\n")
    code, out, _ = told(capsys, "scene", "some.yaml")
    assert code == 1
    assert out == "some.yaml:4: this\n    bob is not asked; ann is asked (act)\n1 scene: 0 passed, 1 failed\n"
    code, out, _ = told(capsys, "scene", "some.yaml", "--json")
    failed = [{"name": "this", "at": "some.yaml:4", "why": "bob is not asked; ann is asked (act)"}]
    assert (code, json.loads(out)) == (1, {"passed": [], "failed": failed})


def test_the_verb_scene_refuses_bad_files(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("some.yaml").write_text("- scene: this\n  game: brawl\n  ply: []\n")
    code, out, err = told(capsys, "scene", "some.yaml")
    assert (code, out) == (2, "")
    assert 'some.yaml:3:3: unknown key "ply"' in err
    assert told(capsys, "scene", "none.yaml")[0] == 2
    assert told(capsys, "scene", "brwl") == (2, "", 'referee: no ruleset "brwl"; did you mean "brawl"?\n')


def test_the_verb_rules(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "rules", "brawl")
    assert code == 0
    assert "BRA-BLOW-2     Strength is added." in out
    code, out, _ = told(capsys, "rules", "brawl", "bra-act-1")
    assert "policy rounds: 20, 4 (pace)" in out
    assert "cited in __init__.py:" in out
    assert (
        told(capsys, "rules", "brawl", "BRA-ACT-9")[2]
        == 'referee: Brawl has no statement "BRA-ACT-9"; did you mean "BRA-ACT-3"?\n'
    )
    code, out, _ = told(capsys, "rules", "brawl", "BRA-ACT-1", "--json")
    assert json.loads(out)["cited"][0]["file"] == "__init__.py"


def test_the_verb_rules_with_coverage(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "rules", "brawl", "--coverage", "--json")
    assert code == 1
    assert json.loads(out)["untested"] == ["BRA-END-2"]
    assert sorted(json.loads(out)) == ["informative", "policies", "statements", "uncited", "untested"]
    code, out, _ = told(capsys, "rules", "brawl", "--coverage")
    assert (code, "untested: BRA-END-2" in out) == (1, True)
    rules = installed / "brawl" / "rules.md"
    lines = [line for line in rules.read_text(encoding="utf-8").splitlines() if "BRA-END-2" not in line]
    rules.write_text("\n".join(lines), encoding="utf-8")
    assert told(capsys, "rules", "brawl", "--coverage")[0] == 0
