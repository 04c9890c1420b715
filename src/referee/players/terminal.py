"""People at one terminal: what they see, what they may type, and the dice they throw themselves."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ..dice import ImpossibleRoll
from ..engine.answers import seats_in
from ..engine.encounter import Encounter, Shown
from ..engine.errors import IllegalAnswer, RefereeError
from ..engine.questions import Choice, Offer, Roll, Together
from . import looking
from .greedy import hides_something
from .ink import Ink

HELP = (
    ("3", "answer with offer 3; its words do as well"),
    ("keep 1 3", "where dice are kept: keep the first and the third"),
    ("?", "the odds beside the offers; what you may not do now, and why"),
    ("b 3", "every number in offer 3, and what it is made of"),
    ("o", "the odds of every offer; o 3 those of offer 3, in full"),
    ("r ID", "a rule, by the id that stands beside the log"),
    ("t", "the table again"),
    ("l", "the log; l 5 its last 5 lines"),
    ("u", "take back your last answer (others may have to consent)"),
    ("s FILE", "save; referee play FILE goes on from there"),
    ("concede", "give up"),
    ("q", "quit; the encounter is saved first"),
    ("h", "this help"),
)

BRIEF = 3  # lines of the table, if no more have changed, are shown without the rest
MANY = 12  # ways to keep dice are listed, the others are left to be named
RETOLD = 20  # lines of the log that are told again when the screen was handed over


class Left(RefereeError):
    """Somebody quits: a goodbye, no error."""


class BrokenOff(Left):
    """The same by Ctrl-C."""


class Terminal:
    """The people at this terminal, in the seats named; a player for each of them, and the hand that throws real dice.

    `keep` saves an encounter that somebody leaves, and says where (empty: nowhere). `read` gives a line with its end, or
    nothing at the end of the input.
    """

    def __init__(
        self,
        seats: Iterable[str],
        ink: Ink,
        *,
        keep: Callable[[Encounter], str] = lambda encounter: "",
        read: Callable[[], str] | None = None,
    ) -> None:
        self.seats = tuple(seats)
        self.ink = ink
        self._keep = keep
        self._read = read or sys.stdin.readline
        self._waits = read is None and sys.stdin.isatty()
        self._at: str | None = None  # whose eyes are on the screen
        self._answered: tuple[str, int, list[str]] = ("", 0, [])  # the last answer: seat, entries up to it, the table then
        self._seen: dict[str, int] = {}  # how much of its log each seat has had on the screen

    def __call__(self, encounter: Encounter, seat: str) -> Offer | None:
        """Asks the person in a seat until there is an answer, or something else was done to the encounter."""
        choice = encounter.choice(seat)
        if choice is None:
            raise IllegalAnswer(f"{seat} is not asked now")
        secret = isinstance(encounter.question, Together)
        self._hand_over(encounter, seat)
        self._show_table(encounter, seat)
        numbered = self._show_offers(encounter, choice)
        while True:
            text = self._ask(encounter, f"{seat.replace('_', ' ')}> ")
            offer = _meant(numbered, text) or _kept(choice, numbered, text)
            if offer is not None:
                if secret and len(self.seats) > 1:
                    self.ink.clear()
                self._seen[seat] = len(encounter.events_for(seat))
                self._answered = (seat, len(encounter.history()) + 1, looking.tableau(encounter, seat))
                return offer.offer
            if _names_dice(choice, text):
                self.ink.say(f"  {text} is not possible here; ? says what is not, and why", "red")
            elif self._do(encounter, seat, text, numbered):
                return None

    def roll(self, encounter: Encounter) -> Any:
        """What real dice show, as somebody types it; None if something else was done to the encounter."""
        question = encounter.question
        assert isinstance(question, Roll)
        seat = encounter.game.seat_of.get(question.who, "")
        if seat not in self.seats:
            seat = self._at or self.seats[0]
        self.ink.say()
        self.ink.say(looking.about(encounter, question), "bold")
        while True:
            text = self._ask(encounter, f"{question.spec} shows> ")
            try:
                return question.spec.read(text)
            except ImpossibleRoll as wrong:
                if _is_command(text) and not wrong.written:  # faces may be letters, and are that before they are keys
                    if self._do(encounter, seat, text, []):
                        return None
                else:
                    self.ink.say(f"  {wrong}; h for help", "red")

    def _show_table(self, encounter: Encounter, seat: str) -> None:
        """The table; if nobody else has acted since this seat's last answer, only what little has changed on it."""
        before, length, table = self._answered
        lines = looking.tableau(encounter, seat)
        others = {each for entry in encounter.history()[length:] for each in seats_in(entry)}
        changed = [place for place, line in enumerate(lines) if line not in table]
        # Lines in one place tell of themselves what they are about; scattered ones need the table around them.
        little = not changed or len(changed) == changed[-1] - changed[0] + 1 <= BRIEF
        if before == seat and not others - {seat} and length <= len(encounter.history()) and little:
            if changed:
                self.ink.say()
            for place in changed:
                self.ink.say(lines[place])
        else:
            looking.show_table(self.ink, encounter, seat)

    def _show_offers(self, encounter: Encounter, choice: Choice) -> list[tuple[str, Shown]]:
        offers = encounter.offers(choice.seat)
        amounts = [_amount(each.value) for each in offers] if choice.form == "number" else [None]
        by_value = None not in amounts and len(set(amounts)) == len(amounts)
        numbered = [(str(amounts[place - 1] if by_value else place), each) for place, each in enumerate(offers, 1)]
        self.ink.say()
        self.ink.say(looking.about(encounter, choice), "bold")
        long = choice.form == "keep" and len(numbered) > MANY
        self.ink.offers(numbered[:MANY] if long else numbered)
        if long:
            self.ink.say(f"  {len(numbered) - MANY} more: name the dice, as in {_plain(numbered[0][1].value)}", "dim")
        return numbered

    def _ask(self, encounter: Encounter, prompt: str) -> str:
        while True:
            self.ink.ask(prompt)
            try:
                line = self._read()
            except KeyboardInterrupt:
                # Only here, where the encounter waits: in the middle of a step there would be nothing whole to save.
                self.ink.say()
                raise BrokenOff(str(self._leaving(encounter))) from None
            if not line:
                self.ink.say()
                raise self._leaving(encounter)
            text = line.strip()
            if not self._waits:
                self.ink.say(text)
            if text:
                return text

    def _leaving(self, encounter: Encounter) -> Left:
        kept = self._keep(encounter)
        return Left(f"Saved. Go on with: referee play {kept}" if kept else "Not saved.")

    def _hand_over(self, encounter: Encounter, seat: str) -> None:
        """Lets the next person sit down before anything is shown that is not for the one before."""
        before, self._at = self._at, seat
        if len(self.seats) == 1 or before == seat:
            return
        if not hides_something(encounter.game, before or self.seats[-1]):
            return
        self.ink.clear()
        self.ink.say()
        self.ink.title(f"{seat.replace('_', ' ')} is asked, and nobody else may look")
        if self._waits:
            self.ink.ask(f"Hand over to {seat.replace('_', ' ')}, then press Enter. ", "")
            if not self._read():
                raise self._leaving(encounter)
            self.ink.clear()
            # The screen was wiped: what happened since this seat last looked is told again.
            new = [event for event in encounter.events_for(seat)[self._seen.get(seat, 0) :] if not event.explain]
            for event in new[-RETOLD:]:
                self.ink.event(encounter.line(event), event)

    def _do(self, encounter: Encounter, seat: str, text: str, numbered: list[tuple[str, Shown]]) -> bool:
        """Does what was typed; true if the encounter is another now."""
        word, _, rest = text.partition(" ")
        word, rest = word.lower(), rest.strip()
        try:
            return self._obey(encounter, seat, word, rest, numbered)
        except (RefereeError, OSError) as wrong:
            if isinstance(wrong, Left):
                raise
            self.ink.say(f"  {looking.readable(wrong)}", "red")
            return False

    def _obey(self, encounter: Encounter, seat: str, word: str, rest: str, numbered: list[tuple[str, Shown]]) -> bool:
        if word == "?":
            long = bool(numbered) and numbered[0][1].choice.form == "keep"
            looking.show_chances(self.ink, encounter, seat, numbered[:MANY] if long else numbered)
            looking.show_refusals(self.ink, encounter, seat)
        elif word == "b":
            looking.show_breakdown(self.ink, encounter, _meant(numbered, rest), rest)
        elif word == "o":
            looking.show_odds(self.ink, encounter, seat, numbered, rest)
        elif word == "r":
            looking.show_rule(self.ink, encounter, rest)
        elif word == "t":
            looking.show_table(self.ink, encounter, seat)
            self.ink.offers(numbered)
        elif word == "l":
            looking.show_log(self.ink, encounter, seat, int(rest) if rest.isdigit() else None)
        elif word == "s":
            _save(encounter, rest)
            self.ink.say(f"  Saved. Go on with: referee play {rest}")
        elif word == "u":
            return self._take_back(encounter, seat)
        elif word == "concede":
            if self._agrees(encounter, "Give up? (y/n) "):
                encounter.concede(seat)
                return True
        elif word in ("h", "help"):
            for typed, meaning in HELP:
                self.ink.say(f"  {typed:<9}{meaning}")
        elif word in ("q", "quit"):
            raise self._leaving(encounter)
        else:
            numbers = f"a number from {numbered[0][0]} to {numbered[-1][0]}, or " if numbered else ""
            self.ink.say(f"  {word!r} means nothing here: type {numbers}h for help", "red")
        return False

    def _take_back(self, encounter: Encounter, seat: str) -> bool:
        self._answered = ("", 0, [])  # the table that was shown is no longer the one before
        branches = encounter.game.branches
        if branches is not None and seat in branches and branches[seat].answers:
            encounter.take_back(seat)
            self.ink.say("  Taken back.")
            return True
        undo = encounter.can_undo(seat)
        for other in undo.consents:
            if other in self.seats and not self._agrees(encounter, f"{other}, may {seat} take that back? (y/n) "):
                self.ink.say(f"  {other} does not consent; nothing was taken back.")
                return False
        # Bots consent, and so does an empty chair.
        encounter.undo(seat, consents=undo.consents)
        self.ink.say(f"  {seat} takes back the last answer.")
        return True

    def _agrees(self, encounter: Encounter, question: str) -> bool:
        return self._ask(encounter, question).lower() in ("y", "yes")


def _meant(numbered: list[tuple[str, Shown]], text: str) -> Shown | None:
    """The offer that somebody typed: by its number, else by its words."""
    by_number = next((each for number, each in numbered if number == text), None)
    if by_number is not None:
        return by_number
    found = [each for _, each in numbered if text.lower() in (each.label.strip().lower(), _plain(each.value))]
    return found[0] if len(found) == 1 else None


def _amount(value: Any) -> int | None:
    """The number that an answer is: itself, or after its verb, as in ("bid", 3)."""
    if isinstance(value, tuple) and len(value) == 2:
        value = value[1]
    return value if type(value) is int else None


def _plain(value: Any) -> str:
    """An answer as words with spaces between: `ring air`."""
    return " ".join(map(_plain, value)) if isinstance(value, tuple) else str(value).lower()


def _names_dice(choice: Choice, text: str) -> bool:
    """Whether dice are named where dice are asked for, as in `keep 1 3`."""
    verb, *places = text.lower().replace(",", " ").split() or [""]
    first = choice.offers[0].value
    return choice.form == "keep" and isinstance(first, tuple) and verb == first[0] and all(place.isdigit() for place in places)


def _kept(choice: Choice, numbered: list[tuple[str, Shown]], text: str) -> Shown | None:
    """The offer for the dice that somebody named, as in `keep 1 3`; equal dice stand for one another."""
    verb, *places = text.lower().replace(",", " ").split() or [""]
    if choice.form != "keep" or not places or not all(place.isdigit() for place in places):
        return None
    shown = choice.facts[0]
    dice = sorted({int(place) for place in places})
    if len(dice) < len(places) or not 1 <= dice[0] <= dice[-1] <= len(shown):
        return None

    def faces(named: Iterable[int]) -> Counter[Any]:
        return Counter(shown[place - 1] for place in named)

    for _, each in numbered:
        value = each.value
        if isinstance(value, tuple) and value[0] == verb and faces(each.offer.dice) == faces(dice):
            return each
    return None


def _save(encounter: Encounter, named: str) -> None:
    if not named:
        raise RefereeError("say where: s FILE")
    path = Path(named)
    if path.is_file() and not path.read_bytes().startswith(b"REFEREE"):
        raise RefereeError(f"{named} is a file of another kind; choose another name")
    path.write_bytes(encounter.save())


def _is_command(text: str) -> bool:
    return text.partition(" ")[0].lower() in ("?", "b", "o", "r", "t", "l", "u", "s", "h", "q", "concede", "help", "quit")
