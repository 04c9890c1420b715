"""Attacks: Strike, Iaijutsu Cuts and other attack techniques; in a duel also as finishing blows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine import Frame, Game, Id, Line, Reason, cites, steps, total
from .cards import Technique
from .changes import gain_strife, in_own_turn, lose_honour, ready, suffer
from .check import Check, hits
from .damage import Critical, Damage, aftermath
from .ending import objective_met
from .facts import (
    able,
    band,
    figure,
    foes,
    hands_full,
    has,
    incapacitated,
    item_of,
    vigilance,
    vigilance_rule,
    weapon_numbers,
)
from .numbers import obscured
from .reactions import occasion

AttackValue = tuple[Any, ...]
"""(technique, target, weapon), with a fourth part "draw" or "stow" where the weapon is handled as part of the attack."""


def attack_values(game: Game, who: Id) -> tuple[AttackValue, ...]:
    """Every attack that a figure might think of; which are legal now is another question. Made once for its gear."""
    table = game.table
    key = ("attacks", who, *[item.card for item in game.records[who].items])
    found = table.candidates.get(key)
    if found is None:
        values: list[AttackValue] = []
        weapons = [item.card for item in game.records[who].items if item.card in table.weapons]
        for target in table.foes[who]:
            for name in ("strike", *table.sheets[who].techniques):
                card = table.techniques[name]
                if card.attack is None:
                    continue
                for weapon in (*weapons, *table.bodies):
                    if weapon in table.bodies and card.attack.iaijutsu:
                        continue
                    values.append((name, target, weapon))
                    if weapon in weapons and not card.attack.iaijutsu:
                        values.append((name, target, weapon, "draw"))
                        if "concealable" in table.qualities[weapon]:
                            values.append((name, target, weapon, "stow"))
        found = table.candidates[key] = tuple(values)
    return found  # type: ignore[no-any-return]


def cannot_attack(game: Game, who: Id, value: AttackValue, *, finishing: bool = False) -> Iterator[Reason]:
    """Why an attack may not be made now."""
    table = game.table
    name, target, weapon = value[:3]
    handling = value[3] if len(value) > 3 else ""
    card: Technique = table.techniques[name]
    attack = card.attack
    assert attack is not None
    record = game.records[who]
    if game.records[target].out:
        yield Reason("target_out", (target,), (card.rule,))
        return
    if incapacitated(game, who):
        yield Reason("incapacitated", (), ("L5R-COND-12",))
    if "movement" in card.types and has(record, "immobilized"):
        yield Reason("immobilized", (), ("L5R-COND-11",))
    if card.ring and record.stance != card.ring:
        yield Reason("needs_stance", (card.ring,), (card.rule, "L5R-CON-12"))
    item = item_of(record, weapon)
    if item is not None:
        yield from _cannot_use(game, who, card, item, handling, finishing)
    weapon_card = table.weapons[weapon]
    if attack.skill == "melee" and weapon_card.skill != "melee":
        yield Reason("needs_melee", (weapon,), (card.rule,))
    if table.duel:
        return
    low, high = attack.range or weapon_card.range
    bands = band(game, who, target)
    if not low <= bands <= high:
        yield Reason("out_of_range", (target, bands, low, high), ("L5R-SKIR-4",))
    if bands > 2 and obscured(game, who, target, table.side[who])[0]:
        yield Reason("out_of_sight", (target,), ("L5R-SKIR-7",))
    if clash_of(game, who) and target != record.clash:
        yield Reason("in_clash", (record.clash,), ("L5R-SKIR-9",))


def clash_of(game: Game, who: Id) -> bool:
    """Whether the clash of a figure is fought just now."""
    if not game.records[who].clash:
        return False
    depth = game.find(game.frame_classes["Clash"])
    return depth >= 0 and who in (game.agenda[depth].challenger, game.agenda[depth].foe)  # type: ignore[attr-defined]


def _cannot_use(game: Game, who: Id, card: Technique, item: Any, handling: str, finishing: bool) -> Iterator[Reason]:
    record = figure(game, who)
    attack = card.attack
    assert attack is not None
    weapon = item.card
    if item.harm == "destroyed" or item.state == "dropped":
        yield Reason("not_at_hand", (weapon,), ("L5R-EQP-5" if item.harm == "destroyed" else "L5R-ACT-1",))
        return
    drawing = attack.iaijutsu or handling == "draw"
    if not drawing:
        if item.state == "stowed":
            rules = ("L5R-DUEL-12", "L5R-ACT-1") if finishing else (card.rule,)
            yield Reason("not_readied", (weapon,), rules)
        return
    if attack.iaijutsu and not game.table.weapons[weapon].iaijutsu:
        yield Reason("no_iaijutsu", (weapon,), ("L5R-TEC-9",))
    if item.state != "stowed":
        yield Reason("not_sheathed", (weapon,), ("L5R-TEC-9",) if attack.iaijutsu else ("L5R-EQP-7",))
    if hands_full(record) > 1:
        yield Reason("no_free_hand", (weapon,), ("L5R-EQP-9",))
    if handling == "draw":
        drawn = finishing and game.policy["finishing_blow_draws"] == "on"
        if "concealable" not in game.table.qualities[weapon] and not drawn:
            yield Reason("not_concealable", (weapon,), ("L5R-DUEL-12",) if finishing else ("L5R-EQP-7", "L5R-ACT-4"))
        if game.table.weapons[weapon].one_hand is None:
            yield Reason("no_free_hand", (weapon,), ("L5R-EQP-9",))
    if game.table.kind == "iaijutsu" and not record.begun:
        yield Reason("no_draw_yet", (), ("L5R-DUEL-21",))


def attack_tn(game: Game, card: Technique, target: Id) -> tuple[int, str, str]:
    """The TN of an attack before modifiers, its source, its rule."""
    attack = card.attack
    assert attack is not None
    if attack.tn == "vigilance":
        return vigilance(game, target), "vigilance", vigilance_rule(game, target)
    return int(attack.tn), card.id, card.rule


def attack_check(game: Game, who: Id, value: AttackValue, ring: str) -> Check:
    """The check of an attack."""
    name, target, weapon = value[:3]
    card: Technique = game.table.techniques[name]
    attack = card.attack
    assert attack is not None
    tn, source, rule = attack_tn(game, card, target)
    return Check(
        who, attack.skill or game.table.weapons[weapon].skill, "attack", tn, rule, source,
        tuple(sorted(attack.rings.items())) if attack.rings else (), ring, card.types, (target,), weapon, name,
        moved=moved_this_turn(game, who),
    )  # fmt: skip


def ring_for(game: Game, who: Id) -> str:
    """The ring of a check: the stance; before there is one, that of the own initiative check (L5R-DUEL-26); else "" (asked)."""
    stance = game.records[who].stance
    if stance:
        return str(stance)
    for frame in reversed(game.agenda):
        if isinstance(frame, Check) and frame.who == who and frame.purpose == "initiative":
            return frame.ring
    return ""


def moved_this_turn(game: Game, who: Id) -> bool:
    """Whether a figure has moved in its turn that is going on (L5R-EQP-4)."""
    if game.table.duel or not in_own_turn(game, who):
        return False
    return bool(game.agenda[game.find(game.frame_classes["Turn"])].moved)  # type: ignore[attr-defined]


def grip_of(game: Game, who: Id, value: AttackValue) -> str:
    """The grip in which the weapon strikes: one hand for a blade that is drawn (L5R-TEC-9)."""
    card = game.table.techniques[value[0]]
    if card.attack.iaijutsu or (len(value) > 3 and value[3] == "draw"):
        return "1h"
    item = item_of(figure(game, who), value[2])
    return item.state if item is not None else ""


def damage_lines(game: Game, who: Id, value: AttackValue, bonus: int, ring: str, sharper: int = 0) -> Iterator[Line]:
    """The damage of an attack that hits, before the target reduces it; `sharper` is what a razor edge adds to deadliness."""
    name, _, weapon = value[:3]
    card = game.table.techniques[name]
    damage, deadliness = weapon_numbers(game, who, weapon, grip_of(game, who, value))
    if card.attack.damage == "base":
        plain = game.table.weapons[weapon].damage
        yield plain, weapon, "L5R-ACT-1" if name == "strike" else card.rule
        if damage != plain:
            yield damage - plain, "grip", "L5R-EQP-1"
    elif card.attack.damage == "deadliness":
        yield deadliness, f"{weapon} deadliness", card.rule
        if sharper:
            yield sharper, "razor edge", "L5R-OPP-40"
    elif card.attack.damage == "ring":
        yield game.table.sheets[who].rings[ring], ring, card.rule
    if card.attack.bonus and bonus:
        yield bonus, "bonus successes", card.rule


@steps(
    "declare", "handle", "roll_attack", "land", "begin_resistance", "withstand", "strike_one", "follow", "strike_two",
    "leave_condition", "put_away", "bleed", "conclude",
)  # fmt: skip
class Attack(Frame):
    """One attack on one target."""

    who: Id
    value: AttackValue
    finishing: bool = False
    target: Id = ""
    bonus: int = 0
    hit: bool = False
    amount: int = 0
    deadliness: int = 0
    severity: int = 0
    pierced: int = 0
    strife: int = 0
    ring: str = ""
    criticals: tuple[int, ...] = ()

    def card(attack, game: Game) -> Technique:
        """The technique by which it is made; the Strike too."""
        return game.table.techniques[attack.value[0]]  # type: ignore[no-any-return]

    @cites("L5R-ACT-1")
    def declare(attack, game: Game) -> None:
        attack.target = str(attack.value[1])
        card = attack.card(game)
        if game.events is not None:
            _announce(game, attack, card)
        pay_for_daunting(game, attack.who, (attack.target,))
        interfere(game, attack.who, attack.target)
        if not (card.attack.iaijutsu or "draw" in attack.value[3:]):  # type: ignore[union-attr]
            attack.go("roll_attack")

    def handle(attack, game: Game) -> None:
        if attack.card(game).attack.iaijutsu:  # type: ignore[union-attr]
            ready(game, attack.who, attack.value[2], "1h", ("L5R-TEC-9",))
        elif len(attack.value) > 3 and attack.value[3] == "draw":
            ready(game, attack.who, attack.value[2], "1h", ("L5R-DUEL-12",) if attack.finishing else ("L5R-EQP-7",))

    def roll_attack(attack, game: Game) -> Frame | None:
        if not able(game, attack.who) or game.records[attack.target].out:
            _wind_up(game, attack)
            return None
        return attack_check(game, attack.who, attack.value, ring_for(game, attack.who))

    def land(attack, game: Game, check: Check | None) -> None:
        if check is None:
            return
        card = attack.card(game)
        attack.strife = check.strife
        attack.ring = check.ring
        if check.targets[0] != attack.target:
            attack.target = check.targets[0]
        if not hits(check):
            if card.attack.failure_condition and not check.broken:  # type: ignore[union-attr]
                suffer(game, attack.who, card.attack.failure_condition, (card.rule,))  # type: ignore[union-attr]
            _wind_up(game, attack)
            return
        attack.hit = True
        attack.bonus = check.bonus
        attack.pierced = check.pierced
        _, deadliness = weapon_numbers(game, attack.who, attack.value[2], grip_of(game, attack.who, attack.value))
        attack.deadliness = deadliness + check.deadlier
        attack.amount = total(damage_lines(game, attack.who, attack.value, check.bonus, check.ring, check.deadlier))
        if attack.finishing:
            after = game.policy["razor_edge_doubling"] == "after"
            attack.severity = 2 * deadliness + check.deadlier * (1 if after else 2) + check.bonus
            game.log(
                "finishing_hit", who=attack.who, target=attack.target, severity=attack.severity, rules=("L5R-DUEL-11",),
                explain=True,
            )  # fmt: skip
        elif card.attack.critical:  # type: ignore[union-attr]
            attack.severity = attack.deadliness + check.bonus
        if check.strikes:
            attack.criticals = (attack.deadliness,)
        if card.attack.resist is None:  # type: ignore[union-attr]
            attack.go("strike_one")

    def begin_resistance(attack, game: Game) -> Frame | None:
        """L5R-TEC-13: the target withstands with Fitness, or the blow bites deeper."""
        resist = attack.card(game).attack.resist  # type: ignore[union-attr]
        if resist is None or attack.finishing or game.records[attack.target].out:
            attack.go("strike_one")
            return None
        rings = tuple(sorted(resist.rings.items()))
        stance = game.records[attack.target].stance
        return Check(
            attack.target, "fitness", "withstand", resist.tn, attack.card(game).rule, "withstand", rings, stance
        )  # fmt: skip

    def withstand(attack, game: Game, check: Check) -> Frame | None:
        card = attack.card(game)
        if not check.succeeded:
            more = weapon_numbers(game, attack.who, attack.value[2], grip_of(game, attack.who, attack.value))[0]
            attack.amount += more
            game.log("bites_deeper", who=attack.target, amount=more, rules=(card.rule,))
        return aftermath(game, attack.target, check.strife)

    def strike_one(attack, game: Game) -> Frame | None:
        if attack.finishing:
            return _the_critical(game, attack)
        _go_on(game, attack)
        if attack.severity:
            return _the_critical(game, attack)
        if attack.criticals and game.policy["strike_order"] == "critical_first":
            return _bought_critical(game, attack)
        return _damage(game, attack)

    def follow(attack, game: Game, critical: Critical) -> Frame | None:
        """L5R-DUEL-14: a finishing blow that meets the objective ends the duel at once; else its action goes on (L5R-DUEL-11)."""
        if game.table.duel and objective_met(game, attack.who):
            attack.done()
            return None
        _go_on(game, attack)
        return aftermath(game, critical.target, critical.strife)

    def strike_two(attack, game: Game) -> Frame | None:
        if not attack.criticals or game.records[attack.target].out:
            return None
        if not (attack.finishing or attack.severity) and game.policy["strike_order"] == "critical_first":
            return _damage(game, attack)
        return _bought_critical(game, attack)

    def leave_condition(attack, game: Game) -> None:
        card = attack.card(game)
        condition = card.attack.condition  # type: ignore[union-attr]
        if condition and not game.records[attack.target].out:
            suffer(game, attack.target, condition, (card.rule,))

    def put_away(attack, game: Game) -> None:
        if len(attack.value) > 3 and attack.value[3] == "stow":
            ready(game, attack.who, attack.value[2], "stowed", ("L5R-EQP-7",))

    def bleed(attack, game: Game) -> Frame | None:
        return aftermath(game, attack.who, attack.strife)

    def conclude(attack, game: Game) -> Frame | None:
        return occasion(game, "attacks", attack.who, attack.target)


def _announce(game: Game, attack: Attack, card: Technique) -> None:
    rules = ("L5R-DUEL-10",) if attack.finishing else ()
    if card.id != "strike":
        rules = (*rules, card.rule)
    rules = (*rules, "L5R-EQP-3" if attack.value[2] in game.table.bodies else "L5R-EQP-1")
    if not game.records[attack.who].stance:
        rules = (*rules, "L5R-DUEL-26")
    if not game.table.duel:
        rules = (*rules, "L5R-SKIR-4", "L5R-SKIR-3")
    game.log(
        "attacks", who=attack.who, target=attack.target, technique=card.id, weapon=attack.value[2], rules=rules,
        explain=isinstance(game.agenda[-2], game.frame_classes["Turn"]),  # there the line "acts" says it
    )  # fmt: skip


def _go_on(game: Game, attack: Attack) -> None:
    """On to what else the action does to its target, if it does anything."""
    if attack.criticals or attack.card(game).attack.condition:  # type: ignore[union-attr]
        attack.go("strike_two")
    else:
        _wind_up(game, attack)


def _wind_up(game: Game, attack: Attack) -> None:
    """On to the first of the last steps that has something to do."""
    if "stow" in attack.value[3:]:
        attack.go("put_away")
    elif attack.strife:
        attack.go("bleed")
    elif not game.table.duel:
        attack.go("conclude")
    else:
        attack.done()


def _the_critical(game: Game, attack: Attack) -> Frame:
    card = attack.card(game)
    cause = "finishing_blow" if attack.finishing else card.id
    resist = card.attack.critical_resist  # type: ignore[union-attr]
    if resist is None:
        return Critical(attack.target, attack.severity, attack.who, cause, attack.value[2], finishing=attack.finishing)
    rings = tuple(sorted(resist.rings.items()))
    return Critical(
        attack.target, attack.severity, attack.who, cause, attack.value[2], resist.tn, rings, finishing=attack.finishing
    )


def _bought_critical(game: Game, attack: Attack) -> Frame:
    severity = attack.criticals[0]
    game.log("strikes_true", who=attack.who, target=attack.target, severity=severity, rules=("L5R-ACT-2",), explain=True)
    return Critical(attack.target, severity, attack.who, "critical", attack.value[2])


def _damage(game: Game, attack: Attack) -> Frame:
    return Damage(
        attack.target, attack.amount, attack.deadliness, attack.card(game).id, attack.who, weapon=attack.value[2],
        pierced=attack.pierced, overwhelms=attack.card(game).attack.overwhelms,  # type: ignore[union-attr]
        rule="L5R-ACT-1" if attack.value[0] == "strike" else attack.card(game).rule,
    )  # fmt: skip


def pay_for_daunting(game: Game, who: Id, targets: tuple[Id, ...]) -> None:
    """L5R-OPP-23: others pay strife to target the daunting with an Attack or Scheme action."""
    for target in targets:
        for effect in figure(game, target).effects:
            if effect.name == "daunting":
                gain_strife(game, who, effect.amount, "daunted", rules=("L5R-OPP-23",))


def interfere(game: Game, who: Id, target: Id) -> None:
    """L5R-SKIR-10: whoever interferes with a clash from outside loses honour."""
    if game.table.duel:
        return
    engaged = game.records[target].clash
    if engaged and engaged != who and game.records[target].clash_round:
        lose_honour(game, who, 10, "interferes", ("L5R-SKIR-10",))


def possible_targets(game: Game, who: Id) -> list[Id]:
    """Whom an attack may be thought of against."""
    return foes(game, who)
