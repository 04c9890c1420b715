"""What never changes in an encounter (sheets, board, offers made once), and how one is set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...engine import HIDDEN, Content, Frame, Game, Grid, Id, Offer, RefereeError, Seat, Value
from .cards import Item, VaiaScenario, sides_of, start_of
from .checks import price, usable_items
from .flow import Phase, Skirmish
from .reactions import KINDS, Occasion, Riding
from .records import Carried, CharacterRecord, ObjectiveRecord, OrderRecord, TrapsRecord
from .requirements import suits
from .sheets import ActionSheet, CharacterSheet, TrapSheet

RULES_OF: Final = {
    "plain": ("VAIA-ACT-1", "VAIA-ACT-4"),
    "rider": ("VAIA-RID-1", "VAIA-RID-3"),
    "trigger": ("VAIA-TRG-1", "VAIA-ACT-4"),
    "response": ("VAIA-RSP-1", "VAIA-RSP-7"),
}


class Table:
    """Everything about an encounter that never changes."""

    def __init__(self, content: Content) -> None:
        scenario: VaiaScenario = content.scenario
        cards = content.cards
        self.scenario = scenario
        self.items: Mapping[Id, Item] = cards["items"]
        self.actions = {id: ActionSheet(cards["actions"][id]) for id in sorted(cards["actions"])}
        self.traps = {id: TrapSheet(card) for id, card in cards["traps"].items()}
        extra = scenario.extra_actions
        sheets = [
            CharacterSheet(figure, cards["characters"][figure.character], self.actions, extra) for figure in scenario.figures
        ]
        self.characters = {sheet.id: sheet for sheet in sheets}
        self.figures: tuple[Id, ...] = tuple(self.characters)
        self.side: dict[Id, str] = {sheet.id: sheet.side for sheet in sheets}
        self.sides: dict[str, tuple[Id, ...]] = {
            side: tuple(sheet.id for sheet in sheets if sheet.side == side) for side in sides_of(scenario)
        }
        # Among whom a target of each sort is to be sought.
        self.among: dict[tuple[Id, str], tuple[Id, ...]] = {}
        for who, side in self.side.items():
            others = tuple(each for each in self.figures if each != who)
            self.among[who, "any"] = self.among[who, "vulnerable"] = others
            self.among[who, "enemy"] = tuple(each for each in others if self.side[each] != side)
            self.among[who, "ally"] = tuple(each for each in others if self.side[each] == side)
            self.among[who, "self_or_ally"] = self.sides[side]
        self.full_hp = {side: sum(self.characters[who].max_hp for who in figures) for side, figures in self.sides.items()}
        self.grid = Grid(scenario.board.columns, scenario.board.rows)
        self.distances = {here: {there: self.grid.distance(here, there) for there in self.grid.cells} for here in self.grid.cells}
        self.objective_at = scenario.objective.at if scenario.objective else ""
        self.objective_name = scenario.objective.name if scenario.objective else ""
        # VAIA-MOVE-1: the tiles beside each; what stands on a tile blocks it.
        self.around = {
            tile: tuple(each for each in self.grid.neighbours(tile) if each != self.objective_at) for tile in self.grid.cells
        }
        self.multiplier: int = content.policy("final_phase_multiplier")
        self.rider_first: bool = content.policy("window_order") == "rider_first"
        self.riders_on_reactions: bool = content.policy("rider_on_reactions")
        self.hidden_traps: bool = content.policy("traps") == "hidden" and bool(scenario.traps)
        self.fitting = {
            (sheet.id, action.id): tuple(
                id for id in sheet.items if id == action.item or (action.item == "weapon" and self.items[id].weapon)
            )
            for sheet in sheets
            for action in self.actions.values()
            if action.item
        }
        self.move_offers = tuple(
            Offer(("move", slots), "move", cost=_in_slots(slots), rules=("VAIA-MOVE-2", "VAIA-CEL-1")) for slots in range(41)
        )
        tile_offers = {
            tile: Offer(("to", tile), "tile", tile, rules=("VAIA-ACT-5", "VAIA-MOVE-1", "VAIA-HIDE-4"))
            for tile in self.grid.cells
        }
        self.tile_offers = {here: tuple((tile, tile_offers[tile]) for tile in beside) for here, beside in self.around.items()}
        self._reactions: dict[tuple[str, Id, Id], tuple[Riding, ...]] = {}
        self._responses: dict[Id, dict[Id, tuple[Riding, ...]]] = {}
        self._occasions: dict[tuple[str, Id, Id], Occasion | None] = {}
        self._offers: dict[tuple[Id, Id, Id, Id, int], Offer] = {}
        self._aimed: dict[tuple[Id, Id, int], dict[Id, Offer]] = {}
        # The plain actions of everybody with their offers by target; none where an item must be chosen too.
        self.plain = {
            sheet.id: tuple(
                (action, None if self.chooses_item(sheet.id, action) else self.aimed_offers(sheet.id, action, action.celerity))
                for action in sheet.plain
            )
            for sheet in sheets
        }

    # What cards may react to what: made when first asked for

    def _matching(self, occasion: str, card: Id, who: Id, *, forced: bool) -> tuple[Riding, ...]:
        kind, _, at = occasion.partition(" ")
        causing = self.actions[card]
        if kind == "rider" and causing.kind != "plain" and not self.riders_on_reactions:
            return ()
        return tuple(
            KINDS[kind](sheet)
            for sheet in self.characters[who].actions
            if sheet.kind == kind
            and sheet.forced == forced
            and sheet.when is not None
            and (kind == "response" or sheet.when.at == at)
            and suits(sheet, causing)
        )

    def reactions_to(self, occasion: str, card: Id, who: Id) -> tuple[Riding, ...]:
        """What somebody's sheet has for an occasion of an action: "rider before accuracy", "trigger declared", "response"."""
        key = (occasion, card, who)
        found = self._reactions.get(key)
        if found is None:
            found = self._reactions[key] = self._matching(occasion, card, who, forced=False)
        return found

    def occasion(self, at: str, card: Id, actor: Id) -> Occasion | None:
        """What cards have for an occasion of somebody's action; None if no card at all has anything for it."""
        try:
            return self._occasions[at, card, actor]
        except KeyError:
            others = self.among[actor, "any"]
            triggers = {who: each for who in others if (each := self.reactions_to(f"trigger {at}", card, who))}
            forced = {who: each for who in others if (each := self._matching(f"trigger {at}", card, who, forced=True))}
            own = self.reactions_to(f"rider {at}", card, actor)
            riders = {actor: own} if own else {}
            found = Occasion(at, forced, riders, triggers) if forced or riders or triggers else None
            self._occasions[at, card, actor] = found
            return found

    def responses_to(self, card: Id) -> dict[Id, tuple[Riding, ...]]:
        """Everybody whose sheet has a Response that an action of that card might call for."""
        found = self._responses.get(card)
        if found is None:
            every = {who: self.reactions_to("response", card, who) for who in self.figures}
            found = self._responses[card] = {who: each for who, each in every.items() if each}
        return found

    # Offers

    def offer(self, who: Id, sheet: ActionSheet, target: Id, item: Id, cost: int) -> Offer:
        """The offer of an action: its value is (action, target, item), each where there is something to say."""
        key = (who, sheet.id, target, item, cost)
        found = self._offers.get(key)
        if found is None:
            value = (sheet.id, *((target,) if target else ()), *((item,) if item else ()))
            prices = _in_slots(cost)
            prices += tuple((amount, name) for name, amount in sheet.named)
            found = self._offers[key] = Offer(value, sheet.kind, target=target, cost=prices, rules=RULES_OF[sheet.kind])
        return found

    def reaction_offers(self, game: Game, who: Id, sheet: ActionSheet, targets: Sequence[Id]) -> list[Offer]:
        """The offers of an action that may be activated, one for each target and item."""
        cost = price(game, who, sheet)
        if self.chooses_item(who, sheet):
            items = usable_items(game, who, sheet)
            return [self.offer(who, sheet, target, item, cost) for target in targets for item in items]
        offers = self.aimed_offers(who, sheet, cost)
        return [offers[target] for target in targets]

    def chooses_item(self, who: Id, sheet: ActionSheet) -> bool:
        """Whether several items of somebody fit an action, so that its declaration names one."""
        return bool(sheet.item) and len(self.fitting[who, sheet.id]) > 1

    def aimed_offers(self, who: Id, sheet: ActionSheet, cost: int) -> dict[Id, Offer]:
        """The offers of an action at a price, one for each target."""
        found = self._aimed.get((who, sheet.id, cost))
        if found is None:
            found = {target: self.offer(who, sheet, target, "", cost) for target in ("", *self.figures)}
            self._aimed[who, sheet.id, cost] = found
        return found

    def item_in(self, who: Id, sheet: ActionSheet, value: Value) -> Id:
        """The item that a declaration uses: named in it if the sheet has several that fit."""
        if not sheet.item:
            return ""
        several = self.chooses_item(who, sheet) and isinstance(value, tuple)
        return str(value[-1]) if several else self.fitting[who, sheet.id][0]  # type: ignore[index]


def seats(content: Content) -> tuple[Seat, ...]:
    """A seat for each side, which answers for its characters, a GM and a spectator."""
    scenario: VaiaScenario = content.scenario
    sides: dict[str, list[str]] = {}
    for figure in scenario.figures:
        sides.setdefault(figure.side, []).append(figure.name or figure.character)
    players = (Seat(side, side, tuple(figures)) for side, figures in sides.items())
    return (*players, Seat("gm", role="gm"), Seat("spectator", role="spectator"))


def put_figures(game: Game) -> None:
    """Seats the characters with their items, and lays the traps."""
    table: Table = game.table
    for place, sheet in enumerate(table.characters.values()):
        game.put(
            CharacterRecord(
                sheet.id,
                start_of(table.scenario, place),
                sheet.max_hp,
                items=tuple(Carried(id, table.items[id].durability) for id in sheet.items),
                out=HIDDEN if table.scenario.figures[place].hidden else "",
                named=tuple(sheet.named.items()),
            )
        )
    game.put(OrderRecord("order"))
    placed = sorted((tile, traps.trap) for traps in table.scenario.traps for tile in traps.on)
    game.put(TrapsRecord("traps", tuple(placed), tuple(sorted(trap for _, trap in placed))))
    game.put(ObjectiveRecord("objective", tuple((side, 0) for side in table.sides) if table.objective_at else ()))


def setup(game: Game) -> Skirmish:
    """Puts everything in place; the encounter begins with the rolls for the order."""
    put_figures(game)
    return Skirmish()


def arrange(game: Game, given: Mapping[str, Any]) -> tuple[Frame, ...]:
    """Sets up what a scene gives: `phase` (whose), `order`, `round`, and for each record its fields.

    Without `phase` the encounter begins with its rolls, `phase: upkeep` is the end of the round. Whoever is in its phase has
    its full slots and those before it in order have acted, unless given otherwise. `items` and `named` are mappings to what
    is left; `traps` has `placed` (tile: trap) and `entered`.
    """
    put_figures(game)
    for id, fields in given.items():
        if id not in ("phase", "order", "round"):
            _give(game, id, fields)
    who = given.get("phase")
    if who is None:
        return (Skirmish(),)
    order = tuple(given.get("order", game.table.figures))
    if not set(order) <= set(game.table.figures) or who not in (*order, "upkeep"):
        figures = ", ".join(game.table.figures)
        raise RefereeError(f"the phase of {who!r} in the order {', '.join(order)}: the figures are {figures}; or upkeep")
    game.edit("order").who = order
    game.round = given.get("round", 1)
    if who == "upkeep":
        skirmish = Skirmish()
        skirmish.pc = Skirmish.NAMES["begin_upkeep"]
        return (skirmish,)
    place = order.index(who)
    for each in order[: place + 1]:
        if "acted" not in given.get(each, {}):
            game.edit(each).acted = True
    if "slots" not in given.get(who, {}):
        game.edit(who).slots = game.table.characters[who].slots
    skirmish = Skirmish(left=order[place + 1 :])
    skirmish.pc = Skirmish.NAMES["next_phase"]
    begun = Phase(who)
    begun.pc = Phase.NAMES["ask"]
    return skirmish, begun


def _give(game: Game, id: Id, fields: Mapping[str, Any]) -> None:
    if id not in game.records:
        raise RefereeError(f"there is no record {id!r}; there are {', '.join(game.records)}")
    record = game.edit(id)
    for name, value in fields.items():
        if name not in record.__struct_fields__:
            raise RefereeError(f"{id} has no {name!r}; it has {', '.join(record.__struct_fields__)}")
        if name == "items":
            record.items = tuple(Carried(item, durability) for item, durability in sorted(value.items()))
        elif name in ("named", "done"):
            setattr(record, name, tuple(sorted(value.items())))
        elif name == "placed":
            record.placed = tuple(sorted(value.items()))
            record.kinds = tuple(sorted(trap for _, trap in record.placed))
        elif isinstance(value, list):
            setattr(record, name, tuple(sorted(value)))
        else:
            setattr(record, name, value)


def _in_slots(cost: int) -> tuple[tuple[int, str], ...]:
    return ((cost, "slot" if cost == 1 else "slots"),) if cost else ()
