"""What every ruleset must satisfy, checked on random encounters: at every question, or on the whole of one.

`AT_A_QUESTION` and `ON_THE_WHOLE` name the checks; `check` runs one of them. A check that fails raises `Broken`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import msgspec

from ..content import parse_rules, registry
from ..dice import Stream
from ..engine import (
    Choice,
    Content,
    Encounter,
    IllegalAnswer,
    Offer,
    RefereeError,
    Roll,
    Ruleset,
    Together,
    Unseen,
    View,
    compare,
)
from ..engine.game import EVERYBODY
from ..engine.records import check_flat
from ..engine.transcript import read
from .matching import text_form
from .perft import children
from .wandering import NODES, answer_at_random, asks, play_on, state

LONG: Final = int(os.environ.get("REFEREE_LONG") or 1)
"""How many times the usual number of encounters is played."""
_AHEAD = 8  # questions played on from a state
_FORKS = 40  # offers of one question that are tried
_WORLDS = 3  # imagined encounters for each seat


class Broken(AssertionError):
    """A property that does not hold: where, and how."""


def check(name: str, content: Content, seed: int) -> int:
    """Runs a check on one random encounter; returns how many states it looked at. Broken if the property fails."""
    rng = Stream.named(seed, "conformance", name)
    if name in ON_THE_WHOLE:
        with _telling(name, content, seed, None):
            ON_THE_WHOLE[name](content, seed, rng)
        return 1
    function, every = AT_A_QUESTION[name]
    encounter = Encounter.start(content, seed)
    looked = number = 0
    while encounter.question is not None:
        if (number + seed) % every == 0:
            with _telling(name, content, seed, encounter):
                function(encounter, rng)
            looked += 1
        with _telling(name, content, seed, encounter):
            answer_at_random(encounter, rng)
        number += 1
        if number > NODES:
            raise Broken(f"{content.scenario.id}, seed {seed}: no end after {NODES} questions: {encounter.where}")
    return looked


@contextlib.contextmanager
def _telling(name: str, content: Content, seed: int, encounter: Encounter | None) -> Iterator[None]:
    where = "" if encounter is None else f", question {encounter.nodes + 1}, at {encounter.where}"
    try:
        yield
    except Broken as broken:
        raise Broken(f"{name}: {content.scenario.id}, seed {seed}{where}: {broken}") from None
    except RefereeError as error:
        raise Broken(f"{name}: {content.scenario.id}, seed {seed}{where}: {error}") from error


def _must(holds: bool, why: str) -> None:
    if not holds:
        raise Broken(why)


# At a question


def saves(encounter: Encounter, rng: Stream) -> None:
    """Save, load and continue equals continue."""
    data = encounter.save()
    loaded = Encounter.load(data, encounter.content)
    kept = encounter.fork()
    _must(loaded.save() == data, "a loaded encounter saves differently")
    for _ in range(_AHEAD):
        _must(loaded.key() == kept.key(), "a loaded encounter goes on to another state")
        _must(asks(loaded) == asks(kept), "a loaded encounter asks differently")
        if kept.question is None:
            break
        seat, value = answer_at_random(kept, rng)
        loaded.answer(value, seat)
    _must(msgspec.json.encode(loaded.events()) == msgspec.json.encode(kept.events()), "a loaded encounter logs differently")


def forks(encounter: Encounter, rng: Stream) -> None:
    """A fork that is played on leaves its parent as it was, and a parent its fork."""
    _shareable(encounter.content.ruleset)
    before = state(encounter)
    ahead, kept = encounter.fork(), encounter.fork()
    play_on(ahead, rng, _AHEAD)
    _must(state(encounter) == before, "playing on a fork has changed its parent")
    _must(state(kept) == before, "playing on a fork has changed another fork")


@cache
def _shareable(ruleset: Ruleset) -> None:
    """Records and frames hold nothing that can be changed in place: forks share them."""
    for kind in (*ruleset.records, *ruleset.frames):
        try:
            check_flat(kind)
        except TypeError as wrong:
            raise Broken(str(wrong)) from None


def keeps_secrets(encounter: Encounter, rng: Stream) -> None:
    """Worlds that a seat can imagine look the same to it, and go on to do so as long as it learns nothing."""
    for seat, facts in encounter.game.seats.items():
        if facts.role == "gm":
            continue
        for _ in range(_WORLDS):
            imagined = encounter.imagine(seat, rng)
            game = encounter.game
            if game.branches is None and not game.unseen and game.ruleset.certain(game, seat):
                _must(imagined.key() == encounter.key(), f"`certain` denies that {seat} could imagine anything else")
            imagined.game.events, imagined.game.logged = [], 0
            _play_alike(encounter, imagined, seat, rng)


def _play_alike(encounter: Encounter, imagined: Encounter, seat: str, rng: Stream) -> None:
    real = encounter.fork()
    # The imagined encounter has its rolls asked; so must the real one, or it would draw them.
    real.game.dice = None
    real.game.events, real.game.logged = [], 0
    learned = _learned(real, seat), _learned(imagined, seat)
    if _seen(real, seat) != _seen(imagined, seat):
        raise Broken(f"{seat} sees a difference to what it could imagine: {_parts(real, imagined, seat)}")
    for _ in range(_AHEAD):
        if isinstance(real.question, Together) or real.question is None:
            return
        said, value = answer_at_random(real, rng)
        try:
            imagined.answer(value, said)
        except IllegalAnswer:
            _must(said != seat, f"{seat} may answer {value!r}, but not in a world that it imagines")
            return
        if learned != (_learned(real, seat), _learned(imagined, seat)):
            return
        if _seen(real, seat) != _seen(imagined, seat):
            how = "; if this is how it comes to know, the step must say so by game.reveal"
            raise Broken(f"after {text_form(value)!r} {seat} sees a difference: {_parts(real, imagined, seat)}{how}")
        ours = msgspec.json.encode([_undeep(each) for each in real.events_for(seat)])
        theirs = msgspec.json.encode([_undeep(each) for each in imagined.events_for(seat)])
        _must(ours == theirs, f"after {text_form(value)!r} {seat} reads another log: {ours!r} and {theirs!r}")


def _learned(encounter: Encounter, seat: str) -> int:
    learned = encounter.game.learned
    return learned.get(seat, 0) + learned.get(EVERYBODY, 0)


def _undeep(event: Any) -> Any:
    return (event.kind, event.facts, event.rules)


def _view(encounter: Encounter, seat: str) -> View:
    view = encounter.view(seat)
    # What others have sealed is gone from an imagined encounter, so they are asked again.
    return msgspec.structs.replace(view, asked=(), sealed=()) if isinstance(encounter.question, Together) else view


def _seen(encounter: Encounter, seat: str) -> tuple[bytes, bytes]:
    return _view(encounter, seat).bytes(), asks(encounter, seat)


def _parts(real: Encounter, imagined: Encounter, seat: str) -> str:
    """What of a view differs."""
    ours, theirs = _view(real, seat), _view(imagined, seat)
    for id, fields in ours.records.items():
        for name, value in fields.items():
            other = theirs.records.get(id, {}).get(name)
            if msgspec.json.encode(value) != msgspec.json.encode(other):
                shown = [each.shown if isinstance(each, Unseen) else each for each in (value, other)]
                return f"{id}.{name}: {shown[0]!r} and {shown[1]!r}"
    for name in ("agenda", "asked", "about", "round", "result", "underway"):
        if getattr(ours, name) != getattr(theirs, name):
            return f"{name}: {getattr(ours, name)!r} and {getattr(theirs, name)!r}"
    return f"the question: {asks(real, seat)!r} and {asks(imagined, seat)!r}"


def offers_are_legal(encounter: Encounter, rng: Stream) -> None:
    """Every offer is accepted, no refusal is; each refusal has its reasons."""
    before = state(encounter)
    for seat in encounter.asked():
        shown = encounter.offers(seat)
        values = [each.value for each in shown]
        _must(len(set(map(repr, values))) == len(values), f"two offers of one value: {values}")
        for each in shown if len(shown) <= _FORKS else rng.sample(shown, _FORKS):
            try:
                encounter.fork().answer(each, seat)
            except IllegalAnswer as refused:
                raise Broken(f"{text_form(each.value)!r} is on offer to {seat}, but: {refused}") from None
            numbers = encounter.breakdown(each)
            _must(all(type(line[0]) is int for number in numbers for line in number.lines), f"no whole numbers: {numbers}")
        for refusal in encounter.refusals(seat):
            _must(bool(refusal.reasons), f"{text_form(refusal.value)!r} is refused without a reason")
            _must(bool(refusal.rules), f"{text_form(refusal.value)!r} is refused by no rule")
            with contextlib.suppress(IllegalAnswer):
                encounter.fork().answer(refusal.value, seat)
                raise Broken(f"{text_form(refusal.value)!r} is refused to {seat}, but accepted")
    _must(state(encounter) == before, "looking at offers has changed something")


def siblings_agree(encounter: Encounter, rng: Stream) -> None:
    """Of all answers to a question and the answers to what follows: equal keys ask equal questions."""
    ahead = encounter.fork(log=False)
    ahead.game.dice = None
    known: dict[bytes, bytes] = {}
    first = children(ahead)
    if len(first) > _FORKS:
        first = list(rng.sample(first, _FORKS))
    second = [each for child in first[:6] for each in children(child)[:6]]
    for each in (*first, *second):
        told = known.setdefault(each.key(), asks(each))
        _must(told == asks(each), f"equal keys ask differently: {told!r} and {asks(each)!r} at {each.where}")


def has_words(encounter: Encounter, rng: Stream) -> None:
    """Everything can be said: labels (no two alike), reasons, lines, the question, the tableau."""
    game, words = encounter.game, encounter.content.ruleset.words
    if isinstance(encounter.question, Roll | Choice):
        _must(bool(str(words.about(game, encounter.question))), "the question has no words")
    for seat in encounter.asked():
        labels = [each.label for each in encounter.offers(seat)]
        twice = sorted({each for each in labels if labels.count(each) > 1})
        _must(not twice, f"several offers have one label: {', '.join(twice)}")
        _must(all(labels), "an offer has no label")
        for refusal in encounter.refusals(seat):
            _must(
                bool(str(words.label(game, encounter.choice(seat), Offer(refusal.value, refusal.group)))),
                "a refusal has no label",
            )
            for reason in refusal.reasons:
                _must(bool(str(words.reason(game, reason))), f"the reason {reason.key} has no words")
    for event in encounter.events()[-12:]:
        _must(bool(encounter.line(event)), f"the event {event.kind} has no words")
    for name, seat_facts in game.seats.items():
        _must(words.tableau(game, name) is not None, f"{name} sees no tableau")
        if seat_facts.role == "player":
            _must(type(encounter.content.ruleset.worth(game, name)) is int, "a worth is a whole number")


def cites_statements(encounter: Encounter, rng: Stream) -> None:
    """Every rule id that is cited is a statement of the game's rules."""
    known = _ids((registry.folder(encounter.content.ruleset) / "rules.md").read_text(encoding="utf-8"))
    cited = {rule for event in encounter.events()[-12:] for rule in event.rules}
    for seat in encounter.asked():
        cited.update(rule for refusal in encounter.refusals(seat) for rule in refusal.rules)
        for shown in encounter.offers(seat):
            cited.update(shown.rules)
            cited.update(line[2] for number in encounter.breakdown(shown) for line in number.lines)
    unknown = sorted(cited - known)
    _must(not unknown, f"no such statement: {', '.join(unknown)}")


@cache
def _ids(text: str) -> frozenset[str]:
    return frozenset(parse_rules(text).statements)


def can_be_conceded(encounter: Encounter, rng: Stream) -> None:
    """Any player may concede at any question, once, and the others play on."""
    ruleset = encounter.content.ruleset
    if ruleset.concede is None:
        return
    before = state(encounter)
    for seat, facts in encounter.game.seats.items():
        ahead = encounter.fork()
        may = facts.role == "player" and not ruleset.conceded(encounter.game, seat)
        try:
            ahead.concede(seat)
        except IllegalAnswer as refused:
            _must(not may, f"{seat} cannot concede: {refused}")
            continue
        _must(may, f"{seat} concedes what is not its to concede")
        _must(ahead.result is not None or ruleset.conceded(ahead.game, seat), f"{seat} has conceded, but is still there")
        play_on(ahead, rng, _AHEAD)
    _must(state(encounter) == before, "conceding on a fork has changed its parent")


def refuses_nonsense(encounter: Encounter, rng: Stream) -> None:
    """What cannot be an answer is refused and changes nothing, to the byte."""
    before = state(encounter)
    asked = encounter.asked()
    others = [seat for seat in encounter.game.seats if seat not in asked]
    attempts: list[tuple[Any, str | None]] = [
        (("no such answer", 10**6), asked[0] if asked else None),
        ("no such answer", "nobody of that name") if asked else ("no such roll", None),
        *((each.value, others[0]) for seat in asked for each in encounter.offers(seat)[:2] if others),
    ]
    for value, seat in attempts:
        try:
            encounter.answer(value, seat)
        except IllegalAnswer:
            _must(state(encounter) == before, f"the refused answer {value!r} of {seat} has changed something")
        else:
            raise Broken(f"{value!r} of {seat} was accepted")
    edits: dict[str, dict[str, Any]] = {"no such record": {"field": 1}}
    nonsense: tuple[Callable[[], None], ...] = (
        lambda: encounter.rule(edits, "a reason"),
        lambda: encounter.rule({}, ""),
        lambda: encounter.concede("nobody of that name"),
        lambda: encounter.undo("nobody of that name"),
    )
    for attempt in nonsense:
        try:
            attempt()
        except IllegalAnswer:
            _must(state(encounter) == before, "a refused attempt has changed something")
        else:
            raise Broken("nonsense was accepted")


def takes_back(encounter: Encounter, rng: Stream) -> None:
    """With everybody's consent the last answer is taken back; the same answers then lead to the same state."""
    ahead = encounter.fork()
    before = ahead.key()
    if not isinstance(ahead.question, Choice):
        return
    seat, value = answer_at_random(ahead, rng)
    after, asked = ahead.key(), asks(ahead)
    ahead.undo(seat, consents=list(ahead.game.seats))
    _must(ahead.key() == before, "taking an answer back does not lead back")
    ahead.answer(value, seat)
    _must(ahead.key() == after and asks(ahead) == asked, "the same answer after an undo leads elsewhere")


AT_A_QUESTION: Final[dict[str, tuple[Callable[[Encounter, Stream], None], int]]] = {
    "saves": (saves, 7),
    "forks": (forks, 3),
    "keeps secrets": (keeps_secrets, 3),
    "offers are legal": (offers_are_legal, 3),
    "siblings agree": (siblings_agree, 11),
    "has words": (has_words, 1),
    "cites statements": (cites_statements, 1),
    "can be conceded": (can_be_conceded, 7),
    "refuses nonsense": (refuses_nonsense, 11),
    "takes back": (takes_back, 29),
}
"""The checks made at every so-manieth question."""


# On the whole


def ends(content: Content, seed: int, rng: Stream) -> None:
    """A random encounter ends, and no step that asks changes anything."""
    encounter = Encounter.start(content, seed, debug=True)
    play_on(encounter, rng, NODES)
    _must(encounter.question is None, f"no end after {NODES} questions: {encounter.where}")
    _must(encounter.result is not None, "it ends without a result")
    _must(bool(str(content.ruleset.words.result(encounter.game, encounter.result))), "the result has no words")


def repeats(content: Content, seed: int, rng: Stream) -> None:
    """The same seed and the same answers give the same bytes; with or without a log."""
    draws = rng.seed
    texts: list[tuple[list[bytes], bytes]] = []
    transcripts = []
    for log in (True, True, False):
        encounter, rng = Encounter.start(content, seed, log=log), Stream(draws)
        keys = []
        while encounter.question is not None and encounter.nodes < NODES:
            keys.append(encounter.key())
            answer_at_random(encounter, rng)
        texts.append((keys, encounter.save()))
        if log:
            transcripts.append(encounter.transcript())
    _must(texts[0] == texts[1], "the same seed and answers give other bytes")
    _must(transcripts[0] == transcripts[1], "the same seed and answers give another transcript")
    _must(texts[0] == texts[2], "without a log it goes otherwise")


def replays(content: Content, seed: int, rng: Stream) -> None:
    """A transcript replays without a difference and is written again to the byte, at any length and with undos in it."""
    encounter = Encounter.start(content, seed)
    undone = 0
    while True:
        over = encounter.question is None
        if over or encounter.nodes % 97 == 13:
            text = encounter.transcript()
            replay, difference = compare(read(text), content)
            _must(difference is None, f"a transcript does not replay: {difference}")
            branches = encounter.game.branches or {}
            if not any(branch.answers for branch in branches.values()):  # what is drafted or sealed stands in no transcript yet
                _must(replay.game.key() == encounter.key(), "a replay leads to another state")
            again = Encounter(replay.finish())
            _must(again.transcript() == text, "a replayed encounter writes another transcript")
        if over or encounter.nodes > NODES:
            return
        answer_at_random(encounter, rng)
        if encounter.question is not None and undone < 3 and rng.below(20) == 0:
            undone += 1
            with contextlib.suppress(IllegalAnswer):
                encounter.undo(consents=list(encounter.game.seats))


ON_THE_WHOLE: Final[dict[str, Callable[[Content, int, Stream], None]]] = {
    "ends": ends,
    "repeats": repeats,
    "replays": replays,
}
"""The checks made on whole encounters."""

CHECKS: Final = (*AT_A_QUESTION, *ON_THE_WHOLE)
"""The names of all checks."""
