"""What interrupts: becoming Compromised, unmasking, finishing blows, concession, rulings; and the end of the scene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from ...dice import Die as PlainDie
from ...engine import (
    PASS,
    Choice,
    Effect,
    Frame,
    Game,
    Id,
    IllegalAnswer,
    Offer,
    Refusal,
    Roll,
    Value,
    cites,
    legal,
    steps,
)
from .attack import Attack, attack_values, cannot_attack
from .changes import gain_void, lay, lose_glory, lose_honour, spend_void, suffer
from .check import NO, Check
from .damage import Critical, Damage, deadliness_of
from .facts import able, endurance, figure, incapacitated, present, standing, strife_of, traits_of

if TYPE_CHECKING:
    from .setup import Table

STAY_MASKED: Final = NO
UNMASK: Final = Offer("unmask", "", rules=("L5R-DER-6",))
KINDS: Final = ("pc", "adversary", "minion")


# Compromised


def composures(game: Game, edited: tuple[Id, ...]) -> Frame | None:
    """State-based: whose strife has passed composure, either way (L5R-DER-4)."""
    sheets = game.table.sheets
    records = game.records
    found: list[Id] = []
    for id in edited:
        sheet = sheets.get(id)
        if sheet is None:
            continue
        record = records[id]
        strife = record.strife + record.stain if record.stain and record.tainted else record.strife
        if (strife > sheet.composure) != record.compromised and id not in found and record.out in ("", "away"):
            found.append(id)
    if not found:
        return None
    return Composure(tuple(who for who in game.table.order if who in found))


def rulings_made(game: Game, edited: tuple[Id, ...]) -> Frame | None:
    """State-based: rulings of the GM that the rules carry out."""
    for id in edited:
        if id in game.table.sheets and game.records[id].rulings:
            return RulingDeed(id)
    return None


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
                game.log("composed", who=who)
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
    return (game.records[who].honour, KINDS.index(game.table.sheets[who].kind))


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


def _blows(game: Game, maker: Id, victim: Id) -> list[Any]:
    return [
        value
        for value in attack_values(game, maker)
        if value[1] == victim and legal(cannot_attack(game, maker, value, finishing=True))
    ]


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
        rules = ("L5R-DUEL-8", "L5R-DUEL-10")
        offers = tuple(
            game.table.offer(value, "attack", (*rules, game.table.techniques[value[0]].rule), blow.target)
            for value in _blows(game, blow.who, blow.target)
        )
        seat = game.seat_of[blow.who]
        return Choice(seat, "finishing_blow", (PASS, *offers), blow.who, always=True, facts=(blow.target,), refuse=_refuse_blows)

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


def objective_met(game: Game, who: Id) -> bool:
    """Whether a duellist has met the duel's objective against the foe (L5R-DUEL-15 to L5R-DUEL-19)."""
    table: Table = game.table
    own = figure(game, who)
    foe = table.foes[who][0]
    record = figure(game, foe)
    objective = table.objective
    if objective == "first_strike":
        return own.inflicted >= 0
    if objective == "first_blood":
        return own.inflicted >= 5
    dead = record.out in ("dead", "defeated")
    dying = "dying" in record.conditions
    if objective == "incapacitation":
        return dead or incapacitated(game, foe) or "unconscious" in record.conditions
    if objective == "defeat":
        return dead or dying or "unconscious" in record.conditions or record.out == "yielded"
    return dead or dying or own.inflicted_dying


OBJECTIVE_RULES: Final = {
    "first_strike": "L5R-DUEL-15",
    "first_blood": "L5R-DUEL-16",
    "incapacitation": "L5R-DUEL-17",
    "defeat": "L5R-DUEL-18",
    "death": "L5R-DUEL-19",
}


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
        record.strife = record.stain = 0
        game.log("unmasks", who=who)
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


# Concession


@steps("leave")
class Concession(Frame):
    """A side gives up: its figures have yielded."""

    side: str

    @cites("L5R-DUEL-3", "L5R-DUEL-27", "L5R-SKIR-13")
    def leave(concession, game: Game) -> Frame | None:
        side = concession.side
        game.log("concedes", who=game.table.sides[side][0], side=side)
        return yield_side(game, side)


def yield_side(game: Game, side: str) -> Frame | None:
    """The figures of a side have yielded; if one side is left, it has won."""
    for who in game.table.sides[side]:
        if not game.records[who].out or game.records[who].out == "away":
            game.edit(who).out = "yielded"
    left = [other for other in game.table.sides if not has_yielded(game, other)]
    if len(left) == 1:
        return SceneEnd(left[0], "conceded")
    return SceneEnd("", "both_conceded")


def has_yielded(game: Game, side: str) -> bool:
    """Whether all of a side are out."""
    return all(game.records[who].out for who in game.table.sides[side])


def concede(game: Game, seat: str) -> Frame:
    """The frame by which the side of a seat leaves. IllegalAnswer where concessions are asked for at the round's start."""
    if game.policy["concede"] == "round_start":
        raise IllegalAnswer("concessions are asked for at the start of each round, and only then (L5R-DUEL-27)")
    return Concession(game.seats[seat].side)


def conceded(game: Game, seat: str) -> bool:
    """Whether the side of a seat has yielded already."""
    return any(game.records[who].out == "yielded" for who in game.table.sides[game.seats[seat].side])


@steps("ask", "seal")
class ConcessionAnswer(Frame):
    """A side's secret answer whether it concedes (L5R-DUEL-27)."""

    seat: str
    who: Id
    sealed: str = ""

    def ask(answer_, game: Game) -> Choice:
        offers = (_FIGHT_ON, _GIVE_UP)
        return Choice(answer_.seat, "concession", offers, answer_.who)

    def seal(answer_, game: Game, answer: Value) -> None:
        answer_.sealed = str(answer)


_FIGHT_ON: Final = Offer("fight_on", "concession", rules=("L5R-DUEL-27", "L5R-SKIR-13", "L5R-HIDE-2"))
_GIVE_UP: Final = Offer("give_up", "concession", rules=("L5R-DUEL-27", "L5R-SKIR-13", "L5R-HIDE-2"))


# Rulings


@steps("carry_out")
class RulingDeed(Frame):
    """A ruling of the GM that gives or costs something, or brings a hazard: the field `rulings` of a figure."""

    who: Id

    @cites("L5R-CHK-9", "L5R-CHK-10")
    def carry_out(deed, game: Game) -> Frame | None:
        record = game.edit(deed.who)
        ruling, record.rulings = record.rulings[0], record.rulings[1:]
        name, *facts = ruling
        game.log("rules", who=deed.who, name=name, facts=tuple(facts))
        if record.rulings:
            deed.go("carry_out")
        if name in ("complication", "hidden_tn", "inverted"):
            gain_void(game, deed.who, name, ("L5R-CHK-10",))
        elif name in ("use", "seize") and record.void:
            spend_void(game, deed.who, name, ("L5R-CHK-9",))
            bearer, trait = (facts[0], facts[1]) if name == "use" else (deed.who, facts[1])
            game.give(bearer, Effect("invoked", source=deed.who, applies=(trait,), uses=1))
        elif name == "fall":
            return fall_of(game, deed.who, int(facts[0]))
        elif name == "hazard":
            source, amount, *numbers = facts
            more = [int(number) for number in numbers]
            deadliness = deadliness_of(
                source, silhouette=more[0] if source == "object" and more else 0,
                again=more[0] if source == "fire" and more else 0,
            )  # fmt: skip
            return Damage(deed.who, int(amount), deadliness, source, rule="L5R-DMG-7")
        elif name == "wake":
            record.conditions = tuple(each for each in record.conditions if each != "unconscious")
            game.log("condition_ends", who=deed.who, condition="unconscious", rules=("L5R-COND-16",))
        return None


def fall_of(game: Game, who: Id, bands: int) -> Frame:
    """L5R-DMG-20: what a fall of so many bands does."""
    if bands <= 3:
        amount = {1: 4, 2: 8, 3: 12}[bands]
        return Damage(who, amount, deadliness_of("fall"), "fall", rule="L5R-DMG-20")
    severity = {4: 10, 5: 16, 6: 18}[min(6, bands)]
    game.log("falls_far", who=who, bands=bands, severity=severity, rules=("L5R-DMG-20",))
    return Critical(who, severity, "", "fall", resist_tn=3, resist_rings=(("air", 1), ("earth", 5)))


RULINGS: Final = ("complication", "hidden_tn", "inverted", "use", "seize", "fall", "hazard", "wake")


# The end of the scene


@steps("begin", "sober_up", "settle_down", "finish")
class SceneEnd(Frame):
    """The scene is over: strife and fatigue sink, and the encounter ends."""

    winner: str
    reason: str
    place: int = 0

    def begin(end, game: Game) -> None:
        for who in game.table.order:
            if game.records[who].effects or game.records[who].predict:
                record = game.edit(who)
                record.effects = ()
                record.predict = ""

    @cites("L5R-COND-13")
    def sober_up(end, game: Game) -> Frame | None:
        order = game.table.order
        while end.place < len(order):
            who = order[end.place]
            end.place += 1
            if "intoxicated" in game.records[who].conditions and able(game, who):
                end.go("sober_up")
                return Sobering(who)
        return None

    @cites("L5R-DER-8")
    def settle_down(end, game: Game) -> None:
        for who in game.table.order:
            record = figure(game, who)
            if record.out == "dead" or record.out == "defeated":
                continue
            strife, fatigue = settled(
                strife_of(record), record.fatigue, game.table.sheets[who].composure, endurance(game, who),
                exhausted="exhausted" in record.conditions,
            )  # fmt: skip
            gone = tuple(each for each in ("afflicted", "enraged") if each in record.conditions)
            if (strife, fatigue) != (strife_of(record), record.fatigue) or gone:
                record = game.edit(who)
                rules = ("L5R-COND-10",) if "exhausted" in record.conditions else ()
                record.strife, record.stain, record.fatigue = strife, 0, fatigue
                record.compromised = False
                record.conditions = tuple(each for each in record.conditions if each not in gone)
                if "enraged" in gone:
                    rules = (*rules, "L5R-COND-9")
                if "afflicted" in gone:
                    rules = (*rules, "L5R-COND-2")
                game.log("settles", who=who, strife=strife, fatigue=fatigue, ended=gone, rules=rules)

    def finish(end, game: Game) -> None:
        reason = end.reason
        rules = _END_RULES.get(reason, ())
        if reason == "objective" and game.table.objective:
            rules = (OBJECTIVE_RULES[game.table.objective], *rules)
        points = scores(game, end.winner) if game.table.duel and game.policy["duel_scoring"] == "on" else ()
        if points:
            rules = (*rules, "L5R-DUEL-23", "L5R-DUEL-24")
            if reason in ("both", "max_rounds", "objective"):
                best = max(points, key=lambda each: each[1])
                even = points[0][1] == points[1][1]
                end.winner = "" if even else game.table.side[best[0]]
                game.log("scored", points=points, difference=abs(points[0][1] - points[1][1]), rules=rules)
        cheats = [who for who in game.table.order if game.records[who].cheated] if game.table.duel else []
        if len(cheats) == 1:
            end.winner = game.table.side[game.table.foes[cheats[0]][0]]
            reason = "cheated"
            rules = (*rules, "L5R-DUEL-23")
        game.log("ends", winner=end.winner or None, reason=reason, rules=rules)
        game.finish(end.winner or None, reason)


_END_RULES: Final = {
    "objective": ("L5R-DUEL-14", "L5R-DUEL-20"),
    "both": ("L5R-DUEL-20",),
    "conceded": ("L5R-DUEL-3", "L5R-DUEL-27", "L5R-SKIR-13"),
    "both_conceded": ("L5R-DUEL-27",),
    "max_rounds": ("L5R-DUEL-22", "L5R-SKIR-12"),
    "beaten": ("L5R-SKIR-12",),
    "one_roll": ("L5R-DUEL-25",),
}


def settled(strife: int, fatigue: int, composure: int, most_fatigue: int, *, exhausted: bool = False) -> tuple[int, int]:
    """L5R-DER-8: strife and fatigue above half, rounded up, sink to it; the Exhausted keep their fatigue."""
    fatigue = fatigue if exhausted else min(fatigue, (most_fatigue + 1) // 2)
    return min(strife, (composure + 1) // 2), fatigue


def scores(game: Game, winner: str) -> tuple[tuple[Id, int], ...]:
    """L5R-DUEL-23: the points of both duellists."""
    found = []
    for who in game.table.order:
        record = figure(game, who)
        points = 6 if objective_met(game, who) else 0
        points += 3 if record.inflicted_first else 0
        points += record.fatigue_inflicted
        foe = figure(game, game.table.foes[who][0])
        if game.table.objective == "death" and foe.out == "dead":
            points += 14
        elif record.inflicted >= 0:
            points += record.inflicted
        if record.unmasked:
            points -= 2
        found.append((who, points))
    return tuple(found)


def verdict(difference: int) -> str:
    """L5R-DUEL-24: what a difference of points is called."""
    difference = abs(difference)
    for least, name in ((7, "no_contest"), (3, "absolute"), (2, "clear"), (1, "narrow")):
        if difference >= least:
            return name
    return "draw"


def award(difference: int) -> int:
    """L5R-DUEL-24: what a victory adds to a glory award."""
    return {"no_contest": 5, "absolute": 3}.get(verdict(difference), 0)


@steps("roll_sobering", "sober")
class Sobering(Frame):
    """The Intoxicated test whether they are sober again (L5R-COND-13)."""

    who: Id

    def roll_sobering(sobering, game: Game) -> Frame:
        game.edit(sobering.who).stance = "water"
        return Check(sobering.who, "fitness", "sober", 3, "L5R-COND-13", "intoxicated", ring="water")

    @cites("L5R-COND-13")
    def sober(sobering, game: Game, check: Check) -> None:
        if check.succeeded:
            record = game.edit(sobering.who)
            record.conditions = tuple(each for each in record.conditions if each != "intoxicated")
            game.log("condition_ends", who=sobering.who, condition="intoxicated")


def present_sides(game: Game) -> list[str]:
    """The sides that still stand."""
    return [side for side in game.table.sides if any(standing(game, who) for who in game.table.sides[side])]


__all__ = [
    "Composure", "Concession", "ConcessionAnswer", "FinishingBlow", "RulingDeed", "SceneEnd", "Sobering", "Unmasking",
    "composures", "concede", "conceded", "may_unmask", "objective_met", "present", "rulings_made", "traits_of",
]  # fmt: skip
