"""Facts about figures: what their sheets and records come to. Nothing changes here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...engine import Game, Id, Line, total
from .records import FigureRecord, Item

if TYPE_CHECKING:
    from .setup import Sheet, Table


def figure(game: Game, who: Id) -> FigureRecord:
    """The figure's record, to be read."""
    return game.records[who]  # type: ignore[no-any-return]


def sheet(game: Game, who: Id) -> Sheet:
    """What never changes of a figure."""
    return game.table.sheets[who]  # type: ignore[no-any-return]


def strife_of(record: Any) -> int:
    """All strife of a figure, what is hidden of it included (L5R-HIDE-6)."""
    return int(record.strife + record.stain) if record.stain and record.tainted else int(record.strife)


def strife_seen(game: Game, who: Id, seat: str) -> int:
    """The strife of a figure as a seat knows it (L5R-HIDE-6)."""
    record = figure(game, who)
    facts = game.seats[seat]
    told = facts.role == "gm" or (
        facts.role == "player" and (facts.side == game.table.side[who] or who in game.records[f"side.{facts.side}"].taints)
    )
    return strife_of(record) if told else record.strife


def endurance(game: Game, who: Id) -> int:
    """How much fatigue a figure can bear."""
    return int(game.table.sheets[who].endurance - game.records[who].endurance_lost)


def incapacitated(game: Game, who: Id) -> bool:
    """L5R-DER-5: exactly while fatigue is above endurance."""
    record = game.records[who]
    return bool(record.fatigue > game.table.sheets[who].endurance - record.endurance_lost) and not ignores(
        record, "incapacitated"
    )


def ignores(record: Any, condition: str) -> bool:
    """L5R-OPP-37: whether a condition is ignored for now."""
    return any(effect.name == "endure" and effect.source == condition for effect in record.effects)


def has(record: Any, condition: str) -> bool:
    """Whether a condition works on a figure."""
    return condition in record.conditions and not (record.effects and ignores(record, condition))


def able(game: Game, who: Id) -> bool:
    """Neither out of the scene nor Unconscious (L5R-CON-15)."""
    record = game.records[who]
    return not record.out and "unconscious" not in record.conditions


def standing(game: Game, who: Id) -> bool:
    """Still fighting: neither out, Unconscious nor Incapacitated (L5R-SKIR-12)."""
    return able(game, who) and not incapacitated(game, who)


def can_defend(game: Game, who: Id) -> bool:
    """L5R-DMG-3: the Incapacitated and the Unconscious cannot."""
    return able(game, who) and not incapacitated(game, who)


def vigilance(game: Game, who: Id) -> int:
    """L5R-DER-4, L5R-COND-2: 1 while Compromised or Afflicted."""
    record = game.records[who]
    if record.compromised or has(record, "afflicted"):
        return 1
    return int(game.table.sheets[who].vigilance)


def vigilance_rule(game: Game, who: Id) -> str:
    """The rule that a figure's vigilance rests on now."""
    record = game.records[who]
    return "L5R-DER-4" if record.compromised else "L5R-COND-2" if has(record, "afflicted") else "L5R-TEC-10"


def present(game: Game) -> list[Id]:
    """The figures in the scene, in seat order."""
    records = game.records
    return [who for who in game.table.order if not records[who].out]


def foes(game: Game, who: Id) -> list[Id]:
    """The figures of other sides in the scene; in a clash only the one foe (L5R-SKIR-9)."""
    records = game.records
    return [other for other in game.table.foes[who] if not records[other].out]


def allies(game: Game, who: Id) -> list[Id]:
    """The others of its side in the scene."""
    records = game.records
    return [other for other in game.table.allies[who] if not records[other].out]


def duelling(game: Game, who: Id) -> bool:
    """Whether a figure is in a duel, or in its clash just now (L5R-SKIR-9)."""
    return bool(game.table.duel) or clashing(game, who)


def clashing(game: Game, who: Id) -> bool:
    """Whether the clash of a figure is being fought just now."""
    if game.table.duel or not game.records[who].clash:
        return False
    depth = game.find(game.frame_classes["Clash"])
    return depth >= 0 and who in (game.agenda[depth].challenger, game.agenda[depth].foe)  # type: ignore[attr-defined]


def band(game: Game, one: Id, other: Id) -> int:
    """L5R-SKIR-5: how many range bands lie between two figures."""
    bands: int = min(6, abs(game.records[one].at - game.records[other].at))
    return bands


def in_range(game: Game, one: Id, other: Id, reach: tuple[int, int]) -> bool:
    """L5R-SKIR-4; in a duel always (L5R-DUEL-2)."""
    if game.table.duel:
        return True
    return reach[0] <= band(game, one, other) <= reach[1]


def knowledge(game: Game, who: Id) -> Any:
    """What the figure's side knows."""
    return game.records[f"side.{game.table.side[who]}"]


# Gear


def readied(record: FigureRecord) -> list[Item]:
    """The weapons that are readied and not destroyed."""
    return [item for item in record.items if item.state in ("1h", "2h") and item.harm != "destroyed"]


def item_of(record: FigureRecord, card: Id) -> Item | None:
    """An item of a figure."""
    for item in record.items:
        if item.card == card:
            return item
    return None


def hands_full(record: FigureRecord, *, but: Id = "") -> int:
    """L5R-EQP-9: how many hands hold something."""
    return sum(2 if item.state == "2h" else 1 for item in record.items if item.state in ("1h", "2h") and item.card != but)


def worn(record: FigureRecord) -> Item | None:
    """The armour that is worn."""
    return next((item for item in record.items if item.state == "worn"), None)


def bears(game: Game, who: Id, quality: str) -> bool:
    """Whether something worn or wielded has a quality."""
    qualities = game.table.qualities
    return any(item.state in ("1h", "2h", "worn") and quality in qualities[item.card] for item in game.records[who].items)


def weapon_numbers(game: Game, who: Id, card: Id, grip: str) -> tuple[int, int]:
    """Damage and deadliness of a weapon in a grip (L5R-EQP-1)."""
    weapon = game.table.weapons[card]
    added = weapon.one_hand if grip == "1h" else weapon.two_hands if grip == "2h" else None
    if added is None:
        return weapon.damage, weapon.deadliness
    return weapon.damage + added.damage, weapon.deadliness + added.deadliness


def armour_value(game: Game, who: Id, kind: str) -> tuple[int, str]:
    """The resistance that worn armour gives, and its card (L5R-EQP-2, L5R-EQP-5)."""
    item = worn(figure(game, who))
    if item is None or item.harm == "destroyed":
        return 0, ""
    card = game.table.armours[item.card]
    value = card.physical if kind == "physical" else card.supernatural
    return max(0, value - 2) if item.harm == "damaged" else value, item.card


def resistance_lines(game: Game, who: Id, kind: str, pierced: int = 0) -> Iterator[Line]:
    """Resistance: armour and at most one other source (L5R-DMG-6), less what ignores or weakens it."""
    item = worn(figure(game, who))
    if item is not None and item.harm != "destroyed":
        card = game.table.armours[item.card]
        value = card.physical if kind == "physical" else card.supernatural
        if value:
            yield value, item.card, "L5R-EQP-2"
        if item.harm == "damaged" and value:
            yield -min(2, value), "damaged", "L5R-EQP-5"
    effects = figure(game, who).effects
    others = [effect for effect in effects if effect.name == "resist"]
    if others and kind == "physical":
        best = max(others, key=lambda effect: effect.amount)
        yield best.amount, best.source, "L5R-TEC-6" if len(others) == 1 else "L5R-DMG-6"
    if kind == "physical":
        for effect in effects:
            if effect.name == "weaken":
                yield -effect.amount, effect.source, "L5R-TEC-7"
        if pierced:
            yield -pierced, "ignored", "L5R-OPP-29"


def resistance(game: Game, who: Id, kind: str, pierced: int = 0) -> int:
    """How much damage of a kind is taken off."""
    return total(resistance_lines(game, who, kind, pierced), 0)


# Terrain


def terrain_at(game: Game, at: int) -> Any:
    """The terrain record of a position; None where there is none."""
    table: Table = game.table
    return game.records[table.terrain[at]] if at in table.terrain else None


def quality_at(game: Game, at: int, quality: str, side: str = "") -> bool:
    """Whether the terrain of a position has a quality; for a side only if it can know it (L5R-HIDE-7)."""
    if at not in game.table.terrain:
        return False
    record = game.records[game.table.terrain[at]]
    if quality not in record.qualities:
        return False
    return not side or not record.undiscovered or at in game.records[f"side.{side}"].terrain


# Traits


def knows_trait(game: Game, side: str, who: Id, trait: str) -> bool:
    """L5R-TEC-4: whether a side knows a trait of a figure."""
    record = game.records[who]
    if trait in record.scars or game.table.side[who] == side:
        return True
    return (who, trait) in game.records[f"side.{side}"].traits


def traits_of(game: Game, who: Id, kinds: tuple[str, ...]) -> list[str]:
    """The traits of a figure of some kinds, scars included."""
    record = game.records[who]
    traits = game.table.traits
    return [trait for trait in (*record.traits, *record.scars) if traits[trait].kind in kinds]
