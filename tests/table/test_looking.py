"""What a page is told of dice, of figures that are asked, and of what was decided in secret."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from referee.content import opening, registry
from referee.engine.questions import Choice, Offer
from referee.table import acts, looking, render, sums
from referee.table.state import State

from .test_secrets import room_of

GAMES = {game: f"{game}/{registry.get(game).main_scenario}" for game in registry.ids()}


def states(game: str, steps: int, seed: int = 4) -> Iterator[State]:
    """A table before each of so many random answers, and after the last."""
    state, draws = State(opening.start(GAMES[game], seed)), random.Random(seed)
    for _ in range(steps):
        if state.encounter.question is None:
            break
        yield state
        seat = draws.choice(state.encounter.asked())
        value = draws.choice(state.encounter.offers(seat)).value
        state = state.apply(seat, acts.decode(acts.encode(acts.Answer(value))))
    yield state


@pytest.mark.parametrize("game", GAMES)
def test_the_dice_of_a_line_are_what_it_writes(game: str) -> None:
    """A line in pieces is the line, with each die where it was written; and no roll stays without its picture."""
    *_, last = states(game, 40)
    encounter = last.encounter
    shown = 0
    for event in encounter.events():
        line = looking.line(encounter, event)
        pieces: list[Any] = line["pieces"]
        written = [each for _, each, _ in encounter.game.ruleset.rolled(event)]
        dice = [each for each in pieces if not isinstance(each, str)]
        shown += len(dice)
        assert len(dice) == sum(len(each) for _, _, each in encounter.game.ruleset.rolled(event)), line["text"]
        rest = line["text"]
        for each in written:
            head, _, rest = rest.partition(each)
            assert head == "" or any(isinstance(piece, str) and piece.endswith(head) for piece in pieces)
        assert pieces[-1] == rest or not written
    assert shown > 0


def test_equal_dice_may_stand_for_one_another() -> None:
    facts = ((("ring", "S"), ("ring", "S"), ("skill", "-")),)
    offers = tuple(Offer(("keep", *places), dice=places) for places in ((1,), (1, 2), (1, 3)))
    rows = [{"dice": list(each.dice), "label": f"keep {each.dice}: {{S}}"} for each in offers]
    dice = looking.dice_to_keep(Choice("a", "keep", offers, form="keep", facts=facts), rows)
    assert [each["match"] for each in dice] == ["ring:S", "ring:S", "skill:-"]
    assert [each["match"] for each in rows] == ["ring:S", "ring:S ring:S", "ring:S skill:-"]
    assert [each["picked"] for each in dice] == [True, False, False]
    # Where a game tells equal faces apart so does the page.
    offers = tuple(Offer(("keep", place), dice=(place,)) for place in (1, 2))
    rows = [{"dice": list(each.dice), "label": "x"} for each in offers]
    dice = looking.dice_to_keep(Choice("a", "keep", offers, form="keep", facts=facts), rows)
    assert [each["match"] for each in dice] == ["1", "2", "3"]
    assert [each["match"] for each in rows] == ["1", "2"]


def test_every_set_of_dice_that_may_be_kept_is_found_by_its_dice() -> None:
    found = 0
    for state in states("l5r", 30):
        if state.encounter.question is None:
            break
        seat = state.encounter.asked()[0]
        told = looking.question(room_of(state.encounter), seat)
        if not told["dice"]:
            continue
        found += 1
        offers = [each for group in told["groups"] for each in group["offers"]]
        matches = [each["match"] for each in offers]
        assert len(set(matches)) == len(matches)
        for offer in offers:
            assert offer["match"] == " ".join(sorted(told["dice"][place - 1]["match"] for place in offer["dice"]))
        assert "{" not in told["about"]
        assert not re.search(r"[{}]", "".join(each["short"] for each in offers))
    assert found


def test_only_the_figure_that_is_asked_is_marked() -> None:
    for state in states("vaia", 30):
        encounter = state.encounter
        if encounter.question is None:
            break
        (seat,) = encounter.asked()
        choice = encounter.choice(seat)
        assert choice is not None
        for each in encounter.game.seats:
            assert looking.table(room_of(encounter), each)["asked"] == [choice.who]


def test_what_was_decided_in_secret_so_far_is_told_to_its_seat_alone() -> None:
    state = State(opening.start(GAMES["soluna"], 3))
    seat, other = state.encounter.asked()
    labels = []
    for _ in range(2):
        offer = state.encounter.offers(seat)[0]
        labels.append(offer.label)
        state = state.apply(seat, acts.Answer(acts.decode(acts.encode(acts.Answer(offer.value))).value))
        if state.encounter.choice(seat) is None:
            break
    room = room_of(state.encounter)
    room.state = state
    assert looking.question(room, seat)["draft"] == labels
    for each in (other, "gm", "spectator"):
        assert looking.question(room, each)["draft"] == []
    assert State.load(state.save()).drafts == {seat: tuple(labels)}
    while state.encounter.choice(other) is not None and state.drafts.get(seat):
        offer = state.encounter.offers(other)[0]
        state = state.apply(other, acts.decode(acts.encode(acts.Answer(offer.value))))
        if state.encounter.choice(seat) is not None and seat not in state.drafts:
            break
    assert seat not in state.drafts or state.encounter.choice(seat) is not None


def number(name: str, *lines: tuple[str, str, str], least: int | None = None) -> dict[str, Any]:
    return {"name": name, "total": 3, "lines": list(lines), "least": least}


def test_like_numbers_open_one_card_and_those_that_their_rule_explains_none() -> None:
    plain, long = number("slots", ("3", "celerity", "R-1")), number("TN", ("2", "a", ""), ("+1", "b", "R-2"))
    floored = number("raw", ("0", "c", ""), least=0)
    offers: list[dict[str, Any]] = [
        {"place": 4, "rules": ["R-1"], "numbers": [plain, long]},
        {"place": 6, "rules": [], "numbers": [long, plain, floored]},
        {"place": 7, "rules": [], "numbers": [plain]},
    ]
    sums.name_cards(offers)
    named = [[(each["card"], each["first"]) for each in offer["numbers"]] for offer in offers]
    assert named == [[("", True), ("4-1", True)], [("4-1", False), ("6-1", True), ("6-2", True)], [("6-1", False)]]


@pytest.mark.parametrize("game", GAMES)
def test_every_number_that_opens_has_its_card(game: str) -> None:
    opened = 0
    for state in states(game, 30):
        room = room_of(state.encounter)
        for seat in state.encounter.asked():
            page = render.page(room, seat)
            cards = re.findall(r'<div popover id="(n-[^"]+)"', page)
            assert len(cards) == len(set(cards))
            targets = re.findall(r'popovertarget="(n-[^"]+)"', page)
            assert set(targets) == set(cards)
            opened += len(targets)
    assert opened > 0
