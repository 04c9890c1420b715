"""Who is asked in secret is told in one order, whatever was taken back in between, so that saves and bots agree."""

from referee.engine import Encounter, Together
from tests.engine.playing import answer, played


def test_who_is_asked_is_in_the_order_of_the_branches_after_a_take_back():
    encounter = played([])
    for number in range(400):
        if isinstance(encounter.question, Together) and len(encounter.asked()) > 1:
            break
        answer(encounter, number)
    before = encounter.asked()
    assert len(before) > 1
    while before[0] in encounter.asked():
        encounter.answer(encounter.choice(before[0]).offers[0], before[0])
    encounter.take_back(before[0])
    assert encounter.asked() == before == Encounter.load(encounter.save(), encounter.content).asked()
