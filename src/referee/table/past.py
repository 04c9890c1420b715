"""Looking back: an encounter at every moment so far, as one seat saw it then. Pure: knows no request and stores nothing."""

from __future__ import annotations

import bisect
from itertools import zip_longest
from typing import Final

import msgspec

from ..engine.answers import effective, feed
from ..engine.encounter import Encounter
from ..engine.errors import RefereeError
from ..engine.events import Event
from ..engine.game import Entry, Game
from ..engine.hiding import told
from ..engine.questions import Choice, Offer, Roll

EVERY: Final = 50  # entries between the games that are kept to go on from


class Seen(msgspec.Struct):
    """What one seat saw: its moments, as entries played and lines of the log told until then.

    Only what changed something for the seat is a moment, so that their number tells it nothing.
    """

    entries: list[int] = []
    lines: list[int] = []
    events: list[Event] = []
    html: dict[tuple[str, int], str] = {}  # lines that were worded already, by language
    walked: int = -1
    logged: int = 0
    last: bytes = b""

    def near(self, entries: int) -> int:
        """The last moment after at most so many entries."""
        return max(0, bisect.bisect_right(self.entries, entries) - 1)


class Past:
    """The entries that count in an encounter, and the encounter after any number of them."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._kept: dict[int, Game] = {}
        self._seen: dict[str, Seen] = {}
        self._real_dice = False

    def follow(self, encounter: Encounter) -> None:
        """Takes in what was played since, and forgets what was taken back."""
        entries = effective(encounter.history())
        if not self._kept:
            game = Game(encounter.content, encounter.seed)
            game.dice = None  # its rolls are in the entries
            game.begin()
            self._kept[0] = game
            self._real_dice = encounter.seed is None
        same = len(self.entries)
        if entries[:same] != self.entries:
            pairs = zip_longest(self.entries, entries)
            same = next(place for place, (one, other) in enumerate(pairs) if one != other)
            self._kept = {place: game for place, game in self._kept.items() if place <= same}
            self._seen = {seat: seen for seat, seen in self._seen.items() if seen.walked <= same}
        self.entries = entries

    def at(self, entries: int) -> Encounter:
        """The encounter after so many entries, to be played on apart; its rolls are asked."""
        if not 0 <= entries <= len(self.entries):
            raise RefereeError(f"there is no entry {entries}; there are {len(self.entries)}")
        return Encounter(self._game(entries))

    def _game(self, entries: int) -> Game:
        start = max(place for place in self._kept if place <= entries)
        game = self._kept[start].fork()
        for place in range(start, entries):
            self._play(game, place)
        return game

    def _play(self, game: Game, place: int) -> None:
        feed(game, self.entries[place])
        if (place + 1) % EVERY == 0 and place + 1 not in self._kept:
            self._kept[place + 1] = game.fork()

    def seen(self, seat: str) -> Seen:
        """The moments of a seat."""
        seen = self._seen.setdefault(seat, Seen())
        if seen.walked < len(self.entries):
            game = self._game(max(seen.walked, 0))
            encounter = Encounter(game)
            for place in range(seen.walked, len(self.entries)):
                if place >= 0:
                    self._play(game, place)
                self._look(seen, encounter, seat, place + 1)
            seen.walked = len(self.entries)
        return seen

    def _look(self, seen: Seen, encounter: Encounter, seat: str, entries: int) -> None:
        game = encounter.game
        if isinstance(game.question, Roll) and not self._real_dice:
            return  # drawn dice never stopped the play
        assert game.events is not None
        new = game.events[seen.logged : game.logged]
        lines = [event for event in told(game, new, seat) if not event.explain]
        view = encounter.view(seat).bytes()
        seen.logged = game.logged
        seen.events += lines
        if view != seen.last or lines or not seen.entries:
            seen.last = view
            seen.entries.append(entries)
            seen.lines.append(len(seen.events))

    def answer(self, encounter: Encounter, entries: int) -> tuple[str, str] | None:
        """Who answered the question after so many entries, and with what, in words; None if it was no single answer."""
        entry = self.entries[entries] if entries < len(self.entries) else None
        question = encounter.question
        if entry is None or entry[0] != "choice" or not isinstance(question, Choice):
            return None
        offer = next((each for each in question.offers if each.value == entry[2]), Offer(entry[2]))
        return question.seat, str(encounter.game.ruleset.words.label(encounter.game, question, offer))


def branched(encounter: Encounter, seed: int) -> Encounter:
    """An encounter from the past to be played on: with dice of its own, unless real ones are thrown.

    With the seed of the table it comes from, it would tell what that table is about to roll.
    """
    game = encounter.fork().game
    if game.start is not None:
        game.start = seed
        game.resume_dice()
    return Encounter(game)
