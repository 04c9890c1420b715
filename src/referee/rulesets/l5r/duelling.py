"""A duellist's answers outside checks: bids, stances, actions, finishing blows, unmasking. Bots' judgement, no rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...engine import PASS, Choice, Game, Id, Offer
from .actions import more_than_half, needs_check
from .ending import objective_met
from .facts import endurance, figure, incapacitated, readied, standing, strife_of
from .facts import sheet as sheet_of
from .likely import totals
from .reckoning import attack_worth, attack_worths, dangers, relief, strain, usable_attacks
from .worth import judge

HABIT: Final = 0.3  # how often a foe is taken to choose the stance that it is in once more
ELSE: Final = 0.2
PATIENCE: Final = 8  # rounds after which caution counts half
ENDED: Final = {"dying": 900.0, "bleeding": 120.0, "burning": 250.0, "enraged": 20.0}
"""What it is worth to be rid of a condition."""


def bid(game: Game, choice: Choice) -> Offer:
    """The secret bid of a staredown."""
    return max(choice.offers, key=lambda offer: judge(game, choice, offer))


def unmask(game: Game, choice: Choice) -> Offer | None:
    """At once, if no finishing blow can follow on it any more."""
    spent = figure(game, choice.who).struck_for
    foe = game.table.foes[choice.who][0]
    if (spent and game.policy["finishing_blow_limit"] == "once") or not standing(game, foe):
        return choice.offers[1]
    return None


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
    worths = stance_worths(game, choice.who, [str(offer.value[1]) for offer in stances])  # type: ignore[index]
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
    best = dict.fromkeys(rings, 0.0)
    if not incapacitated(game, who):
        for value in usable_attacks(game, who):
            for ring, worth in zip(rings, attack_worths(game, who, value, rings), strict=True):
                best[ring] = max(best[ring], worth)
        if "water" in best:
            # L5R-STN-7: a weapon readied and used in one turn, or a breath after the blow.
            drawn = [("strike", table.foes[who][0], item.card) for item in record.items if _stowed(game, item)]
            if drawn and not readied(record):
                best["water"] = max(best["water"], *[attack_worth(game, who, value, "water") for value in drawn])
            else:
                best["water"] += breath_worth(game, who)
    foe = table.foes[who][0]
    found = [best[ring] + 6 * sheet.rings[ring] for ring in rings]
    if not objective_met(game, foe):  # else there is nothing left to lose
        danger = dangers(game, who)
        caution = PATIENCE / (PATIENCE + game.round)
        found = [worth - caution * danger[ring] for worth, ring in zip(found, rings, strict=True)]
    if game.records[foe].predict and record.stance in rings:
        found[rings.index(record.stance)] -= HABIT * strain(game, who, 4)
    return found


def _stowed(game: Game, item: Any) -> bool:
    return bool(item.state == "stowed" and item.harm != "destroyed" and item.card in game.table.weapons)


# Action


def breath_worth(game: Game, who: Id) -> float:
    """What a Calming Breath is worth (L5R-ACT-3)."""
    record = figure(game, who)
    how = game.policy["half_threshold"]
    found = 0.0
    if more_than_half(strife_of(record), sheet_of(game, who).composure, how):
        found += relief(game, who, 1)
    most = endurance(game, who)
    if more_than_half(record.fatigue, most, how):
        found += 900 / (most + 1) + (700 if record.fatigue == most + 1 else 0)
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
    return max(offers, key=lambda offer: action_worth(game, choice.who, offer))


def action_worth(game: Game, who: Id, offer: Offer) -> float:
    """What an action promises."""
    value: Any = offer.value
    if value == "end" or value == ("nothing",):
        return 0.0
    verb = value[0]
    if offer.group == "attack":
        found = attack_worth(game, who, value, game.records[who].stance)
        drawn = game.table.techniques[verb].attack.iaijutsu or "draw" in value[3:]
        return found + (_readied_worth(game, who, value[2], "1h") if drawn else 0) - (20 if "stow" in value[3:] else 0)
    if verb == "calming_breath":
        return breath_worth(game, who)
    if verb == "prepare":
        return _prepare_worth(game, who, value)
    if verb == "predict":
        return _predict_worth(game, who, value[1])
    if verb == "end":
        return _cure_worth(game, who, value)
    if offer.group == "technique" and not needs_check(game, value):
        return _deed_worth(game, who, verb)
    return -10.0


def _prepare_worth(game: Game, who: Id, value: Any) -> float:
    _, card, state = value
    record = figure(game, who)
    if state == "stowed":
        return _sheathing_worth(game, who, card)
    if readied(record):
        return -50.0
    found = _readied_worth(game, who, card, state)
    if record.stance == "water" and "stowed" in [item.state for item in record.items if item.card == card]:
        found += max(0.0, attack_worth(game, who, ("strike", game.table.foes[who][0], card), "water"))  # in the same turn
    return found


def _sheathing_worth(game: Game, who: Id, card: Id) -> float:
    """A blade is sheathed to be drawn in an Iaijutsu Cut, which a Compromised foe cannot defend against (L5R-TEC-10)."""
    table = game.table
    foe = table.foes[who][0]
    ring = game.records[who].stance
    techniques = [name for name in sheet_of(game, who).techniques if table.techniques[name].attack is not None]
    cuts = [name for name in techniques if table.techniques[name].attack.iaijutsu and table.weapons[card].iaijutsu]
    if not cuts or objective_met(game, foe):
        return -50.0
    best = max(attack_worth(game, who, (name, foe, card), ring) for name in cuts)
    return 0.8 * best - attack_worth(game, who, ("strike", foe, card), ring)


def _readied_worth(game: Game, who: Id, card: Id, grip: str) -> float:
    """What it is worth to have a weapon in hand from the next turn on."""
    foe = game.table.foes[who][0]
    if objective_met(game, foe):
        return 0.0  # there will be none
    ring = game.records[who].stance
    strike = attack_worth(game, who, ("strike", foe, card), ring)
    fist = attack_worth(game, who, ("strike", foe, "punch"), ring)
    weapon = game.table.weapons[card]
    held = weapon.two_hands if grip == "2h" else weapon.one_hand
    return 0.8 * max(0.0, strike - fist) + 60 + 5 * (held.damage + held.deadliness if held is not None else 0)


def _predict_worth(game: Game, who: Id, ring: str) -> float:
    foe = game.table.foes[who][0]
    record = game.records[foe]
    if record.out or not standing(game, foe):
        return -10.0
    if game.records[who].predict:
        return -10.0
    likely = HABIT if ring == record.stance else ELSE
    return likely * strain(game, foe, 4)


def _cure_worth(game: Game, who: Id, value: Any) -> float:
    _, condition, bearer = value
    cure = game.table.conditions[condition].cure
    if bearer != who:
        return -100.0
    sheet = sheet_of(game, who)
    dice = sheet.rings[game.records[who].stance]
    chances = totals(dice, sheet.skills[cure.skill], dice, game.records[who].compromised)
    likely: float = chances[cure.tn]
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
