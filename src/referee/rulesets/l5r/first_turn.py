"""The turn that follows on the bids, of whoever acts first: what is worth trying in it, by the abstract duel.

The rules themselves play it (`staredown`). So that this takes no longer than a player waits, only the two stances are tried
that look best, in each the attack that looks best or a breath, and the keep of its check is made for one goal. What looks best
is found by the table: the law of the attack in that stance, then the other's turn as the abstract duel sees it against
that stance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from ...engine import Choice, Game, Id
from .attack import AttackValue
from .duel_table import Array, Duel, Duellist, DuelTable
from .duel_turns import Deeds, turned
from .duelling import Prospects
from .duellists import Wanted, attacks_in, duellist
from .facts import figure

STANCES: Final = 2
"""So many are tried."""

Place = tuple[int, int, int, int]


class _Stance(NamedTuple):
    """What may be done in a stance: goals of the keep, the deeds as one law, the worth of all positions once they are done."""

    goals: list[Wanted]
    deeds: Deeds
    after: Array


class FirstTurn:
    """Judges what may be done in a turn by what the other's turn and the rounds after it are then worth.

    `after` is the worth of all positions at the start of the next round to the first of the duel; `place` says where a game
    stands among them.
    """

    def __init__(self, duel: Duel, number: int, after: Array, place: Callable[[Game], Place]) -> None:
        self.table = DuelTable(duel, number)
        self.after = after
        self.place = place
        self._turns: dict[tuple[int, Duellist], Array] = {}
        self._last: dict[Any, Array] = {}
        self._stances: dict[Any, _Stance] = {}

    @cached_property
    def both(self) -> tuple[Array, Array]:
        """The worth of all positions before both turns, when the first acts first and when the second does."""
        return self.table.both(self.after, (self.table.sides[0].poises(), self.table.sides[1].poises()))

    def last_turn(self, game: Game, who: Id) -> Array:
        """The worth of all positions to the first of the duel before the turn of a figure that ends the round."""
        side = game.table.order.index(who)
        key = (side, *_facts(game))
        if key not in self._last:
            found = duellist(game, who, now=True)
            if (side, found) not in self._turns:
                duel = self.table.duel
                now = replace(duel, first=found) if side == 0 else replace(duel, second=found)
                self._turns[(side, found)] = DuelTable(now, self.table.since).turn(side, self.after)
            self._last[key] = self._turns[(side, found)]
        return self._last[key]

    def stances(self, game: Game, choice: Choice) -> list[Any]:
        """The stances that look best."""
        offers = [offer for offer in choice.offers if offer.value[0] == "stance"]  # type: ignore[index]
        worths = {
            offer: max(self._worths(game, choice.who, self._stance(game, choice.who, str(offer.value[1]))))  # type: ignore[index]
            for offer in offers
        }
        return sorted(offers, key=lambda offer: -worths[offer])[:STANCES]

    def actions(self, game: Game, choice: Choice) -> list[Any]:
        """The best attack, or a breath where that looks better, or before an attack in Water; else the end of the turn."""
        offers = {offer.value[0] if isinstance(offer.value, tuple) else offer.value: offer for offer in choice.offers}
        breath = offers.get("calming_breath")
        *attacks, rest = self._worths(game, choice.who, self._stance(game, choice.who, game.records[choice.who].stance))
        if breath is not None and (not attacks or rest > max(attacks) or (self._calms(game, choice.who) and "end" not in offers)):
            return [breath]
        hostile = [offer for offer in choice.offers if offer.group == "attack" or offer.value[0] == "prepare"]  # type: ignore[index]
        if hostile:
            promised = Prospects(game, choice.who).of
            best = max(hostile, key=promised)
            if promised(best) > 0:
                return [best]
        return [offers.get("end") or breath or offers.get("nothing") or choice.offers[0]]

    def goal(self, game: Game, who: Id, ring: str, attack: AttackValue) -> Wanted:
        """What the keep of an attack's check is best made for."""
        stance = self._stance(game, who, ring, attack)
        worths = self._worths(game, who, stance)[:-1]
        return stance.goals[worths.index(max(worths))]

    def _calms(self, game: Game, who: Id) -> bool:
        """Whether a breath does anything, and an attack may follow on it (L5R-STN-7)."""
        side = game.table.order.index(who)
        at = self.place(game)[2 * side : 2 * side + 2]
        return game.records[who].stance == "water" and self.table.sides[side].breathed(*at) != at

    def _worths(self, game: Game, who: Id, stance: _Stance) -> list[float]:
        """To a figure: what each of the attacks in a stance is worth, and last a breath."""
        side = game.table.order.index(who)
        place = self.place(game)
        return self.table.sides[side].done(stance.after, stance.deeds, place if side == 0 else (*place[2:], *place[:2]))

    def _stance(self, game: Game, who: Id, ring: str, attack: AttackValue = ()) -> _Stance:
        """What may be done in a stance; if an `attack` is under way, for what its keep may be made."""
        compromised = figure(game, who).compromised
        key = (who, ring, attack, *_facts(game))
        if key not in self._stances:
            side = game.table.order.index(who)
            taken = game.fork()
            taken.edit(who).stance = ring
            attacks = attacks_in(taken, who, ring, strained=compromised, attack=attack)
            after = self.last_turn(taken, game.table.foes[who][0])
            law = self.table.sides[side].one_law([deed for _, deed in attacks])
            self._stances[key] = _Stance([goal for goal, _ in attacks], law, after if side == 0 else turned(after))
        return self._stances[key]


def _facts(game: Game) -> list[Any]:
    """What attacks hang on besides strife and fatigue."""
    return [
        fact
        for who in game.table.order
        for record in (figure(game, who),)
        for fact in (
            record.stance,
            record.items,
            record.conditions,
            record.effects,
            record.compromised,
            record.endurance_lost,
        )
    ]
