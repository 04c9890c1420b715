"""Rolls of a phase: the test that all of them are, and what hangs on it: Risks, interactions, attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from ...dice import Dice
from ...dice.like import after_flips, best_group
from ...engine import Frame, Game, Id, Roll, cites, steps, total
from .checks import combat_left, damage_lines, dice_lines, guard_lines, model, need_of
from .records import Deed

if TYPE_CHECKING:
    from .setup import Table


def running_phase(game: Game) -> Any:
    """The phase in progress, to be changed."""
    return game.edit_frame(game.find(game.frame_classes["Phase"]))


def deed_of(game: Game, who: Id) -> Deed:
    """The Action of a model in this phase."""
    phase: Any = game.agenda[game.find(game.frame_classes["Phase"])]
    found: Deed = next(deed for deed in phase.deeds if deed.who == who)
    return found


def going(game: Game, who: Id) -> bool:
    """Whether an Action has not been dropped or come to nothing meanwhile (SOL-END-5)."""
    phase: Any = game.agenda[game.find(game.frame_classes["Phase"])]
    return any(deed.who == who and not deed.failed for deed in phase.deeds)


def revise(game: Game, who: Id, **changes: Any) -> None:
    """Notes on an Action what has become of it."""
    phase = running_phase(game)
    phase.deeds = tuple(msgspec.structs.replace(deed, **changes) if deed.who == who else deed for deed in phase.deeds)


def mind_spent(game: Game, who: Id, points: int) -> None:
    """SOL-MIND-2: Mind Points are spent as the roll is made, sacrificed ones too."""
    if points:
        game.edit(who).mind_spent += points
        game.log("spends", who=who, points=points, left=model(game, who).left, rules=("SOL-MIND-1", "SOL-MIND-2"))


RULES_OF: Final = {
    "risk_move": ("SOL-RISK-3", "SOL-RISK-4"),
    "risk_cp": ("SOL-RISK-3", "SOL-RISK-5"),
    "risk_accuracy": ("SOL-RISK-3", "SOL-RISK-8"),
    "interaction": ("SOL-INT-4",),
    "contest": ("SOL-CONT-2", "SOL-CONT-3"),
    "attack": ("SOL-ATK-2",),
}
"""The rules under which the different tests are rolled."""


@steps("spend", "roll", "count")
class Test(Frame):
    """So many dice; after the roll the flips; the score is the largest group of like faces.

    A summary in closed form stands beside the steps from the roll on: see `summaries.py`.
    """

    who: Id
    about: str
    dice: int
    sacrificed: int = 0
    extra: int = 0
    need: int = 0
    costs: bool = True
    size: int = 0
    face: int = 0

    @cites("SOL-FLIP-1", "SOL-PHASE-6")
    def spend(test, game: Game) -> None:
        if test.costs:
            mind_spent(game, test.who, test.dice + 2 * test.sacrificed)
        if not test.dice:
            test.go("count")

    def roll(test, game: Game) -> Roll:
        return Roll(test.about, Dice(test.dice, 6), test.who, (test.sacrificed + test.extra, test.need))

    @cites("SOL-FLIP-4")
    def count(test, game: Game, roll: tuple[int, ...] | None) -> None:
        roll = roll or ()
        flips = test.sacrificed + test.extra
        test.size, test.face = best_group(roll, flips)
        rules = RULES_OF[test.about]
        if flips:
            rules = (*rules, "SOL-FLIP-2", "SOL-FLIP-3")
        if test.extra:
            rules = (*rules, "SOL-PREP-5", "SOL-FLIP-5", "SOL-ATK-4")[: None if test.about == "attack" else -1]
        game.log(
            "rolls", who=test.who, about=test.about, roll=roll, flips=flips,
            shown=after_flips(roll, flips) if flips else roll, score=test.size, need=test.need, rules=rules,
        )  # fmt: skip
        if game.policy["contest_tie"] != "higher_face":
            test.face = 0


def test_of(game: Game, deed: Deed, about: str, roll: str) -> Test:
    """The test that a roll of an Action is."""
    pool = deed.boost if roll == "boost" else deed.pool
    return Test(deed.who, about, pool[0], pool[1], deed.extra(roll), need_of(game, deed, roll))


@steps("test", "note", "close")
class MoveRisk(Frame):
    """A move by Risk."""

    who: Id

    @cites("SOL-RISK-4", "SOL-RISK-3")
    def test(risk, game: Game) -> Test | None:
        if not going(game, risk.who):
            risk.go("close")
            return None
        return test_of(game, deed_of(game, risk.who), "risk_move", "pool")

    @cites("SOL-RISK-9", "SOL-RISK-4", "SOL-RISK-2")
    def note(risk, game: Game, test: Test) -> None:
        won = test.size >= test.need
        game.log("risk", who=risk.who, about=test.about, won=won, score=test.size, need=test.need)
        if not won:
            revise(game, risk.who, failed=True)

    def close(risk, game: Game) -> None:
        """Nothing is left to do."""


@steps("test", "note", "close")
class CombatRisk(Frame):
    """A Combat Point by Risk, for an attack."""

    who: Id

    @cites("SOL-RISK-5", "SOL-RISK-1", "SOL-RISK-2")
    def test(risk, game: Game) -> Test | None:
        if not going(game, risk.who):
            risk.go("close")
            return None
        game.edit(risk.who).cp_risks += 1
        return test_of(game, deed_of(game, risk.who), "risk_cp", "pool")

    @cites("SOL-RISK-9", "SOL-RISK-5", "SOL-RISK-6")
    def note(risk, game: Game, test: Test) -> None:
        won = test.size >= test.need
        rules = ("SOL-RISK-10",) if deed_of(game, risk.who).increase and not won else ()
        game.log("risk", who=risk.who, about=test.about, won=won, score=test.size, need=test.need, rules=rules)
        if not won:
            revise(game, risk.who, failed=True)

    def close(risk, game: Game) -> None:
        """Nothing is left to do."""


@steps("test", "note", "close")
class AccuracyRisk(Frame):
    """Accuracy raised by Risk; if it fails the attack goes on at base accuracy."""

    who: Id

    @cites("SOL-RISK-8", "SOL-RISK-10")
    def test(risk, game: Game) -> Test | None:
        if not going(game, risk.who):
            risk.go("close")
            return None
        return test_of(game, deed_of(game, risk.who), "risk_accuracy", "boost")

    @cites("SOL-RISK-9", "SOL-RISK-8")
    def note(risk, game: Game, test: Test) -> None:
        won = test.size >= test.need
        game.log("risk", who=risk.who, about=test.about, won=won, score=test.size, need=test.need)
        if won:
            revise(game, risk.who, raised=deed_of(game, risk.who).increase)

    def close(risk, game: Game) -> None:
        """Nothing is left to do."""


@steps("test", "note", "close")
class Interacting(Frame):
    """An interaction: a Thoughtless one needs no dice, any other is tested."""

    who: Id

    @cites("SOL-INT-1", "SOL-INT-4")
    def test(interacting, game: Game) -> Test | None:
        if not going(game, interacting.who):
            interacting.go("close")
            return None
        deed = deed_of(game, interacting.who)
        if need_of(game, deed, "pool"):
            return test_of(game, deed, "interaction", "pool")
        return None

    @cites("SOL-INT-4")
    def note(interacting, game: Game, test: Test | None) -> None:
        deed = deed_of(game, interacting.who)
        need = need_of(game, deed, "pool")
        score = test.size if test else 0
        won = score >= need
        rules = [game.table.interactions[deed.name].rule]
        if need <= 1:
            rules.append("SOL-INT-6")
        if not won:
            rules.append("SOL-INT-5")
        game.log(
            "interacts", who=deed.who, name=deed.name, target=deed.target, won=won, score=score, need=need, rules=tuple(rules)
        )
        if won:
            phase = running_phase(game)
            phase.won = (*phase.won, (deed.who, deed.name, deed.target, score))

    def close(interacting, game: Game) -> None:
        """Nothing is left to do."""


@steps("aim", "test", "compare", "close")
class Attack(Frame):
    """An attack roll against the positions, sights and Guards at the start of the phase; its damage is noted."""

    who: Id
    guard: int = 0

    @cites("SOL-ATK-1", "SOL-ATK-4", "SOL-ATK-5", "SOL-PHASE-5")
    def aim(attack, game: Game) -> None:
        if not going(game, attack.who):
            attack.go("close")
            return
        deed = deed_of(game, attack.who)
        attack.guard = total(guard_lines(game, deed.who, deed.target))
        game.log("attacks", who=deed.who, weapon=deed.name, target=deed.target, guard=attack.guard)

    @cites("SOL-ATK-2", "SOL-ATK-4")
    def test(attack, game: Game) -> Test:
        deed = deed_of(game, attack.who)
        dice = total(dice_lines(game.table.weapons[deed.name], deed.raised))
        return Test(deed.who, "attack", dice, 0, deed.extra("attack"), attack.guard, costs=False)

    @cites("SOL-ATK-2", "SOL-ATK-3")
    def compare(attack, game: Game, test: Test) -> None:
        table: Table = game.table
        deed = deed_of(game, attack.who)
        if test.size < attack.guard:
            game.log("misses", who=deed.who, target=deed.target, score=test.size, guard=attack.guard)
            return
        damage = total(damage_lines(table.weapons[deed.name], test.size, attack.guard))
        game.log("hits", who=deed.who, target=deed.target, score=test.size, guard=attack.guard, damage=damage)
        phase = running_phase(game)
        phase.wounds = (*phase.wounds, (deed.target, damage, deed.who))

    def close(attack, game: Game) -> None:
        """Nothing is left to do."""


def pay_points(game: Game, deed: Deed) -> None:
    """SP of a move and the CP of an attack, where they are not risked (SOL-MOVE-1, SOL-ATK-1)."""
    if deed.kind == "move" and not deed.pool:
        game.edit(deed.who).speed_spent += len(deed.path)
        left = game.table.sheets[deed.who].speed - game.records[deed.who].speed_spent
        game.log("pays", who=deed.who, points=len(deed.path), of="speed", left=left, rules=("SOL-MOVE-1",))
    elif deed.kind == "attack" and not deed.pool:
        game.edit(deed.who).combat_spent += 1
        game.log("pays", who=deed.who, points=1, of="combat", left=combat_left(game, deed.who), rules=("SOL-ATK-1",))
