"""Bots: what they answer, what they may know, that they leave the dice alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.content import opening
from referee.engine import Choice, Encounter, Game, IllegalAnswer, Offer, RefereeError
from referee.players.greedy import Greedy
from referee.players.scripted import Scripted
from referee.players.seats import Player, bot, play, players_of


def finished(scenario: str, seed: int, ann: str, bob: str) -> Encounter:
    encounter = opening.start(scenario, seed)
    for _ in play(encounter, {"ann": bot(ann, seed, "ann"), "bob": bot(bob, seed, "bob")}):
        pass
    return encounter


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_an_encounter_is_played_to_its_end_the_same_way_each_time(kind: str) -> None:
    once, again = finished("scuffle", 5, kind, kind), finished("scuffle", 5, kind, kind)
    assert once.result is not None
    assert once.transcript() == again.transcript()
    assert once.transcript() != finished("scuffle", 6, kind, kind).transcript()


def test_random_draws_from_a_stream_of_its_own_for_each_seed_and_seat() -> None:
    encounter = opening.start("scuffle/open_yard", 1)

    def drawn(seed: int, name: str) -> list[object]:
        player = bot("random", seed, name)
        return [player(encounter, "ann") for _ in range(20)]

    assert drawn(1, "ann") == drawn(1, "ann")
    assert drawn(1, "ann") != drawn(2, "ann")
    assert drawn(1, "ann") != drawn(1, "bob")
    assert {offer.value for offer in drawn(1, "ann")} == {"strike", "feint", "wait"}  # type: ignore[attr-defined]


def test_greedy_beats_random_in_both_seats() -> None:
    won = sum(finished("scuffle", seed, "greedy", "random").result.winner == "ann" for seed in range(40))  # type: ignore[union-attr]
    won += sum(finished("scuffle", seed, "random", "greedy").result.winner == "bob" for seed in range(40))  # type: ignore[union-attr]
    assert won >= 64


def test_greedy_takes_what_is_best_for_its_seat() -> None:
    encounter = opening.start("scuffle/open_yard", 1)
    encounter.rule({"bob": {"stamina": 2}}, "close to the end")
    # A feint does 2 for certain; a strike against a high stance often less.
    assert bot("greedy", 1, "ann")(encounter, "ann") == Offer("feint", "attack", cost=((1, "breath"),), rules=("SCU-ACT-2",))


def test_greedy_takes_the_first_of_equal_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = opening.start("scuffle/open_yard", 1)
    game = encounter.game
    game.ruleset = replace(game.ruleset, worth=lambda game, seat: 7)
    assert bot("greedy", 1, "ann")(encounter, "ann").value == "strike"  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_what_a_seat_cannot_know_changes_nothing_in_its_answer(kind: str) -> None:
    for seed in range(30):
        answers = []
        for held in ("dodge", "sand"):
            encounter = opening.start("scuffle/open_yard", seed)
            encounter.rule({"bob": {"hand": (held,)}}, "another hand")
            answers.append(bot(kind, seed, "ann")(encounter, "ann"))
        assert answers[0] == answers[1]


def test_what_others_have_sealed_changes_nothing_in_an_answer() -> None:
    for seed in range(30):
        answers = []
        for stance in ("high", "low"):
            encounter = opening.start("scuffle/yard", seed)
            encounter.answer(stance, "bob")
            answers.append(bot("greedy", seed, "ann")(encounter, "ann"))
        assert answers[0] == answers[1]


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_thinking_leaves_the_encounter_as_it_was(kind: str) -> None:
    encounter = opening.start("scuffle/open_yard", 3)
    before = encounter.key(), encounter.save(), encounter.events()
    bot(kind, 3, "ann")(encounter, "ann")
    assert (encounter.key(), encounter.save(), encounter.events()) == before


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_a_bot_that_is_not_asked_says_so(kind: str) -> None:
    with pytest.raises(IllegalAnswer, match="bob is not asked"):
        bot(kind, 1, "bob")(opening.start("scuffle/open_yard", 1), "bob")


def test_an_unknown_bot_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(RefereeError, match=r"no player 'gredy'; did you mean \"greedy\""):
        bot("gredy", 1, "ann")


def test_a_script_answers_by_value_and_label_and_keeps_what_is_left() -> None:
    encounter = opening.start("scuffle/open_yard", 1)
    script = Scripted(["strike", ["dodge"], "feint"])
    encounter.answer(script(encounter, "ann"))
    encounter.game.records["bob"].hand = ("dodge",)
    with pytest.raises(IllegalAnswer, match=r"\('dodge',\) of the script is not on offer to bob; on offer: pass"):
        script(encounter, "bob")
    script.rest[0] = "pass"
    encounter.answer(script(encounter, "bob"))
    assert script.rest == ["feint"]


def test_a_script_that_ends_too_early_says_what_is_on_offer() -> None:
    with pytest.raises(IllegalAnswer, match="no answer left for ann; on offer: strike; feint; wait"):
        Scripted([])(opening.start("scuffle/open_yard", 1), "ann")


def test_events_come_as_they_happen() -> None:
    encounter = opening.start("scuffle/open_yard", 1)
    players: dict[str, Player] = {"ann": Scripted(["feint"]), "bob": Scripted(["wait"])}
    told = play(encounter, players)
    assert next(told).kind == "round"
    assert encounter.nodes == 0
    assert next(told).kind == "acts"
    assert encounter.nodes == 1


def test_events_told_before_are_not_told_again() -> None:
    encounter = opening.start("scuffle/open_yard", 1)
    encounter.answer("feint")
    told = play(encounter, {"bob": Scripted([])}, told=2)
    assert next(told).kind == "hurt"


def test_an_empty_seat_and_missing_dice_are_named() -> None:
    with pytest.raises(RefereeError, match="ann is asked, and nobody sits there"):
        list(play(opening.start("scuffle/open_yard", 1), {}))
    encounter = opening.start("scuffle/open_yard", 1, real_dice=True)
    with pytest.raises(RefereeError, match="the dice are asked for"):
        list(play(encounter, {"ann": Scripted(["strike"]), "bob": Scripted(["pass"])}))


def test_the_gm_is_no_player() -> None:
    assert players_of(opening.start("scuffle", 1)) == ("ann", "bob")


def test_what_the_ruleset_prefers_is_taken_at_once_by_what_the_seat_can_know() -> None:
    encounter = opening.start("scuffle/open_yard", 3)
    choice = encounter.choice("ann")
    assert choice is not None
    shown: list[Game] = []

    def prefers(game: Game, asked: Choice) -> Offer:
        shown.append(game)
        return asked.offers[-1]

    encounter.game.ruleset = replace(encounter.game.ruleset, prefers=prefers)
    assert Greedy(1, "ann")(encounter, "ann") is choice.offers[-1]
    assert len(shown) == 1
    assert shown[0] is not encounter.game
    encounter.game.ruleset = replace(encounter.game.ruleset, prefers=lambda game, asked: None)
    tried = Greedy(1, "ann")(encounter, "ann")
    encounter.game.ruleset = replace(encounter.game.ruleset, prefers=None)
    assert Greedy(1, "ann")(encounter, "ann") is tried
