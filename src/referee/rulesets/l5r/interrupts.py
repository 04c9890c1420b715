"""What interrupts: becoming Compromised, finishing blows, unmasking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...dice import Die as PlainDie
from ...engine import PASS, Choice, Frame, Game, Id, Offer, Refusal, Roll, Value, cites, legal, steps
from .actions import remember, situation
from .attack import Attack, attack_values, cannot_attack
from .changes import lay, lose_glory, lose_honour, suffer
from .damage import Critical
from .ending import SceneEnd, objective_met
from .facts import figure, standing, strife_of

UNMASK: Final = Offer("unmask", "", rules=("L5R-DER-6",))


# Compromised


def composures(game: Game, edited: tuple[Id, ...]) -> Frame | None:
    """State-based: whose strife has passed composure, either way (L5R-DER-4)."""
    sheets = game.table.sheets
    records = game.records
    found: tuple[Id, ...] = ()
    for id in edited:
        if id in sheets:
            record = records[id]
            strife = strife_of(record) if record.stain else record.strife
            if (strife > sheets[id].composure) != record.compromised and record.out in ("", "away"):
                found = (*found, id)
    return Composure(tuple(who for who in game.table.order if who in found)) if found else None


@steps("note", "afflict", "choose_order", "order_blows", "strike_next")
class Composure(Frame):
    """Figures become Compromised, or are so no more; finishing blows follow."""

    who: tuple[Id, ...]
    fallen: tuple[Id, ...] = ()
    makers: tuple[tuple[Id, Id], ...] = ()
    place: int = 0

    @cites("L5R-DER-4", "L5R-COND-5")
    def note(composure, game: Game) -> None:
        fallen = []
        for who in composure.who:
            record = game.edit(who)
            sheet = game.table.sheets[who]
            now = strife_of(record) > sheet.composure
            if now == record.compromised:
                continue
            record.compromised = now
            if not now:
                game.log("composed", who=who, strife=record.strife, composure=sheet.composure)
                continue
            rules: tuple[str, ...] = ()
            if record.stain:
                # L5R-HIDE-6: what was hidden of the strife is seen now.
                record.strife = strife_of(record)
                record.stain = 0
                game.reveal()
                rules = ("L5R-HIDE-6",)
            game.log("compromised", who=who, strife=record.strife, composure=sheet.composure, rules=rules)
            fallen.append(who)
        composure.fallen = tuple(fallen)
        composure.makers = makers_of(game, composure.fallen, "compromised")
        if not composure.fallen:
            composure.done()

    @cites("L5R-COND-2")
    def afflict(composure, game: Game) -> Frame | None:
        """The Afflicted suffer as their ring has it, each in turn."""
        while composure.place < len(composure.fallen):
            who = composure.fallen[composure.place]
            composure.place += 1
            record = figure(game, who)
            if "afflicted" not in record.conditions:
                continue
            game.log("afflicted", who=who, ring=record.stance)
            if record.stance == "water":
                composure.go("afflict")
                return Critical(who, 5, "", "afflicted")
            if record.stance == "fire":
                suffer(game, who, "enraged", ("L5R-COND-2",))
            elif record.stance == "earth":
                game.edit(who).endurance_lost += 1
            elif record.stance == "void":
                game.edit(who).void = 0
        composure.place = 0
        if not composure.makers:
            composure.done()
        return None

    @cites("L5R-DUEL-13")
    def choose_order(composure, game: Game) -> Roll | None:
        if len(composure.makers) < 2 or not tied(game, composure.makers[0][0], composure.makers[1][0]):
            composure.go("strike_next")
            return None
        return Roll("tie", PlainDie(2), composure.makers[0][0], tuple(maker for maker, _ in composure.makers))

    @cites("L5R-DUEL-13", "L5R-CHK-17")
    def order_blows(composure, game: Game, roll: Any) -> None:
        if roll == 2:
            composure.makers = composure.makers[::-1]
        game.log("tie", who=composure.makers[0][0], roll=roll)

    def strike_next(composure, game: Game) -> Frame | None:
        if composure.place >= len(composure.makers):
            return None
        maker, victim = composure.makers[composure.place]
        composure.place += 1
        composure.go("strike_next")
        return FinishingBlow(maker, victim, "compromised")


def rank_among(game: Game, who: Id) -> tuple[int, int]:
    """Lower honour first, then PC, adversary, minion (L5R-CHK-17)."""
    return (game.records[who].honour, game.table.sheets[who].precedence)


def tied(game: Game, one: Id, other: Id) -> bool:
    """Whether only chance can tell two figures apart."""
    return rank_among(game, one) == rank_among(game, other)


def opponent(game: Game, who: Id) -> Id:
    """The foe in a duel, or in a clash; empty if there is none."""
    if game.table.duel:
        return str(game.table.foes[who][0])
    return str(game.records[who].clash) if game.records[who].clash_round else ""


def makers_of(game: Game, victims: tuple[Id, ...], event: str) -> tuple[tuple[Id, Id], ...]:
    """L5R-DUEL-8, L5R-DUEL-13: who gets a finishing blow, in the order in which they resolve."""
    found: list[tuple[Id, Id]] = []
    if game.find(SceneEnd) >= 0:
        return ()
    for victim in victims:
        foe = opponent(game, victim)
        if not foe:
            continue
        spent = figure(game, victim).struck_for
        if event in spent or (spent and game.policy["finishing_blow_limit"] == "once"):
            game.log("no_finishing_blow", who=foe, target=victim, event=event, rules=("L5R-DUEL-8",))
            continue
        game.edit(victim).struck_for = tuple(sorted((*spent, event)))
        found.append((foe, victim))
    return tuple(sorted(found, key=lambda pair: rank_among(game, pair[0])))


# Finishing blows


def _blow_choice(game: Game, maker: Id, victim: Id) -> Choice:
    """The attacks that may be a finishing blow; none is always one of them."""
    rules = ("L5R-DUEL-8", "L5R-DUEL-10")
    offers = tuple(
        game.table.offer(value, "attack", (*rules, game.table.techniques[value[0]].rule), victim)
        for value in attack_values(game, maker)
        if value[1] == victim and legal(cannot_attack(game, maker, value, finishing=True))
    )
    seat = game.seat_of[maker]
    return Choice(seat, "finishing_blow", (PASS, *offers), maker, always=True, facts=(victim,), refuse=_refuse_blows)


def _refuse_blows(game: Game, choice: Choice) -> Iterator[Refusal]:
    blow: FinishingBlow = game.agenda[-1]  # type: ignore[assignment]
    for value in attack_values(game, blow.who):
        if value[1] == blow.target:
            reasons = tuple(cannot_attack(game, blow.who, value, finishing=True))
            if reasons:
                yield Refusal(value, reasons, "attack")


@steps("begin", "ask", "strike", "conclude")
class FinishingBlow(Frame):
    """The foe of one who becomes Compromised or unmasks may at once make one Attack action."""

    who: Id
    target: Id
    event: str

    @cites("L5R-DUEL-8", "L5R-DUEL-9")
    def begin(blow, game: Game) -> None:
        if not standing(game, blow.who) or game.records[blow.target].out:
            game.log("cannot_strike", who=blow.who, target=blow.target, rules=("L5R-DUEL-10",))
            blow.done()
            return
        game.log("finishing_blow", who=blow.who, target=blow.target, event=blow.event)

    def ask(blow, game: Game) -> Choice:
        who, target = blow.who, blow.target
        if not game.table.duel:
            return _blow_choice(game, who, target)
        choices: dict[Any, Choice] = game.table.choices
        key = ("blow", game.records[target].out, situation(game, who))
        choice = choices.get(key)
        return choice if choice is not None else remember(game, key, _blow_choice(game, who, target))

    @cites("L5R-DUEL-8")
    def strike(blow, game: Game, answer: Value) -> Frame | None:
        if answer == "pass":
            game.log("blow_lost", who=blow.who, target=blow.target)
            blow.done()
            return None
        return Attack(blow.who, answer, True)  # type: ignore[arg-type]

    @cites("L5R-DUEL-14")
    def conclude(blow, game: Game) -> Frame | None:
        if game.table.duel and objective_met(game, blow.who):
            return SceneEnd(game.table.side[blow.who], "objective")
        return None


# Unmasking


def may_unmask(game: Game, who: Id) -> bool:
    """L5R-DER-6: once per scene, only while Compromised."""
    record = game.records[who]
    return bool(record.compromised and not record.unmasked)


@steps("unmask", "strike")
class Unmasking(Frame):
    """A figure unmasks: strife becomes 0, honour or glory pay for it, a finishing blow may follow."""

    who: Id

    @cites("L5R-DER-6")
    def unmask(unmasking, game: Game) -> None:
        who = unmasking.who
        record = game.edit(who)
        record.unmasked = True
        before, record.strife, record.stain = record.strife, 0, 0
        game.log("unmasks", who=who, strife=before)
        cost = game.policy["unmask_cost"]
        if cost == "honour":
            lose_honour(game, who, record.honour // 10, "unmasks", ("L5R-DER-7",))
        elif cost == "glory":
            lose_glory(game, who, record.glory // 10, "unmasks", ("L5R-DER-7",))
        if game.policy["unmask_tn1"] == "on":
            lay(game, who, "laid_bare", "L5R-DER-7", uses=1)

    @cites("L5R-DUEL-8")
    def strike(unmasking, game: Game) -> Frame | None:
        makers = makers_of(game, (unmasking.who,), "unmasked")
        return FinishingBlow(*makers[0], "unmasked") if makers else None
