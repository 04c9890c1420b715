"""JSON Schema (2020-12) of a ruleset's files, so that an editor completes and checks while one writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..engine.ruleset import Policy, Ruleset
from .models import model
from .shapes import card_file

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas(ruleset: Ruleset) -> dict[str, dict[str, Any]]:
    """The schemas of a ruleset's files: `cards` and `scenario`."""
    cards = model(card_file(tuple(ruleset.cards.items()))).model_json_schema()
    scenario = model(ruleset.scenario).model_json_schema()
    scenario["properties"]["ruleset"] = {"const": ruleset.id}
    scenario["properties"]["policies"] = {
        "type": "object",
        "properties": {name: _policy(policy) for name, policy in ruleset.policies.items()},
        "additionalProperties": False,
    }
    return {
        "cards": {"$schema": _DIALECT, **cards, "title": f"{ruleset.title}: cards"},
        "scenario": {"$schema": _DIALECT, **scenario, "title": f"{ruleset.title}: scenario"},
    }


def write_schemas(ruleset: Ruleset, folder: Path) -> tuple[Path, ...]:
    """Writes a ruleset's schemas to a folder, as `<ruleset>.cards.json` and `<ruleset>.scenario.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, schema in schemas(ruleset).items():
        path = folder / f"{ruleset.id}.{name}.json"
        path.write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        written.append(path)
    return tuple(written)


def _policy(policy: Policy) -> dict[str, Any]:
    values: dict[str, Any] = {"enum": list(policy.values)}
    if policy.any_number:
        values = {"anyOf": [values, {"type": "integer", "minimum": 0}]}
    return {**values, "default": policy.default, "description": policy.why}
