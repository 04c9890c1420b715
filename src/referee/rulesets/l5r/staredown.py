"""Bids of a staredown: what each is worth, and the mix that nobody can better.

In an encounter each pair of bids is played on by the rules until the first turn begins, finishing blows and order of turns
included. The turns of the round are those of the abstract duel with the numbers of now; later rounds are read off its table,
which is kept on disk. Imported late: numpy takes its time.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zlib import compress, decompress

import numpy as np

from ...content.cache import recall_bytes, remember_bytes
from ...engine import Choice, Game, Id, Roll
from ...engine.chances import Foresight, Progress, Summary
from ...solvers import batches
from . import duel_table, duel_turns
from .attack import grip_of
from .dice import RING, Die
from .duel_table import Array, Duel, DuelTable
from .duellists import Law, duel_of, law_of, met_by
from .facts import figure, strife_of, weapon_numbers
from .first_turn import FirstTurn, Place
from .summaries import summary

PARTS: Final = 1_000_000
"""Worths are taken in whole parts of 1, so that a game of them has an exact solution."""
MOST_KEPT: Final = 250
"""Tables on disk."""
MOST_BONUS: Final = 3
MOST_STRIFE: Final = 6
"""Bonus successes and strife of a finishing blow that are told apart."""
NEGLIGIBLE: Final = 1e-3
"""So much of a check, its rarest ends, is left out; ten times as much of a finishing blow within the first turn."""
CLOSE: Final = 0.01
"""Severities of a finishing blow that are as likely to meet the objective as this are one."""
REST: Final[dict[str, Any]] = {"exploding": (), "queue": (), "again": ()}
NOTE: Final = "bids, blows and the first turn by the rules, what follows by the abstract duel, a sketch"


def table_of(duel: Duel, since: int, rules_version: int, progress: Progress = lambda done: None) -> DuelTable:
    """The table of a duel from a round on, from disk if it was reckoned before. ValueError if it is too large."""
    described = f"{rules_version} {code()} {since} {duel!r}"
    raw = recall_bytes("duel", described)
    if raw is not None:
        table = DuelTable(duel, since)
        kept = np.frombuffer(decompress(raw), "<f4").reshape(-1, *table.shape)
    else:
        table = DuelTable.build(duel, since, progress)
        kept = np.array(table.starts, "<f4")
        remember_bytes("duel", described, compress(kept.tobytes(), 1), MOST_KEPT)
    # The same table whether it was reckoned now or before.
    table.starts = list(kept.astype(np.float64))
    return table


@lru_cache(maxsize=1)
def code() -> str:
    """A digest of the code that reckons tables."""
    modules = (duel_table, duel_turns, batches)
    return sha256(b"".join(Path(str(module.__file__)).read_bytes() for module in modules)).hexdigest()


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


_ROUNDS: Final[dict[tuple[str, Duel, Duel, int], FirstTurn]] = {}
"""The rounds last looked at: imagined encounters differ in other things as a rule."""


def _round(game: Game, progress: Progress) -> FirstTurn:
    """What the turns of this round are judged by. ValueError if the duel is too large for a table."""
    duel, now, number = duel_of(game), duel_of(game, now=True), game.round
    key = (game.content.digest, duel, now, number)
    if key not in _ROUNDS:
        after = table_of(duel, number + 1, game.ruleset.rules_version, progress).start(number + 1)
        while len(_ROUNDS) > 3:
            del _ROUNDS[next(iter(_ROUNDS))]
        _ROUNDS[key] = FirstTurn(now, number, after, lambda game: place_of(game, duel))
    return _ROUNDS[key]


def place_of(game: Game, duel: Duel) -> Place:
    """Where an encounter stands on the axes of the table: one that is calm again after a blow is as one that has unmasked."""
    found = []
    for who, duellist in zip(game.table.order, (duel.first, duel.second), strict=True):
        record = figure(game, who)
        bare = record.unmasked or (bool(record.struck_for) and not record.compromised)
        helpless = "unconscious" in record.conditions
        found += [
            duellist.poise(strife_of(record), compromised=record.compromised, unmasked=bare),
            duellist.endurance + 1 if helpless else min(record.fatigue, duellist.endurance + 1),
        ]
    return found[0], found[1], found[2], found[3]


class _Ahead:
    """Bids played on until the first turn is over or a critical strike falls, then read off the table."""

    def __init__(self, game: Game, seat: str, progress: Progress) -> None:
        self.order = game.table.order
        self.side = game.seats[seat].side
        self.turn = _round(game, progress)
        self.number = game.round
        self.kinds = {game.frame_classes[name]: place for place, name in enumerate(("Duel", "Turn", "Critical"))}

    def ended(self, game: Game) -> bool:
        """The last turn begins, or a critical strike falls: whether that meets the objective is reckoned."""
        duel, turn, critical = self._frames(game)
        over = duel is None or game.round > self.number or critical is not None
        return over or (turn is not None and _last(duel))

    def _frames(self, game: Game) -> tuple[Any, Any, Any]:
        """The duel, the turn and the critical strike in progress, if there are any."""
        found: list[Any] = [None, None, None]
        for frame in game.agenda:
            place = self.kinds.get(type(frame))
            if place is not None:
                found[place] = frame
        return found[0], found[1], found[2]

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
        frames = self._frames(game)
        left = float(self._left(game, *frames)[place_of(game, self.turn.table.duel)])
        critical = frames[2]
        if critical is None or critical.source not in self.order or critical.source == critical.target:
            return left
        met = met_by(game, critical.target, critical.severity)
        return float(met * (critical.source == self.order[0]) + (1 - met) * left)

    def _left(self, game: Game, duel: Any, turn: Any, critical: Any) -> Array:
        """The worth of positions with what is left of the round: both turns, the last one, or none."""
        if duel is None or game.round > self.number:
            return self.turn.after
        if turn is not None:
            if _last(duel):
                return self.turn.last_turn(game, turn.who)
            if critical is not None:
                return self.turn.last_turn(game, game.table.foes[turn.who][0])
            return self.turn.both[self.order.index(turn.who)]
        one, other = (game.records[who].initiative + game.records[who].bid for who in self.order)
        leading, trailing = self.turn.both
        ties = self.turn.table.duel.ties
        if one == other and ties == "chance":
            return np.asarray((leading + trailing) / 2)
        return leading if one > other or (one == other and ties == "first") else trailing

    def tried(self, game: Game, choice: Choice) -> Iterable[Any] | None:
        """As a finishing blow the deadliest attack, in a turn what the table finds best; else the game's judgement will do."""
        if choice.about == "finishing_blow":
            attacks = [offer for offer in choice.offers if isinstance(offer.value, tuple)]
            return [max(attacks, key=lambda offer: _deadliness(game, choice.who, offer.value), default=choice.offers[0])]
        if choice.about == "stance":
            return self.turn.stances(game, choice)
        if choice.about == "action":
            return self.turn.actions(game, choice)
        if choice.about == "defend":  # wounds are not in the table
            return [offer for offer in choice.offers if offer.value == "defend"]
        if choice.about == "unmask":
            return choice.offers
        if choice.about == "opportunity":
            critical = [offer for offer in choice.offers if isinstance(offer.value, tuple) and offer.value[0] == "critical"]
            return critical[:1] or choice.offers[:1]
        return None

    def summary(self, game: Game, roll: Roll) -> Summary | None:
        """An attack: whether it hits and how well, and strife until the attacker is Compromised; nobody rerolls anything."""
        check: Any = game.agenda[-1]
        if roll.about != "check" or check.purpose != "attack":
            return summary(game, roll)
        record = figure(game, check.who)
        # In the Fire stance strife is worth a bonus (L5R-STN-4).
        room = MOST_STRIFE if check.ring == "fire" else game.table.sheets[check.who].composure + 1 - strife_of(record)
        tn = max(0, check.tn)
        attack: Any = next(frame for frame in reversed(game.agenda) if type(frame) is game.frame_classes["Attack"])
        critical, most = 0, None
        alike = tuple(range(MOST_BONUS + 1))
        if attack.finishing:
            # Of a finishing blow only that counts whether its severity meets the objective (L5R-DUEL-11).
            severity = 2 * _deadliness(game, check.who, attack.value)
            met = [met_by(game, attack.target, severity + bonus) for bonus in alike]
            alike = tuple(next(bonus for bonus in alike if abs(met[bonus] - each) < CLOSE) for each in met)
        else:
            _, critical, most = self.turn.goal(game, check.who, check.ring, attack.value)
        law = law_of(check.ring_dice, check.skill_dice, (tn, critical, most), record.compromised, check.limit)
        within = attack.finishing and self._frames(game)[1] is not None
        return _merged(law, (tn, critical), alike, max(0, min(room, MOST_STRIFE)), NEGLIGIBLE * (10 if within else 1))


def _last(duel: Any) -> bool:
    """Whether the turn in progress ends the round."""
    return bool(duel.place >= len(duel.order))


@lru_cache(maxsize=256)
def _merged(law: Law, wanted: tuple[int, int], alike: tuple[int, ...], room: int, least: float) -> Summary:
    """The ends of a check, those that make no difference as one: kept dice that show their symbols, one a die.

    `wanted` are successes and opportunities; others, and strife above what there is room for, are not told apart. `alike` says
    with how many bonus successes a number of them is as good.
    """
    tn, critical = wanted
    ends: dict[tuple[int, int, int], float] = {}
    for successes, opportunities, strife, chance in law:
        hit = successes >= tn
        shown = tn + alike[min(successes - tn, len(alike) - 1)] if hit else 0
        key = (shown, critical if hit and opportunities >= critical else 0, min(strife, room))
        ends[key] = ends.get(key, 0.0) + chance
    listed, left = [], 1.0
    for symbols, chance in sorted(ends.items(), key=lambda each: -each[1]):
        if left < least:
            break
        left -= chance
        faces = "".join(face * count for face, count in zip("SOT", symbols, strict=True))
        dice = tuple(Die(RING, face, -1, "kept") for face in faces)
        listed.append(({"dice": dice, **REST}, Fraction(chance)))
    return Summary("ask_order", tuple(listed))


def _deadliness(game: Game, who: Id, value: Any) -> int:
    return weapon_numbers(game, who, value[2], grip_of(game, who, value))[1]
