"""What is going on inside an active phase, as everybody may know it: actions, windows, and who has been asked in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...engine import Frame, Game, Id, Window
from .actions import Action
from .consequences import Concession
from .effects import Pushing, Springing
from .reactions import answered, occasion_of
from .riders import Ride
from .words import name, thing, title

_KINDS: Final = {"trigger": " (Trigger)", "response": " (Response)"}
_WINDOWS: Final = {"rider": "Riders", "trigger": "Triggers"}


def underway(game: Game, seat: str) -> dict[str, Any]:
    """All levels in words, from the outside in, and the innermost action in full (VAIA-HIDE-1: everything but traps is open).

    `who`, `action`, `target` say whose action it is, or which one an open window is about; `lines` what Riders and Triggers have
    given to it; `used` who has used what on it. `window` is the window that is open, with those who could act in it, in the
    order asked: whose turn is over ("done"), whose it is ("now"), who comes ("waits").
    """
    levels = [said for frame in game.agenda if (said := _level(game, frame))]
    depth = game.find(Action)
    if depth < 0:
        return {"levels": levels} if levels else {}
    action: Any = game.agenda[depth]
    facts: dict[str, Any] = {
        "levels": levels,
        "who": action.actor,
        "action": title(action.card),
        "target": action.target,
        "lines": [(thing(what), _amount(what, amount), thing(source)) for what, amount, source in action.lines],
        "used": [(who, title(card)) for who, _, card in (each.partition(" ") for each in action.reacted)],
    }
    window = game.agenda[-1]
    if isinstance(window, Window):
        if window.occasion == "response":
            ended = answered(game, window)
            target = next((whom for event, whom in ended.happened if event == "ended"), "")
            facts |= {"who": ended.actor, "action": title(ended.card), "target": target, "lines": [], "used": []}
        facts["window"] = {"said": _window(game, window), "asked": list(_asked(game, window))}
    return facts


def _level(game: Game, frame: Frame) -> str:
    if isinstance(frame, Action):
        aimed = f" at {name(frame.target)}" if frame.target else ""
        ended = " (interrupted)" if frame.interrupted else " (over)" if frame.over else ""
        return f"{name(frame.actor)}: {title(frame.card)}{aimed}{_KINDS.get(frame.sheet(game).kind, '')}{ended}"
    if isinstance(frame, Ride):
        return f"{name(frame.actor)}: {title(frame.card)} (Rider)"
    if isinstance(frame, Window):
        return _window(game, frame)
    if isinstance(frame, Springing):
        return f"{title(frame.trap)} under {name(frame.who)}"
    if isinstance(frame, Pushing):
        return f"{name(frame.who)} is pushed by {name(frame.actor)}"
    return f"{name(frame.side)} gives up" if isinstance(frame, Concession) else ""


def _window(game: Game, window: Window) -> str:
    if window.occasion == "response":
        ended = answered(game, window)
        return f"Responses to {name(ended.actor)}'s {title(ended.card)}"
    return f"{_WINDOWS[window.occasion.partition(' ')[0]]}, {occasion_of(window)}"


def _asked(game: Game, window: Window) -> Iterator[tuple[Id, str]]:
    """Who could act in a window, or has acted on its action, in the order asked, with whose turn in this pass it is."""
    acted = [each.partition(" ")[0] for each in window.spent(game)]
    for place, who in enumerate(window.order):
        if place == window.place:
            yield who, "now"
        elif window.held(game, who):
            yield who, "done" if place < window.place else "waits"
        elif who in acted:
            yield who, "done"


def _amount(what: str, amount: int) -> str:
    """An addition holds its die and its constant in one number."""
    if what != "addition":
        return f"{amount:+d}"
    die, constant = divmod(amount, 100)
    return "+" + "+".join([f"v{die}"] * bool(die) + [str(constant)] * bool(constant or not die))
