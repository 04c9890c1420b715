import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from referee.content import registry
from referee.content.schemas import schemas, write_schemas


@pytest.mark.parametrize("kind", ["cards", "scenario"])
def test_schema_is_valid(installed: Path, kind: str) -> None:
    schema = schemas(registry.get("skirmish"))[kind]
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)


def test_schema_accepts_the_rulesets_own_files(installed: Path) -> None:
    found = schemas(registry.get("skirmish"))
    for kind, folder in (("cards", "cards"), ("scenario", "scenarios")):
        for path in registry.yaml_files(installed / "skirmish" / folder):
            jsonschema.validate(yaml.safe_load(path.read_text()), found[kind], jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("cards", "weapons: [{id: a}]"),
        ("cards", "weapons: [{id: a, damage: 7}]"),
        ("cards", "weapons: [{id: a, damage: 1, kind: x}]"),
        ("cards", "weapons: [{id: a, damage: 1, effect: {do: move, squares: 1, far: 1}}]"),
        ("cards", "wepons: []"),
        ("scenario", "{ruleset: chess, id: a, title: A, figures: [ann]}"),
        ("scenario", "{ruleset: skirmish, id: a, title: A, figures: [ann], policies: {hands: shut}}"),
        ("scenario", "{ruleset: skirmish, id: a, title: A, figures: [ann], policies: {round_limit: -1}}"),
        ("scenario", "{ruleset: skirmish, id: a, title: A, figures: [ann], policies: {hand: open}}"),
    ],
)
def test_schema_refuses(installed: Path, kind: str, text: str) -> None:
    schema = schemas(registry.get("skirmish"))[kind]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(text), schema, jsonschema.Draft202012Validator)


def test_policies_are_listed(installed: Path) -> None:
    policies = schemas(registry.get("skirmish"))["scenario"]["properties"]["policies"]["properties"]
    assert policies["hands"] == {"enum": ["hidden", "open"], "default": "hidden", "description": "table taste"}
    assert policies["round_limit"]["anyOf"] == [{"enum": [30]}, {"type": "integer", "minimum": 0}]


def test_written_files(installed: Path) -> None:
    written = write_schemas(registry.get("skirmish"), Path("made/schemas"))
    assert [path.name for path in written] == ["skirmish.cards.json", "skirmish.scenario.json"]
    assert json.loads(written[0].read_text())["title"] == "Skirmish: cards"
