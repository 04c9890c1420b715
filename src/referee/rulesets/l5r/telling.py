"""The lines of the log in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...engine import Event, Line, in_words
from .naming import dice_row, face, listed, name, proper, side_name, state_name, thing, title, verb_with
from .phrases import VERBS, effect_words, rounds_left, row_words, weapon_words


def _who(e: Event) -> str:
    return name(e["who"])


def _opens(e: Event) -> str:
    objective = f", {thing(e['objective'])}" if e["objective"] else ""
    return f"{e['scenario']}: {listed(name(who) for who in e['figures'])}{objective}"


def _seated(e: Event) -> str:
    return (
        f"{_who(e)} stands ready: endurance {e['endurance']}, composure {e['composure']}, focus {e['focus']}, "
        f"vigilance {e['vigilance']}, {e['void']} Void"
    )


def _check(e: Event) -> str:
    what = proper(e["technique"]) if e["technique"] else _CHECKS.get(e["purpose"]) or title(e["purpose"])
    toward = "of" if e["purpose"] == "guard" else "against"
    if e["purpose"] == "end":
        what, toward = _ENDING.get(e["source"], f"Ending the condition {state_name(e['source'])}"), "of"
    targets = f" {toward} {listed(name(who) for who in e['targets'])}" if e["targets"] else ""
    tn = f"TN {e['tn']}{_made_of(e['parts'], e['tn'])}"
    return f"{_who(e)}: {what}{targets}, {title(e['skill'])} ({e['ring'].title()}), {tn}"


_CHECKS: Final = {
    "resist": "Resisting the critical strike",
    "withstand": "Withstanding the blow",
    "sober": "Sobering up",
    "one_roll": "The one roll",
}
_ENDING: Final = {
    "bleeding": "Tending the bleeding",
    "burning": "Putting out the fire",
    "dying": "Treating the mortal wound",
    "enraged": "Calming the rage",
}


def _made_of(parts: tuple[Line, ...], result: int) -> str:
    """What a number is made of: its base and what raises and lowers it; empty where it is the base alone."""
    if not parts:
        return ""
    (first, source, _), *more = parts
    base = f"vigilance {first}" if source == "vigilance" else "unmasked" if source == "unmasked" else f"base {first}"
    changes = [f"{_WHYS.get(rule) or state_name(why)} {amount:+d}" for amount, why, rule in more]
    floor = [f"at least {result}"] if sum(each[0] for each in parts) < result else []
    return f": {', '.join([base, *changes, *floor])}"


_WHYS: Final = {
    "L5R-OPP-21": "harried", "L5R-OPP-22": "exposed", "L5R-OPP-42": "sheltered", "L5R-ACT-12": "guarded",
    "L5R-STN-1": "Air stance", "L5R-OPP-15": "softened", "L5R-TEC-8": "Striking as Fire",
}  # fmt: skip


def _keeps(e: Event) -> str:
    dropped = f"; drops {dice_row(e['dropped'])}" if e["dropped"] else ""
    return f"{_who(e)} keeps {dice_row(e['dice'])}{dropped}"


def _rerolls(e: Event) -> str:
    whose = f" of {name(e['chooser'])}" if e["chooser"] != e["who"] else ""
    why = f"({proper(e['trait'])}{whose})"
    if not e["faces"]:
        return f"Nothing of {_who(e)} is rolled again {why}"
    return f"{_who(e)} rolls {' '.join(face(each) for each in e['faces'])} again {why}"


def _follow_up(e: Event) -> str:
    explode = "explodes" if len(e["exploded"]) == 1 else "explode"
    barred = f"; {' '.join(face(each) for each in e['barred'])} may not be kept by the Compromised" if e["barred"] else ""
    return f"{' '.join(face(each) for each in e['exploded'])} {explode}: {dice_row(e['dice'])}{barred}"


def _opportunity(e: Event) -> str:
    words = row_words(e["row"], e["amount"], e["target"], e["who"])
    price = f"{e['cost']} {'opportunity' if e['cost'] == 1 else 'opportunities'}"
    return f"{_who(e)} spends {price}: {words[:1].lower()}{words[1:]}"


def _strife(e: Event) -> str:
    return f"{_who(e)} gains {e['amount']} strife ({thing(e['why'])}): {e['strife']}"


def _calms(e: Event) -> str:
    return f"{_who(e)} loses {e['amount']} strife ({thing(e['why'])}): {e['strife']}"


def _acts(e: Event) -> str:
    verb, *rest = e["action"]
    if verb in VERBS and (rest or verb in ("calming_breath", "wait", "nothing")):
        return f"{_who(e)} acts: {VERBS[verb](*rest)}"
    if len(rest) > 1:
        how = {"draw": ", readying it", "stow": ", stowing it after"}[rest[2]] if len(rest) > 2 else ""
        return f"{_who(e)} acts: {verb_with(proper(verb), name(rest[0]), weapon_words(rest[1]))}{how}"
    return f"{_who(e)} acts: {proper(verb)}{f' on {name(rest[0])}' if rest else ''}"


def _effect(e: Event) -> str:
    return f"{_who(e)}: {effect_words(e['name'], e['amount'], e['applies'], e['source'], e['who'])}"


def _damage(e: Event) -> str:
    reduced = f", {e['left']} after resistance" if e["left"] != e["amount"] else ""
    return f"{_who(e)} is hit for {e['amount']} ({thing(e['cause'])}){reduced}"


def _settles(e: Event) -> str:
    ended = f", no longer {listed(state_name(each) for each in e['ended'])}" if e["ended"] else ""
    return f"After the scene: {_who(e)}, strife {e['strife']}, fatigue {e['fatigue']}{ended}"


def _ends(e: Event) -> str:
    how = {
        "objective": "the objective is met",
        "both": "both have met the objective",
        "conceded": "the other side has conceded",
        "both_conceded": "both have conceded",
        "max_rounds": "the last round is over",
        "beaten": "at most one side is left",
        "one_roll": "one roll has decided",
        "cheated": "the other was caught cheating",
    }[e["reason"]]
    return f"The scene ends, {how}: {_winner(e['winner']) if e['winner'] else 'a draw'}"


def _winner(side: str) -> str:
    words = side_name(side)
    return f"{words[:1].lower() + words[1:] if side in ('first', 'second') else words} wins"


def _handles(e: Event) -> str:
    how = {
        "1h": "holds the {} in one hand",
        "2h": "holds the {} in two hands",
        "stowed": "stows the {}",
        "dropped": "drops the {}",
    }
    return f"{_who(e)} {how[e['state']].format(thing(e['item']))}"


def _critical(e: Event) -> str:
    by = f" by {name(e['source'])}" if e["source"] else ""
    how = f" ({thing(e['cause'])})" if e["cause"] != "critical" else ""
    made_of = _made_of(e.facts.get("parts", ()), e["severity"])
    return f"A critical strike on {_who(e)}{by}{how}: severity {e['severity']}{made_of}"


def _dying(e: Event) -> str:
    left = " left to live" if e["rounds"] else ""
    return f"{_who(e)} is dying: {rounds_left(e['rounds'], _who(e))}{left}"


def _turn_order(e: Event) -> str:
    order = ", ".join(f"{name(who)} {number}" for who, number in zip(e["order"], e["initiative"], strict=True))
    return f"Order of turns (initiative): {order}{' (tied: the lower honour is first)' if e['by_honour'] else ''}"


def _breathes(e: Event) -> str:
    idle = "" if e["calms"] or e["rests"] else ", without effect: neither strife nor fatigue is above half"
    return f"{_who(e)} takes a calming breath{idle}"


def _stance(e: Event) -> str:
    verb = "chooses" if e.facts.get("open") else "keeps" if e.facts.get("kept") else "takes"
    return f"{_who(e)} {verb} the {e['stance'].title()} stance"


def _void_for(why: str) -> str:
    return _VOID_FOR.get(why) or proper(why)


_VOID_FOR: Final = {
    "seize": "to seize the moment",
    "refuse": "to refuse to defend",
    "wake": "to wake up",
    "parry": "Shattering Parry",
}

_ROWS_OF_RESULT: Final = {
    "armour": "is not harmed",
    "light": "suffers a light wound",
    "severe": "suffers a severe wound",
    "serious": "is scarred, and bleeds",
    "grave": "is gravely scarred, and bleeds",
    "dying_3": "is struck down",
    "dying_1": "is struck down",
    "death": "is slain",
}


def _waits(e: Event) -> str:
    near = f" {e['near']}" if e["near"] else ""
    return f"{_who(e)} waits to {thing(e['action'])}: {thing(e['event'])}{near}, {name(e['whom'])}"


def _ruling(e: Event) -> str:
    edits = listed(f"{record} {field} = {value}" for record, field, value in e["edits"])
    return f"Ruling by {e['by']}: {edits} ({e['reason']})"


LINES: Final[dict[str, Callable[[Event], str]]] = {
    "opens": _opens,
    "seated": _seated,
    "round": lambda e: f"--- Round {e['number']} ---",
    "initiative_order": lambda e: f"Initiative is rolled in this order: {listed(name(who) for who in e['order'] or ())}",
    "initiative": lambda e: f"{_who(e)}'s initiative is {e['initiative']}",
    "initiative_changes": lambda e: f"{_who(e)}'s initiative changes by {e['amount']:+d}: {e['initiative']}",
    "turn_order": _turn_order,
    "tie": lambda e: f"Chance ({e['roll']}) puts {_who(e)} first",
    "turn": lambda e: f"{_who(e)}'s turn: strife {e['strife']}, fatigue {e['fatigue']}",
    "no_turn": lambda e: f"{_who(e)} can take no turn",
    "stance": _stance,
    "acts": _acts,
    "waits_idle": lambda e: f"{_who(e)} does nothing",
    "check": _check,
    "rolled": lambda e: f"{_who(e)} rolls {dice_row(e['dice'])}, keeps up to {e['limit']}",
    "rerolls": _rerolls,
    "rerolled": lambda e: f"{_who(e)} rolls {dice_row(e['dice'])}",
    "replaces": lambda e: f"{_who(e)} replaces {face(e['old'][1])} by a reserved {face(e['face'])}",
    "reserve_used_up": lambda e: f"{_who(e)}'s reserve for {title(e['skill'])} is used up",
    "reserves": lambda e: f"{_who(e)} reserves {' '.join(face(each) for each in e['faces']) or 'nothing'} ({title(e['skill'])})",
    "keeps": _keeps,
    "alters": lambda e: f"{_who(e)} sets {face(e['old'])} to {face(e['face'])}",
    "adds_die": lambda e: f"{_who(e)} {'may not keep the added' if e['barred'] else 'adds a kept'} {face(e['face'])}",
    "follow_up": _follow_up,
    "follow_up_kept": lambda e: f"{_who(e)} keeps {face(e['face'])}",
    "follow_up_dropped": lambda e: f"{_who(e)} drops {face(e['face'])}",
    "assists": lambda e: f"{_who(e)} assists {name(e['whom'])} with a {e['die']} die",
    "will_assist": lambda e: f"{_who(e)} will assist {name(e['whom'])}",
    "applies": lambda e: f"{title(e['trait'])} of {name(e['owner'])} applies ({e['kind_of_trait']})",
    "cancel": lambda e: f"{title(e['good'])} and {thing(e['bad'])} cancel each other",
    "no_strife": lambda e: f"{_who(e)} gains no strife in the Void stance",
    "strife": _strife,
    "hidden_strife": _strife,
    "calms": _calms,
    "compromised": lambda e: f"{_who(e)} is Compromised: strife {e['strife']}, composure {e['composure']}",
    "composed": lambda e: f"{_who(e)} is composed again: strife {e['strife']}, composure {e['composure']}",
    "afflicted": lambda e: f"The affliction stirs in {_who(e)} ({e['ring'].title() or 'no stance'})",
    "opportunity": _opportunity,
    "opportunity_lost": lambda e: f"{e['amount']} opportunities of {_who(e)} are lost",
    "succeeds": lambda e: f"{_who(e)} succeeds: {e['total']} against {e['tn']}, bonus {e['bonus']}",
    "fails": lambda e: f"{_who(e)} fails: {e['total']} against {e['tn']}",
    "broken_off": lambda e: f"{_who(e)}'s check is broken off",
    "spends_void": lambda e: f"{_who(e)} spends a Void point ({_void_for(e['why'])}): {e['void']} left",
    "gains_void": lambda e: f"{_who(e)} gains a Void point ({thing(e['why'])}): {e['void']}",
    "void_full": lambda e: f"{_who(e)} can hold no further Void point ({thing(e['why'])})",
    "attacks": lambda e: f"{_who(e)} attacks {name(e['target'])}: {proper(e['technique'])} with {weapon_words(e['weapon'])}",
    "finishing_blow": lambda e: f"{_who(e)} may make a finishing blow against {name(e['target'])}",
    "no_finishing_blow": lambda e: f"No second finishing blow for {_who(e)} against {name(e['target'])}",
    "cannot_strike": lambda e: f"{_who(e)} is in no state for a finishing blow",
    "blow_lost": lambda e: f"{_who(e)} lets the finishing blow pass",
    "finishing_hit": lambda e: f"{_who(e)}'s finishing blow hits {name(e['target'])}: severity {e['severity']}",
    "strikes_true": lambda e: f"{_who(e)} strikes true: a critical strike of severity {e['severity']}",
    "bites_deeper": lambda e: f"{_who(e)} cannot withstand it: {e['amount']} more",
    "damage": _damage,
    "undefended": lambda e: f"{_who(e)} cannot defend",
    "no_critical_yet": lambda e: f"{_who(e)} has still defended: no critical strike yet",
    "fatigue": lambda e: f"{_who(e)} suffers {e['amount']} fatigue ({thing(e['why'])}): {e['fatigue']}",
    "rests": lambda e: f"{_who(e)} loses {e['amount']} fatigue ({thing(e['why'])}): {e['fatigue']}",
    "incapacitated": lambda e: f"{_who(e)} is Incapacitated",
    "recovers": lambda e: f"{_who(e)} is no longer Incapacitated",
    "falls": lambda e: f"{_who(e)} is {'killed' if e['killed'] else 'defeated'}",
    "critical": _critical,
    "adjusts": lambda e: f"{_who(e)} changes the severity by {e['amount']:+d} ({proper(e['why'])}): {e['severity']}",
    "final_severity": lambda e: f"{_who(e)} {'resists' if e['resisted'] else 'fails to resist'}: final severity {e['severity']}",
    "result": lambda e: f"{_who(e)} {_ROWS_OF_RESULT[e['row']]}",
    "parries": lambda e: f"{_who(e)} parries with the {thing(e['weapon'])} (Shattering Parry): all dice are rolled again",
    "scar": lambda e: f"{_who(e)} bears a scar: {thing(e['scar'])}",
    "scar_kept": lambda e: f"{_who(e)} has that scar already: {thing(e['scar'])}",
    "scar_again": lambda e: f"{_who(e)} is struck where there is a scar: {thing(e['scar'])}",
    "dying": _dying,
    "dies": lambda e: f"{_who(e)} dies",
    "condition": lambda e: f"{_who(e)} is {state_name(e['condition'])}{' still' if e['again'] else ''}",
    "condition_ends": lambda e: f"{_who(e)} is no longer {state_name(e['condition'])}",
    "bleeds": lambda e: f"{_who(e)} bleeds",
    "item_harmed": lambda e: f"{_who(e)}'s {thing(e['item'])} {'are' if e['item'].endswith('s') else 'is'} {e['harm']}",
    "durable": lambda e: f"{_who(e)}'s {thing(e['item'])} is durable and holds, this once",
    "handles": _handles,
    "effect": _effect,
    "unmasks": lambda e: f"{_who(e)} unmasks: strife {e['strife']} becomes 0",
    "loses_honour": lambda e: f"{_who(e)} loses {e['amount']} honour ({thing(e['why'])}): {e['honour']}",
    "loses_glory": lambda e: f"{_who(e)} loses {e['amount']} glory ({thing(e['why'])}): {e['glory']}",
    "gains_glory": lambda e: f"{_who(e)} gains {e['amount']} glory ({thing(e['why'])}): {e['glory']}",
    "bids": lambda e: f"{_who(e)} bids {e['points']}",
    "bids_nothing": lambda e: f"{_who(e)} may not bid",
    "breathes": _breathes,
    "centers": lambda e: f"{_who(e)} centers on {title(e['skill'])}: {' '.join(face(each) for each in e['faces'])}",
    "predicts": lambda e: f"{_who(e)} notes a ring in secret",
    "reveals": lambda e: f"{_who(e)} has foreseen {e['ring'].title()}: {name(e['target'])} must choose another stance",
    "prediction_lapses": lambda e: f"{_who(e)}'s prediction lapses",
    "moves": lambda e: f"{_who(e)} moves from {e['came']} to {e['to']}",
    "accepts": lambda e: f"{_who(e)} accepts the challenge of {name(e['whom'])}",
    "declines": lambda e: f"{_who(e)} declines the challenge of {name(e['whom'])}",
    "clash": lambda e: f"Clash of {_who(e)} and {name(e['foe'])}, round {e['round']}",
    "clash_goes_on": lambda e: f"The clash of {_who(e)} and {name(e['foe'])} goes on",
    "clash_ends": lambda e: f"The clash of {_who(e)} and {name(e['foe'])} is over",
    "wins_clash": lambda e: f"{_who(e)} wins the clash against {name(e['loser'])}",
    "in_clash": lambda e: f"{_who(e)} is in a clash and takes no turn",
    "waits": _waits,
    "wait_ends": lambda e: f"{_who(e)} waits no longer",
    "ripostes": lambda e: f"{_who(e)} strikes back at {name(e['target'])}",
    "redirects": lambda e: f"{_who(e)} draws the attack on {name(e['target'])} on itself",
    "uses": lambda e: f"{_who(e)} uses {proper(e['technique'])}",
    "arrives": lambda e: f"{_who(e)} arrives",
    "learns_trait": lambda e: f"{side_name(e['side'])} knows: {_who(e)} has {thing(e['trait'])}",
    "nothing_to_learn": lambda e: f"{_who(e)} learns nothing new of {name(e['target'])}",
    "senses": lambda e: f"{_who(e)} senses {name(e['target'])}: strife {e['strife']} of {e['composure']}",
    "studies": lambda e: f"{_who(e)} studies {name(e['target'])}: {listed(thing(each) for each in e['armour'])}",
    "discovers": lambda e: f"{side_name(e['side'])} discovers position {e['at']}: {listed(e['qualities'])}",
    "falls_far": lambda e: f"{_who(e)} falls {e['bands']} bands",
    "rules": lambda e: f"By ruling: {_who(e)}, {thing(e['name'])} {listed(map(str, e['facts'])) if e['facts'] else ''}".rstrip(),
    "compares": lambda e: f"The one roll goes to {listed(name(who) for who in e['winners'])}",
    "settles": _settles,
    "scored": lambda e: "Points: " + ", ".join(f"{name(who)} {points}" for who, points in e["points"]),
    "concedes": lambda e: f"{side_name(e['side'])} concedes",
    "ends": _ends,
    "passed": lambda e: f"{_who(e)} lets it pass",
    "ruling": _ruling,
    "lurks": lambda e: f"{_who(e)} begins in hiding at position {e['at']}",
    "hides": lambda e: in_words(e, _who(e)),
    "comes_out": lambda e: in_words(e, _who(e)),
}
