"""The actions of a turn other than attacks and Wait, carried out (section 8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...engine import Choice, Effect, Frame, Game, Id, Offer, Roll, Value, cites, steps
from .actions import ActionValue, foes_in_reach, more_than_half, rules_of
from .attack import Attack, interfere, pay_for_daunting
from .changes import (
    gain_strife,
    gain_void,
    lay,
    lose_fatigue,
    lose_glory,
    lose_honour,
    lose_strife,
    make_glory,
    ready,
    recover,
    spend_void,
    stand_at,
    suffer,
    until_turn,
    until_turn_end,
)
from .check import Check, as_tuple, hits
from .damage import Damage, aftermath, deadliness_of, die
from .dice import SKILL, Die, Pool, subsets
from .facts import able, allies, endurance, figure, strife_of
from .hidden import find_foes
from .reactions import occasion


@steps("breathe")
class CalmingBreath(Frame):
    """L5R-ACT-3: calm and rest, where there is more than half of either."""

    who: Id

    @cites("L5R-ACT-3", "L5R-DER-9")
    def breathe(breath, game: Game) -> None:
        who = breath.who
        record = figure(game, who)
        sheet = game.table.sheets[who]
        how = game.policy["half_threshold"]
        strained = more_than_half(strife_of(record), sheet.composure, how)
        tired = more_than_half(record.fatigue, endurance(game, who), how)
        if record.stain and record.tainted and strained != more_than_half(record.strife, sheet.composure, how):
            game.reveal()  # what all see of it tells something
        game.log("breathes", who=who, calms=strained, rests=tired, explain=strained or tired)
        if strained:
            lose_strife(game, who, 1, "calming_breath")
        if tired:
            lose_fatigue(game, who, 1, "calming_breath")


@steps("prepare")
class PrepareItem(Frame):
    """L5R-ACT-4: a weapon is readied in a grip, or stowed."""

    who: Id
    card: Id
    state: str

    @cites("L5R-ACT-4")
    def prepare(prepare_, game: Game) -> Frame | None:
        ready(game, prepare_.who, prepare_.card, prepare_.state)
        return occasion(game, "handles", prepare_.who)


@steps("ask_number", "take_number", "throw", "take_dice", "ask_replacement", "replace", "ask_reserve", "reserve")
class Center(Frame):
    """L5R-ACT-6: skill dice rolled to be reserved."""

    who: Id
    skill: str
    number: int = 0
    dice: tuple[Die, ...] = ()

    def ask_number(center, game: Game) -> Choice:
        rank = game.table.sheets[center.who].skills[center.skill]
        offers = tuple(game.table.offer(("roll", number), "center", ("L5R-ACT-6",)) for number in range(rank, 0, -1))
        return Choice(game.seat_of[center.who], "center", offers, center.who, facts=(center.skill,))

    @cites("L5R-ACT-6")
    def take_number(center, game: Game, answer: Value) -> None:
        center.number = int(answer[1])  # type: ignore[index, arg-type]

    def throw(center, game: Game) -> Roll:
        return Roll("center", Pool(0, center.number), center.who, (center.skill, "center"))

    @cites("L5R-ACT-6")
    def take_dice(center, game: Game, roll: Any) -> None:
        center.dice = tuple(Pool(0, center.number).dice(roll))
        game.log("centers", who=center.who, skill=center.skill, faces=tuple(die.face for die in center.dice))

    def ask_replacement(center, game: Game) -> Choice | None:
        """L5R-ACT-7: what was reserved before may replace dice of the next Center."""
        faces = sorted({face for skill, face in figure(game, center.who).reserve if skill == center.skill})
        if not faces:
            center.go("ask_reserve")
            return None
        offers = [game.table.offer("done", "reserve", ("L5R-ACT-7",))]
        seen: list[str] = []
        for number, rolled in enumerate(center.dice, 1):
            if rolled.parent == -1 and rolled.face not in seen:
                seen.append(rolled.face)
                offers += [Offer(("replace", number, face), "reserve", dice=(number,), rules=("L5R-ACT-7",)) for face in faces]
        shown = tuple((die.kind, die.face) for die in center.dice)
        return Choice(game.seat_of[center.who], "reserve", tuple(offers), center.who, facts=(shown, center.number))

    @cites("L5R-ACT-7")
    def replace(center, game: Game, answer: Value) -> None:
        record = game.edit(center.who)
        if answer == "done":
            record.reserve = tuple(each for each in record.reserve if each[0] != center.skill)
            return
        place, face = int(answer[1]) - 1, str(answer[2])  # type: ignore[index, arg-type]
        dice = list(center.dice)
        game.log("replaces", who=center.who, old=(SKILL, dice[place].face), face=face)
        dice[place] = Die(SKILL, face, -2)
        center.dice = tuple(dice)
        reserve = list(record.reserve)
        reserve.remove((center.skill, face))
        record.reserve = tuple(reserve)
        center.go("ask_replacement")

    def ask_reserve(center, game: Game) -> Choice:
        dice = tuple((SKILL, die.face) for die in center.dice)
        offers = tuple(
            Offer(("reserve", *chosen), "center", dice=chosen, rules=("L5R-ACT-6",)) for chosen in subsets(dice, 0, len(dice))
        )
        return Choice(game.seat_of[center.who], "reserve_dice", offers, center.who, form="keep", facts=(dice, len(dice)))

    @cites("L5R-ACT-6")
    def reserve(center, game: Game, answer: Value) -> None:
        faces = [(center.skill, center.dice[int(number) - 1].face) for number in as_tuple(answer)[1:]]
        record = game.edit(center.who)
        record.reserve = tuple(sorted((*record.reserve, *faces)))
        game.log("reserves", who=center.who, skill=center.skill, faces=tuple(face for _, face in faces))


@steps("note")
class Predict(Frame):
    """L5R-ACT-8: a ring is noted in secret."""

    who: Id
    ring: str

    @cites("L5R-ACT-8", "L5R-HIDE-4")
    def note(predict, game: Game) -> None:
        who = predict.who
        pay_for_daunting(game, who, game.table.foes[who])
        record = game.edit(who)
        record.predict = predict.ring
        game.give(who, Effect("predicting", until=until_turn_end(game, who)))
        game.log("predicts", who=who)


@steps("offer_help")
class Assist(Frame):
    """L5R-ACT-9: an ally's next action check is assisted."""

    who: Id
    ally: Id

    @cites("L5R-ACT-9")
    def offer_help(assist, game: Game) -> None:
        game.edit(assist.who).assisting = (assist.ally,)
        game.log("will_assist", who=assist.who, whom=assist.ally)


@steps("stake", "roll_challenge", "issue", "ask", "settle_challenge", "bleed")
class Challenge(Frame):
    """L5R-ACT-10: a clash is offered."""

    who: Id
    foe: Id
    bonus: int = 0
    strife: int = 0

    @cites("L5R-ACT-10")
    def stake(challenge, game: Game) -> None:
        pay_for_daunting(game, challenge.who, (challenge.foe,))
        lose_honour(game, challenge.who, 10, "stake", ())
        lose_glory(game, challenge.who, 5, "stake", ())

    def roll_challenge(challenge, game: Game) -> Frame:
        who = challenge.who
        ring = game.records[who].stance
        return Check(
            who, "command", "challenge", 1, "L5R-ACT-10", ring=ring, types=("scheme",), targets=(challenge.foe,), speech=True
        )

    @cites("L5R-ACT-10")
    def issue(challenge, game: Game, check: Check) -> None:
        challenge.strife = check.strife
        challenge.bonus = check.bonus
        if not hits(check) or game.records[challenge.foe].out:
            return_stake(game, challenge.who)
            challenge.go("bleed")

    def ask(challenge, game: Game) -> Choice:
        offers = (
            game.table.offer("accept", "challenge", ("L5R-ACT-10",)),
            game.table.offer("decline", "challenge", ("L5R-ACT-11",)),
        )
        return Choice(game.seat_of[challenge.foe], "challenge", offers, challenge.foe, facts=(challenge.who,))

    def settle_challenge(challenge, game: Game, answer: Value) -> None:
        who, foe = challenge.who, challenge.foe
        if answer == "accept":
            game.log("accepts", who=foe, whom=who, rules=("L5R-ACT-10",))
            for one, other in ((who, foe), (foe, who)):
                record = game.edit(one)
                record.clash = other
                record.challenger = one == who
            return
        rank = game.table.sheets[who].skills["command"]
        game.log("declines", who=foe, whom=who, rules=("L5R-ACT-11",))
        lose_glory(game, foe, rank + challenge.bonus, "declines", ("L5R-ACT-11",))
        return_stake(game, who)
        own = figure(game, who).glory
        for ally in allies(game, foe):
            if figure(game, ally).glory < own:
                gain_strife(game, ally, 2, "shamed", who, ("L5R-ACT-11",))
        gain_void(game, who, "challenge", ("L5R-ACT-11",))

    def bleed(challenge, game: Game) -> Frame | None:
        return aftermath(game, challenge.who, challenge.strife)


def return_stake(game: Game, who: Id) -> None:
    """The stake of a challenge comes back."""
    record = game.edit(who)
    record.honour = min(100, record.honour + 10)
    make_glory(game, who, 5, "stake", ("L5R-ACT-10",))


@steps("roll_guard", "guard", "bleed")
class Guard(Frame):
    """L5R-ACT-12: oneself or another is guarded."""

    who: Id
    ward: Id
    strife: int = 0

    def roll_guard(guard_, game: Game) -> Frame:
        who = guard_.who
        targets = (guard_.ward,) if guard_.ward != who else ()
        return Check(
            who, "tactics", "guard", 1, "L5R-ACT-12", ring=game.records[who].stance, types=("support",), targets=targets
        )  # fmt: skip

    @cites("L5R-ACT-12")
    def guard(guard_, game: Game, check: Check) -> None:
        guard_.strife = check.strife
        if hits(check):
            until = until_turn(guard_.who)
            game.edit(guard_.who).guarding = guard_.ward
            amount = 1 + check.bonus // 2
            lay(game, guard_.ward, "guarded", "L5R-ACT-12", amount=amount, source=guard_.who, merge="sources", until=until)

    def bleed(guard_, game: Game) -> Frame | None:
        return aftermath(game, guard_.who, guard_.strife)


@steps("roll_maneuver", "measure", "ask", "move", "bleed", "conclude")
class Maneuver(Frame):
    """L5R-ACT-13: movement of one band, or of more by a check."""

    who: Id
    way: str
    how: str
    bands: int = 1
    strife: int = 0
    came: int = 0

    def roll_maneuver(maneuver, game: Game) -> Frame | None:
        who = maneuver.who
        maneuver.came = game.records[who].at
        if maneuver.how == "plain":
            return None
        return Check(who, "fitness", "maneuver", 2, "L5R-ACT-13", ring=game.records[who].stance, types=("movement",))

    @cites("L5R-ACT-13")
    def measure(maneuver, game: Game, check: Check | None) -> None:
        if check is not None:
            maneuver.strife = check.strife
            if hits(check):
                maneuver.bands = 2 + check.bonus // 2
        if not able(game, maneuver.who):
            maneuver.go("bleed")

    def ask(maneuver, game: Game) -> Choice:
        at = game.records[maneuver.who].at
        way = 1 if maneuver.way == "forward" else -1
        offers = tuple(
            game.table.offer(("to", at + way * number), "move", ("L5R-ACT-13", "L5R-SKIR-5"))
            for number in range(maneuver.bands, 0, -1)
        )
        return Choice(game.seat_of[maneuver.who], "maneuver", offers, maneuver.who, form="path")

    @cites("L5R-ACT-13")
    def move(maneuver, game: Game, answer: Value) -> None:
        to = int(answer[1])  # type: ignore[index, arg-type]
        depth = game.find(game.frame_classes["Turn"])
        if depth >= 0:
            turn: Any = game.edit_frame(depth)
            if turn.who == maneuver.who:
                turn.moved += abs(to - maneuver.came)
        stand_at(game, maneuver.who, to, "maneuver", ("L5R-SKIR-5",))

    def bleed(maneuver, game: Game) -> Frame | None:
        return aftermath(game, maneuver.who, maneuver.strife)

    def conclude(maneuver, game: Game) -> Frame | None:
        return occasion(game, "moves", maneuver.who, came=maneuver.came)


@steps("roll_ending", "end_condition", "bleed")
class Ending(Frame):
    """A condition is ended by the check that its card names."""

    who: Id
    condition: str
    bearer: Id
    strife: int = 0

    def roll_ending(ending, game: Game) -> Frame:
        card = game.table.conditions[ending.condition]
        cure = card.cure
        targets = (ending.bearer,) if ending.bearer != ending.who else ()
        return Check(
            ending.who, cure.skill, "end", cure.tn, card.rule, ending.condition, ring=game.records[ending.who].stance,
            types=cure.types, targets=targets,
        )  # fmt: skip

    def end_condition(ending, game: Game, check: Check) -> None:
        card = game.table.conditions[ending.condition]
        ending.strife = check.strife
        if hits(check):
            recover(game, ending.bearer, ending.condition, (card.rule,))
        elif ending.condition == "dying" and not check.broken:
            record = game.edit(ending.bearer)
            record.dying = max(0, record.dying - check.shortfall)
            game.log("dying", who=ending.bearer, rounds=record.dying, rules=("L5R-COND-8",))

    def bleed(ending, game: Game) -> Frame | None:
        return aftermath(game, ending.who, ending.strife)


@steps("pay", "roll_deed", "take_check", "carry_out", "bleed")
class Deed(Frame):
    """A technique or unique action with a check of its own, or none (L5R-ACT-5)."""

    who: Id
    technique: Id
    target: Id = ""
    strife: int = 0
    ring: str = ""
    bonus: int = 0
    place: int = 0

    def targets(deed, game: Game) -> tuple[Id, ...]:
        """Whom it is done to."""
        card = game.table.techniques[deed.technique].deed
        if card.target == "foes":
            return foes_in_reach(game, deed.who, card)
        return (deed.target,) if deed.target else ()

    def pay(deed, game: Game) -> None:
        card = game.table.techniques[deed.technique]
        if game.unseen and card.deed.target == "foes":
            find_foes(game, deed.who, *card.deed.range)
        rules = rules_of(game, (deed.technique,))
        told = isinstance(game.agenda[-2], game.frame_classes["Turn"])  # by the line "acts"
        game.log("uses", who=deed.who, technique=deed.technique, target=deed.target, rules=rules, explain=told)
        for _ in range(card.void):
            spend_void(game, deed.who, deed.technique, (card.rule, "L5R-CHK-9"))
        if card.once:
            record = game.edit(deed.who)
            record.once = tuple(sorted((*record.once, deed.technique)))
        if "attack" in card.types or "scheme" in card.types:
            pay_for_daunting(game, deed.who, deed.targets(game))
            for target in deed.targets(game):
                interfere(game, deed.who, target)

    def roll_deed(deed, game: Game) -> Frame | None:
        card = game.table.techniques[deed.technique]
        facts = card.deed
        deed.ring = game.records[deed.who].stance
        if facts.check is None:
            deed.go("carry_out")
            return None
        return Check(
            deed.who, facts.check, "deed", facts.tn, card.rule, deed.technique, tuple(sorted(facts.rings.items())), deed.ring,
            card.types, deed.targets(game), "", deed.technique, speech=facts.speech, hardship=facts.hardship,
        )  # fmt: skip

    def take_check(deed, game: Game, check: Check | None) -> None:
        if check is not None:
            deed.strife = check.strife
            deed.ring = check.ring
            deed.bonus = check.bonus
            if not hits(check):
                deed.go("bleed")

    def carry_out(deed, game: Game) -> Frame | None:
        card = game.table.techniques[deed.technique]
        facts = card.deed
        targets = deed.targets(game) or (deed.who,)
        if deed.place >= len(targets):
            return None
        target = targets[deed.place]
        deed.place += 1
        deed.go("carry_out")
        if facts.remove_fatigue:
            honour = game.records[deed.who].honour // 10
            amount = honour if facts.remove_fatigue == "honour_rank" else facts.remove_fatigue
            lose_fatigue(game, target, amount, deed.technique, (card.rule,))
        if facts.strife:
            gain_strife(game, target, facts.strife, deed.technique, deed.who, (card.rule,))
        if facts.condition:
            suffer(game, target, facts.condition, (card.rule,))
        if facts.damage:
            deadliness = facts.deadliness
            rules = card.rule
            if facts.source:
                ring = game.table.sheets[deed.who].rings[deed.ring]
                deadliness = deadliness_of(facts.source, ring, deed.strife, facts.silhouette)
                rules = "L5R-DMG-7"
            return Damage(target, facts.damage, deadliness, deed.technique, deed.who, facts.kind, rule=rules)
        return None

    def bleed(deed, game: Game) -> Frame | None:
        return aftermath(game, deed.who, deed.strife)


def begin(game: Game, who: Id, value: ActionValue) -> Frame | None:
    """The frame that carries out an action."""
    verb = value[0]
    if verb in _FRAMES:
        return _FRAMES[verb](who, value)
    if verb == "nothing":
        game.log("waits_idle", who=who, rules=("L5R-CON-10",))
        return None
    if verb == "wait":
        return game.new_frame("Waiting", who)
    card = game.table.techniques[verb]
    if card.attack is not None:
        return Attack(who, value)
    return Deed(who, verb, value[1] if len(value) > 1 else "")


_FRAMES: Final[dict[str, Callable[[Id, ActionValue], Frame]]] = {
    "calming_breath": lambda who, value: CalmingBreath(who),
    "prepare": lambda who, value: PrepareItem(who, value[1], value[2]),
    "center": lambda who, value: Center(who, value[1]),
    "predict": lambda who, value: Predict(who, value[1]),
    "assist": lambda who, value: Assist(who, value[1]),
    "challenge": lambda who, value: Challenge(who, value[1]),
    "guard": lambda who, value: Guard(who, value[1]),
    "maneuver": lambda who, value: Maneuver(who, value[1], value[2]),
    "end": lambda who, value: Ending(who, value[1], value[2]),
}

FRAMES: Final = (CalmingBreath, PrepareItem, Center, Predict, Assist, Challenge, Guard, Maneuver, Ending, Deed)


def finish_dying(game: Game, who: Id) -> None:
    """L5R-COND-8: at 0 a Dying character dies at the end of the next own turn."""
    record = figure(game, who)
    if "dying" in record.conditions and record.dying <= 0 and not record.out:
        die(game, who, "", ("L5R-COND-8",))
