"""Sol'una in words: labels of offers, reasons, log lines, the tableau. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...dice.like import group_chance
from ...engine import Choice, Event, Game, Offer, Question, Reason, Result, Roll
from .checks import flips_prepared, need_of, preparation_fits
from .phrases import ROLLS, deed_words, dice_words, does, doing, listed, name, plural, thing
from .tableau import tableau

# Questions and offers


_TESTS: Final = {
    "risk_move": "the Risk of the move",
    "risk_cp": "the Risk for a Combat Point",
    "risk_accuracy": "the accuracy Risk",
    "interaction": "the interaction",
    "contest": "the contest",
    "attack": "the attack",
}


def about(game: Game, question: Question) -> str:
    """What a question asks."""
    if isinstance(question, Roll):
        flips, need = question.facts
        what = f"{name(question.who)}'s roll for {_TESTS[question.about]}"
        return what + (f", {plural(need, 'like face')} needed" if need else "") + (f", {plural(flips, 'flip')}" if flips else "")
    if not isinstance(question, Choice):
        what, _, phase = question.about.partition(" ")
        return f"Phase {phase}: {'everybody due chooses' if what == 'phase' else 'all contestants commit'} in secret"
    who = name(question.who)
    match question.about:
        case "action":
            return f"Phase {question.facts[0]}: what does {who} do?"
        case "square":
            path = question.facts
            return f"{who} moves {' > '.join(path)}: where next?" if path else f"{who} moves: to which square first?"
        case "increase":
            return f"By how much does {who} raise the accuracy of the {thing(question.facts[0])} by Risk?"
        case "flips":
            return f"Which roll of {who} takes the preparation flips?"
        case "commitment":
            contest, left, _, prize = question.facts
            return f"{who} in the contest {thing(contest)} for the {thing(prize)}: {left} Mind left"
    deed, left = question.facts
    roll = "boost" if question.about == "risk_accuracy" else "pool"
    need = plural(need_of(game, deed, roll), "like face")
    return f"{who}: dice and flips for {_TESTS[question.about]} ({need} needed, {left} Mind left)"


def label(game: Game, choice: Choice, offer: Offer) -> str:
    """An offer in words."""
    return value_label(game, choice, offer.value)


def value_label(game: Game, choice: Choice, value: Any) -> str:
    """An answer in words, also one that is refused."""
    if isinstance(value, str):
        return _WORDS[value]
    verb, *what = value
    if verb == "pool":
        return _pool_label(game, choice, *what)
    return _VERBS[verb](*what)


def _pool_label(game: Game, choice: Choice, dice: int, flips: int) -> str:
    text = dice_words(dice, flips)
    points = f"{dice + 2 * flips} Mind"
    if choice.about == "commitment":
        return f"{text} ({points})"
    deed = choice.facts[0]
    roll = "boost" if choice.about == "risk_accuracy" else "pool"
    # A Risk of an attack is one of several rolls: whether it takes the flips is asked later.
    prepared = deed.kind != "attack" and preparation_fits(game, flips)
    extra = flips_prepared(game, game.records[deed.who]) if prepared else 0
    chance = group_chance(dice, flips + extra, need_of(game, deed, roll))
    return f"{text} ({points}: {'certain' if chance == 1 else 'hopeless' if not chance else f'{float(chance):.1%}'})"


_WORDS: Final = {
    "move": "Move",
    "prepare": "Prepare",
    "defer": "Defer: save the Action for a later phase",
    "hold": "Hold: keep the saved Action",
    "stop": "Stop here",
}
_VERBS: Final[dict[str, Callable[..., str]]] = {
    "attack": lambda weapon, target: f"Attack {name(target)} with the {thing(weapon)}",
    "interact": lambda interaction, target: doing(interaction, target),
    "contest": lambda contest, prize: f"Call the contest {thing(contest)} for the {thing(prize)}",
    "to": lambda cell: f"To {cell}",
    "increase": lambda number: f"By {number}" if number else "Not at all",
    "flips": lambda roll: "None: waste them" if roll == "none" else f"{ROLLS[roll][0].upper()}{ROLLS[roll][1:]}",
}


# Reasons


_REASONS: Final[dict[str, Callable[..., str]]] = {
    "stowed": lambda weapon: f"the {thing(weapon)} is stowed: get it out first",
    "out_of_range": lambda target, distance, reach: f"{name(target)} is {distance} squares away, its range is {reach}",
    "no_sight": lambda target: f"{name(target)} cannot be seen: all four lines are blocked",
    "risked_already": lambda limit: f"only {plural(limit, 'Risk')} for a Combat Point in a phase, won or lost",
    "no_mind_for_risk": lambda mind, spent: f"no Combat Point left, and no Mind for a Risk ({spent} of {mind} spent)",
    "no_speed": lambda speed, left: f"{plural(speed, 'Speed Point')} and {left} Mind left",
    "shut_in": lambda cell: f"no free square beside {cell}",
    "obstacle": lambda cell: f"{cell} is an obstacle",
    "shut": lambda cell: f"the door on {cell} lets this model through not at all, or not yet",
    "taken": lambda cell: f"a model stood on {cell} at the start of the phase",
    "between_obstacles": lambda cell: f"{cell} lies diagonally behind two obstacles",
    "one_square": lambda: "a move goes one square at least",
    "overspent": lambda mind, spent: f"Mind has fallen to {mind}, and {spent} are spent",
    "no_mind_left": lambda mind: f"all {mind} Mind are spent: only Thoughtless interactions remain",
    "done_already": lambda target: f"nothing is left to do at the {thing(target)}",
    "not_theirs": lambda target, side: f"the {thing(target)} is for {name(side)} only",
    "held": lambda target, holder: f"{name(holder)} holds the {thing(target)}",
    "to_be_won": lambda target, contest: f"the {thing(target)} must be won in the contest {thing(contest)}",
    "too_far": lambda target, distance: f"the {thing(target)} is {distance} squares away: it must be beside the model",
    "won_already": lambda prize: f"the {thing(prize)} has been won already",
    "nobody_near": lambda at: f"no opponent is near the {thing(at)}",
    "no_opponent_holds": lambda prize: f"no opponent holds the {thing(prize)}",
    "holder_too_far": lambda holder, distance: f"{name(holder)} is {distance} squares away: it must be beside the model",
    "own_action": lambda phase: f"phase {phase} is marked: this is an Action of its own, not a saved one",
    "saved_action": lambda phase: f"phase {phase} is not marked: a saved Action is no preparing and no deferring",
    "no_die_to_flip": lambda: "a flip sets a die that was rolled",
    "too_many_points": lambda points, left: f"{points} Mind, and {left} left",
    "more_than_doubled": lambda base: f"raised by {base} at the most, the weapon's own accuracy",
    "no_mind_after": lambda points: f"no Mind left for it after {points} committed",
    "sacrificed": lambda: "flips come from preparation or from sacrifice, not both",
}


def reason(game: Game, why: Reason) -> str:
    """A reason in words."""
    return _REASONS[why.key](*why.facts)


# Log


def _seated(e: Event) -> str:
    phases = ", ".join(map(str, e["marks"]))
    of = f" ({name(e['side'])})" if e["side"] != e["who"] else ""
    return (
        f"{name(e['who'])}{of} on {e['at']}: Mind {e['mind']} acts in {phases}; Body {e['body']}; "
        f"{listed(thing(weapon) for weapon in e['ready'])} ready"
    )


def _chooses(e: Event) -> str:
    facts = [e[key] for key in ("action", "name", "target", "path", "pool", "increase", "boost", "flips")]
    return f"{name(e['who'])} {deed_words(*facts)}"


def _rolls(e: Event) -> str:
    shown = " ".join(map(str, e["roll"])) or "nothing"
    flipped = f", {plural(e['flips'], 'flip')}: {' '.join(map(str, e['shown']))}" if e["flips"] and e["roll"] else ""
    need = f" (needs {e['need']})" if e["need"] else ""
    return f"{name(e['who'])} rolls {shown}{flipped} for {_TESTS[e['about']]}: {plural(e['score'], 'like face')}{need}"


def _risk(e: Event) -> str:
    gained = {"risk_move": "the move", "risk_cp": "a Combat Point", "risk_accuracy": "accuracy"}[e["about"]]
    if e["won"]:
        return f"{name(e['who'])}'s Risk comes off: {gained}"
    lost = {
        "risk_move": "the Action is used up, no move",
        "risk_cp": "the Action is used up, no attack",
        "risk_accuracy": "base accuracy",
    }
    return f"{name(e['who'])}'s Risk fails: {lost[e['about']]}"


def _interacts(e: Event) -> str:
    return f"{name(e['who'])} {does(e['name'], e['target'])}: {'done' if e['won'] else 'it fails'}"


def _called(e: Event) -> str:
    drawn = f"; drawn in: {listed(map(name, e['drawn']))}" if e["drawn"] else ""
    return f"{listed(map(name, e['callers']))} called {thing(e['name'])} for the {thing(e['prize'])}{drawn}"


def _commits(e: Event) -> str:
    extra = f", and {plural(e['extra'], 'flip')} prepared" if e["extra"] else ""
    return f"{name(e['who'])} commits {dice_words(e['dice'], e['flips'])}{extra}"


def _moves(e: Event) -> str:
    if e["clash"]:
        back = "back where it was" if not e["path"] else f"on {e['to']}"
        return f"{name(e['who'])} is not alone on {e['clash']} and ends {back}"
    return f"{name(e['who'])} moves from {e['start']} to {e['to']}"


def _hurt(e: Event) -> str:
    shaken = f", shaken: Mind {e['mind']}" if e["shaken"] else ""
    return f"{name(e['who'])} loses {e['damage']} Body, {max(0, e['body'])} left{shaken}"


def _ending_preparation(e: Event) -> str:
    flips = plural(e["flips"], "flip") if e["flips"] else "no flip"
    return f"{name(e['who'])}'s preparation ends after {plural(e['phases'], 'phase')}: {flips}"


def _done(e: Event) -> str:
    return f"The {thing(e['thing'])} is {'open' if e['sort'] == 'door' else 'dealt with'}"


def _ends(e: Event) -> str:
    return f"{ended(e['reason'])}: {name(e['winner']) + ' wins' if e['winner'] else 'a draw'}"


def _ruling(e: Event) -> str:
    edits = listed(f"{record} {field} = {value}" for record, field, value in e["edits"])
    return f"Ruling by {e['by']}: {edits} ({e['reason']})"


_LINES: Final[dict[str, Callable[[Event], str]]] = {
    "opens": lambda e: f"{listed(map(name, e['sides']))} meet: {thing(e['scenario'])}",
    "seated": _seated,
    "turn": lambda e: f"--- Turn {e['number']} ---",
    "phase": lambda e: f"Phase {e['number']}: {listed(map(name, e['due']))}",
    "chooses": _chooses,
    "prepares": lambda e: (
        f"{name(e['who'])} has prepared for {plural(e['phases'], 'phase')}"
        + (f": {plural(e['flips'], 'flip')}" if e["flips"] else "")
    ),
    "preparation_ends": _ending_preparation,
    "saved_lost": lambda e: f"{name(e['who'])} loses {plural(e['number'], 'saved Action')}",
    "pays": lambda e: (
        f"{name(e['who'])} pays {plural(e['points'], 'Speed Point' if e['of'] == 'speed' else 'Combat Point')}, {e['left']} left"
    ),
    "spends": lambda e: f"{name(e['who'])} spends {e['points']} Mind, {e['left']} left",
    "rolls": _rolls,
    "risk": _risk,
    "interacts": _interacts,
    "called": _called,
    "commits": _commits,
    "rolls_again": lambda e: f"{listed(map(name, e['tied']))} are tied at {e['score']} and roll again",
    "tied": lambda e: f"{listed(map(name, e['tied']))} are tied at {e['score']}: nothing changes",
    "wins": lambda e: f"{name(e['who'])} wins the contest {thing(e['name'])}",
    "attacks": lambda e: f"{name(e['who'])} attacks {name(e['target'])} with the {thing(e['weapon'])}, Guard {e['guard']}",
    "misses": lambda e: f"{name(e['who'])} misses {name(e['target'])}",
    "hits": lambda e: f"{name(e['who'])} hits {name(e['target'])} for {e['damage']}",
    "moves": _moves,
    "takes": lambda e: f"{name(e['who'])} {'keeps' if e['kept'] else 'takes'} the {thing(e['thing'])}",
    "nobody_takes": lambda e: f"{listed(map(name, e['tied']))} tear at the {thing(e['thing'])}: nobody gets it",
    "readies": lambda e: f"{name(e['who'])} has the {thing(e['weapon'])} ready",
    "done": _done,
    "hurt": _hurt,
    "out": lambda e: f"{name(e['who'])} is out",
    "falls": lambda e: f"{name(e['who'])} drops the {thing(e['thing'])} on {e['at']}",
    "meets": lambda e: f"{name(e['who'])} stands on {e['at']}" + (f" with the {thing(e['thing'])}" if e["thing"] else ""),
    "share": lambda e: f"{name(e['side'])} has {e['left']} of {e['whole']} Body left",
    "concedes": lambda e: f"{name(e['side'])} gives up",
    "leaves": lambda e: f"{name(e['who'])} leaves {e['at']}",
    "dropped": lambda e: f"What {name(e['who'])} has chosen is dropped",
    "comes_to_nothing": lambda e: f"What {name(e['who'])} has chosen comes to nothing",
    "ends": _ends,
    "ruling": _ruling,
}


def line(game: Game, event: Event) -> str:
    """An event in words, with its rule ids."""
    text = _LINES[event.kind](event)
    return f"{text} [{', '.join(dict.fromkeys(event.rules))}]" if event.rules else text


def speaker(game: Game, event: Event) -> str:
    """The side that a log line is about, for its colour; empty for none."""
    who = event.facts.get("who", event.facts.get("side"))
    return str(game.table.side.get(who, who if who in game.table.sides else "")) if isinstance(who, str) else ""


def ended(why: str) -> str:
    """How a skirmish ended."""
    return {
        "objective": "The objective is met",
        "last_standing": "At most one side is left",
        "turn_limit": "The last Turn is over; the share of Body left decides",
        "holds": "The last Turn is over; the holder has it",
        "unlocked": "The last Turn is over, and the door is open",
        "kept_shut": "The last Turn is over, and the door is shut",
    }[why]


def result(game: Game, end: Result) -> str:
    """The result in words."""
    return f"{name(end.winner)} wins. {ended(end.reason)}." if end.winner else f"A draw. {ended(end.reason)}."


__all__ = ["about", "ended", "label", "line", "name", "reason", "result", "speaker", "tableau", "value_label"]
