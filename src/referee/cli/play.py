"""`referee play`: people in their browsers or at this terminal, and bots in other seats."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..content import opening, registry
from ..content.loading import load as load_content
from ..engine.encounter import Encounter
from ..engine.errors import RefereeError
from ..engine.events import Event
from ..players.ink import Ink
from ..players.seats import BOTS, Player, bot, players_of
from ..players.seats import play as play_on
from ..players.terminal import BrokenOff, Left, Terminal
from . import BROKEN_OFF, DONE
from .bringing import content_with
from .seating import seating, tell_result

FIRST_GAME = "morphyry"  # what is played where no scenario is named
RETOLD = 30  # lines of the log that are told again to people who go on with an encounter


def play(
    scenario: Annotated[
        str | None,
        typer.Argument(
            metavar="[SCENARIO|FILE]", help="A scenario, as GAME/NAME, GAME or a file; or a save or a transcript to go on with."
        ),
    ] = None,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in this terminal, against bots unless --seat says more.")
    ] = False,
    seat: Annotated[
        list[str] | None, typer.Option(metavar="NAME=PLAYER", help="Who sits where: human, greedy or random.")
    ] = None,
    bring: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE=FILE", help="A character from a YAML file in place of a figure.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed of dice and bots; without it one is drawn.")] = None,
    real_dice: Annotated[bool, typer.Option("--real-dice", help="Throw your own dice, and type what they show.")] = False,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Where the browser finds the table; else 8642.")] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the links, and open no browser.")] = False,
    odds: Annotated[
        float, typer.Option(min=0, max=60, metavar="SECONDS", help="Work put into the odds beside a question's offers; 0: none.")
    ] = 0.5,
) -> None:
    """Play: opens the web table in your browser, or the first page with all games if no scenario is named."""
    if terminal:
        _at_this_terminal(_open(scenario, seed, real_dice, bring or ()), seat or (), seed)
        return
    # Imported here: a server takes a while to import, and is not needed at the terminal.
    from .browser import play_in_browser

    named = scenario is not None or seed is not None or real_dice or bool(seat or bring)
    encounter = _open(scenario, seed, real_dice, bring or ()) if named else None
    chosen = {} if encounter is None else seating(encounter, seat or (), ("human", *BOTS))
    bots = {name: kind for name, kind in chosen.items() if kind != "human"}
    play_in_browser(encounter, bots, port, opens=not no_browser, odds_seconds=odds)


def _at_this_terminal(encounter: Encounter, seats: Iterable[str], seed: int | None) -> None:
    """You against bots, unless you say who sits where."""
    chosen = seating(encounter, seats, ("human", *BOTS))
    kinds = dict.fromkeys(players_of(encounter), "greedy")
    if not chosen:
        kinds[next(iter(kinds))] = "human"
    kinds.update(chosen)
    people = tuple(name for name, kind in kinds.items() if kind == "human")
    ink = Ink()
    ink.learn(encounter)
    table = Terminal(people or players_of(encounter), ink, keep=_keep)
    draws = next((each for each in (encounter.seed, seed) if each is not None), None)
    draws = secrets.randbelow(2**31) if draws is None else draws  # with real dice a seed serves the bots alone
    players: dict[str, Player] = {
        name: table if kind == "human" else bot(kind, draws, name) for name, kind in kinds.items()
    }  # fmt: skip
    ink.title(str(encounter.content.scenario.title or encounter.content.scenario.id))
    ink.say(f"{encounter.content.ruleset.title}, {'real dice' if encounter.seed is None else f'seed {encounter.seed}'}")
    ink.say(", ".join(f"{name.replace('_', ' ')}: {kind}" for name, kind in kinds.items()))
    if people:
        ink.say("h for help, q to quit", "dim")
    ink.say()
    told = 0
    if people and len(encounter.events()) > RETOLD:
        told = len(encounter.events()) - RETOLD
        ink.say("  … (l shows the whole log)", "dim")
    try:
        for event in play_on(encounter, players, table.roll, told):
            if _may_see(event, people) and not event.explain:
                ink.event(encounter.line(event), event)
    except Left as goodbye:
        ink.say(str(goodbye))
        raise typer.Exit(BROKEN_OFF if isinstance(goodbye, BrokenOff) else DONE) from None
    tell_result(ink, encounter)


def _may_see(event: Event, people: tuple[str, ...]) -> bool:
    """Whether all who sit before this screen may see it; with bots alone it is the GM's."""
    return event.seen_by is None or all(seat in event.seen_by for seat in people)


def _open(named: str | None, seed: int | None, real_dice: bool, bring: Sequence[str]) -> Encounter:
    """What to play: a scenario, or an encounter to go on with."""
    if named is None:
        games = registry.ids()
        if not games:
            raise RefereeError("no game is installed; install a package that brings one")
        named = FIRST_GAME if FIRST_GAME in games else games[0]
    path = Path(named)
    if not path.is_file() or path.suffix in registry.SUFFIXES:
        content = content_with(named, bring) if bring else load_content(named)
        return opening.start(content, seed, real_dice=real_dice)
    if seed is not None or real_dice or bring:
        raise RefereeError("--seed, --real-dice and --bring are for a new encounter; this one goes on as it began")
    data = path.read_bytes()
    if data.startswith(b"referee transcript"):
        return opening.replay(data.decode("utf-8", "replace"))
    return opening.load(data)


def _keep(encounter: Encounter) -> str:
    """Saves an encounter that somebody leaves; where it lies, or nothing if it cannot be saved."""
    state = os.environ.get("XDG_STATE_HOME")
    dice = "dice" if encounter.seed is None else str(encounter.seed)
    name = re.sub(r"[^\w-]+", "_", f"{encounter.content.ruleset.id}-{encounter.content.scenario.id}-{dice}")
    for folder in ((Path(state) if state else Path.home() / ".local" / "state") / "referee", Path()):
        path = folder / f"{name}.save"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encounter.save())
        except OSError:
            continue
        return str(path)
    return ""
