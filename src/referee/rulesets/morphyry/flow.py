"""The course of a combat, top to bottom: who begins, rounds, the five phases of a turn, the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...dice import D10
from ...engine import Choice, Frame, Game, Id, Offer, Reason, Refusal, Roll, Value, cites, come_out, in_hiding, legal, steps
from .actions import (
    OWED,
    STOP,
    DeployAtOnce,
    Interruption,
    basic_refusals,
    hands_full,
    interrupt_offer,
    invocations,
    lying_here,
    reveal_tick,
)
from .basic import pay_debt, pick_up, ready, step
from .checks import (
    avatar,
    cannot_advance,
    cannot_do_basic,
    cannot_interrupt,
    cannot_step,
    cannot_stop,
    current,
    electra_for,
    interrupt_cost,
    least_invocation,
    living,
    techniques,
)
from .consequences import announce_end, hurt, invoke, leave_play
from .deploying import cannot_deploy, put_into_play, utilise
from .hidden import hiding_on
from .records import TechniqueRecord

if TYPE_CHECKING:
    from .sheets import Table


@steps("announce", "roll_for_first", "note_roll", "choose_first", "begin_round", "take_turn", "end_round")
class Combat(Frame):
    """The whole combat."""

    order: tuple[Id, ...]
    rolls: tuple[tuple[Id, int], ...] = ()
    tied: tuple[Id, ...] = ()
    first: int = 0
    place: int = 0

    def announce(combat, game: Game) -> None:
        table: Table = game.table
        combat.tied = tuple(living(game))
        game.log("opens", scenario=table.scenario.id, figures=combat.order, rules=("MOR-HIDE-5", "MOR-MAP-1"))
        for who in combat.order:
            record, card = avatar(game, who), table.avatars[who]
            hidden = game.policy["hands"] == "hidden"
            attributes = (("corpus", card.corpus, card.ability), ("electra", card.electra, ""), ("spiritum", card.spiritum, ""))
            game.log(
                "seated", who=who, at=record.at, attributes=attributes, cards=len(record.hand), pool=len(table.pool),
                hidden=hidden, rules=("MOR-HIDE-2", "MOR-HIDE-1", *(("MOR-HIDE-4",) if hidden else ())),
            )  # fmt: skip
            if record.out:
                game.log("lurks", who=who, at=record.at, rules=("MOR-HIDE-6",))

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
        avatars = len(combat.order)
        who = combat.order[(combat.first + combat.place) % avatars]
        combat.place += 1
        if combat.place < avatars:
            combat.go("take_turn")
        return None if game.records[who].out else Turn(who)

    @cites("MOR-END-4")
    def end_round(combat, game: Game) -> None:
        if game.round < game.policy["round_limit"]:
            combat.go("begin_round")
            return
        for who in in_hiding(game, combat.order):
            come_out(game, who, "end", ("MOR-HIDE-8",))
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
    "begin", "offer_plan_change", "change_plan", "offer_deployment", "deploy",
    "begin_advance", "ask_speed", "take_speed", "ask_spending", "spend", "meet_objective", "collapse", "end_turn",
)  # fmt: skip
class Turn(Frame):
    """One avatar's turn: Fate, Plan, Deploy, Advance, End."""

    who: Id
    enacted: bool = False

    # Phase 1: Fate

    def begin(turn, game: Game) -> None:
        record = game.edit(turn.who)
        record.corpus_pool = record.corpus
        record.electra_pool = record.electra
        record.spiritum_pool = record.spiritum
        record.invoked = record.speed_modifier = record.speed = record.stepped = 0
        if game.events is not None:
            pools = {"corpus": record.corpus, "electra": record.electra, "spiritum": record.spiritum}
            game.log("turn", who=turn.who, **pools, rules=("MOR-TURN-2", "MOR-TURN-3"))
        if game.table.avatars[turn.who].ability:
            _heal(game, turn.who)
        if record.aside and len(record.hand) <= 1:
            game.log("takes_back", who=turn.who, cards=record.aside, rules=("MOR-TURN-3",))
            record.hand = tuple(sorted((*record.hand, *record.aside)))
            record.aside = ()
        if not techniques(game, turn.who):
            turn.go("offer_deployment")

    # Phase 2: Plan

    def offer_plan_change(turn, game: Game) -> Choice:
        offers = [KEEP]
        for technique in techniques(game, turn.who):
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
        points = _change_cost(game, technique) or 0
        record = invoke(game, turn.who, points)
        record.speed -= cost
        record.hand = tuple(sorted((*record.hand, technique.card)))
        game.log("changes_plan", who=turn.who, card=technique.card, electra=points)
        leave_play(game, technique.id)

    # Phase 3: Deploy

    def offer_deployment(turn, game: Game) -> Choice:
        table: Table = game.table
        record = game.records[turn.who]
        offers = [NOTHING]
        if legal(cannot_deploy(game, turn.who)):
            offers += table.deployments(record.hand)
        for held in record.artifacts:
            if not held.utilised:
                offers.append(table.utilise_offers[held.id])
        return Choice(turn.who, "deploy", tuple(offers), turn.who, refuse=_refuse_deployment)

    @cites("MOR-TURN-5")
    def deploy(turn, game: Game, answer: Value) -> None:
        if isinstance(answer, tuple):
            if answer[0] == "deploy":
                put_into_play(game, turn.who, str(answer[1]))
            else:
                utilise(game, turn.who, str(answer[1]))

    # Phase 4: Advance (MOR-TURN-6)

    def begin_advance(turn, game: Game) -> None:
        who = turn.who
        record = game.records[who]
        if record.counter:
            game.edit(who).counter = ()
            game.log("counter_ends", who=who, rules=("MOR-ATK-4",))
        for technique in techniques(game, who):
            inertia = current(game, technique).inertia
            if inertia and technique.in_progress:
                game.edit(technique.id).drive = inertia
                owes = bool(record.debts)
                game.log("driven", who=who, card=technique.card, ticks=inertia, owes=owes, rules=("MOR-INERT-6",))

    def ask_speed(turn, game: Game) -> Choice:
        who = turn.who
        offers = game.table.invoke_offers[least_invocation(game, who) : game.records[who].electra_pool + 1]
        return Choice(who, "speed", offers, who, form="number", refuse=invocations)

    def take_speed(turn, game: Game, answer: Value) -> None:
        who = turn.who
        points = int(answer[1])  # type: ignore[index, arg-type]
        if not points:
            return
        rules = ("MOR-ADV-2", "MOR-ADV-4") if game.records[who].invoked else ("MOR-ADV-2",)
        record = invoke(game, who, points)
        if game.events is not None:
            game.log("invokes", who=who, points=points, speed=record.speed, left=record.electra_pool, rules=rules)

    def ask_spending(turn, game: Game) -> Choice | None:
        who = turn.who
        records = game.records
        record = records[who]
        if not record.speed:
            turn.end_advance(game)
            return None
        table: Table = game.table
        if record.debts:
            owed = [OWED[record.debts[0]]]
            if turn.enacted and legal(cannot_deploy(game, who)):
                owed += table.deployments(record.hand)
            return Choice(who, "spend", (*owed, STOP), who, refuse=basic_refusals)
        offers: list[Offer] = []
        in_play = []
        slots = table.slots[who]
        for place, slot in enumerate(slots):
            technique = records[slot]
            if technique.card:
                in_play.append(technique)
                if len(slots) == 1 or legal(cannot_advance(game, who, technique)):
                    offers.append(table.tick_offers[place])
        if legal(cannot_step(game, who)):
            offers += table.steps_to(record.at, tuple([other.at for each in table.order if not (other := records[each]).out]))
        unready = [held.id for held in record.artifacts if held.readies and held.utilised]
        lying = lying_here(game, who) if records["ground"].lying else ()
        if (unready or lying) and legal(cannot_do_basic(game, who)):
            offers += [table.ready_offers[id] for id in dict.fromkeys(unready)]
            offers += [table.pick_up_offers[id] for id in lying if legal(hands_full(game, who, id))]
        if game.policy["interrupt_when"] == "any_tick":
            for technique in in_play:
                if legal(cannot_interrupt(game, who, technique)):
                    offers.append(interrupt_offer(game, technique))
        if turn.enacted:
            offers += table.deployments(record.hand)
        if not in_play or legal(cannot_stop(game, who)):
            offers.append(STOP)
        return Choice(who, "spend", tuple(offers), who, refuse=basic_refusals)

    def spend(turn, game: Game, answer: Value) -> Frame | None:
        who = turn.who
        if answer == "stop":
            turn.end_advance(game)
            waiting = [] if avatar(game, who).debts else [technique.card for technique in techniques(game, who)]
            rules = ("MOR-ADV-15", "MOR-ADV-16") if waiting else ("MOR-ADV-15",)
            game.log("stops", who=who, speed=avatar(game, who).speed, waits=waiting, rules=rules)
            return None
        turn.go("ask_spending")
        if isinstance(answer, str):
            pay_debt(game, who, answer)
            return None
        verb, what = answer  # type: ignore[misc]
        if verb == "tick":
            return reveal_tick(game, who, game.table.slots[who][what - 1])  # type: ignore[operator]
        if game.unseen and verb == "step" and (found := hiding_on(game, str(what))):
            return come_out(game, found, "found", ("MOR-HIDE-7",))
        if verb == "step":
            step(game, who, what)  # type: ignore[arg-type]
        elif verb == "ready":
            ready(game, who, str(what))
        elif verb == "pick_up":
            pick_up(game, who, str(what))
        elif verb == "interrupt":
            return Interruption(who, next(each.id for each in techniques(game, who) if each.card == what))
        else:
            turn.enacted = False
            return DeployAtOnce(who, str(what))
        return None

    # Phase 5: End

    def end_advance(turn, game: Game) -> None:
        """Goes on with the first step of phase 5 that has something to do."""
        begins = game.policy["collapse_from"]
        if game.table.goal:
            turn.go("meet_objective")
        else:
            turn.go("collapse" if begins and game.round >= begins else "end_turn")

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
        if not begins or game.round < begins:
            return
        at = avatar(game, turn.who).at
        if game.table.squares[at].mark == "inside":
            game.log("collapse", who=turn.who, at=at)
            hurt(game, turn.who, 1, "crush", armour=False)

    @cites("MOR-TURN-7")
    def end_turn(turn, game: Game) -> None:
        record = game.edit(turn.who)
        if record.speed and not record.out:
            game.log("speed_lost", who=turn.who, speed=record.speed)
        record.invoked = record.speed_modifier = record.speed = record.stepped = 0
        # Pools are filled again before anything reads them.
        record.corpus_pool, record.electra_pool, record.spiritum_pool = record.corpus, record.electra, record.spiritum
        for slot in game.table.slots[turn.who]:
            if game.records[slot].drive:
                game.edit(slot).drive = 0
        game.happens("turn ends", turn.who)


def _heal(game: Game, who: Id) -> None:
    """Healing works unless there was damage since the last turn (MOR-CARD-3)."""
    record = game.edit(who)
    if not record.hurt and record.healed < 2 and record.corpus < game.table.avatars[who].corpus:
        record.corpus += 1
        record.healed += 1
        game.log("heals", who=who, corpus=record.corpus, healed=record.healed, rules=("MOR-CARD-3",))
    record.hurt = False
