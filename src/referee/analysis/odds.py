"""The odds of an answer, here and now: what comes of it, through the rules themselves, as far as the seat can know.

A seat's odds come from encounters imagined from what it knows; the GM's from the true one. Where nothing is hidden and the
rolls can be counted the chances are exact; else what is left out, or how far a sample may be off, is stated.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, Final

import msgspec
from msgspec.structs import astuple

from ..dice import Stream
from ..engine.chances import Outcome
from ..engine.encounter import Encounter, Shown
from ..engine.errors import IllegalAnswer
from ..engine.game import Game
from ..engine.hiding import unknown_to
from ..engine.questions import Choice, Offer
from ..engine.records import hidden_fields, knows
from .confidence import wilson
from .horizon import FINE, POLICIES, Budget, Chance, Journey, Policy, State

ANSWERS_A_SECOND: Final = 8_000
"""A second of the budget is so many answers tried, whatever the machine: the same question gets the same reply."""
WORLDS: Final = 12
"""Imagined where something is hidden."""
TOLERATED: Final = Fraction(1, 50)
"""If more than this is left out the answer is sampled instead."""


@dataclass(frozen=True)
class Outlook:
    """What comes of an answer.

    `outcomes` lists what may come of it with its chance, the likeliest first; `exact` says whether these are all and true;
    `missing` is the mass left out; `samples` how often that was played which could not be counted (0: all was), `drawn` what
    came of it, in parts of 1 for all. With
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
    drawn: tuple[tuple[Outcome, Fraction], ...] = ()

    def chance(self, event: Callable[[Outcome], bool]) -> Fraction:
        """The chance of all listed outcomes for which a function is true."""
        return sum((chance for outcome, chance in self.outcomes if event(outcome)), Fraction(0))

    def interval(self, event: Callable[[Outcome], bool]) -> tuple[float, float]:
        """Between what the chance lies: exactly, by what is left out, or with 95 % confidence where it was sampled (Wilson)."""
        chance = float(self.chance(event))
        if self.samples:
            part = float(self.played)
            drawn = float(sum((chance for outcome, chance in self.drawn if event(outcome)), Fraction(0)))
            low, high = wilson(min(1.0, drawn / part), self.samples)
            return chance - drawn + part * low, chance - drawn + part * high
        if not self.agreed:
            return wilson(chance, self.worlds)
        return chance, chance + float(self.missing)

    @property
    def played(self) -> Fraction:
        """The mass that was not counted but played."""
        return sum((chance for _, chance in self.drawn), Fraction(0))


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
    meant, who = offered(encounter, offer, seat)
    return _looked(imagined(encounter, who, seed), [meant], who, reactions, seconds, seed)[0]


def outlooks(
    encounter: Encounter,
    seat: str | None = None,
    seconds: float = 1,
    reactions: Policy = "pass",
    seed: int = 0,
    among: Sequence[Shown] | None = None,
) -> list[tuple[Shown, Outlook]]:
    """The odds of every offer of a seat, or of some, in the order of the offers; `seconds` are shared between them.

    What several of them lead to is looked at once. Raises as `odds`.
    """
    who = _asked(encounter, seat).seat
    offers = encounter.offers(who) if among is None else list(among)
    answers = [each.offer for each in offers]
    return list(zip(offers, _looked(imagined(encounter, who, seed), answers, who, reactions, seconds, seed), strict=True))


def imagined(encounter: Encounter, seat: str, seed: int = 0) -> list[Encounter]:
    """The encounters from which a seat's odds are taken: one where nothing is hidden from it."""
    if not _hides(encounter.game, seat):
        return [encounter.imagine(seat, Stream.named(seed, "odds", seat))]
    return [encounter.imagine(seat, Stream.named(seed, "odds", seat, number)) for number in range(WORLDS)]


def offered(encounter: Encounter, offer: Shown | Offer | Any, seat: str | None = None) -> tuple[Offer, str]:
    """An answer as it is on offer, and who gives it. IllegalAnswer if the seat is not asked or that is not on offer."""
    choice = _asked(encounter, seat)
    return _offered(encounter, choice, offer), choice.seat


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


def _looked(worlds: list[Encounter], offers: list[Offer], seat: str, policy: Policy, seconds: float, seed: int) -> list[Outlook]:
    """The outlooks of several answers, as means over imagined encounters; those that came out alike are looked at once."""
    if policy not in POLICIES:
        raise ValueError(f"{policy!r} is no policy for reactions; there are {', '.join(POLICIES)}")
    answers = max(1, int(seconds * ANSWERS_A_SECOND))
    if len(worlds) == 1:
        return _from_one_world(worlds[0], offers, seat, policy, Budget(answers), seed)
    drawn: dict[bytes, tuple[Encounter, int]] = {}
    for world in worlds:
        key = world.key()
        drawn[key] = (drawn[key][0], drawn[key][1] + 1) if key in drawn else (world, 1)
    played = [
        (_from_one_world(world, offers, seat, policy, Budget(answers // len(drawn)), seed), Fraction(times, len(worlds)))
        for world, times in drawn.values()
    ]
    return [_mean_of([(each[place], weight) for each, weight in played], len(worlds)) for place in range(len(offers))]


def _mean_of(played: list[tuple[Outlook, Fraction]], worlds: int) -> Outlook:
    merged: dict[Outcome, Fraction] = {}
    drawn: dict[Outcome, Fraction] = {}
    for each, weight in played:
        for found, listed in ((merged, each.outcomes), (drawn, each.drawn)):
            for outcome, chance in listed:
                found[outcome] = found.get(outcome, Fraction(0)) + chance * weight
    samples = sum(each.samples for each, _ in played)
    return Outlook(
        tuple(sorted(merged.items(), key=_order)),
        exact=False,
        missing=sum((each.missing * weight for each, weight in played), Fraction(0)),
        samples=samples,
        worth=sum((each.worth * weight for each, weight in played), Fraction(0)),
        worlds=worlds,
        agreed=not samples and all(each.outcomes == played[0][0].outcomes for each, _ in played),
        drawn=tuple(drawn.items()),
    )


class _Tally:
    """What an answer has come to so far: outcomes with their chances, and how good things look."""

    def __init__(self, before: Game, seat: str) -> None:
        self.before = before
        self.seat = seat
        self.chances: dict[Outcome, Fraction] = {}
        self.drawn: dict[Outcome, Fraction] = {}
        self.samples = 0
        self.reached = self.worth = Fraction(0)

    def add(self, end: State, chance: Fraction) -> Outcome:
        outcome = outcome_of(self.before, end, self.seat)
        self.chances[outcome] = self.chances.get(outcome, Fraction(0)) + chance
        self.reached += chance
        self.worth += _worth(end, self.seat) * chance
        return outcome

    def draw(self, ends: Sequence[State], part: Fraction) -> None:
        """Adds what could not be counted, so much of 1, as it came when it was played."""
        self.samples = len(ends)
        for end in ends:
            outcome = self.add(end, part / len(ends))
            self.drawn[outcome] = self.drawn.get(outcome, Fraction(0)) + part / len(ends)

    def outlook(self, start: State) -> Outlook:
        """Where nothing was reached it is worth what stands right after the answer."""
        outcomes = tuple(sorted(self.chances.items(), key=_order))
        worth = self.worth / self.reached if self.reached else Fraction(_worth(start, self.seat))
        exact = self.reached == 1 and not self.samples
        return Outlook(outcomes, exact, 1 - self.reached, self.samples, worth, drawn=tuple(self.drawn.items()))


def _from_one_world(world: Encounter, offers: list[Offer], seat: str, policy: Policy, budget: Budget, seed: int) -> list[Outlook]:
    """Half of the work goes into counting, the other half into playing what could not be counted."""
    journey = Journey(world, seat, policy)
    starts = [journey.begin(offer, world) for offer in offers]
    tallies = [_Tally(world.game, seat) for _ in offers]
    left: list[tuple[State, dict[int, Chance]]] = []
    for end, weights in journey.ends(starts, Budget(budget.left // 2), left=left):
        for place, weight in weights.items():
            tallies[place].add(end, Fraction(weight))
    uncounted = [place for place, tally in enumerate(tallies) if 1 - tally.reached > TOLERATED]
    for place in uncounted:
        share = Budget(budget.left // 2 // len(uncounted))
        stream = Stream.named(seed, "odds", seat, "samples")
        parts = [(state, Fraction(weights[place])) for state, weights in left if place in weights]
        whole = sum((part for _, part in parts), Fraction(0))
        tallies[place].draw(_played(journey, parts, whole, stream, share), whole)
    return [tally.outlook(start) for tally, start in zip(tallies, starts, strict=True)]


def _played(
    journey: Journey, parts: list[tuple[State, Fraction]], whole: Fraction, stream: Stream, budget: Budget
) -> list[State]:
    """Ends of what could not be counted, each part begun with as often as it may come, as long as there is budget."""
    marks = [float(mark / whole) for mark in accumulate(part for _, part in parts)]
    found = []
    while parts:
        number = min(bisect_right(marks, stream.below(FINE) / FINE), len(parts) - 1)
        end = journey.sample(parts[number][0], stream, budget)
        if end is None:
            break
        found.append(end)
    return found


def _worth(state: State, seat: str) -> int:
    game = state.world.game
    return game.ruleset.worth(game, seat)


def _order(entry: tuple[Outcome, Fraction]) -> tuple[Fraction, str]:
    return -entry[1], repr(entry[0])


def outcome_of(before: Game, end: State, seat: str) -> Outcome:
    """What has come of an answer: what was noted, what the ruleset says or what has changed, who may interrupt now."""
    odds, after = before.ruleset.odds, end.world.game
    outcome = (odds.outcome if odds is not None and odds.outcome is not None else changes)(before, after, seat)
    question = after.question
    if odds is not None and isinstance(question, Choice) and question.about in odds.stops:
        outcome = (*outcome, (question.who or question.seat, "may make", question.about))
    return end.notes + outcome


def changes(before: Game, after: Game, seat: str) -> Outcome:
    """What has changed in the facts that a seat may know of all records: by how much, or to what."""
    found: list[tuple[str, str, Any]] = []
    for id, record in after.records.items():
        old = before.records.get(id)
        if old is record or old is None or old == record:
            continue
        hidden = hidden_fields(record.__class__)
        facts = zip(record.__struct_fields__, astuple(record), astuple(old), strict=True)
        for field, now, then in facts:
            if now is then or now == then:
                continue
            if field in hidden and not knows(before, before.seats[seat], record, hidden[field]):
                continue
            if type(now) is int and type(then) is int:
                found.append((id, field, now - then))
            elif isinstance(now, int | str):
                found.append((id, field, now))
            elif type(now) is tuple and type(then) is tuple:
                found.extend((id, field, difference) for difference in _differences(then, now))
    if after.result is not None:
        found.append(("", "winner", after.result.winner or "nobody"))
    return tuple(found)


def _differences(then: tuple[Any, ...], now: tuple[Any, ...]) -> Iterator[str]:
    """What has come (+) and gone (-) in a list of names or of things that begin with their name, and what has changed in them."""
    for each in now:
        if each not in then:
            name, facts = _named(each)
            old = next((facts for other, facts in map(_named, then) if other == name), None)
            if old is None:
                yield f"+{name}"
            else:
                yield from (" ".join(f"{name} {fact} {value}".split()) for fact, value in facts.items() if value != old.get(fact))
    names = [_named(each)[0] for each in now]
    yield from (f"-{name}" for name, _ in map(_named, then) if name not in names)


def _named(each: Any) -> tuple[str, dict[str, Any]]:
    """A thing in a list: its name, and what else is known of it."""
    if isinstance(each, msgspec.Struct):
        first, *rest = each.__struct_fields__
        return str(getattr(each, first)), {field: getattr(each, field) for field in rest}
    if isinstance(each, tuple):
        return (str(each[0]), {" " * place: value for place, value in enumerate(each[1:])}) if each else ("", {})
    return str(each), {}


def _hides(game: Game, seat: str) -> bool:
    """Whether there is anything that a seat cannot know and that its odds could hang on."""
    facts = game.seats[seat]
    if facts.role == "gm":
        return False
    return bool(unknown_to(game, seat)) or any(
        not knows(game, facts, record, mark)
        for record in game.records.values()
        for mark in hidden_fields(record.__class__).values()
    )
