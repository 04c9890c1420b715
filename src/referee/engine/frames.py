"""Frames: a rule in progress, with its named steps; and the frames that the engine itself owns (loops, windows)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import msgspec

from . import hiding
from .questions import Choice, Offer, Refusal, Value
from .records import Id, hidden_fields, knows

if TYPE_CHECKING:
    from .game import Game

F = TypeVar("F", bound="type[Frame]")
S = TypeVar("S", bound=Callable[..., Any])


class Frame(msgspec.Struct, array_like=True, tag=True, gc=False, kw_only=True):
    """A rule in progress: facts as fields, steps as methods, declared with `@steps` in the order of the rulebook.

    A step returns None (go on), a question, a frame to run first, or a Cut. The step after a question takes the answer, the
    step after a frame the finished frame. A step that asks takes no answer and changes nothing.
    """

    # Each step with whether it takes an answer, the rules it cites and the place of the next one; a last one without a function
    # ends the frame, and says whether the step below is handed it.
    STEPS: ClassVar[tuple[tuple[Callable[..., Any] | None, bool, tuple[str, ...], int], ...]] = ((None, True, (), 0),)
    NAMES: ClassVar[dict[str, int]] = {}

    pc: int = 0

    def go(self, step: str) -> None:
        """After this step, go on with the named one."""
        self.pc = self.NAMES[step]

    def done(self) -> None:
        """After this step, leave the rule."""
        self.pc = len(self.STEPS) - 1


def copied(frame: Frame) -> Frame:
    """A copy of a frame with the same facts."""
    return frame.__copy__()  # type: ignore[attr-defined, no-any-return]


def steps(*names: str) -> Callable[[F], F]:
    """Declares the steps of a frame, in their order. TypeError if a step is missing or shares the name of a fact."""

    def declare(kind: F) -> F:
        table: list[tuple[Callable[..., Any] | None, bool, tuple[str, ...], int]] = []
        for name in names:
            function = kind.__dict__.get(name)
            if name in kind.__struct_fields__:
                raise TypeError(f"{kind.__name__}: {name!r} is a step and a fact; name the step by a verb, the fact by a noun")
            if not callable(function):
                raise TypeError(f"{kind.__name__}: there is no step {name!r}")
            takes = function.__code__.co_argcount - 2
            if takes not in (0, 1):
                raise TypeError(f"{kind.__name__}.{name}: a step takes its frame, the game, and at most one answer")
            table.append((function, bool(takes), getattr(function, "cites", ()), len(table) + 1))
        kind.STEPS = (*table, (None, True, (), len(table)))
        kind.NAMES = {name: place for place, name in enumerate(names)}
        return kind

    return declare


def cites(*rules: str) -> Callable[[S], S]:
    """Names the rules that a step carries out; its events cite them."""

    def mark(step: S) -> S:
        step.cites = rules  # type: ignore[attr-defined]
        return step

    return mark


def sentence(agenda: Sequence[Frame], *, running: bool = False) -> str:
    """The agenda in words: `Duel(next turn) > Strike(close) > Window(ask)`.

    While a step is `running`, its frame is on the way to the next one already: then the topmost is named without a step.
    """

    def words(name: str) -> str:
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ")

    parts = []
    for frame in agenda:
        if isinstance(frame, Interrupt):
            continue
        place = next((name for name, place in frame.NAMES.items() if place == frame.pc), "done")
        parts.append(f"{words(type(frame).__name__)}({words(place)})")
    if running and parts:
        parts[-1] = parts[-1].partition("(")[0]
    return " > ".join(parts)


class Interrupt(Frame):
    """Stands under a frame that the engine put on top, so that the frame below is not handed it as an answer."""

    STEPS = ((None, False, (), 0),)


@steps("begin_next")
class Each(Frame):
    """A loop: runs `call(item, *rest)` for each item in turn. `call` is the name of a frame class."""

    call: str
    items: tuple[Value, ...]
    rest: tuple[Value, ...] = ()
    place: int = 0

    def begin_next(each, game: Game) -> Frame | None:
        if each.place == len(each.items):
            return None
        item = each.items[each.place]
        each.place += 1
        each.go("begin_next")
        return game.new_frame(each.call, item, *each.rest)


def for_each(call: type[Frame], items: Sequence[Any], *rest: Any) -> Each:
    """The loop that runs one frame for each item; `rest` are further facts of every one of them."""
    return Each(call=call.__name__, items=tuple(items), rest=rest)


class Reaction(Protocol):
    """Something that a figure may do in a window. Whether it is asked is public, whether it may play is its own affair."""

    name: str

    def may_hold(self, game: Game, window: Window, who: Id) -> bool:
        """By what everybody knows: might this figure have it and use it here?"""

    def offers(self, game: Game, window: Window, who: Id) -> Sequence[Offer]:
        """By what the figure knows: the ways in which it may play it now."""

    def refusals(self, game: Game, window: Window, who: Id) -> Sequence[Refusal]:
        """Why it may not, for the figure's own seat."""

    def play(self, game: Game, window: Window, who: Id, value: Value) -> Frame:
        """The frame that carries it out."""


PASS = Offer("pass", "pass")


def _refuse(game: Game, choice: Choice) -> list[Refusal]:
    window = game.agenda[-1]
    assert isinstance(window, Window)
    return [refusal for reaction in window.held(game, choice.who) for refusal in reaction.refusals(game, window, choice.who)]


@steps("find_next", "ask", "take", "conclude")
class Window(Frame):
    """The moment at which others may interrupt, ride along or follow, over the frame that it pauses.

    `order` lists the figures in the order asked. `passes` is "once" (each is asked until it passes or has played once) or
    "until quiet" (passes go on until one brings nothing). `once_per` limits each figure's use of each reaction: "" not at
    all, "window" once in this window, "frame" once over the paused frame, which then has a field `reacted`.
    """

    occasion: str
    order: tuple[Id, ...]
    passes: str = "until quiet"
    once_per: str = ""
    depth: int = -1
    place: int = 0
    quiet: bool = True
    played: tuple[str, ...] = ()
    answer: Value = None

    def held(window, game: Game, who: Id) -> list[Reaction]:
        """What this figure might play now, by what everybody knows."""
        spent = window.spent(game)
        return [
            reaction
            for reaction in game.ruleset.reactions(game, window, who)
            if f"{who} {reaction.name}" not in spent and reaction.may_hold(game, window, who)
        ]

    def spent(window, game: Game) -> tuple[str, ...]:
        """The uses that count against `once_per`, as "figure reaction"."""
        if window.once_per == "frame":
            return game.agenda[window.depth].reacted  # type: ignore[attr-defined, no-any-return]
        return window.played if window.once_per == "window" else ()

    def find_next(window, game: Game) -> None:
        while True:
            while window.place < len(window.order):
                if window.held(game, window.order[window.place]):
                    return
                window.place += 1
            if window.passes == "once" or window.quiet:
                window.done()
                return
            window.place = 0
            window.quiet = True

    def ask(window, game: Game) -> Choice:
        who = window.order[window.place]
        offers = [PASS]
        for reaction in window.held(game, who):
            offers += reaction.offers(game, window, who)
        return Choice(game.seat_of[who], f"window {window.occasion}", tuple(offers), who, always=True, refuse=_refuse)

    def take(window, game: Game, answer: Value) -> Frame | None:
        who = window.order[window.place]
        window.place += 1
        if answer == "pass":
            game.log("passed", who=who, occasion=window.occasion, explain=True)
            window.go("find_next")
            return None
        assert isinstance(answer, tuple)
        name = answer[0]
        reaction = next(each for each in window.held(game, who) if each.name == name)
        window.quiet = False
        if window.once_per == "frame":
            paused: Any = game.edit_frame(window.depth)
            paused.reacted = (*paused.reacted, f"{who} {name}")
        elif window.once_per == "window":
            window.played = (*window.played, f"{who} {name}")
        return reaction.play(game, window, who, answer)

    def conclude(window, game: Game) -> None:
        window.go("find_next")


@steps("apply", "let_return")
class Ruling(Frame):
    """A GM's ruling: values corrected, figures hidden and revealed, with a reason, in the open log."""

    edits: tuple[tuple[Id, str, Value], ...]
    reason: str
    by: str
    returned: tuple[Id, ...] = ()

    def apply(ruling, game: Game) -> None:
        seen: list[tuple[Id, str, Value]] = []
        for edit in ruling.edits:
            id, field, value = edit
            if hiding.decides(game, id, field):
                if value == hiding.HIDDEN:
                    hiding.go_into(game, id, ruling.reason, ruling.by)
                    continue
                if hiding.hides(game, id):
                    hiding.show(game, id, "ruling", reason=ruling.reason, by=ruling.by)
                    ruling.returned = (*ruling.returned, id)
                    if value == "":
                        continue
            record = game.edit(id)
            setattr(record, field, value)
            mark = hidden_fields(record.__class__).get(field)
            if mark is None and not hiding.of_hidden(game, record):
                seen.append(edit)
                continue
            seats = tuple(
                seat.name
                for seat in game.seats.values()
                if (mark is None or knows(game, seat, record, mark))
                and not hiding.of_hidden(game, record, hiding.unknown_to(game, seat.name))
            )
            game.log("ruling", seen_by=seats, by=ruling.by, reason=ruling.reason, edits=(edit,))
        if seen or not ruling.edits:
            game.log("ruling", by=ruling.by, reason=ruling.reason, edits=tuple(seen))

    def let_return(ruling, game: Game) -> Frame | None:
        if not ruling.returned:
            return None
        who, *rest = ruling.returned
        ruling.returned = tuple(rest)
        ruling.go("let_return")
        return hiding.returns(game, who)


ENGINE_FRAMES: tuple[type[Frame], ...] = (Interrupt, Each, Window, Ruling)
