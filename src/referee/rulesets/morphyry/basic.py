"""Basic Actions: Step, Ready, Pick Up, and those that are owed. Whether one is on offer is said in `actions` and `checks`."""

from __future__ import annotations

from ...engine import Frame, Game, Id, cites, steps
from .checks import step_cost, stride_lines
from .records import Held


def spend_point(game: Game, who: Id) -> None:
    """Takes one point of Speed in hand."""
    game.edit(who).speed -= 1


@steps("move")
class Step(Frame):
    """A Step to a free square beside."""

    who: Id
    to: str

    @cites("MOR-BASIC-3", "MOR-BASIC-1")
    def move(step, game: Game) -> None:
        points = step_cost(game, step.who)
        lines = stride_lines(game, step.who) if game.events is not None else ()
        rules = dict.fromkeys(line[2] for line in lines)
        spend_point(game, step.who)
        record = game.edit(step.who)
        record.corpus_pool -= points
        record.stepped += 1
        came, record.at = record.at, step.to
        game.log("steps", who=step.who, to=step.to, came=came, points=points, rules=tuple(rules))


@steps("work")
class Ready(Frame):
    """One Ready of a utilised artifact."""

    who: Id
    artifact: Id

    @cites("MOR-BASIC-4", "MOR-CHK-3")
    def work(ready, game: Game) -> None:
        spend_point(game, ready.who)
        record = game.edit(ready.who)
        place = next(
            place for place, held in enumerate(record.artifacts) if held.id == ready.artifact and held.utilised and held.readies
        )
        left = record.artifacts[place].readies - 1
        record.artifacts = (*record.artifacts[:place], Held(ready.artifact, True, left), *record.artifacts[place + 1 :])
        game.log(
            "readies",
            who=ready.who,
            artifact=ready.artifact,
            left=left,
            rules=("MOR-CARD-5",) if left else ("MOR-CARD-5", "MOR-MOD-4"),
        )


@steps("take")
class PickUp(Frame):
    """Takes an artifact from the own square: utilised, but to be readied."""

    who: Id
    artifact: Id

    @cites("MOR-BASIC-6", "MOR-CHK-3")
    def take(pick_up, game: Game) -> None:
        spend_point(game, pick_up.who)
        record = game.edit(pick_up.who)
        ground = game.edit("ground")
        lying = list(ground.lying)
        lying.remove((record.at, pick_up.artifact))
        ground.lying = tuple(lying)
        card = game.table.artifacts[pick_up.artifact]
        record.artifacts = (*record.artifacts, Held(pick_up.artifact, True, card.ready))
        rules = ("MOR-WEAP-7",) if card.weapon else ()
        game.log("picks_up", who=pick_up.who, artifact=pick_up.artifact, readies=card.ready, rules=rules)


@steps("work")
class PayDebt(Frame):
    """One tick of the Basic Action that is owed first."""

    who: Id
    debt: str

    def work(pay, game: Game) -> None:
        spend_point(game, pay.who)
        record = game.edit(pay.who)
        record.debt_ticks += 1
        needed = 2 if pay.debt == "alternate_ready" else 1
        own = {"fall": ("MOR-BASIC-6", "MOR-FAIL-9"), "ready": ("MOR-BASIC-4", "MOR-FAIL-9")}.get(pay.debt, ("MOR-BASIC-5",))
        rules = ("MOR-BASIC-7", "MOR-CHK-3", *own)
        game.log("pays_debt", who=pay.who, debt=pay.debt, ticks=record.debt_ticks, of=needed, rules=rules)
        if record.debt_ticks < needed:
            return
        record.debt_ticks = 0
        record.debts = record.debts[1:]
        if pay.debt == "ready" and record.prone:
            record.prone = False
            game.log("stands", who=pay.who, rules=("MOR-FAIL-9",))
