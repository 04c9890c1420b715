"""Damage, defending, critical strikes with their resist checks, wounds, scars, death (section 9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...engine import Choice, Frame, Game, Id, Line, Offer, Value, cites, steps, total
from .changes import (
    gain_fatigue,
    gain_void,
    give_away,
    harm_item,
    recover,
    spend_void,
    suffer,
    use_up,
)
from .check import NO, Check
from .facts import armour_value, can_defend, figure, has, incapacitated, quality_at, resistance_lines, worn
from .numbers import unheeded

SCARS: Final = {
    "serious": {
        "air": ("maimed_visage", "nerve_damage"),
        "earth": ("damaged_organ", "fractured_spine"),
        "fire": ("lost_fingers", "maimed_arm"),
        "water": ("lost_eye", "lost_foot"),
        "void": ("lost_memories",),
    },
    "grave": {
        "air": ("deafness", "muteness"),
        "earth": ("damaged_heart", "damaged_organ"),
        "fire": ("lost_arm", "lost_hand"),
        "water": ("blindness", "lost_leg"),
        "void": ("cognitive_lapses",),
    },
}
"""L5R-DMG-13, L5R-DMG-14: scars by resist ring, for severity 7 and 8, and 9 to 11."""

DEFEND: Final = Offer("defend", "defend", rules=("L5R-DMG-2",))
REFUSE: Final = Offer("refuse", "defend", cost=((1, "void"),), rules=("L5R-DMG-4", "L5R-CHK-9"))
WAKE: Final = Offer("wake", "", cost=((1, "void"),), rules=("L5R-COND-16", "L5R-CHK-9"))
LOWER: Final = Offer("lower", "", rules=("L5R-TEC-18",))


def deadliness_of(source: str, ring: int = 0, strife: int = 0, silhouette: int = 0, again: int = 0) -> int:
    """L5R-DMG-7: the deadliness of damage for which none is stated."""
    return {
        "invocation": ring + strife,
        "kiho": 8,
        "fire": 5 + 2 * again,
        "fall": 7,
        "object": 3 * silhouette,
    }[source]


def result_of(severity: int) -> str:
    """The row of the critical strike table for a final severity (L5R-DMG-10 to L5R-DMG-15)."""
    for most, row in (
        (2, "armour"),
        (4, "light"),
        (6, "severe"),
        (8, "serious"),
        (11, "grave"),
        (13, "dying_3"),
        (15, "dying_1"),
    ):
        if severity <= most:
            return row
    return "death"


def _result_rule(row: str) -> str:
    return {
        "armour": "L5R-DMG-10",
        "light": "L5R-DMG-11",
        "severe": "L5R-DMG-12",
        "serious": "L5R-DMG-13",
        "grave": "L5R-DMG-14",
    }.get(row, "L5R-DMG-15")


@steps("ask_wake", "wake", "reduce", "ask_defend", "defend", "strike_undefended")
class Damage(Frame):
    """Damage to one target: reduced, then defended, or refused, or undefendable."""

    target: Id
    amount: int
    deadliness: int
    cause: str
    source: Id = ""
    kind: str = "physical"
    weapon: Id = ""
    pierced: int = 0
    unreduced: bool = False
    current_fatigue: bool = False  # L5R-COND-3: undefended, the severity is the fatigue of that moment
    rule: str = ""
    overwhelms: bool = False
    undefended: bool = False
    raw: int = 0

    def ask_wake(damage, game: Game) -> Choice | None:
        record = figure(game, damage.target)
        if record.out:
            damage.done()
            return None
        if "unconscious" not in record.conditions or not record.void:
            damage.go("reduce")
            return None
        return Choice(game.seat_of[damage.target], "wake", (NO, WAKE), damage.target, facts=("damage", damage.amount))

    @cites("L5R-COND-16", "L5R-CHK-9")
    def wake(damage, game: Game, answer: Value) -> None:
        if answer == "wake":
            wake_up(game, damage.target)

    @cites("L5R-DMG-1")
    def reduce(damage, game: Game) -> None:
        target = damage.target
        rules = [damage.rule] if damage.rule else []
        before = damage.raw = damage.amount
        if not damage.unreduced:
            lines = tuple(resistance_lines(game, target, damage.kind, damage.pierced))
            damage.amount = max(0, before - total(lines, 0))
            rules += [line[2] for line in lines]
        game.log(
            "damage", who=target, source=damage.source, amount=before, left=damage.amount, cause=damage.cause, rules=tuple(rules)
        )
        if not damage.amount:
            if before and damage.weapon and "razor_edged" in game.table.qualities[damage.weapon]:
                harm_item(game, damage.source, damage.weapon, ("L5R-DMG-1",))
            damage.done()
            return
        helpless = damage.overwhelms and game.records[target].compromised
        if helpless or not can_defend(game, target):
            damage.undefended = True
            game.log("undefended", who=target, rules=("L5R-DMG-3", *(["L5R-TEC-10"] if helpless else [])))
            damage.go("strike_undefended")

    def ask_defend(damage, game: Game) -> Choice:
        offers = (DEFEND, REFUSE) if game.records[damage.target].void else (DEFEND,)
        facts = (damage.amount, damage.deadliness, damage.cause)
        return Choice(game.seat_of[damage.target], "defend", offers, damage.target, facts=facts)

    @cites("L5R-DMG-2")
    def defend(damage, game: Game, answer: Value) -> None:
        target = damage.target
        if answer == "refuse":
            spend_void(game, target, "refuse", ("L5R-DMG-4", "L5R-CHK-9"))
            damage.undefended = True
            damage.go("strike_undefended")
            return
        gain_fatigue(game, target, damage.amount, damage.cause, damage.source)
        if game.table.sheets[target].minion:
            first = game.policy["minion_kill_amount"] == "before_reductions"
            fell(game, target, damage.raw if first else damage.amount, damage.source)
        elif incapacitated(game, target):
            game.log("no_critical_yet", who=target, rules=("L5R-DMG-5",))
        damage.done()

    @cites("L5R-DMG-3")
    def strike_undefended(damage, game: Game) -> Frame:
        severity = game.records[damage.target].fatigue if damage.current_fatigue else damage.deadliness
        critical = Critical(damage.target, severity, damage.source, damage.cause, damage.weapon)
        critical.go("raise_severity")  # whoever could wake was asked before the damage
        return critical


def wake_up(game: Game, who: Id) -> None:
    """L5R-COND-16: a Void point wakes at once."""
    spend_void(game, who, "wake")
    recover(game, who, "unconscious")


def fell(game: Game, who: Id, amount: int, by: Id) -> None:
    """L5R-DER-10: a minion whose fatigue passes its endurance is defeated, killed by 7 or more."""
    if not incapacitated(game, who):
        return
    record = game.edit(who)
    killed = amount >= 7
    record.out = "dead" if killed else "defeated"
    game.log("falls", who=who, killed=killed, rules=("L5R-DER-10",))
    if killed:
        killed_by(game, who, by)


def killed_by(game: Game, who: Id, by: Id) -> None:
    """L5R-COND-9, L5R-CHK-10: the first kill of a scene while Enraged gives a Void point."""
    if by and by != who and by in game.table.sheets:
        killer = figure(game, by)
        if has(killer, "enraged") and "kill" not in killer.once:
            game.edit(by).once = tuple(sorted((*killer.once, "kill")))
            gain_void(game, by, "kill", ("L5R-COND-9", "L5R-CHK-10"))


def die(game: Game, who: Id, by: Id, rules: tuple[str, ...] = ()) -> None:
    """A figure dies."""
    if game.records[who].out == "dead":
        return
    record = game.edit(who)
    record.out = "dead"
    record.dying = 0
    game.log("dies", who=who, by=by, rules=rules)
    killed_by(game, who, by)


def severity_lines(game: Game, critical: Critical) -> Iterator[Line]:
    """L5R-DMG-8: what raises the severity, then what lowers it, apart from schools."""
    yield critical.severity, critical.cause, "L5R-DMG-8"
    target = figure(game, critical.target)
    if critical.source and critical.source in game.table.sheets and has(figure(game, critical.source), "enraged"):
        yield 2, "enraged", "L5R-COND-9"
    if has(target, "enraged"):
        yield 2, "enraged", "L5R-COND-9"
    if has(target, "unconscious"):
        yield 10, "unconscious", "L5R-COND-16"
    for effect in target.effects:
        if effect.name == "opened":
            yield effect.amount, effect.source, "L5R-TEC-8"
        elif effect.name == "hardened":
            yield -effect.amount, "hardened", "L5R-OPP-15"


@steps(
    "ask_wake", "wake", "raise_severity", "ask_crane", "turn_crane", "ask_crab", "turn_crab", "roll_resistance", "lower", "apply",
    "ask_scar", "take_scar", "conclude",
)  # fmt: skip
class Critical(Frame):
    """A critical strike: severity, resist check, result."""

    target: Id
    severity: int
    source: Id
    cause: str
    weapon: Id = ""
    resist_tn: int = 1
    resist_rings: tuple[tuple[str, int], ...] = ()
    unresisted: str = ""  # the ring of a result that is not resisted (L5R-COND-18)
    ring: str = ""
    strife: int = 0
    finishing: bool = False  # its attack sees to what follows on the resist check (L5R-DUEL-14)

    def ask_wake(critical, game: Game) -> Choice | None:
        record = game.records[critical.target]
        if "unconscious" not in record.conditions or not record.void or record.out or critical.unresisted:
            critical.go("raise_severity")
            return None
        return Choice(game.seat_of[critical.target], "wake", (NO, WAKE), critical.target, facts=("critical", critical.severity))

    @cites("L5R-COND-16", "L5R-CHK-9")
    def wake(critical, game: Game, answer: Value) -> None:
        if answer == "wake":
            wake_up(game, critical.target)

    @cites("L5R-DMG-8", "L5R-DMG-18")
    def raise_severity(critical, game: Game) -> None:
        if game.records[critical.target].out in ("dead", "defeated"):
            critical.done()
            return
        if critical.unresisted:
            critical.ring = critical.unresisted
            game.log("critical", who=critical.target, source=critical.source, severity=critical.severity, cause=critical.cause)
            critical.go("apply")
            return
        lines = tuple(severity_lines(game, critical))
        critical.severity = total(lines, 0)
        if game.records[critical.target].effects:
            use_up(game, critical.target, lambda effect: effect.name in ("opened", "hardened"))
        game.log(
            "critical", who=critical.target, source=critical.source, severity=critical.severity, cause=critical.cause,
            parts=lines if len(lines) > 1 else (), rules=(*(line[2] for line in lines), *_despite_earth(game, critical)),
        )  # fmt: skip

    def ask_crane(critical, game: Game) -> Choice | None:
        """L5R-TEC-16: whoever inflicts it may raise or lower it, once per round."""
        source = critical.source
        if (
            not source
            or source == critical.target
            or source not in game.table.sheets
            or "way_of_the_crane" not in game.table.sheets[source].techniques
            or "crane" in game.records[source].once_a_round
            or game.records[source].out
        ):
            critical.go("ask_crab")
            return None
        rank = game.table.sheets[source].school_rank
        offers = tuple(
            game.table.offer(("adjust", amount), "crane", ("L5R-TEC-16",))
            for amount in (0, *range(rank, 0, -1), *range(-1, -rank - 1, -1))
        )
        return Choice(game.seat_of[source], "crane", offers, source, facts=(critical.severity,))

    @cites("L5R-TEC-16")
    def turn_crane(critical, game: Game, answer: Value) -> None:
        amount = int(answer[1])  # type: ignore[index, arg-type]
        if amount:
            record = game.edit(critical.source)
            record.once_a_round = tuple(sorted((*record.once_a_round, "crane")))
            critical.severity = max(0, critical.severity + amount)
            game.log("adjusts", who=critical.source, amount=amount, severity=critical.severity, why="way_of_the_crane")

    def ask_crab(critical, game: Game) -> Choice | None:
        """L5R-TEC-18: whoever suffers it may lower it by armour and school rank, once per round."""
        target = critical.target
        sheet = game.table.sheets[target]
        if "way_of_the_crab" not in sheet.techniques or "crab" in game.records[target].once_a_round:
            critical.go("roll_resistance")
            return None
        by = armour_value(game, target, "physical")[0] + sheet.school_rank
        return Choice(game.seat_of[target], "crab", (NO, LOWER), target, facts=(critical.severity, by))

    @cites("L5R-TEC-18")
    def turn_crab(critical, game: Game, answer: Value) -> None:
        if answer == "lower":
            target = critical.target
            record = game.edit(target)
            record.once_a_round = tuple(sorted((*record.once_a_round, "crab")))
            by = armour_value(game, target, "physical")[0] + game.table.sheets[target].school_rank
            critical.severity = max(0, critical.severity - by)
            game.log("adjusts", who=target, amount=-by, severity=critical.severity, why="way_of_the_crab")

    @cites("L5R-DMG-9")
    def roll_resistance(critical, game: Game) -> Frame | None:
        target = critical.target
        sheet = game.table.sheets[target]
        if sheet.minion:
            # L5R-DER-11: a minion takes the severity as fatigue.
            gain_fatigue(game, target, critical.severity, "critical", critical.source, ("L5R-DER-11",))
            fell(game, target, critical.severity, critical.source)
            if game.table.duel:
                _note(game, critical, False)
            critical.done()
            return None
        return Check(
            target, "fitness", "resist", critical.resist_tn, "L5R-DMG-9", tn_source="resist", tn_rings=critical.resist_rings,
            ring=game.records[target].stance, critical=True,
        )  # fmt: skip

    @cites("L5R-DMG-9")
    def lower(critical, game: Game, check: Check) -> None:
        critical.ring = check.ring
        critical.strife = check.strife
        if check.succeeded:
            critical.severity = max(0, critical.severity - 1 - check.bonus)
        game.log("final_severity", who=critical.target, severity=critical.severity, resisted=check.succeeded)

    def apply(critical, game: Game) -> Frame | None:
        target, severity = critical.target, critical.severity
        row = result_of(severity)
        rules = (_result_rule(row),)
        helpless = incapacitated(game, target)
        told = row != "armour"  # by the lines of what follows
        game.log("result", who=target, severity=severity, row=row, ring=critical.ring, rules=rules, explain=told)
        razor = bool(critical.weapon) and "razor_edged" in game.table.qualities[critical.weapon]
        worse: Frame | None = None
        if row == "armour":
            item = worn(figure(game, target))
            if item is not None:
                harm_item(game, target, item.card, rules)
        elif row in ("light", "severe"):
            worse = wound(game, target, critical.ring, row, critical.source, rules)
            if razor:
                suffer(game, target, "bleeding", (*rules, "L5R-EQP-6"))
        elif row in ("serious", "grave"):
            suffer(game, target, "bleeding", rules)
        elif row == "death":
            die(game, target, critical.source, rules)
        else:
            worse = wound(game, target, critical.ring, "severe", critical.source, rules)
            suffer(game, target, "bleeding", rules)
            make_dying(game, target, 3 if row == "dying_3" else 1, rules)
        _note(game, critical, row.startswith("dying"))
        if helpless and not game.records[target].out:
            suffer(game, target, "unconscious", ("L5R-DMG-17",))
        if row not in ("serious", "grave"):
            critical.go("conclude")
        return worse

    def ask_scar(critical, game: Game) -> Choice:
        row = SCARS[result_of(critical.severity)][critical.ring]
        rule = _result_rule(result_of(critical.severity))
        owned = game.records[critical.target].scars
        fresh = tuple(scar for scar in row if scar not in owned)
        rules: tuple[str, ...] = (rule,)
        if len(fresh) < len(row):
            rules = (rule, "L5R-DMG-16")
            if game.policy["scar_repeat"] == "other_then_dying5" and fresh:
                row = fresh
        offers = tuple(Offer(("scar", scar), "scar", rules=rules) for scar in row)
        return Choice(game.seat_of[critical.target], "scar", offers, critical.target)

    @cites("L5R-DMG-16")
    def take_scar(critical, game: Game, answer: Value) -> None:
        scar = str(answer[1])  # type: ignore[index]
        record = figure(game, critical.target)
        rule = _result_rule(result_of(critical.severity))
        if scar not in record.scars:
            record = game.edit(critical.target)
            record.scars = tuple(sorted((*record.scars, scar)))
            game.log("scar", who=critical.target, scar=scar, rules=(rule,))
        elif game.policy["scar_repeat"] == "keep":
            game.log("scar_kept", who=critical.target, scar=scar)
        else:
            game.log("scar_again", who=critical.target, scar=scar)
            make_dying(game, critical.target, 5, ("L5R-DMG-16",))

    def conclude(critical, game: Game) -> Frame | None:
        """L5R-COND-3: resist checks bleed too, each after its own critical."""
        return None if critical.finishing else aftermath(game, critical.target, critical.strife)


def _despite_earth(game: Game, critical: Critical) -> tuple[str, ...]:
    """L5R-STN-3: what the Earth stance does not stop."""
    return ("L5R-STN-3",) if game.records[critical.target].stance == "earth" else ()


def make_dying(game: Game, who: Id, rounds: int, rules: tuple[str, ...]) -> None:
    """Dying X; a lower X stays (L5R-COND-8)."""
    record = figure(game, who)
    if record.out:
        return
    again = "dying" in record.conditions
    record = game.edit(who)
    record.dying = min(record.dying, rounds) if again else rounds
    suffer(game, who, "dying", rules)
    game.log("dying", who=who, rounds=record.dying, rules=(*rules, "L5R-COND-8"))


def _note(game: Game, critical: Critical, dying: bool) -> None:
    """What a duel's objective and points look at: the severest critical inflicted on the foe."""
    by = critical.source
    if not by or by == critical.target or by not in game.table.sheets or not game.table.duel:
        return
    record = game.edit(by)
    foe = game.records[critical.target]
    if record.inflicted < 0 and foe.inflicted < 0 and game.policy["duel_scoring"] == "on":
        record.inflicted_first = True
    record.inflicted = max(record.inflicted, critical.severity)
    if dying and game.policy["dying_counts"] == "once":
        record.inflicted_dying = True


def wound(game: Game, who: Id, ring: str, how: str, source: Id, rules: tuple[str, ...]) -> Frame | None:
    """Lightly, then Severely Wounded in a ring; beyond that a result of severity 8 (L5R-COND-17, L5R-COND-18).

    `rules` are those of the result that wounds.
    """
    light, severe = f"lightly_wounded_{ring}", f"severely_wounded_{ring}"
    record = figure(game, who)
    if severe in record.conditions:
        recover(game, who, severe, ("L5R-COND-18",))
        return Critical(who, 8, source, "wounded_again", unresisted=ring)
    if how == "severe" or light in record.conditions:
        recover(game, who, light, ("L5R-COND-17",))
        suffer(game, who, severe, (*rules, *(("L5R-COND-17",) if how == "light" else ()), "L5R-COND-18"))
    else:
        suffer(game, who, light, (*rules, "L5R-COND-17"))
    return None


def aftermath(game: Game, who: Id, strife: int) -> Frame | None:
    """What follows on a check that is fully resolved: Bleeding (L5R-COND-3), Dangerous terrain (L5R-SKIR-7)."""
    if not strife:
        return None
    record = game.records[who]
    bleeds = "bleeding" in record.conditions and has(record, "bleeding")
    if game.table.terrain:
        give_away(game, record.at)
    if record.out or not (bleeds or (game.table.terrain and quality_at(game, record.at, "dangerous"))):
        return None
    return Aftermath(who, strife)


@steps("bleed", "meet_danger")
class Aftermath(Frame):
    """Damage that a fully resolved check brings to its roller, by its kept T."""

    who: Id
    strife: int

    @cites("L5R-COND-3")
    def bleed(after, game: Game) -> Frame | None:
        record = figure(game, after.who)
        if not has(record, "bleeding"):
            return None
        game.log("bleeds", who=after.who, amount=after.strife)
        return Damage(
            after.who, after.strife, 0, "bleeding", unreduced=True, current_fatigue=True, rule="L5R-COND-3"
        )  # fmt: skip

    @cites("L5R-SKIR-7")
    def meet_danger(after, game: Game) -> Frame | None:
        record = figure(game, after.who)
        if record.out or not quality_at(game, record.at, "dangerous") or unheeded(record, "dangerous"):
            return None
        return Damage(after.who, after.strife, after.strife, "terrain", rule="L5R-SKIR-7")
