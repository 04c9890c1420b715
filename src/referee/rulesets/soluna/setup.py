"""What never changes in an encounter (sheets, board, sight lines), and how one is set up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...engine import Content, Frame, Game, Grid, Id, Offer, Seat
from .cards import Contest, Interaction, Model, Risk, SolunaScenario, Thing, Weapon, start_of
from .flow import Skirmish
from .records import ModelRecord, ThingRecord
from .sight import blocked_lines

MOST_MIND: Final = 10


def pool_offers(left: int) -> tuple[Offer, ...]:
    """Every way to spend up to so many Mind Points on dice and flips, for a flip sets a die that was rolled."""
    return (
        Offer(("pool", 0, 0), "pool", rules=("SOL-MIND-1",)),
        *(
            Offer(
                ("pool", dice, flips),
                "pool",
                dice=(6,) * dice,
                cost=((dice + 2 * flips, "mind"),),
                rules=("SOL-MIND-1", "SOL-FLIP-1") if flips else ("SOL-MIND-1",),
            )
            for dice in range(1, left + 1)
            for flips in range((left - dice) // 2 + 1)
        ),
    )


POOLS: Final = tuple(pool_offers(left) for left in range(MOST_MIND + 1))


class Table:
    """Everything about an encounter that never changes: board, sheets, sight lines, and offers made once."""

    def __init__(self, content: Content) -> None:
        scenario: SolunaScenario = content.scenario
        cards = content.cards
        self.scenario = scenario
        self.grid = Grid(scenario.columns, scenario.rows)
        self.distances = {(one, other): self.grid.distance(one, other) for one in self.grid.cells for other in self.grid.cells}
        self.obstacles = frozenset(scenario.obstacles)
        self.sight = blocked_lines(scenario.columns, scenario.rows, tuple(sorted(self.obstacles)))
        self.weapons: Mapping[Id, Weapon] = cards["weapons"]
        self.reaching = {
            here: {
                there: frozenset(
                    weapon
                    for weapon, card in self.weapons.items()
                    if self.distances[here, there] <= card.range and self.sight[here][there] < 4
                )
                for there in self.grid.cells
            }
            for here in self.grid.cells
        }
        self.interactions: Mapping[Id, Interaction] = cards["interactions"]
        self.contests: Mapping[Id, Contest] = cards["contests"]
        self.risks: Mapping[Id, Risk] = cards["risks"]
        self.sides: tuple[str, ...] = tuple(side.id for side in scenario.sides)
        self.members: dict[str, tuple[Id, ...]] = {side.id: tuple(each.id for each in side.models) for side in scenario.sides}
        self.order: tuple[Id, ...] = tuple(who for side in self.sides for who in self.members[side])
        self.side: dict[Id, str] = {who: side for side in self.sides for who in self.members[side]}
        self.opposing: dict[Id, tuple[Id, ...]] = {
            who: tuple(other for other in self.order if self.side[other] != self.side[who]) for who in self.order
        }
        self.sheets: dict[Id, Model] = {
            placed.id: cards["models"][placed.model] for side in scenario.sides for placed in side.models
        }
        self.things: dict[Id, Thing] = {thing.id: thing for thing in scenario.things}
        self.doors = tuple(thing for thing in scenario.things if thing.kind == "door")
        self.artifacts: tuple[Id, ...] = tuple(thing.id for thing in scenario.things if thing.kind == "artifact")
        self.interactive = tuple(thing for thing in scenario.things if thing.interaction or thing.kind == "artifact")
        self.callable = tuple(
            (contest, artifact)
            for contest, card in sorted(self.contests.items())
            for artifact in self.artifacts
            if card.between == "caller and holder" or (self.things[artifact].prize == contest and card.at in self.things)
        )
        self.pools = POOLS
        self._ways: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
        self.open_ways = self.ways(())
        self.square_offers = {
            cell: Offer(("to", cell), "square", cell, cost=((1, "speed"),), rules=("SOL-MOVE-1", "SOL-MOVE-2"))
            for cell in self.grid.cells
        }
        self.attack_offers = {
            (weapon, who): Offer(("attack", weapon, who), "attack", target=who, cost=((1, "combat"),), rules=("SOL-ATK-1",))
            for weapon in self.weapons
            for who in self.order
        }
        self.risked_attack_offers = {
            key: Offer(offer.value, "attack", target=offer.target, rules=("SOL-ATK-1", "SOL-RISK-1", "SOL-RISK-5"))
            for key, offer in self.attack_offers.items()
        }
        self.contest_offers = {
            (contest, prize): Offer(
                ("contest", contest, prize), "contest", target=prize, rules=(self.contests[contest].rule, "SOL-CONT-1")
            )
            for contest, prize in self.callable
        }
        self.interact_offers: dict[tuple[Id, Id], Offer] = {}
        for weapon in self.weapons:
            self._add_interaction("ready_weapon", weapon)
        for thing in self.interactive:
            self._add_interaction("pick_up" if thing.kind == "artifact" else thing.interaction, thing.id)

    def _add_interaction(self, interaction: Id, target: Id) -> None:
        rules = (self.interactions[interaction].rule, "SOL-INT-1")
        self.interact_offers[interaction, target] = Offer(
            ("interact", interaction, target), "interact", target=target, rules=rules
        )

    def ways(self, shut: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        """The squares that a step leads to from each square, with these squares shut (SOL-MOVE-2)."""
        known = self._ways.get(shut)
        if known is None:
            walls = self.obstacles.union(shut)
            known = self._ways[shut] = {
                cell: tuple(
                    other for other in self.grid.neighbours(cell) if other not in walls and not _between(walls, cell, other)
                )
                for cell in self.grid.cells
            }
        return known


def _between(walls: frozenset[str], cell: str, other: str) -> bool:
    """Whether a diagonal step passes between two obstacles."""
    return cell[0] != other[0] and cell[1:] != other[1:] and other[0] + cell[1:] in walls and cell[0] + other[1:] in walls


def seats(content: Content) -> tuple[Seat, ...]:
    """A seat for each side, a GM and a spectator."""
    scenario: SolunaScenario = content.scenario
    players = (Seat(side.id, side.id, tuple(each.id for each in side.models)) for side in scenario.sides)
    return (*players, Seat("gm", role="gm"), Seat("spectator", role="spectator"))


def put_figures(game: Game) -> None:
    """Places the models with their weapons ready or stowed, and the things."""
    table: Table = game.table
    scenario = table.scenario
    for number, side in enumerate(scenario.sides):
        for place, placed in enumerate(side.models):
            sheet = table.sheets[placed.id]
            ready = tuple(weapon for weapon in sheet.weapons if scenario.weapons == "ready" or table.weapons[weapon].always_ready)
            game.put(ModelRecord(placed.id, start_of(scenario, number, place), sheet.mind, sheet.body, ready=ready))
    for thing in scenario.things:
        game.put(ThingRecord(thing.id, thing.at))


def setup(game: Game) -> Skirmish:
    """Puts everything in place; the skirmish begins with its first Turn."""
    put_figures(game)
    return Skirmish()


def arrange(game: Game, given: Mapping[str, Any]) -> tuple[Frame, ...]:
    """Sets up what a scene gives: `turn` and `phase` (both 1 if not given), and for each record its fields."""
    put_figures(game)
    game.round = given.get("turn", 1)
    for id, fields in given.items():
        if id not in ("turn", "phase"):
            record = game.edit(id)
            for name, value in fields.items():
                setattr(record, name, tuple(value) if isinstance(value, list) else value)
    skirmish = Skirmish(number=given.get("phase", 1))
    skirmish.pc = Skirmish.NAMES["play_phase"]
    return (skirmish,)
