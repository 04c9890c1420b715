"""Plans: the worked examples of Morphyry's technique over two turns, and what cannot be done."""

from referee.analysis.plans import plan
from referee.content import registry
from referee.engine import Encounter
from referee.rulesets.morphyry.odds import aim
from referee.testkit.scenes import arranged
from referee.testkit.staging import stage

KICK = aim("sable", "jumping_spinning_back_kick")
FIGURES = [{"avatar": "sable", "at": "b2"}, {"avatar": "garrick", "at": "c2"}]


def table(spiritum):
    """Sable with that Spiritum and the kick in play, at the beginning of her turn."""
    sable = {"spiritum": spiritum, "electra": 4, "artifacts": [], "hand": [], "card": "jumping_spinning_back_kick"}
    given = {"turn": "sable", "sable": sable}
    content = stage(registry.get("morphyry"), {"figures": FIGURES}, given=given)
    return Encounter.start(arranged(content, given), real_dice=True)


def checks(encounter):
    return [(event.facts["action"], event.facts["points"]) for event in encounter.events() if event.kind == "check"]


def test_the_kick_takes_two_turns():
    """MOR-EX-4 to MOR-EX-7: 2 + 3 + 5 points of Spiritum 5, so the last tick waits for the next turn."""
    start = table(5)
    end = plan(start, KICK)
    assert checks(end) == [("jump", 2), ("spin", 3), ("kick", 5)]
    assert end.game.round - start.game.round == 1
    assert start.game.round == 1


def test_one_turn_is_enough_with_points_to_spare():
    assert plan(table(10), KICK).game.round == 1


def test_no_plan_where_a_call_is_too_great():
    assert plan(table(4), KICK, most=3000) is None
