"""The course of a combat, top to bottom: who begins, rounds, the five phases of a turn, the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...dice import D10
from ...engine import Choice, Frame, Game, Id, Offer, Reason, Refusal, Roll, Value, cites, legal, steps
from .actions import Advance
from .checks import avatar, electra_for, interrupt_cost, living, techniques
from .consequences import announce_end, hurt, invoke, leave_play
from .deploying import cannot_deploy, put_into_play, utilise
from .records import TechniqueRecord

if TYPE_CHECKING:
    from .sheets import Table


@steps(
    "announce", "roll_for_first", "note_roll", "choose_first", "begin_round", "take_turn", "finish_turn", "end_round"
)  # fmt: skip
class Combat(Frame):
    """The whole combat."""

    order: tuple[Id, ...]
    rolls: tuple[tuple[Id, int], ...] = ()
    tied: tuple[Id, ...] = ()
    first: int = 0
    place: int = 0

    def announce(combat, game: Game) -> None:
        table: Table = game.table
        combat.tied = combat.order
        game.log("opens", scenario=table.scenario.id, figures=combat.order, rules=("MOR-HIDE-5", "MOR-MAP-1"))
        for who in combat.order:
            record, card = avatar(game, who), table.avatars[who]
            hidden = game.policy["hands"] == "hidden"
            attributes = (("corpus", card.corpus, card.ability), ("electra", card.electra, ""), ("spiritum", card.spiritum, ""))
            game.log(
                "seated", who=who, at=record.at, attributes=attributes, cards=len(record.hand), pool=len(table.pool),
                hidden=hidden, rules=("MOR-HIDE-2", "MOR-HIDE-1", *(("MOR-HIDE-4",) if hidden else ())),
            )  # fmt: skip

    def roll_for_first(combat, game: Game) -> Roll | None:
        if len(combat.rolls) == len(combat.tied):
            combat.go("choose_first")
            return None
        return Roll("first turn", D10, combat.tied[len(combat.rolls)])

    @cites("MOR-TURN-1")
    def note_roll(combat, game: Game, roll: int) -> None:
        who = combat.tied[len(combat.rolls)]
        combat.rolls = (*combat.rolls, (who, roll))
        game.log("rolled_for_first", who=who, roll=roll)
        combat.go("roll_for_first")

    @cites("MOR-TURN-1")
    def choose_first(combat, game: Game) -> None:
        highest = max(roll for _, roll in combat.rolls)
        combat.tied = tuple(who for who, roll in combat.rolls if roll == highest)
        combat.rolls = ()
        if len(combat.tied) > 1:
            game.log("tied_for_first", who=combat.tied)
            combat.go("roll_for_first")
            return
        combat.first = combat.order.index(combat.tied[0])
        combat.tied = ()
        game.log("goes_first", who=combat.order[combat.first])

    def begin_round(combat, game: Game) -> None:
        game.round += 1
        combat.place = 0
        game.log("round", number=game.round)

    def take_turn(combat, game: Game) -> Frame | None:
        who = combat.order[(combat.first + combat.place) % len(combat.order)]
        if avatar(game, who).out:
            return None
        return Turn(who)

    def finish_turn(combat, game: Game) -> None:
        combat.place += 1
        if combat.place < len(combat.order):
            combat.go("take_turn")

    @cites("MOR-END-4")
    def end_round(combat, game: Game) -> None:
        if game.round < game.policy["round_limit"]:
            combat.go("begin_round")
            return
        spirits = {who: avatar(game, who).spirit for who in living(game)}
        most = max(spirits.values())
        ahead = [who for who, spirit in spirits.items() if spirit == most]
        announce_end(game, ahead[0] if len(ahead) == 1 else None, "round_limit")


def _change_cost(game: Game, technique: TechniqueRecord) -> int | None:
    return electra_for(game, technique.owner, interrupt_cost(game, technique))


def cannot_change_plan(game: Game, technique: TechniqueRecord) -> Iterator[Reason]:
    """Why a technique may not go back to the hand (MOR-INERT-5)."""
    if technique.action:
        yield Reason("action_completed", (technique.card,), ("MOR-INERT-5",))
    if not avatar(game, technique.owner).hand:
        yield Reason("no_other_card", (technique.card,), ("MOR-INERT-5",))
    if _change_cost(game, technique) is None:
        record = avatar(game, technique.owner)
        cost = interrupt_cost(game, technique)
        yield Reason("inertia", (technique.card, cost, record.speed, record.electra_pool), ("MOR-INERT-5", "MOR-INERT-2"))


KEEP = Offer("keep", "plan", rules=("MOR-TURN-4",))
NOTHING = Offer("nothing", "deploy", rules=("MOR-TURN-5",))


def _refuse_plan(game: Game, choice: Choice) -> Iterator[Refusal]:
    for technique in techniques(game, choice.who):
        reasons = tuple(cannot_change_plan(game, technique))
        if reasons:
            yield Refusal(("change", technique.card), reasons, "plan")


def _refuse_deployment(game: Game, choice: Choice) -> Iterator[Refusal]:
    reasons = tuple(cannot_deploy(game, choice.who))
    if reasons:
        for card in avatar(game, choice.who).hand:
            yield Refusal(("deploy", card), reasons, "deploy")
    for held in avatar(game, choice.who).artifacts:
        if held.utilised:
            yield Refusal(("utilise", held.id), (Reason("utilised", (held.id,), ("MOR-TURN-5", "MOR-CARD-5")),), "deploy")


@steps(
    "restore_pools", "use_abilities", "take_back_cards",
    "offer_plan_change", "change_plan", "offer_deployment", "deploy",
    "advance", "meet_objective", "collapse", "end_turn",
)  # fmt: skip
class Turn(Frame):
    """One avatar's turn: Fate, Plan, Deploy, Advance, End."""

    who: Id

    # Phase 1: Fate

    @cites("MOR-TURN-2", "MOR-TURN-3")
    def restore_pools(turn, game: Game) -> None:
        record = game.edit(turn.who)
        record.corpus_pool = record.corpus
        record.electra_pool = record.electra
        record.spiritum_pool = record.spiritum
        record.invoked = record.speed_modifier = record.speed = record.stepped = 0
        game.log("turn", who=turn.who, corpus=record.corpus, electra=record.electra, spiritum=record.spiritum)

    @cites("MOR-CARD-3")
    def use_abilities(turn, game: Game) -> None:
        record = avatar(game, turn.who)
        card = game.table.avatars[turn.who]
        if card.ability == "healing" and not record.hurt and record.healed < 2 and record.corpus < card.corpus:
            changed = game.edit(turn.who)
            changed.corpus += 1
            changed.healed += 1
            game.log("heals", who=turn.who, corpus=changed.corpus, healed=changed.healed)
        if record.hurt:
            game.edit(turn.who).hurt = False

    @cites("MOR-TURN-3")
    def take_back_cards(turn, game: Game) -> None:
        record = avatar(game, turn.who)
        if record.aside and len(record.hand) <= 1:
            changed = game.edit(turn.who)
            game.log("takes_back", who=turn.who, cards=record.aside)
            changed.hand = tuple(sorted((*record.hand, *record.aside)))
            changed.aside = ()

    # Phase 2: Plan

    def offer_plan_change(turn, game: Game) -> Choice | None:
        offers = [KEEP]
        in_play = techniques(game, turn.who)
        if not in_play:
            turn.go("offer_deployment")
            return None
        for technique in in_play:
            if legal(cannot_change_plan(game, technique)):
                cost = _change_cost(game, technique) or 0
                rules = ("MOR-INERT-5", "MOR-TURN-4")
                offers.append(Offer(("change", technique.card), "plan", cost=((cost, "electra"),), rules=rules))
        return Choice(turn.who, "plan", tuple(offers), turn.who, refuse=_refuse_plan)

    @cites("MOR-INERT-5", "MOR-TURN-4")
    def change_plan(turn, game: Game, answer: Value) -> None:
        if not isinstance(answer, tuple):
            return
        technique = next(each for each in techniques(game, turn.who) if each.card == answer[1])
        cost = interrupt_cost(game, technique)
        points = invoke(game, turn.who, _change_cost(game, technique) or 0)
        record = game.edit(turn.who)
        record.speed -= cost
        record.hand = tuple(sorted((*record.hand, technique.card)))
        game.log("changes_plan", who=turn.who, card=technique.card, electra=points)
        leave_play(game, technique.id)

    # Phase 3: Deploy

    def offer_deployment(turn, game: Game) -> Choice:
        table: Table = game.table
        record = avatar(game, turn.who)
        offers = [NOTHING]
        if legal(cannot_deploy(game, turn.who)):
            offers += [table.deploy_offers[card] for card in record.hand]
        offers += [table.utilise_offers[held.id] for held in record.artifacts if not held.utilised]
        return Choice(turn.who, "deploy", tuple(offers), turn.who, refuse=_refuse_deployment)

    @cites("MOR-TURN-5")
    def deploy(turn, game: Game, answer: Value) -> None:
        if isinstance(answer, tuple):
            if answer[0] == "deploy":
                put_into_play(game, turn.who, str(answer[1]))
            else:
                utilise(game, turn.who, str(answer[1]))

    # Phase 4: Advance

    @cites("MOR-TURN-6", "MOR-ADV-1")
    def advance(turn, game: Game) -> Frame:
        return Advance(turn.who)

    # Phase 5: End

    @cites("MOR-END-2", "MOR-TURN-7")
    def meet_objective(turn, game: Game) -> None:
        table: Table = game.table
        record = avatar(game, turn.who)
        objective = table.scenario.objective
        if objective and record.at in table.goal and not record.prone:
            game.edit(turn.who).holds += 1
            holds = game.records[turn.who].holds
            game.log("holds", who=turn.who, square=objective.hold, holds=holds, times=objective.times)
            if holds >= objective.times:
                announce_end(game, turn.who, "objective")

    @cites("MOR-END-3")
    def collapse(turn, game: Game) -> None:
        begins = game.policy["collapse_from"]
        if begins and game.round >= begins and game.table.squares[avatar(game, turn.who).at].mark == "inside":
            game.log("collapse", who=turn.who, at=avatar(game, turn.who).at)
            hurt(game, turn.who, 1, "crush", armour=False)

    @cites("MOR-TURN-7")
    def end_turn(turn, game: Game) -> None:
        record = game.edit(turn.who)
        if record.speed and not record.out:
            game.log("speed_lost", who=turn.who, speed=record.speed)
        record.invoked = record.speed_modifier = record.speed = record.stepped = 0
        # Pools are filled again before anything reads them.
        record.corpus_pool, record.electra_pool, record.spiritum_pool = record.corpus, record.electra, record.spiritum
        game.happens("turn ends", turn.who)
