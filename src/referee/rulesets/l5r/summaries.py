"""What a check comes to, in closed form, in place of its dice and of the choices among them: for odds.

The choices are those of `best.decide`; tests hold the summaries against the steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from ...dice.chains import chains
from ...dice.joint import joint
from ...dice.law import Cut
from ...dice.symbols import Face, face
from ...engine import Game, Id, Roll
from ...engine.chances import Summary
from .best import DICE, MOST_AGAINST, REROLLS, best_keep, best_reroll, rerolled_at_most
from .dice import RING, SKILL, Die, Pool, counted
from .facts import figure
from .keeping import add_kept, modifiers_due

if TYPE_CHECKING:
    from .check import Check

NEGLIGIBLE: Final = Fraction(1, 100_000)
"""So much of a check may be left out: long chains of explosions, each of them as good as impossible."""

Facts = tuple[int, int, int, int, bool]
"""Ring dice, skill dice, how many are kept, TN, Compromised."""


def summary(game: Game, roll: Roll) -> Summary | None:
    """All that comes of a roll in a check, up to the strife that it brings; None where something may come in between."""
    if type(game.agenda[-1]) is not game.frame_classes["Check"]:
        return None
    check: Check = game.agenda[-1]  # type: ignore[assignment]
    record = figure(game, check.who)
    if roll.about == "follow_up":
        kinds = [check.dice[place].kind for place in check.exploding]
        before = counted(check.dice)
        pending = (kinds.count(RING), kinds.count(SKILL))
        return followed(pending, record.compromised, before.successes, before.strife)
    if roll.about not in ("check", "reroll") or _altered(game, check):
        return None
    facts = (check.ring_dice, check.skill_dice, check.limit, max(0, check.tn), record.compromised)
    if roll.about == "check":
        due = [(why, chooser) for why, chooser in modifiers_due(game, check) if why != "parry"]  # no Void point is spent
        if len(due) > 1 or any(skill == check.skill for skill, _ in record.reserve):
            return None
        most = rerolled_at_most(game, *due[0]) if due else 0
        if most > MOST_AGAINST:
            return None
        if due and due[0][0] == "dragon":
            return replace(against(facts, most), then=partial(_after_check, dragon=due[0][1]))
        found = checked(facts, due[0][0] if due else "")
    elif [why for why, _ in check.queue[1:] if why != "parry"]:
        return None
    else:
        kinds = [check.dice[number - 1].kind for number in check.again]
        lying = tuple((die.kind, die.face) for number, die in enumerate(check.dice, 1) if number not in check.again)
        found = rerolled(facts, lying, (kinds.count(RING), kinds.count(SKILL)))
    return replace(found, then=_after_check) if record.effects else found


def _after_check(game: Game, dragon: Id = "") -> None:
    """What the steps of a check do besides: dice that effects add, of which strife alone counts; a reroll used up."""
    check: Check = game.agenda[-1]  # type: ignore[assignment]
    if dragon and check.again:  # L5R-TEC-19
        record = game.edit(dragon)
        record.once_a_round = tuple(sorted((*record.once_a_round, "dragon")))
    check.again = ()
    before = check.dice
    add_kept(game, check, game.records[check.who].compromised)  # L5R-DICE-10
    added = [die for die in check.dice[len(before) :] if "T" in die.face]
    check.dice = (*before, *(Die(RING, "T", -1, "added") for _ in added))


def _altered(game: Game, check: Check) -> bool:
    """Whether kept dice may be altered or explode further, or the attack be drawn on another."""
    record, policy = figure(game, check.who), game.policy
    return (
        (policy["afflicted_alter"] == "on" and "afflicted" in record.conditions)  # L5R-COND-2
        or (policy["tainted_strife_die"] != "strife_only" and any(effect.name == "kept_t" for effect in record.effects))
        or bool(game.table.redirects and check.targets and "attack" in check.types)  # L5R-DICE-20
    )


@lru_cache(maxsize=256)
def checked(facts: Facts, why: str) -> Summary:
    """A whole check with the best reroll and the best keep."""
    return _summed(best_reroll(*facts, REROLLS[why]).joint() if why else joint(best_keep(*facts)))


@lru_cache(maxsize=64)
def against(facts: Facts, most: int) -> Summary:
    """A whole check of which a foe may have so many dice with success rolled again; `again` says that it does."""
    reroll = best_reroll(*facts, "against", most)
    touched = [weight - still for weight, still in zip(reroll.weights, reroll.untouched, strict=True)]
    parts = [joint(reroll.keep, weights, reroll.total) for weights in (reroll.untouched, touched)]
    weights = {(*outcome, again): weight for again, law in enumerate(parts) for outcome, weight in law.items()}
    return _summed(Cut(weights, parts[0].total))


@lru_cache(maxsize=512)
def rerolled(facts: Facts, lying: tuple[tuple[str, str], ...], again: tuple[int, int]) -> Summary:
    """Some dice lie, others are rolled again; then the best keep."""
    keep = best_keep(*facts)
    weights = [0] * len(keep.kept)
    law = Pool(*again).law()
    for faces, weight in law.items():
        rings = [*_faces(lying, RING), *(face(each) for each in faces[: again[0]])]
        skills = [*_faces(lying, SKILL), *(face(each) for each in faces[again[0] :])]
        weights[keep.rank(rings, skills)] += weight
    return _summed(joint(keep, weights, law.total))


def _faces(dice: tuple[tuple[str, str], ...], kind: str) -> list[Face]:
    return [face(each) for which, each in dice if which == kind]


@lru_cache(maxsize=1024)
def followed(pending: tuple[int, int], compromised: bool, successes: int, strife: int) -> Summary:
    """Follow-up dice on top of what is kept, when all are kept that may be."""
    return _summed(chains(DICE, pending, compromised), successes, strife)


def _summed(law: Cut[Any], successes: int = 0, strife: int = 0) -> Summary:
    """The likeliest ends, as long as more than what is negligible is missing; opportunities are left lying."""
    ends = law.map(lambda outcome: (outcome[0] + successes, outcome[2] + strife, *outcome[3:]))
    left, enough = ends.total, ends.total * NEGLIGIBLE
    listed = []
    for end, weight in sorted(ends.items(), key=lambda each: (-each[1], each[0])):
        if left <= enough:
            break
        listed.append((_facts(*end), Fraction(weight, ends.total)))
        left -= weight
    return Summary("ask_order", tuple(listed))


@lru_cache(maxsize=4096)
def _facts(successes: int, strife: int, again: int = 0) -> Mapping[str, Any]:
    """Kept dice that show these symbols, one a die; what is behind them is done."""
    dice = tuple(Die(RING, each, -1, "kept") for each in "S" * successes + "T" * strife)
    return {"dice": dice, "exploding": (), "queue": (), "again": (1,) if again else ()}
