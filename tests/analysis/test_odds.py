"""Odds in context: what comes of an answer, against playing it often, closed forms and hand-made sums."""

from fractions import Fraction

import pytest

import referee
from referee.analysis.horizon import Journey
from referee.analysis.odds import Outlook, odds, outlooks
from referee.content import registry
from referee.dice import Dice, Law, Stream
from referee.dice.joint import joint
from referee.dice.symbols import face
from referee.engine import Choice, IllegalAnswer
from referee.engine.questions import Roll
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
        assert looked[0][1] == odds(encounter, looked[0][0], seat, 0.5 / len(looked))
        assert encounter.save() == before


@pytest.mark.parametrize(("scenario", "times"), [("vaia/ford", 400), ("soluna/alley", 300)])
def test_the_rules_confirm_the_odds(scenario, times):
    """Played often, with dice drawn instead of counted, each outcome comes as often as its chance says."""
    stream = Stream(11)
    met = 0
    for encounter, seat in decisions(scenario, 9, 40, 5):
        for shown in encounter.offers(seat):
            outlook = odds(encounter, shown, seat, seconds=1.5)
            if outlook.samples or not outlook.agreed or len(outlook.outcomes) < 3:
                continue
            met += 1
            for event in (outlook.outcomes[0][0], outlook.outcomes[-1][0]):
                seen = sum(played(encounter, shown, seat, stream) == event for _ in range(times)) / times
                chance = float(outlook.chance(lambda each, event=event: each == event))
                assert abs(seen - chance) < 5 * (chance * (1 - chance) / times) ** 0.5 + 1 / times
            break
        if met == 3:
            return
    assert met == 3


def played(encounter, shown, seat, stream):
    """One playing of an answer, on a world of its own."""
    from referee.analysis.odds import changes

    world = encounter.imagine(seat, stream)
    journey = Journey(world, seat, "pass")
    after = world.fork(log=False)
    after.answer(shown.offer, seat)
    while not journey.ended(after.game):
        question = after.question
        if isinstance(question, Roll):
            after.answer(question.spec.sample(stream))
        elif isinstance(question, Choice):
            after.answer(question.offers[0], question.seat)  # passing
        else:
            after.answer(*journey.next_answer(after, None))
    return changes(world.game, after.game, seat)


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
