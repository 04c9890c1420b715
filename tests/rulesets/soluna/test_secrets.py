"""What a side drafts and seals is known to nobody else before the reveal, the GM included (SOL-HIDE-2)."""

from __future__ import annotations

import msgspec
import pytest

from referee.content import load
from referee.dice import Stream
from referee.engine import Encounter, Together
from referee.testkit.wandering import asks

SEED = 5


def at_first_choice(scenario: str) -> Encounter:
    encounter = Encounter.start(load(f"soluna/{scenario}"), SEED)
    while len(encounter.asked()) < 2:
        seat = encounter.asked()[0]
        encounter.answer("defer", seat)
    assert isinstance(encounter.question, Together)
    return encounter


def received(encounter: Encounter, seat: str) -> tuple[bytes, ...]:
    """Every byte that a seat receives, but for who has sealed."""
    words = encounter.content.ruleset.words
    view = msgspec.structs.replace(encounter.view(seat), asked=(), sealed=())
    lines = [encounter.line(event) for event in encounter.events_for(seat)]
    tableau = words.tableau(encounter.game, seat)
    return view.bytes(), "\n".join(lines).encode(), "\n".join(tableau).encode(), asks(encounter, seat)


@pytest.mark.parametrize("scenario", ["alley", "high_stakes", "door_under_fire"])
def test_others_receive_the_same_whatever_is_drafted(scenario: str) -> None:
    start = at_first_choice(scenario)
    chooser, *others = [*start.asked(), *(seat for seat in ("gm", "spectator"))]
    rng = Stream(SEED)
    for _ in range(40):
        ahead = start.fork()
        sealed = False
        for _ in range(6):
            if chooser not in ahead.asked():
                sealed = True
                break
            ahead.answer(rng.choose(ahead.choice(chooser).offers), chooser)  # type: ignore[union-attr]
        for seat in others:
            assert received(ahead, seat) == received(start, seat), seat
            assert (chooser in ahead.view(seat).sealed) == (sealed or chooser not in ahead.asked())


def test_the_own_draft_is_on_the_own_tableau() -> None:
    encounter = at_first_choice("alley")
    encounter.answer("prepare", "xul")
    tableau = encounter.content.ruleset.words.tableau
    assert any("Xul prepares" in line for line in tableau(encounter.game, "xul"))
    assert not any("prepares" in line for seat in ("bouncer", "gm", "spectator") for line in tableau(encounter.game, seat))


def test_commitments_to_a_contest_are_secret() -> None:
    start = at_first_choice("high_stakes")
    start.answer(("contest", "poker", "artifact"), "xul")
    start.answer("prepare", "meena")
    for pool in (("pool", 0, 0), ("pool", 5, 0), ("pool", 1, 2)):
        ahead = start.fork()
        ahead.answer(pool, "xul")
        for seat in ("meena", "gm", "spectator"):
            assert received(ahead, seat) == received(start, seat), seat


def test_a_sealed_answer_is_not_imagined() -> None:
    start = at_first_choice("alley")
    start.answer("prepare", "xul")
    imagined = start.imagine("bouncer", Stream(1))
    assert set(imagined.asked()) == {"xul", "bouncer"}
