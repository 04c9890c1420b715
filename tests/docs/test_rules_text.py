"""The numbered rules in the documentation are those of the package, and each can be read."""

from pathlib import Path

import pytest

import referee
from referee.content import parse_rules

ROOT = Path(__file__).parents[2]
RULES = sorted((Path(referee.__file__).parent / "rulesets").glob("*/rules.md"))


def games(paths: list[Path]) -> list[str]:
    return [path.parent.name for path in paths]


@pytest.mark.parametrize("path", RULES, ids=games(RULES))
def test_documentation_has_the_same_rules(path: Path) -> None:
    documented = ROOT / "docs/rules" / f"{path.parent.name}.md"
    assert documented.read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), "run `make docs`"


@pytest.mark.parametrize("path", RULES, ids=games(RULES))
def test_examples_cite_statements_that_exist(path: Path) -> None:
    rulebook = parse_rules(path.read_text(encoding="utf-8"))
    assert rulebook.statements
    assert rulebook.examples
    for example in rulebook.examples.values():
        assert set(example.statements) <= set(rulebook.statements), example.id


def test_there_are_no_other_rules_in_the_documentation() -> None:
    assert sorted(path.stem for path in (ROOT / "docs/rules").glob("*.md")) == games(RULES)
