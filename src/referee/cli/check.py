"""`referee check`: every fault in cards and scenarios at once."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from ..content import registry
from ..content.faults import Fault
from ..engine.errors import RefereeError
from . import BAD_INPUT


def check(
    paths: Annotated[list[Path] | None, typer.Argument(metavar="PATH…", help="Files and folders of cards and scenarios.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    schemas: Annotated[Path | None, typer.Option(metavar="DIR", help="Write JSON Schemas for editors to a folder.")] = None,
) -> None:
    """Check cards and scenarios: all faults, as file:line:column: what is wrong; what would be right."""
    if not paths and schemas is None:
        raise RefereeError("name files or folders to check, or --schemas DIR")
    # Imported here: the checks need a YAML parser and pydantic, --help does not.
    from ..content import checking
    from ..content import schemas as writing

    written: list[str] = []
    if schemas is not None:
        written = [str(path) for id in registry.ids() for path in writing.write_schemas(registry.get(id), schemas)]
    report = checking.check(paths or ())
    if as_json:
        told: dict[str, Any] = {"faults": list(map(_facts, report.faults)), "notes": list(map(_facts, report.notes))}
        print(json.dumps({**told, "schemas": written} if schemas else told, indent=2, ensure_ascii=False))
    else:
        for path in written:
            print(f"wrote {path}")
        for fault in sorted((*report.faults, *report.notes)):
            print(fault)
        if paths:
            count = len(report.faults)
            print("no faults" if not count else f"{count} fault{'s' if count > 1 else ''}")
    if report.faults:
        raise typer.Exit(BAD_INPUT)


def _facts(fault: Fault) -> dict[str, Any]:
    return {name: value for name, value in asdict(fault).items() if name != "note"}
