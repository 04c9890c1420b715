"""The check, in the order of the book: declare, fix, roll, modify, keep, resolve (L5R-CHK-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...engine import Choice, Frame, Game, Id, Offer, Roll, Value, Window, cites, steps, total
from .cards import RINGS
from .changes import gain_fatigue, gain_strife, gain_void, give_away, lose_strife, spend_void
from .dice import RING, SKILL, Die, Pool, counted, dice_of, laid, subsets
from .facts import able, figure, readied
from .keeping import (
    REROLL_RULES,
    add_kept,
    choose_traits,
    exploding_dice,
    has_success,
    keep_offers,
    kept_of,
    modifiers_due,
    next_to_explode,
    parry,
    refuse_keep,
    refuse_reroll,
    reroll_offers,
    shown,
    use_effects,
)
from .numbers import helpers, tn_lines
from .opportunities import DONE, offers_of, refuse_rows, spend

if TYPE_CHECKING:
    from .setup import Sheet

NO: Final = Offer("no")
SEIZE: Final = Offer("seize", cost=((1, "void"),), rules=("L5R-CHK-8",))
SHARE: Final = Offer("share", rules=("L5R-CHK-6",))
KEEP: Final = Offer("keep", "follow_up", rules=("L5R-DICE-12",))
DROP: Final = Offer("drop", "follow_up", rules=("L5R-DICE-13",))
SKILL_FIRST: Final = Offer(("next", SKILL), "follow_up", rules=("L5R-DICE-22",))
RING_FIRST: Final = Offer(("next", RING), "follow_up", rules=("L5R-DICE-22",))
REPLACED: Final = Offer("done", "reserve", rules=("L5R-ACT-7",))
RING_OFFERS: Final = tuple(Offer(("ring", ring), "ring", rules=("L5R-CON-2",)) for ring in RINGS)


def as_tuple(answer: Value) -> tuple[Any, ...]:
    """An answer of several parts."""
    return answer if isinstance(answer, tuple) else (answer,)


@steps(
    "ask_ring", "take_ring", "fix", "ask_void", "take_void", "throw", "take_roll",
    "ask_reserved", "use_reserved", "ask_reroll", "take_reroll", "throw_again", "take_again",
    "ask_keep", "take_keep", "ask_alter", "alter", "open_redirection",
    "ask_order", "take_order", "throw_follow_up", "take_follow_up", "ask_follow_up", "decide_follow_up",
    "ask_share", "share", "suffer_strife", "judge", "ask_opportunity", "spend_opportunity", "after_opportunity",
    "ask_lion", "turn_strife", "settle", "settle_traits",
)  # fmt: skip
class Check(Frame):
    """One check. Whoever began it reads the result off the finished frame."""

    who: Id
    skill: str
    purpose: str
    tn_base: int
    tn_rule: str
    tn_source: str = "check"
    tn_rings: tuple[tuple[str, int], ...] = ()
    ring: str = ""
    types: tuple[str, ...] = ()
    targets: tuple[Id, ...] = ()
    weapon: Id = ""
    technique: Id = ""
    critical: bool = False
    moved: bool = False
    speech: bool = False
    hardship: bool = False
    tn: int = 0
    limit: int = 0
    ring_dice: int = 0
    skill_dice: int = 0
    void_die: bool = False
    assistants: tuple[Id, ...] = ()
    traits: tuple[tuple[str, str], ...] = ()
    dice: tuple[Die, ...] = ()
    queue: tuple[tuple[str, Id], ...] = ()
    again: tuple[int, ...] = ()
    exploding: tuple[int, ...] = ()
    shared: int = 0
    sharing: int = 0
    strife: int = 0
    strife_given: int = 0
    raw: int = 0
    left: int = 0
    spent: tuple[str, ...] = ()
    pierced: int = 0
    deadlier: int = 0
    strikes: tuple[Id, ...] = ()
    rallied: bool = False
    succeeded: bool = False
    broken: bool = False
    turned: int = 0
    bonus: int = 0
    shortfall: int = 0

    # Declare, fix

    @cites("L5R-CON-2")
    def ask_ring(check, game: Game) -> Choice | None:
        if check.ring:
            check.go("fix")
            return None
        return Choice(game.seat_of[check.who], "ring", RING_OFFERS, check.who, facts=(check.skill, check.purpose))

    def take_ring(check, game: Game, answer: Value) -> None:
        check.ring = str(answer[1])  # type: ignore[index]
        if check.purpose == "initiative" and game.policy["initiative_stance_timing"] == "before_check":
            game.edit(check.who).stance = check.ring
            game.log("stance", who=check.who, stance=check.ring, rules=("L5R-CON-6",))

    @cites("L5R-CHK-1", "L5R-CHK-2")
    def fix(check, game: Game) -> None:
        who = check.who
        sheet: Sheet = game.table.sheets[who]
        lines = tuple(tn_lines(game, check))
        check.tn = total(lines, 0 if check.tn_base == 0 else 1)
        check.assistants = () if game.table.duel or not game.table.allies[who] else tuple(helpers(game, check))
        rank = sheet.skills[check.skill]
        more_ring = more_skill = 0
        for helper in check.assistants:
            if game.table.sheets[helper].skills[check.skill]:
                more_skill += 1
            else:
                more_ring += 1
        check.ring_dice = sheet.rings[check.ring] + more_ring
        check.skill_dice = rank + more_skill
        check.limit = sheet.rings[check.ring] + more_ring + more_skill
        if game.events is not None:
            rules = [line[2] for line in lines]
            if len(check.targets) > 1:
                rules.append("L5R-CHK-3")
            if check.tn > total(lines):
                rules.append("L5R-DICE-21")
            if check.technique:
                card = game.table.techniques[check.technique]
                if card.rule not in rules:
                    rules.append(card.rule)
            rules.append("L5R-CHR-2" if sheet.kind == "pc" else "L5R-DER-13")
            game.log(
                "check", who=who, skill=check.skill, ring=check.ring, tn=check.tn, purpose=check.purpose,
                technique=check.technique, targets=check.targets, source=check.tn_source,
                parts=lines if len(lines) > 1 or lines[0][1] == "unmasked" else (), rules=tuple(rules),
            )  # fmt: skip
        if game.table.terrain:
            if "movement" in check.types:
                give_away(game, game.records[who].at)
            if "attack" in check.types:
                for target in check.targets:
                    give_away(game, game.records[target].at)
        choose_traits(game, check)
        use_effects(game, check)
        record = game.records[who]
        if not record.void or record.out:
            check.go("throw")

    # Roll

    def ask_void(check, game: Game) -> Choice:
        facts = (check.skill, check.tn, check.ring_dice, check.skill_dice, check.limit)
        return Choice(game.seat_of[check.who], "void", (NO, SEIZE), check.who, facts=facts)

    @cites("L5R-CHK-8")
    def take_void(check, game: Game, answer: Value) -> None:
        if answer == "seize":
            spend_void(game, check.who, "seize")
            check.void_die = True
            check.ring_dice += 1
            check.limit += 1

    def throw(check, game: Game) -> Roll:
        facts = (check.skill, check.purpose)
        return Roll("check", Pool(check.ring_dice, check.skill_dice), check.who, facts)

    @cites("L5R-CHK-1", "L5R-DICE-2", "L5R-DICE-3")
    def take_roll(check, game: Game, roll: Any) -> None:
        check.dice = dice_of(check.ring_dice, check.skill_dice, tuple(roll))
        if game.events is not None:
            game.log("rolled", who=check.who, dice=shown(check.dice), limit=check.limit, purpose=check.purpose)
        check.queue = modifiers_due(game, check)
        if not game.records[check.who].reserve:
            check.go("ask_reroll" if check.queue else "ask_keep")

    def ask_reserved(check, game: Game) -> Choice | None:
        """L5R-ACT-7: rolled dice are replaced by reserved ones."""
        faces = sorted({face for skill, face in figure(game, check.who).reserve if skill == check.skill})
        if not faces:
            check.go("ask_reroll")
            return None
        offers = [REPLACED]
        seen = []
        for number, die in enumerate(check.dice, 1):
            if (die.kind, die.face) in seen or die.parent == -2:
                continue
            seen.append((die.kind, die.face))
            offers += [Offer(("replace", number, face), "reserve", dice=(number,), rules=("L5R-ACT-7",)) for face in faces]
        return Choice(game.seat_of[check.who], "reserve", tuple(offers), check.who, facts=(shown(check.dice), check.limit))

    @cites("L5R-ACT-7")
    def use_reserved(check, game: Game, answer: Value) -> None:
        record = game.edit(check.who)
        if answer == "done":
            record.reserve = tuple(each for each in record.reserve if each[0] != check.skill)
            check.dice = laid(Die(die.kind, die.face) for die in check.dice)
            game.log("reserve_used_up", who=check.who, skill=check.skill)
            check.go("ask_reroll")
            return
        _, number, face = as_tuple(answer)
        place = int(number) - 1
        old = check.dice[place]
        dice = list(check.dice)
        dice[place] = Die(SKILL, str(face), -2)
        check.dice = tuple(dice)
        reserve = list(record.reserve)
        reserve.remove((check.skill, str(face)))
        record.reserve = tuple(reserve)
        game.log("replaces", who=check.who, old=(old.kind, old.face), face=face)
        if not any(skill == check.skill for skill, _ in reserve):
            check.dice = laid(Die(die.kind, die.face) for die in check.dice)
            check.go("ask_reroll")
        else:
            check.go("ask_reserved")

    # Modify

    def ask_reroll(check, game: Game) -> Choice | None:
        if not check.queue:
            check.go("ask_keep")
            return None
        why, chooser = check.queue[0]
        dice = shown(check.dice)
        seat = game.seat_of[chooser]
        if why == "parry":
            cost = game.policy["shattering_parry_cost"]
            weapons = sorted(item.card for item in readied(figure(game, chooser)))
            offers = (
                NO,
                *(Offer(("parry", card), "", cost=((cost, "void"),) if cost else (), rules=("L5R-DMG-19",)) for card in weapons),
            )
            return Choice(seat, "parry", offers, chooser, facts=(dice, check.limit))
        if why == "distinction":
            offers = reroll_offers(dice, 0, 2, (), REROLL_RULES[why])
        else:
            barred = tuple(place for place, die in enumerate(check.dice) if not has_success(die))
            able_dice = len(dice) - len(barred)
            most = min(2 if why == "adversity" else game.table.sheets[chooser].school_rank, able_dice)
            least = most if why == "adversity" else 0
            if not most:
                check.queue = check.queue[1:]
                check.go("ask_reroll")
                return None
            offers = reroll_offers(dice, least, most, barred, REROLL_RULES[why])
        return Choice(
            seat, "reroll", offers, chooser, form="keep", facts=(dice, check.limit, why, check.who), refuse=refuse_reroll,
            always=why == "dragon",
        )  # fmt: skip

    def take_reroll(check, game: Game, answer: Value) -> None:
        why, chooser = check.queue[0]
        if why == "parry":
            if answer == "no":
                check.queue = check.queue[1:]
                check.go("ask_reroll")
                return
            parry(game, check, str(answer[1]))  # type: ignore[index]
            check.again = tuple(range(1, len(check.dice) + 1))
            return
        check.again = tuple(int(number) for number in as_tuple(answer)[1:])
        if why == "dragon" and check.again:
            record = game.edit(chooser)
            record.once_a_round = tuple(sorted((*record.once_a_round, "dragon")))
        rolled = tuple(check.dice[number - 1].face for number in check.again)
        trait = "way_of_the_dragon" if why == "dragon" else dict(check.traits)[why]
        game.log(
            "rerolls", who=check.who, chooser=chooser, why=why, trait=trait, faces=rolled, rules=REROLL_RULES[why]
        )  # fmt: skip
        if not check.again:
            check.queue = check.queue[1:]
            check.go("ask_reroll")

    def throw_again(check, game: Game) -> Roll:
        kinds = [check.dice[number - 1].kind for number in check.again]
        return Roll("reroll", Pool(kinds.count(RING), kinds.count(SKILL)), check.who, (check.skill, check.purpose))

    @cites("L5R-DICE-5", "L5R-DICE-6")
    def take_again(check, game: Game, roll: Any) -> None:
        if check.again:
            kinds = [check.dice[number - 1].kind for number in check.again]
            new = Pool(kinds.count(RING), kinds.count(SKILL)).dice(roll)
            kept = [die for number, die in enumerate(check.dice, 1) if number not in check.again]
            check.dice = laid((*kept, *new))
            check.again = ()
            check.queue = check.queue[1:]
            game.log("rerolled", who=check.who, dice=shown(new), all=shown(check.dice))
        check.go("ask_reroll")

    # Keep

    def ask_keep(check, game: Game) -> Choice:
        dice = shown(check.dice)
        offers = keep_offers(dice, check.limit, game.records[check.who].compromised)
        facts = (dice, check.limit, check.tn, check.purpose, check.skill)
        return Choice(game.seat_of[check.who], "keep", offers, check.who, form="keep", facts=facts, refuse=refuse_keep)

    @cites("L5R-DICE-9")
    def take_keep(check, game: Game, answer: Value) -> None:
        record = game.records[check.who]
        check.dice, check.exploding = kept_of(shown(check.dice), as_tuple(answer)[1:])
        if game.events is not None:
            rules = ("L5R-DICE-18", "L5R-DICE-19", "L5R-DER-4") if record.compromised else ()
            game.log(
                "keeps", who=check.who, purpose=check.purpose, dice=shown(die for die in check.dice if die.fate == "kept"),
                dropped=shown(die for die in check.dice if die.fate == "dropped"), rules=rules,
            )  # fmt: skip
        if record.effects:
            add_kept(game, check, record.compromised)
            check.exploding = exploding_dice(check.dice)
        if record.conditions and game.policy["afflicted_alter"] == "on" and "afflicted" in record.conditions:
            return
        if game.table.redirects:
            check.go("open_redirection")
        elif check.exploding:
            check.go("ask_order")
        else:
            check.go("ask_share" if check.assistants else "suffer_strife")

    def ask_alter(check, game: Game) -> Choice | None:
        """L5R-COND-2: a kept ring die may be set to {OT}; Compromised, no die with T may be kept."""
        if game.records[check.who].compromised:
            check.go("open_redirection")
            return None
        seen: list[str] = []
        offers = [NO]
        for number, die in enumerate(check.dice, 1):
            if die.kind == RING and die.fate == "kept" and die.face != "OT" and die.face not in seen:
                seen.append(die.face)
                offers.append(Offer(("alter", number), "", dice=(number,), rules=("L5R-COND-2", "L5R-DICE-10")))
        return Choice(game.seat_of[check.who], "alter", tuple(offers), check.who, facts=(shown(check.dice), check.limit))

    @cites("L5R-COND-2", "L5R-DICE-10")
    def alter(check, game: Game, answer: Value) -> None:
        if answer != "no":
            place = int(answer[1]) - 1  # type: ignore[index, arg-type]
            dice = list(check.dice)
            game.log("alters", who=check.who, old=dice[place].face, face="OT")
            dice[place] = Die(RING, "OT", -1, "kept")
            check.dice = tuple(dice)
            check.exploding = exploding_dice(check.dice)

    @cites("L5R-DICE-20")
    def open_redirection(check, game: Game) -> Window | None:
        if not game.table.redirects or not check.targets or "attack" not in check.types:
            return None
        order = tuple(who for who in game.table.allies[check.targets[0]] if able(game, who))
        return Window("kept", order, passes="once")

    # Resolve: E

    @cites("L5R-DICE-12", "L5R-DICE-22")
    def ask_order(check, game: Game) -> Choice | None:
        if not check.exploding:
            check.go("ask_share" if check.assistants else "suffer_strife")
            return None
        kinds = [check.dice[place].kind for place in check.exploding]
        if game.policy["follow_ups"] == "together" or RING not in kinds or SKILL not in kinds:
            check.go("throw_follow_up")
            return None
        return Choice(game.seat_of[check.who], "order", (SKILL_FIRST, RING_FIRST), check.who, facts=(check.tn,))

    def take_order(check, game: Game, answer: Value) -> None:
        kind = answer[1]  # type: ignore[index]
        check.exploding = tuple(sorted(check.exploding, key=lambda place: (check.dice[place].kind != kind, place)))

    def throw_follow_up(check, game: Game) -> Roll:
        kinds = [check.dice[place].kind for place in next_to_explode(game, check)]
        return Roll("follow_up", Pool(kinds.count(RING), kinds.count(SKILL)), check.who, (check.skill, check.purpose))

    @cites("L5R-DICE-12")
    def take_follow_up(check, game: Game, roll: Any) -> None:
        parents = sorted(next_to_explode(game, check), key=lambda place: (check.dice[place].kind == SKILL, place))
        kinds = [check.dice[place].kind for place in parents]
        new = Pool(kinds.count(RING), kinds.count(SKILL)).dice(roll)
        compromised = game.records[check.who].compromised
        dice = list(check.dice)
        for parent, die in zip(parents, new, strict=True):
            # A blank changes nothing, kept or dropped.
            fate = "kept" if die.face == "-" else "dropped" if compromised and "T" in die.face else "rolled"
            dice.append(Die(die.kind, die.face, parent, fate))
        check.dice = tuple(dice)
        check.exploding = tuple(place for place in check.exploding if place not in parents)
        rules = ("L5R-DICE-18",) if any(die.fate == "dropped" for die in dice[-len(new) :]) else ()
        exploded = tuple(dice[place].face for place in parents)
        barred = tuple(die.face for die in dice[-len(new) :] if die.fate == "dropped")
        game.log("follow_up", who=check.who, exploded=exploded, dice=shown(new), barred=barred, rules=rules)

    def ask_follow_up(check, game: Game) -> Choice | None:
        open_dice = [place for place, die in enumerate(check.dice) if die.fate == "rolled"]
        if not open_dice:
            check.go("ask_order")
            return None
        faces = shown(check.dice[place] for place in open_dice)
        facts = (faces, shown(die for die in check.dice if die.counts), check.tn)
        if game.policy["follow_ups"] == "single":
            return Choice(game.seat_of[check.who], "follow_up", (KEEP, DROP), check.who, facts=facts)
        offers = tuple(
            Offer(("keep", *chosen), "follow_up", dice=chosen, rules=("L5R-DICE-13", "L5R-DICE-22"))
            for chosen in subsets(faces, 0, len(faces))
        )
        return Choice(game.seat_of[check.who], "follow_up", offers, check.who, form="keep", facts=facts)

    @cites("L5R-DICE-12", "L5R-DICE-13")
    def decide_follow_up(check, game: Game, answer: Value) -> None:
        dice = list(check.dice)
        open_dice = [place for place, die in enumerate(dice) if die.fate == "rolled"]
        chosen = (1,) if answer == "keep" else () if answer == "drop" else as_tuple(answer)[1:]
        for number, place in enumerate(open_dice, 1):
            die = dice[place]
            kept = number in chosen
            dice[place] = Die(die.kind, die.face, die.parent, "kept" if kept else "dropped")
            game.log("follow_up_kept" if kept else "follow_up_dropped", who=check.who, face=die.face)
        check.dice = tuple(dice)
        check.exploding = exploding_dice(check.dice, check.exploding)
        check.go("ask_order")

    # Resolve: T

    def ask_share(check, game: Game) -> Choice | None:
        """L5R-CHK-6: each assistant may take 1 strife to negate 1 T."""
        if check.sharing >= len(check.assistants) or counted(check.dice).strife <= check.shared:
            check.go("suffer_strife")
            return None
        helper = check.assistants[check.sharing]
        return Choice(game.seat_of[helper], "share", (NO, SHARE), helper, facts=(check.who,))

    @cites("L5R-CHK-6")
    def share(check, game: Game, answer: Value) -> None:
        helper = check.assistants[check.sharing]
        check.sharing += 1
        check.go("ask_share")
        if answer == "share":
            check.shared += 1
            gain_strife(game, helper, 1, "assists")

    @cites("L5R-DICE-11", "L5R-DICE-14")
    def suffer_strife(check, game: Game) -> None:
        check.strife = counted(check.dice).strife
        amount = check.strife - check.shared
        if amount and game.records[check.who].stance == "void":
            game.log("no_strife", who=check.who, amount=amount, rules=("L5R-STN-8",))
        elif amount:
            check.strife_given = gain_strife(game, check.who, amount, "check")

    # Resolve: O

    @cites("L5R-DICE-1", "L5R-DICE-16")
    def judge(check, game: Game) -> None:
        if check.purpose != "resist" and not able(game, check.who):
            check.broken = True
            game.log("broken_off", who=check.who, purpose=check.purpose, rules=("L5R-CON-15",))
            check.shortfall = check.tn
            check.done()
            return
        symbols = counted(check.dice)
        check.raw = symbols.successes
        check.left = symbols.opportunities
        check.succeeded = check.raw >= check.tn
        if not check.left:
            check.go("ask_lion" if check.succeeded and _is_lion(game, check) else "settle")

    def ask_opportunity(check, game: Game) -> Choice | None:
        offers = offers_of(game, check) if check.left else ()
        if not offers:
            check.go("ask_lion")
            return None
        facts = (check.left, check.ring, check.succeeded, check.purpose)
        return Choice(
            game.seat_of[check.who], "opportunity", (DONE, *offers), check.who, facts=facts, refuse=refuse_rows
        )  # fmt: skip

    @cites("L5R-DICE-15")
    def spend_opportunity(check, game: Game, answer: Value) -> Frame | None:
        if answer == "done":
            game.log("opportunity_lost", who=check.who, amount=check.left, explain=True)
            check.left = 0
            check.go("ask_lion")
            return None
        row, amount, *target = as_tuple(answer)
        return spend(game, check, str(row), int(amount), target[0] if target else "")

    def after_opportunity(check, game: Game) -> None:
        if check.purpose != "resist" and not able(game, check.who):
            check.go("judge")
        else:
            check.go("ask_opportunity")

    # Resolve: success

    def ask_lion(check, game: Game) -> Choice | None:
        """L5R-TEC-17: strife becomes bonus successes."""
        check.left = 0
        strife = game.records[check.who].strife
        if not check.succeeded or not strife or not _is_lion(game, check):
            check.go("settle")
            return None
        rank = game.table.sheets[check.who].school_rank
        most = min(1 if game.policy["lion_ability"] == "beginner" else rank, strife)
        offers = tuple(game.table.offer(("turn", number), "lion", ("L5R-TEC-17",)) for number in range(most + 1))
        return Choice(game.seat_of[check.who], "lion", offers, check.who, form="number")

    @cites("L5R-TEC-17")
    def turn_strife(check, game: Game, answer: Value) -> None:
        amount = int(answer[1])  # type: ignore[index, arg-type]
        if amount:
            lose_strife(game, check.who, amount, "lion")
            check.turned = amount
            if game.policy["lion_ability"] == "core":
                gain_fatigue(game, check.who, amount, "lion")

    @cites("L5R-DICE-16", "L5R-DICE-17")
    def settle(check, game: Game) -> None:
        rules: tuple[str, ...] = ()
        if check.succeeded:
            check.bonus = check.raw - check.tn + check.turned
            covered = check.types or game.policy["fire_scope"] == "all_checks"
            if check.strife and covered and game.records[check.who].stance == "fire":
                check.bonus += check.strife
                rules = ("L5R-STN-4", "L5R-STN-5")
            if game.events is not None:
                game.log("succeeds", who=check.who, total=check.raw, tn=check.tn, bonus=check.bonus, rules=rules)
        else:
            check.shortfall = check.tn - check.raw
            if game.events is not None:
                game.log("fails", who=check.who, total=check.raw, tn=check.tn, shortfall=check.shortfall)
        if not check.traits:
            check.done()

    def settle_traits(check, game: Game) -> None:
        traits = dict(check.traits)
        who = check.who
        if "passion" in traits:
            lose_strife(game, who, 3, traits["passion"], ("L5R-CHK-13",))
        if "anxiety" in traits:
            gain_strife(game, who, game.policy["anxiety_strife"], traits["anxiety"], rules=("L5R-CHK-14",))
            if "anxiety" not in figure(game, who).once:
                record = game.edit(who)
                record.once = tuple(sorted((*record.once, "anxiety")))
                gain_void(game, who, "anxiety", ("L5R-CHK-10",))
        if "adversity" in traits and not check.succeeded:
            gain_void(game, who, traits["adversity"], ("L5R-CHK-10",))


def _is_lion(game: Game, check: Check) -> bool:
    """L5R-TEC-17: an Attack or Support check of one who knows the Way of the Lion."""
    return "way_of_the_lion" in game.table.sheets[check.who].techniques and ("attack" in check.types or "support" in check.types)


def has_broken(check: Check) -> bool:
    """Whether a check was broken off, because its roller fell."""
    return check.broken


def hits(check: Check) -> bool:
    """Whether a check stands and succeeds."""
    return check.succeeded and not check.broken
