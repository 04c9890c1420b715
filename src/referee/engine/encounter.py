"""One playing of a scenario: the whole contract that players, tools and tables use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from . import answers, hiding, replaying, saves, views
from .answers import effective, feed, seats_in
from .errors import IllegalAnswer, RuleError
from .events import Event, Result
from .frames import sentence
from .game import EVERYBODY, Entry, Game
from .numbers import Breakdown
from .questions import Choice, Offer, Question, Refusal, Value
from .ruleset import Content


class Shown(msgspec.Struct, frozen=True, gc=False):
    """An offer as people read it; its label is worded when it is looked up."""

    offer: Offer
    choice: Choice
    game: Game

    @property
    def label(self) -> str:
        """The words of the offer."""
        return str(self.game.ruleset.words.label(self.game, self.choice, self.offer))

    @property
    def value(self) -> Value:
        """What the step will receive."""
        return self.offer.value

    @property
    def cost(self) -> tuple[tuple[int, str], ...]:
        """What it costs, as (amount, of what)."""
        return self.offer.cost

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules by which it is on offer."""
        return self.offer.rules


class Undo(msgspec.Struct, frozen=True):
    """What taking back a seat's last answer would do: entries of the history kept, and whose consent it needs."""

    keep: int
    seat: str
    consents: tuple[str, ...]


class Encounter:
    """See `docs/design.md` for the contract. Every method that refuses something leaves the encounter as it was."""

    __slots__ = ("_encoded", "_encoded_upto", "_game", "_past", "_rebuilt_at", "_unread")

    def __init__(self, game: Game, past: bytes = b"", *, unread: bool = False) -> None:
        self._game = game
        self._past = past  # the history before `game.history`, encoded: it is decoded when somebody asks
        self._encoded = past  # the same with the first `_encoded_upto` entries of `game.history`
        self._encoded_upto = 0
        self._unread = unread  # whether the log before a load is still to be played through
        self._rebuilt_at: tuple[int, int, Game] | None = None  # what taking back was asked for last: entries, kept, the game then

    @classmethod
    def start(
        cls,
        content: Content,
        seed: int | None = None,
        *,
        log: bool = True,
        debug: bool = False,
        real_dice: bool = False,
    ) -> Encounter:
        """A new encounter at its first question. With a seed the dice are drawn; `real_dice` asks for every roll."""
        game = Game(content, None if real_dice else seed, log=log, debug=debug)
        game.begin()
        return cls(game)

    # What is asked

    @property
    def game(self) -> Game:
        """The state that rules work on; for rulesets, tests and the GM's tools."""
        return self._game

    @property
    def content(self) -> Content:
        """The scenario and its cards."""
        return self._game.content

    @property
    def question(self) -> Question | None:
        """What the encounter stops for; None when it is over."""
        return self._game.question

    @property
    def result(self) -> Result | None:
        """How it ended; None while it goes on."""
        return self._game.result

    @property
    def nodes(self) -> int:
        """Questions answered so far."""
        return self._game.nodes

    @property
    def seed(self) -> int | None:
        """The seed of its dice, if it has one."""
        return self._game.start

    @property
    def where(self) -> str:
        """The agenda as a sentence."""
        return sentence(self._game.agenda)

    def asked(self) -> tuple[str, ...]:
        """The seats that are asked now."""
        return answers.asked(self._game)

    def choice(self, seat: str | None = None) -> Choice | None:
        """The Choice before a seat, or before the one seat that is asked; None if it is not asked."""
        return answers.choice_of(self._game, answers.known(self._game, seat))

    def offers(self, seat: str | None = None) -> list[Shown]:
        """The legal answers of a seat now."""
        choice = self.choice(seat)
        return [] if choice is None else [Shown(offer, choice, self._game) for offer in choice.offers]

    def refusals(self, seat: str | None = None) -> list[Refusal]:
        """What a seat might expect to be able to do now and may not, with reasons."""
        choice = self.choice(seat)
        if choice is None or choice.refuse is None:
            return []
        return list(self._in_branch(choice.seat, lambda: list(choice.refuse(self._game, choice))))

    def breakdown(self, offer: Shown | Offer) -> list[Breakdown]:
        """Every number in an offer: base, modifiers, their sources and rules."""
        shown = offer if isinstance(offer, Shown) else next(
            (each for seat in self.asked() for each in self.offers(seat) if each.offer is offer), None
        )  # fmt: skip
        if shown is None:
            raise IllegalAnswer("this offer belongs to another question")
        return list(
            self._in_branch(shown.choice.seat, lambda: self._game.ruleset.breakdown(self._game, shown.choice, shown.offer))
        )

    def _in_branch(self, seat: str, call: Any) -> Any:
        """Calls with the private branch of a seat as the agenda, where there is one."""
        game = self._game
        if game.branches is None or seat not in game.branches:
            return call()
        public, game.agenda = game.agenda, game.branches[seat].agenda
        try:
            return call()
        finally:
            game.agenda = public

    # Answering

    def answer(self, answer: Any, seat: str | None = None) -> None:
        """Answers the question: with an offer, its value or its label; a Roll with its outcome, also as typed.

        IllegalAnswer, and nothing changed, if it is not on offer or that seat is not asked.
        """
        answers.answer(self._game, answer.offer if type(answer) is Shown else answer, seat)

    def take_back(self, seat: str) -> None:
        """Takes back what a seat has drafted or sealed in secret, as long as not all have sealed."""
        answers.take_back(self._game, seat)

    def concede(self, seat: str) -> None:
        """The side of a seat gives up; possible at any question, whoever is asked."""
        answers.concede(self._game, seat)

    def rule(self, edits: answers.Edits, reason: str, by: str = "gm") -> None:
        """A GM's ruling: sets fields of records, with a reason; logged and replayed.

        `edits` are (record id, field, value), or {record id: {field: value}}. IllegalAnswer if one does not fit.
        """
        answers.rule(self._game, edits, reason, by)

    def hide(self, who: str, reason: str, by: str = "gm") -> None:
        """A GM's ruling that a figure hides: from now on it is out of play and unknown to all but its side and the GM.

        IllegalAnswer if it cannot just now, or if the game has no place for figures in hiding.
        """
        answers.rule(self._game, hiding.ruling(self._game, who, hiding.HIDDEN), reason, by)

    def reveal(self, who: str, reason: str, by: str = "gm") -> None:
        """A GM's ruling that a figure in hiding comes out. IllegalAnswer if it does not hide, or cannot stand where it is."""
        answers.rule(self._game, hiding.ruling(self._game, who, ""), reason, by)

    # Taking back

    def can_undo(self, seat: str) -> Undo:
        """What undoing the last answer of a seat would need. IllegalAnswer if there is nothing to take back."""
        answers.known(self._game, seat)
        game = self._game
        if game.history is None:
            raise IllegalAnswer("an imagined encounter has no history to take back")
        played = effective(self.history())
        keep = next((place for place in range(len(played) - 1, -1, -1) if seat in seats_in(played[place])), None)
        if keep is None:
            raise IllegalAnswer(f"{seat} has given no answer that could be taken back")
        tail = played[keep:]
        needed = {each for entry in tail for each in seats_in(entry)}
        if game.branches is not None:
            needed.update(each for each, branch in game.branches.items() if branch.closed)
        if any(entry[0] == "roll" for entry in tail):
            needed.update(game.seats)
        past = self._rebuilt(played[:keep])
        self._rebuilt_at = game.length, keep, past
        needed.update(each for each, count in game.learned.items() if count > past.learned.get(each, 0))
        if EVERYBODY in needed:
            needed.update(game.seats)
        away = hiding.unknown_seats(game, seat)
        consents = tuple(
            each
            for each, facts in game.seats.items()
            if each in needed and each != seat and facts.role != "spectator" and each not in away
        )
        return Undo(keep, seat, consents)

    def undo(self, seat: str | None = None, consents: Iterable[str] = ()) -> None:
        """Takes back the last answer of a seat (the last one to answer, if none is named).

        Free as long as since then no roll was drawn, nothing hidden became visible and no other seat has answered; else
        with the consent of every seat that answered or learned. A roll once seen stays used.
        """
        if seat is None:
            entries = effective(self.history())
            seat = next((seats[-1] for entry in reversed(entries) if (seats := seats_in(entry))), None)
            if seat is None:
                raise IllegalAnswer("nobody has answered yet; there is nothing to take back")
        undo = self.can_undo(seat)
        given = tuple(sorted({seat, *consents}))
        missing = [each for each in undo.consents if each not in given]
        if missing:
            raise IllegalAnswer(f"this can only be taken back with the consent of {', '.join(missing)}")
        self._undone(("undo", undo.keep, seat, given))

    def _undone(self, entry: Entry) -> None:
        old = self._game
        history = self.history()
        played = effective(history)
        keep = entry[1]
        game, self._rebuilt_at = self._rebuilt(played[:keep]), None
        game.remembered = {**old.remembered, **answers.rolls_seen(game, played[keep:])}
        game.history = [*history, entry]
        game.length = len(game.history)
        game.rolls = sum(each[0] == "roll" for each in history)
        game.dice = old.dice
        self._game = game
        self._past = self._encoded = b""
        self._encoded_upto = 0
        self._unread = False

    def _rebuilt(self, played: Sequence[Entry]) -> Game:
        """The game again from its beginning, after these entries; it asks for every roll."""
        old = self._game
        if self._rebuilt_at is not None and self._rebuilt_at[:2] == (old.length, len(played)):
            return self._rebuilt_at[2]
        game = Game(old.content, old.start, log=old.events is not None, debug=old.debug)
        game.dice = None
        game.begin()
        for entry in played:
            feed(game, entry)
        return game

    # Keeping

    def history(self) -> list[Entry]:
        """Every answer, roll, concession, ruling and undo so far."""
        game = self._game
        if game.history is None:
            raise IllegalAnswer("an imagined encounter has no history")
        return saves.decode_history(self._past) + game.history[: game.length]

    def fork(self, *, log: bool = True) -> Encounter:
        """The same encounter again, to be played on apart from this one."""
        game = self._game.fork()
        if not log:
            game.events = None
        new = Encounter.__new__(Encounter)
        new._game = game
        new._past = self._past
        new._encoded = self._encoded
        new._encoded_upto = self._encoded_upto
        new._unread = self._unread
        new._rebuilt_at = None
        return new

    def key(self) -> bytes:
        """Equal keys: equal question and same future."""
        return self._game.key()

    def save(self) -> bytes:
        """The whole encounter as bytes, for `referee.load`."""
        game = self._game
        if game.history is not None and self._encoded_upto < game.length:
            self._encoded += saves.encode_history(game.history[self._encoded_upto : game.length])
            self._encoded_upto = game.length
        return saves.write(game, self._encoded)

    @classmethod
    def load(cls, data: bytes, content: Content, *, log: bool = True) -> Encounter:
        """The encounter of a save, with the content that `saves.source` found in it. BadSave if it does not fit."""
        game, past = saves.read(data, content, log=log)
        return cls(game, past, unread=log and game.history is not None)

    def imagine(self, seat: str, rng: Any) -> Encounter:
        """An encounter drawn from those that look the same to the seat; `rng` is a `Stream`. Its rolls are asked."""
        answers.known(self._game, seat)
        return Encounter(views.imagined(self._game, seat, rng))

    def view(self, seat: str) -> views.View:
        """All that a seat may know, and nothing else."""
        answers.known(self._game, seat)
        return views.view(self._game, seat)

    def events(self) -> list[Event]:
        """The whole log, as the GM sees it; after a load it is played through again when first read."""
        game = self._game
        if game.events is None:
            raise RuleError("this encounter keeps no log")
        if self._unread:
            again = self._rebuilt(effective(self.history()))
            game.events, game.logged = again.events, again.logged
            self._unread = False
        assert game.events is not None
        return game.events[: game.logged]

    def events_for(self, seat: str, after: int = 0) -> list[Event]:
        """The log that a seat may see, after its first `after` lines; numbered by what that seat sees alone."""
        answers.known(self._game, seat)
        return hiding.told(self._game, self.events(), seat)[after:]

    def line(self, event: Event) -> str:
        """An event in words, with its rule ids."""
        return str(self._game.ruleset.words.line(self._game, event))

    def why(self, refusal: Refusal, seat: str | None = None) -> str:
        """A refusal of the question that is asked, in words: what may not be done, and each reason with its rules.

        IllegalAnswer if the seat is not asked.
        """
        choice = self.choice(seat)
        if choice is None:
            raise IllegalAnswer(f"{seat or 'nobody'} is asked nothing that could be refused now")
        words = self._game.ruleset.words
        reasons = [
            str(words.reason(self._game, reason)) + (f" [{', '.join(reason.rules)}]" if reason.rules else "")
            for reason in refusal.reasons
        ]
        return f"{words.label(self._game, choice, Offer(refusal.value, refusal.group))}: {'; '.join(reasons)}"

    def transcript(self) -> str:
        """The encounter as a readable text that `replay` plays again."""
        return replaying.write(self._game.content, self.seed, self.history(), self.result)
