"""Odds in context: what comes of an answer, against playing it often, closed forms and hand-made sums."""

from dataclasses import replace
from fractions import Fraction

import pytest

import referee
from referee.analysis.horizon import Budget, Journey
from referee.analysis.odds import Outlook, changes, odds, outlooks
from referee.content import registry
from referee.dice import Dice, Law, Stream
from referee.dice.joint import joint
from referee.dice.symbols import face
from referee.engine import IllegalAnswer
from referee.players.greedy import Greedy
from referee.rulesets.l5r import best as l5r
from referee.rulesets.l5r.dice import Pool
from referee.rulesets.soluna.odds import law_of


def decisions(scenario, seed, count, every):
    """Encounters at decisions, as greedy players come to them."""
    encounter = referee.start(scenario, seed)
    bots = {seat: Greedy(seed, seat) for seat in encounter.game.seats}
    for number in range(count):
        seats = encounter.asked()
        if not seats:
            return
        if number % every == 0:
            yield encounter.fork(), seats[0]
        encounter.answer(bots[seats[0]](encounter, seats[0]), seats[0])


def whole(outlook: Outlook) -> bool:
    return sum((chance for _, chance in outlook.outcomes), outlook.missing) == 1


@pytest.mark.parametrize("scenario", ["vaia/ford", "morphyry/broken_stair", "soluna/alley"])
def test_odds_sum_to_one_and_are_the_same_twice(scenario):
    for encounter, seat in decisions(scenario, 4, 24, 8):
        before = encounter.save()
        looked = outlooks(encounter, seat, seconds=0.5)
        assert [shown.label for shown, _ in looked] == [each.label for each in encounter.offers(seat)]
        assert all(whole(outlook) for _, outlook in looked)
        assert looked == outlooks(encounter, seat, seconds=0.5)
        if not looked[0][1].samples:
            assert looked[0][1] == odds(encounter, looked[0][0], seat, 0.5 / len(looked))
        assert encounter.save() == before


def test_an_attack_is_what_its_numbers_say():
    """The whole attack through the rules, against the closed form of the command line with the numbers of the breakdown."""
    ask = registry.get("vaia").odds.answer
    for encounter, seat in decisions("vaia/ford", 9, 120, 1):
        for shown in encounter.offers(seat):
            numbers = {each.name: each.total for each in encounter.breakdown(shown)}
            if "raw" not in numbers or encounter.choice(seat).about != "phase" or shown.value[0] != "punch":
                continue
            game = encounter.game
            if any(game.table.items[each.id].armour for each in game.records[shown.offer.target].items):
                continue
            asked = dict.fromkeys(("stress",), None) | {"damage": "v4", "flat": 0, "resistance": (), "reduction": ()}
            asked |= {"accuracy": numbers["accuracy"], "evasion": numbers["evasion"], "raw": numbers["raw"]}
            asked["focal"] = Fraction(numbers["focal_tenths"], 10)
            card = game.table.actions["punch"].card
            asked["damage"] = next(each.damage for each in card.steps if getattr(each, "damage", None))
            hp = game.records[shown.offer.target].hp
            told = ask(asked, None)
            if max(each["damage"] for each in told["dist"]) >= hp:
                continue
            outlook = odds(encounter, shown, seat)
            for each in told["dist"]:
                target = shown.offer.target
                lost = outlook.chance(lambda outcome, n=each["damage"], who=target: loss(outcome, who) == n)
                assert lost == each["chance"]
            return
    raise AssertionError("no punch was on offer")


def loss(outcome, target):
    return -next((value for whose, what, value in outcome if (whose, what) == (target, "hp")), 0)


def test_rolls_without_their_order_are_the_same_law():
    for count in range(5):
        assert Dice(count, 6).law().map(lambda roll: tuple(sorted(roll))) == law_of(count, 6)
    assert isinstance(law_of(3, 6), Law)


def test_others_react_by_the_policy():
    for encounter, seat in decisions("vaia/ford", 9, 200, 1):
        for shown in encounter.offers(seat):
            if shown.offer.target and encounter.choice(seat).about == "phase":
                passing, worst = (odds(encounter, shown, seat, 2, policy) for policy in ("pass", "worst"))
                if passing.outcomes != worst.outcomes and not passing.samples and not worst.samples:
                    assert worst.worth <= passing.worth
                    return
    raise AssertionError("nobody could react")


def test_where_it_cannot_be_counted_an_interval_is_given():
    encounter = referee.start("soluna/alley", 5)
    seat = encounter.asked()[0]
    outlook = odds(encounter, encounter.offers(seat)[1], seat, seconds=0.02)
    assert outlook.samples > 0
    assert not outlook.exact
    low, high = outlook.interval(lambda outcome: outcome == outlook.outcomes[0][0])
    assert 0 <= low < outlook.outcomes[0][1] < high <= 1


def test_what_was_counted_is_sure_and_only_the_rest_is_played():
    """The interval is as wide as the part that was played; the true chance lies in it."""
    encounter = referee.start("soluna/alley", 5)
    seat = encounter.asked()[0]
    offer = encounter.offers(seat)[1]
    true = odds(encounter, offer, seat, seconds=5)
    assert true.exact
    for seconds in (0.05, 0.06, 0.1):
        outlook = odds(encounter, offer, seat, seconds=seconds)
        assert 0 < outlook.played < 1
        assert whole(outlook)
        wide = []
        for outcome, chance in true.outcomes:
            low, high = outlook.interval(lambda each, outcome=outcome: each == outcome)
            wide.append(high - low)
            assert low - 0.02 <= chance <= high + 0.02
        assert max(wide) <= outlook.played
    assert sum(abs(outlook.chance(lambda each, o=o: each == o) - chance) for o, chance in true.outcomes) < outlook.played


def test_what_is_not_on_offer_has_no_odds():
    encounter = referee.start("vaia/ford", 5)
    seat = encounter.asked()[0]
    other = next(each for each in encounter.game.seats if each != seat)
    with pytest.raises(IllegalAnswer, match="not on offer"):
        odds(encounter, "dance", seat)
    with pytest.raises(IllegalAnswer, match="is not asked"):
        odds(encounter, "dance", other)
    with pytest.raises(ValueError, match="no policy"):
        odds(encounter, encounter.offers(seat)[0], seat, reactions="kind")
    label = encounter.offers(seat)[0].label
    assert referee.odds(encounter, label, seat) == odds(encounter, encounter.offers(seat)[0], seat)


def test_the_best_keep_in_play_is_that_of_the_closed_form():
    """L5R: a check played step by step, every roll counted, against its joint law."""
    encounter = referee.start("l5r/duel_at_dawn", 1)
    seat = encounter.asked()[0]
    choice = encounter.choice(seat)
    assert choice.about == "ring"
    sheet = encounter.game.table.sheets[choice.who]
    ring = min(("earth", "fire", "water"), key=lambda each: sheet.rings[each])
    outlook = odds(encounter, ("ring", ring), seat, seconds=2)
    assert not outlook.samples
    pool = (sheet.rings[ring], dict(sheet.skills).get(choice.facts[0], 0))
    law = joint(l5r.best_keep(*pool, pool[0], 1, False))
    for strife in range(3):
        ours = outlook.chance(lambda outcome, n=strife: gained(outcome, choice.who) == n)
        assert 0 <= law.chance(lambda each, n=strife: each[2] == n) - ours <= outlook.missing < Fraction(1, 40)


def test_rolls_of_which_the_same_is_kept_are_the_same_law():
    for ring, skill, limit, tn, compromised in ((2, 2, 2, 2, False), (2, 1, 2, 1, True), (3, 1, 2, 3, False)):
        keep = l5r.best_keep(ring, skill, limit, tn, compromised)

        def kept(roll, keep=keep, ring=ring):
            return keep.best_of([face(each) for each in roll[:ring]], [face(each) for each in roll[ring:]])[0]

        assert Pool(ring, skill).law().map(kept) == l5r.kept_law(ring, skill, limit, tn, compromised).map(kept)


def gained(outcome, who):
    return next((value for whose, what, value in outcome if (whose, what) == (who, "strife")), 0)


def test_a_summary_is_what_its_steps_come_to():
    """L5R: a check of few dice in closed form against the same check step by step."""
    encounter = referee.start("l5r/duel_at_dawn", 1)
    seat = encounter.asked()[0]
    world = encounter.imagine(seat, Stream(1))
    offer = next(each.offer for each in world.offers(seat) if each.value == ("ring", "water"))
    in_one, by_steps = (counted(world, seat, offer, by_steps) for by_steps in (False, True))
    missing = 2 - sum(in_one.values()) - sum(by_steps.values())
    assert len(in_one) > 20
    assert 0 < missing < Fraction(1, 1000)
    for outcome in {*in_one, *by_steps}:
        assert abs(in_one.get(outcome, 0) - by_steps.get(outcome, 0)) <= missing


def counted(world, seat, offer, by_steps):
    """What comes of an offer, with summaries or without."""
    journey = Journey(world, seat, "pass")
    if by_steps:
        journey.odds = replace(journey.odds, summary=None)
    found = {}
    for end, weights in journey.ends([journey.begin(offer, world)], Budget(1500)):
        outcome = end.notes + changes(world.game, end.world.game, seat)
        found[outcome] = found.get(outcome, 0) + weights[0]
    return found


def test_a_keep_is_looked_at_to_the_end_of_its_attack():
    """L5R: what the one that is hit makes of it belongs to the attack, though it is another seat's decision."""
    for encounter, seat in decisions("l5r/duel_at_dawn", 1, 80, 1):
        choice = encounter.choice(seat)
        if choice.about == "keep" and "Attack" in encounter.where:
            touched = {
                whose for _, outlook in outlooks(encounter, seat) for outcome, _ in outlook.outcomes for whose, _, _ in outcome
            }
            noted = {
                what for _, outlook in outlooks(encounter, seat) for outcome, _ in outlook.outcomes for _, what, _ in outcome
            }
            assert touched >= {"kakita_ken", "hida_hiro"}
            assert "check" in noted
            return
    raise AssertionError("nobody attacked")
