"""A table's state: the encounter and who sits where, as all acts so far make it. Pure: the same acts, the same state."""

from __future__ import annotations

from typing import Any

import msgspec

from ..content import opening
from ..engine.answers import as_value
from ..engine.encounter import Encounter
from ..engine.errors import IllegalAnswer
from ..engine.questions import Choice, Roll
from . import acts
from .acts import HOST, REPLAY, AnyAct
from .texts import text


class Pending(msgspec.Struct, frozen=True, array_like=True):
    """A seat asks to take back its last answer; `missing` have not consented yet."""

    seat: str
    missing: tuple[str, ...]


class _Kept(msgspec.Struct, array_like=True):
    encounter: bytes
    bots: dict[str, str]
    links: dict[str, int]
    arrived: list[str]
    asked: dict[str, int]
    done: dict[str, int]
    thrown: int
    paused: bool
    pending: Pending | None
    refused: tuple[str, str] | None
    odds: bool = True
    shared: str = ""
    drafts: dict[str, tuple[str, ...]] = {}


_pack = msgspec.msgpack.Encoder().encode
_kept = msgspec.msgpack.Decoder(_Kept)


class State:
    """A table after some number of acts. `apply` makes the next state, and leaves this one as it is."""

    __slots__ = (
        "_asking", "arrived", "asked", "bots", "done", "drafts", "encounter", "links", "odds", "paused", "pending", "refused",
        "shared", "thrown",
    )  # fmt: skip

    def __init__(self, encounter: Encounter) -> None:
        self.encounter = encounter
        self.bots: dict[str, str] = {}  # seat: kind of bot
        self.links: dict[str, int] = {}  # seat: how often its link was made anew
        self.arrived: frozenset[str] = frozenset()  # seats whose link was used
        self.asked: dict[str, int] = {}  # seat: how many questions it was asked; what names a question
        self.done: dict[str, int] = {}  # seat: how many acts it did; what names its next one
        self.thrown = 0  # rolls of real dice typed in
        self.paused = False
        self.drafts: dict[str, tuple[str, ...]] = {}  # seat: its answers so far in what is decided in secret, in words
        self.odds = True  # whether the table wants to see odds
        self.pending: Pending | None = None
        self.refused: tuple[str, str] | None = None  # who asked to take back, and who said no
        self.shared = ""  # whether a link shows the past: "on", "off" once it was taken away; "all" from the first
        self._asking: dict[str, Any] = {}
        self._ask(None)

    def save(self) -> bytes:
        """The state as bytes."""
        return _pack(
            _Kept(
                self.encounter.save(), self.bots, self.links, sorted(self.arrived), self.asked, self.done, self.thrown,
                self.paused, self.pending, self.refused, self.odds, self.shared, self.drafts,
            )
        )  # fmt: skip

    @classmethod
    def load(cls, data: bytes) -> State:
        """The state of a save. BadSave if it cannot be played with what is installed."""
        kept = _kept.decode(data)
        state = cls(opening.load(kept.encounter))
        state.bots, state.links, state.arrived = kept.bots, kept.links, frozenset(kept.arrived)
        state.asked, state.done, state.thrown = kept.asked, kept.done, kept.thrown
        state.paused, state.pending, state.refused, state.odds = kept.paused, kept.pending, kept.refused, kept.odds
        state.shared, state.drafts = kept.shared, kept.drafts
        return state

    def role(self, seat: str) -> str:
        """What a seat is: player, gm, spectator, host, or looking back by a shared link; empty if there is no such seat."""
        if seat == HOST:
            return HOST
        if seat == REPLAY:
            return REPLAY if self.shared == "all" or (self.shared == "on" and self.encounter.question is None) else ""
        found = self.encounter.game.seats.get(seat)
        return found.role if found else ""

    def seats(self, *roles: str) -> list[str]:
        """The seats with one of these roles, in the scenario's order."""
        return [name for name, seat in self.encounter.game.seats.items() if seat.role in roles]

    def question_of(self, seat: str) -> str:
        """What names the question before a seat; empty if it is not asked. It counts that seat's questions only."""
        if isinstance(self.encounter.question, Roll):
            return f"r{self.thrown}" if self.may_throw(seat) else ""
        return f"q{self.asked.get(seat, 0)}" if seat in self._asking else ""

    def may_throw(self, seat: str) -> bool:
        """Whether a seat may type what real dice show: who throws, else any player; the GM always."""
        question = self.encounter.question
        if not isinstance(question, Roll):
            return False
        owner = self.encounter.game.seat_of.get(question.who)
        person = owner if owner is not None and owner not in self.bots else None
        role = self.role(seat)
        return role == "gm" or (role == "player" and (person is None or person == seat))

    def bot_to_move(self) -> str | None:
        """The first seat with a bot that is asked now."""
        if self.paused:
            return None
        return next((seat for seat in self.encounter.asked() if seat in self.bots), None)

    def apply(self, seat: str, act: AnyAct) -> State:
        """The state after an act. IllegalAnswer, and this state is as it was, if it may not be done."""
        new = self._copied()
        new.done[seat] = new.done.get(seat, 0) + 1
        match act:
            case acts.Answer(value):
                new._may_play()
                new._answer(seat, as_value(value))
            case acts.Throw(outcome):
                new._may_play()
                if not new.may_throw(seat):
                    raise IllegalAnswer(text("not_your_dice"))
                new.encounter.answer(as_value(outcome), seat)
                new.thrown += 1
            case acts.Concede():
                new._may_play()
                new.encounter.concede(seat)
            case acts.Undo():
                new._may_play()
                new._ask_back(seat)
            case acts.Consent(yes):
                new._consent(seat, yes)
            case acts.Rule(record, field, value, reason):
                new._only(seat, "gm")
                new.encounter.rule([(record, field, value)], reason, seat)
            case acts.Pause(on):
                new._only(seat, "gm", HOST)
                new.paused = on
            case acts.Advise(on):
                new._only(seat, "gm", HOST)
                new.odds = on
            case acts.Arrive():
                new.arrived = new.arrived | {seat}
            case acts.Seat(named, kind):
                new._only(seat, "gm", HOST)
                new.bots.pop(named, None)
                if kind:
                    new.bots[named] = kind
            case acts.Relink(named):
                new._only(seat, "gm", HOST)
                new.links[named] = new.links.get(named, 0) + 1
                new.arrived = new.arrived - {named}
            case acts.Share(on):
                new._share(seat, on)
        if isinstance(act, acts.Answer | acts.Throw | acts.Concede | acts.Rule):
            new.pending = new.refused = None
        new._ask(seat if isinstance(act, acts.Answer | acts.Undo | acts.Consent) else None)
        return new

    def _copied(self) -> State:
        new = State.__new__(State)
        new.encounter = self.encounter.fork()
        new.bots, new.links, new.asked, new.done = dict(self.bots), dict(self.links), dict(self.asked), dict(self.done)
        new.arrived, new.thrown, new.paused, new.odds = self.arrived, self.thrown, self.paused, self.odds
        new.pending, new.refused, new._asking, new.shared = self.pending, self.refused, self._asking, self.shared
        new.drafts = self.drafts
        return new

    def _answer(self, seat: str, value: Any) -> None:
        before = self._drafted(seat)
        labels = [each.label for each in self.encounter.offers(seat) if each.value == value] if before is not None else []
        self.encounter.answer(value, seat)
        after = self._drafted(seat)
        if before is not None and after is not None and after > before:
            self.drafts = self.drafts | {seat: (*self.drafts.get(seat, ()), *labels[:1])}
        else:
            self.drafts = {}

    def _drafted(self, seat: str) -> int | None:
        """How many answers a seat has given in what is decided in secret now; None if nothing is."""
        branch = (self.encounter.game.branches or {}).get(seat)
        return None if branch is None else len(branch.answers)

    def _may_play(self) -> None:
        if self.paused:
            raise IllegalAnswer(text("is_paused"))

    def _only(self, seat: str, *roles: str) -> None:
        if self.role(seat) not in roles:
            raise IllegalAnswer(text("gm_only"))

    def _ask_back(self, seat: str) -> None:
        self._not_over()
        branches = self.encounter.game.branches
        if branches is not None and seat in branches and branches[seat].answers:
            self.encounter.take_back(seat)
            return
        undo = self.encounter.can_undo(seat)
        # Bots consent, and so does an empty chair.
        missing = tuple(each for each in undo.consents if each in self.arrived and each not in self.bots)
        if missing:
            self.pending, self.refused = Pending(seat, missing), None
        else:
            self._take_back(seat)

    def _take_back(self, seat: str) -> None:
        self.encounter.undo(seat, self.encounter.can_undo(seat).consents)
        self.pending = self.refused = None

    def _not_over(self) -> None:
        # At the end everybody may look at everything: what is taken back after that would be played on with all known.
        if self.encounter.question is None:
            raise IllegalAnswer(text("over"))

    def _consent(self, seat: str, yes: bool) -> None:
        self._not_over()
        if self.pending is None or seat not in self.pending.missing:
            raise IllegalAnswer(text("nobody_asks_back"))
        if not yes:
            self.refused, self.pending = (self.pending.seat, seat), None
            return
        missing = tuple(each for each in self.pending.missing if each != seat)
        if missing:
            self.pending = Pending(self.pending.seat, missing)
        else:
            self._take_back(self.pending.seat)

    def _share(self, seat: str, on: bool) -> None:
        if self.encounter.question is not None:
            raise IllegalAnswer(text("share_later"))
        if not on or self.shared == "off":
            self._only(seat, "gm", HOST)
        else:
            self._only(seat, "player", "gm", HOST)
        if not on:
            self.links[REPLAY] = self.links.get(REPLAY, 0) + 1
        self.shared = "on" if on else "off"

    def _ask(self, answered: str | None) -> None:
        """Counts the questions that are new to their seats; a seat that has just answered is asked anew in any case."""
        branches = self.encounter.game.branches
        if self.drafts:
            open_drafts = {} if branches is None else {seat: len(each.answers) for seat, each in branches.items()}
            self.drafts = {seat: said[: open_drafts[seat]] for seat, said in self.drafts.items() if open_drafts.get(seat)}
        asking = {}
        for seat in self.encounter.asked():
            choice = self.encounter.choice(seat)
            assert choice is not None
            asking[seat] = _facts(choice)
            if seat == answered or self._asking.get(seat) != asking[seat]:
                self.asked[seat] = self.asked.get(seat, 0) + 1
        self._asking = asking


def _facts(choice: Choice) -> tuple[Any, ...]:
    return choice.about, choice.who, choice.form, choice.facts, choice.offers
