import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.content import registry
from referee.testkit.mutants import find_mutants, mutated
from referee.testkit.mutate import main, mutate, sample

from .conftest import forget

ONE = """
- scene: a blow
  rules: [BRA-BLOW-2]
  given: {bob: {hand: []}}
  dice: [3]
  play:
  - ann: hit
  then: {bob: {life: 2}}
"""


def test_every_citing_step_line_and_reason_is_a_mutant(installed: Path) -> None:
    found = find_mutants(registry.get("brawl"))
    assert [(each.kind, each.inside, each.rules) for each in found] == [
        ("line", "blow", ("BRA-BLOW-2",)),
        ("line", "blow", ("BRA-BLOW-3",)),
        ("reason", "may_brace", ("BRA-ACT-2",)),
        ("step", "Turn.begin_turn", ("BRA-ACT-1",)),
        ("step", "Turn.act", ("BRA-ACT-2",)),
        ("step", "Turn.hurt", ("BRA-BLOW-1",)),
        ("step", "Block.block", ("BRA-BLOCK-1",)),
        ("step", "dead", ("BRA-END-1",)),
    ]
    assert {each.kind for each in find_mutants(registry.get("brawl"), fine=True)} >= {"statement", "condition"}


def test_a_mutant_disables_one_thing_only(installed: Path) -> None:
    mutants = find_mutants(registry.get("brawl"), fine=True)
    whole = ast.unparse(ast.parse(mutants[0].file.read_text(encoding="utf-8")))
    texts = [ast.unparse(mutated(each)) for each in mutants]
    assert whole not in texts
    assert len(set(texts)) == len(texts)


def test_mutants_are_noticed_or_not(installed: Path) -> None:
    (installed / "brawl" / "scenes" / "blows.yaml").write_text(ONE, encoding="utf-8")
    ruleset = registry.get("brawl")
    verdict = mutate(ruleset, find_mutants(ruleset))
    assert [each.inside for each in verdict.noticed] == ["blow", "Turn.hurt"]
    assert [each.inside for each in verdict.survived] == [
        "blow",
        "may_brace",
        "Turn.begin_turn",
        "Turn.act",
        "Block.block",
        "dead",
    ]


def test_without_scenes_nothing_is_noticed(installed: Path) -> None:
    (installed / "brawl" / "scenes" / "blows.yaml").write_text("[]", encoding="utf-8")
    ruleset = registry.get("brawl")
    assert mutate(ruleset, find_mutants(ruleset)).noticed == ()


def test_a_sample_is_drawn_by_its_seed(installed: Path) -> None:
    mutants = find_mutants(registry.get("brawl"), fine=True)
    assert sample(mutants, 5, 1) == sample(mutants, 5, 1) != sample(mutants, 5, 2)
    assert sample(mutants, None, 1) == mutants


def test_scenes_must_pass_before(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (installed / "brawl" / "scenes" / "blows.yaml").write_text(ONE.replace("life: 2", "life: 1"), encoding="utf-8")
    assert main(["brawl"]) == 2
    assert "fails without a mutant" in capsys.readouterr().err


def test_a_hanging_mutant_is_noticed(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.testkit import mutate as module

    monkeypatch.setattr(module, "_LEAST_SECONDS", 0.3)
    path = installed / "brawl" / "__init__.py"
    asked = "    if game.records[who].braced:\n        yield Reason"
    text = path.read_text(encoding="utf-8").replace(asked, f"    while game.round == 0:\n        pass\n{asked}")
    path.write_text(text, encoding="utf-8")
    (installed / "brawl" / "scenes" / "blows.yaml").write_text(ONE, encoding="utf-8")
    forget()
    ruleset = registry.get("brawl")
    loop = [each for each in find_mutants(ruleset) if each.inside == "Turn.begin_turn"]
    assert mutate(ruleset, loop).noticed == tuple(loop)


def test_the_command(installed: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-m", "referee.testkit.mutate", "brawl", "--sample", "4"]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert ran.stdout == "4 of 4 mutants noticed (8 in all, seed 1)\n", ran.stderr
    assert ran.returncode == 0
    assert subprocess.run([*command[:3], "nothing"], capture_output=True, env=environment, check=False).returncode == 2
