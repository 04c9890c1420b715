"""Morphyry in words: labels of offers, reasons, log lines, the tableau. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ...engine import HIDDEN, Choice, Event, Game, Offer, Question, Reason, Result, Roll, in_words, unknown_to
from .checks import current, techniques
from .hidden import hand_seen_by


def name(id: str) -> str:
    """The name of an avatar: its id as people write it."""
    return id.replace("_", " ").title()


def thing(id: str) -> str:
    """The name of a card, an action, an attribute, in the middle of a sentence."""
    return id.replace("_", " ")


def listed(items: Iterable[str], last: str = "and") -> str:
    """Several names in a row: a, b and c."""
    names = list(items)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}" if names else "nothing"


def counted(number: int, what: str) -> str:
    """So many of something: 1 tick, 2 ticks."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def points(number: int, of: str) -> str:
    """So many points of an attribute."""
    return f"{number} {of.title()}"


_ATTRIBUTE_CARDS: Final = {
    ("electra", 3): "Awareness",
    ("electra", 4): "Insight",
    ("electra", 5): "Brilliance",
    ("spiritum", 5): "Divinity",
}


def attribute_card(attribute: str, pips: int, ability: str = "") -> str:
    """MOR-CARD-2: the name of an attribute card; empty where none is known."""
    if (attribute, pips, ability) == ("corpus", 4, "healing"):
        return "Healing"
    return _ATTRIBUTE_CARDS.get((attribute, pips), "")


# Questions and offers


_ASKED: Final = {
    "plan": "Plan: change it?",
    "deploy": "Deploy: which card?",
    "speed": "Invoke Electra for Speed: how many points?",
    "spend": "Spend Speed on what?",
    "interrupt": "The action will fail: interrupt the technique?",
    "target": "Whom does it strike?",
    "move": "Move where?",
    "first turn": "Who begins",
    "drop": "Is the weapon dropped",
    "break": "Does the weapon break",
}


def about(game: Game, question: Question) -> str:
    """What a question asks."""
    text = _ASKED[question.about]
    if isinstance(question, Roll):
        whose = f"{name(question.who)}'s {thing(question.facts[0])}" if question.facts else name(question.who)
        return f"{text} ({whose})"
    if isinstance(question, Choice) and question.about in ("target", "interrupt", "move") and question.facts:
        return f"{text} ({thing(question.facts[0])})"
    return text


def label(game: Game, choice: Choice, offer: Offer) -> str:
    """An offer in words."""
    return value_label(game, choice, offer.value)


def value_label(game: Game, choice: Choice, value: Any) -> str:
    """An answer in words, also one that is refused."""
    if isinstance(value, str):
        return _WORDS[value]
    verb, what = value
    if verb == "tick":
        return _tick_label(game, choice.who, what)
    return _VERBS[verb](what)


_WORDS: Final = {
    "keep": "Keep the plan",
    "nothing": "Deploy nothing",
    "stop": "Stop, and let the rest of the Speed go",
    "fail": "Let it fail",
    "stay": "Stay here",
    "fall": "Fall (owed)",
    "ready": "Ready (owed)",
    "alternate_ready": "Alternate Ready (owed)",
}
_VERBS: Final[dict[str, Callable[[Any], str]]] = {
    "change": lambda card: f"Take {thing(card)} back into the hand",
    "deploy": lambda card: f"Deploy {thing(card)}",
    "utilise": lambda artifact: f"Utilise the {thing(artifact)}",
    "invoke": lambda number: f"Invoke {number}",
    "step": lambda cell: f"Step to {cell}",
    "move": lambda cell: f"Move to {cell}",
    "ready": lambda artifact: f"Ready the {thing(artifact)}",
    "pick_up": lambda artifact: f"Pick up the {thing(artifact)}",
    "interrupt": lambda card: f"Interrupt {thing(card)}",
    "target": lambda who: f"Strike {name(who)}",
}


def _tick_label(game: Game, who: str, place: int) -> str:
    technique = game.records[game.table.slots[who][place - 1]]
    action = current(game, technique)
    return f"Advance {thing(technique.card)}: {thing(action.name)}, tick {technique.ticks + 1} of {action.ticks}"


# Reasons


_REASONS: Final[dict[str, Callable[..., str]]] = {
    "needs_weapon": lambda action: f"{thing(action)} needs a ready weapon in hand",
    "needs_outside": lambda action, at: f"{thing(action)} works outside only, and {at} is inside",
    "needs_artifact": lambda action, artifact: f"{thing(action)} needs a ready {thing(artifact)}",
    "square_forbids": lambda action, square, at: f"the {thing(square)} on {at} rules {thing(action)} out",
    "call_unpaid": lambda action, due, of, pool: f"{thing(action)} calls for {points(due, of)}, {pool} left",
    "no_target": lambda action, reach: f"nobody is within {reach} for {thing(action)}",
    "inertia": lambda card, cost, speed, pool: (
        f"the inertia is too great: {thing(card)} costs {cost} Speed, {speed} in hand and {points(pool, 'electra')} left"
    ),
    "owed_first": lambda debt: f"{thing(debt).title()} is owed first",
    "jumping": lambda: "in the middle of a jump",
    "stepped": lambda times: f"stepped {counted(times, 'time')} this turn already",
    "driven": lambda: "the drive of the technique needs that Speed",
    "working": lambda: "a technique is in progress",
    "must_invoke": lambda least: f"at least {least} must be invoked",
    "drive_invokes": lambda least: f"the drive of the technique asks for {least}",
    "pool": lambda attribute, pool: f"the pool holds {points(pool, attribute)}",
    "taken": lambda cell, other: f"{name(other)} stands on {cell}" if other else f"{cell} is taken",
    "not_utilised": lambda artifact: f"the {thing(artifact)} is carried, not utilised",
    "utilised": lambda artifact: f"the {thing(artifact)} is utilised already",
    "one_weapon": lambda artifact: f"the {thing(artifact)} is in hand: one weapon at the most",
    "must_go_on": lambda card: f"{thing(card)} can go on: its next tick runs into nothing",
    "only_before_failure": lambda card: f"{thing(card)} can be interrupted only before it fails",
    "action_completed": lambda card: f"an action of {thing(card)} is completed",
    "no_other_card": lambda card: f"there is no other card in the hand than {thing(card)}",
    "prone": lambda: "prone: Fall and Ready come first",
    "in_play": lambda card: f"{thing(card)} is in play",
}


def reason(game: Game, why: Reason) -> str:
    """A reason in words."""
    return _REASONS[why.key](*why.facts)


# Log


def _readies(readies: int) -> str:
    return f", to be readied {counted(readies, 'time')}" if readies else ", ready at once"


def _opens(e: Event) -> str:
    return f"{listed(name(who) for who in e['figures'])} meet: {thing(e['scenario'])}"


def _seated(e: Event) -> str:
    cards = []
    for attribute, pips, ability in e["attributes"]:
        card = attribute_card(attribute, pips, ability)
        cards.append(f"{attribute.title()} {pips}" + (f" ({card})" if card else ""))
    hand = f"{counted(e['cards'], 'card')} in hand, "
    hidden = f"hidden: any of {e['pool']}" if e["hidden"] else "open to all"
    return f"{name(e['who'])} stands on {e['at']} with {listed(cards)}; {hand}{hidden}"


def _check(e: Event) -> str:
    return f"{name(e['who'])}'s {thing(e['action'])} is met with {points(e['points'], e['of'])}, {e['left']} left"


def _hurt(e: Event) -> str:
    armour = f" ({e['absorbed']} stopped by armour)" if e["absorbed"] else ""
    return (
        f"{name(e['who'])} takes {e['amount']} {e['type']}{armour}: {e['attribute'].title()} {e['rating']}, spirit {e['spirit']}"
    )


def _stops(e: Event) -> str:
    waits = f"; {listed(thing(card) for card in e['waits'])} waits" if e["waits"] else ""
    return f"{name(e['who'])} stops with {e['speed']} Speed in hand{waits}"


def _drop_roll(e: Event) -> str:
    outcome = f"dropped on {e['at']}" if e["dropped"] else "kept"
    return (
        f"{name(e['who'])} rolls {e['roll']} against {points(e['rating'], e['attribute'])}: the {thing(e['weapon'])} is {outcome}"
    )


def _break_roll(e: Event) -> str:
    return f"The {thing(e['weapon'])} rolls {e['roll']} against {e['figure']}: it {'breaks' if e['broken'] else 'holds'}"


def _pays_debt(e: Event) -> str:
    tick = f", tick {e['ticks']} of {e['of']}" if e["of"] > 1 else ""
    return f"{name(e['who'])} performs {thing(e['debt']).title()}{tick}"


def _ends(e: Event) -> str:
    return f"{ended(e['reason'])}: {name(e['winner']) + ' wins' if e['winner'] else 'a draw'}"


def _ruling(e: Event) -> str:
    edits = listed(f"{record} {field} = {value}" for record, field, value in e["edits"])
    return f"Ruling by {e['by']}: {edits} ({e['reason']})"


_LINES: Final[dict[str, Callable[[Event], str]]] = {
    "opens": _opens,
    "seated": _seated,
    "rolled_for_first": lambda e: f"{name(e['who'])} rolls {e['roll']} for the first turn",
    "tied_for_first": lambda e: f"{listed(name(who) for who in e['who'])} roll again",
    "goes_first": lambda e: f"{name(e['who'])} takes the first turn",
    "round": lambda e: f"--- Round {e['number']} ---",
    "turn": lambda e: f"{name(e['who'])}'s turn: Corpus {e['corpus']}, Electra {e['electra']}, Spiritum {e['spiritum']}",
    "heals": lambda e: f"{name(e['who'])} heals: Corpus {e['corpus']}",
    "takes_back": lambda e: f"{name(e['who'])} takes the side back into the hand: {listed(thing(card) for card in e['cards'])}",
    "changes_plan": lambda e: (
        f"{name(e['who'])} changes the plan for {points(e['electra'], 'electra')}: back goes {thing(e['card'])}"
    ),
    "deploys": lambda e: f"{name(e['who'])} deploys {thing(e['card'])} ({e['kind_of_card']})",
    "utilises": lambda e: f"{name(e['who'])} utilises the {thing(e['artifact'])}{_readies(e['readies'])}",
    "counter_ends": lambda e: f"{name(e['who'])}'s Counter ends",
    "driven": lambda e: (
        f"{thing(e['card']).capitalize()} drives {name(e['who'])} on: {counted(e['ticks'], 'tick')} at the least"
        f"{' once nothing is owed' if e['owes'] else ''}"
    ),
    "speed_modifier": lambda e: f"{name(e['who'])}'s Speed is modified by {e['amount']:+d}",
    "invokes": lambda e: (
        f"{name(e['who'])} invokes {points(e['points'], 'electra')}: Speed {e['speed']}, {e['left']} Electra left"
    ),
    "stops": _stops,
    "tick": lambda e: f"{thing(e['card']).capitalize()}: {thing(e['action'])} {'#' * e['ticks']}{'.' * (e['of'] - e['ticks'])}",
    "falls_short": lambda e: f"{name(e['who'])} falls short: {_REASONS[e['reason']](*e['facts'])}",
    "cannot_interrupt": lambda e: f"{thing(e['card']).capitalize()} cannot be interrupted: that would cost {e['cost']} Speed",
    "points_lost": lambda e: (
        f"All the same {points(e['points'], e['of'])} {'is' if e['points'] == 1 else 'are'} spent on {thing(e['action'])}"
    ),
    "check": _check,
    "state": lambda e: f"{name(e['who'])} is {listed(f'{thing(state)} (+{amount})' for state, amount in e['states'])}",
    "next_action": lambda e: f"Next of {thing(e['card'])}: {thing(e['action'])}",
    "enacted": lambda e: f"{thing(e['card']).capitalize()} is enacted and goes to the side",
    "interrupts": lambda e: f"{name(e['who'])} interrupts {thing(e['card'])} for {e['cost']} Speed",
    "steps": lambda e: f"{name(e['who'])} steps to {e['to']} for {points(e['points'], 'corpus')}",
    "readies": lambda e: (
        f"{name(e['who'])} readies the {thing(e['artifact'])}: {str(e['left']) + ' to go' if e['left'] else 'it is ready'}"
    ),
    "picks_up": lambda e: f"{name(e['who'])} picks up the {thing(e['artifact'])}{_readies(e['readies'])}",
    "pays_debt": _pays_debt,
    "stands": lambda e: f"{name(e['who'])} stands",
    "attacks": lambda e: f"{name(e['who'])}'s {thing(e['action'])} strikes at {name(e['target'])}",
    "strikes_air": lambda e: f"{name(e['who'])}'s {thing(e['action'])} strikes air",
    "countered": lambda e: f"{name(e['who'])}'s Counter meets the attack, which {'fails' if e['fails'] else 'misses'}",
    "counter": lambda e: (
        f"{name(e['who'])} holds a Counter against {listed((thing(tag) for tag in e['against']), 'or')}"
        f"{', in place of the one before' if e['replaced'] else ''}"
    ),
    "moves": lambda e: f"{name(e['who'])} moves to {e['to']}",
    "pushed": lambda e: f"{name(e['who'])} is pushed to {e['to']}",
    "not_pushed": lambda e: f"{name(e['who'])} cannot be pushed further",
    "given": lambda e: f"{name(e['who'])} has {thing(e['name'])} {e['amount']:+d} from {thing(e['card'])}",
    "fails": lambda e: f"{name(e['who'])}'s {thing(e['action'])} fails",
    "abandons": lambda e: f"{name(e['who'])} abandons {thing(e['card'])}; it goes to the side",
    "owes": lambda e: f"{name(e['who'])} owes {thing(e['debt']).title()}",
    "debt_replaced": lambda e: f"{name(e['who'])}'s Fall and Ready take the place of an Alternate Ready",
    "falls": lambda e: f"{name(e['who'])} falls",
    "prone": lambda e: f"{name(e['who'])} is prone, and owes Fall and Ready",
    "prone_already": lambda e: f"{name(e['who'])} lies prone already",
    "drop_roll": _drop_roll,
    "break_roll": _break_roll,
    "hurt": _hurt,
    "holds": lambda e: f"{name(e['who'])} holds the {thing(e['square'])}: {e['holds']} of {e['times']}",
    "collapse": lambda e: f"The walls come down on {name(e['who'])} at {e['at']}",
    "speed_lost": lambda e: f"{name(e['who'])} loses {e['speed']} unspent Speed",
    "dies": lambda e: f"{name(e['who'])} dies",
    "concedes": lambda e: f"{name(e['who'])} concedes and leaves",
    "ends": _ends,
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
    return str(game.table.side.get(event.facts.get("who"), "")) if isinstance(event.facts.get("who"), str) else ""


def ended(why: str) -> str:
    """How an encounter ended."""
    return {
        "objective": "The objective is met",
        "round_limit": "The last round is over; spirit points decide",
        "last_standing": "At most one side is left",
    }[why]


def result(game: Game, end: Result) -> str:
    """The result in words."""
    return f"{name(end.winner)} wins. {ended(end.reason)}." if end.winner else f"A draw. {ended(end.reason)}."


# Tableau


def tableau(game: Game, seat: str) -> list[str]:
    """The table as a seat sees it: avatars with their numbers and cards, then the board."""
    lines = [f"Round {game.round}"]
    unknown = unknown_to(game, seat)
    for who in game.table.order:
        if who not in unknown:
            lines += _avatar_lines(game, who, seat)
    return [*lines, *_board_lines(game)]


def _avatar_lines(game: Game, who: str, seat: str) -> list[str]:
    record = game.records[who]
    if record.out and record.out != HIDDEN:
        return [f"{name(who)} {'is dead' if record.out == 'dead' else 'has left'}"]
    numbers = "  ".join(
        f"{attribute.title()} {getattr(record, attribute + '_pool')}/{getattr(record, attribute)}"
        for attribute in ("corpus", "electra", "spiritum")
    )
    on = "hides on" if record.out else "on"
    lines = [f"{name(who):<10} {on} {record.at}  {numbers}  Speed {record.speed}  spirit {record.spirit}"]
    for technique in techniques(game, who):
        sheet = game.table.techniques[technique.card]
        shown = []
        for place, action in enumerate(sheet.actions):
            done = action.ticks if place < technique.action else technique.ticks if place == technique.action else 0
            shown.append(f"{thing(action.name)} {'#' * done}{'.' * (action.ticks - done)}")
        states = f"  ({', '.join(f'{thing(state)} +{amount}' for state, amount in technique.states)})" if technique.states else ""
        lines.append(f"    in play   {thing(technique.card)}: {' > '.join(shown)}{states}")
    hand = hand_seen_by(game, who, seat)
    lines.append(f"    hand      {hand if isinstance(hand, str) else listed(thing(card) for card in hand)}")
    if record.aside:
        lines.append(f"    side      {listed(thing(card) for card in record.aside)}")
    if record.artifacts:
        lines.append(f"    artifacts {listed(_artifact(held) for held in record.artifacts)}")
    notes = []
    if record.prone:
        notes.append("prone")
    if record.debts:
        notes.append(f"owes {listed(thing(debt) for debt in record.debts)}")
    if record.counter:
        notes.append(f"Counter against {listed((thing(tag) for tag in record.counter), 'or')}")
    notes += [f"{thing(effect.applies[0])} {effect.amount:+d} ({thing(effect.source)})" for effect in record.effects]
    if notes:
        lines.append(f"    {'; '.join(notes)}")
    return lines


def _artifact(held: Any) -> str:
    if not held.utilised:
        return f"{thing(held.id)} (carried)"
    return f"{thing(held.id)} ({held.readies} to ready)" if held.readies else thing(held.id)


def _board_lines(game: Game) -> list[str]:
    table = game.table
    on = {game.records[who].at: name(who) for who in table.order if not game.records[who].out}
    lying: dict[str, list[str]] = {}
    for cell, artifact in game.records["ground"].lying:
        lying.setdefault(cell, []).append(thing(artifact))
    cells = table.grid.cells
    texts = [_cell_texts(table, cell, on, lying) for cell in cells]
    width = 2 + max(len(line) for text in texts for line in text)
    columns = table.grid.columns
    lines = ["    " + "".join(chr(97 + column).ljust(width) for column in range(columns)).rstrip()]
    for row in range(table.grid.rows):
        beside = texts[row * columns : (row + 1) * columns]
        for place in range(max(map(len, beside))):
            parts = "".join((text[place] if place < len(text) else "").ljust(width) for text in beside)
            lines.append(f"{row + 1 if place == 0 else ' '}   {parts}".rstrip())
    return lines


def _cell_texts(table: Any, cell: str, on: dict[str, str], lying: dict[str, list[str]]) -> list[str]:
    square = table.squares[cell]
    sky = "=" if square.mark == "inside" else "~"
    figure = [f"  @ {on[cell]}"] if cell in on else []
    return [f"{sky} {thing(square.id)}", *figure, *(f"  * {artifact}" for artifact in lying.get(cell, ()))]
