"""What never changes in an encounter (sheets, offers made once), and how one is set up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import structs

from ...engine import HIDDEN, Choice, Content, Effect, Frame, Game, Id, Offer, Seat, Until, Value
from .cards import (
    GROUPS,
    SKILLS,
    Armour,
    Character,
    Condition,
    L5RScenario,
    Opportunity,
    Technique,
    Trait,
    Weapon,
    derived,
    id_of,
    sides_of,
)
from .dice import Die
from .records import FigureRecord, Item, SideRecord, TerrainRecord

OPPOSITES: Final = (
    ("concealable", "cumbersome"),
    ("ceremonial", "mundane"),
    ("resplendent", "subtle"),
    ("subtle", "wargear"),
    ("sacred", "unholy"),
)


def cancelled(qualities: tuple[str, ...]) -> tuple[str, ...]:
    """L5R-EQP-8: the same quality never stacks; opposites cancel."""
    left = list(dict.fromkeys(qualities))
    for one, other in OPPOSITES:
        if one in left and other in left:
            left = [quality for quality in left if quality not in (one, other)]
    return tuple(left)


class Sheet:
    """A figure as the rules read it while they run."""

    __slots__ = (
        "card", "composure", "endurance", "focus", "id", "kind", "minion", "otherworldly", "precedence", "rings", "school_rank",
        "silhouette", "skills", "techniques", "vigilance",
    )  # fmt: skip

    def __init__(self, id: Id, card: Character, techniques: tuple[Id, ...]) -> None:
        self.id = id
        self.card = card
        self.kind = card.kind
        self.minion = card.kind == "minion"
        self.precedence = ("pc", "adversary", "minion").index(card.kind)  # L5R-CHK-17
        self.rings: dict[str, int] = dict(card.rings)  # type: ignore[arg-type]
        numbers = derived(card)
        self.endurance = numbers["endurance"]
        self.composure = numbers["composure"]
        self.focus = numbers["focus"]
        self.vigilance = numbers["vigilance"]
        self.school_rank = card.school_rank
        self.silhouette = card.silhouette
        self.otherworldly = card.otherworldly
        self.techniques = techniques
        self.skills = {skill: rank_of(card, skill) for skill in SKILLS}


def rank_of(card: Character, skill: str) -> int:
    """L5R-CHR-2, L5R-DER-13: the rank in a skill; an NPC uses the rank of the skill's group."""
    named = skill if card.kind == "pc" else GROUPS[skill]
    return card.skills.get(named, 0)  # type: ignore[call-overload, no-any-return]


class Row:
    """An opportunity row as the rules read it while they run."""

    __slots__ = ("card", "cost", "further", "id", "needs", "rules", "scaling", "target", "technique")

    def __init__(self, card: Opportunity, technique: Id) -> None:
        self.card = card
        self.id = card.id
        self.cost = card.cost
        self.further = 2 if card.effect == "reserve" else card.cost  # L5R-TEC-5: each die of Striking as Air after the first
        self.scaling = card.scaling
        self.needs = card.needs
        self.target = card.target
        self.technique = technique
        self.rules = (card.rule, *card.also)


class Table:
    """Everything about an encounter that never changes, and offers made once."""

    def __init__(self, content: Content) -> None:
        scenario: L5RScenario = content.scenario
        cards = content.cards
        self.scenario = scenario
        self.kind = scenario.kind
        self.duel = scenario.kind != "skirmish"
        self.objective = scenario.objective or ("defeat" if self.duel else "")
        self.order: tuple[Id, ...] = tuple(id_of(each, place, scenario.figures) for place, each in enumerate(scenario.figures))
        self.side = sides_of(scenario)
        self.sides: dict[str, tuple[Id, ...]] = {}
        for who in self.order:
            self.sides[self.side[who]] = (*self.sides.get(self.side[who], ()), who)
        self.foes = {who: tuple(each for each in self.order if self.side[each] != self.side[who]) for who in self.order}
        self.allies = {
            who: tuple(each for each in self.order if self.side[each] == self.side[who] and each != who) for who in self.order
        }
        self.weapons: Mapping[Id, Weapon] = {
            **{id: as_wielded(card) for id, card in _sorted(cards["weapons"]).items()},
            **_sorted(cards["bodies"]),
        }
        self.bodies: tuple[Id, ...] = tuple(sorted(cards["bodies"], key=("punch", "kick", "bite").index))
        self.armours: Mapping[Id, Armour] = _sorted(cards["armours"])
        self.traits: Mapping[Id, Trait] = _sorted(cards["traits"])
        self.conditions: Mapping[Id, Condition] = _sorted(cards["conditions"])
        self.passing = frozenset(id for id, card in self.conditions.items() if card.ends_without or id in ("burning", "prone"))
        """Conditions that the end of a turn looks at."""
        self.decisive = frozenset(
            id for id, card in self.conditions.items() if card.cure is not None or id in ("immobilized", "prone", "unconscious")
        )
        """Conditions on which it depends what may be done."""
        self.techniques: Mapping[Id, Technique] = {**_sorted(cards["basics"]), **_sorted(cards["techniques"])}
        self.qualities = {id: cancelled(card.qualities) for kind in (self.weapons, self.armours) for id, card in kind.items()}
        self.sheets = {
            who: Sheet(who, character := cards["characters"][placed.character], (*character.techniques, *placed.techniques))
            for who, placed in zip(self.order, scenario.figures, strict=True)
        }
        self.trained = frozenset(
            who
            for who, sheet in self.sheets.items()
            if self.duel or any(self._particular(name) for name in (*sheet.techniques, *scenario.unique_actions))
        )
        """Those for whom stance, Void points and what they did before decide which actions are legal."""
        self.placed = dict(zip(self.order, scenario.figures, strict=True))
        opened = {row: technique for technique, card in self.techniques.items() for row in card.opportunities}
        rows = sorted(cards["opportunities"].values(), key=lambda card: _row_order(card.id))
        self.rows: dict[str, Row] = {card.id: Row(card, opened.get(card.id, "")) for card in rows}
        self.maybe_tainted = scenario.maybe_tainted
        self.terrain = {piece.at: f"terrain.{piece.at}" for piece in scenario.terrain}
        self.possible_terrain = {piece.at: piece.possible for piece in scenario.terrain}
        self.redirects = any(card.ability == "redirect" for card in self.techniques.values())
        self.positions = tuple(range(-20, 24))
        self._offers: dict[Any, Offer] = {}
        self._free_moves: dict[int, tuple[Offer, ...]] = {}
        self._rows_for: dict[Any, tuple[Row, ...]] = {}
        self.candidates: dict[Any, Any] = {}
        self.natures: dict[Any, tuple[tuple[str, ...], bool]] = {}
        self.verdicts: dict[Any, dict[Any, tuple[Any, ...]]] = {}  # legal actions, by all that they depend on
        self.choices: dict[Any, Choice] = {}  # of a duel, by all that they depend on
        self.reckoned: dict[Any, Any] = {}  # what bots reckon with in a duel, by all that it depends on

    def _particular(self, name: Id) -> bool:
        card = self.techniques[name]
        return (card.attack is not None or card.deed is not None) and bool(card.ring or card.void or card.once)

    def offer(
        self, value: Value, group: str = "", rules: tuple[str, ...] = (), target: Id = "", cost: tuple[tuple[int, str], ...] = ()
    ) -> Offer:
        """An offer, made once."""
        key = (value, rules, group)
        found = self._offers.get(key)
        if found is None:
            found = self._offers[key] = Offer(value, group, target=target, cost=cost, rules=rules)
        return found

    def free_moves(self, at: int) -> tuple[Offer, ...]:
        """The free moves from a position (L5R-SKIR-6), made once."""
        found = self._free_moves.get(at)
        if found is None:
            found = tuple(self.offer(("move", to), "move", ("L5R-SKIR-6",)) for to in (at - 1, at + 1))
            self._free_moves[at] = found
        return found

    def rows_for(self, ring: str, initiative: bool, minion: bool, techniques: tuple[Id, ...]) -> tuple[Row, ...]:
        """The rows that may be open on a check with that ring; the rest of their conditions is asked each time."""
        key = (ring, initiative, minion, techniques)
        found = self._rows_for.get(key)
        if found is None:
            found = self._rows_for[key] = tuple(
                row
                for row in self.rows.values()
                if row.card.ring in ("any", ring)
                and (initiative or row.card.when != "init")
                and (not row.card.technique or row.technique in techniques)
                and (not minion or row.card.own)
            )
        return found


def as_wielded(card: Weapon) -> Weapon:
    """L5R-EQP-3: an improvised weapon has 1 less of each, and the Unarmed skill."""
    if not card.improvised:
        return card
    damage, deadliness = max(0, card.damage - 1), max(0, card.deadliness - 1)
    return structs.replace(card, damage=damage, deadliness=deadliness, skill="unarmed")


def _sorted(cards: Mapping[Id, Any]) -> dict[Id, Any]:
    return {id: cards[id] for id in sorted(cards)}


def _row_order(id: str) -> tuple[str, int, str]:
    word, _, number = id.partition("_")
    digits = number.partition("_")[0]
    return (word, int(digits) if digits.isdigit() else 0, id)


def seats(content: Content) -> tuple[Seat, ...]:
    """A seat for each side, or as the scenario seats its figures; a GM and a spectator."""
    scenario: L5RScenario = content.scenario
    sides = sides_of(scenario)
    found: dict[str, list[Id]] = {}
    of_side: dict[str, str] = {}
    for (who, side), placed in zip(sides.items(), scenario.figures, strict=True):
        seat = placed.seat or side
        found.setdefault(seat, []).append(who)
        of_side[seat] = side
    players = (Seat(seat, of_side[seat], tuple(figures)) for seat, figures in found.items())
    return (*players, Seat("gm", role="gm"), Seat("spectator", role="spectator"))


def put_figures(game: Game) -> None:
    """Seats the figures with their gear, and lays out what each side knows and the terrain."""
    table: Table = game.table
    for place, who in enumerate(table.order):
        placed = table.placed[who]
        card = table.sheets[who].card
        most = card.rings["void"]
        start = card.void if placed.void is None else placed.void
        # L5R-CHK-7: half the Void ring, rounded up; minions have none.
        void = 0 if card.kind == "minion" else min(most, (most + 1) // 2 if start is None else start)
        glory = {"pc": 40, "adversary": 30, "minion": 10}[card.kind] if card.glory is None else card.glory
        at = placed.at if placed.at is not None else (0, 2)[place] if table.duel else 0 if place == 0 else 3
        game.put(
            FigureRecord(
                who,
                at=at,
                void=void,
                honour=card.honour,
                glory=glory,
                surprised=placed.surprised,
                out=HIDDEN if placed.hidden else "away" if placed.arrives else "",
                traits=tuple(sorted((*card.traits, *placed.traits))),
                tainted=placed.tainted,
                items=_items(game, who),
            )
        )
    for side in table.sides:
        knows = [each for each in table.scenario.knows if table.side[each.figure] == side]
        traits = tuple(sorted((each.of, each.trait) for each in knows if each.trait))
        taints = tuple(sorted(each.of for each in knows if each.taint))
        game.put(SideRecord(f"side.{side}", side, traits, taints))
    for piece in table.scenario.terrain:
        game.put(
            TerrainRecord(
                table.terrain[piece.at], piece.at, piece.undiscovered, tuple(sorted(piece.qualities)),
                piece.hallowed or "", piece.imbalanced or "",
            )
        )  # fmt: skip


def _items(game: Game, who: Id) -> tuple[Item, ...]:
    """L5R-CHR-4, L5R-DUEL-21: what a figure bears as the scene begins, and how."""
    table: Table = game.table
    card = table.sheets[who].card
    placed = table.placed[who]
    gear = card.gear if placed.gear is None else placed.gear
    if table.kind == "iaijutsu":
        gear = tuple(weapon for weapon in gear if weapon in ("katana", "wakizashi"))
    sheathed = table.kind == "iaijutsu" or (table.kind == "duel" and game.policy["duel_weapons_start"] == "sheathed")
    items = []
    hands = 0
    for weapon in gear:
        grip = "2h" if table.weapons[weapon].two_hands is not None else "1h"
        needed = 2 if grip == "2h" else 1
        if sheathed or hands + needed > 2:
            grip = "stowed"
        else:
            hands += needed
        items.append(Item(weapon, grip))
    if card.armour and (table.kind != "iaijutsu" or table.armours[card.armour].clothes):
        items.append(Item(card.armour, "worn"))
    return tuple(items)


def setup(game: Game) -> Frame:
    """Puts everything in place; the scene begins with initiative."""
    put_figures(game)
    return game.new_frame("Duel" if game.table.duel else "Skirmish")


# Scenes


def arrange(game: Game, given: Mapping[str, Any]) -> tuple[Frame, ...]:
    """Sets up what a scene gives: `round`, `turn` (whose, from its start), and for each record its fields.

    Without `turn` the encounter begins with initiative, or with `round` at the start of that round. `step` is where the turn
    stands ("ask_action"), `order` the order of turns of the round, else by initiative. `frames` are rules in progress on top:
    {Critical: {target: ..., severity: 5}}, each from its start or at the `step` named. Items are mappings, or "katana 2h";
    effects are mappings.
    """
    put_figures(game)
    for id, fields in given.items():
        if id not in ("round", "turn", "order", "step", "frames"):
            _give(game, id, fields)
    game.round = given.get("round", 1 if given.get("turn") else 0)
    table: Table = game.table
    name = "Duel" if table.duel else "Skirmish"
    first: Any = game.new_frame(name)
    turn = given.get("turn")
    above = tuple(_frame(game, each) for each in given.get("frames", ()))
    if turn is None:
        if game.round or above:
            game.round -= 1 if game.round else 0
            first.pc = first.NAMES["begin_round"]
        return (first, *above)
    records = game.records
    order = tuple(given.get("order") or sorted(table.order, key=lambda who: -records[who].initiative))
    first.order = order
    first.place = order.index(turn) + 1
    first.pc = first.NAMES["close_turn" if not table.duel else "begin_turn" if first.place < len(order) else "end_round"]
    begun: Any = game.new_frame("Turn", turn)
    begun.pc = begun.NAMES[given.get("step", "begin")]
    if "step" in given and "begun" not in given.get(turn, {}):
        game.edit(turn).begun = True
    return (first, begun, *above)


def _frame(game: Game, given: Mapping[str, Any]) -> Any:
    """A rule in progress: the name of its class with its facts."""
    name, facts = next(iter(given.items()))
    kind: Any = game.frame_classes[name]
    frame = kind(**{fact: _flat(value) for fact, value in facts.items() if fact not in ("step", "dice")})
    if "dice" in facts:
        frame.dice = tuple(Die(*die) for die in facts["dice"])
    if "step" in facts:
        frame.pc = kind.NAMES[facts["step"]]
    return frame


def _flat(value: Any) -> Any:
    return tuple(_flat(each) for each in value) if isinstance(value, list) else value


def _give(game: Game, id: Id, fields: Mapping[str, Any]) -> None:
    record = game.edit(id)
    for name, value in fields.items():
        if name == "items":
            record.items = tuple(_item(each) for each in value)
        elif name == "effects":
            record.effects = tuple(_effect(each) for each in value)
        elif isinstance(value, list):
            found = tuple(tuple(each) if isinstance(each, list) else each for each in value)
            setattr(record, name, tuple(sorted(found)) if name in ("conditions", "traits", "scars", "qualities") else found)
        else:
            setattr(record, name, value)
    if isinstance(record, FigureRecord) and "compromised" not in fields:
        strife = record.strife + (record.stain if record.tainted else 0)
        record.compromised = strife > game.table.sheets[id].composure
        if record.compromised and "struck_for" not in fields:
            record.struck_for = ("compromised",)


def _item(given: Any) -> Item:
    if isinstance(given, str):
        card, _, state = given.partition(" ")
        return Item(card, state or "stowed")
    return Item(given["card"], given.get("state", "stowed"), given.get("harm", ""), given.get("durable_lost", False))


def _effect(given: Mapping[str, Any]) -> Effect:
    until = given.get("until")
    return Effect(
        given["name"], given.get("amount", 0), given.get("source", ""), tuple(given.get("applies", ())), given.get("uses"),
        Until(*until) if until else None, given.get("merge", "refresh"),
    )  # fmt: skip
