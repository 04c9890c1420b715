"""`referee run`: bots play a scenario to its end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ..content import opening
from ..engine.errors import RefereeError
from ..players.seats import bot, play
from .seating import bots_in, result_of, tell_result


def run(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="A scenario, as GAME/NAME, GAME (its main one), or a file.")
    ],
    seed: Annotated[int | None, typer.Option(min=0, help="The seed of the dice; without it one is drawn.")] = None,
    seat: Annotated[list[str] | None, typer.Option(metavar="NAME=BOT", help="Who plays: greedy (unless said) or random.")] = None,
    transcript: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the transcript to a file.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also say who could have acted and did not.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, and no log.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the seed and the result, and no log.")] = False,
) -> None:
    """Let bots play a scenario to its end, and print the log with rule ids as it happens."""
    if transcript is not None and (transcript.is_dir() or not transcript.absolute().parent.is_dir()):
        raise RefereeError(f"--transcript {transcript}: name a file in a folder that exists")
    encounter = opening.start(scenario, seed)
    kinds = bots_in(encounter, seat or ())
    assert encounter.seed is not None
    players = {name: bot(kind, encounter.seed, name) for name, kind in kinds.items()}
    if not as_json:
        print(f"{encounter.content.ruleset.id}/{encounter.content.scenario.id}, seed {encounter.seed}", flush=True)
    # Imported after the first line is out: colours take a while to load.
    from ..players.ink import Ink

    ink = Ink()
    ink.learn(encounter)
    if not as_json:
        ink.say(", ".join(f"{name.replace('_', ' ')}: {kind}" for name, kind in kinds.items()))
    for event in play(encounter, players):
        if not as_json and not quiet and (explain or not event.explain):
            ink.event(encounter.line(event), event)
    if transcript is not None:
        transcript.write_text(encounter.transcript(), encoding="utf-8")
    if as_json:
        told = {"result": result_of(encounter), "nodes": encounter.nodes, "rounds": encounter.game.round, "seed": encounter.seed}
        print(json.dumps(told, ensure_ascii=False))
    else:
        tell_result(ink, encounter)
