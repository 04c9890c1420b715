"""The best choices within a check and their exact chances: pools, keeps, rerolls, in closed form.

The figures are those of `docs/rules/l5r.md`, section 16; `referee.dice.keep` finds them, with the very faces that are played
with. Imported late: numpy takes its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...dice.goals import Goal
from ...dice.hindsight import hindsight
from ...dice.joint import joint
from ...dice.keep import Keep, Kept, Side, Throw
from ...dice.law import Cut, Law
from ...dice.reroll import Kind, Reroll
from ...dice.symbols import Face, SymbolDie, face
from ...engine import Choice, Game, Roll
from .dice import RING, RING_DIE, SKILL, SKILL_DIE, Pool
from .keeping import modifiers_due

DICE: Final = (SymbolDie(*RING_DIE), SymbolDie(*SKILL_DIE))

MOST_AGAINST: Final = 3

RINGS: Final = range(1, 6)
SKILLS: Final = range(6)

NOT_IN_HINDSIGHT: Final = (
    "max-strife", "distinction", "adversity", "dragon", "bonus", "strife-cost", "dist", "void", "assist-skilled",
    "assist-unskilled",
)  # fmt: skip
NOT_WEIGHED: Final = ("opportunity", "max-strife", "table")


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The chance of a check (and what else was asked). ValueError if the question makes no sense."""
    if asked["tn"] is None:
        raise ValueError("say which TN: --tn 3")
    if asked["distinction"] and asked["adversity"]:
        raise ValueError("a distinction and an adversity cancel one another (L5R-CHK-15): leave both out")
    if asked["dragon"] and (asked["distinction"] or asked["adversity"]):
        raise ValueError("one reroll at a time: ask with --dragon, or with --distinction or --adversity")
    if asked["dragon"] > MOST_AGAINST:
        raise ValueError(f"a school rank of {asked['dragon']} is too much: at most {MOST_AGAINST}")
    if asked["model"] == "hindsight":
        _check_hindsight(asked)
    if asked["bonus"] or asked["strife-cost"]:
        given = [name for name in NOT_WEIGHED if asked[name] not in (None, False, 0)]
        if given:
            raise ValueError(f"--bonus and --strife-cost weigh success and strife by themselves: leave out --{given[0]}")
    if asked["table"]:
        return _table(asked)
    if asked["ring"] is None:
        raise ValueError("say how many ring dice: --ring 3")
    pool = pool_of(asked)
    told: dict[str, Any] = {
        "chance": chance_of(pool, asked),
        "exact": True,
        "missing": Fraction(0),
        "ring": pool[0],
        "skill": pool[1],
        "keep": pool[2],
        "tn": asked["tn"],
        "opportunity": asked["opportunity"],
        "max_strife": asked["max-strife"],
        "model": asked["model"],
        "follow_ups": asked["follow-ups"],
    }
    if asked["bonus"] or asked["strife-cost"]:
        told |= _weighed(pool, asked)
    most = min(pool[2], pool[0] + pool[1])
    if asked["opportunity"] > most:
        told["note"] = f"{most} kept dice show {most} opportunities at the most (each chain of follow-ups ends with one)"
    if asked["dist"]:
        law = _joint(pool, asked)
        told["missing"] = law.missing
        told["dist"] = [
            {"successes": s, "opportunities": o, "strife": t, "chance": law.chance((s, o, t))}
            for (s, o, t), _ in sorted(law.items())
        ]
    elif asked["model"] == "rule" and sum(pool[:2]) < 10:
        told["one_more"] = dict(_one_more(pool, asked))
    return told


def _check_hindsight(asked: Mapping[str, Any]) -> None:
    given = [name for name in NOT_IN_HINDSIGHT if asked[name] not in (None, False, 0)]
    if asked["follow-ups"] != "single":
        given.append("follow-ups")
    if given:
        raise ValueError(
            f"--model hindsight knows successes and opportunities only, as the published tables do: leave out --{given[0]}"
        )


def pool_of(asked: Mapping[str, Any]) -> tuple[int, int, int]:
    """Ring dice, skill dice and keeps with a Void point and assistants (L5R-CHK-5, L5R-CHK-8)."""
    void, skilled, unskilled = int(asked["void"]), asked["assist-skilled"], asked["assist-unskilled"]
    keep = asked["keep"] if asked["keep"] is not None else asked["ring"]
    if asked["ring"] + asked["skill"] + void + skilled + unskilled and keep + void + skilled + unskilled < 1:
        raise ValueError("at least one die is kept (L5R-DICE-9): with ring 0 say how many, --keep 1")
    return asked["ring"] + void + unskilled, asked["skill"] + skilled, max(1, keep + void + skilled + unskilled)


def chance_of(pool: tuple[int, int, int], asked: Mapping[str, Any]) -> Fraction:
    """The chance of what is asked with a pool. TooMuchWork above the budget."""
    ring, skill, keep = pool
    throw = Throw(DICE, (ring, skill), keep)
    if asked["opportunity"] > min(keep, ring + skill):
        return Fraction(0)
    if asked["model"] == "hindsight":
        return hindsight(throw, asked["tn"], asked["opportunity"], barred=asked["compromised"])
    kept = _keep(pool, asked, whole=False)
    return _reroll(kept, asked).chance() if _rerolls(asked) else kept.chance()


def _weighed(pool: tuple[int, int, int], asked: Mapping[str, Any]) -> dict[str, Any]:
    """The best that success, successes above the TN and strife come to together, and what then is likely."""
    kept = _keep(pool, asked, whole=True)
    again = _reroll(kept, asked) if _rerolls(asked) else None
    law = joint(kept) if again is None else again.joint()
    tn = asked["tn"]
    return {
        "worth": kept.chance() if again is None else again.chance(),
        # What is left out of the law has more successes than any TN asks for.
        "chance": law.chance(lambda each: each[0] >= tn) + law.missing,
        "bonus": str(asked["bonus"]),
        "strife_cost": str(asked["strife-cost"]),
        "averages": {
            "above": sum(float(law.chance(each)) * max(0, each[0] - tn) for each, _ in law.items()),
            "strife": sum(float(law.chance(each)) * each[2] for each, _ in law.items()),
        },
    }


def _goal(asked: Mapping[str, Any]) -> Goal:
    if asked["bonus"] or asked["strife-cost"]:
        return Goal.weighing(asked["tn"], Fraction(asked["bonus"]), Fraction(asked["strife-cost"]))
    return Goal.reach(asked["tn"], asked["opportunity"], asked["max-strife"])


def _keep(pool: tuple[int, int, int], asked: Mapping[str, Any], *, whole: bool) -> Keep:
    return Keep(
        Throw(DICE, pool[:2], pool[2]),
        _goal(asked),
        barred=asked["compromised"],
        whole=whole,
        split=bool(asked["adversity"] or asked["dragon"]),
        follow_ups=asked["follow-ups"],
    )


def _rerolls(asked: Mapping[str, Any]) -> bool:
    return bool(asked["distinction"] or asked["adversity"] or asked["dragon"])


def _reroll(kept: Keep, asked: Mapping[str, Any]) -> Reroll:
    """L5R-CHK-11: 0 to 2 dice of choice; L5R-CHK-12: two of those with success; L5R-TEC-19: a foe chooses among those."""
    if asked["dragon"]:
        return Reroll(kept, "against", asked["dragon"])
    return Reroll(kept, "successes" if asked["adversity"] else "up_to")


def _joint(pool: tuple[int, int, int], asked: Mapping[str, Any]) -> Cut[tuple[int, int, int]]:
    kept = _keep(pool, asked, whole=True)
    return _reroll(kept, asked).joint() if _rerolls(asked) else joint(kept)


def _one_more(pool: tuple[int, int, int], asked: Mapping[str, Any]) -> Iterator[tuple[str, Fraction]]:
    """What one more die, keep, Void point or assistant would make of the chance."""
    ring, skill, keep = pool
    yield "ring_die", chance_of((ring + 1, skill, keep), asked)
    yield "skill_die", chance_of((ring, skill + 1, keep), asked)
    if not asked["void"]:
        yield "void_point", chance_of((ring + 1, skill, keep + 1), asked)
    yield "skilled_assistant", chance_of((ring, skill + 1, keep + 1), asked)
    if not _rerolls(asked):
        yield "distinction", chance_of(pool, {**asked, "distinction": True})


def _table(asked: Mapping[str, Any]) -> dict[str, Any]:
    if asked["dist"]:
        raise ValueError("--table and --dist are two questions: ask for one of them")
    rows = []
    for ring in RINGS:
        chances = [chance_of(pool_of({**asked, "ring": ring, "skill": skill}), asked) for skill in SKILLS]
        rows.append({"ring": ring, "chances": chances})
    return {
        "exact": True, "missing": Fraction(0), "tn": asked["tn"], "model": asked["model"], "skills": list(SKILLS), "table": rows,
    }  # fmt: skip


# In an encounter


@lru_cache(maxsize=32)
def best_keep(ring: int, skill: int, keep: int, tn: int, compromised: bool) -> Keep:
    """The best keeps of a pool for success against a TN, then more successes, more opportunities, less strife."""
    return Keep(Throw(DICE, (ring, skill), keep), Goal.reach(tn), barred=compromised, whole=True, split=True)


@lru_cache(maxsize=16)
def best_reroll(ring: int, skill: int, keep: int, tn: int, compromised: bool, kind: Kind, most: int = 2) -> Reroll:
    """The best rerolls before such a keep; for "against" the worst."""
    return Reroll(best_keep(ring, skill, keep, tn, compromised), kind, most)


# What is answered so that a check runs on: nothing more is spent.
UNSPENT: Final = {"void": "no", "reserve": "done", "share": "no", "opportunity": "done", "parry": "no"}
REROLLS: Final[dict[str, Kind]] = {"distinction": "up_to", "adversity": "successes", "dragon": "against"}


def rerolled_at_most(game: Game, why: str, chooser: str) -> int:
    """So many dice may be rolled again (L5R-CHK-11, L5R-CHK-12, L5R-TEC-19)."""
    return int(game.table.sheets[chooser].school_rank) if why == "dragon" else 2


def decide(game: Game, choice: Choice) -> Any:
    """The answers within a check: best keeps and rerolls for success, all follow-ups kept, nothing more spent."""
    if choice.about in UNSPENT:
        wanted = UNSPENT[choice.about]
        return wanted if any(offer.value == wanted for offer in choice.offers) else None
    if choice.about == "order":
        return choice.offers[0].value
    if choice.about == "follow_up":
        return max(choice.offers, key=lambda offer: len(offer.dice)).value if choice.form == "keep" else choice.offers[0].value
    if choice.about not in ("keep", "reroll"):
        return None
    depth = game.find(game.frame_classes["Check"])
    if depth < 0:
        return None
    check: Any = game.agenda[depth]
    dice = [(die.kind, face(die.face)) for die in check.dice]
    ours = [shown for kind, shown in dice if kind == RING]
    theirs = [shown for kind, shown in dice if kind == SKILL]
    facts = (len(ours), len(theirs), check.limit, max(0, check.tn), game.records[check.who].compromised)
    if choice.about == "keep":
        return _best_offer(choice, dice, best_keep(*facts).best_of(ours, theirs)[0])
    why = choice.facts[2]
    if why not in REROLLS:
        return None
    most = rerolled_at_most(game, why, choice.who)
    if most > MOST_AGAINST:
        return None
    again = best_reroll(*facts, REROLLS[why], most).advice(ours, theirs)
    return _reroll_offer(choice, dice, sorted([(RING, each) for each in again[0]] + [(SKILL, each) for each in again[1]]))


def _best_offer(choice: Choice, dice: list[tuple[str, Face]], kept: Kept) -> Any:
    """The offer that keeps dice which come to the best keep."""
    for offer in choice.offers:
        chosen = [dice[number - 1] for number in offer.dice]
        pending = [sum(shown.explodes for kind, shown in chosen if kind == which) for which in (RING, SKILL)]
        sums = [sum(shown[place] for _, shown in chosen) for place in range(3)]
        if (*pending, *sums) == kept:
            return offer.value
    return None


def _reroll_offer(choice: Choice, dice: list[tuple[str, Face]], again: list[tuple[str, Face]]) -> Any:
    return next((offer.value for offer in choice.offers if sorted(dice[number - 1] for number in offer.dice) == again), None)


def law(game: Game, roll: Roll) -> Law[tuple[str, ...]] | None:
    """The law of a check's dice with all rolls as one of which the same is kept: what is dropped is without effect.

    None for other rolls, and where the dice may still be altered before the keep (L5R-DICE-5, L5R-ACT-7).
    """
    depth = game.find(game.frame_classes["Check"])
    if roll.about != "check" or depth < 0:
        return None
    check: Any = game.agenda[depth]
    record = game.records[check.who]
    if record.reserve or modifiers_due(game, check):
        return None
    return kept_law(check.ring_dice, check.skill_dice, check.limit, max(0, check.tn), record.compromised)


@lru_cache(maxsize=32)
def kept_law(ring: int, skill: int, limit: int, tn: int, compromised: bool) -> Law[tuple[str, ...]]:
    """For each best keep of a pool one roll that leads to it, with the weight of all of them."""
    keep = best_keep(ring, skill, limit, tn, compromised)
    ranks, places = np.unique(keep.best, return_index=True)
    pool = Pool(ring, skill)
    weights = {}
    for rank, place in zip(ranks.tolist(), places.tolist(), strict=True):
        rows = divmod(place, keep.best.shape[1])
        faces = [*_shown(keep.sides[0], RING_DIE, rows[1]), *_shown(keep.sides[1], SKILL_DIE, rows[0])]
        weights[pool.ordered(faces)] = keep.weights[rank]
    return Law(weights)


def _shown(side: Side, letters: tuple[str, ...], row: int) -> list[str]:
    """The faces of a count vector, blanks at the end."""
    counts = side.lattice.vectors[row].tolist()
    names = {side.of[face(each)]: each for each in letters}
    shown = [names[place] for place, count in enumerate(counts) for _ in range(count)]
    return shown + [names[-1]] * (side.count - len(shown))
