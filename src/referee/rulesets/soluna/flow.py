"""The course of a skirmish, top to bottom: Turns of ten phases; a phase step by step as in the rules; the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ...engine import Frame, Game, Id, Together, cites, for_each, steps
from .checks import FULL_FIVE, PHASES, due, flips_prepared, marked, marks, model, standing
from .contests import Contests
from .ending import meet_objective, run_out, test_end
from .orders import Orders
from .outcomes import hand_over, move_all, wound_all
from .records import Deed
from .trials import AccuracyRisk, Attack, CombatRisk, Interacting, MoveRisk, pay_points

if TYPE_CHECKING:
    from .setup import Table


@steps("announce", "begin_turn", "play_phase", "begin_next_phase", "end_turn", "reach_limit")
class Skirmish(Frame):
    """The skirmish: Turns of ten phases until a side has won."""

    number: int = 1

    @cites("SOL-HIDE-1")
    def announce(skirmish, game: Game) -> None:
        table: Table = game.table
        rules = ("SOL-HIDE-2", "SOL-HIDE-3", "SOL-END-1")
        game.log("opens", scenario=table.scenario.id, sides=table.sides, rules=rules)
        for who in table.order:
            record = model(game, who)
            game.log(
                "seated", who=who, side=table.side[who], at=record.at, mind=record.mind, body=record.body,
                marks=marks(record.mind), ready=record.ready,
            )  # fmt: skip

    @cites("SOL-PHASE-1", "SOL-MIND-6")
    def begin_turn(skirmish, game: Game) -> None:
        game.round += 1
        skirmish.number = 1
        game.log("turn", number=game.round)
        for who in standing(game):
            record = game.edit(who)
            record.mind_spent = record.speed_spent = record.combat_spent = 0

    @cites("SOL-PHASE-1")
    def play_phase(skirmish, game: Game) -> Frame:
        return Phase(skirmish.number)

    def begin_next_phase(skirmish, game: Game) -> None:
        if skirmish.number < PHASES:
            skirmish.number += 1
            skirmish.go("play_phase")

    @cites("SOL-PHASE-8", "SOL-PREP-4")
    def end_turn(skirmish, game: Game) -> None:
        for who in standing(game):
            record = game.edit(who)
            if record.saved:
                game.log("saved_lost", who=who, number=record.saved)
                record.saved = 0
            if record.prepared and not game.policy["prep_across_turns"]:
                game.log("preparation_ends", who=who, phases=record.prepared, flips=0)
                record.prepared = 0

    def reach_limit(skirmish, game: Game) -> None:
        if game.round < game.policy["turn_limit"]:
            skirmish.go("begin_turn")
        else:
            run_out(game)


@steps(
    "list_models", "choose", "reveal", "count_preparation", "pay",
    "risk_moves", "risk_combat", "risk_accuracy", "interact", "hold_contests", "attack",
    "move", "hand_over", "wound", "meet_objective", "test_end",
)  # fmt: skip
class Phase(Frame):
    """One phase: secret choices, the reveal, rolls against the state at its start, results at its end.

    `won` holds successful interactions (who, which, with what, score), `prizes` what contests have won for whom, `wounds`
    the damage noted (to whom, how much, by whom).
    """

    number: int
    due: tuple[Id, ...] = ()
    deeds: tuple[Deed, ...] = ()
    won: tuple[tuple[Id, Id, Id, int], ...] = ()
    prizes: tuple[tuple[Id, Id], ...] = ()
    wounds: tuple[tuple[Id, int, Id], ...] = ()

    @cites("SOL-PHASE-2", "SOL-PHASE-11", "SOL-PHASE-12")
    def list_models(phase, game: Game) -> None:
        phase.due = due(game, phase.number)
        if phase.due:
            game.log("phase", number=phase.number, due=phase.due)
        else:
            phase.go("count_preparation")

    def choose(phase, game: Game) -> Together:
        side_of = game.table.side
        records = game.records
        choosing: dict[str, tuple[Id, ...]] = {}
        for who in phase.due:
            if not records[who].out:
                choosing[side_of[who]] = (*choosing.get(side_of[who], ()), who)
        return Together({side: Orders(side, phase.number, models) for side, models in choosing.items()}, f"phase {phase.number}")

    @cites("SOL-PHASE-4")
    def reveal(phase, game: Game, sealed: dict[str, Any]) -> None:
        phase.deeds = tuple([Deed(*each) for orders in sealed.values() for each in orders])
        for deed in phase.deeds:
            rules: tuple[str, ...] = ("SOL-PHASE-3",)
            record = model(game, deed.who)
            if deed.kind == "defer":
                game.edit(deed.who).saved += 1
                rules = ("SOL-PHASE-8",)
            elif deed.kind == "hold":
                rules = ("SOL-PHASE-9",)
            elif not marked(record.mind, phase.number):
                game.edit(deed.who).saved -= 1
                rules = ("SOL-PHASE-8", "SOL-PHASE-3")
            game.log(
                "chooses", who=deed.who, action=deed.kind, name=deed.name, target=deed.target, path=deed.path, pool=deed.pool,
                increase=deed.increase, boost=deed.boost, flips=deed.flips, rules=rules,
            )  # fmt: skip

    @cites("SOL-PREP-1")
    def count_preparation(phase, game: Game) -> None:
        chosen = {deed.who: deed for deed in phase.deeds}
        for who in game.table.order:
            record = model(game, who)
            deed = chosen.get(who)
            if record.out:
                continue
            if deed is None or deed.kind == "hold":
                # An unmarked phase: a preparation goes on by itself.
                if record.prepared and game.policy["prep_counts"] == "all_phases":
                    rules = ("SOL-PREP-3", "SOL-PREP-4") if phase.number == 1 else ("SOL-PREP-3",)
                    prepare_on(game, who, *rules, asked=False)
            elif deed.kind == "prepare":
                prepare_on(game, who, "SOL-PREP-3" if record.prepared else "SOL-PREP-2")
            elif record.prepared:
                phase.deeds = tuple(use_preparation(game, each) if each is deed else each for each in phase.deeds)
        if not phase.deeds:
            phase.done()

    @cites("SOL-PHASE-6")
    def pay(phase, game: Game) -> None:
        for deed in phase.deeds:
            pay_points(game, deed)

    def risk_moves(phase, game: Game) -> Frame | None:
        risked = [deed.who for deed in phase.deeds if deed.kind == "move" and deed.pool]
        return for_each(MoveRisk, risked) if risked else None

    def risk_combat(phase, game: Game) -> Frame | None:
        risked = [deed.who for deed in phase.deeds if deed.kind == "attack" and deed.pool and not deed.failed]
        return for_each(CombatRisk, risked) if risked else None

    def risk_accuracy(phase, game: Game) -> Frame | None:
        # SOL-RISK-10: where the CP Risk has failed, this one is not rolled.
        risked = [deed.who for deed in phase.deeds if deed.increase and not deed.failed]
        return for_each(AccuracyRisk, risked) if risked else None

    def interact(phase, game: Game) -> Frame | None:
        interacting = [deed.who for deed in phase.deeds if deed.kind == "interact"]
        return for_each(Interacting, interacting) if interacting else None

    def hold_contests(phase, game: Game) -> Frame | None:
        return Contests() if any(deed.kind == "contest" and not deed.failed for deed in phase.deeds) else None

    def attack(phase, game: Game) -> Frame | None:
        attacking = [deed.who for deed in phase.deeds if deed.kind == "attack" and not deed.failed]
        return for_each(Attack, attacking) if attacking else None

    @cites("SOL-PHASE-5")
    def move(phase, game: Game) -> None:
        moving = [deed for deed in phase.deeds if deed.kind == "move" and not deed.failed]
        if moving:
            move_all(game, moving)

    @cites("SOL-PHASE-6")
    def hand_over(phase, game: Game) -> None:
        if phase.prizes or phase.won:
            hand_over(game, phase.prizes, phase.won)

    @cites("SOL-PHASE-5")
    def wound(phase, game: Game) -> None:
        for deed in phase.deeds:
            if model(game, deed.who).cp_risks:
                game.edit(deed.who).cp_risks = 0
        wound_all(game, phase.wounds)

    @cites("SOL-END-2")
    def meet_objective(phase, game: Game) -> None:
        meet_objective(game)

    @cites("SOL-END-1")
    def test_end(phase, game: Game) -> None:
        test_end(game)


def prepare_on(game: Game, who: Id, *rules: str, asked: bool = True) -> None:
    """One more phase of preparation (SOL-PREP-2, SOL-PREP-3)."""
    record = game.edit(who)
    record.prepared += 1
    quiet = not asked and record.prepared % FULL_FIVE != 0
    flips = flips_prepared(game, record)
    game.log("prepares", who=who, phases=record.prepared, flips=flips, explain=quiet, rules=rules)


def use_preparation(game: Game, deed: Deed) -> Deed:
    """SOL-PREP-5: any other Action ends a preparation; the roll that it names takes the flips, else they are wasted."""
    record = game.edit(deed.who)
    flips = flips_prepared(game, record)
    used = flips if deed.flips else 0
    game.log("preparation_ends", who=deed.who, phases=record.prepared, flips=used, rules=("SOL-PREP-5",))
    record.prepared = 0
    return msgspec.structs.replace(deed, prepared=used)
