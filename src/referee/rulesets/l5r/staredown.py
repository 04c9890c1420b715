"""Bids of a staredown: what each is worth, and the mix that nobody can better.

In an encounter each pair of bids is played on by the rules until the first turn begins, finishing blows and order of turns
included. The turns of the round are those of the abstract duel with the numbers of now; later rounds are read off its table,
which is kept on disk. Imported late: numpy takes its time.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...content.cache import recall_bytes, remember_bytes
from ...engine import Choice, Game, Id, Roll
from ...engine.chances import Foresight, Progress, Summary
from ...solvers import batches
from . import duel_table
from .attack import grip_of
from .dice import RING, Die
from .duel_table import Array, Duel, DuelTable
from .duellists import Law, duel_of, law_of, met_by
from .facts import figure, strife_of, weapon_numbers
from .summaries import summary

SINCE: Final = 2
"""The first round that a table needs to know: bids of the first ask what the second is worth."""
MOST_KEPT: Final = 100
"""Tables on disk."""
MOST_BONUS: Final = 3
MOST_STRIFE: Final = 6
"""Bonus successes and strife of a finishing blow that are told apart."""
REST: Final[dict[str, Any]] = {"exploding": (), "queue": (), "again": ()}
NOTE: Final = "bids and finishing blows by the rules, turns and later rounds by the abstract duel, a sketch"


def table_of(duel: Duel, since: int, rules_version: int, progress: Progress = lambda done: None) -> DuelTable:
    """The table of a duel from a round on, from disk if it was reckoned before. ValueError if it is too large."""
    described = f"{rules_version} {_code()} {since} {duel!r}"
    raw = recall_bytes("duel", described)
    if raw is not None:
        with np.load(io.BytesIO(raw)) as kept:
            return DuelTable(duel, since, [kept[f"arr_{number}"].astype(np.float64) for number in range(len(kept.files))])
    table = DuelTable.build(duel, since, progress)
    packed = io.BytesIO()
    rounded = [start.astype(np.float32) for start in table.starts]
    np.savez_compressed(packed, *rounded)
    # The same table whether it was reckoned now or before.
    table.starts = [start.astype(np.float64) for start in rounded]
    remember_bytes("duel", described, packed.getvalue(), MOST_KEPT)
    return table


def _code() -> str:
    return sha256(b"".join(Path(str(module.__file__)).read_bytes() for module in (duel_table, batches))).hexdigest()


# In an encounter


def foresee(game: Game, seat: str, progress: Progress) -> Foresight | None:
    """How the bids of a duel are judged; None for other secrets, in a clash (L5R-SKIR-9), and for too large a duel."""
    asked = game.asked_for.get(seat)
    if not game.table.duel or asked is None or asked.about != "bid" or game.policy["duel_scoring"] == "on":
        return None
    try:
        ahead = _Ahead(game, seat, progress)
    except ValueError:
        return None  # too large a duel for a table
    return Foresight(ahead.ended, ahead.worth, ahead.tried, ahead.summary, NOTE)


_ROUNDS: Final[dict[tuple[Duel, Duel, int], tuple[Array, tuple[Array, Array]]]] = {}
"""The rounds last looked at: imagined encounters differ in other things as a rule."""


def _round(duel: Duel, now: Duel, number: int, version: int, progress: Progress) -> tuple[Array, tuple[Array, Array]]:
    key = (duel, now, number)
    if key not in _ROUNDS:
        after = table_of(duel, SINCE, version, progress).start(number + 1)
        turns = DuelTable(now, number)
        while len(_ROUNDS) > 3:
            del _ROUNDS[next(iter(_ROUNDS))]
        _ROUNDS[key] = after, (turns.turn(0, turns.turn(1, after)), turns.turn(1, turns.turn(0, after)))
    return _ROUNDS[key]


class _Ahead:
    """Bids played on until the first turn begins or a critical strike falls, then read off the table."""

    def __init__(self, game: Game, seat: str, progress: Progress) -> None:
        self.order = game.table.order
        self.side = game.seats[seat].side
        self.duel = duel_of(game)
        self.after, self.both = _round(self.duel, duel_of(game, now=True), game.round, game.ruleset.rules_version, progress)
        """Worth after the turns of the round; and before them, when the first acts first, and the second."""

    def ended(self, game: Game) -> bool:
        """The first turn begins, or a critical strike falls: whether that meets the objective is reckoned."""
        classes = game.frame_classes
        return game.find(classes["Turn"]) >= 0 or game.find(classes["Critical"]) >= 0 or game.find(classes["Duel"]) < 0

    def worth(self, game: Game) -> float:
        """The chance of the seat, draws counted half."""
        first = self._worth(game)
        return first if game.table.side[self.order[0]] == self.side else 1 - first

    def _worth(self, game: Game) -> float:
        if game.result is not None:
            winner = game.result.winner
            return 0.5 if winner is None else float(winner == game.table.side[self.order[0]])
        out = [bool(game.records[who].out) for who in self.order]
        if out[0] != out[1]:
            return float(out[1])
        left = float(self._left(game)[(*self._place(game, 0), *self._place(game, 1))])
        depth = game.find(game.frame_classes["Critical"])
        critical: Any = game.agenda[depth]
        if depth < 0 or critical.source not in self.order or critical.source == critical.target:
            return left
        met = met_by(game, critical.target, critical.severity)
        return float(met * (critical.source == self.order[0]) + (1 - met) * left)

    def _left(self, game: Game) -> Array:
        """The worth of positions with the turns of the round, or without them if there are none."""
        depth = game.find(game.frame_classes["Turn"])
        if depth >= 0:
            return self.both[self.order.index(game.agenda[depth].who)]  # type: ignore[attr-defined]
        if game.find(game.frame_classes["Duel"]) < 0:
            return self.after
        one, other = (game.records[who].initiative + game.records[who].bid for who in self.order)
        if one == other and self.duel.ties == "chance":
            return np.asarray((self.both[0] + self.both[1]) / 2)
        return self.both[0 if one > other or (one == other and self.duel.ties == "first") else 1]

    def _place(self, game: Game, number: int) -> tuple[int, int]:
        """Where a figure stands on the axes of the table: one that is calm again after a blow is as one that has unmasked."""
        record = figure(game, self.order[number])
        duellist = (self.duel.first, self.duel.second)[number]
        bare = record.unmasked or (bool(record.struck_for) and not record.compromised)
        poise = duellist.poise(strife_of(record), compromised=record.compromised, unmasked=bare)
        helpless = "unconscious" in record.conditions
        return poise, duellist.endurance + 1 if helpless else min(record.fatigue, duellist.endurance + 1)

    def tried(self, game: Game, choice: Choice) -> Iterable[Any] | None:
        """As a finishing blow the deadliest attack; elsewhere the game's judgement will do."""
        if choice.about != "finishing_blow":
            return None
        attacks = [offer for offer in choice.offers if isinstance(offer.value, tuple)]
        return [max(attacks, key=lambda offer: _deadliness(game, choice.who, offer.value), default=choice.offers[0])]

    def summary(self, game: Game, roll: Roll) -> Summary | None:
        """An attack: whether it hits and how well, and strife until the attacker is Compromised; nobody rerolls anything."""
        check: Any = game.agenda[-1]
        if roll.about != "check" or check.purpose != "attack":
            return summary(game, roll)
        record = figure(game, check.who)
        # In the Fire stance strife is worth a bonus (L5R-STN-4).
        room = MOST_STRIFE if check.ring == "fire" else game.table.sheets[check.who].composure + 1 - strife_of(record)
        bonus = 0 if game.table.objective == "first_strike" else MOST_BONUS
        law = law_of(check.ring_dice, check.skill_dice, (max(0, check.tn), 0, None), record.compromised, check.limit)
        return _merged(law, max(0, check.tn), bonus, max(0, min(room, MOST_STRIFE)))


@lru_cache(maxsize=256)
def _merged(law: Law, tn: int, bonus: int, room: int) -> Summary:
    """The ends of a check, those that make no difference as one: kept dice that show their symbols, one a die."""
    ends: dict[tuple[int, int], float] = {}
    for successes, _, strife, chance in law:
        key = (min(successes, tn + bonus) if successes >= tn else 0, min(strife, room))
        ends[key] = ends.get(key, 0.0) + chance
    return Summary(
        "ask_order",
        tuple(
            ({"dice": tuple(Die(RING, face, -1, "kept") for face in "S" * hits + "T" * strife), **REST}, Fraction(chance))
            for (hits, strife), chance in sorted(ends.items(), key=lambda each: -each[1])
        ),
    )


def _deadliness(game: Game, who: Id, value: Any) -> int:
    return weapon_numbers(game, who, value[2], grip_of(game, who, value))[1]
