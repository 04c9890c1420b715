"""Secret choices of two as a game: what a seat should do where it cannot know what the other does.

Each pair of answers is played on by the rules as far as the ruleset says (`Odds.foresee`), on encounters imagined from what the
seat can know; the worth of all pairs, in whole millionths, makes a zero-sum game that is solved exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from ..dice import Stream
from ..engine.chances import Foresight, Payoffs, Progress, Summary
from ..engine.encounter import Encounter, Shown
from ..engine.errors import IllegalAnswer
from ..engine.questions import Choice, Roll, Together
from ..solvers import zero_sum
from .horizon import Journey

PARTS: Final = 1_000_000
BAR: Final = 30
IN_FULL: Final = 10
"""Answers that are all told; of more only the best."""
WORLDS: Final = 4
"""Imagined at the most."""
MOST_POSITIONS: Final = 1_000
"""After so many positions no further world is looked at, and after nine times as many nothing is played on."""


@dataclass(frozen=True)
class Mixed:
    """An equilibrium of secret choices, as one seat sees it.

    `weights` says how often each of its offers should be chosen, `others` the same of the other seat's answers. `worth` of an
    offer is the seat's chance with it against those, `value` with the mix: no offer is worth more. `note` says what the
    judgement rests on; `worlds` is how many encounters were
    imagined; `exact` says that neither matters.
    """

    seat: str
    offers: tuple[Shown, ...]
    weights: tuple[Fraction, ...]
    worth: tuple[Fraction, ...]
    value: Fraction
    other: str
    answers: tuple[str, ...]
    others: tuple[Fraction, ...]
    payoffs: tuple[tuple[Fraction, ...], ...]
    note: str
    worlds: int
    exact: bool


def contested(encounter: Encounter, seat: str) -> bool:
    """Whether a seat is asked for a secret choice that may be solved as a game of two."""
    choice, odds = encounter.choice(seat), encounter.content.ruleset.odds
    return choice is not None and odds is not None and odds.foresee is not None and choice.about in odds.contested


def mixed(
    encounter: Encounter,
    seat: str | None = None,
    seed: int = 0,
    progress: Progress = lambda done: None,
    *,
    quick: bool = False,
) -> Mixed | None:
    """What a seat should do at secret choices; None where the ruleset does not see a contest of two in them.

    `progress` hears how much is done. `quick`: None as well where that takes longer than a page may wait. IllegalAnswer if the
    seat is not asked.
    """
    choice = encounter.choice(seat)
    if choice is None:
        raise IllegalAnswer(f"{seat} is not asked now" if seat else "say which seat asks")
    game, odds = encounter.game, encounter.game.ruleset.odds
    if odds is None or odds.foresee is None or game.branches is None or len(choice.offers) < 2:
        return None
    if choice.about not in odds.contested or (quick and not odds.contested[choice.about]):
        return None
    worlds = _worlds(encounter, choice.seat, seed)
    total: list[list[Fraction]] = []
    labels: tuple[str, ...] = ()
    other = note = ""
    drawn = positions = 0
    exact = True
    for place, (world, times) in enumerate(worlds):

        def heard(done: float, place: int = place) -> None:
            progress((place + done) / len(worlds))

        foresight = odds.foresee(world.game, choice.seat, lambda done: heard(done / 2))
        rivals = [each for each in world.asked() if each != choice.seat]
        if foresight is None or len(rivals) > 1:
            return None
        other, note = next(iter(rivals), ""), foresight.note
        labels = tuple(each.label for each in world.offers(other)) if other else ("",)
        if isinstance(foresight, Payoffs):
            rival = world.choice(other)
            rows = foresight.pairs(choice.offers, rival.offers if rival is not None else ())
        else:
            ahead = Ahead(world, choice.seat, foresight)
            rows = _payoffs(ahead, world, other, lambda done: heard(0.5 + done / 2))
            positions += len(ahead.known)
            exact = False
        found = [[times * each for each in row] for row in rows]
        total = [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(total, found, strict=True)] if total else found
        drawn += times
        if positions > MOST_POSITIONS:
            break
    progress(1.0)
    # Chances in closed form stay as they are; others are taken in whole millionths, so that their game has an exact solution.
    payoffs = tuple(
        tuple(each / drawn if exact else Fraction(round(each * PARTS / drawn), PARTS) for each in row) for row in total
    )
    solved = zero_sum(payoffs)
    worth = tuple(
        sum((weight * value for weight, value in zip(solved.columns, row, strict=True)), Fraction(0)) for row in payoffs
    )
    offers = tuple(encounter.offers(choice.seat))
    return Mixed(
        choice.seat, offers, solved.rows, worth, solved.row_value, other, labels, solved.columns, payoffs, note, drawn,
        exact and len(worlds) == 1,
    )  # fmt: skip


def lines(found: Mixed) -> list[str]:
    """An equilibrium in words and bars, for a terminal: how often each answer should be given, and what it is worth.

    Of many answers those of the mix are told, and the best of the others.
    """
    other = found.other.replace("_", " ") or "nobody else"
    told = [f"Best in secret, against {other}: worth {float(found.value):.1%} ({found.note})"]
    ways = list(zip(found.offers, found.weights, found.worth, strict=True))
    shown = ways if len(ways) <= IN_FULL else sorted(ways, key=lambda way: (-way[1], -way[2]))[:IN_FULL]
    width = max(12, *(len(offer.label) for offer, _, _ in shown))
    for offer, weight, worth in shown:
        told.append(f"  {offer.label:<{width}} {float(weight):7.1%}  {_bar(weight):<{BAR}}  worth {float(worth):.1%}")
    if len(shown) < len(ways):
        told.append(f"  {len(ways) - len(shown)} others are worth {float(shown[-1][2]):.1%} or less")
    if found.other:
        told.append(f"{other} should:")
        answers = [each for each in zip(found.answers, found.others, strict=True) if each[1] or len(found.answers) <= IN_FULL]
        told += [f"  {answer:<{width}} {float(weight):7.1%}  {_bar(weight)}".rstrip() for answer, weight in answers]
    return told


def plain(found: Mixed) -> dict[str, Any]:
    """An equilibrium as plain data, chances as fractions."""
    return {
        "seat": found.seat, "value": found.value, "note": found.note, "exact": found.exact, "worlds": found.worlds,
        "offers": [
            {"offer": offer.label, "chance": weight, "worth": worth}
            for offer, weight, worth in zip(found.offers, found.weights, found.worth, strict=True)
        ],
        "other": found.other or None,
        "answers": [
            {"answer": answer, "chance": weight} for answer, weight in zip(found.answers, found.others, strict=True)
        ] if found.other else [],
        "payoffs": [list(row) for row in found.payoffs],
    }  # fmt: skip


def _bar(weight: Fraction) -> str:
    return "#" * (max(1, round(BAR * weight)) if weight else 0)


def _worlds(encounter: Encounter, seat: str, seed: int) -> list[tuple[Encounter, int]]:
    """Imagined encounters, those that came out alike as one, with how often they were drawn."""
    drawn: dict[bytes, tuple[Encounter, int]] = {}
    for number in range(WORLDS):
        world = encounter.imagine(seat, Stream.named(seed, "mixed", seat, number))
        key = world.key()
        drawn[key] = (world, drawn[key][1] + 1) if key in drawn else (world, 1)
    return list(drawn.values())


def _payoffs(ahead: Ahead, world: Encounter, other: str, progress: Progress) -> list[list[Fraction]]:
    ours = world.choice(ahead.seat)
    theirs = world.choice(other) if other else None
    assert ours is not None
    answers: Sequence[Any] = theirs.offers if theirs is not None else (None,)
    found = []
    for place, offer in enumerate(ours.offers):
        row = []
        for answer in answers:
            fork = world.fork(log=False)
            fork.answer(offer, ahead.seat)
            if answer is not None:
                fork.answer(answer, other)
            row.append(Fraction(ahead.worth(fork)))
        found.append(row)
        progress((place + 1) / len(ours.offers))
    return found


class Ahead:
    """What positions on the way are worth to a seat when both do their best; equal ones are looked at once."""

    def __init__(self, world: Encounter, seat: str, foresight: Foresight) -> None:
        self.seat = seat
        self.foresight = foresight
        self.journey = Journey(world, seat, "pass")
        self.decide = world.game.ruleset.odds.decide if world.game.ruleset.odds is not None else None
        self.known: dict[bytes, float] = {}

    def worth(self, world: Encounter) -> float:
        """The seat's chance in a position."""
        game = world.game
        question = game.question
        ended = question is None or isinstance(question, Together) or len(self.known) > 9 * MOST_POSITIONS
        if ended or self.foresight.ended(game):
            return self.foresight.worth(game)
        key = world.key()
        if key not in self.known:
            assert isinstance(question, Choice | Roll)
            self.known[key] = self._rolled(world, question) if isinstance(question, Roll) else self._chosen(world, question)
        return self.known[key]

    def _rolled(self, world: Encounter, roll: Roll) -> float:
        game = world.game
        summary = self.foresight.summary(game, roll)
        if summary is not None:
            return self._summed(world, summary)
        law = self.journey.law(game, roll)
        if law is None:
            raise ValueError(f"{roll.spec} has too many outcomes to be counted")
        found = total = 0.0
        for outcome, weight in law:
            fork = world.fork(log=False)
            fork.answer(outcome)
            found += weight * self.worth(fork)
            total += weight
        return found / total

    def _summed(self, world: Encounter, summary: Summary) -> float:
        found = total = 0.0
        for facts, chance in summary.ends:
            fork = world.fork(log=False)
            fork.game.leap(summary.step, facts, summary.then)
            found += float(chance) * self.worth(fork)
            total += float(chance)
        return found / total

    def _chosen(self, world: Encounter, choice: Choice) -> float:
        tried = self.foresight.tried(world.game, choice)
        if tried is None:
            decided = self.decide(world.game, choice) if self.decide is not None else None
            tried = [self._judged(world, choice) if decided is None else decided]
        found = []
        for answer in tried:
            fork = world.fork(log=False)
            fork.answer(answer, choice.seat)
            found.append(self.worth(fork))
        return max(found) if choice.seat == self.seat else min(found)

    def _judged(self, world: Encounter, choice: Choice) -> Any:
        """What looks best at once to whoever is asked."""
        found = []
        for offer in choice.offers:
            fork = world.fork(log=False)
            fork.answer(offer, choice.seat)
            found.append(fork.game.ruleset.worth(fork.game, choice.seat))
        return choice.offers[found.index(max(found))]
