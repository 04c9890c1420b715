"""`referee scene`: runs scenes written in YAML."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from . import FAILED


def scene(
    what: Annotated[list[str] | None, typer.Argument(metavar="GAME|PATH…", help="Games, scene files, folders.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run scenes (given, play, then) of games, files or folders; of every installed game if none is named."""
    # Imported here: scenes need a YAML parser, --help does not.
    from ..testkit import running

    report = running.run_scenes(what or ())
    if as_json:
        print(json.dumps(running.as_json(report), indent=2, ensure_ascii=False))
    else:
        for each in report.failed:
            print(f"{each.at}: {each.name}\n    {each.why}")
        count, failed = len(report.outcomes), len(report.failed)
        print(f"{count} scene{'' if count == 1 else 's'}: {count - failed} passed, {failed} failed")
    if report.failed:
        raise typer.Exit(FAILED)
