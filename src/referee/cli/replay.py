"""`referee replay`: a transcript played again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ..content import opening
from ..engine import transcript
from ..engine.encounter import Encounter
from ..engine.errors import BadTranscript
from ..engine.replaying import Difference
from ..players import looking
from ..players.ink import Ink
from . import FAILED
from .seating import result_of, tell_result, worded


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript, as `run --transcript` writes it.")],
    to: Annotated[int | None, typer.Option("--to", min=0, metavar="N", help="Stop after entry N.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Compare only; exit 1 at the first difference.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Also say who could have acted and did not.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Replay a transcript: print its log, or check that the rules still say the same."""
    read = transcript.read(text_of(file))
    replayed, difference = opening.compared(read, to)
    count = len(read.lines) if to is None else to
    # The dice stay away: what is looked at here is where the transcript stands.
    encounter = Encounter(replayed.game)
    events = [event for event in replayed.events() if explain or not event.explain]
    if as_json:
        lines = [{"kind": each.kind, "rules": each.rules, "line": encounter.line(each)} for each in events]
        told: dict[str, Any] = {
            "ruleset": read.ruleset,
            "scenario": read.scenario,
            "seed": read.seed,
            "entries": len(read.lines),
            "replayed": count if difference is None else difference.number - 1,
            "difference": None if difference is None else _facts(difference),
            "result": result_of(encounter),
        }
        print(json.dumps(told if check else {**told, "events": lines}, indent=2, ensure_ascii=False))
    elif check:
        print(f"{file}: {'difference: ' + worded(difference) if difference else f'{count} entries agree'}")
    else:
        ink = Ink()
        ink.learn(encounter)
        for event in events:
            ink.event(encounter.line(event), event)
        if difference is not None:
            ink.say()
            ink.say(f"Difference: {worded(difference)}", "red")
        elif encounter.question is not None:
            ink.say()
            ink.say(f"After entry {count} of {len(read.lines)}: {looking.about(encounter, encounter.question)}", "bold")
        else:
            tell_result(ink, encounter)
    if difference is not None:
        raise typer.Exit(FAILED)


def _facts(difference: Difference) -> dict[str, Any]:
    return {"line": difference.line, "entry": difference.number, "why": difference.why, "rules": difference.rules}


def text_of(file: Path) -> str:
    """The text of a transcript. BadTranscript if it is none."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadTranscript(f"{file} is no transcript: one is text that begins with 'referee transcript 1'") from None
