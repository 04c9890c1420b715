"""One turn: start effects, stance, one action, end effects (L5R-CON-10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...engine import PASS, Choice, Frame, Game, Id, Offer, Reason, Refusal, Value, cites, legal, steps, unknown_to
from .actions import action_values, cannot_act, deciding, legal_actions, nature, needs_check, remember, situation, types_of
from .cards import RINGS
from .changes import comes_to_pass, gain_fatigue, gain_strife, ready, recover, stand_at
from .check import NO
from .damage import WAKE, Damage, wake_up
from .deeds import begin, finish_dying
from .facts import able, figure, hands_full, has
from .interrupts import UNMASK, Unmasking, may_unmask
from .reactions import occasion

STANCES: Final = {ring: Offer(("stance", ring), "stance", rules=("L5R-CON-11",)) for ring in RINGS}
END: Final = Offer("end", "end", rules=("L5R-CON-10",))
STAND: Final = Offer("stand", "", rules=("L5R-COND-14",))


def _grips(game: Game, turn: Turn) -> Iterator[Offer]:
    """L5R-CON-11: grip changes and dropping items are free."""
    record = figure(game, turn.who)
    for item in record.items:
        if item.state not in ("1h", "2h") or item.card in turn.changed:
            continue
        card = game.table.weapons[item.card]
        if item.state == "1h" and card.two_hands is not None and not hands_full(record, but=item.card):
            yield game.table.offer(("grip", item.card, "2h"), "grip", ("L5R-CON-11",))
        if item.state == "2h" and card.one_hand is not None:
            yield game.table.offer(("grip", item.card, "1h"), "grip", ("L5R-CON-11",))
        yield game.table.offer(("drop", item.card), "grip", ("L5R-CON-11",))


def cannot_take(game: Game, turn: Turn, stance: str) -> Iterator[Reason]:
    """Why a stance may not be chosen."""
    record = figure(game, turn.who)
    if stance == turn.foreseen:
        yield Reason("foreseen", (stance,), ("L5R-ACT-8",))
    if has(record, "immobilized") and record.stance and stance != record.stance and record.stance != turn.foreseen:
        yield Reason("immobilized", (), ("L5R-COND-11",))


def _refuse_stance(game: Game, choice: Choice) -> Iterator[Refusal]:
    turn: Turn = game.agenda[-1]  # type: ignore[assignment]
    for ring in RINGS:
        reasons = tuple(cannot_take(game, turn, ring))
        if reasons:
            yield Refusal(("stance", ring), reasons, "stance")


def cannot_do(game: Game, turn: Turn, value: Any) -> Iterator[Reason]:
    """Why an action may not be taken now: what was done before in this turn, then its own reasons (L5R-STN-6)."""
    if turn.acted and value[0] != "nothing":
        record = game.records[turn.who]
        if record.stance != "water" or turn.acted > 1:
            yield Reason("one_action", (), ("L5R-CON-10",))
        else:
            if turn.checked and needs_check(game, value):
                yield Reason("extra_check", (), ("L5R-STN-6",))
            if any(kind in turn.types for kind in types_of(game, value)):
                yield Reason("same_type", (), ("L5R-STN-6", "L5R-STN-7"))
    yield from cannot_act(game, turn.who, value)


def cannot_move(game: Game, turn: Turn) -> Iterator[Reason]:
    """Why the free move may not be made (L5R-SKIR-6)."""
    record = game.records[turn.who]
    if turn.stepped:
        yield Reason("moved", (), ("L5R-SKIR-6",))
    if has(record, "immobilized"):
        yield Reason("immobilized", (), ("L5R-COND-11",))
    if has(record, "prone") and turn.moved:
        yield Reason("prone", (), ("L5R-COND-14",))


def _refuse_action(game: Game, choice: Choice) -> Iterator[Refusal]:
    turn: Turn = game.agenda[-1]  # type: ignore[assignment]
    unknown = unknown_to(game, choice.seat)
    for value in action_values(game, turn.who):
        if unknown and any(part in unknown for part in value):
            continue
        reasons = tuple(cannot_do(game, turn, value))
        if reasons:
            yield Refusal(value, reasons, "action")
    at = game.records[turn.who].at
    for foe in game.table.foes[turn.who]:
        if foe in unknown:
            continue
        for verb in ("disarm", "grapple", "two_weapons"):
            yield Refusal((verb, foe), (Reason("no_base_action", (verb,), ("L5R-ACT-15",)),), "action")
        for body in game.table.bodies:
            reasons = (Reason("cannot_be_taken", (body,), ("L5R-EQP-3",)), Reason("no_base_action", ("disarm",), ("L5R-ACT-15",)))
            yield Refusal(("disarm", foe, body), reasons, "action")
    if game.table.duel:
        for to in (at - 1, at + 1):
            yield Refusal(("move", to), (Reason("narrative", (), ("L5R-DUEL-2",)),), "move")
    else:
        for to in (at - 1, at + 1):
            reasons = tuple(cannot_move(game, turn))
            if reasons:
                yield Refusal(("move", to), reasons, "move")


def _refuse_unmask(game: Game, choice: Choice) -> Iterator[Refusal]:
    yield from ()


@steps(
    "begin", "ask_wake", "wake", "breathe_in", "ask_unmask", "unmask", "ask_stance", "take_stance", "ask_reveal", "reveal",
    "ask_action", "act", "burn", "clean_up", "ask_stand", "stand", "ask_unmask_late", "unmask_late", "finish",
)  # fmt: skip
class Turn(Frame):
    """The turn of one figure."""

    who: Id
    foreseen: str = ""
    acted: int = 0
    checked: bool = False
    types: tuple[str, ...] = ()
    moved: int = 0
    stepped: bool = False
    changed: tuple[str, ...] = ()
    came: int = 0

    # (a) start

    @cites("L5R-CON-10", "L5R-CON-15")
    def begin(turn, game: Game) -> None:
        who = turn.who
        comes_to_pass(game, "turn begins", who)
        record = game.records[who]
        if record.out:
            comes_to_pass(game, "turn ends", who)
            turn.done()
            return
        if record.guarding or not record.begun:
            record = game.edit(who)
            record.begun = True
            record.guarding = ""
        if "unconscious" not in record.conditions:
            _open(game, turn)
        elif not record.void:
            game.log("no_turn", who=who)
            turn.go("finish")

    def ask_wake(turn, game: Game) -> Choice:
        return Choice(game.seat_of[turn.who], "wake", (NO, WAKE), turn.who, facts=("turn",))

    @cites("L5R-COND-16", "L5R-CHK-9")
    def wake(turn, game: Game, answer: Value) -> None:
        if answer == "wake":
            wake_up(game, turn.who)
            _open(game, turn)
        else:
            game.log("no_turn", who=turn.who, rules=("L5R-CON-15",))
            turn.go("finish")

    @cites("L5R-DMG-20")
    def breathe_in(turn, game: Game) -> None:
        if "suffocating" in game.records[turn.who].conditions:
            gain_fatigue(game, turn.who, 2, "suffocating")
            gain_strife(game, turn.who, 2, "suffocating")

    def ask_unmask(turn, game: Game) -> Choice | None:
        if not may_unmask(game, turn.who):
            turn.go("ask_stance")
            return None
        return Choice(game.seat_of[turn.who], "unmask", (NO, UNMASK), turn.who)

    @cites("L5R-DER-6")
    def unmask(turn, game: Game, answer: Value) -> Frame | None:
        return Unmasking(turn.who) if answer == "unmask" else None

    # (b) stance

    def ask_stance(turn, game: Game) -> Choice | None:
        if not able(game, turn.who):
            turn.go("finish")
            return None
        who = turn.who
        record = game.records[who]
        bound = record.stance if "immobilized" in record.conditions and has(record, "immobilized") else ""
        key = ("stance", who, record.items, turn.changed, turn.foreseen, bound)
        choices: dict[Any, Choice] = game.table.choices
        choice = choices.get(key)
        if choice is None:
            offers = [STANCES[ring] for ring in RINGS if legal(cannot_take(game, turn, ring))]
            offers += _grips(game, turn)
            choice = remember(game, key, Choice(game.seat_of[who], "stance", tuple(offers), who, refuse=_refuse_stance))
        return choice

    @cites("L5R-CON-11", "L5R-CON-12")
    def take_stance(turn, game: Game, answer: Value) -> Frame | None:
        who = turn.who
        verb, what = answer[0], str(answer[1])  # type: ignore[index]
        if verb != "stance":
            state = "dropped" if verb == "drop" else str(answer[2])  # type: ignore[index]
            ready(game, who, what, state)
            turn.changed = (*turn.changed, what)
            turn.go("ask_stance")
            return occasion(game, "handles", who) if verb == "drop" else None
        turn.changed = ()
        kept = game.records[who].stance == what
        if not kept:
            game.edit(who).stance = what
        _forget_note(game, who)
        settled = bool(turn.foreseen) or not _predictor(game, who)
        if game.events is not None:
            game.log("stance", who=who, stance=what, kept=kept, open=not settled)
        if settled:
            turn.go("ask_action")
        return None

    def ask_reveal(turn, game: Game) -> Choice:
        """L5R-ACT-8: a foe who has noted a ring may reveal it; it is asked whether it can or not."""
        foe = _predictor(game, turn.who)
        offers = [PASS]
        if game.records[foe].predict == game.records[turn.who].stance:
            offers.append(game.table.offer("reveal", "predict", ("L5R-ACT-8",)))
        return Choice(game.seat_of[foe], "reveal", tuple(offers), foe, always=True, facts=(turn.who,))

    @cites("L5R-ACT-8", "L5R-HIDE-4")
    def reveal(turn, game: Game, answer: Value) -> None:
        foe = _predictor(game, turn.who)
        ring = _spend_note(game, foe)
        if answer != "reveal":  # it is of the next choice alone
            game.log("prediction_lapses", who=foe)
            return
        turn.foreseen = ring
        game.reveal()
        game.log("reveals", who=foe, target=turn.who, ring=turn.foreseen)
        gain_strife(game, turn.who, 4, "foreseen", foe)
        turn.go("ask_stance")

    # (c) one action

    def ask_action(turn, game: Game) -> Choice | None:
        who = turn.who
        if not able(game, who):
            turn.go("clean_up")
            return None
        choice = _duel_choice(game, turn) if game.table.duel else action_choice(game, turn)
        if choice.offers == (END,):
            turn.go("burn")
            return None
        return choice

    @cites("L5R-CON-10", "L5R-CON-13")
    def act(turn, game: Game, answer: Value) -> Frame | None:
        who = turn.who
        if answer == "end":
            turn.go("burn")
            return None
        value: Any = answer
        if value[0] == "move":
            turn.came = game.records[who].at
            turn.stepped = True
            turn.moved += 1
            turn.go("ask_action")
            stand_at(game, who, value[1], "free", ("L5R-SKIR-6",))
            return occasion(game, "moves", who, came=turn.came)
        kinds, checked = nature(game, value)
        if game.events is not None:
            rules = ("L5R-STN-6", "L5R-STN-7") if turn.acted else ()
            game.log("acts", who=who, action=_public(value), types=kinds, rules=rules)
        turn.acted += 1
        turn.types = tuple(sorted({*turn.types, *kinds})) if turn.types else kinds
        turn.checked = turn.checked or checked
        turn.came = 0
        if not game.table.duel or game.records[who].stance == "water":
            turn.go("ask_action")
        return begin(game, who, value)

    @cites("L5R-COND-4")
    def burn(turn, game: Game) -> Frame | None:
        record = game.records[turn.who]
        if game.table.passing.isdisjoint(record.conditions):
            turn.go("ask_unmask_late" if record.compromised and not record.unmasked else "finish")
            return None
        if not has(record, "burning") or not able(game, turn.who):
            return None
        gain_strife(game, turn.who, 3, "burning")
        record = game.edit(turn.who)
        deadliness = 5 + 5 * record.burning
        record.burning += 1
        return Damage(turn.who, 3, deadliness, "burning", unreduced=True, rule="L5R-COND-4")

    # (d) end

    @cites("L5R-COND-1")
    def clean_up(turn, game: Game) -> None:
        record = figure(game, turn.who)
        for name in record.conditions:
            card = game.table.conditions[name]
            rests = card.ends_without and not any(kind in turn.types for kind in card.ends_without)
            if rests and (name != "immobilized" or not turn.moved):
                recover(game, turn.who, name, (card.rule,))

    def ask_stand(turn, game: Game) -> Choice | None:
        record = figure(game, turn.who)
        if "prone" not in record.conditions or "movement" in turn.types or not able(game, turn.who):
            turn.go("ask_unmask_late")
            return None
        return Choice(game.seat_of[turn.who], "stand", (STAND, NO), turn.who)

    @cites("L5R-COND-14")
    def stand(turn, game: Game, answer: Value) -> None:
        if answer == "stand":
            recover(game, turn.who, "prone")

    def ask_unmask_late(turn, game: Game) -> Choice | None:
        if not may_unmask(game, turn.who) or not able(game, turn.who):
            turn.go("finish")
            return None
        return Choice(game.seat_of[turn.who], "unmask", (NO, UNMASK), turn.who)

    @cites("L5R-DER-6")
    def unmask_late(turn, game: Game, answer: Value) -> Frame | None:
        return Unmasking(turn.who) if answer == "unmask" else None

    def finish(turn, game: Game) -> Frame | None:
        who = turn.who
        comes_to_pass(game, "turn ends", who)
        record = game.records[who]
        if record.predict and not any(effect.name == "predicting" for effect in record.effects):
            game.edit(who).predict = ""
            game.log("prediction_lapses", who=who, rules=("L5R-ACT-8", "L5R-HIDE-4"))
        if "dying" in record.conditions:
            finish_dying(game, who)
        return occasion(game, "ends_turn", who)


def _open(game: Game, turn: Turn) -> None:
    """A turn begins that is taken: on to the first of its steps that has something to do."""
    record = game.records[turn.who]
    if game.events is not None:
        game.log("turn", who=turn.who, strife=record.strife, fatigue=record.fatigue)
    if "suffocating" in record.conditions:
        turn.go("breathe_in")
    else:
        turn.go("ask_unmask" if record.compromised and not record.unmasked else "ask_stance")


def _duel_choice(game: Game, turn: Turn) -> Choice:
    """The same choice where all that it depends on is the same."""
    who = turn.who
    choices: dict[Any, Choice] = game.table.choices
    foe = game.records[game.table.foes[who][0]]
    conditions = deciding(game, foe.conditions) if foe.conditions else ()
    key = (turn.acted, turn.types, turn.checked, foe.out, conditions, situation(game, who))
    choice = choices.get(key)
    return choice if choice is not None else remember(game, key, action_choice(game, turn))


def action_choice(game: Game, turn: Turn) -> Choice:
    """What may be done now in a turn: an action, a second one in Water (L5R-STN-6), the free move (L5R-SKIR-6), the end."""
    who = turn.who
    table = game.table
    if not turn.acted:
        offers = legal_actions(game, who)
    elif turn.acted == 1 and game.records[who].stance == "water":
        offers = legal_actions(game, who, types=turn.types, checked=turn.checked)
        offers = [offer for offer in offers if offer.value != ("nothing",)]
    else:
        offers = []
    if not table.duel and legal(cannot_move(game, turn)):
        offers += table.free_moves(game.records[who].at)
    if turn.acted:
        offers.append(END)
    return Choice(game.seat_of[who], "action", tuple(offers), who, refuse=_refuse_action)


def _public(value: Any) -> tuple[Any, ...]:
    """An action as all may read it: not the ring that Predict notes (L5R-HIDE-4)."""
    return (value[0],) if value[0] == "predict" else tuple(value)


def _predictor(game: Game, who: Id) -> Id:
    """The foe that has noted a ring by Predict; whether one has is open, which ring is not."""
    if not game.table.duel:
        return ""
    foe: Id = game.table.foes[who][0]
    return foe if game.records[foe].predict and able(game, foe) else ""


def _spend_note(game: Game, who: Id) -> str:
    """The ring that was noted, which is spent."""
    record = game.edit(who)
    ring, record.predict = record.predict, ""
    record.effects = tuple(effect for effect in record.effects if effect.name != "predicting")
    return str(ring)


def _forget_note(game: Game, who: Id) -> None:
    """L5R-ACT-8: the choice of a stance spends the note of a foe who cannot look too."""
    if not game.table.duel:
        return
    foe: Id = game.table.foes[who][0]
    if game.records[foe].predict and not able(game, foe):
        _spend_note(game, foe)
        game.log("prediction_lapses", who=foe, rules=("L5R-ACT-8", "L5R-HIDE-4"))
