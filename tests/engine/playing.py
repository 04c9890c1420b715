"""Playing the made-up games from lists of numbers, and tiny rulesets for one thing at a time."""

from typing import Any

from referee.engine import Content, Effect, Encounter, IllegalAnswer, Record, Roll, Ruleset, Scenario, Seat
from tests.engine import skirmish
from tests.engine.content import Words, content_of


def answer(encounter: Encounter, number: int) -> None:
    """Answers whatever is asked, with the answer that the number picks."""
    question = encounter.question
    if isinstance(question, Roll):
        outcomes = list(question.spec.law())
        encounter.answer(outcomes[number % len(outcomes)])
        return
    asked = encounter.asked()
    seat = asked[number % len(asked)]
    offers = encounter.offers(seat)
    encounter.answer(offers[number // len(asked) % len(offers)], seat)


def act(encounter: Encounter, number: int) -> None:
    """Mostly answers; now and then takes back, rules, or concedes."""
    if encounter.question is None:
        return
    kind = number % 23
    seat = list(encounter.game.seats)[number // 23 % 4]
    try:
        if kind == 0 and number % 5 == 0:
            encounter.concede(seat)
        elif kind == 1:
            encounter.take_back(seat)
        elif kind == 2:
            encounter.undo(seat, consents=encounter.game.seats)
        elif kind == 3:
            encounter.rule([(skirmish.FIGURES[number % 4], "hp", 1 + number % 6)], "because")
        else:
            answer(encounter, number)
    except IllegalAnswer:
        pass


def played(numbers: list[int], content: Content = skirmish.CONTENT, seed: int | None = 7, **options: Any) -> Encounter:
    encounter = Encounter.start(content, seed, **options)
    for number in numbers:
        act(encounter, number)
    return encounter


def to_actions(encounter: Encounter) -> Encounter:
    """Through the bids of a round, which are all nothing."""
    for seat in encounter.asked():
        encounter.answer(0, seat)
    return encounter


class Thing(Record):
    amount: int = 0
    flag: bool = False
    effects: tuple[Effect, ...] = ()


def tiny(*frames: Any, first: Any = None, records: tuple[Any, ...] = (), **more: Any) -> Content:
    """The content of a ruleset with these frames: seats a, b and gm, a record "thing", the first frame first."""

    def setup(game: Any) -> Any:
        game.put(Thing("thing"))
        return first(game) if first else frames[0]()

    seats = (Seat("a", "a", ("anna",)), Seat("b", "b", ("bert",)), Seat("gm", role="gm"))
    fields: dict[str, Any] = {
        "id": "tiny", "title": "Tiny", "rules_version": 1, "package": "tests", "main_scenario": "x", "cards": {},
        "scenario": Scenario, "policies": {}, "records": (Thing, *records), "frames": frames,
        "seats": lambda content: seats, "setup": setup, "words": Words,
    }  # fmt: skip
    return content_of(Ruleset(**{**fields, **more}))


def begin(*frames: Any, seed: int | None = 7, debug: bool = False, **more: Any) -> Encounter:
    return Encounter.start(tiny(*frames, **more), seed, debug=debug)
