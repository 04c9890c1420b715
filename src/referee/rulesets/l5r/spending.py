"""What each opportunity row does once it is paid for (section 10, L5R-TEC-2 to L5R-TEC-8)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ...engine import Choice, Frame, Game, Id, Value, cites, steps
from .changes import (
    gain_strife,
    in_own_turn,
    learn_terrain,
    learn_trait,
    lose_fatigue,
    lose_strife,
    ready,
    stand_at,
    suffer,
    until_turn,
    until_turn_end,
)
from .changes import lay as lay_openly
from .facts import figure, knowledge, present, strife_of, traits_of, vigilance

if TYPE_CHECKING:
    from .check import Check
    from .setup import Row

DISADVANTAGES: Final = ("adversity", "anxiety")
ADVANTAGES: Final = ("distinction", "passion")

lay: Final = partial(lay_openly, explain=True)  # the line of the row says what lasts

Effect = Callable[[Game, Any, Any, int, Any], Frame | None]


def _nothing(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    """L5R-OPP-1, 4 to 6, 12, 13, 19, 20, 26, 27, 33, 34, 38: the log has it."""


def _undo_strife(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lose_strife(game, check.who, min(amount, check.strife_given), "opportunity", ("L5R-OPP-2",))


def _assist_similar(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "assist_similar", "L5R-OPP-3", applies=(check.skill,), uses=1, merge="stack")


def _sense_strife(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    side = game.table.side[check.who]
    seats = tuple(seat.name for seat in game.seats.values() if seat.side == side or seat.role == "gm")
    record = figure(game, target)
    told = target in knowledge(game, check.who).taints or game.table.side[target] == side
    strife = strife_of(record) if told else record.strife
    composure = game.table.sheets[target].composure
    game.log("senses", seen_by=seats, who=check.who, target=target, strife=strife, composure=composure, rules=("L5R-OPP-4",))


def _learn_trait(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    """The first trait that the side does not know; if there is none, something is noticed all the same."""
    side = game.table.side[check.who]
    known = knowledge(game, check.who).traits
    unknown = [trait for trait in figure(game, target).traits if (target, trait) not in known]
    seats = tuple(seat.name for seat in game.seats.values() if seat.side == side or seat.role == "gm")
    if unknown:
        learn_trait(game, side, target, unknown[0], ("L5R-OPP-6",))
    else:
        game.reveal(*[seat.name for seat in game.seats.values() if seat.side == side])
        game.log("nothing_to_learn", seen_by=seats, who=check.who, target=target, rules=("L5R-OPP-6", "L5R-HIDE-3"))


def _kept_o(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "kept_o", "L5R-OPP-7", uses=1, merge="stack")


def _elusive(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "elusive", "L5R-OPP-9", amount=row.card.amount, uses=1, until=until_turn(check.who), merge="stack")


def _learn_disadvantage(game: Game, check: Check, row: Row, amount: int, target: Any) -> Frame:
    return Telling(check.who, target, DISADVANTAGES, "L5R-OPP-10")


def _calm(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lose_strife(game, target or check.who, row.card.amount, "opportunity", (row.card.rule,))


def _surefooted(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    until = until_turn_end(game, check.who) if not in_own_turn(game, check.who) else None
    lay(game, check.who, "surefooted", "L5R-OPP-14", applies=(target,), until=until or _this_turn(check.who), merge="stack")


def _this_turn(who: Id) -> Any:
    return until_turn(who).__class__("turn ends", who)


def _hardened(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "hardened", "L5R-OPP-15", amount=amount, uses=1, until=until_turn(check.who), merge="stack")


def _overcome(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(
        game, check.who, "overcome", "L5R-OPP-16", source=target, applies=(target,), merge="sources",
        until=until_turn_end(game, check.who),
    )  # fmt: skip


def _quell(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    who, trait = target
    lay(game, who, "overcome", "L5R-OPP-17", source=trait, applies=(trait,), merge="sources")


def _inflame(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    gain_strife(game, target, row.card.amount, "inflamed", check.who, ("L5R-OPP-18",))


def _harried(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    own = game.policy["fire_tn_expiry"] == "own_next_turn"
    until = until_turn(check.who) if own else until_turn_end(game, target)
    lay(game, target, "harried", "L5R-OPP-21", amount=row.card.amount, source=check.who, uses=1, until=until, merge="stack")


def _exposed(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(
        game, target, "exposed", "L5R-OPP-22", amount=amount, source=check.who, uses=1, until=until_turn(check.who), merge="stack"
    )


def _daunting(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "daunting", "L5R-OPP-23", amount=row.card.amount, until=until_turn(check.who))


def _rally(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    check.rallied = True


def _spot_terrain(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    if target != "object":
        learn_terrain(game, game.table.side[check.who], target, ("L5R-OPP-27",))


def _rest(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lose_fatigue(game, check.who, row.card.amount, "opportunity", ("L5R-OPP-28",))


def _pierce(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    check.pierced = amount


def _step(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    stand_at(game, check.who, target, "opportunity", ("L5R-OPP-30",))


def _survey(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    for at in sorted(game.table.terrain):
        learn_terrain(game, game.table.side[check.who], at, ("L5R-OPP-31",))


def _foresee(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "foresee", "L5R-OPP-32", amount=row.card.amount, applies=(target,), uses=1, merge="stack")


def _clear_sight(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "clear_sight", "L5R-OPP-35", applies=(target,), uses=1, merge="stack")


def _quicken(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    record = game.edit(check.who)
    record.initiative += amount
    game.log("initiative_changes", who=check.who, amount=amount, initiative=record.initiative, rules=("L5R-OPP-36",))


def _endure(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "endure", "L5R-OPP-37", source=target, merge="sources", until=until_turn_end(game, check.who))


def _critical(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    check.strikes = (target,)


def _razor(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    check.deadlier = amount


def _snare(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    if vigilance(game, target) <= amount:
        suffer(game, target, "immobilized", ("L5R-OPP-41",))


def _sheltered(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    for who in target:
        lay(game, who, "sheltered", "L5R-OPP-42", amount=row.card.amount, source=check.who, uses=1, merge="stack")


def _torment(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    """L5R-OPP-43: the marked ones bear it if they are Tainted; hidden from those who do not know (L5R-HIDE-6)."""
    extra = amount // 2 if game.policy["tainted_strife_count"] == "spent" else (amount - 1) // 2
    for who in present(game):
        if who not in game.table.maybe_tainted:
            continue
        known = {side: who in game.records[f"side.{side}"].taints or game.table.side[who] == side for side in game.table.sides}
        if all(known.values()):
            if game.records[who].tainted:
                gain_strife(game, who, 1 + extra, "tainted", rules=("L5R-OPP-43",))
            continue
        game.edit(who).stain += 1 + extra
        seats = tuple(seat.name for seat in game.seats.values() if known.get(seat.side) or seat.role == "gm")
        record = figure(game, who)
        if record.tainted:
            rules = ("L5R-OPP-43", "L5R-HIDE-6")
            strife = strife_of(record)
            game.log("hidden_strife", seen_by=seats, who=who, amount=1 + extra, strife=strife, why="tainted", rules=rules)


def _kept_t(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "kept_t", "L5R-OPP-44", uses=1, until=until_turn(check.who), merge="stack")


def _draw(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    card, grip = target
    ready(game, check.who, card, grip, ("L5R-CON-14",))


def _assess_fire(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    who, trait = target
    lay(game, who, "assessed", "L5R-TEC-2", source=trait, applies=(trait,), merge="sources", until=_this_turn(who))


def _assess_air(game: Game, check: Check, row: Row, amount: int, target: Any) -> Frame:
    worn = {item.card for item in figure(game, target).items if item.state == "worn"}
    game.log("studies", who=check.who, target=target, armour=tuple(sorted(worn)), rules=("L5R-TEC-3",))
    return Telling(check.who, target, ADVANTAGES, "L5R-TEC-3")


def _assess_earth(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, target, "overcome", "L5R-TEC-3", source=check.who, merge="sources", until=_this_turn(target))


def _assess_water(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    for who in (check.who, *(ally for ally in game.table.allies[check.who] if ally not in game.unseen)):
        lay(
            game, who, "veiled", "L5R-TEC-3", source=check.who, applies=(str(target),), merge="sources",
            until=until_turn(check.who),
        )  # fmt: skip


def _reserve(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    record = game.edit(check.who)
    faces = [(check.skill, check.dice[number - 1].face) for number in target]
    record.reserve = tuple(sorted((*record.reserve, *faces)))
    game.log("reserves", who=check.who, skill=check.skill, faces=tuple(face for _, face in faces), rules=("L5R-TEC-5",))


def _resist(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    until = until_turn(check.who)
    lay(game, check.who, "resist", "L5R-TEC-6", amount=amount, source="striking_as_earth", merge="highest", until=until)


def _weaken(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    until = until_turn_end(game, check.who)
    lay(game, target, "weaken", "L5R-TEC-7", amount=amount, source=check.who, merge="stack", until=until)


def _open(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    until = until_turn_end(game, check.who)
    lay(game, target, "opened", "L5R-TEC-8", amount=amount, source=check.who, uses=1, until=until, merge="stack")


def _crescent(game: Game, check: Check, row: Row, amount: int, target: Any) -> None:
    lay(game, check.who, "crescent", "L5R-TEC-15", uses=1, until=until_turn(check.who))


DOES: Final[dict[str, Effect]] = {
    "log": _nothing,
    "undo_strife": _undo_strife,
    "assist_similar": _assist_similar,
    "sense_strife": _sense_strife,
    "learn_trait": _learn_trait,
    "kept_o": _kept_o,
    "elusive": _elusive,
    "learn_disadvantage": _learn_disadvantage,
    "calm": _calm,
    "surefooted": _surefooted,
    "hardened": _hardened,
    "overcome": _overcome,
    "quell": _quell,
    "inflame": _inflame,
    "harried": _harried,
    "exposed": _exposed,
    "daunting": _daunting,
    "rally": _rally,
    "spot_terrain": _spot_terrain,
    "rest": _rest,
    "pierce": _pierce,
    "step": _step,
    "survey": _survey,
    "foresee": _foresee,
    "clear_sight": _clear_sight,
    "quicken": _quicken,
    "endure": _endure,
    "critical": _critical,
    "razor": _razor,
    "snare": _snare,
    "sheltered": _sheltered,
    "torment": _torment,
    "kept_t": _kept_t,
    "draw": _draw,
    "assess_fire": _assess_fire,
    "assess_air": _assess_air,
    "assess_earth": _assess_earth,
    "assess_water": _assess_water,
    "reserve": _reserve,
    "resist": _resist,
    "weaken": _weaken,
    "open": _open,
    "crescent": _crescent,
}
"""What the cards of the rows may name as their effect."""


@steps("ask", "tell")
class Telling(Frame):
    """A foe picks one of its own traits, which the other side learns; it is asked whether it has any or not."""

    who: Id
    foe: Id
    kinds: tuple[str, ...]
    rule: str

    def ask(telling, game: Game) -> Choice:
        traits = [trait for trait in traits_of(game, telling.foe, telling.kinds) if trait not in figure(game, telling.foe).scars]
        offers = [game.table.offer(("tell", trait), "tell", (telling.rule,)) for trait in traits]
        none = game.table.offer(("tell", "none"), "tell", (telling.rule,))
        return Choice(game.seat_of[telling.foe], "tell", tuple(offers) or (none,), telling.foe, always=True, facts=(telling.who,))

    @cites("L5R-HIDE-3")
    def tell(telling, game: Game, answer: Value) -> None:
        trait = str(answer[1])  # type: ignore[index]
        side = game.table.side[telling.who]
        if trait == "none":
            game.reveal(*[seat.name for seat in game.seats.values() if seat.side == side])
            seats = tuple(seat.name for seat in game.seats.values() if seat.side == side or seat.role == "gm")
            game.log("nothing_to_learn", seen_by=seats, who=telling.who, target=telling.foe, rules=(telling.rule,))
        else:
            learn_trait(game, side, telling.foe, trait, (telling.rule,))
