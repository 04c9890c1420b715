"""Legend of the Five Rings in words: questions, labels of offers, reasons, results. Nothing here decides anything.

Log lines are in `telling`, the table as it is drawn in `tableau`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ...engine import Choice, Event, Game, Offer, Question, Reason, Result, Roll
from .dice import Pool
from .naming import dice_row, die, listed, name, numbered, proper, side_name, state_name, thing, title, verb_with
from .phrases import VERBS, row_words, weapon_words
from .tableau import tableau
from .telling import LINES

__all__ = ["about", "ended", "label", "line", "reason", "result", "speaker", "tableau", "value_label"]


# Questions


def about(game: Game, question: Question) -> str:
    """What a question asks."""
    facts: Any = getattr(question, "facts", ())
    if isinstance(question, Roll):
        whose = name(question.who)
        if question.about == "tie":
            return f"Chance decides who comes first: {listed(name(who) for who in facts)}"
        what = {"check": "rolls", "reroll": "rolls again", "follow_up": "rolls what explodes", "center": "centers"}
        pool: Any = question.spec
        return f"{whose} {what[question.about]}: {title(facts[0])}. Type {pool.wanted()}"
    if isinstance(question, Choice):
        told = _ASKED[question.about]
        return str(told(facts) if callable(told) else told)
    return {"bid": "Staredown: how much do you bid?", "concession": "Do you concede?"}[question.about]


def _keep(facts: Any) -> str:
    dice, limit, tn, purpose, _ = facts
    return f"Keep up to {limit} for {_PURPOSES.get(purpose, thing(purpose))}, TN {tn}: {numbered(dice)}"


def _reroll(facts: Any) -> str:
    dice, _, why, who = facts
    words = {
        "distinction": "Roll up to two again",
        "adversity": "These must be rolled again",
        "dragon": "Way of the Dragon: which are rolled again?",
    }
    return f"{words[why]} ({name(who)}): {numbered(dice)}"


def _follow_up(facts: Any) -> str:
    new, kept, tn = facts
    shown = die(*new[0]) if len(new) == 1 else numbered(new)
    return f"The die explodes into {shown}. Keep it? Kept so far: {dice_row(kept)}, TN {tn}"


def _opportunity(facts: Any) -> str:
    left, ring, succeeded, purpose = facts
    how = "succeeds" if succeeded else "fails"
    what = _PURPOSES.get(purpose, thing(purpose))
    return f"{left} opportunit{'y' if left == 1 else 'ies'} to spend ({ring.title()}; {what} {how})"


def _void(facts: Any) -> str:
    skill, tn, ring, ranks, keep = facts
    return f"{title(skill)}, TN {tn}: {Pool(ring, ranks)}, keep {keep}. Seize the moment with a Void point?"


_PURPOSES: Final = {
    "attack": "the attack",
    "initiative": "initiative",
    "resist": "the resist check",
    "withstand": "withstanding",
    "end": "ending the condition",
    "one_roll": "the one roll",
    "sober": "sobering up",
    "deed": "the action",
}

_COMING: Final = {
    "damage": "{} damage is coming",
    "critical": "A critical strike of severity {} is coming, 10 more on the Unconscious",
    "turn": "Your turn begins",
}
_ASKED: Final[dict[str, Any]] = {
    "ring": lambda facts: f"{title(facts[0])} with which ring, for {_PURPOSES.get(facts[1], thing(facts[1]))}?",
    "void": _void,
    "keep": _keep,
    "reroll": _reroll,
    "parry": lambda facts: f"Shattering Parry: roll all of it again? {dice_row(facts[0])}",
    "reserve": lambda facts: f"Replace rolled dice by reserved ones? {numbered(facts[0])}",
    "alter": lambda facts: f"Set a kept ring die to {{OT}}? {numbered(facts[0])}",
    "order": "Which die explodes first?",
    "follow_up": _follow_up,
    "share": lambda facts: f"Take one strife upon yourself for {name(facts[0])}?",
    "opportunity": _opportunity,
    "lion": "How much strife becomes bonus successes?",
    "tell": lambda facts: f"{name(facts[0])} learns something about you: what?",
    "unmask": "Unmask?",
    "stance": "Your stance; grips may be changed before",
    "reveal": lambda facts: f"{name(facts[0])} has taken a stance: reveal what you noted?",
    "action": "Your action",
    "stand": "Stand up?",
    "waited": "The moment has come: do it?",
    "riposte": "Strike back?",
    "finishing_blow": lambda facts: f"A finishing blow against {name(facts[0])}?",
    "defend": lambda facts: f"{facts[0]} damage from {thing(facts[2])}: defend? (refused, a critical strike of {facts[1]})",
    "wake": lambda facts: f"{_COMING[facts[0]].format(*facts[1:])}: wake up?",
    "crane": lambda facts: f"Way of the Crane: the critical strike has severity {facts[0]}; change it?",
    "crab": lambda facts: f"Way of the Crab: severity {facts[0]}; lower it by {facts[1]}?",
    "scar": "Which scar?",
    "bid": "Staredown: how much do you bid?",
    "concession": "Do you concede?",
    "center": lambda facts: f"Center on {title(facts[0])}: how many dice?",
    "reserve_dice": lambda facts: f"Which dice are reserved? {numbered(facts[0])}",
    "challenge": lambda facts: f"{name(facts[0])} challenges you",
    "maneuver": "Move how far?",
    "wait_action": "Wait to do what?",
    "wait_event": "Until when?",
    "wait_whom": "Until who does it?",
    "clash": "Go on with the clash next round?",
    "window kept": "Draw the attack on yourself?",
    "window attacks": "Act now?",
    "window moves": "Act now?",
    "window handles": "Act now?",
    "window ends_turn": "Act now?",
}


# Offers


def label(game: Game, choice: Choice, offer: Offer) -> str:
    """An offer in words."""
    return value_label(game, choice, offer.value)


def value_label(game: Game, choice: Choice, value: Any) -> str:
    """An answer in words, also one that is refused."""
    if isinstance(value, str):
        if value == "no":
            return _NOS.get(choice.about, "No")
        if value == "pass":
            return "Let it pass" if choice.about in ("finishing_blow", "reveal") else "Do nothing"
        return _WORDS[value]
    verb = value[0]
    if verb in game.table.rows:
        return row_words(value[0], value[1], value[2] if len(value) > 2 else "", choice.who)
    if verb in ("keep", "reroll", "reserve", "replace", "alter"):
        return _dice_label(choice, value)
    if verb in VERBS:
        return VERBS[verb](*value[1:])
    return _technique_label(game, choice.who, value)


_NOS: Final = {"void": "No, save the Void point", "unmask": "Keep the mask on", "stand": "Stay down", "wake": "Sleep on"}
_WORDS: Final = {
    "seize": "Seize the moment (1 Void point)",
    "share": "Take 1 strife",
    "keep": "Keep it",
    "drop": "Drop it",
    "done": "Done",
    "unmask": "Unmask",
    "end": "End the turn",
    "stand": "Stand up",
    "reveal": "Reveal it",
    "defend": "Defend",
    "refuse": "Refuse to defend (1 Void point)",
    "wake": "Wake up (1 Void point)",
    "lower": "Lower it",
    "accept": "Accept",
    "decline": "Decline",
    "go_on": "Go on",
    "break_off": "Break off",
    "fight_on": "Fight on",
    "give_up": "Concede",
}


def _dice_label(choice: Choice, value: Any) -> str:
    verb, *numbers = value
    if verb == "replace":
        return f"Die {numbers[0]} becomes {{{numbers[1]}}}"
    if verb == "alter":
        return f"Die {numbers[0]} becomes {{OT}}"
    dice = choice.facts[0] if choice.facts else ()
    shown = " ".join(f"{{{dice[number - 1][1]}}}" for number in numbers if number <= len(dice))
    if not numbers:
        return {"keep": "Keep none", "reroll": "Roll none again", "reserve": "Reserve none"}[verb]
    return f"{verb} {' '.join(map(str, numbers))}: {shown}"


def _technique_label(game: Game, who: str, value: Any) -> str:
    verb = value[0]
    card = game.table.techniques[verb]
    words = card.title or proper(verb)
    if card.attack is None:
        return f"{words} on {name(value[1])}" if len(value) > 1 else words
    how = {"draw": ", readying it", "stow": ", stowing it after"}[value[3]] if len(value) > 3 else ""
    return verb_with(words, name(value[1]), weapon_words(value[2], game.table.weapons[value[2]].title)) + how


# Reasons


NEEDED: Final = {
    "failure": "only on a failed check",
    "success": "only on a success",
    "strife_given": "this check has given no strife",
    "allies": "there is nobody else on your side",
    "movement": "only on a Movement action",
    "attack": "only on an attack",
    "support": "only on a Support action",
    "strike": "only on a Strike, once",
    "guard": "only on Guard",
    "surprised": "only for the surprised",
    "skirmish": "there is no moving here",
    "shadowlands": "only in the Shadowlands",
    "tainted_foes": "no foe may be Tainted",
    "tainted_self": "only for the Tainted",
    "initiative_draw": "weapons are not readied on initiative here",
    "martial_arts": "only on Martial Arts checks",
    "weapon_razor_edged": "the weapon is not Razor-Edged",
    "weapon_snaring": "the weapon is not Snaring",
}

_REASONS: Final[dict[str, Callable[..., str]]] = {
    "compromised_keep": lambda face: f"{{{face}}} has strife, and the Compromised keep none",
    "earth_stance": lambda who: f"{name(who)} is in the Earth stance",
    "extra_check": lambda: "the extra action of Water needs no check, or the first one must have needed none",
    "foreseen": lambda ring: f"{ring.title()} was foreseen: choose another",
    "immobilized": lambda: "immobilized",
    "in_clash": lambda who: f"a clash with {name(who)} is agreed on or going on",
    "incapacitated": lambda: "incapacitated: nothing that needs a check",
    "keep_limit": lambda limit: f"at most {limit} may be kept",
    "keep_one": lambda: "at least one die must be kept",
    "moved": lambda: "moved this turn already",
    "must_reroll": lambda: "the adversity must be met",
    "narrative": lambda: "in a duel movement is only told",
    "needs": lambda need: NEEDED.get(need, f"this needs: {thing(need)}"),
    "needs_melee": lambda item: f"{thing(item)} is no melee weapon",
    "needs_stance": lambda ring: f"this needs the {ring.title()} stance",
    "never_void": lambda: "Void cannot be predicted",
    "no_base_action": lambda verb: f"{thing(verb)} is no base action",
    "cannot_be_taken": lambda body: f"a {thing(body)} cannot be taken from anybody",
    "no_condition": lambda condition, who: f"{name(who)} is not {state_name(condition)}",
    "no_critical": lambda technique: f"{proper(technique)} cannot buy the critical strike of a Strike",
    "no_draw_yet": lambda: "no blade is drawn before one's own first turn",
    "no_free_hand": lambda item: f"no free hand for the {thing(item)}",
    "no_iaijutsu": lambda item: f"an Iaijutsu Cut cannot be made with a {thing(item)}",
    "no_void": lambda number: f"this costs {number} Void point{'s' if number > 1 else ''}",
    "no_weapon": lambda: "no weapon is readied",
    "nobody_in_range": lambda: "nobody is in range",
    "not_at_hand": lambda item: f"the {thing(item)} is not at hand",
    "not_concealable": lambda item: f"the {thing(item)} must be readied before",
    "not_readied": lambda item: f"the {thing(item)} is not readied",
    "not_sheathed": lambda item: f"the {thing(item)} is not stowed",
    "once": lambda: "once per scene only",
    "one_action": lambda: "one action a turn",
    "only_successes": lambda face: f"{{{face}}} has neither success nor explosive success",
    "other_kind": lambda: "not in this kind of conflict",
    "out_of_range": lambda who, there, low, high: f"{name(who)} is at range {there}; this reaches {low} to {high}",
    "out_of_sight": lambda who: f"{name(who)} cannot be seen from here",
    "prone": lambda: "prone: one band a turn",
    "readied_already": lambda item: f"the {thing(item)} is readied already",
    "reroll_limit": lambda number: f"at most {number} dice",
    "rerolls_first": lambda: "the dice that are due are rolled again first",
    "row_cost": lambda cost, left: f"this costs {cost}, {left} left",
    "row_initiative": lambda: "on initiative checks only",
    "row_minion": lambda: "minions spend opportunities on their weapons only",
    "row_ring": lambda needed, ring: f"this needs {needed.title()}, the check is {ring.title()}",
    "row_spent": lambda: "once per check",
    "same_type": lambda: "an action of that type was taken this turn",
    "target_out": lambda who: f"{name(who)} is out of it",
    "void_before_roll": lambda: "Void points are spent before the roll",
}


def reason(game: Game, why: Reason) -> str:
    """A reason in words."""
    return _REASONS[why.key](*why.facts)


# Log and result


def line(game: Game, event: Event) -> str:
    """An event in words, with its rule ids."""
    text = LINES[event.kind](event)
    return f"{text} [{', '.join(dict.fromkeys(event.rules))}]" if event.rules else text


def speaker(game: Game, event: Event) -> str:
    """The side that a log line is about, for its colour; empty for none."""
    who = event.facts.get("who")
    return str(game.table.side.get(who, "")) if isinstance(who, str) else ""


def ended(why: str) -> str:
    """How an encounter ended."""
    return {
        "objective": "The objective is met",
        "both": "Both have met the objective",
        "conceded": "The other side has conceded",
        "both_conceded": "Both have conceded",
        "max_rounds": "The last round is over",
        "beaten": "At most one side is left",
        "one_roll": "One roll has decided",
        "cheated": "The other was caught cheating",
    }[why]


def result(game: Game, end: Result) -> str:
    """The result in words."""
    return f"{side_name(end.winner)} wins. {ended(end.reason)}." if end.winner else f"A draw. {ended(end.reason)}."


def names(figures: Iterable[str]) -> str:
    """Several figures in a row."""
    return listed(name(who) for who in figures)
