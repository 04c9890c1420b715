"""Opportunities: which rows are open on a check, what they may be spent on, and what each of them does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from ...engine import Choice, Frame, Game, Id, Offer, Reason, Refusal, Value, cites, steps
from .changes import (
    gain_strife,
    in_own_turn,
    lay,
    learn_terrain,
    learn_trait,
    lose_fatigue,
    lose_strife,
    ready,
    stand_at,
    suffer,
    until_turn,
    until_turn_end,
)
from .dice import subsets
from .facts import allies, figure, foes, hands_full, has, knowledge, present, strife_of, traits_of, vigilance
from .numbers import is_martial_art

if TYPE_CHECKING:
    from .check import Check
    from .setup import Row, Table

DONE: Final = Offer("done", "opportunity", rules=("L5R-DICE-15",))
QUALITIES: Final = ("dangerous", "entangling", "obscuring")
DISADVANTAGES: Final = ("adversity", "anxiety")
ADVANTAGES: Final = ("distinction", "passion")
CAUSES_CONDITION: Final = ("critical", "snare")
"""L5R-STN-2: what may not be bought against the Earth stance."""


# Which rows are open


def open_rows(game: Game, check: Check) -> tuple[Row, ...]:
    """The rows that the tables open for this ring and this roller; each once per check (L5R-DICE-15)."""
    sheet = game.table.sheets[check.who]
    limited = sheet.minion and game.policy["minion_opportunity"] == "listed_only"
    rows: tuple[Row, ...] = game.table.rows_for(check.ring, check.purpose == "initiative", limited, sheet.techniques)
    return tuple(row for row in rows if row.id not in check.spent) if check.spent else rows


def unmet(game: Game, check: Check, row: Row) -> Iterator[Reason]:
    """What a row needs of the check and has not."""
    for need in row.card.needs:
        if not _NEEDS[need](game, check):
            yield Reason("needs", (need,), row.rules[:1])


_NEEDS: Final[dict[str, Callable[[Game, Any], bool]]] = {
    "failure": lambda game, check: not check.succeeded,
    "success": lambda game, check: check.succeeded,
    "strife_given": lambda game, check: check.strife_given > 0 and strife_of(game.records[check.who]) > 0,
    "allies": lambda game, check: bool(game.table.allies[check.who]) and bool(allies(game, check.who)),
    "movement": lambda game, check: "movement" in check.types,
    "attack": lambda game, check: "attack" in check.types,
    "support": lambda game, check: "support" in check.types,
    "strike": lambda game, check: check.technique == "strike" and not check.strikes,
    "guard": lambda game, check: check.purpose == "guard",
    "surprised": lambda game, check: game.records[check.who].surprised and not check.rallied,
    "skirmish": lambda game, check: not game.table.duel and not has(game.records[check.who], "immobilized"),
    "shadowlands": lambda game, check: game.table.scenario.shadowlands,
    "tainted_foes": lambda game, check: any(foe in game.table.maybe_tainted for foe in foes(game, check.who)),
    "tainted_self": lambda game, check: game.records[check.who].tainted,
    "initiative_draw": lambda game, check: game.policy["initiative_draw"] == "on" and game.table.kind != "iaijutsu",
    "martial_arts": lambda game, check: is_martial_art(check.skill),
    "weapon_razor_edged": lambda game, check: (
        bool(check.weapon) and "razor_edged" in game.table.qualities[check.weapon] and not check.deadlier
    ),
    "weapon_snaring": lambda game, check: bool(check.weapon) and "snaring" in game.table.qualities[check.weapon],
}


def targets_of(game: Game, check: Check, row: Row, amount: int = 1) -> list[Any]:
    """Whom or what a row may be spent on."""
    found = _TARGETS[row.card.target](game, check, amount)
    if row.card.effect in CAUSES_CONDITION:
        found = [target for target in found if not shielded(game, check, target)]
    return found


def shielded(game: Game, check: Check, target: Any) -> bool:
    """L5R-STN-2: in Earth, others' Attack and Scheme checks buy no critical and no condition."""
    return bool(target != check.who and game.records[target].stance == "earth")


def _others(game: Game, check: Any, amount: int) -> list[Any]:
    return [who for who in present(game) if who != check.who]


def _known(game: Game, check: Any, kinds: tuple[str, ...], *, own: bool) -> list[Any]:
    """Traits of these kinds that the roller's side knows (L5R-TEC-4)."""
    side = game.table.side[check.who]
    found = []
    for who in present(game):
        if who == check.who and not own:
            continue
        if game.table.side[who] == side:
            found += [(who, trait) for trait in traits_of(game, who, kinds)]
        else:
            told = [trait for name, trait in knowledge(game, check.who).traits if name == who]
            names = sorted({*told, *figure(game, who).scars})
            found += [(who, trait) for trait in names if game.table.traits[trait].kind in kinds]
    return found


def _weapons(game: Game, check: Any, amount: int) -> list[Any]:
    record = figure(game, check.who)
    found = []
    for item in record.items:
        if item.state == "stowed" and item.card in game.table.weapons and item.harm != "destroyed":
            card = game.table.weapons[item.card]
            if card.one_hand is not None and hands_full(record) < 2:
                found.append((item.card, "1h"))
            if card.two_hands is not None and not hands_full(record):
                found.append((item.card, "2h"))
    return found


def _places(game: Game, check: Any, amount: int) -> list[Any]:
    """Undiscovered terrain that the side does not know yet; else an object is spotted."""
    known = knowledge(game, check.who).terrain
    records = game.records
    open_places = [at for at, id in sorted(game.table.terrain.items()) if records[id].undiscovered and at not in known]
    return [*open_places, "object"]


_TARGETS: Final[dict[str, Callable[[Game, Any, int], list[Any]]]] = {
    "": lambda game, check, amount: [""],
    "other": _others,
    "others": lambda game, check, amount: list(combinations(_others(game, check, 1), amount)),
    "foe": lambda game, check, amount: foes(game, check.who),
    "ally": lambda game, check, amount: allies(game, check.who),
    "attacked": lambda game, check, amount: list(check.targets),
    "own_disadvantage": lambda game, check, amount: list(traits_of(game, check.who, DISADVANTAGES)),
    "known_disadvantage": lambda game, check, amount: _known(game, check, DISADVANTAGES, own=False),
    "known_advantage": lambda game, check, amount: _known(game, check, ADVANTAGES, own=True),
    "terrain": lambda game, check, amount: sorted(game.table.terrain),
    "place": _places,
    "ring": lambda game, check, amount: ["air", "earth", "fire", "water"],
    "position": lambda game, check, amount: [figure(game, check.who).at - 1, figure(game, check.who).at + 1],
    "condition": lambda game, check, amount: list(figure(game, check.who).conditions),
    "weapon": _weapons,
    "quality": lambda game, check, amount: list(QUALITIES) if game.table.terrain else [],
    "dropped": lambda game, check, amount: list(_dropped(game, check, amount)),
}


def _dropped(game: Game, check: Any, amount: int) -> tuple[tuple[int, ...], ...]:
    """Dropped dice that may be reserved, by their numbers; never more in all than the rank (L5R-ACT-6)."""
    held = sum(skill == check.skill for skill, _ in figure(game, check.who).reserve)
    if held + amount > game.table.sheets[check.who].skills[check.skill]:
        return ()
    dice = tuple((die.kind, die.face) for die in check.dice)
    barred = tuple(place for place, die in enumerate(check.dice) if die.fate != "dropped" or die.parent >= 0)
    return subsets(dice, amount, amount, barred)


def price(row: Row, amount: int) -> int:
    """The opportunities that an amount costs; further dice of Striking as Air cost two each (L5R-TEC-5)."""
    return 2 * amount - 1 if row.card.effect == "reserve" else row.cost * amount


def offers_of(game: Game, check: Check) -> tuple[Offer, ...]:
    """All that the opportunities left may be spent on."""
    table: Table = game.table
    left = check.left
    found: list[Offer] = []
    for row in open_rows(game, check):
        if row.cost > left or (row.card.needs and any(True for _ in unmet(game, check, row))):
            continue
        amount = 1
        while (cost := price(row, amount)) <= left:
            for target in targets_of(game, check, row, amount):
                value = (row.id, amount) if target == "" else (row.id, amount, target)
                whom = target if isinstance(target, str) else ""
                found.append(table.offer(value, "opportunity", row.rules, whom, ((cost, "opportunity"),)))
            amount += 1
            if not row.scaling:
                break
    return tuple(found)


def refuse_rows(game: Game, choice: Choice) -> Iterator[Refusal]:
    """The rows that are closed, and why."""
    check: Check = game.agenda[-1]  # type: ignore[assignment]
    open_ids = {row.id for row in open_rows(game, check)}
    techniques = game.table.sheets[check.who].techniques
    for row in game.table.rows.values():
        if row.technique and row.technique not in techniques:
            continue
        target = check.targets[0] if check.targets and row.card.target == "attacked" else ""
        value = (row.id, 1, target) if target else (row.id, 1)
        if row.id in check.spent:
            yield Refusal(value, (Reason("row_spent", (), ("L5R-DICE-15",)),), "opportunity")
        elif row.id not in open_ids:
            yield Refusal(value, (_closed(game, check, row),), "opportunity")
        elif reasons := tuple(unmet(game, check, row)):
            if check.technique != "strike" and row.id == "critical" and "attack" in check.types:
                reasons = (Reason("no_critical", (check.technique,), ("L5R-TEC-9",)),)
            yield Refusal(value, reasons, "opportunity")
        elif row.cost > check.left:
            yield Refusal(value, (Reason("row_cost", (row.cost, check.left), ("L5R-DICE-15",)),), "opportunity")
        elif row.card.effect in CAUSES_CONDITION and target and shielded(game, check, target):
            yield Refusal(value, (Reason("earth_stance", (target,), ("L5R-STN-2",)),), "opportunity")


def _closed(game: Game, check: Check, row: Row) -> Reason:
    if row.card.ring not in ("any", check.ring):
        return Reason("row_ring", (row.card.ring, check.ring), row.rules[:1])
    if row.card.when == "init" and check.purpose != "initiative":
        return Reason("row_initiative", (), row.rules[:1])
    return Reason("row_minion", (), ("L5R-DER-12",))


# What they do


def spend(game: Game, check: Check, id: str, amount: int, target: Any) -> Frame | None:
    """Spends opportunities on a row and does what it says."""
    row: Row = game.table.rows[id]
    check.left -= price(row, amount)
    check.spent = (*check.spent, id)
    rules = ("L5R-CON-14",) if check.purpose == "initiative" else ()
    if game.table.sheets[check.who].minion:
        rules = (*rules, "L5R-DER-12")
    game.log("opportunity", who=check.who, row=id, amount=amount, target=target, left=check.left, rules=(*row.rules, *rules))
    return _EFFECTS[row.card.effect](game, check, row, amount, target)


Effect = Callable[[Game, Any, Any, int, Any], Frame | None]


def _nothing(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    """L5R-OPP-1, 4 to 6, 12, 13, 19, 20, 26, 27, 33, 34, 38: the log has it."""


def _undo_strife(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lose_strife(game, check.who, min(amount, check.strife_given), "opportunity", ("L5R-OPP-2",))


def _assist_similar(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "assist_similar", "L5R-OPP-3", applies=(check.skill,), uses=1)


def _sense_strife(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    side = game.table.side[check.who]
    seats = tuple(seat.name for seat in game.seats.values() if seat.side == side or seat.role == "gm")
    record = figure(game, target)
    told = target in knowledge(game, check.who).taints or game.table.side[target] == side
    strife = strife_of(record) if told else record.strife
    composure = game.table.sheets[target].composure
    game.log("senses", seen_by=seats, who=check.who, target=target, strife=strife, composure=composure, rules=("L5R-OPP-4",))


def _learn_trait(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    """The first trait that the side does not know; if there is none, something is noticed all the same."""
    side = game.table.side[check.who]
    known = knowledge(game, check.who).traits
    unknown = [trait for trait in figure(game, target).traits if (target, trait) not in known]
    seats = tuple(seat.name for seat in game.seats.values() if seat.side == side or seat.role == "gm")
    if unknown:
        learn_trait(game, side, target, unknown[0], ("L5R-OPP-6",))
    else:
        game.reveal(*[seat.name for seat in game.seats.values() if seat.side == side])
        game.log("nothing_to_learn", seen_by=seats, who=check.who, target=target, rules=("L5R-OPP-6",))


def _kept_o(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "kept_o", "L5R-OPP-7", uses=1)


def _elusive(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "elusive", "L5R-OPP-9", amount=row.card.amount, uses=1, until=until_turn(check.who))


def _learn_disadvantage(game: Game, check: Check, row: Row, amount: int, target: Any) -> Frame:
    return Telling(check.who, target, DISADVANTAGES, "L5R-OPP-10")


def _calm(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lose_strife(game, target or check.who, row.card.amount, "opportunity", (row.card.rule,))


def _surefooted(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    until = until_turn_end(game, check.who) if not in_own_turn(game, check.who) else None
    lay(game, check.who, "surefooted", "L5R-OPP-14", applies=(target,), until=until or _this_turn(check.who))


def _this_turn(who: Id) -> Any:
    return until_turn(who).__class__("turn ends", who)


def _hardened(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "hardened", "L5R-OPP-15", amount=amount, uses=1, until=until_turn(check.who))


def _overcome(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(
        game, check.who, "overcome", "L5R-OPP-16", source=target, applies=(target,), merge="sources",
        until=until_turn_end(game, check.who),
    )  # fmt: skip


def _quell(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    who, trait = target
    lay(game, who, "overcome", "L5R-OPP-17", source=trait, applies=(trait,), merge="sources")


def _inflame(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    gain_strife(game, target, row.card.amount, "inflamed", check.who, ("L5R-OPP-18",))


def _harried(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    own = game.policy["fire_tn_expiry"] == "own_next_turn"
    until = until_turn(check.who) if own else until_turn_end(game, target)
    lay(game, target, "harried", "L5R-OPP-21", amount=row.card.amount, source=check.who, uses=1, until=until)


def _exposed(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, target, "exposed", "L5R-OPP-22", amount=amount, source=check.who, uses=1, until=until_turn(check.who))


def _daunting(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "daunting", "L5R-OPP-23", amount=row.card.amount, until=until_turn(check.who))


def _rally(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    check.rallied = True


def _spot_terrain(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    if target != "object":
        learn_terrain(game, game.table.side[check.who], target, ("L5R-OPP-27",))


def _rest(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lose_fatigue(game, check.who, row.card.amount, "opportunity", ("L5R-OPP-28",))


def _pierce(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    check.pierced = amount


def _step(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    stand_at(game, check.who, target, "opportunity", ("L5R-OPP-30",))


def _survey(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    for at in sorted(game.table.terrain):
        learn_terrain(game, game.table.side[check.who], at, ("L5R-OPP-31",))


def _foresee(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "foresee", "L5R-OPP-32", amount=row.card.amount, applies=(target,), uses=1)


def _clear_sight(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "clear_sight", "L5R-OPP-35", applies=(target,), uses=1)


def _quicken(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    record = game.edit(check.who)
    record.initiative += amount
    game.log("initiative_changes", who=check.who, amount=amount, initiative=record.initiative, rules=("L5R-OPP-36",))


def _endure(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "endure", "L5R-OPP-37", source=target, merge="sources", until=until_turn_end(game, check.who))


def _critical(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    check.strikes = (target,)


def _razor(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    check.deadlier = amount


def _snare(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    if vigilance(game, target) <= amount:
        suffer(game, target, "immobilized", ("L5R-OPP-41",))


def _sheltered(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    for who in target:
        lay(game, who, "sheltered", "L5R-OPP-42", amount=row.card.amount, source=check.who, uses=1)


def _torment(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    """L5R-OPP-43: the marked ones bear it if they are Tainted; hidden from those who do not know (L5R-HIDE-6)."""
    extra = amount // 2 if game.policy["tainted_strife_count"] == "spent" else (amount - 1) // 2
    for who in present(game):
        if who not in game.table.maybe_tainted:
            continue
        known = {side: who in game.records[f"side.{side}"].taints or game.table.side[who] == side for side in game.table.sides}
        if all(known.values()):
            if game.records[who].tainted:
                gain_strife(game, who, 1 + extra, "tainted", rules=("L5R-OPP-43",))
            continue
        game.edit(who).stain += 1 + extra
        seats = tuple(seat.name for seat in game.seats.values() if known.get(seat.side) or seat.role == "gm")
        record = figure(game, who)
        if record.tainted:
            rules = ("L5R-OPP-43", "L5R-HIDE-6")
            strife = strife_of(record)
            game.log("hidden_strife", seen_by=seats, who=who, amount=1 + extra, strife=strife, why="tainted", rules=rules)


def _kept_t(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "kept_t", "L5R-OPP-44", uses=1, until=until_turn(check.who))


def _draw(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    card, grip = target
    ready(game, check.who, card, grip, ("L5R-CON-14",))


def _assess_fire(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    who, trait = target
    lay(game, who, "assessed", "L5R-TEC-2", source=trait, applies=(trait,), merge="sources", until=_this_turn(who))


def _assess_air(game: Game, check: Check, row: Row, amount: int, target: Any) -> Frame:
    worn = {item.card for item in figure(game, target).items if item.state == "worn"}
    game.log("studies", who=check.who, target=target, armour=tuple(sorted(worn)), rules=("L5R-TEC-3",))
    return Telling(check.who, target, ADVANTAGES, "L5R-TEC-3")


def _assess_earth(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, target, "overcome", "L5R-TEC-3", source=check.who, merge="sources", until=_this_turn(target))


def _assess_water(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    for who in (check.who, *game.table.allies[check.who]):
        lay(
            game, who, "veiled", "L5R-TEC-3", source=check.who, applies=(str(target),), merge="sources",
            until=until_turn(check.who),
        )  # fmt: skip


def _reserve(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    record = game.edit(check.who)
    faces = [(check.skill, check.dice[number - 1].face) for number in target]
    record.reserve = tuple(sorted((*record.reserve, *faces)))
    game.log("reserves", who=check.who, skill=check.skill, faces=tuple(face for _, face in faces), rules=("L5R-TEC-5",))


def _resist(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    until = until_turn(check.who)
    lay(game, check.who, "resist", "L5R-TEC-6", amount=amount, source="striking_as_earth", merge="highest", until=until)


def _weaken(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    until = until_turn_end(game, check.who)
    lay(game, target, "weaken", "L5R-TEC-7", amount=amount, source=check.who, merge="highest", until=until)


def _open(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    until = until_turn_end(game, check.who)
    lay(game, target, "opened", "L5R-TEC-8", amount=amount, source=check.who, uses=1, until=until)


def _crescent(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "crescent", "L5R-TEC-15", uses=1, until=until_turn(check.who))


_EFFECTS: Final[dict[str, Effect]] = {
    "log": _nothing,
    "undo_strife": _undo_strife,
    "assist_similar": _assist_similar,
    "sense_strife": _sense_strife,
    "learn_trait": _learn_trait,
    "kept_o": _kept_o,
    "elusive": _elusive,
    "learn_disadvantage": _learn_disadvantage,
    "calm": _calm,
    "surefooted": _surefooted,
    "hardened": _hardened,
    "overcome": _overcome,
    "quell": _quell,
    "inflame": _inflame,
    "harried": _harried,
    "exposed": _exposed,
    "daunting": _daunting,
    "rally": _rally,
    "spot_terrain": _spot_terrain,
    "rest": _rest,
    "pierce": _pierce,
    "step": _step,
    "survey": _survey,
    "foresee": _foresee,
    "clear_sight": _clear_sight,
    "quicken": _quicken,
    "endure": _endure,
    "critical": _critical,
    "razor": _razor,
    "snare": _snare,
    "sheltered": _sheltered,
    "torment": _torment,
    "kept_t": _kept_t,
    "draw": _draw,
    "assess_fire": _assess_fire,
    "assess_air": _assess_air,
    "assess_earth": _assess_earth,
    "assess_water": _assess_water,
    "reserve": _reserve,
    "resist": _resist,
    "weaken": _weaken,
    "open": _open,
    "crescent": _crescent,
}
EFFECTS: Final = tuple(_EFFECTS)
NEEDS: Final = tuple(_NEEDS)


@steps("ask", "tell")
class Telling(Frame):
    """A foe picks one of its own traits, which the other side learns; it is asked whether it has any or not."""

    who: Id
    foe: Id
    kinds: tuple[str, ...]
    rule: str

    def ask(telling, game: Game) -> Choice:
        traits = [trait for trait in traits_of(game, telling.foe, telling.kinds) if trait not in figure(game, telling.foe).scars]
        offers = [game.table.offer(("tell", trait), "tell", (telling.rule,)) for trait in traits]
        none = game.table.offer(("tell", "none"), "tell", (telling.rule,))
        return Choice(game.seat_of[telling.foe], "tell", tuple(offers) or (none,), telling.foe, always=True, facts=(telling.who,))

    @cites("L5R-HIDE-3")
    def tell(telling, game: Game, answer: Value) -> None:
        trait = str(answer[1])  # type: ignore[index]
        side = game.table.side[telling.who]
        if trait == "none":
            game.reveal(*[seat.name for seat in game.seats.values() if seat.side == side])
            seats = tuple(seat.name for seat in game.seats.values() if seat.side == side or seat.role == "gm")
            game.log("nothing_to_learn", seen_by=seats, who=telling.who, target=telling.foe, rules=(telling.rule,))
        else:
            learn_trait(game, side, telling.foe, trait, (telling.rule,))
