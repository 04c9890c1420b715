"""Basic Actions: Step, Ready, Pick Up, and those that are owed. Whether one is on offer is said in `actions` and `checks`."""

from __future__ import annotations

from ...engine import Game, Id
from .checks import step_cost, stride_lines
from .records import Held


def step(game: Game, who: Id, to: str) -> None:
    """A Step to a free square beside."""
    points = step_cost(game, who)
    rules = tuple(dict.fromkeys(line[2] for line in stride_lines(game, who))) if game.events is not None else ()
    record = game.edit(who)
    record.speed -= 1
    record.corpus_pool -= points
    record.stepped += 1
    came, record.at = record.at, to
    if game.events is not None:
        game.log("steps", who=who, to=to, came=came, points=points, rules=("MOR-BASIC-3", "MOR-BASIC-1", *rules))


def ready(game: Game, who: Id, artifact: Id) -> None:
    """One Ready of a utilised artifact."""
    record = game.edit(who)
    record.speed -= 1
    place = next(place for place, held in enumerate(record.artifacts) if held.id == artifact and held.utilised and held.readies)
    left = record.artifacts[place].readies - 1
    record.artifacts = (*record.artifacts[:place], Held(artifact, True, left), *record.artifacts[place + 1 :])
    rules = ("MOR-BASIC-4", "MOR-CHK-3", "MOR-CARD-5", *(() if left else ("MOR-MOD-4",)))
    game.log("readies", who=who, artifact=artifact, left=left, rules=rules)


def pick_up(game: Game, who: Id, artifact: Id) -> None:
    """Takes an artifact from the own square: utilised, but to be readied."""
    record = game.edit(who)
    record.speed -= 1
    ground = game.edit("ground")
    lying = list(ground.lying)
    lying.remove((record.at, artifact))
    ground.lying = tuple(lying)
    card = game.table.artifacts[artifact]
    record.artifacts = (*record.artifacts, Held(artifact, True, card.ready))
    rules = ("MOR-BASIC-6", "MOR-CHK-3", *(("MOR-WEAP-7",) if card.weapon else ()))
    game.log("picks_up", who=who, artifact=artifact, readies=card.ready, rules=rules)


def pay_debt(game: Game, who: Id, debt: str) -> None:
    """One tick of the Basic Action that is owed first."""
    record = game.edit(who)
    record.speed -= 1
    record.debt_ticks += 1
    needed = 2 if debt == "alternate_ready" else 1
    own = {"fall": ("MOR-BASIC-6", "MOR-FAIL-9"), "ready": ("MOR-BASIC-4", "MOR-FAIL-9")}.get(debt, ("MOR-BASIC-5",))
    game.log("pays_debt", who=who, debt=debt, ticks=record.debt_ticks, of=needed, rules=("MOR-BASIC-7", "MOR-CHK-3", *own))
    if record.debt_ticks < needed:
        return
    record.debt_ticks = 0
    record.debts = record.debts[1:]
    if debt == "ready" and record.prone:
        record.prone = False
        game.log("stands", who=who, rules=("MOR-FAIL-9",))
