"""The game as rules see it: records, agenda, log, and the loop that runs steps until something is asked.

Callers use `Encounter`; this holds neither undo nor transcripts.
"""

from __future__ import annotations

from functools import cache
from itertools import repeat
from typing import Any, Final, cast

import msgspec

from ..dice import Stream
from .errors import RuleError
from .events import Event, Result
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


class Branch(msgspec.Struct, array_like=True, gc=False):
    """A seat's private branch of the agenda: how it began, where it stands, the answers given, the sealed one."""

    first: Frame
    agenda: list[Frame]
    answers: tuple[Value, ...] = ()
    closed: bool = False
    sealed: Value = None


class Game:
    """One encounter's state. Rules read `records` and `table`, change records through `edit`, and `log` what happens."""

    __slots__ = (
        "agenda", "asked_for", "branches", "content", "debug", "dice", "edited", "events", "frame_classes", "history",
        "learned", "length", "logged", "nodes", "owned", "owned_from", "policy", "private", "question", "records",
        "remembered", "result", "rolls", "round", "rules", "ruleset", "seat_of", "seats", "start", "table", "together_at",
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
        self.branches: dict[str, Branch] | None = None
        self.together_at = -1
        self.private: str | None = None
        self.edited: list[Id] = []
        self.events: list[Event] | None = [] if log else None
        self.logged = 0
        self.rules: tuple[str, ...] = ()
        self.question: Question | None = None
        self.asked_for: dict[str, Choice] = {}
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
        if self.private is not None:
            self._changing()
        self.edited.append(id)
        if id in self.owned:
            return self.records[id]
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
        for depth in range(len(self.agenda) - 1, above, -1):
            if isinstance(self.agenda[depth], kind):
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
            self._forget_branches()
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
        raise RuleError(f"there is no window over the frame at depth {depth} of {sentence(self.agenda)}")

    def happens(self, event: str, who: Id = "") -> None:
        """Tells all lasting effects that an event has happened to somebody; those that end with it end."""
        records = self.records
        for id in [id for id, record in records.items() if getattr(record, "effects", ())]:
            effects = records[id].effects
            left = happened(effects, event, who)
            if left is not effects:
                self.edit(id).effects = left

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
        branches = self.branches
        new.branches = branches and {
            seat: Branch(each.first, each.agenda.copy(), each.answers, each.closed, each.sealed)
            for seat, each in branches.items()
        }
        new.together_at = self.together_at
        new.private = None
        new.edited = []
        new.events = self.events
        new.logged = self.logged
        new.rules = self.rules
        new.question = self.question
        new.asked_for = self.asked_for.copy() if branches else self.asked_for
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
        self.agenda.extend(first if isinstance(first, tuple) else (first,))
        self.run()

    def resume_dice(self) -> None:
        """Draws rolls from the stream of the seed again, after they were asked for a while."""
        self.dice = None if self.start is None else Stream(self.start)
        if self.dice is not None and isinstance(self.question, Roll):
            self.question = None
            self.run()

    def answered(self, value: Any) -> None:
        """Goes on after the question on top of the agenda was answered."""
        self.nodes += 1
        self.question = None
        agenda = self.agenda
        frame = agenda[-1] if self.owned_from < len(agenda) else self.edit_frame(len(agenda) - 1)
        frame.pc += 1
        self.run(value)

    def interrupt(self, frame: Frame) -> None:
        """Runs a frame on top of the question asked, which is asked again after it."""
        self.question = None
        self.agenda.append(Interrupt())
        self.agenda.append(frame)
        self.run()

    def run(self, carried: Any = None) -> Any:
        """Runs steps until something is asked or the agenda is empty; then the last frame that finished."""
        agenda = self.agenda
        edited = self.edited
        debug = self.debug
        before = None
        depth = len(agenda) - 1
        for _ in repeat(None, STEP_LIMIT):
            if depth < 0:
                self.question = None
                return carried
            frame = agenda[depth]
            pc = frame.pc
            step, takes, self.rules = frame.STEPS[pc]
            if step is None:
                del agenda[depth]
                if depth < self.owned_from:
                    self.owned_from = depth
                depth -= 1
                carried = frame if frame.HANDS_OVER else None
                continue
            if depth < self.owned_from:
                frame = agenda[depth] = frame.__copy__()  # type: ignore[attr-defined]
                self.owned_from = depth
            if debug:
                before = (self.key(), self.logged, self.length)
            result = step(frame, self, carried) if takes else step(frame, self)
            carried = None
            if result is None:
                after = frame.pc
                if after == pc:
                    frame.pc = pc + 1
                elif after < 0:
                    frame.pc = ~after
                if edited:
                    self._look(edited)
                    depth = len(agenda) - 1
                continue
            kind = type(result)
            if kind is Choice or kind is Roll or kind is Together:
                if before is not None:
                    self._unchanged(before, frame, pc)
                if kind is Choice:
                    offers = result.offers
                    if len(offers) != 1 or result.always:
                        self._ask(result)
                        return None
                    carried = offers[0].value
                else:
                    carried = self._rolled(result) if kind is Roll else self._ask_together(result)
                    if carried is None:
                        self.question = result
                        return None
                frame.pc = pc + 1
                continue
            after = frame.pc
            frame.pc = ~after if after < 0 else pc + 1 if after == pc else after
            if kind is Cut:
                self._cut(result)
            elif kind is Window:
                result.depth = depth
                if any(result.held(self, who) for who in result.order):
                    agenda.append(result)
            else:
                agenda.append(result)
                if depth > DEPTH_LIMIT:
                    break
            if edited:
                self._look(edited)
            depth = len(agenda) - 1
        raise RuleError(self._loop())

    def _ask(self, choice: Choice) -> None:
        if not choice.offers:
            raise RuleError(f"{sentence(self.agenda)} asks {choice.seat} without an offer")
        if choice.seat not in self.seats:
            raise RuleError(f"{sentence(self.agenda)} asks {choice.seat!r}; the seats are {', '.join(self.seats)}")
        self.question = choice

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

    def _look(self, edited: list[Id]) -> None:
        """State-based checks on the records that a step has edited, and the end of the encounter."""
        ids = tuple(edited)
        edited.clear()
        if self.result is None:
            found: list[Frame | Cut] = []
            for check in self.ruleset.checks:
                frame = check(self, ids)
                if frame is not None:
                    found.append(frame)
            if edited:
                edited.clear()
            for frame in reversed(found):
                if isinstance(frame, Cut):
                    self._cut(frame)
                elif frame not in self.agenda:  # else it was found before and waits to begin
                    self.agenda.append(Interrupt())
                    self.agenda.append(frame)
                    if len(self.agenda) > DEPTH_LIMIT:
                        raise RuleError(self._loop())
        if self.result is not None:
            self.agenda.clear()
            self._forget_branches()
            self.owned_from = 0

    def _cut(self, cut: Cut) -> None:
        if self.branches is not None and self.private is None and cut.depth <= self.together_at:
            self._forget_branches()
        del self.agenda[cut.depth + 1 :]
        self.owned_from = min(self.owned_from, len(self.agenda))
        frame = self.edit_frame(cut.depth)
        frame.pc = frame.NAMES[cut.step]

    # Private branches

    def _ask_together(self, together: Together) -> dict[str, Value] | None:
        """Runs every private branch to its question; the sealed answers if all are sealed, else None."""
        if self.private is not None:
            raise RuleError(f"the private branch of {self.private} asks several seats: {sentence(self.agenda)}")
        depth = len(self.agenda) - 1
        old = self.branches if self.branches is not None and self.together_at == depth else {}
        self.branches = {}
        self.together_at = depth
        self.asked_for = {}
        for seat, first in together.branches.items():
            branch = old.get(seat)
            drafts = branch.answers if branch is not None and branch.first == first else ()
            self.branches[seat] = Branch(first, [copied(first)])
            self.question = together
            self._draft_again(seat, drafts)
        return self.revealed()

    def _draft_again(self, seat: str, drafts: tuple[Value, ...]) -> None:
        """Drafts given before a load or an interruption, as far as they are still on offer."""
        self.run_branch(seat)
        for value in drafts:
            choice = self.asked_for.get(seat)
            if choice is None or not any(offer.value == value for offer in choice.offers):
                return
            assert self.branches is not None
            branch = self.branches[seat]
            branch.answers = (*branch.answers, value)
            self.run_branch(seat, value, answered=True)

    def run_branch(self, seat: str, carried: Any = None, *, answered: bool = False) -> None:
        """Runs a seat's private branch to its next Choice or to its sealed answer."""
        assert self.branches is not None
        branch = self.branches[seat]
        public, owned_from, question = self.agenda, self.owned_from, self.question
        self.agenda, self.owned_from, self.private, self.question = branch.agenda, len(branch.agenda), seat, None
        try:
            if answered:
                self.edit_frame(len(branch.agenda) - 1).pc += 1
            finished = self.run(carried)
            asked = cast(Question | None, self.question)
        finally:
            self.agenda, self.owned_from, self.private, self.question = public, owned_from, None, question
        if asked is None:
            if not hasattr(finished, "sealed"):
                raise RuleError(f"the private branch of {seat} ends without a field `sealed`: {type(branch.first).__name__}")
            branch.closed = True
            branch.sealed = finished.sealed
            self.asked_for.pop(seat, None)
        else:
            assert isinstance(asked, Choice)
            if asked.seat != seat:
                raise RuleError(f"the private branch of {seat} asks {asked.seat}: {sentence(branch.agenda)}")
            self.asked_for[seat] = asked

    def revealed(self) -> dict[str, Value] | None:
        """The sealed answers by seat once all are sealed, noted in the history in the order of the branches."""
        assert self.branches is not None
        if not all(branch.closed for branch in self.branches.values()):
            return None
        sealed = {seat: branch.sealed for seat, branch in self.branches.items()}
        if any(branch.answers for branch in self.branches.values()):
            self.note(("together", tuple((seat, branch.answers) for seat, branch in self.branches.items())))
            self.reveal()
        self.question = None
        self._forget_branches()
        return sealed

    def _forget_branches(self) -> None:
        self.branches = None
        self.together_at = -1
        self.asked_for = {}

    def restore_branches(self, depth: int, saved: dict[str, tuple[Frame, list[Frame], tuple[Value, ...], bool, Value]]) -> None:
        """Puts back the private branches of a save, which the frame at `depth` asks for; it asks for them again."""
        self.branches = {seat: Branch(*parts) for seat, parts in saved.items()}
        self.together_at = depth

    # Faults of a ruleset

    def _changing(self) -> None:
        if self.private is not None:
            raise RuleError(f"the private branch of {self.private} changes a public record: {sentence(self.agenda)}")

    def _unchanged(self, before: tuple[bytes, int, int], frame: Frame, pc: int) -> None:
        if frame.STEPS[pc][1]:
            raise RuleError(f"a step that asks takes an answer: {sentence(self.agenda)}")
        if frame.pc != pc or self.edited or (self.key(), self.logged, self.length) != before:
            raise RuleError(f"a step that asks changes something: {sentence(self.agenda)}")

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


_encode = msgspec.msgpack.Encoder().encode
