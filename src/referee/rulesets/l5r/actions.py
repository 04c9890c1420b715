"""The actions of a turn other than attacks: what they are and why they may not be taken (section 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final

from ...engine import Choice, Game, Id, Offer, Reason, legal
from .attack import attack_values, cannot_attack, clash_of
from .cards import RINGS, SKILLS
from .facts import (
    able,
    band,
    figure,
    foes,
    hands_full,
    has,
    in_range,
    incapacitated,
    item_of,
    readied,
)
from .numbers import obscured

REMEMBERED: Final = 4096  # situations whose verdicts and choices are kept
ActionValue = tuple[Any, ...]
"""The verb or the technique, then what it is done with and to."""


def more_than_half(value: int, whole: int, how: str) -> bool:
    """L5R-DER-9: whether a value is more than half of an attribute, the half rounded up or exact."""
    return value > (whole + 1) // 2 if how == "ceil" else 2 * value > whole


# What may be thought of


def action_values(game: Game, who: Id) -> tuple[ActionValue, ...]:
    """Every action that a figure might think of; which are legal now is another question. Made once for its gear."""
    table = game.table
    key = ("actions", who, *[item.card for item in game.records[who].items])
    found = table.candidates.get(key)
    if found is None:
        sheet = table.sheets[who]
        values: list[ActionValue] = [*attack_values(game, who), ("calming_breath",)]
        for item in figure(game, who).items:
            if item.card in table.weapons:
                card = table.weapons[item.card]
                values += [("prepare", item.card, "1h")] if card.one_hand is not None else []
                values += [("prepare", item.card, "2h")] if card.two_hands is not None else []
                values.append(("prepare", item.card, "stowed"))
        if table.duel:
            values += [("center", skill) for skill in SKILLS if sheet.skills[skill]]
            values += [("predict", ring) for ring in RINGS]
        else:
            values += [("assist", other) for other in table.allies[who]]
            values += [("challenge", other) for other in table.foes[who]]
            values += [("guard", other) for other in table.order]
            values += [("maneuver", way, how) for way in ("back", "forward") for how in ("plain", "check")]
            values.append(("wait",))
        for condition, cured in sorted(table.conditions.items()):
            if cured.cure is not None:
                values += [("end", condition, other) for other in (table.order if cured.cure.other else (who,))]
        for name in (*sheet.techniques, *table.scenario.unique_actions):
            deed = table.techniques[name].deed
            if deed is None:
                continue
            if deed.target in ("self", "foes"):
                values.append((name,))
            else:
                others = {"foe": table.foes, "ally": table.allies}.get(deed.target, {})
                values += [(name, other) for other in others.get(who, tuple(each for each in table.order if each != who))]
        values.append(("nothing",))
        found = table.candidates[key] = tuple(values)
    return found  # type: ignore[no-any-return]


_TYPES: Final[dict[str, tuple[str, ...]]] = {
    "calming_breath": ("support",),
    "prepare": ("support",),
    "center": ("support",),
    "predict": ("attack", "scheme"),
    "assist": ("attack", "scheme", "support"),
    "challenge": ("scheme",),
    "guard": ("support",),
    "maneuver": ("movement",),
    "wait": ("attack", "scheme", "support"),
    "nothing": (),
}
"""L5R-CON-13: the types of the actions."""


def types_of(game: Game, value: ActionValue) -> tuple[str, ...]:
    """The types of an action."""
    verb = value[0]
    if verb in _TYPES:
        return _TYPES[verb]
    if verb == "end":
        return game.table.conditions[value[1]].cure.types  # type: ignore[no-any-return]
    return game.table.techniques[verb].types  # type: ignore[no-any-return]


def needs_check(game: Game, value: ActionValue) -> bool:
    """Whether an action needs a check."""
    verb = value[0]
    if verb in _TYPES:
        return verb in ("challenge", "guard") or (verb == "maneuver" and value[2] == "check")
    if verb == "end":
        return True
    card = game.table.techniques[verb]
    return card.attack is not None or card.deed.check is not None


def nature(game: Game, value: ActionValue) -> tuple[tuple[str, ...], bool]:
    """The types of an action and whether it needs a check, made once."""
    natures: dict[ActionValue, tuple[tuple[str, ...], bool]] = game.table.natures
    found = natures.get(value)
    if found is None:
        found = natures[value] = (types_of(game, value), needs_check(game, value))
    return found


def cannot_act(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    """Why an action may not be taken now, whatever was done before in this turn."""
    verb = value[0]
    record = game.records[who]
    table = game.table
    if verb in _REASONS:
        if needs_check(game, value) and incapacitated(game, who):
            yield Reason("incapacitated", (), ("L5R-COND-12",))
        yield from _REASONS[verb](game, who, value)
        return
    card = table.techniques[verb]
    if card.attack is not None:
        yield from cannot_attack(game, who, value)
        return
    deed = card.deed
    if card.ring and record.stance != card.ring:
        yield Reason("needs_stance", (card.ring,), (card.rule, "L5R-CON-12"))
    if card.void and record.void < card.void:
        yield Reason("no_void", (card.void,), (card.rule,))
    if card.once and verb in record.once:
        yield Reason("once", (), (card.rule,))
    if (card.duel_only and not table.duel) or (card.skirmish_only and table.duel):
        yield Reason("other_kind", (), (card.rule,))
    if deed.check is not None and incapacitated(game, who):
        yield Reason("incapacitated", (), ("L5R-COND-12",))
    if "movement" in card.types and has(record, "immobilized"):
        yield Reason("immobilized", (), ("L5R-COND-11",))
    if len(value) > 1:
        if game.records[value[1]].out:
            yield Reason("target_out", (value[1],), (card.rule,))
        elif not in_range(game, who, value[1], deed.range):
            yield Reason("out_of_range", (value[1], band(game, who, value[1]), *deed.range), (card.rule,))
    elif deed.target == "foes" and not foes_in_reach(game, who, deed):
        yield Reason("nobody_in_range", (), (card.rule,))


def foes_in_reach(game: Game, who: Id, deed: Any) -> tuple[Id, ...]:
    """The foes that a deed reaches."""
    return tuple(foe for foe in foes(game, who) if in_range(game, who, foe, deed.range))


def _prepare(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    _, card, state = value
    record = figure(game, who)
    item = item_of(record, card)
    if item is None or item.harm == "destroyed":
        yield Reason("not_at_hand", (card,), ("L5R-ACT-4",))
        return
    if state == "stowed":
        if item.state not in ("1h", "2h"):
            yield Reason("not_readied", (card,), ("L5R-ACT-4",))
        return
    if item.state in ("1h", "2h"):
        yield Reason("readied_already", (card,), ("L5R-ACT-4",))
    elif hands_full(record) + (2 if state == "2h" else 1) > 2:
        yield Reason("no_free_hand", (card,), ("L5R-EQP-9",))


def _center(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    if game.records[who].stance != "void":
        yield Reason("needs_stance", ("void",), ("L5R-ACT-6",))


def _predict(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    if value[1] == "void":
        yield Reason("never_void", (), ("L5R-ACT-8",))


def _assist(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    other = value[1]
    if game.records[other].out:
        yield Reason("target_out", (other,), ("L5R-ACT-9",))
    elif band(game, who, other) > 2:
        yield Reason("out_of_range", (other, band(game, who, other), 0, 2), ("L5R-ACT-9",))


def _challenge(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    other = value[1]
    if game.records[other].out or not able(game, other):
        yield Reason("target_out", (other,), ("L5R-ACT-10",))
    elif band(game, who, other) > 5:
        yield Reason("out_of_range", (other, band(game, who, other), 0, 5), ("L5R-ACT-10",))
    if game.records[who].clash or game.records[other].clash:
        yield Reason("in_clash", (other,), ("L5R-ACT-10", "L5R-SKIR-9"))


def _guard(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    other = value[1]
    record = figure(game, who)
    weapons = readied(record)
    if not weapons:
        yield Reason("no_weapon", (), ("L5R-ACT-12",))
    if game.records[other].out:
        yield Reason("target_out", (other,), ("L5R-ACT-12",))
    elif other != who and weapons:
        reach = [game.table.weapons[item.card].range for item in weapons]
        if not any(low <= band(game, who, other) <= high for low, high in reach):
            yield Reason("out_of_range", (other, band(game, who, other), *reach[0]), ("L5R-ACT-12",))


def _maneuver(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    record = game.records[who]
    if has(record, "immobilized"):
        yield Reason("immobilized", (), ("L5R-COND-11",))
    if has(record, "prone"):
        turn = turn_of(game, who)
        if value[2] == "check" or (turn is not None and turn.moved):
            yield Reason("prone", (), ("L5R-COND-14",))


def turn_of(game: Game, who: Id) -> Any:
    """The turn of a figure, if it is going on."""
    depth = game.find(game.frame_classes["Turn"])
    turn: Any = game.agenda[depth] if depth >= 0 else None
    return turn if turn is not None and turn.who == who else None


def _end(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    _, condition, other = value
    card = game.table.conditions[condition]
    cure = card.cure
    record = game.records[who]
    if condition not in game.records[other].conditions or game.records[other].out:
        yield Reason("no_condition", (condition, other), (card.rule,))
        return
    if cure.ring and record.stance != cure.ring:
        yield Reason("needs_stance", (cure.ring,), (card.rule, "L5R-CON-12"))
    if not game.table.duel and not in_range(game, who, other, cure.range):
        yield Reason("out_of_range", (other, band(game, who, other), *cure.range), (card.rule,))
    if "movement" in cure.types and has(record, "immobilized"):
        yield Reason("immobilized", (), ("L5R-COND-11",))


def _never(game: Game, who: Id, value: ActionValue) -> Iterator[Reason]:
    yield from ()


_REASONS: Final[dict[str, Callable[[Game, Id, ActionValue], Iterator[Reason]]]] = {
    "calming_breath": _never,
    "prepare": _prepare,
    "center": _center,
    "predict": _predict,
    "assist": _assist,
    "challenge": _challenge,
    "guard": _guard,
    "maneuver": _maneuver,
    "wait": _never,
    "end": _end,
    "nothing": _never,
}

_RULES: Final[dict[str, tuple[str, ...]]] = {
    "calming_breath": ("L5R-ACT-3",),
    "prepare": ("L5R-ACT-4",),
    "center": ("L5R-ACT-6",),
    "predict": ("L5R-ACT-8",),
    "assist": ("L5R-ACT-9",),
    "challenge": ("L5R-ACT-10",),
    "guard": ("L5R-ACT-12",),
    "maneuver": ("L5R-ACT-13",),
    "wait": ("L5R-ACT-14",),
    "nothing": ("L5R-CON-10",),
}


def rules_of(game: Game, value: ActionValue) -> tuple[str, ...]:
    """The rules by which an action is on offer."""
    verb = value[0]
    if verb in _RULES:
        return _RULES[verb]
    if verb == "end":
        return (game.table.conditions[value[1]].rule,)
    rules: tuple[str, ...] = (game.table.techniques[verb].rule,)
    if verb in game.table.scenario.unique_actions:
        rules = (*rules, "L5R-ACT-5")
    return rules


# What is legal now, fast: verdicts are kept by all that they depend on


def remember(game: Game, key: Any, choice: Choice) -> Choice:
    """Keeps a choice for when all that it depends on is the same again."""
    choices = game.table.choices
    if len(choices) >= REMEMBERED:
        choices.clear()
    choices[key] = choice
    return choice


class Candidate:
    """An action that may be thought of, with all about it that never changes.

    `towards` is the figure whose record its legality depends on besides the own one; `wide` if it depends on all of them.
    """

    __slots__ = ("awaited", "check", "offer", "place", "towards", "types", "value", "wide")

    def __init__(self, game: Game, value: ActionValue, place: int) -> None:
        verb = value[0]
        self.value = value
        self.place = place
        technique = game.table.techniques.get(verb)
        attack = technique is not None and technique.attack is not None
        group = "attack" if attack else "technique" if technique is not None else "action"
        self.offer: Offer = game.table.offer(value, group, rules_of(game, value))
        self.awaited: Offer = game.table.offer(value, "action", rules_of(game, value))  # as what was waited for
        self.types = types_of(game, value)
        self.check = needs_check(game, value)
        named = value[2] if verb == "end" else value[1] if len(value) > 1 else ""
        self.towards: Id = named if named in game.table.side else ""
        self.wide = technique is not None and technique.deed is not None and technique.deed.target == "foes"


def candidates(game: Game, who: Id) -> Mapping[Id, tuple[Candidate, ...]]:
    """Every action that a figure might think of, by whom it is directed at; made once for its gear."""
    key = ("candidates", who, *[item.card for item in game.records[who].items])
    found = game.table.candidates.get(key)
    if found is None:
        groups: dict[Id, tuple[Candidate, ...]] = {}
        for place, value in enumerate(action_values(game, who)):
            candidate = Candidate(game, value, place)
            groups[candidate.towards] = (*groups.get(candidate.towards, ()), candidate)
        found = game.table.candidates[key] = groups
    return found  # type: ignore[no-any-return]


def situation(game: Game, who: Id) -> tuple[Any, ...]:
    """All of a figure's own that decides which actions are legal for it."""
    record = game.records[who]
    conditions = deciding(game, record.conditions) if record.conditions else ()
    endured = tuple([effect.source for effect in record.effects if effect.name == "endure"]) if record.effects else ()
    turn = turn_of(game, who) if "prone" in conditions else None
    trained = (record.stance, record.void, record.once) if who in game.table.trained else ()
    return (
        who, trained, record.items, conditions, endured, incapacitated(game, who), record.begun,
        turn is not None and turn.moved > 0, record.clash and (record.clash if clash_of(game, who) else "later"),
    )  # fmt: skip


def deciding(game: Game, conditions: tuple[str, ...]) -> tuple[str, ...]:
    """Those of a figure's conditions that decide which actions are legal: wounds do not, what can be cured does."""
    decisive = game.table.decisive
    return tuple([each for each in conditions if each in decisive])


def towards(game: Game, who: Id, other: Id) -> tuple[Any, ...]:
    """All of another figure, or of oneself, that decides which actions are legal towards it."""
    record = game.records[other]
    conditions = deciding(game, record.conditions) if record.conditions else ()
    if conditions:
        conditions = (game.records[who].stance, *conditions)  # on which it depends what can be cured
    if game.table.duel:
        return (other, record.out, conditions)
    there = band(game, who, other)
    hidden = there > 2 and obscured(game, who, other, game.table.side[who])[0]
    return (other, record.out, conditions, bool(record.clash), there, hidden)


def legal_candidates(game: Game, who: Id) -> list[Candidate]:
    """The actions that may be taken now, whatever was done before in this turn."""
    verdicts = game.table.verdicts
    own = situation(game, who)
    known = verdicts.get(own)
    if known is None:
        if len(verdicts) >= REMEMBERED:
            verdicts.clear()
        known = verdicts[own] = {}
    found: list[Candidate] = []
    for other, group in candidates(game, who).items():
        key = towards(game, who, other) if other else ()
        able_to = known.get(key)
        if able_to is None:
            able_to = known[key] = tuple([each for each in group if each.wide or legal(cannot_act(game, who, each.value))])
        found += able_to
    found.sort(key=_PLACE)
    if not any(map(_WIDE, found)):
        return found
    return [each for each in found if not each.wide or legal(cannot_act(game, who, each.value))]


_OFFER: Final = attrgetter("offer")
_PLACE: Final = attrgetter("place")
_WIDE: Final = attrgetter("wide")


def legal_actions(game: Game, who: Id, *, types: tuple[str, ...] = (), checked: bool = False) -> list[Offer]:
    """The actions that may be taken now; of a second one the types and checks of the first are given (L5R-STN-6)."""
    found = legal_candidates(game, who)
    if types or checked:
        found = [
            each for each in found if not (checked and each.check) and not any(kind in types for kind in each.types)
        ]  # fmt: skip
    return list(map(_OFFER, found))
