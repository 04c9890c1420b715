"""Vaia in words: labels of offers, reasons, log lines. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ...engine import Choice, Event, Game, Offer, Question, Reason, Result, Roll, in_words
from .reactions import occasion_of
from .tableau import tableau

__all__ = ["about", "ended", "label", "line", "reason", "result", "speaker", "tableau", "value_label"]


def name(id: str) -> str:
    """The name of a character or side: its id as people write it."""
    return id.replace("_", " ").title()


def thing(id: str) -> str:
    """The name of a card in the middle of a sentence."""
    return id.replace("_", " ")


def title(id: str) -> str:
    """The name of an action at the beginning of a sentence: Step aside."""
    return thing(id).capitalize()


def listed(items: Iterable[str], last: str = "and") -> str:
    """Several names in a row: a, b and c."""
    names = list(items)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}" if names else "nothing"


def counted(number: int, what: str) -> str:
    """So many of something."""
    return f"{number} {what}{'' if number == 1 else 's'}"


# Questions and offers

_ROLLED: Final = {
    "order": "Active Phase Order",
    "stress": "stress check",
    "accuracy": "accuracy",
    "damage": "damage",
    "trap": "damage of the trap",
}


def about(game: Game, question: Question) -> str:
    """What a question asks."""
    if isinstance(question, Roll):
        what = _ROLLED.get(question.about, "effect")
        if question.about == "stress":
            what = f"{title(question.facts[0])} {what}"
        elif question.facts and question.about != "trap":
            what = f"{what} of {thing(question.facts[0])}"
        return f"{name(question.who)}: {what}"
    if not isinstance(question, Choice):
        return question.about
    who = name(question.who)
    if question.about == "phase":
        return f"{who}: which action? ({counted(game.records[question.who].slots, 'slot')})"
    if question.about == "tile":
        return f"{who} ({thing(question.facts[0])}): where to? ({counted(question.facts[1], 'tile')} left)"
    if question.about == "execute":
        return f"{name(question.facts[0])}: dead, or out of the encounter?"
    return _about_window(game, question)


def _about_window(game: Game, choice: Choice) -> str:
    window: Any = game.agenda[-1]
    who = name(choice.who)
    if window.occasion == "response":
        collector: Any = game.agenda[window.depth]
        ended = collector.waiting[0]
        return f"{who}: answer {name(ended.actor)}'s {thing(ended.card)}?"
    action: Any = game.agenda[window.depth]
    aimed = f" at {name(action.target)}" if action.target else ""
    verb = "ride on" if window.occasion.startswith("rider") else "trigger on"
    return f"{who}: {verb} {name(action.actor)}'s {thing(action.card)}{aimed}, {occasion_of(window)}?"


def label(game: Game, choice: Choice, offer: Offer) -> str:
    """An offer in words."""
    return value_label(game, choice, offer.value)


_WORDS: Final = {
    "pass": "Pass",
    "end": "End the phase",
    "stay": "Stop here",
    "dead": "Dead",
    "out": "Out of the encounter",
}


def value_label(game: Game, choice: Choice, value: Any) -> str:
    """An answer in words, also one that is refused."""
    if isinstance(value, str):
        return _WORDS[value]
    verb, *rest = value
    if verb == "to":
        return f"To {rest[0]}"
    if verb == "move" and rest:
        return f"Move for {counted(rest[0], 'slot')}"
    text = title(verb)
    target = next((each for each in rest if each in game.table.characters), "")
    item = next((each for each in rest if each != target), "")
    if target:
        text += f", {'to' if game.table.actions[verb].whom == 'new' else 'at'} {name(target)}"
    return text + (f", with the {thing(item)}" if item else "")


# Reasons


_WHOM: Final = {
    "any": "a standing character",
    "enemy": "a standing enemy",
    "ally": "a standing ally",
    "self_or_ally": "itself or an ally",
    "vulnerable": "a Vulnerable character",
    "actor": "its actor, standing,",
}
_KINDS: Final = {"rider": "a Rider", "trigger": "a Trigger", "response": "a Response"}


def _outcome(*facts: str) -> str:
    wanted, there = facts[:-1], facts[-1]
    return f"needs {listed((f'a {each}' for each in wanted), 'or')}; it is {'a ' + there if there else 'not tested yet'}"


_REASONS: Final[dict[str, Callable[..., str]]] = {
    "vulnerable": lambda: "not standing",
    "active_only": lambda: "in the own active phase only",
    "not_reserved": lambda: "not marked reserved: in the own active phase only",
    "not_now": lambda: "no plain action inside another action",
    "last_in_order": lambda: "last in order: its leftover slots are discarded, so it never has Reserved Slots",
    "no_phase_yet": lambda: "no active phase yet in this round, so no slots",
    "once": lambda: "used already since its active phase began",
    "slots": lambda cost, have: f"needs {counted(cost, 'slot')}, has {have}",
    "reserved_slots": lambda cost, have: f"needs {counted(cost, 'reserved slot')}, has {have}",
    "due": lambda item: f"the {thing(item)} is worn out and cannot be used again",
    "no_item": lambda item: f"needs {'a weapon' if item == 'weapon' else f'the {thing(item)}'}",
    "not_unlocked": lambda resource: f"{thing(resource)} is not unlocked on this sheet",
    "named": lambda resource, cost, have: f"needs {cost} {thing(resource)}, has {have}",
    "mute": lambda: "no more actions with Vocal Stress after a Vocal burnout",
    "not_beside": lambda what, at: f"not beside the {thing(what)} at {at}",
    "no_target": lambda whom, reach: f"needs {_WHOM[whom]} within {reach}; there is none",
    "no_new_target": lambda: "nobody but the actor and the present target stands within reach",
    "only_riding": lambda at: f"a Rider: only {at} on an own action that it names",
    "only_triggered": lambda at: f"a Trigger: only {at} in somebody else's action that it names",
    "only_answering": lambda event: f"a Response: only after an action ({thing(event)})",
    "other_window": lambda kind, here: f"{_KINDS[kind]}; here {_KINDS[here]} may be used",
    "spent": lambda: "used already on this action",
    "forced": lambda: "happens by itself when its condition is met",
    "not_own": lambda card: f"this {thing(card)} is somebody else's action",
    "own_action": lambda card: f"this {thing(card)} is an own action",
    "other_occasion": lambda at, here: f"used {at}; this is {here}",
    "other_action": lambda card: f"does not go with {thing(card)}",
    "on_reaction": lambda card: f"{thing(card)} is no plain action",
    "outcome": _outcome,
    "not_the_target": lambda card: f"not the target of this {thing(card)}",
    "not_an_ally": lambda: "the target is no ally",
    "other_actor": lambda wanted: f"the actor is no {wanted}",
    "too_far": lambda who, within: f"{name(who) if who else 'the target'} is not within {within}",
    "did_not_happen": lambda event, card: f"needs to be true of {thing(card)}: {thing(event)}",
}


def reason(game: Game, why: Reason) -> str:
    """A reason in words."""
    return _REASONS[why.key](*why.facts)


# Log


def _accuracy(e: Event) -> str:
    word = {"hit": "a hit", "half": "a half-hit", "miss": "a miss"}[e["result"]]
    return f"{name(e['who'])} rolls {e['roll']}: {e['value']} against {e['against']}, {word} on {name(e['target'])}"


def _activates(e: Event) -> str:
    kind = "" if e["kind_of_action"] == "plain" else f" ({e['kind_of_action'].title()})"
    return f"{name(e['who'])}: {thing(e['action'])}{kind}" + (f" at {name(e['target'])}" if e["target"] else "")


def _loses_hp(e: Event) -> str:
    if e["amount"] is None:
        return f"{name(e['who'])} drops to {e['hp']} HP ({thing(e['cause'])})"
    return f"{name(e['who'])} loses {e['amount']} HP ({thing(e['cause'])}): {e['hp']} left"


def _burnout(e: Event) -> str:
    return f"{name(e['who'])}: {e['track'].title()} burnout; the track goes to 9"


def _mitigated(e: Event) -> str:
    armour = sum(e["absorbed"])
    parts = [f"{armour} by armour"] * bool(e["absorbed"]) + [f"{e['flat']} by Flat Mitigation"] * bool(e["flat"])
    return f"{name(e['who'])} stops {listed(parts)}: {e['left']} left"


def _condition(e: Event) -> str:
    if e["condition"] == "slowed":
        return f"{name(e['who'])} is slowed: a {_part(e['total'])} of the slots at the next gain"
    return f"{name(e['who'])} has {e['condition']} +{e['amount']}: {e['total']}"


def _part(divisor: int) -> str:
    return {2: "half", 4: "quarter"}.get(divisor, f"1/{divisor}")


def _destroyed(e: Event) -> str:
    lies = f"; it lies broken on {e['lies']}" if e["lies"] else ""
    return f"{name(e['who'])}'s {thing(e['item'])} is destroyed{lies}"


def _interrupted(e: Event) -> str:
    why = {"trap": "a trap ends it", "cancelled": "it is cancelled", "vulnerable": "its actor no longer stands"}[e["why"]]
    return f"{name(e['who'])}'s {thing(e['action'])} is interrupted: {why}"


def _opens(e: Event) -> str:
    sides = (f"{name(side)} ({listed(name(who) for who in figures)})" for side, figures in e["sides"])
    return f"{listed(sides)} meet: {thing(e['scenario'])}"


def _traps(e: Event) -> str:
    hidden = "hidden, on any of" if e["hidden"] else "open to all, on possible tiles"
    return f"Traps: {listed(thing(each) for each in e['kinds'])}, {hidden} {', '.join(e['tiles'])}"


def _edit(record: str, field: str, value: Any) -> str:
    if (record, field) == ("traps", "known"):
        where = listed(f"{thing(trap)} on {tile}" for tile, trap in value)
        return f"all know of {where}" if value else "no trap is known to all any more"
    return f"{record} {field} = {value}"


def _ruling(e: Event) -> str:
    edits = listed(_edit(*edit) for edit in e["edits"])
    return f"Ruling by {e['by']}: {edits} ({e['reason']})"


def _cannot(e: Event) -> str:
    why = "; ".join(_REASONS[key](*facts) for key, facts in e["reasons"])
    return f"{name(e['who'])} cannot use {thing(e['action'])}: {why}"


def _skipped(e: Event) -> str:
    why = {
        "gone": "the target is gone", "vulnerable": "the target is Vulnerable", "standing": "the target stands",
        "out_of_reach": "the target is out of reach", "no_hit": "nothing was hit", "no_new_target": "no such new target",
    }[e["why"]]  # fmt: skip
    return f"{name(e['who'])}'s {thing(e['action'])}: {thing(e['step'])} is skipped, {why}"


_WHAT: Final = {"accuracy_bonus": "Accuracy", "evasion_bonus": "Evasion", "mitigation": "Flat Mitigation"}

_LINES: Final[dict[str, Callable[[Event], str]]] = {
    "opens": _opens,
    "seated": lambda e: f"{name(e['who'])} stands on {e['at']} with {e['hp']} HP",
    "traps": _traps,
    "rolled_for_order": lambda e: f"{name(e['who'])} rolls {e['roll']} for the order: {e['value']}",
    "order": lambda e: f"Active Phase Order: {', '.join(name(who) for who in e['who'])}",
    "round": lambda e: f"--- Full Round {e['number']} ---",
    "phase": lambda e: f"{name(e['who'])}'s active phase: {counted(e['slots'], 'slot')}",
    "slots_lost": lambda e: f"{name(e['who'])} is {e['condition']}: {counted(e['lost'], 'slot')} lost",
    "phase_ends": lambda e: f"{name(e['who'])} ends the phase with {counted(e['reserved'], 'Reserved Slot')}",
    "slots_discarded": lambda e: f"{name(e['who'])} was last: {counted(e['slots'], 'leftover slot')} discarded",
    "upkeep": lambda e: f"Upkeep of Full Round {e['round']}",
    "reserved_lost": lambda e: f"{name(e['who'])} loses {counted(e['slots'], 'Reserved Slot')}",
    "counters_go": lambda e: f"{name(e['who'])}: {e['gone']} {e['condition']} gone, {e['left']} left",
    "activates": _activates,
    "pays": lambda e: f"{name(e['who'])} pays {counted(e['slots'], 'slot')}, {e['left']} left",
    "wears": lambda e: f"{name(e['who'])}'s {thing(e['item'])} loses {e['amount']} durability: {e['left']} left",
    "spends": lambda e: f"{name(e['who'])} spends {e['amount']} {thing(e['name'])}, {e['left']} left",
    "refills": lambda e: f"{name(e['who'])} has {listed(f'{have} {thing(each)}' for each, have in e['named'])}",
    "stress_check": lambda e: (
        f"{name(e['who'])} rolls {e['roll']} of {e['die']} for {e['track'].title()} Stress"
        f"{': Nat Min' if e['roll'] == 1 else ', none'}"
    ),
    "stress": lambda e: f"{name(e['who'])} gains {e['amount']} {e['track'].title()} Stress: {e['value']} of 10",
    "burnout": _burnout,
    "forced": lambda e: f"{name(e['who'])}'s {thing(e['action'])} happens by itself",
    "skipped": _skipped,
    "accuracy": _accuracy,
    "potency": lambda e: f"{name(e['who'])}'s {thing(e['action'])} has potency {e['potency']}",
    "halved": lambda e: f"Halved: {e['potency']}",
    "mitigated": _mitigated,
    "unhurt": lambda e: f"{name(e['who'])} is not hurt",
    "loses_hp": _loses_hp,
    "vulnerable": lambda e: f"{name(e['who'])} is Vulnerable",
    "nothing": lambda e: f"{name(e['who'])}: {thing(e['deed'])} comes to nothing",
    "condition": _condition,
    "branch": lambda e: (
        f"{title(e['action'])} shows {e['roll']}: {listed(f'{thing(verb)} {amount}' for verb, amount in e['deeds'])}"
    ),
    "mended": lambda e: f"{name(e['who'])} regains HP: {e['hp']}",
    "stands_again": lambda e: f"{name(e['who'])} stands again",
    "executed": lambda e: f"{name(e['by'])} executes {name(e['who'])}: {'dead' if e['how'] == 'dead' else 'out'}",
    "objective": lambda e: f"{name(e['who'])} at the {thing(e['name'])}: {name(e['side'])} {e['times']} of {e['of']}",
    "modifies": lambda e: f"{name(e['who'])} gives {thing(e['action'])} {_WHAT[e['what']]} {e['amount']:+d}",
    "redirected": lambda e: f"{title(e['action'])} goes from {name(e['old'])} to {name(e['new'])}",
    "attached": lambda e: f"{title(e['rider'])} rides on {thing(e['action'])}",
    "moves": lambda e: f"{name(e['who'])} goes to {e['to']}",
    "no_trap": lambda e: f"No trap on {e['at']}",
    "springs": lambda e: f"{title(e['trap'])} on {e['at']}: {name(e['who'])} is caught, the trap is used up",
    "pushed": lambda e: f"{name(e['by'])} pushes {name(e['who'])}",
    "not_pushed": lambda e: f"{name(e['who'])} cannot be pushed further",
    "interrupted": _interrupted,
    "ended": lambda e: f"{name(e['who'])}'s {thing(e['action'])} is over",
    "destroyed": _destroyed,
    "window": lambda e: f"{listed(name(who) for who in e['able'])} may act: {e['occasion']}",
    "waits": lambda e: f"{name(e['who'])}'s {thing(e['action'])} can be answered once the outermost action has ended",
    "passed": lambda e: f"{name(e['who'])} could have acted ({e['occasion']}) and passes",
    "cannot_react": _cannot,
    "concedes": lambda e: f"{name(e['side'])} concedes; {listed(name(who) for who in e['figures'])} leave",
    "ends": lambda e: f"{ended(e['reason'])}: {name(e['winner']) + ' wins' if e['winner'] else 'a draw'}",
    "ruling": _ruling,
    "lurks": lambda e: f"{name(e['who'])} begins in hiding on {e['at']}",
    "hides": lambda e: in_words(e, name(e["who"])),
    "comes_out": lambda e: in_words(e, name(e["who"])),
}


def line(game: Game, event: Event) -> str:
    """An event in words, with its rule ids."""
    text = _LINES[event.kind](event)
    return f"{text} [{', '.join(dict.fromkeys(event.rules))}]" if event.rules else text


def speaker(game: Game, event: Event) -> str:
    """The side that a log line is about, for its colour; empty for none."""
    who = event.facts.get("who")
    return str(game.table.side.get(who, "")) if isinstance(who, str) else str(event.facts.get("side", ""))


def ended(why: str) -> str:
    """How an encounter ended."""
    return {
        "objective": "The objective is met",
        "round_limit": "The last Full Round is over; shares of HP decide",
        "last_standing": "One side only has anyone standing",
        "all_fallen": "Nobody stands",
        "fell_together": "The last sides fell together; shares of HP before decide",
    }[why]


def result(game: Game, end: Result) -> str:
    """The result in words."""
    return f"{name(end.winner)} wins. {ended(end.reason)}." if end.winner else f"A draw. {ended(end.reason)}."
