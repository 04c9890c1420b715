"""How well the greedy bot plays: matches against the random one, and how often it takes what it is offered.

`python -m referee.testkit.matches GAME [-n N] [--seed S] [--scenario NAME] [--both] [--json]`. The greedy bot sits in all seats
of each side by turns, with `--both` in all seats of all sides; a win counts whole, a draw not. The interval is Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ..analysis.confidence import wilson
from ..content import ContentError, RegistryError, load, registry
from ..engine import PASS, Choice, Content, Encounter, Event, RefereeError
from ..players.seats import Player, bot, play

ROUND_LIMITS: Final = ("round_limit", "turn_limit", "max_rounds")


@dataclass
class Figures:
    """What came of the matches: wins by side, reasons of ends, offers made to and taken by the greedy bot.

    `encounters` counts for each side those in which the greedy bot played it; `held` and `used` count windows by reaction.
    """

    played: int = 0
    encounters: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    draws: int = 0
    rounds: int = 0
    nodes: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)

    def add(self, other: Figures) -> None:
        """Adds what came of further matches."""
        for name in ("encounters", "wins", "ends", "offered", "taken", "held", "used"):
            getattr(self, name).update(getattr(other, name))
        self.played += other.played
        self.draws += other.draws
        self.rounds += other.rounds
        self.nodes += other.nodes

    @property
    def share(self) -> float:
        """The share of all encounters that the greedy bot won."""
        return sum(self.wins.values()) / max(1, sum(self.encounters.values()))

    def interval(self) -> tuple[float, float]:
        """Wilson's interval of that share, at 95 %."""
        return wilson(self.share, sum(self.encounters.values()))


class _Watched:
    """The greedy bot, with a note of what it was offered and what it took, by the first word of each answer."""

    def __init__(self, seed: int, seat: str, figures: Figures) -> None:
        self._bot = bot("greedy", seed, seat)
        self._figures = figures

    def __call__(self, encounter: Encounter, seat: str) -> object:
        choice = encounter.choice(seat)
        answer = self._bot(encounter, seat)
        if isinstance(choice, Choice) and answer is not None:
            self._figures.offered.update({_word(choice, offer.value) for offer in choice.offers})
            self._figures.taken[_word(choice, answer.value)] += 1
            if choice.about.startswith("window "):
                self._figures.held.update({_card(offer.value) for offer in choice.offers} - {PASS.value})
                self._figures.used[_card(answer.value)] += 1
        return answer


def _word(choice: Choice, value: object) -> str:
    words = value if isinstance(value, tuple) else (value,)
    if len(words) > 1 and words[0] == choice.who:
        words = words[1:]
    return f"{choice.about}: {' '.join(str(word) for word in words[:2] if isinstance(word, str))}"


def _card(value: object) -> str:
    return str(value[0] if isinstance(value, tuple) else value)


def match(content: Content, seed: int, greedy: Sequence[str], figures: Figures) -> Encounter:
    """One encounter: the greedy bot in all seats of the sides `greedy`, random bots in the others."""
    encounter = Encounter.start(content, seed, log=False)
    players: dict[str, Player] = {}
    for seat in encounter.game.seats.values():
        if seat.role != "spectator":
            watched = seat.side in greedy and seat.role == "player"
            players[seat.name] = _Watched(seed, seat.name, figures) if watched else bot("random", seed, seat.name)  # type: ignore[assignment]
    events: list[Event] = list(play(encounter, players))
    assert not events
    assert encounter.result is not None
    figures.played += 1
    for side in greedy:
        figures.encounters[side] += 1
        figures.wins[side] += encounter.result.winner == side
    figures.draws += encounter.result.winner is None
    figures.rounds += encounter.game.round
    figures.nodes += encounter.nodes
    figures.ends[encounter.result.reason] += 1
    return encounter


def sides(content: Content) -> list[str]:
    """The sides that players play for, in seat order."""
    return list(dict.fromkeys(seat.side for seat in content.setting.seats.values() if seat.role == "player"))


def _batch(job: tuple[str, int, int, bool]) -> Figures:
    name, first, count, both = job
    content = load(name)
    named = sides(content)
    figures = Figures()
    for seed in range(first, first + count):
        match(content, seed, named if both else [named[seed % len(named)]], figures)
    return figures


def matches(name: str, count: int, seed: int = 0, *, both: bool = False, workers: int = 2) -> Figures:
    """That many encounters of a scenario, the greedy bot on each side by turns, or on all of them at once."""
    size = 20
    jobs = [(name, seed + start, min(size, count - start), both) for start in range(0, count, size)]
    figures = Figures()
    if workers < 2 or len(jobs) < 2:
        for job in jobs:
            figures.add(_batch(job))
        return figures
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for number, part in enumerate(pool.imap(_batch, jobs), 1):
            figures.add(part)
            if sys.stderr.isatty():
                print(f"\r{number * size:>7,} of {count:,}", end="", file=sys.stderr)
    return figures


def main(words: list[str] | None = None) -> int:
    """Runs matches and prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m referee.testkit.matches", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("-n", type=int, default=2000, dest="count", help="encounters (2,000 unless said)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scenario", help="the main one unless said")
    parser.add_argument("--both", action="store_true", help="the greedy bot on all sides: no contest, but more windows")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(words)
    try:
        name = f"{options.game}/{options.scenario or registry.get(options.game).main_scenario}"
        figures = matches(name, options.count, options.seed, both=options.both)
    except (RefereeError, ContentError, RegistryError) as wrong:
        print(wrong, file=sys.stderr)
        return 2
    low, high = figures.interval()
    total = figures.played
    if options.json:
        facts = {
            "scenario": name, "encounters": total, "share": figures.share, "interval": [low, high], "draws": figures.draws,
            "sides": {side: figures.wins[side] / count for side, count in figures.encounters.items()}, "ends": figures.ends,
            "rounds": figures.rounds / total, "offered": figures.offered, "taken": figures.taken,
            "held": figures.held, "used": figures.used,
        }  # fmt: skip
        print(json.dumps(facts, indent=1))
        return 0
    if options.both:
        print(f"{name}: greedy on all sides, {total:,} encounters, {figures.draws / total:.1%} draws")
    else:
        print(f"{name}: greedy won {figures.share:.1%} of {total:,} ({low:.1%} to {high:.1%}), {figures.draws / total:.1%} draws")
    for side, count in figures.encounters.items():
        print(f"  as {side}: {figures.wins[side] / count:.1%} of {count:,}")
    print(f"  rounds {figures.rounds / total:.1f}, questions {figures.nodes / total:.0f}")
    print("  ends: " + ", ".join(f"{reason} {number / total:.1%}" for reason, number in figures.ends.most_common()))
    print("  taken of the questions that offered it:")
    for word, number in sorted(figures.offered.items()):
        print(f"    {word:<50} {figures.taken[word] / number:>6.1%} of {number:,}")
    if figures.held:
        print("  used in the windows that offered it:")
    for card, number in sorted(figures.held.items()):
        print(f"    {card:<50} {figures.used[card] / number:>6.1%} of {number:,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
