"""A scene at the table: who stands where with what, what they do, what the dice show, what must then be true.

`Scene` plays one, item by item; `files` reads scenes from YAML and `running` plays those. Each method that finds something
else than was expected raises `Unmet`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from ..content import registry
from ..dice import Stream
from ..engine import Content, Encounter, Frame, Game, IllegalAnswer, RefereeError, Roll, Ruleset, Shown, Unseen, hides
from .matching import is_answer, mismatch, plain, text_form, unlike_event, written
from .staging import stage

_SHOWN = 12  # offers named in a message

listeners: list[set[str]] = []
"""Sets to which every scene adds the rule ids that it sees; `marks.rule` listens here."""


class Unmet(AssertionError):
    """What a scene expected and did not find; the message says what there was instead."""


class Scene:
    """A scene being played. Used as a context it also checks at its end that no dice are left.

    `ruleset` is a Ruleset or its id, `scenario` the name of a scenario or a mapping that changes one, `cards` further
    cards, `given` what the ruleset's `arrange` sets up (None: the scenario's own beginning), `dice` the rolls in the order
    in which they are asked.
    """

    def __init__(
        self,
        ruleset: Ruleset | str,
        scenario: Any = None,
        *,
        cards: Any = None,
        given: Mapping[str, Any] | None = None,
        dice: Iterable[Any] = (),
        content: Content | None = None,
    ) -> None:
        ruleset = registry.get(ruleset) if isinstance(ruleset, str) else ruleset
        content = content or stage(ruleset, scenario, cards, given)
        self.seen: set[str] = set()
        self._dice = list(dice)
        self._heard = 0
        self._told = 0
        self._answered = 0
        self.encounter = Encounter.start(arranged(content, given), debug=True)
        self._go_on()

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.finish()

    # What is done

    def answer(self, seat: str, answer: Any) -> Scene:
        """The seat answers: with a label, the value, or the value's text form."""
        self._asked_now()
        offer = self._found(seat, answer)
        with self._answering():
            self.encounter.answer(offer, seat)
        return self

    def roll(self, outcome: Any) -> Scene:
        """The dice show this, at this very point; a mapping of one key also says what the roll is about."""
        with self._answering():
            self._roll(outcome)
        return self

    def concede(self, seat: str) -> Scene:
        """The side of a seat gives up."""
        with self._answering():
            self.encounter.concede(seat)
        return self

    def undo(self, seat: str | None = None, consents: Iterable[str] = ()) -> Scene:
        """The last answer of a seat is taken back."""
        with self._answering():
            self.encounter.undo(seat, consents)
        return self

    def take_back(self, seat: str) -> Scene:
        """A seat takes back what it drafted or sealed in secret."""
        with self._answering():
            self.encounter.take_back(seat)
        return self

    def rule(self, edits: Any, reason: str, by: str = "gm") -> Scene:
        """A GM's ruling."""
        with self._answering():
            self.encounter.rule(edits, reason, by)
        return self

    # What must be true

    def asked(self, seat: str | None, about: str | None = None, who: str | None = None) -> Scene:
        """This seat is asked now (None: nobody), about this, for this figure."""
        there = self.encounter.asked()
        if seat is None:
            _must(not there, f"nobody should be asked; asked: {', '.join(there)}")
            return self
        _must(seat in there, f"{seat} should be asked; asked: {', '.join(there) or self._instead()}")
        choice = self.encounter.choice(seat)
        assert choice is not None
        for name, wanted, value in (("about", about, choice.about), ("who", who, choice.who)):
            _must(wanted is None or wanted == value, f"{seat} should be asked {name} {wanted!r}; it is {value!r}")
        return self

    def offered(self, seat: str, *answers: Any) -> Scene:
        """These answers are on offer to the seat."""
        self._asked_now()
        for answer in answers:
            self._found(seat, answer)
        return self

    def not_offered(self, seat: str, *answers: Any) -> Scene:
        """These answers are not on offer to the seat."""
        self._asked_now()
        for answer in answers:
            found = self._matching(seat, answer)
            _must(not found, f"{written(answer)!r} should not be on offer to {seat}; on offer: {self._on_offer(seat)}")
        return self

    def refused(self, seat: str, answer: Any, rules: Iterable[str] = ()) -> Scene:
        """A refusal of this value is told to the seat, whose rules include these; and it is not on offer."""
        self._asked_now()
        refusals = self.encounter.refusals(seat)
        found = [each for each in refusals if is_answer(answer, each.value)]
        told = "; ".join(f"{text_form(each.value)} ({', '.join(each.rules)})" for each in refusals)
        _must(bool(found), f"{written(answer)!r} should be refused to {seat}; refused: {told or 'nothing'}")
        cited = {rule for each in found for rule in each.rules}
        missing = [rule for rule in rules if rule not in cited]
        _must(not missing, f"the refusal of {written(answer)!r} should cite {', '.join(missing)}; refused: {told}")
        return self.not_offered(seat, answer)

    def breakdown(
        self,
        seat: str,
        answer: Any,
        name: str | None = None,
        total: int | None = None,
        lines: Sequence[Sequence[Any]] | None = None,
    ) -> Scene:
        """A number in an offer: its name, its total, its lines (each amount, source, rule id) in any order."""
        self._asked_now()
        numbers = self.encounter.breakdown(self._found(seat, answer))
        named = [each for each in numbers if name is None or each.name == name]
        _must(bool(named), f"no number {name or ''} in {written(answer)!r}; there is {', '.join(each.name for each in numbers)}")
        whys = []
        for each in named:
            there = plain(each.lines)
            if total is not None and each.total != total:
                whys.append(f"{each.name} should be {total}, it is {each.total}: {written(there)}")
            elif lines is not None and _in_order(plain(lines)) != _in_order(there):
                whys.append(f"the lines of {each.name} should be {written(plain(lines))}; they are {written(there)}")
            else:
                return self
        raise Unmet("; ".join(whys))

    def then(self, expected: Mapping[str, Any]) -> Scene:
        """Facts of now: fields of records by id (`gone`: no such record), `round`, `result`, `question`, `agenda`."""
        whys = [why for name, wanted in expected.items() for why in self._unlike(name, wanted)]
        _must(not whys, "; ".join(whys))
        return self

    def log(self, kind: str, rules: Iterable[str] = (), seen_by: Any = "", **facts: Any) -> Scene:
        """An event after the one that the last `log` found, of this kind, with these facts and rules."""
        events = self.encounter.events()
        for place in range(min(self._told, len(events)), len(events)):
            if not unlike_event(events[place], kind, rules, seen_by, facts):
                self._told = place + 1
                return self
        whys = [
            why
            for event in events[self._told :]
            if event.kind == kind
            for why in unlike_event(event, kind, rules, seen_by, facts)
        ]
        others = ", ".join(dict.fromkeys(event.kind for event in events[self._told :]))
        raise Unmet(f"no such event of the kind {kind!r}: {'; '.join(whys) or f'since then there was {others or None}'}")

    def no_log(self, kind: str, rules: Iterable[str] = (), seen_by: Any = "", **facts: Any) -> Scene:
        """No such event since the last answer, roll not counted."""
        for event in self.encounter.events()[self._answered :]:
            if not unlike_event(event, kind, rules, seen_by, facts):
                raise Unmet(f"there should be no such event: {self.encounter.line(event)}")
        return self

    def sees(self, seat: str, record: str, field: str, **expected: Any) -> Scene:
        """What a seat sees of a field: its `value`, or what is `shown` to it instead."""
        fields = self.encounter.view(seat).records.get(record)
        _must(fields is not None and field in fields, f"{seat} sees no {record}.{field}")
        assert fields is not None
        there = fields[field]
        for key, wanted in expected.items():
            if isinstance(there, Unseen) != (key == "shown"):
                instead = (
                    f"only {written(plain(there.shown))} is shown"
                    if isinstance(there, Unseen)
                    else f"the value is seen: {written(plain(there))}"
                )
                raise Unmet(f"{seat} should see {record}.{field} as {key} {written(plain(wanted))}; {instead}")
            why = mismatch(wanted, there.shown if isinstance(there, Unseen) else there)
            _must(not why, f"what {seat} sees of {record}.{field}: {why}")
        return self

    def unseen(self, seat: str, record: str) -> Scene:
        """A figure hides, and nothing in the view of a seat names it."""
        _must(hides(self.encounter.game, record), f"{record} does not hide")
        _must(f'"{record}"'.encode() not in self.encounter.view(seat).bytes(), f"{seat} is told of {record}")
        return self

    def possible(
        self, seat: str, record: str, field: str, always: Any = (), never: Any = (), count: int | None = None, draws: int = 20
    ) -> Scene:
        """In every encounter that the seat can imagine the field has these items, never has those, has so many."""
        for seed in range(draws):
            imagined = self.encounter.imagine(seat, Stream.named(seed, "scene"))
            value = getattr(imagined.game.records[record], field)
            expected = [{"has": each} for each in _list(always)] + [{"lacks": each} for each in _list(never)]
            if count is not None:
                expected.append({"count": count})
            for each in expected:
                why = mismatch(each, value)
                _must(not why, f"what {seat} can imagine of {record}.{field}: {why}")
        return self

    def error(self, seat: str = "", answer: Any = None, says: str = "", **doing: Any) -> Scene:
        """This is refused, with these words in the message, and nothing changes, to the byte.

        Instead of a seat and its answer: `roll`, `concede`, `undo`, `take_back` or `rule` as the methods take them.
        """
        before = self.encounter.save(), self.encounter.key(), len(self.encounter.events())
        try:
            self._attempt(seat, answer, doing)
        except IllegalAnswer as refused:
            _must(says in str(refused), f"the refusal should say {says!r}; it says: {refused}")
        else:
            raise Unmet("this should be refused; it was accepted")
        after = self.encounter.save(), self.encounter.key(), len(self.encounter.events())
        _must(before == after, "a refused answer has changed something")
        return self

    def finish(self) -> Scene:
        """The scene is over: no dice are left."""
        self._hear()
        _must(not self._dice, f"dice that nobody rolled: {written(plain(self._dice))}; {self._instead()}")
        return self

    # How

    def _attempt(self, seat: str, answer: Any, doing: Mapping[str, Any]) -> None:
        encounter = self.encounter
        if "roll" in doing:
            encounter.answer(doing["roll"])
        elif "concede" in doing:
            encounter.concede(doing["concede"])
        elif "take_back" in doing:
            encounter.take_back(doing["take_back"])
        elif "undo" in doing:
            undo = doing["undo"]
            encounter.undo(**(undo if isinstance(undo, Mapping) else {"seat": undo}))
        elif "rule" in doing:
            encounter.rule(**doing["rule"])
        else:
            encounter.answer(answer, seat)

    @contextmanager
    def _answering(self) -> Any:
        self._hear()
        self._answered = len(self.encounter.events())
        try:
            yield
        except IllegalAnswer as refused:
            raise Unmet(str(refused)) from None
        self._go_on()

    def _go_on(self) -> None:
        """Feeds the dice of the scene and reads all that is on offer."""
        while self._dice and isinstance(self.encounter.question, Roll):
            self._roll(self._dice.pop(0))
        self._hear()

    def _roll(self, outcome: Any) -> None:
        question = self.encounter.question
        _must(isinstance(question, Roll), f"a roll is here ({written(plain(outcome))}), but {self._instead()}")
        assert isinstance(question, Roll)
        if isinstance(outcome, Mapping):
            about, outcome = next(iter(outcome.items()))
            _must(about == question.about, f"the roll should be about {about!r}; it is about {question.about!r}")
        try:
            self.encounter.answer(outcome)
        except IllegalAnswer as refused:
            raise Unmet(f"{question.about}: {refused}") from None

    def _asked_now(self) -> None:
        if isinstance(self.encounter.question, Roll):
            raise Unmet(self._instead())

    def _instead(self) -> str:
        question = self.encounter.question
        if isinstance(question, Roll):
            return f"a roll is asked that no dice are left for: {question.about} ({question.spec})"
        if question is None:
            return f"the encounter is over ({self.encounter.result})"
        asked = ", ".join(self.encounter.asked())
        return f"{asked} is asked ({question.about})"

    def _matching(self, seat: str, answer: Any) -> list[Shown]:
        shown = self.encounter.offers(seat)
        by_value = [each for each in shown if is_answer(answer, each.value)]
        return by_value or [each for each in shown if isinstance(answer, str) and each.label == answer]

    def _found(self, seat: str, answer: Any) -> Shown:
        try:
            found = self._matching(seat, answer)
        except IllegalAnswer as refused:
            raise Unmet(str(refused)) from None
        if seat not in self.encounter.asked():
            raise Unmet(f"{seat} is not asked; {self._instead()}")
        if not found:
            refusals = [each for each in self.encounter.refusals(seat) if is_answer(answer, each.value)]
            why = "; ".join(
                f"refused by {reason.key} ({', '.join(reason.rules)})" for each in refusals for reason in each.reasons
            )
            raise Unmet(
                f"{written(answer)!r} is not on offer to {seat}{f', {why}' if why else ''}; on offer: {self._on_offer(seat)}"
            )
        _must(len(found) == 1, f"{written(answer)!r} means several offers: {', '.join(text_form(each.value) for each in found)}")
        return found[0]

    def _on_offer(self, seat: str) -> str:
        texts = [text_form(each.value) for each in self.encounter.offers(seat)]
        return "; ".join(texts[:_SHOWN]) + (f"; and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else "") or "nothing"

    def _unlike(self, name: str, wanted: Any) -> list[str]:
        game = self.encounter.game
        record = game.records.get(name)
        if record is None:
            if wanted == "gone":
                return []
            there: dict[str, Any] = {
                "round": game.round,
                "result": None if game.result is None else {"winner": game.result.winner, "reason": game.result.reason},
                "question": getattr(game.question, "about", None),
                "agenda": self.encounter.where,
            }
            if name not in there:
                return [f"there is no record {name!r}; there are {', '.join(game.records)}"]
            if name == "agenda":
                return [] if str(wanted) in self.encounter.where else [f"the agenda is {self.encounter.where}"]
            if isinstance(wanted, Mapping) and isinstance(there[name], Mapping):
                there[name] = {key: each for key, each in there[name].items() if key in wanted}
            why = mismatch(None if wanted == "none" else wanted, there[name])
            return [f"{name}: {why}"] if why else []
        if not isinstance(wanted, Mapping):
            return [f"{name} is there"] if wanted == "gone" else [f"say which fields of {name} should be what"]
        whys = []
        for field, each in wanted.items():
            if field not in record.__struct_fields__ and not isinstance(getattr(type(record), field, None), property):
                whys.append(f"{name} has no field {field!r}; it has {', '.join(record.__struct_fields__)}")
            elif why := mismatch(each, getattr(record, field)):
                whys.append(f"{name}.{field}: {why}")
        return whys

    def _hear(self) -> None:
        """Notes every rule id in new events and in all that is on offer, refused and reckoned now."""
        encounter = self.encounter
        events = encounter.events()
        self._heard = min(self._heard, len(events))
        found = {rule for event in events[self._heard :] for rule in event.rules}
        self._heard = len(events)
        for seat in encounter.asked():
            for refusal in encounter.refusals(seat):
                found.update(refusal.rules)
            for shown in encounter.offers(seat):
                found.update(shown.rules)
                for number in encounter.breakdown(shown):
                    found.update(line[2] for line in number.lines)
        self.seen |= found
        for each in listeners:
            each.update(found)


def _must(holds: bool, why: str) -> None:
    if not holds:
        raise Unmet(why)


def arranged(content: Content, given: Mapping[str, Any] | None) -> Content:
    """The content with a ruleset whose setup arranges what a scene gives: one frame, or several, the topmost last."""
    if given is None:
        return content
    arrange = content.ruleset.arrange
    if arrange is None:
        raise RefereeError(f"{content.ruleset.title} arranges no scenes; leave out what is given")

    def setup(game: Game) -> Frame:
        frames = arrange(game, given)
        *below, top = frames if isinstance(frames, tuple) else (frames,)
        game.agenda.extend(below)
        return top  # type: ignore[no-any-return]

    return dataclasses.replace(content, ruleset=dataclasses.replace(content.ruleset, setup=setup))


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _in_order(lines: list[Any]) -> list[str]:
    return sorted(written(line) for line in lines)
