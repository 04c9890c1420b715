"""The game as rules see it: records, agenda, log, and the loop that runs steps until something is asked.

Callers use `Encounter`; this holds neither undo nor transcripts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import repeat
from typing import Any, Final, cast

import msgspec

from ..dice import Stream
from . import branches, hiding
from .errors import RuleError
from .events import Event, Result, Veiled
from .frames import ENGINE_FRAMES, Frame, Interrupt, Window, copied, sentence
from .questions import Choice, Cut, Question, Roll, Together, Value
from .records import Effect, Id, Record, happened, merged
from .ruleset import Content, Ruleset

STEP_LIMIT: Final = 20_000
DEPTH_LIMIT: Final = 200
EVERYBODY: Final = ""

Entry = tuple[Any, ...]
"""What the history holds: ("choice", seat, value), ("roll", outcome), ("together", ((seat, values), ...)),
("concede", seat), ("ruling", by, reason, edits), ("undo", length, seat, consents)."""


class Game:
    """One encounter's state. Rules read `records` and `table`, change records through `edit`, and `log` what happens."""

    __slots__ = (
        "agenda", "asked_for", "branches", "content", "debug", "dice", "edited", "events", "frame_classes", "history",
        "learned", "length", "logged", "nodes", "owned", "owned_from", "policy", "private", "question", "records",
        "remembered", "result", "rolls", "round", "rules", "ruleset", "seat_of", "seats", "start", "table", "together_at",
        "unseen",
    )  # fmt: skip

    def __init__(self, content: Content, seed: int | None, *, log: bool = True, debug: bool = False) -> None:
        ruleset = content.ruleset
        self.content = content
        self.ruleset = ruleset
        setting = content.setting
        self.table = setting.table
        self.policy = setting.policy
        self.seats = setting.seats
        self.seat_of = setting.seat_of
        self.frame_classes = _frame_classes(ruleset)
        self.records: dict[Id, Any] = {}
        self.owned: set[Id] = set()
        self.agenda: list[Frame] = []
        self.owned_from = 0
        self.branches: dict[str, branches.Branch] | None = None
        self.together_at = -1
        self.private: str | None = None
        self.edited: list[Id] = []
        self.events: list[Event] | None = [] if log else None
        self.logged = 0
        self.rules: tuple[str, ...] = ()
        self.question: Question | None = None
        self.asked_for: dict[str, Choice] = {}
        self.unseen: tuple[Id, ...] = ()  # the figures that hide: made from the records where one goes into hiding or comes out
        self.start = seed
        self.dice: Stream | None = None if seed is None else Stream(seed)
        self.history: list[Entry] | None = []
        self.length = 0
        self.learned: dict[str, int] = {}
        self.remembered: dict[bytes, Any] = {}
        self.result: Result | None = None
        self.round = 0
        self.rolls = 0
        self.nodes = 0
        self.debug = debug

    # What rules use

    def put(self, record: Record) -> None:
        """Adds a record. RuleError if its id is taken."""
        if record.id in self.records:
            raise RuleError(f"there are two records of the id {record.id!r}")
        self._changing()
        self.records[record.id] = record
        self.owned.add(record.id)
        self.edited.append(record.id)

    def edit(self, id: Id) -> Any:
        """The record of that id, to be changed: it is copied on the first write after a fork."""
        self.edited.append(id)
        if id in self.owned:
            return self.records[id]
        self._changing()
        record = self.records[id] = self.records[id].__copy__()
        self.owned.add(id)
        return record

    def remove(self, id: Id) -> None:
        """Takes a record away."""
        self._changing()
        del self.records[id]
        self.owned.discard(id)
        self.edited.append(id)

    def log(
        self,
        kind: str,
        /,
        *,
        seen_by: tuple[str, ...] | None = None,
        rules: tuple[str, ...] = (),
        explain: bool = False,
        **facts: Any,
    ) -> None:
        """Notes an event; it cites the rules of the running step and those given."""
        if self.private is not None:
            self._changing()
        events = self.events
        if events is None:
            return
        if len(events) != self.logged:
            events = self.events = events[: self.logged]
        if self.unseen:
            events.append(Veiled(kind, facts, self.rules + rules, seen_by, len(self.agenda), explain, self.unseen))
        else:
            events.append(Event(kind, facts, self.rules + rules, seen_by, len(self.agenda), explain))
        self.logged += 1

    def reveal(self, *seats: str) -> None:
        """Says that something hidden has become known to these seats (none named: to all); a boundary for undo."""
        self._changing()
        for seat in seats or (EVERYBODY,):
            self.learned[seat] = self.learned.get(seat, 0) + 1

    def finish(self, winner: str | None, reason: str) -> None:
        """Ends the encounter with a winning side, or None for a draw."""
        self._changing()
        self.result = Result(winner, reason)
        self.edited.append("")

    def find(self, kind: type[Frame], above: int = -1) -> int:
        """The depth of the topmost frame of a class, or -1."""
        agenda = self.agenda
        for depth in range(len(agenda) - 1, above, -1):
            if isinstance(agenda[depth], kind):
                return depth
        return -1

    def edit_frame(self, depth: int) -> Frame:
        """The frame at that depth of the agenda, to be changed."""
        agenda = self.agenda
        while self.owned_from > depth:
            self.owned_from -= 1
            agenda[self.owned_from] = copied(agenda[self.owned_from])
        return agenda[depth]

    def end(self, depth: int, step: str) -> None:
        """Closes the windows over the frame at `depth` and sends it to `step` once what stands above has finished."""
        frame = self.edit_frame(depth)
        frame.pc = frame.NAMES[step]
        if self.branches is not None and self.private is None and depth == self.together_at:
            branches.forget(self)
        for above in range(depth + 1, len(self.agenda)):
            window = self.agenda[above]
            if isinstance(window, Window) and window.depth == depth:
                window.pc = len(window.STEPS) - 1

    def restart(self, depth: int) -> None:
        """Begins a new pass of the window over the frame at `depth`, from the first in its order."""
        for above in range(len(self.agenda) - 1, depth, -1):
            window = self.agenda[above]
            if isinstance(window, Window) and window.depth == depth:
                window = cast(Window, self.edit_frame(above))
                window.place = 0
                window.quiet = True
                return
        raise RuleError(f"there is no window over the frame at depth {depth} of {sentence(self.agenda, running=True)}")

    def happens(self, event: str, who: Id = "") -> None:
        """Tells all lasting effects that an event has happened to somebody; those that end with it end."""
        bearers: frozenset[type[Any]] = _bearers(self.ruleset)
        for record in list(self.records.values()):
            if record.__class__ in bearers and record.effects:
                left = happened(record.effects, event, who)
                if left is not record.effects:
                    self.edit(record.id).effects = left

    def give(self, bearer: Id, effect: Effect) -> None:
        """Lays a lasting effect on a bearer, whose record has a field `effects`."""
        record = self.edit(bearer)
        record.effects = merged(record.effects, effect)

    def new_frame(self, name: str, *facts: Value) -> Frame:
        """A frame of the class of that name."""
        return cast(Any, self.frame_classes[name])(*facts)  # type: ignore[no-any-return]

    # What encounters use

    def fork(self) -> Game:
        """The same state again, to be played on apart from this one; log and history are shared up to here."""
        new = Game.__new__(Game)
        new.content = self.content
        new.ruleset = self.ruleset
        new.table = self.table
        new.policy = self.policy
        new.seats = self.seats
        new.seat_of = self.seat_of
        new.frame_classes = self.frame_classes
        new.records = self.records.copy()
        new.agenda = self.agenda.copy()
        new.owned_from = self.owned_from = len(self.agenda)
        new.owned = set()
        self.owned = set()
        new.branches = self.branches and branches.copied(self.branches)
        new.together_at = self.together_at
        new.private = None
        new.edited = []
        new.events = self.events
        new.logged = self.logged
        new.rules = self.rules
        new.question = self.question
        new.asked_for = self.asked_for.copy() if self.branches else self.asked_for
        new.unseen = self.unseen
        new.start = self.start
        dice = self.dice
        new.dice = None if dice is None else Stream(dice.seed)
        new.history = self.history
        new.length = self.length
        new.learned = self.learned.copy() if self.learned else {}
        new.remembered = self.remembered
        new.result = self.result
        new.round = self.round
        new.rolls = self.rolls
        new.nodes = self.nodes
        new.debug = self.debug
        return new

    def key(self) -> bytes:
        """Equal keys, equal question, same future: records, agenda, private branches, round."""
        return _encode((self.round, list(self.records.values()), self.agenda, self.branches, self.result))

    def note(self, entry: Entry) -> None:
        """Adds an entry to the history, unless none is kept."""
        history = self.history
        if history is not None:
            if len(history) != self.length:
                history = self.history = history[: self.length]
            history.append(entry)
            self.length += 1

    def begin(self) -> None:
        """Sets the encounter up and runs it to its first question."""
        first = self.ruleset.setup(self)
        self.edited.clear()
        self.unseen = hiding.out_of_sight(self)
        self.agenda.extend(first if isinstance(first, tuple) else (first,))
        self.run()

    def resume_dice(self) -> None:
        """Draws rolls from the stream of the seed again, after they were asked for a while."""
        self.dice = None if self.start is None else Stream(self.start)
        if self.dice is not None and isinstance(self.question, Roll):
            self.question = None
            self.run()

    def leap(self, step: str, facts: Mapping[str, Any], then: Callable[[Game], None] | None = None) -> None:
        """Goes on at a later step of the frame that asks, with facts as the steps between would have left them: for odds.

        `then` changes what else these steps would have changed.
        """
        self.nodes += 1
        self.question = None
        frame = self.edit_frame(len(self.agenda) - 1)
        for name, value in facts.items():
            setattr(frame, name, value)
        if then is not None:
            then(self)
        frame.pc = frame.NAMES[step]
        self.run()

    def interrupt(self, frame: Frame) -> None:
        """Runs a frame on top of the question asked, which is asked again after it."""
        self.question = None
        self.agenda.append(Interrupt())
        self.agenda.append(frame)
        self.run()

    def run(self, carried: Any = None, forward: int = 0) -> Any:
        """Runs steps until something is asked or the agenda is empty; then the last frame that finished.

        `carried` is what the first step takes, if it does; with `forward` 1 that is the step after the one that asked.
        """
        # The innermost loop of everything: every step of every playing, odds and search goes through it.
        agenda = self.agenda
        edited = self.edited
        debug = self.debug
        before = None
        budget = repeat(None, STEP_LIMIT)
        while agenda:
            frame = agenda[-1] if self.owned_from < len(agenda) else self.edit_frame(len(agenda) - 1)
            if forward:
                frame.pc += 1
                forward = 0
            steps = frame.STEPS
            for _ in budget:
                pc = frame.pc
                step, takes, self.rules, frame.pc = steps[pc]  # goes on at the next, unless the step says where
                if step is None:
                    agenda.pop()
                    carried = frame if takes else None
                    if len(agenda) <= self.owned_from:
                        break
                    frame = agenda[-1]
                    steps = frame.STEPS
                    continue
                if debug:
                    before = self._before(frame, pc)
                result = step(frame, self, carried) if takes else step(frame, self)
                carried = None
                if result is None:
                    if edited and self._look(edited):
                        break
                    continue
                kind = result.__class__
                if kind is Choice:
                    if before is not None:
                        self._unchanged(before, frame, pc)
                    offers = result.offers
                    if len(offers) == 1 and not result.always:
                        carried = offers[0].value
                        continue
                    frame.pc = pc
                    if not offers or result.seat not in self.seats:
                        raise RuleError(self._unaskable(result))
                    self.question = result
                    return None
                if kind is Roll or kind is Together:
                    if before is not None:
                        self._unchanged(before, frame, pc)
                    frame.pc = pc  # a roll seen before an undo is known by the state that asks for it
                    carried = self._rolled(result) if kind is Roll else branches.ask(self, result)
                    if carried is None:
                        self.question = result
                        return None
                    frame.pc = pc + 1
                    continue
                if kind is Cut:
                    self._cut(result)
                elif kind is Window:
                    self._open(result)
                else:
                    agenda.append(result)
                    if len(agenda) > DEPTH_LIMIT:
                        raise RuleError(self._loop())
                    if not edited or not self._look(edited):
                        frame = result
                        steps = frame.STEPS
                        continue
                if edited:
                    self._look(edited)
                break
            else:
                raise RuleError(self._loop())
        self.question = None
        return carried

    def _rolled(self, roll: Roll) -> Any:
        """The outcome of a roll: one that was seen before an undo, else from the stream; None if it must be asked."""
        if self.private is not None:
            raise RuleError(f"the private branch of {self.private} rolls dice: {sentence(self.agenda)}")
        outcome = self.remembered.get(self.key()) if self.remembered else None
        if outcome is None:
            dice = self.dice
            if dice is None:
                return None
            # Every roll has a stretch of the stream to itself, so its place follows from the number of rolls alone.
            dice.drawn = self.rolls << 32
            outcome = roll.spec.sample(dice)
        self.note(("roll", outcome))
        self.rolls += 1
        self.nodes += 1
        return outcome

    def _look(self, edited: list[Id]) -> bool:
        """State-based checks on the records that a step has edited, and the end: whether another frame goes on."""
        found = None
        if self.result is None:
            ids = tuple(edited)
            for check in self.ruleset.checks:
                frame = check(self, ids)
                if frame is not None:
                    found = [frame] if found is None else [*found, frame]
        edited.clear()
        if self.result is not None:
            self.agenda.clear()
            branches.forget(self)
            self.owned_from = 0
            return True
        if found is None:
            return False
        for frame in reversed(found):
            if isinstance(frame, Cut):
                self._cut(frame)
            elif frame not in self.agenda:  # else it was found before and waits to begin
                self.agenda.append(Interrupt())
                self.agenda.append(frame)
                if len(self.agenda) > DEPTH_LIMIT:
                    raise RuleError(self._loop())
        return True

    def _open(self, window: Window) -> None:
        """Puts a window over the frame that asks for it, if anybody might play something there."""
        window.depth = len(self.agenda) - 1
        for who in window.order:
            if window.held(self, who):
                self.agenda.append(window)
                return

    def _cut(self, cut: Cut) -> None:
        if self.branches is not None and self.private is None and cut.depth <= self.together_at:
            branches.forget(self)
        del self.agenda[cut.depth + 1 :]
        self.owned_from = min(self.owned_from, len(self.agenda))
        frame = self.edit_frame(cut.depth)
        frame.pc = frame.NAMES[cut.step]

    # Faults of a ruleset

    def _changing(self) -> None:
        if self.private is not None:
            raise RuleError(
                f"the private branch of {self.private} changes a public record: {sentence(self.agenda, running=True)}"
            )

    def _before(self, frame: Frame, pc: int) -> tuple[bytes, int, int]:
        after, frame.pc = frame.pc, pc
        key = self.key()
        frame.pc = after
        return key, self.logged, self.length

    def _unchanged(self, before: tuple[bytes, int, int], frame: Frame, pc: int) -> None:
        went, frame.pc = frame.pc, pc
        if frame.STEPS[pc][1]:
            raise RuleError(f"a step that asks takes an answer: {sentence(self.agenda)}")
        if went != pc + 1 or self.edited or (self.key(), self.logged, self.length) != before:
            raise RuleError(f"a step that asks changes something: {sentence(self.agenda)}")
        frame.pc = went

    def _unaskable(self, choice: Choice) -> str:
        if not choice.offers:
            return f"{sentence(self.agenda)} asks {choice.seat} without an offer"
        return f"{sentence(self.agenda)} asks {choice.seat!r}; the seats are {', '.join(self.seats)}"

    def _loop(self) -> str:
        names = [type(frame).__name__ for frame in self.agenda if not isinstance(frame, Interrupt)]
        tail = names[-12:]
        for size in range(1, len(tail) // 2 + 1):
            if tail[-size:] == tail[-2 * size : -size]:
                return f"a loop that never ends: {' > '.join(tail[-size:])} again and again, in {sentence(self.agenda[:3])}"
        return f"{STEP_LIMIT} steps without a question: {sentence(self.agenda[:6])}"


@cache
def _frame_classes(ruleset: Ruleset) -> dict[str, type[Frame]]:
    return {kind.__name__: kind for kind in (*ENGINE_FRAMES, *ruleset.frames)}


@cache
def _bearers(ruleset: Ruleset) -> frozenset[type[Any]]:
    """The records that lasting effects may lie on."""
    return frozenset(kind for kind in ruleset.records if "effects" in kind.__struct_fields__)


_encode = msgspec.msgpack.Encoder().encode
