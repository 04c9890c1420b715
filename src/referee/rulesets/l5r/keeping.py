"""What goes into a roll and what is made of it: rerolls, kept dice, advantages, effects that work once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ...engine import Choice, Game, Id, Offer, Reason, Refusal
from .cards import GROUPS
from .changes import harm_item, learn_trait, spend_void, use_up
from .dice import RING, SKILL, Die, keepable, subsets
from .facts import figure, readied
from .numbers import fitting, is_martial_art

if TYPE_CHECKING:
    from .check import Check
    from .setup import Table

Faces = tuple[tuple[str, str], ...]


@lru_cache(maxsize=8192)
def keep_offers(dice: Faces, limit: int, compromised: bool) -> tuple[Offer, ...]:
    """What may be kept, as offers."""
    rules = ("L5R-DICE-9", "L5R-DICE-19") if compromised else ("L5R-DICE-9",)
    return tuple(Offer(("keep", *chosen), "keep", dice=chosen, rules=rules) for chosen in keepable(dice, limit, compromised))


@lru_cache(maxsize=4096)
def reroll_offers(dice: Faces, least: int, most: int, barred: tuple[int, ...], rules: tuple[str, ...]) -> tuple[Offer, ...]:
    """Which dice may be rolled again, as offers; none first."""
    found = subsets(dice, least, most, barred)
    return tuple(Offer(("reroll", *chosen), "reroll", dice=chosen, rules=rules) for chosen in sorted(found, key=len))


def shown(dice: Iterable[Die]) -> Faces:
    """Dice as (type, face)."""
    return tuple([(die.kind, die.face) for die in dice])


@lru_cache(maxsize=16384)
def kept_of(dice: Faces, chosen: tuple[int, ...]) -> tuple[tuple[Die, ...], tuple[int, ...]]:
    """The dice of a check after the keep choice, and the places of those that roll on."""
    kept = tuple(
        Die(kind, face, -1, "kept" if number in chosen else "dropped") for number, (kind, face) in enumerate(dice, 1)
    )  # fmt: skip
    return kept, exploding_dice(kept)


REROLL_RULES: Final = {
    "distinction": ("L5R-CHK-11", "L5R-DICE-5"),
    "adversity": ("L5R-CHK-12", "L5R-DICE-5", "L5R-DICE-8"),
    "dragon": ("L5R-TEC-19", "L5R-DICE-7"),
    "parry": ("L5R-DMG-19",),
}


def refuse_keep(game: Game, choice: Choice) -> Iterator[Refusal]:
    """What may not be kept, and why; and no Void point any more."""
    check: Check = game.agenda[-1]  # type: ignore[assignment]
    dice = check.dice
    compromised = game.records[check.who].compromised
    if choice.offers[0].value != ("keep",):
        rule = "L5R-DICE-19" if compromised else "L5R-DICE-9"
        yield Refusal(("keep",), (Reason("keep_one", (), (rule,)),), "keep")
    if compromised:
        for number, die in enumerate(dice, 1):
            if "T" in die.face:
                yield Refusal(("keep", number), (Reason("compromised_keep", (die.face,), ("L5R-DICE-18",)),), "keep")
    if len(dice) > check.limit:
        much = tuple(range(1, check.limit + 2))
        yield Refusal(("keep", *much), (Reason("keep_limit", (check.limit,), ("L5R-DICE-9",)),), "keep")
    if game.records[check.who].void:
        yield Refusal("seize", (Reason("void_before_roll", (), ("L5R-CHK-8",)),), "void")


def refuse_reroll(game: Game, choice: Choice) -> Iterator[Refusal]:
    """What may not be rolled again, and why; nothing is kept before."""
    check: Check = game.agenda[-1]  # type: ignore[assignment]
    why = check.queue[0][0]
    yield Refusal(("keep", 1), (Reason("rerolls_first", (), ("L5R-DICE-9", "L5R-DICE-5")),), "keep")
    rule = REROLL_RULES[why][0]
    if why in ("adversity", "dragon"):
        for number, die in enumerate(check.dice, 1):
            if not has_success(die):
                yield Refusal(("reroll", number), (Reason("only_successes", (die.face,), (rule,)),), "reroll")
    if why == "adversity":
        yield Refusal(("reroll",), (Reason("must_reroll", (), (rule,)),), "reroll")
    if why == "distinction" and len(check.dice) > 2:
        yield Refusal(("reroll", 1, 2, 3), (Reason("reroll_limit", (2,), (rule,)),), "reroll")


def has_success(die: Die) -> bool:
    """Whether a die contains S or E (L5R-DICE-8)."""
    return "S" in die.face or "E" in die.face


def choose_traits(game: Game, check: Check) -> None:
    """L5R-CHK-15: what fits applies, opposites cancel; L5R-CHK-6: else one assistant's advantage."""
    who = check.who
    found = fitting(game, check, who)
    owners = dict.fromkeys(found, who)
    for helper in check.assistants:
        theirs = fitting(game, check, helper)
        for kind in ("distinction", "passion"):
            if kind in theirs and "distinction" not in found and "passion" not in found:
                found[kind] = theirs[kind]
                owners[kind] = helper
    if not found:
        return
    for kind, trait in sorted(found.items()):
        if trait not in game.records[owners[kind]].scars:
            for side in game.table.sides:
                if side != game.table.side[owners[kind]]:
                    learn_trait(game, side, owners[kind], trait)
    for good, bad in (("distinction", "adversity"), ("passion", "anxiety")):
        if good in found and bad in found:
            game.log("cancel", who=who, good=found[good], bad=found[bad], rules=("L5R-CHK-15",))
            del found[good], found[bad]
    rules = ["L5R-CHK-16"]
    if any(owner != who for kind, owner in owners.items() if kind in found):
        rules.append("L5R-CHK-6")
    if any(trait in game.records[who].scars for trait in found.values()):
        rules.append("L5R-DMG-16")
    for kind, trait in sorted(found.items()):
        game.log("applies", who=who, owner=owners[kind], trait=trait, kind_of_trait=kind, rules=tuple(rules))
    check.traits = tuple(sorted(found.items()))
    if any(trait not in game.records[who].scars for trait in found.values()):
        game.reveal()  # to those who look on as well


def use_effects(game: Game, check: Check) -> None:
    """What works on the next check only has worked now."""
    who = check.who
    if game.records[who].effects:
        attack = "attack" in check.types
        use_up(
            game, who,
            lambda effect: effect.name in ("harried", "foresee", "invoked")
            or (effect.name == "clear_sight" and attack)
            or (effect.name == "sheltered" and check.hardship)
            or (effect.name == "exposed" and check.purpose == "resist" and check.critical),
        )  # fmt: skip
    if "attack" in check.types or "scheme" in check.types:
        for target in check.targets:
            if game.records[target].effects:
                use_up(
                    game, target,
                    lambda effect: effect.name == "laid_bare" or (effect.name == "elusive" and check.skill == "ranged"),
                )  # fmt: skip
    for helper in check.assistants:
        record = game.edit(helper)
        if who in record.assisting:
            record.assisting = ()
        use_up(game, helper, lambda effect: effect.name == "assist_similar" and check.skill in effect.applies)
        rank = game.table.sheets[helper].skills[check.skill]
        game.log("assists", who=helper, whom=who, die=SKILL if rank else RING, rules=("L5R-CHK-5",))


def modifiers_due(game: Game, check: Check) -> tuple[tuple[str, Id], ...]:
    """The effects of the modify step in their order: advantages, disadvantages, others (L5R-DICE-5, L5R-DICE-7)."""
    found = [(kind, check.who) for kind, _ in check.traits if kind in ("distinction", "adversity")] if check.traits else []
    table: Table = game.table
    if "attack" in check.types:
        for target in check.targets:
            if "way_of_the_dragon" in table.sheets[target].techniques and "dragon" not in game.records[target].once_a_round:
                found.append(("dragon", target))
    if check.purpose == "resist" and check.critical:
        record = figure(game, check.who)
        if "parry" not in record.once and record.void >= game.policy["shattering_parry_cost"] and readied(record):
            found.append(("parry", check.who))
    return tuple(found)


def parry(game: Game, check: Check, weapon: Id) -> None:
    """L5R-DMG-19: all dice of a resist check are rolled again; the weapon becomes Damaged."""
    record = game.edit(check.who)
    record.once = tuple(sorted((*record.once, "parry")))
    if game.policy["shattering_parry_cost"]:
        spend_void(game, check.who, "parry", ("L5R-DMG-19",))
    game.log("parries", who=check.who, weapon=weapon, rules=("L5R-DMG-19",))
    harm_item(game, check.who, weapon, ("L5R-DMG-19",))


def add_kept(game: Game, check: Check, compromised: bool) -> None:
    """L5R-DICE-10: kept dice that effects add, above the limit; Compromised, none with T (L5R-DICE-18)."""
    martial = GROUPS[check.skill] == "martial"
    for effect in figure(game, check.who).effects:
        if effect.name == "kept_o" and martial:
            face, rule = "O", "L5R-OPP-7"  # showing exactly {O} (L5R-DICE-8)
        elif effect.name == "kept_t" and is_martial_art(check.skill):
            choice = game.policy["tainted_strife_die"]
            face, rule = "T" if choice == "strife_only" else choice, "L5R-OPP-44"
        else:
            continue
        barred = compromised and "T" in face
        if not barred:
            check.dice = (*check.dice, Die(RING, face, -1, "added"))
        rules = (rule, "L5R-DICE-8", "L5R-DICE-10", *(("L5R-DICE-18",) if barred else ()))
        game.log("adds_die", who=check.who, face=face, barred=barred, rules=rules)
        use_up(game, check.who, lambda each, used=effect: each is used)  # type: ignore[misc]


def exploding_dice(dice: tuple[Die, ...], pending: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Kept dice with E whose follow-up is still to come: skill dice first (L5R-DICE-22)."""
    parents = [die.parent for die in dice]
    places = [place for place, die in enumerate(dice) if "E" in die.face and die.counts and place not in parents]
    return tuple(sorted(places, key=lambda place: (dice[place].kind == RING, place)))


def next_to_explode(game: Game, check: Check) -> tuple[int, ...]:
    """The exploding dice whose follow-ups are rolled now."""
    return check.exploding if game.policy["follow_ups"] == "together" else check.exploding[:1]
