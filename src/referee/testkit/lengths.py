"""Measures how long the scenarios of games take: `python -m referee.testkit.lengths GAME … [-n N]`.

Greedy bots sit in all seats, with seeds from 0. Rounds and answers go to `lengths.json` in the game's folder, from which the web
table tells people what they let themselves in for.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import msgspec

from ..content import ContentError, RegistryError, load, registry
from ..content.lengths import FILE, Length, Lengths
from ..engine import Content, Encounter, RefereeError, Together
from ..players.seats import Player, bot, play, players_of


class _Clock:
    """Counts the answers of bots, and those that the table waits for one after another."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()
        self.moments = 0
        self._secret: Counter[str] = Counter()
        self._last = ""

    def timed(self, player: Player) -> Player:
        """A player whose answers are counted."""

        def answer(encounter: Encounter, seat: str) -> object:
            self._count(encounter, seat)
            return player(encounter, seat)

        return answer  # type: ignore[return-value]

    def _count(self, encounter: Encounter, seat: str) -> None:
        self.answers[seat] += 1
        order = players_of(encounter)
        secret = isinstance(encounter.question, Together)
        # Who decides in secret is asked until it has decided, seat after seat: an earlier one again means the next time.
        if self._secret and (not secret or order.index(seat) < order.index(self._last)):
            self.flush()
        if secret:
            self._secret[seat] += 1
        else:
            self.moments += 1
        self._last = seat

    def flush(self) -> None:
        """Ends what was decided in secret at the same time: it takes as long as the longest takes."""
        self.moments += max(self._secret.values(), default=0)
        self._secret.clear()


def measure(content: Content, seed: int) -> tuple[int, int, int]:
    """One encounter: its rounds, the answers of a seat on average, the answers one after another."""
    encounter = Encounter.start(content, seed, log=False)
    clock, seats = _Clock(), players_of(encounter)
    for _ in play(encounter, {seat: clock.timed(bot("greedy", seed, seat)) for seat in seats}):
        pass
    clock.flush()
    return encounter.game.round, round(clock.answers.total() / len(seats)), clock.moments


def length(content: Content, count: int) -> Length:
    """The length of a scenario over so many encounters."""
    measured = [measure(content, seed) for seed in range(count)]
    rounds, answers, moments = (sorted(each) for each in zip(*measured, strict=True))
    return Length(_shares(rounds), _shares(answers), _shares(moments))


def _shares(values: list[int]) -> tuple[int, int, int]:
    last = len(values) - 1
    return values[last // 10], values[last // 2], values[last - last // 10]


def main(words: list[str] | None = None) -> int:
    """Measures, prints and writes the lengths of games."""
    parser = argparse.ArgumentParser(prog="python -m referee.testkit.lengths", description=__doc__)
    parser.add_argument("game", nargs="*", help="all installed games unless said")
    parser.add_argument("-n", type=int, default=100, dest="count", help="encounters of each scenario (100 unless said)")
    options = parser.parse_args(words)
    if options.count < 1:
        parser.error("-n: at least one encounter")
    try:
        for game in options.game or registry.ids():
            ruleset = registry.get(game)
            found = {}
            for name in sorted(registry.scenarios(ruleset)):
                found[name] = each = length(load(f"{game}/{name}"), options.count)
                print(f"{game}/{name}: rounds {_told(each.rounds)}, answers a seat {_told(each.answers)}, {each.minutes} minutes")
            text = msgspec.json.format(msgspec.json.encode(Lengths(ruleset.rules_version, options.count, found)), indent=1)
            (registry.folder(ruleset) / FILE).write_bytes(text + b"\n")
    except (RefereeError, ContentError, RegistryError, OSError) as wrong:
        print(wrong, file=sys.stderr)
        return 2
    return 0


def _told(share: tuple[int, int, int]) -> str:
    return f"{share[1]} ({share[0]} to {share[2]})"


if __name__ == "__main__":
    sys.exit(main())
