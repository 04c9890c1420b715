"""Opportunities: which rows are open on a check, and what they may be spent on. What each of them does is in `spending`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from ...engine import Choice, Frame, Game, Offer, Reason, Refusal, legal
from .dice import subsets
from .facts import allies, figure, foes, hands_full, has, knowledge, present, strife_of, traits_of
from .numbers import is_martial_art
from .spending import ADVANTAGES, DISADVANTAGES, DOES

if TYPE_CHECKING:
    from .check import Check
    from .setup import Row, Table

DONE: Final = Offer("done", "opportunity", rules=("L5R-DICE-15",))
QUALITIES: Final = ("dangerous", "entangling", "obscuring")
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
    for need in row.needs:
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


NEEDS: Final = tuple(_NEEDS)


def targets_of(game: Game, check: Check, row: Row, amount: int = 1) -> list[Any]:
    """Whom or what a row may be spent on."""
    found = _TARGETS[row.target](game, check, amount)
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
    """The opportunities that an amount costs."""
    return row.cost + row.further * (amount - 1)


_NOBODY: Final = ("",)


def offers_of(game: Game, check: Check) -> tuple[Offer, ...]:
    """All that the opportunities left may be spent on."""
    table: Table = game.table
    left = check.left
    found: list[Offer] = []
    for row in open_rows(game, check):
        cost = row.cost
        if cost > left or (row.needs and not legal(unmet(game, check, row))):
            continue
        amount = 1
        while cost <= left:
            spent = ((cost, "opportunity" if cost == 1 else "opportunities"),)
            for target in targets_of(game, check, row, amount) if row.target else _NOBODY:
                value = (row.id, amount) if target == "" else (row.id, amount, target)
                whom = target if isinstance(target, str) else ""
                found.append(table.offer(value, "opportunity", row.rules, whom, spent))
            if not row.scaling:
                break
            amount += 1
            cost += row.further
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


# Spending


def spend(game: Game, check: Check, id: str, amount: int, target: Any) -> Frame | None:
    """Spends opportunities on a row and does what it says."""
    row: Row = game.table.rows[id]
    cost = price(row, amount)
    check.left -= cost
    check.spent = (*check.spent, id)
    rules = ("L5R-CON-14",) if check.purpose == "initiative" else ()
    if game.table.sheets[check.who].minion:
        rules = (*rules, "L5R-DER-12")
    game.log(
        "opportunity", who=check.who, row=id, amount=amount, target=target, cost=cost, left=check.left,
        rules=(*row.rules, *rules),
    )  # fmt: skip
    return DOES[row.card.effect](game, check, row, amount, target)
