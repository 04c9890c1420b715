"""The table of the README names every statement, and steps and functions that exist."""

import importlib
import re
from pathlib import Path

from referee.content import registry, rulebook

FOLDER = Path(__file__).parents[3] / "src/referee/rulesets/soluna"
ROWS = re.findall(r"^\| (SOL-\w+-\d+) \| ([\w/.]*) ?\| (.*) \|$", (FOLDER / "README.md").read_text(), re.M)


def test_every_statement_has_its_row() -> None:
    assert [row[0] for row in ROWS] == list(rulebook(registry.get("soluna")).statements)


def test_the_places_exist() -> None:
    for rule, file, places in ROWS:
        if not file or file.endswith(".yaml"):
            continue
        module = importlib.import_module(f"referee.rulesets.soluna.{file}")
        for place in re.findall(r"`([\w.]+)`", places):
            found = module
            for name in place.split("."):
                assert hasattr(found, name), f"{rule}: there is no {place} in {file}.py"
                found = getattr(found, name)


def test_policies_are_told() -> None:
    ruleset = registry.get("soluna")
    told = re.findall(r"^\| `(\w+)` \| ([\w, ;]+) \| ", (FOLDER / "README.md").read_text(), re.M)
    assert [name for name, _ in told] == list(ruleset.policies)
    for name, values in told:
        assert values.split(",")[0] == str(ruleset.policies[name].default).lower()
