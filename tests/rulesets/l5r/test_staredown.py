"""Bids in an encounter: by the rules as far as they go, the same to both sides, blind to what is sealed; tables on disk."""

from __future__ import annotations

import io
import os
from fractions import Fraction

import pytest

import referee
from referee.analysis import equilibria
from referee.analysis.advice import advise
from referee.analysis.equilibria import Ahead, lines, mixed, plain
from referee.content.cache import recall_bytes, remember_bytes
from referee.dice import Stream
from referee.dice.joint import joint
from referee.players import looking
from referee.players.greedy import Greedy
from referee.players.ink import Ink
from referee.rulesets.l5r import match_ups, staredown
from referee.rulesets.l5r.best import best_keep
from referee.rulesets.l5r.dice import RING, Die
from referee.rulesets.l5r.duel_table import Duel, DuelTable
from referee.rulesets.l5r.duellists import Sketch, law_of, sketched


def at_bids(scenario="l5r/duel_at_dawn", seed=3, number=1):
    encounter = referee.start(scenario, seed)
    bots = {seat: Greedy(1, seat) for seat in encounter.game.seats}
    while True:
        seat = encounter.asked()[0]
        if encounter.choice(seat).about == "bid":
            number -= 1
            if not number:
                return encounter
        encounter.answer(bots[seat](encounter, seat), seat)


@pytest.fixture(scope="module")
def dawn():
    return at_bids()


@pytest.fixture(scope="module")
def mixes(dawn):
    return {seat: mixed(dawn, seat) for seat in ("kakita_ken", "hida_hiro")}


def test_nobody_can_better_the_mix(mixes):
    for found in mixes.values():
        assert sum(found.weights) == sum(found.others) == 1
        assert max(found.worth) == found.value
        assert all(worth == found.value for worth, weight in zip(found.worth, found.weights, strict=True) if weight)
        against = [
            sum((weight * row[place] for weight, row in zip(found.weights, found.payoffs, strict=True)), Fraction(0))
            for place in range(len(found.others))
        ]
        assert min(against) == found.value
        assert [offer.value for offer in found.offers] == [("bid", points) for points in range(len(found.offers))]


def test_what_one_side_wins_the_other_loses(mixes):
    ken, hiro = mixes["kakita_ken"], mixes["hida_hiro"]
    for a, row in enumerate(ken.payoffs):
        for b, worth in enumerate(row):
            assert abs(worth - (1 - hiro.payoffs[b][a])) <= Fraction(1, 500_000)


def test_what_is_sealed_is_not_looked_at(dawn, mixes):
    for points in (0, 3):
        encounter = dawn.fork()
        encounter.answer(("bid", points), "hida_hiro")
        assert plain(mixed(encounter, "kakita_ken")) == plain(mixes["kakita_ken"])


def test_what_a_seat_cannot_know_changes_nothing(dawn):
    told = []
    for ring in ("air", "fire"):
        encounter = dawn.fork()
        encounter.rule({"hida_hiro": {"predict": ring}}, "for the test")
        told.append(plain(mixed(encounter, "kakita_ken")))
    assert told[0] == told[1]
    assert told[0]["worlds"] >= 1


@pytest.mark.rule("L5R-DUEL-8", "L5R-DUEL-9")
def test_a_bid_that_makes_its_bidder_compromised_brings_a_blow_by_the_rules(dawn):
    """Hiro's strife stands at his composure; Ken's blade is sheathed, so the blow is a punch, and any critical wins."""
    encounter = dawn.fork()
    encounter.rule({"hida_hiro": {"strife": 12}, "kakita_ken": {"stance": "earth"}}, "for the test")
    world = encounter.imagine("hida_hiro", Stream(1))
    foresight = staredown.foresee(world.game, "hida_hiro", lambda done: None)
    world.answer(("bid", 1), "hida_hiro")
    world.answer(("bid", 0), "kakita_ken")
    ahead = Ahead(world, "hida_hiro", foresight)
    found = ahead.worth(world)
    assert world.choice().about == "finishing_blow"
    world.answer(next(foresight.tried(world.game, world.choice()).__iter__()))
    world.answer("no")  # Void point
    assert world.game.agenda[-1].ring_dice == 2

    def missed(strife):
        fork = world.fork()
        dice = tuple(Die(RING, "T", -1, "kept") for _ in range(strife))
        fork.game.leap("ask_order", {"dice": dice, **staredown.REST})
        return ahead.worth(fork)

    punch = joint(best_keep(2, 0, 2, 2, False))
    expected = sum(weight * missed(strife) for (hits, _, strife), weight in punch.items() if hits < 2 and strife < 6)
    # A hit with so much strife that Ken becomes Compromised first brings a blow of Hiro's: less than 2 in 10,000.
    assert abs(found - expected / punch.total) < 1e-3


class Exhaustive(Ahead):
    """All stances, all attacks, each with every goal for the keep and every end of its check."""

    def _chosen(self, world, choice):
        if choice.about == "stance":
            tried = [offer for offer in choice.offers if offer.value[0] == "stance"]
        elif choice.about == "action":
            verbs = ("calming_breath", "prepare", "nothing")
            tried = [offer for offer in choice.offers if offer.group in ("attack", "end") or offer.value[0] in verbs]
        else:
            return super()._chosen(world, choice)
        return self.best(choice.seat, [self.after(world, offer, choice.seat) for offer in tried])

    def after(self, world, offer, seat):
        fork = world.fork(log=False)
        fork.answer(offer, seat)
        return self.worth(fork)

    def best(self, seat, worths):
        return max(worths) if seat == self.seat else min(worths)

    def _rolled(self, world, roll):
        check = world.game.agenda[-1]
        if roll.about != "check" or check.purpose != "attack" or world.game.agenda[-2].finishing:
            return super()._rolled(world, roll)
        compromised = world.game.records[check.who].compromised
        goals = [(check.tn, 0, None), (check.tn, 2, None), *([] if compromised else [(check.tn, 0, 0)])]
        found = []
        for goal in goals:
            law = law_of(check.ring_dice, check.skill_dice, goal, compromised, check.limit)
            found.append(sum(chance * self.shown(world, *symbols) for *symbols, chance in law if chance > 2e-4))
        return self.best(world.game.seat_of[check.who], found)

    def shown(self, world, successes, opportunities, strife):
        fork = world.fork(log=False)
        faces = "S" * successes + "O" * min(opportunities, 2) + "T" * strife
        fork.game.leap("ask_order", {"dice": tuple(Die(RING, face, -1, "kept") for face in faces), **staredown.REST})
        return self.worth(fork)


def reveal(encounter, first, second):
    world = encounter.imagine(encounter.asked()[0], Stream(1))
    foresight = staredown.foresee(world.game, world.asked()[0], lambda done: None)
    for who, bid in zip(world.game.table.order, (first, second), strict=True):
        world.answer(("bid", bid), world.game.seat_of[who])
    return world, foresight


def hold_against_all(encounter, first, second, within, monkeypatch):
    monkeypatch.setattr(equilibria, "MOST_POSITIONS", 10**9)
    world, foresight = reveal(encounter, first, second)
    seat = encounter.asked()[0]
    quick = Ahead(world, seat, foresight).worth(world)
    assert Exhaustive(world, seat, foresight).worth(world) == pytest.approx(quick, abs=within)


def test_the_first_turn_is_as_good_as_if_all_were_tried(dawn, monkeypatch):
    """Hiro acts first, his blade sheathed."""
    hold_against_all(dawn, 0, 3, 0.005, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize(
    ("scenario", "bids"),
    [
        ("l5r/duel_at_dawn", ((4, 0), (5, 0), (0, 0), (2, 1))),
        ("l5r/to_the_death", ((0, 0), (1, 0), (0, 3), (5, 5))),
        ("l5r/first_blood", ((0, 0), (4, 0), (0, 3), (5, 1))),
    ],
)
def test_the_same_for_more_bids(scenario, bids, monkeypatch):
    encounter = at_bids(scenario)
    for first, second in bids:
        hold_against_all(encounter, first, second, 0.02, monkeypatch)


def test_whoever_cannot_act_is_worse_off(dawn, mixes):
    found = dawn.fork()
    found.rule({"kakita_ken": {"conditions": ("unconscious",)}}, "for the test")
    assert mixed(found, "hida_hiro").value > mixes["hida_hiro"].value + Fraction(1, 10)


def test_other_secrets_are_no_contest():
    encounter = referee.start("l5r/duel_at_dawn", 3)
    assert mixed(encounter) is None
    assert mixed(referee.start("soluna/alley", 3), referee.start("soluna/alley", 3).asked()[0]) is None


def test_advice_ranks_bids_by_the_mix(dawn, mixes):
    found = mixes["hida_hiro"]
    advice = advise(dawn, "hida_hiro", seconds=0.05)
    assert [each.weight for each in advice] == sorted(found.weights, reverse=True)
    assert {each.offer.value: each.value for each in advice} == {
        offer.value: worth for offer, worth in zip(found.offers, found.worth, strict=True)
    }
    assert all(each.behind == found.value - each.value for each in advice)


def test_it_is_told_in_words_and_bars(mixes):
    told = lines(mixes["hida_hiro"])
    assert told[0].startswith("Best in secret, against kakita ken: worth ")
    assert any("#" in line for line in told)
    assert len(told) == 2 + len(mixes["hida_hiro"].offers) + len(mixes["hida_hiro"].answers)


def test_tables_are_kept_and_mended(tmp_path, monkeypatch):
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path))
    side = sketched(Sketch((2, 1), 2, 4, 0.5), (2, 2, 1), 2)
    duel = Duel(side, side)
    built = []
    build = DuelTable.build
    monkeypatch.setattr(staredown.DuelTable, "build", lambda *facts: built.append(1) or build(*facts))
    first = staredown.table_of(duel, 2, 1)
    again = staredown.table_of(duel, 2, 1)
    assert len(built) == 1
    assert len(first.starts) == len(again.starts)
    assert all((one == other).all() for one, other in zip(first.starts, again.starts, strict=True))
    (kept,) = tmp_path.glob("duel-*")
    kept.write_bytes(kept.read_bytes()[:-9])
    assert (staredown.table_of(duel, 2, 1).start(2) == first.start(2)).all()
    staredown.table_of(duel, 2, 2)
    assert len(built) == 3, "a broken file, and other rules, are reckoned again"


def test_only_the_newest_tables_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path))
    for number in range(5):
        remember_bytes("duel", str(number), b"table", 3)
        os.utime(max(tmp_path.glob("duel-*"), key=lambda path: path.stat().st_mtime_ns), (number, number))
    assert [recall_bytes("duel", str(number)) for number in range(5)] == [None, None, b"table", b"table", b"table"]


def test_the_terminal_shows_the_mix_on_demand(dawn):
    screen = io.StringIO()
    ink = Ink(screen)
    ink.learn(dawn)
    offers = dawn.offers("hida_hiro")
    looking.show_odds(ink, dawn, "hida_hiro", [(str(place), each) for place, each in enumerate(offers)], "")
    shown = screen.getvalue()
    assert "Best in secret, against kakita ken" in shown
    assert shown.count("worth") == 1 + len(offers)
    assert "reckoning" not in shown


def test_a_screen_is_told_how_far_the_first_bid_is(dawn, tmp_path, monkeypatch):
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path))
    monkeypatch.setattr(staredown, "_ROUNDS", {})
    screen = io.StringIO()
    screen.isatty = lambda: True
    ink = Ink(screen)
    offers = dawn.offers("hida_hiro")
    looking.show_odds(ink, dawn, "hida_hiro", [(str(place), each) for place, each in enumerate(offers)], "")
    told = [int(part.split("%")[0]) for part in screen.getvalue().split("reckoning: ")[1:]]
    assert told == sorted(told)
    assert len(set(told)) > 5


def test_match_ups_are_reckoned_once(tmp_path, monkeypatch):
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path))
    strong, weak = (sketched(Sketch((2, skill), 2, 4, 0.5), (2, 2, 1), 2) for skill in (2, 0))
    duels = {("a", "b"): Duel(strong, weak), ("a", "c"): Duel(strong, strong), ("b", "c"): Duel(weak, strong)}
    heard = []
    found = match_ups.chances(duels, 1, heard.append)
    assert heard == [1 / 3, 2 / 3, 1]
    assert found["a", "c"] == Fraction(1, 2)
    assert found["a", "b"] == 1 - found["b", "c"] > Fraction(1, 2)
    monkeypatch.setattr(match_ups, "first_bids", None)
    assert match_ups.chances(duels, 1) == found


@pytest.mark.long
def test_match_ups_shared_by_processes_are_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "one"))
    side = sketched(Sketch((1, 0), 2, 4, 0.5), (1, 1, 1), 1)
    duels = {("a", str(lead)): Duel(side, side, lead) for lead in (0, 1)}
    alone = match_ups.chances(duels, 1)
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "two"))
    monkeypatch.setattr(match_ups, "FEW", 1)
    assert match_ups.chances(duels, 1) == alone
    assert len(list((tmp_path / "two").glob("duel-*"))) == 2
