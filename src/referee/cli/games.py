"""`referee games`: what is installed."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from ..content import registry
from ..content.faults import RegistryError


def games(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the rulesets with their scenarios, the main one first."""
    found = []
    for id in registry.ids():
        try:
            ruleset = registry.get(id)
        except RegistryError as wrong:
            # A broken package of somebody else's hides no other.
            print(f"referee: {wrong}", file=sys.stderr)
        else:
            found.append((ruleset, registry.scenarios(ruleset)))
    if as_json:
        listed = [
            {"id": ruleset.id, "title": ruleset.title, "scenarios": [f"{ruleset.id}/{name}" for name in names]}
            for ruleset, names in found
        ]
        print(json.dumps(listed, indent=2, ensure_ascii=False))
        return
    wide = max((len(ruleset.id) for ruleset, _ in found), default=0)
    titles = max((len(ruleset.title) for ruleset, _ in found), default=0)
    for ruleset, names in found:
        print(f"{ruleset.id:<{wide}}  {ruleset.title:<{titles}}  {' '.join(f'{ruleset.id}/{name}' for name in names)}")
