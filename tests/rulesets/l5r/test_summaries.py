"""Summaries of checks: their parts against plain sums over all rolls, and the checks that have none."""

from fractions import Fraction

import pytest

import referee
from referee.dice.chains import chains
from referee.dice.symbols import face
from referee.rulesets.l5r import summaries
from referee.rulesets.l5r.best import DICE, best_keep
from referee.rulesets.l5r.dice import RING, Pool, counted


def chain(die, barred, deep):
    """One follow-up die and those after it, listed to a depth; what goes on is left out."""
    found = {}
    for shown, weight in die.weights.items():
        chance = Fraction(weight, die.sides)
        if barred and shown.strife:
            more = {(0, 0, 0): Fraction(1)}
        elif shown.explodes:
            more = {(s + 1, o, t + shown.strife): c for (s, o, t), c in chain(die, barred, deep - 1).items()} if deep else {}
        else:
            more = {shown[:3]: Fraction(1)}
        for symbols, part in more.items():
            found[symbols] = found.get(symbols, Fraction(0)) + chance * part
    return found


@pytest.mark.parametrize("barred", [False, True])
@pytest.mark.parametrize("pending", [(1, 0), (0, 1), (1, 1), (2, 1)])
def test_follow_up_dice_that_are_all_kept(pending, barred):
    twin = {(0, 0, 0): Fraction(1)}
    for die in [DICE[0]] * pending[0] + [DICE[1]] * pending[1]:
        sums = {}
        for ours, chance in twin.items():
            for more, part in chain(die, barred, 3).items():
                key = tuple(a + b for a, b in zip(ours, more, strict=True))
                sums[key] = sums.get(key, Fraction(0)) + chance * part
        twin = sums
    law = chains(DICE, pending, barred, longest=3)
    assert law.missing == 1 - sum(twin.values())
    assert {outcome: law.chance(outcome) for outcome, _ in law.items()} == twin


def test_after_a_reroll_the_best_is_kept():
    facts = (2, 1, 2, 2, False)
    lying = ((RING, "ST"), (RING, "O"))
    ends = {ending(facts): chance for facts, chance in summaries.rerolled(facts, lying, (0, 1)).ends}
    twin = {}
    for faces, weight in Pool(0, 1).law().items():
        kept, _ = best_keep(*facts).best_of([face("ST"), face("O")], [face(faces[0])])
        after = chains(DICE, kept.pending, False)
        for (s, _, t), more in after.items():
            key = (kept.successes + s, kept.strife + t)
            twin[key] = twin.get(key, Fraction(0)) + Fraction(weight, 12) * Fraction(more, after.total)
    assert len(ends) > 5
    assert all(twin[end] == chance for end, chance in ends.items())
    assert 0 < 1 - sum(ends.values()) <= summaries.NEGLIGIBLE


def test_follow_ups_come_on_top_of_what_is_kept():
    ends = {ending(facts): chance for facts, chance in summaries.followed((1, 0), False, 2, 3).ends}
    # -, OT, O, ST, S, and ET with another die.
    assert (ends[2, 3], ends[2, 4], ends[3, 4], ends[3, 3]) == (Fraction(1, 3), Fraction(1, 6), Fraction(2, 9), Fraction(1, 6))


def ending(facts):
    symbols = counted(facts["dice"])
    assert (symbols.explosions, symbols.opportunities) == (0, 0)
    return symbols.successes, symbols.strife


def test_rolls_outside_a_check_have_no_summary():
    encounter = referee.start("l5r/duel_at_dawn", 1)
    assert summaries.summary(encounter.game, encounter.question) is None


def test_a_foe_s_reroll_says_whether_it_was_used():
    """One ring die against TN 1: S, ST and ET are rolled again, and nothing else."""
    ends = {(*ending(facts), bool(facts["again"])): chance for facts, chance in summaries.against((1, 0, 1, 1, False), 1).ends}
    assert sum(chance for (_, _, again), chance in ends.items() if not again) == Fraction(1, 2)
    assert ends[0, 0, False] == Fraction(1, 3)
    assert ends[1, 0, True] == Fraction(1, 2) * Fraction(1, 6)
