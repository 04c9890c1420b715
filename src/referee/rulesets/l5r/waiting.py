"""Acting out of turn: Wait, Crescent Moon Style, redirections."""

from __future__ import annotations

from typing import Any, Final

from ...engine import Choice, Frame, Game, Id, Value, cites, legal, steps, unknown_to
from .actions import action_values, legal_candidates, remember, types_of
from .attack import Attack, attack_values, cannot_attack
from .deeds import begin

EVENTS: Final = ("attacks", "moves", "within", "handles", "ends_turn")


@steps("ask_action", "take_action", "ask_event", "take_event", "ask_whom", "wait")
class Waiting(Frame):
    """L5R-ACT-14: an action is named, and what it waits for."""

    who: Id
    action: str = ""
    event: str = ""
    near: str = ""

    def ask_action(waiting, game: Game) -> Choice:
        who = waiting.who
        key = ("wait", who, *[item.card for item in game.records[who].items])
        choice: Choice | None = game.table.choices.get(key)
        if choice is None:
            offers = tuple(game.table.offer(("wait_to", verb), "wait", ("L5R-ACT-14",)) for verb in waitable(game, who))
            choice = remember(game, key, Choice(game.seat_of[who], "wait_action", offers, who))
        return choice

    def take_action(waiting, game: Game, answer: Value) -> None:
        waiting.action = str(answer[1])  # type: ignore[index]

    def ask_event(waiting, game: Game) -> Choice:
        offers = [game.table.offer(("when", event), "wait", ("L5R-ACT-14",)) for event in EVENTS if event != "within"]
        offers += [game.table.offer(("when", "within", near), "wait", ("L5R-ACT-14",)) for near in range(6)]
        return Choice(game.seat_of[waiting.who], "wait_event", tuple(offers), waiting.who)

    def take_event(waiting, game: Game, answer: Value) -> None:
        waiting.event = str(answer[1])  # type: ignore[index]
        waiting.near = str(answer[2]) if len(answer) > 2 else ""  # type: ignore[index, arg-type]

    def ask_whom(waiting, game: Game) -> Choice:
        table = game.table
        whom = [*(side for side in table.sides if side not in table.order), *(who for who in table.order if who != waiting.who)]
        unknown = unknown_to(game, game.seat_of[waiting.who])
        offers = tuple(table.offer(("whom", each), "wait", ("L5R-ACT-14",)) for each in whom if each not in unknown)
        return Choice(game.seat_of[waiting.who], "wait_whom", offers, waiting.who)

    @cites("L5R-ACT-14")
    def wait(waiting, game: Game, answer: Value) -> None:
        whom = str(answer[1])  # type: ignore[index]
        game.edit(waiting.who).wait = (waiting.action, waiting.event, whom, waiting.near)
        game.log("waits", who=waiting.who, action=waiting.action, event=waiting.event, whom=whom, near=waiting.near)


def waitable(game: Game, who: Id) -> list[str]:
    """The non-Movement actions that may be named."""
    verbs = dict.fromkeys(
        value[0]
        for value in action_values(game, who)
        if value[0] not in ("wait", "nothing") and "movement" not in types_of(game, value)
    )
    return list(verbs)


@steps("begin_action", "ask", "act", "conclude")
class Waited(Frame):
    """L5R-ACT-14: the trigger has come: the named action; or at round end, untriggered, any action but Wait."""

    who: Id
    late: bool = False
    action: str = ""

    @cites("L5R-ACT-14")
    def begin_action(waited, game: Game) -> None:
        record = game.edit(waited.who)
        waited.action = "" if waited.late else record.wait[0]
        record.wait = ()
        game.log("wait_ends", who=waited.who, action=waited.action, late=waited.late)

    def ask(waited, game: Game) -> Choice:
        offers = tuple(
            [
                candidate.awaited
                for candidate in legal_candidates(game, waited.who)
                if candidate.value[0] != "wait" and (waited.late or candidate.value[0] in (waited.action, "nothing"))
            ]
        )
        return Choice(game.seat_of[waited.who], "waited", offers, waited.who)

    def act(waited, game: Game, answer: Value) -> Frame | None:
        return begin(game, waited.who, answer)  # type: ignore[arg-type]

    def conclude(waited, game: Game) -> None:
        pass


@steps("strike", "conclude")
class Riposte(Frame):
    """L5R-TEC-15: a Strike in return."""

    who: Id
    target: Id

    def strike(riposte, game: Game) -> Choice:
        values = [
            value
            for value in attack_values(game, riposte.who)
            if value[0] == "strike" and value[1] == riposte.target and legal(cannot_attack(game, riposte.who, value))
        ]
        nothing = game.table.offer(("nothing",), "action", ("L5R-TEC-15",))
        offers = tuple(game.table.offer(value, "action", ("L5R-TEC-15",)) for value in values)
        return Choice(game.seat_of[riposte.who], "riposte", (*offers, nothing), riposte.who)

    @cites("L5R-TEC-15")
    def conclude(riposte, game: Game, answer: Value) -> Frame | None:
        record = game.edit(riposte.who)
        record.effects = tuple(effect for effect in record.effects if effect.name != "crescent")
        if answer[0] == "nothing":  # type: ignore[index]
            return None
        game.log("ripostes", who=riposte.who, target=riposte.target)
        return Attack(riposte.who, answer)  # type: ignore[arg-type]


@steps("redirect")
class Redirection(Frame):
    """L5R-DICE-20: an attack is drawn on somebody else, after the keep choice."""

    who: Id
    depth: int

    @cites("L5R-DICE-20")
    def redirect(redirection, game: Game) -> None:
        check: Any = game.edit_frame(redirection.depth)
        game.log("redirects", who=redirection.who, target=check.targets[0])
        check.targets = (redirection.who,)


FRAMES: Final = (Waiting, Waited, Riposte, Redirection)
