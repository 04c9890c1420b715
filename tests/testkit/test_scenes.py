from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.content import ContentError, registry
from referee.engine import IllegalAnswer
from referee.testkit import Scene, Unmet, rule, run_scenes
from referee.testkit.running import as_json
from tests.engine import skirmish

HEAD = "- scene: this\n  game: brawl\n"


@pytest.fixture
def run(installed: Path) -> Callable[[str], Any]:
    """Runs a file with one scene and returns its outcome."""

    def run(text: str) -> Any:
        Path("some.yaml").write_text(HEAD + text, encoding="utf-8")
        return run_scenes(["some.yaml"]).outcomes[0]

    return run


def test_the_scenes_of_a_game_pass(installed: Path) -> None:
    report = run_scenes(registry.get("brawl"))
    assert [each.why for each in report.failed] == []
    assert len(report.passed) == 5
    assert run_scenes(["brawl"]) == report


HIT = "  dice: [3]\n  given: {bob: {hand: []}}\n  play:\n  - ann: hit\n"

FAILING = {
    "an unused die": ("  dice: [3, 4]\n  play:\n  - ann: hit\n  - bob: pass\n", 3, "dice that nobody rolled: [4]"),
    "no die left": ("  play:\n  - ann: hit\n  - bob: pass\n  - bob: hit\n", 6, "no dice are left for: blow (d6)"),
    "an answer not on offer": ("  play:\n  - ann: dance\n", 4, "'dance' is not on offer to ann; on offer: hit; wait 0; brace"),
    "an unused answer": (HIT + "  - ann: hit\n", 7, "ann is not asked; bob is asked (act)"),
    "a refused answer": (
        "  given: {ann: {braced: true}}\n  play:\n  - ann: brace\n", 5,
        "'brace' is not on offer to ann, refused by braced already (BRA-ACT-2); on offer: hit; wait 0",
    ),
    "an impossible roll": ("  dice: [7]\n  play:\n  - ann: hit\n  - bob: pass\n", 6, "d6 cannot show 7"),
    "a roll about something else": ("  dice: [{fall: 3}]\n  play:\n  - ann: hit\n  - bob: pass\n", 6, "it is about 'blow'"),
    "a roll where none is asked": ("  play:\n  - roll: 3\n", 4, "a roll is here (3), but ann is asked (act)"),
    "another seat asked": ("  play:\n  - asked: bob\n", 4, "bob should be asked; asked: ann"),
    "asked about something else": ("  play:\n  - asked: {seat: ann, about: block}\n", 4, "asked about 'block'; it is 'act'"),
    "nobody asked": ("  play:\n  - asked: none\n", 4, "nobody should be asked"),
    "not offered": ("  play:\n  - ann: {offered: [hit, dance]}\n", 4, "'dance' is not on offer"),
    "offered after all": ("  play:\n  - ann: {not offered: [hit]}\n", 4, "'hit' should not be on offer"),
    "not refused": ("  play:\n  - ann: {refused: brace}\n", 4, "'brace' should be refused to ann; refused: nothing"),
    "refused by another rule": (
        "  given: {ann: {braced: true}}\n  play:\n  - ann: {refused: brace, rules: [BRA-END-1]}\n", 5, "should cite BRA-END-1",
    ),
    "another total": ("  play:\n  - ann: {breakdown: hit, total: 2}\n", 4, "damage should be 2, it is 1"),
    "other lines": ("  play:\n  - ann: {breakdown: hit, lines: [[2, strength, BRA-BLOW-2]]}\n", 4, "the lines of damage"),
    "no such number": ("  play:\n  - ann: {breakdown: hit, name: price}\n", 4, "no number price"),
    "another value": (HIT + "  - then: {bob: {life: 5}}\n", 7, "bob.life: expected 5, there is 2"),
    "no such field": (HIT + "  - then: {bob: {lives: 5}}\n", 7, "bob has no field 'lives'; it has id, life"),
    "no such record": (HIT + "  - then: {bib: {life: 5}}\n", 7, "there is no record 'bib'; there are ann, bob"),
    "still there": (HIT + "  - then: {bob: gone}\n", 7, "bob is there"),
    "true is not 1": (HIT + "  - then: {ann: {strength: true}}\n", 7, "expected true, there is 1"),
    "too few": ("  play:\n  - then: {bob: {hand: {count: 2}}}\n", 4, "expected 2 of them"),
    "has not": ("  play:\n  - then: {bob: {hand: {has: axe}}}\n", 4, "expected axe among"),
    "does not lack": ("  play:\n  - then: {bob: {hand: {lacks: block}}}\n", 4, "expected no block among"),
    "too little": ("  play:\n  - then: {bob: {life: {least: 7}}}\n", 4, "expected at least 7, there is 6"),
    "the end": ("  play:\n  - ann: brace\n  then: {round: 3}\n", 5, "round: expected 3, there is 2"),
    "no result": ("  play:\n  - ann: brace\n  then: {result: {winner: ann}}\n", 5, "result: expected"),
    "no such event": (HIT + "  - log: {kind: hurt, by: 9}\n", 7, "by: expected 9, there is 4"),
    "an event of other rules": (HIT + "  - log: {kind: hurt, rules: [BRA-END-1]}\n", 7, "it does not cite BRA-END-1"),
    "an event told already": (HIT + "  - log: {kind: hurt}\n  - log: {kind: hurt}\n", 8, "since then there was None"),
    "an event after all": (HIT + "  - no log: {kind: hurt}\n", 7, "there should be no such event"),
    "sees too little": ("  play:\n  - sees: {seat: ann, record: bob, field: hand, value: [block]}\n", 4, "only 1 is shown"),
    "sees too much": ("  play:\n  - sees: {seat: bob, record: bob, field: hand, shown: 1}\n", 4, "the value is seen"),
    "imagines too much": ("  play:\n  - possible: {seat: ann, record: bob, field: hand, never: [nothing]}\n", 4, "can imagine"),
    "accepted": ("  play:\n  - error: {ann: hit}\n", 4, "this should be refused; it was accepted"),
    "other words": ("  play:\n  - error: {ann: dance, says: because}\n", 4, "the refusal should say 'because'"),
    "no consent": (HIT + "  - undo: ann\n", 7, "consent of bob, gm"),
    "a bad ruling": ("  play:\n  - rule: {edits: {ann: {lives: 3}}, reason: so}\n", 4, "ann has no field 'lives'"),
    "no faults": ("  faults: [too heavy]\n", 3, "nothing is wrong with it"),
    "other faults": ("  scenario: {fighters: [ann, ann]}\n  faults: [too heavy]\n", 4, "no fault says 'too heavy'; there is:"),
    "a fault of the rules": ("  given: {nobody: {life: 3}}\n  play: []\n", 3, "KeyError: 'nobody'"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAILING)
def test_what_does_not_hold_fails_at_its_line(case: str, run: Callable[[str], Any]) -> None:
    text, line, why = FAILING[case]
    outcome = run(text)
    assert why in outcome.why
    assert outcome.at == f"some.yaml:{line}"


def test_a_table_of_cases_fails_at_its_row(installed: Path) -> None:
    Path("some.yaml").write_text("- cases: sums\n  game: brawl\n  of: sum\n  table:\n  - [[1, 2], 3]\n  - [[1, 2], 4]\n")
    report = run_scenes(["some.yaml"])
    told = {"name": "sums", "at": "some.yaml:6", "why": "sum of [1, 2]: expected 4, there is 3"}
    assert as_json(report) == {"passed": [], "failed": [told]}


BAD = {
    "  ply: []\n": '3:3: unknown key "ply"; did you mean "play"?',
    "  play:\n  - cid: hit\n": '4:5: neither a seat nor an item: "cid"',
    "  play:\n  - ann: {ofered: [hit]}\n": '4:11: unknown key "ofered"; did you mean "offered"?',
    "  play:\n  - ann\n": "4:5: an item of `play` is a mapping with one key; write `- seat: answer`",
    "  play: hit\n": '3:9: "play" is not a list of items; write a list of items',
    "  play: []\n  rules: [BRA-ACT-9]\n": '4:11: no statement "BRA-ACT-9"; did you mean "BRA-ACT-3"?',
    "  play: []\n  scenario: yrd\n": '4:13: no scenario "yrd" in brawl; did you mean "yard"?',
    "  play: []\n  scenario: {fighters: [ann, bib]}\n": '4:30: no card "bib" in fighters; did you mean "bob"?',
    "  play: []\n  scenario: {policies: {rounds: fast}}\n": '4:33: the policy "rounds" cannot be fast; allowed: 20, 4',
    "  play: []\n  cards: {fighters: [{id: cid, strength: 9}]}\n": '4:42: "strength" is 9; write a whole number from 0 to 5',
    "  about: nothing\n": "1:3: a scene that expects nothing; add `play:`, `then:` or `faults:`",
    "  play:\n  - log: {who: ann}\n": '4:10: "kind" is missing; add it',
    "  play:\n  - sees: {seat: ann, record: bob, fild: x}\n": '4:36: unknown key "fild"; did you mean "field"?',
    "  play: []\n- scene: this\n  game: brawl\n  play: []\n": '4:3: the name "this" is taken; choose another; the first is',
    "  play: []\n- thing: that\n": "4:3: neither a scene nor cases; begin it with `scene: its name` or `cases: its name`",
    "  play: []\n- scene: that\n  play: []\n": "4:3: a scene of no known game; add `game:`, one of ",
    "  play: []\n- cases: that\n  game: brawl\n  of: summ\n  table: []\n": '6:7: no cases "summ" in brawl; did you mean "sum"?',
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_file_is_refused_with_its_place(text: str, installed: Path) -> None:
    Path("some.yaml").write_text(HEAD + text, encoding="utf-8")
    with pytest.raises(ContentError) as refused:
        run_scenes(["some.yaml"])
    assert f"some.yaml:{BAD[text]}" in str(refused.value)


def test_a_scene_brings_cards_of_its_own_and_a_scenario_with_them(run: Callable[[str], Any]) -> None:
    text = (
        "  scenario: {fighters: [ann, cid], hands: [[], []]}\n  cards: {fighters: [{id: cid, strength: 3}]}\n"
        "  play:\n  - ann: brace\n  - cid: {breakdown: hit, total: 2}\n"
    )
    assert run(text).why == ""


def test_a_refused_answer_that_changes_something_is_found(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene("brawl")
    monkeypatch.setattr(type(scene.encounter), "answer", lambda self, answer, seat=None: _spoil(self))
    with pytest.raises(Unmet, match="has changed something"):
        scene.error("ann", "dance")


def _spoil(encounter: Any) -> None:
    encounter.game.edit("ann").life = 1
    raise IllegalAnswer("no")


def test_a_scene_in_python(installed: Path) -> None:
    @rule("BRA-BLOCK-1", "BRA-BLOW-2")
    def blocked() -> None:
        with Scene("brawl", given={"ann": {"life": 2}}) as scene:
            scene.asked("ann").answer("ann", "hit").answer("bob", "block").log("blocked", who="bob").then({"ann": {"life": 2}})

    blocked()


def test_a_test_in_python_must_meet_the_statement_it_cites(installed: Path) -> None:
    @rule("BRA-BLOCK-1")
    def idle() -> None:
        with Scene("brawl") as scene:
            scene.answer("ann", "brace")

    with pytest.raises(Unmet, match="BRA-BLOCK-1"):
        idle()


def test_secret_answers_in_a_scene() -> None:
    with Scene(skirmish.RULESET, content=skirmish.CONTENT) as scene:
        scene.answer("ben", 0).asked("ann", "amount").error("ben", 0, "not asked").take_back("ben").answer("ben", 2)
        scene.answer("ben", "").answer("ann", 0).answer("abe", 0).then({"pot": {"gold": 0}})
        scene.answer("cleo", 0).log("bids", rules=["SK-10"]).then({"pot": {"gold": 2}})


def test_a_scene_in_python_leaves_no_dice(installed: Path) -> None:
    with pytest.raises(Unmet, match="dice that nobody rolled"), Scene("brawl", dice=[1]) as scene:
        scene.answer("ann", "brace")
