"""The odds of an answer, here and now: what comes of it, through the rules themselves, as far as the seat can know.

A seat's odds come from encounters imagined from what it knows; the GM's from the true one. Where nothing is hidden and the
rolls can be counted the chances are exact; else what is left out, or how far a sample may be off, is stated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from ..dice import Stream
from ..engine.chances import Outcome
from ..engine.encounter import Encounter, Shown
from ..engine.errors import IllegalAnswer
from ..engine.game import Game
from ..engine.questions import Choice, Offer
from ..engine.records import hidden_fields, knows
from .horizon import POLICIES, Budget, Journey, Policy

ANSWERS_A_SECOND: Final = 8_000
"""A second of the budget is so many answers tried, whatever the machine: the same question gets the same reply."""
WORLDS: Final = 12
"""Imagined where something is hidden."""
TOLERATED: Final = Fraction(1, 50)
"""If more than this is left out the answer is sampled instead."""
Z: Final = 1.96


@dataclass(frozen=True)
class Outlook:
    """What comes of an answer.

    `outcomes` lists what may come of it with its chance, the likeliest first; `exact` says whether these are all and true;
    `missing` is the mass left out; `samples` how often it was played where it could not be counted (0: it was counted). With
    something hidden the chances are means over so many imagined `worlds`; `agreed` says that all of them give the same
    chances. `worth` is how good things then look to the seat on the average, as its ruleset judges.
    """

    outcomes: tuple[tuple[Outcome, Fraction], ...]
    exact: bool
    missing: Fraction
    samples: int
    worth: Fraction
    worlds: int = 0
    agreed: bool = True

    def chance(self, event: Callable[[Outcome], bool]) -> Fraction:
        """The chance of all listed outcomes for which a function is true."""
        return sum((chance for outcome, chance in self.outcomes if event(outcome)), Fraction(0))

    def interval(self, event: Callable[[Outcome], bool]) -> tuple[float, float]:
        """Between what the chance lies: exactly, by what is left out, or with 95 % confidence where it was sampled (Wilson)."""
        chance = float(self.chance(event))
        count = self.samples or (0 if self.agreed else self.worlds)
        if not count:
            return chance, chance + float(self.missing)
        z = Z * Z
        middle = (chance + z / (2 * count)) / (1 + z / count)
        half = Z / (1 + z / count) * sqrt(chance * (1 - chance) / count + z / (4 * count * count))
        return max(0.0, middle - half), min(1.0, middle + half)


def odds(
    encounter: Encounter,
    offer: Shown | Offer | Any,
    seat: str | None = None,
    seconds: float = 1,
    reactions: Policy = "pass",
    seed: int = 0,
) -> Outlook:
    """What comes of an answer until the next decision, as a seat can know it; others react by a policy.

    `offer` is an offer, its value or its label. `seconds` of work are used at the most, in the sense of `ANSWERS_A_SECOND`.
    IllegalAnswer if the seat is not asked or that is not on offer; ValueError for an unknown policy.
    """
    if reactions not in POLICIES:
        raise ValueError(f"{reactions!r} is no policy for reactions; there are {', '.join(POLICIES)}")
    choice = _asked(encounter, seat)
    meant = _offered(encounter, choice, offer)
    budget = Budget(max(1, int(seconds * ANSWERS_A_SECOND)))
    if not _hides(encounter.game, choice.seat):
        world = encounter.imagine(choice.seat, Stream.named(seed, "odds", choice.seat))
        return _from_one_world(world, meant, choice.seat, reactions, budget, seed)
    return _from_worlds(encounter, meant, choice.seat, reactions, budget, seed)


def outlooks(
    encounter: Encounter, seat: str | None = None, seconds: float = 1, reactions: Policy = "pass", seed: int = 0
) -> list[tuple[Shown, Outlook]]:
    """The odds of every offer of a seat, in the order of the offers; `seconds` are shared between them."""
    offers = encounter.offers(_asked(encounter, seat).seat)
    share = seconds / max(1, len(offers))
    return [(each, odds(encounter, each, each.choice.seat, share, reactions, seed)) for each in offers]


def _asked(encounter: Encounter, seat: str | None) -> Choice:
    choice = encounter.choice(seat)
    if choice is None:
        raise IllegalAnswer(f"{seat} is not asked now" if seat else "say which seat asks")
    return choice


def _offered(encounter: Encounter, choice: Choice, answer: Any) -> Offer:
    for each in encounter.offers(choice.seat):
        if answer in (each.offer, each.value) or (isinstance(answer, Shown) and answer.offer == each.offer):
            return each.offer
    named = [each.offer for each in encounter.offers(choice.seat) if isinstance(answer, str) and each.label == answer]
    if len(named) != 1:
        raise IllegalAnswer(f"{answer!r} is not on offer to {choice.seat}")
    return named[0]


def _from_one_world(world: Encounter, offer: Offer, seat: str, policy: Policy, budget: Budget, seed: int) -> Outlook:
    journey = Journey(world, seat, policy)
    start = world.fork(log=False)
    start.answer(offer, seat)
    half = Budget(budget.left // 2)
    ends = list(journey.ends(start, half))
    budget.left -= budget.left // 2 - max(0, half.left)
    missing = 1 - sum((weight for _, weight in ends), Fraction(0))
    if missing <= TOLERATED:
        return _outlook(world.game, seat, ends, missing, not missing, 0)
    sampled = []
    stream = Stream.named(seed, "odds", seat, "samples")
    while (end := journey.sample(start, stream, budget)) is not None:
        sampled.append(end)
    if not sampled:
        return _outlook(world.game, seat, ends, missing, False, 0)
    share = Fraction(1, len(sampled))
    return _outlook(world.game, seat, [(end, share) for end in sampled], Fraction(0), False, len(sampled))


def _from_worlds(encounter: Encounter, offer: Offer, seat: str, policy: Policy, budget: Budget, seed: int) -> Outlook:
    """A mean over imagined encounters; those that came out alike are looked at once."""
    drawn: dict[bytes, tuple[Encounter, int]] = {}
    for number in range(WORLDS):
        world = encounter.imagine(seat, Stream.named(seed, "odds", seat, number))
        key = world.key()
        drawn[key] = (drawn[key][0], drawn[key][1] + 1) if key in drawn else (world, 1)
    share = budget.left // len(drawn)
    played = [
        (_from_one_world(world, offer, seat, policy, Budget(share), seed), Fraction(times, WORLDS))
        for world, times in drawn.values()
    ]
    merged: dict[Outcome, Fraction] = {}
    for each, weight in played:
        for outcome, chance in each.outcomes:
            merged[outcome] = merged.get(outcome, Fraction(0)) + chance * weight
    samples = sum(each.samples for each, _ in played)
    return Outlook(
        tuple(sorted(merged.items(), key=_order)),
        exact=False,
        missing=sum((each.missing * weight for each, weight in played), Fraction(0)),
        samples=samples,
        worth=sum((each.worth * weight for each, weight in played), Fraction(0)),
        worlds=WORLDS,
        agreed=not samples and all(each.outcomes == played[0][0].outcomes for each, _ in played),
    )


def _outlook(
    before: Game, seat: str, ends: list[tuple[Encounter, Fraction]], missing: Fraction, exact: bool, samples: int
) -> Outlook:
    declared = before.ruleset.odds
    outcome = declared.outcome if declared is not None and declared.outcome is not None else changes
    merged: dict[Outcome, Fraction] = {}
    worth = Fraction(0)
    for end, weight in ends:
        what = outcome(before, end.game, seat)
        merged[what] = merged.get(what, Fraction(0)) + weight
        worth += weight * before.ruleset.worth(end.game, seat)
    reached = 1 - missing
    return Outlook(
        tuple(sorted(merged.items(), key=_order)), exact, missing, samples, worth / reached if reached else Fraction(0)
    )


def _order(entry: tuple[Outcome, Fraction]) -> tuple[Fraction, str]:
    return -entry[1], repr(entry[0])


def changes(before: Game, after: Game, seat: str) -> Outcome:
    """What has changed in the facts that a seat may know of all records: by how much, or to what; and who is asked next."""
    found: list[tuple[str, str, Any]] = []
    for id, record in after.records.items():
        old = before.records.get(id)
        if old is record or old is None:
            continue
        hidden = hidden_fields(record.__class__)
        for field in record.__struct_fields__:
            now, then = getattr(record, field), getattr(old, field)
            if now == then or (field in hidden and not knows(before, before.seats[seat], record, hidden[field])):
                continue
            if type(now) is int and type(then) is int:
                found.append((id, field, now - then))
            elif isinstance(now, int | str):
                found.append((id, field, now))
            elif type(now) is tuple and all(type(each) is str for each in (*now, *then)):
                found.extend((id, field, f"+{each}") for each in now if each not in then)
                found.extend((id, field, f"-{each}") for each in then if each not in now)
    if after.result is not None:
        found.append(("", "winner", after.result.winner or "nobody"))
    return tuple(found)


def _hides(game: Game, seat: str) -> bool:
    """Whether there is anything that a seat cannot know and that its odds could hang on."""
    facts = game.seats[seat]
    if facts.role == "gm":
        return False
    return any(
        not knows(game, facts, record, mark)
        for record in game.records.values()
        for mark in hidden_fields(record.__class__).values()
    )
