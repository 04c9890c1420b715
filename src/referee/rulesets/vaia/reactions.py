"""Windows: who may ride, trigger or respond, and how the engine's windows ask them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...engine import Frame, Game, Id, Offer, Reason, Refusal, Value, Window, legal
from .checks import next_after
from .requirements import targets, unaffordable, unfit_response, unfit_rider, unfit_trigger, untargeted
from .sheets import ActionSheet

if TYPE_CHECKING:
    from .actions import Action, Ended


class Riding:
    """A Rider in the window of its own character's action."""

    def __init__(self, sheet: ActionSheet) -> None:
        assert sheet.when is not None
        self.name = sheet.id
        self.sheet = sheet
        self.celerity = sheet.celerity
        self.event = sheet.when.event
        self.for_target = sheet.kind == "trigger" and sheet.when.role == "target"

    def barred(self, game: Game, window: Window, who: Id) -> Iterator[Reason]:
        """Why it may not be used in this window."""
        yield from unfit_rider(game, who, self.sheet, occasion_of(window), game.agenda[window.depth])  # type: ignore[arg-type]
        yield from unaffordable(game, who, self.sheet)

    def may_hold(self, game: Game, window: Window, who: Id) -> bool:
        """By what everybody knows (VAIA-HIDE-1): whether it may be used."""
        # Too few slots (VAIA-CEL-6) is the commonest reason, and the cheapest to see.
        return game.records[who].slots >= self.celerity and legal(self.barred(game, window, who))

    def offers(self, game: Game, window: Window, who: Id) -> Sequence[Offer]:
        """The Rider as an offer."""
        return game.table.reaction_offers(game, who, self.sheet, ("",))  # type: ignore[no-any-return]

    def refusals(self, game: Game, window: Window, who: Id) -> Sequence[Refusal]:
        """Why every other action of the sheet may not be used now: told once, by the first reaction held."""
        return refusals(game, window, who) if window.held(game, who)[0] is self else ()

    def play(self, game: Game, window: Window, who: Id, value: Value) -> Frame:
        """The frame of its activation."""
        return game.new_frame("Ride", who, self.name, window.depth, game.table.item_in(who, self.sheet, value))


class Triggering(Riding):
    """A Trigger in a window of somebody else's action."""

    def barred(self, game: Game, window: Window, who: Id) -> Iterator[Reason]:
        """Why it may not be used in this window."""
        action: Any = game.agenda[window.depth]
        yield from unfit_trigger(game, who, self.sheet, occasion_of(window), action)
        yield from unaffordable(game, who, self.sheet)
        yield from untargeted(game, who, self.sheet, action)

    def offers(self, game: Game, window: Window, who: Id) -> Sequence[Offer]:
        """The Trigger, once for each target."""
        found = targets(game, who, self.sheet, game.agenda[window.depth]) if self.sheet.whom != "none" else ("",)  # type: ignore[arg-type]
        return game.table.reaction_offers(game, who, self.sheet, found)  # type: ignore[no-any-return]

    def play(self, game: Game, window: Window, who: Id, value: Value) -> Frame:
        """The frame of its activation."""
        target, item = target_in(value, self.sheet), game.table.item_in(who, self.sheet, value)
        return game.new_frame("Action", who, self.name, target, item, 0, window.depth)


class Responding(Riding):
    """A Response in the window after an action that is over."""

    def barred(self, game: Game, window: Window, who: Id) -> Iterator[Reason]:
        """Why it may not be used in this window."""
        ended = answered(game, window)
        yield from unfit_response(game, who, self.sheet, ended)
        yield from unaffordable(game, who, self.sheet)
        yield from untargeted(game, who, self.sheet, ended)

    def offers(self, game: Game, window: Window, who: Id) -> Sequence[Offer]:
        """The Response, once for each target."""
        found = targets(game, who, self.sheet, answered(game, window)) if self.sheet.whom != "none" else ("",)
        return game.table.reaction_offers(game, who, self.sheet, found)  # type: ignore[no-any-return]

    def play(self, game: Game, window: Window, who: Id, value: Value) -> Frame:
        """The frame of its activation."""
        target, item = target_in(value, self.sheet), game.table.item_in(who, self.sheet, value)
        return game.new_frame("Action", who, self.name, target, item)


KINDS: dict[str, type[Riding]] = {"rider": Riding, "trigger": Triggering, "response": Responding}


def occasion_of(window: Window) -> str:
    """The occasion of a Rider or Trigger window: what follows on its first word."""
    return window.occasion.partition(" ")[2]


def answered(game: Game, window: Window) -> Ended:
    """The action that a response window is about."""
    return game.agenda[window.depth].waiting[0]  # type: ignore[attr-defined, no-any-return]


def target_in(value: Value, sheet: ActionSheet) -> Id:
    """The target in a declaration: (action, target, item), each where there is one."""
    return str(value[1]) if sheet.whom != "none" and isinstance(value, tuple) else ""


def reactions(game: Game, window: Window, who: Id) -> tuple[Riding, ...]:
    """What somebody may have for a window, by the cards alone; the engine asks each whether it may be used."""
    frame: Any = game.agenda[window.depth]
    card = frame.waiting[0].card if window.occasion == "response" else frame.card
    return game.table.reactions_to(window.occasion, card, who)  # type: ignore[no-any-return]


class Occasion:
    """What cards have for an occasion of somebody's action: forced Triggers, Riders of the actor, Triggers of all others."""

    __slots__ = ("at", "forced", "rider", "riders", "trigger", "triggers")

    def __init__(
        self,
        at: str,
        forced: Mapping[Id, tuple[Riding, ...]],
        riders: Mapping[Id, tuple[Riding, ...]],
        triggers: Mapping[Id, tuple[Riding, ...]],
    ) -> None:
        self.at = at
        self.forced = forced
        self.riders = riders
        self.triggers = triggers
        self.rider, self.trigger = f"rider {at}", f"trigger {at}"


def conceivable(
    game: Game, candidates: Mapping[Id, tuple[Riding, ...]], target: Id = "", happened: tuple[tuple[str, Id], ...] = ()
) -> bool:
    """A glance before a window is made: whether anybody has the slots for a card that these facts do not rule out.

    `barred` has the last word; with a log the window is made all the same, since it explains why nobody can act.
    """
    records = game.records
    for who, held in candidates.items():
        slots = records[who].slots
        for reaction in held:
            if slots >= reaction.celerity:
                if reaction.event is not None:
                    if any(event == reaction.event for event, _ in happened):
                        return True
                elif not reaction.for_target or who == target:
                    return True
    return False


def rider_window(game: Game, action: Action, occasion: Occasion) -> Window | None:
    """VAIA-RID-6: the actor's Riders, one at a time, each at most once."""
    riders = occasion.riders
    if not riders or (game.events is None and not conceivable(game, riders)):
        return None
    window = Window(occasion=occasion.rider, order=(action.actor,), once_per="frame", depth=len(game.agenda) - 1)
    if game.events is not None:
        explain(game, window, "VAIA-RID-6", "VAIA-ACT-6")
    return window


def trigger_window(game: Game, action: Action, occasion: Occasion) -> Window | None:
    """VAIA-TRG-5: all others in order, next after the actor first, pass after pass until one brings nothing."""
    triggers = occasion.triggers
    if not triggers or (game.events is None and not conceivable(game, triggers, action.target)):
        return None
    order = tuple(who for who in next_after(game, action.actor) if who in triggers)
    window = Window(occasion=occasion.trigger, order=order, once_per="frame", depth=len(game.agenda) - 1)
    if game.events is not None:
        explain(game, window, "VAIA-TRG-5", "VAIA-ACT-6")
    return window


def response_window(game: Game, ended: Ended) -> Window | None:
    """VAIA-RSP-4: all others in order, next after the actor first, each asked once."""
    candidates = game.table.responses_to(ended.card)
    if game.events is None and not conceivable(game, candidates, happened=ended.happened):
        return None
    order = tuple(who for who in next_after(game, ended.actor) if who in candidates)
    window = Window(occasion="response", order=order, passes="once", depth=len(game.agenda) - 1)
    if game.events is not None:
        collector: Any = game.agenda[-1]
        explain(game, window, "VAIA-RSP-4", *(("VAIA-RSP-5",) if collector.sheet(game).kind == "response" else ()))
    return window


def explain(game: Game, window: Window, *rules: str) -> None:
    """Notes, for those who ask for explanations, who may act here, and who fulfils a printed condition and still cannot."""
    able = tuple(who for who in window.order if window.held(game, who))
    if able:
        game.log("window", occasion=window.occasion, able=able, rules=rules, explain=True)
    for who in window.order:
        if who in game.unseen:
            continue
        for reaction in reactions(game, window, who):
            found = tuple(reaction.barred(game, window, who))
            if found and not any(reason.key in UNFIT for reason in found):
                seats = (game.seat_of[who],)
                game.log(
                    "cannot_react", who=who, action=reaction.name, reasons=tuple((each.key, each.facts) for each in found),
                    rules=tuple(rule for each in found for rule in each.rules), seen_by=seats, explain=True,
                )  # fmt: skip


UNFIT = (
    "not_own", "other_occasion", "other_action", "on_reaction", "outcome", "too_far", "not_the_target", "own_action",
    "not_an_ally", "other_actor", "did_not_happen",
)  # fmt: skip
"""Reasons that lie in the occasion: who has these could not have expected to act."""


def refusals(game: Game, window: Window, who: Id) -> list[Refusal]:
    """Why each action of the sheet may not be used in this window; those that may are left out."""
    spent = window.spent(game)
    found = []
    for sheet in game.table.characters[who].actions:
        reasons = tuple(refused_here(game, window, who, sheet, spent))
        if reasons:
            found.append(Refusal((sheet.id,), reasons, sheet.kind))
    return found


def refused_here(game: Game, window: Window, who: Id, sheet: ActionSheet, spent: Sequence[str]) -> Iterator[Reason]:
    """Why one action of the sheet may not be used in a window."""
    kind = window.occasion.partition(" ")[0]
    if sheet.kind == "plain":
        yield Reason("not_now", (), ("VAIA-ACT-6",))
        yield from unaffordable(game, who, sheet)
        return
    if f"{who} {sheet.id}" in spent:
        yield Reason("spent", (), ("VAIA-RID-6",) if sheet.kind == "rider" else ("VAIA-TRG-6",))
    if sheet.forced:
        yield Reason("forced", (), ("VAIA-ACT-6",))
    if sheet.kind == kind:
        yield from KINDS[kind](sheet).barred(game, window, who)
        return
    rule = {"rider": "VAIA-RID-1", "trigger": "VAIA-TRG-1", "response": "VAIA-RSP-2"}[sheet.kind]
    paused: Any = game.agenda[window.depth]
    if sheet.kind == "rider" and kind == "trigger":
        yield from unfit_rider(game, who, sheet, occasion_of(window), paused)
    elif sheet.kind == "trigger" and kind == "rider":
        yield Reason("own_action", (paused.card,), ("VAIA-TRG-6",))
    else:
        yield Reason("other_window", (sheet.kind, kind), (rule,))
    yield from unaffordable(game, who, sheet)


def forced_trigger(game: Game, action: Action, occasion: Occasion) -> tuple[Id, ActionSheet, Id] | None:
    """The next forced Trigger that this occasion sets off: whose, which, at whom (an automatic event, VAIA-ACT-6)."""
    window = Window(occasion=occasion.trigger, order=(), depth=len(game.agenda) - 1)
    for who in next_after(game, action.actor):
        for reaction in occasion.forced.get(who, ()):
            if f"{who} {reaction.name}" not in action.reacted and reaction.may_hold(game, window, who):
                value = reaction.offers(game, window, who)[0].value
                return who, reaction.sheet, target_in(value, reaction.sheet)
    return None
