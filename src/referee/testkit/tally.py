"""What greedy bots do against one another: how encounters end, what is answered, what happens, by the encounter.

`python -m referee.testkit.tally SCENARIO [-n N] [--seed S]`. For reading many logs at once: which answers are never given, which
are given too often; `referee run SCENARIO --seed S` then tells any of them in full.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field

from ..content import ContentError, RegistryError, load
from ..engine import Content, Encounter, Offer, RefereeError
from ..players.seats import Player, bot, play


@dataclass
class Tally:
    """Counts over some encounters: ends by winner and reason, answers by question, events by kind."""

    encounters: int = 0
    rounds: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)


class _Noted:
    """A greedy bot whose answers are counted."""

    def __init__(self, seed: int, seat: str, answers: Counter[str]) -> None:
        self._bot = bot("greedy", seed, seat)
        self._answers = answers

    def __call__(self, encounter: Encounter, seat: str) -> object:
        choice = encounter.choice(seat)
        answer = self._bot(encounter, seat)
        if choice is not None and isinstance(answer, Offer):
            self._answers[f"{choice.about}: {_words(answer.value)}"] += 1
        return answer


def _words(value: object) -> str:
    """The first two words of an answer."""
    parts = value if isinstance(value, tuple) else (value,)
    return " ".join(str(part) for part in parts[:2] if isinstance(part, str | int))


def tally(content: Content, seeds: range) -> Tally:
    """Greedy bots in all seats, once for each seed."""
    found = Tally()
    for seed in seeds:
        encounter = Encounter.start(content, seed)
        players: dict[str, Player] = {
            seat.name: _Noted(seed, seat.name, found.answers)  # type: ignore[misc]
            for seat in encounter.game.seats.values()
            if seat.role == "player"
        }
        for event in play(encounter, players):
            found.events[event.kind] += 1
        assert encounter.result is not None
        found.encounters += 1
        found.rounds += encounter.game.round
        found.ends[f"{encounter.result.winner or 'nobody'}, {encounter.result.reason}"] += 1
    return found


def main(words: list[str] | None = None) -> int:
    """Plays and prints the counts."""
    parser = argparse.ArgumentParser(prog="python -m referee.testkit.tally", description=__doc__)
    parser.add_argument("scenario")
    parser.add_argument("-n", type=int, default=100, dest="count", help="encounters (100 unless said)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    try:
        found = tally(load(options.scenario), range(options.seed, options.seed + options.count))
    except (RefereeError, ContentError, RegistryError) as wrong:
        print(wrong, file=sys.stderr)
        return 2
    number = max(1, found.encounters)
    print(f"{options.scenario}: {found.encounters} encounters, {found.rounds / number:.1f} rounds each")
    for end, times in found.ends.most_common():
        print(f"  {end:<50} {times / number:>7.1%}")
    for title, counts in (("answers", found.answers), ("events", found.events)):
        print(f"  {title}, an encounter:")
        for what, times in sorted(counts.items()):
            print(f"    {what:<48} {times / number:>7.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
