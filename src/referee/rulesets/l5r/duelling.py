"""A duellist's answers outside checks: bids, stances, actions, finishing blows, unmasking. Bots' judgement, no rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ...engine import PASS, Choice, Game, Id, Offer
from .actions import more_than_half, needs_check
from .attack import AttackValue
from .cards import RINGS
from .ending import objective_met
from .facts import endurance, figure, incapacitated, readied, standing, strife_of, vigilance
from .facts import sheet as sheet_of
from .likely import totals
from .reckoning import (
    SOON,
    attack_worth,
    attack_worths,
    coming,
    dangers,
    doomed,
    fresh,
    relief,
    room,
    strain,
    threat,
    usable_attacks,
)

LIKELY: Final = 0.4  # how often a foe is taken to choose the stance that promises it most
HABIT: Final = 0.25  # and the one that it is in, if that is another
ELSE: Final = 0.1
EVEN: Final = 0.25
OUTGUESSED: Final = 0.3  # of what noting a ring promises, if the foe does as well in Void, which cannot be noted
FIRST: Final = 0.2  # of an attack that is made, and suffered, earlier
EARLIER: Final = 120.0  # for every staredown by which one becomes Compromised earlier
PATIENCE: Final = 8  # rounds after which caution counts half
ENDED: Final = {"dying": 900.0, "bleeding": 120.0, "burning": 250.0, "enraged": 20.0}
"""What it is worth to be rid of a condition."""


def bid(game: Game, choice: Choice) -> Offer:
    """The secret bid of a staredown: what going first is worth, less what the strife costs."""
    who = choice.who
    record = game.records[who]
    foe = game.records[game.table.foes[who][0]]
    behind = foe.initiative - record.initiative
    enough = behind if record.honour < foe.honour else behind + 1  # L5R-DUEL-7
    eager = going_first(game, who)

    def worth(offer: Offer) -> float:
        points = int(offer.value[1])  # type: ignore[index, arg-type]
        lost = staredowns_left(game, who) - staredowns_left(game, who, points)
        gain: float = eager if points >= enough else 0.0
        return gain - strain(game, who, points) - EARLIER * lost

    # Every point costs, and only reaching the foe gains: the rest of the offers cannot be better.
    return _best([choice.offers[0], *[offer for offer in choice.offers[1:] if offer.value[1] >= enough][:1]], worth)  # type: ignore[index]


def going_first(game: Game, who: Id) -> float:
    """What it is worth to a duellist to act before its foe in this round."""
    ring = game.records[who].stance
    attacks = [attack_worth(game, who, value, ring) for value in usable_attacks(game, who)] if ring else []
    suffered = dangers(game, who).get(ring, 0.0)
    return 10 + FIRST * (max(0.0, *attacks, 0.0) + suffered) - _noted(game, who)


def _noted(game: Game, who: Id) -> float:
    """What is lost by going first where a ring is noted: an own note lapses unused, the foe's is of use to it (L5R-ACT-8)."""
    foe = game.table.foes[who][0]
    return sum(LIKELY * strain(game, other, 4) for noter, other in ((who, foe), (foe, who)) if game.records[noter].predict)


def staredowns_left(game: Game, who: Id, points: int = 0) -> int:
    """How many more staredowns a duellist bears without being Compromised, if it bids so much and gains no other strife."""
    left = room(game, who) - points
    number = game.round
    while number < game.policy["max_rounds"] and left >= number + 1:
        number += 1
        left -= number
    return number - game.round


def _best(offers: Sequence[Offer], worth: Callable[[Offer], float]) -> Offer:
    return max(offers, key=worth)  # the first of equals


def unmask(game: Game, choice: Choice) -> Offer | None:
    """At once, if no finishing blow can follow on it any more."""
    return choice.offers[1] if unmasks(game, choice.who) else None


def unmasks(game: Game, who: Id) -> bool:
    """Whether a Compromised duellist has no finishing blow to fear of unmasking."""
    spent = game.records[who].struck_for and game.policy["finishing_blow_limit"] == "once"
    return bool(spent) or not standing(game, game.table.foes[who][0])


def blow(game: Game, choice: Choice) -> Offer:
    """The best finishing blow; one that is not struck is lost."""
    ring = game.records[choice.who].stance or "void"
    offers = choice.offers[1:]
    if not offers:
        return PASS
    return max(offers, key=lambda offer: attack_worth(game, choice.who, offer.value, ring, finishing=True))  # type: ignore[arg-type]


# Stance


def stance(game: Game, choice: Choice) -> Offer:
    """First the grip that strikes harder, then the stance that promises most."""
    for offer in choice.offers:
        if offer.value[0] == "grip" and _harder(game, offer.value):  # type: ignore[index]
            return offer
    stances = [offer for offer in choice.offers if offer.value[0] == "stance"]  # type: ignore[index]
    rings = [str(offer.value[1]) for offer in stances]  # type: ignore[index]
    worths = _wary(game, choice.who, rings, stance_worths(game, choice.who, rings))
    return stances[worths.index(max(worths))]


def _harder(game: Game, value: Any) -> bool:
    card = game.table.weapons[value[1]]
    one, two = card.one_hand, card.two_hands
    if one is None or two is None:
        return False
    gain: int = two.damage + two.deadliness - one.damage - one.deadliness
    return gain != 0 and (gain > 0) == (value[2] == "2h")


def stance_worths(game: Game, who: Id, rings: Sequence[str]) -> list[float]:
    """What stances promise: what can be done in them now, less the danger of the foe's attack."""
    table = game.table
    record = figure(game, who)
    sheet = sheet_of(game, who)
    if not table.duel:
        return [22.0 * sheet.rings[ring] for ring in rings]
    breath = breath_worth(game, who)
    best = dict.fromkeys(rings, breath)
    if not incapacitated(game, who):
        for value in usable_attacks(game, who):
            worths = attack_worths(game, who, value)
            for ring in rings:
                best[ring] = max(best[ring], worths[ring])
        if "water" in best:
            # L5R-STN-7: a weapon readied and used in one turn, or a breath after the blow.
            drawn = [("strike", table.foes[who][0], item.card) for item in record.items if _stowed(game, item)]
            if drawn and not readied(record):
                best["water"] = max(best["water"], *[attack_worth(game, who, value, "water") for value in drawn])
            else:
                best["water"] += breath
                best["water"] = max([best["water"], *[attack_worth(game, who, value, "water") for value in _cuts(game, who)]])
    foe = table.foes[who][0]
    found = [best[ring] + 6 * sheet.rings[ring] for ring in rings]
    if fresh(game, who) and doomed(game, who):
        # The next staredown finds it in this stance.
        blows = {place: threat(game, foe, place) for place in ("air", "water")}
        found = [worth - SOON * blows["air" if ring == "air" else "water"] for worth, ring in zip(found, rings, strict=True)]
    if not objective_met(game, foe):  # else there is nothing left to lose
        danger = dangers(game, who)
        caution = _caution(game)
        found = [worth - caution * danger[ring] for worth, ring in zip(found, rings, strict=True)]
    return found


def _wary(game: Game, who: Id, rings: Sequence[str], worths: list[float]) -> list[float]:
    """The same where the foe has noted a ring: most likely the one that promises most, or the one stood in (L5R-ACT-8)."""
    if not game.records[game.table.foes[who][0]].predict:
        return worths
    cost = strain(game, who, 4)
    guesses = _guesses(game, who, rings, worths)
    # None is less likely than where all are alike (L5R-HIDE-4), or whoever noted it would be outguessed each time.
    likely = {ring: max(EVEN, chance) for ring, chance in guesses.items()}
    return [worth - likely.get(ring, 0.0) * cost for worth, ring in zip(worths, rings, strict=True)]


def _guesses(game: Game, who: Id, rings: Sequence[str], worths: list[float]) -> dict[str, float]:
    """How likely a figure is taken to choose each ring that Predict may note, by what the stances promise it."""
    found = {ring: ELSE for ring in rings if ring != "void"}
    if game.records[who].stance in found:
        found[game.records[who].stance] = HABIT
    if found:
        found[max(found, key=lambda ring: worths[rings.index(ring)])] = LIKELY
    return found


def _cuts(game: Game, who: Id) -> list[AttackValue]:
    """Iaijutsu Cuts with the blade in hand, if it were sheathed first (L5R-TEC-9)."""
    table = game.table
    held = readied(figure(game, who))
    if not held or not table.weapons[held[0].card].iaijutsu:
        return []
    attacks = [(name, table.techniques[name].attack) for name in sheet_of(game, who).techniques]
    return [(name, table.foes[who][0], held[0].card) for name, attack in attacks if attack is not None and attack.iaijutsu]


def _stowed(game: Game, item: Any) -> bool:
    return bool(item.state == "stowed" and item.harm != "destroyed" and item.card in game.table.weapons)


# Action


def _caution(game: Game) -> float:
    return PATIENCE / (PATIENCE + game.round)


def breath_worth(game: Game, who: Id) -> float:
    """What a Calming Breath is worth (L5R-ACT-3)."""
    record = figure(game, who)
    how = game.policy["half_threshold"]
    found = 0.0
    if more_than_half(strife_of(record), sheet_of(game, who).composure, how):
        found += relief(game, who, 1)
    most = endurance(game, who)
    if more_than_half(record.fatigue, most, how):
        helpless = max(0, record.fatigue - most)  # L5R-COND-12
        found += _caution(game) * 900 / (most + 1) + (700 / helpless if helpless else 0)
    return found


def action(game: Game, choice: Choice) -> Offer:
    """The action that promises most; none rather than a bad one, and no bare hands where a blade is at hand."""
    bodies = game.table.bodies
    armed = any(offer.group == "attack" and offer.value[2] not in bodies for offer in choice.offers)  # type: ignore[index]
    offers = [
        offer
        for offer in choice.offers
        if not (armed and offer.group == "attack" and offer.value[2] in bodies)  # type: ignore[index]
    ]
    prospects = Prospects(game, choice.who)
    others = [offer for offer in offers if offer.value[0] != "predict"]  # type: ignore[index]
    if others and len(others) < len(offers):
        # What the foe may choose takes long to judge: only if noting a ring might promise more.
        best = max(others, key=prospects.of)
        if prospects.of(best) > prospects.foresight():
            return best
    return max(offers, key=prospects.of)


class Prospects:
    """What actions promise a duellist as things stand; what several of them rest on is reckoned once."""

    __slots__ = ("_attacks", "_cost", "_foe", "_foreseen", "_game", "_ring", "_who")

    def __init__(self, game: Game, who: Id) -> None:
        self._game = game
        self._who = who
        self._foe: Id = game.table.foes[who][0]
        self._ring: str = game.records[who].stance
        self._attacks: dict[AttackValue, float] = {}
        self._foreseen: dict[str, float] | None = None
        self._cost: float | None = None

    def of(self, offer: Offer) -> float:
        """What an action promises."""
        value: Any = offer.value
        if value == "end" or value == ("nothing",):
            return 0.0
        verb = value[0]
        if offer.group == "attack":
            drawn = self._game.table.techniques[verb].attack.iaijutsu or "draw" in value[3:]
            found = self._attack(value) + (self._readied(value[2], "1h") if drawn else 0)
            return found - (20 if "stow" in value[3:] else 0)
        if verb == "calming_breath":
            return breath_worth(self._game, self._who)
        if verb == "prepare":
            return self._prepared(value)
        if verb == "predict":
            return self._predicted(value[1])
        if verb == "end":
            return _cure_worth(self._game, self._who, value)
        if offer.group == "technique" and not needs_check(self._game, value):
            return _deed_worth(self._game, self._who, verb)
        return -10.0

    def _attack(self, value: AttackValue) -> float:
        found = self._attacks.get(value)
        if found is None:
            found = self._attacks[value] = attack_worth(self._game, self._who, value, self._ring)
        return found

    def _prepared(self, value: Any) -> float:
        _, card, state = value
        record = figure(self._game, self._who)
        if incapacitated(self._game, self._who):
            return -50.0  # no weapon is of use
        if state == "stowed":
            return self._sheathed(card)
        if readied(record):
            return -50.0
        found = self._readied(card, state)
        if record.stance == "water" and "stowed" in [item.state for item in record.items if item.card == card]:
            found += max(0.0, self._attack(("strike", self._foe, card)))  # in the same turn
        return found

    def _sheathed(self, card: Id) -> float:
        """A blade is sheathed to be drawn in an Iaijutsu Cut, which a Compromised foe cannot defend against (L5R-TEC-10)."""
        table = self._game.table
        techniques = [name for name in sheet_of(self._game, self._who).techniques if table.techniques[name].attack is not None]
        cuts = [name for name in techniques if table.techniques[name].attack.iaijutsu and table.weapons[card].iaijutsu]
        if not cuts or objective_met(self._game, self._foe):
            return -50.0
        best = max(self._attack((name, self._foe, card)) for name in cuts)
        if self._ring == "water":
            # L5R-STN-7: drawn again in the same turn, in place of a breath.
            return best - breath_worth(self._game, self._who) - 1
        if unmasks(self._game, self._foe) and vigilance(self._game, self._foe) < sheet_of(self._game, self._foe).vigilance:
            return -50.0  # before the next turn
        return 0.8 * best - self._attack(("strike", self._foe, card))

    def _readied(self, card: Id, grip: str) -> float:
        """What it is worth to have a weapon in hand from the next turn on."""
        if objective_met(self._game, self._foe):
            return 0.0  # there will be none
        strike = self._attack(("strike", self._foe, card))
        fist = self._attack(("strike", self._foe, "punch"))
        weapon = self._game.table.weapons[card]
        held = weapon.two_hands if grip == "2h" else weapon.one_hand
        return 0.8 * max(0.0, strike - fist) + 60 + 5 * (held.damage + held.deadliness if held is not None else 0)

    def _predicted(self, ring: str) -> float:
        foe = self._game.records[self._foe]
        if foe.out or not standing(self._game, self._foe) or self._game.records[self._who].predict:
            return -10.0
        if self._foreseen is None:
            cost = self._foreseen_cost()
            worths = stance_worths(self._game, self._foe, RINGS)
            guesses = _guesses(self._game, self._foe, RINGS, worths)
            by_ring = dict(zip(RINGS, worths, strict=True))
            void = by_ring.pop("void")
            cost *= OUTGUESSED if void >= max(by_ring.values()) - EVEN * cost else 1.0
            self._foreseen = {each: likely * cost for each, likely in guesses.items()}
        return self._foreseen[ring]

    def foresight(self) -> float:
        """The most that noting a ring may promise."""
        return LIKELY * self._foreseen_cost()

    def _foreseen_cost(self) -> float:
        """What it costs the foe if its ring was noted; that comes true when it next chooses a stance."""
        if self._cost is None:
            # In this round, or after the next staredown if it then acts first: else the note lapses (L5R-ACT-8).
            later = 0 if _has_turn_to_come(self._game, self._foe) else coming(self._game)
            lapses = later and _leads(self._game, self._who)
            self._cost = 0.0 if lapses else strain(self._game, self._foe, 4, after=later)
        return self._cost


def _leads(game: Game, who: Id) -> bool:
    """Whether a duellist acts first in a round in which both bid alike (L5R-DUEL-7)."""
    record, foe = game.records[who], game.records[game.table.foes[who][0]]
    return bool((record.initiative, -record.honour) > (foe.initiative, -foe.honour))


def _has_turn_to_come(game: Game, who: Id) -> bool:
    """Whether a duellist has still to act in this round."""
    depth = game.find(game.frame_classes["Duel"])
    duel: Any = game.agenda[depth] if depth >= 0 else None
    return duel is not None and who in duel.order[duel.place :]


def _cure_worth(game: Game, who: Id, value: Any) -> float:
    _, condition, bearer = value
    cure = game.table.conditions[condition].cure
    if bearer != who:
        return -100.0
    sheet = sheet_of(game, who)
    dice = sheet.rings[game.records[who].stance]
    chances = totals(dice, sheet.skills[cure.skill], dice, game.records[who].compromised)
    likely: float = chances.reach[cure.tn]
    return likely * ENDED.get(condition, 60.0)


def _deed_worth(game: Game, who: Id, name: Id) -> float:
    card = game.table.techniques[name]
    deed = card.deed
    if deed is None or not deed.remove_fatigue:
        return -10.0
    record = figure(game, who)
    amount: int = record.honour // 10 if deed.remove_fatigue == "honour_rank" else deed.remove_fatigue
    most = endurance(game, who)
    after = record.fatigue - min(amount, record.fatigue)
    cost: int = 50 * card.void
    return 900 * (record.fatigue - after) / (most + 1) + (700 if after <= most < record.fatigue else 0) - cost
