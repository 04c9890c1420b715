"""What is wrong with cards and scenarios that Morphyry refuses, with the exact text."""

import re
from pathlib import Path

import pytest

from referee.content.checking import check

README = Path(__file__).parents[3] / "src/referee/rulesets/morphyry/README.md"


def faults(path: Path) -> list[str]:
    """What is wrong in a file, without its name; that no scenario uses a card is not the matter here."""
    found = (str(fault) for fault in check([path]).faults)
    return [each.removeprefix(f"{path}:") for each in found if "no scenario uses" not in each]


STAB = "{name: stab, of: corpus"
CARDS = {
    "thirteen pips": (
        "avatars: [{id: titan, corpus: 5, electra: 4, spiritum: 4, hand: []}]",
        "3:11: titan has 13 pips; 12 in all at the most (MOR-CARD-1)",
    ),
    "six pips": (
        "avatars: [{id: titan, corpus: 6, hand: []}]",
        '3:31: "corpus" is 6; write a whole number from 3 to 5 (printed strength, 3 to 5)',
    ),
    "an unknown artifact": (
        "avatars: [{id: titan, hand: [], artifacts: [swort]}]",
        '3:45: no card "swort" in artifacts; did you mean "sword"?',
    ),
    "an unknown technique": (
        "avatars: [{id: titan, hand: [elbo]}]",
        '3:30: no card "elbo" in techniques; did you mean "elbow"?',
    ),
    "a card twice in a hand": (
        "avatars: [{id: titan, hand: [cut, cut]}]",
        "3:29: a card stands twice in this hand; each card once",
    ),
    "two weapons": (
        "avatars: [{id: titan, hand: [], artifacts: [sword, axe]}]",
        "3:44: titan holds 2 weapons; one (MOR-WEAP-7)",
    ),
    "a modifier that is no tag": (
        "artifacts: [{id: boots, mod: {standard_movment: 1}}]",
        "3:49: 'standard_movment' is no tag and no derived attribute of any card; did you mean 'standard_movement'?",
    ),
    "a modifier in a state that is no tag": (
        "artifacts: [{id: boots, while_state: {jumping: {kik: 1}}}]",
        "3:54: 'kik' is no tag and no derived attribute of any card; did you mean 'kick'?",
    ),
    "a square's modifier that is no tag": (
        "squares: [{id: bog, mark: outside, mod: {sped: -1}}]",
        "3:48: 'sped' is no tag and no derived attribute of any card; did you mean 'speed'?",
    ),
    "a square that rules out nothing known": (
        "squares: [{id: bog, mark: outside, forbid: [soulgrib]}]",
        '3:45: no card "soulgrib" in techniques; did you mean "soulgrip"?',
    ),
    "a weapon without a break figure": (
        "artifacts: [{id: club, weapon: true}]",
        "3:13: the weapon club has no break figure; add `break_above: 8`",
    ),
    "a technique named like a tag": (
        f"techniques: [{{id: jump, actions: [{STAB}}}]}}]",
        "3:19: 'jump' is a tag; give the technique another id (MOR-ADV-10)",
    ),
    "an effect of two kinds": (
        f"techniques: [{{id: stab, actions: [{STAB}, tags: [attack], effect: {{damage: 1, push: 1}}}}]}}]",
        "3:84: an effect names 2 of damage, move, push, fall, give, counter; name exactly one",
    ),
    "an effect of no kind": (
        f"techniques: [{{id: stab, actions: [{STAB}, tags: [attack], effect: {{type: cut}}}}]}}]",
        "3:84: an effect names 0 of damage, move, push, fall, give, counter; name exactly one",
    ),
    "damage without an attack": (
        f"techniques: [{{id: stab, actions: [{STAB}, effect: {{damage: 1}}}}]}}]",
        "3:68: damage needs a target, but this is no attack; add the tag `attack` (MOR-ATK-1)",
    ),
    "a Counter without a counter action": (
        f"techniques: [{{id: stab, actions: [{STAB}, effect: {{counter: [attack]}}}}]}}]",
        "3:68: a Counter comes from a counter action; add the tag `counter` (MOR-ATK-4)",
    ),
    "an effect that gives what is nothing": (
        f"techniques: [{{id: stab, actions: [{STAB}, tags: [spell], effect: {{give: {{sped: 1}}}}}}]}}]",
        "3:97: 'sped' is no tag and no derived attribute of any card; did you mean 'speed'?",
    ),
    "a need that is no artifact": (
        f"techniques: [{{id: stab, actions: [{STAB}, needs: [weapn]}}]}}]",
        '3:68: no card "weapn" in artifacts; did you mean "weapon"?',
    ),
}


@pytest.mark.parametrize("name", CARDS)
def test_a_card_that_is_refused(name: str, tmp_path: Path) -> None:
    text, expected = CARDS[name]
    path = tmp_path / "own.yaml"
    path.write_text(f"# Cards of my own\ngame: morphyry\n{text}\n")
    assert faults(path) == [expected]


def test_a_jump_adds_the_fall_and_check_says_so(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("game: morphyry\ntechniques: [{id: hop, actions: [{name: hop, of: corpus, tags: [jump]}]}]\n")
    notes = [str(fault).removeprefix(f"{path}:") for fault in check([path]).notes]
    assert notes == ["2:14: note: hop has a jump; Fall is added to its consequences (MOR-FAIL-6)"]
    assert faults(path) == []


SABLE, GARRICK = "{avatar: sable}", "{avatar: garrick}"
SCENARIOS = {
    "two figures on one square": (
        "figures: [{avatar: sable, at: b1}, {avatar: garrick, at: b1}]",
        "garrick starts on b1, where sable stands; one avatar a square (MOR-MAP-2)",
    ),
    "no such square": (
        f"figures: [{{avatar: sable, at: d9}}, {GARRICK}]",
        "there is no square 'd9'; squares are named from a1 to b1",
    ),
    "no starting square": (
        "figures: [{avatar: sable, at: a1}, {avatar: garrick, at: b1}, {avatar: mirel}]",
        "mirel has no starting square; add `at: b2`, or `starts` for so many sides",
    ),
    "an avatar twice": (
        "figures: [{avatar: sable, side: one}, {avatar: sable, side: two}]",
        "sable is seated twice; seat each avatar once",
    ),
    "an unknown avatar": (
        f"figures: [{SABLE}, {{avatar: garick}}]",
        'no card "garick" in avatars; did you mean "garrick"?',
    ),
    "two avatars of one side": (
        "figures: [{avatar: sable, side: red}, {avatar: garrick, side: red}]",
        "the side red has two avatars; one avatar a side (MOR-TURN-1)",
    ),
    "one figure": (
        f"figures: [{SABLE}]",
        '"figures" is a list of 1; write a list of length 2 or more of length 4 or less',
    ),
    "two weapons": (
        f"figures: [{SABLE}, {{avatar: garrick, carried: [axe]}}]",
        "garrick has 2 weapons; one (MOR-WEAP-7)",
    ),
    "an artifact twice": (
        f"figures: [{{avatar: sable, carried: [ring_of_haste]}}, {GARRICK}]",
        "an artifact stands twice with this figure; each artifact once",
    ),
    "a card twice in a hand": (
        f"figures: [{{avatar: sable, hand: [cut, cut]}}, {GARRICK}]",
        "a card stands twice in this hand; each card once",
    ),
    "a hand that is not of the pool": (
        "figures: [{avatar: sable, hand: [cut]}, {avatar: garrick, hand: [shove]}]\npool: [cut, elbow]",
        "garrick holds shove; only cards of the pool (MOR-HIDE-4)",
    ),
    "something lies nowhere": (
        f"figures: [{SABLE}, {GARRICK}]\nlying: {{c1: [sword]}}",
        "there is no square 'c1'; squares are named from a1 to b1",
    ),
    "an objective that is not on the board": (
        f"figures: [{SABLE}, {GARRICK}]\nobjective: {{hold: altar}}",
        "no altar on this board; name a square that is on it",
    ),
    "starts that do not grow": (
        f"figures: [{SABLE}, {GARRICK}]\nstarts: [[a1, b1], [b1, a1]]",
        "the starts do not grow; first those for two sides, then those for more",
    ),
    "an unknown policy": (
        f"figures: [{SABLE}, {GARRICK}]\npolicies: {{fall_damge: 2}}",
        'unknown policy "fall_damge"; did you mean "fall_damage"?',
    ),
    "a value that a policy does not have": (
        f"figures: [{SABLE}, {GARRICK}]\npolicies: {{fall_damage: 3}}",
        'the policy "fall_damage" cannot be 3; allowed: 1, 0, 2',
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_that_is_refused(name: str, tmp_path: Path) -> None:
    text, expected = SCENARIOS[name]
    starts = "" if "starts:" in text else "starts: [[a1, b1]]\n"
    path = tmp_path / "meeting.yaml"
    path.write_text(f"ruleset: morphyry\nid: meeting\ntitle: A meeting\nboard: [[court, court]]\n{starts}{text}\n")
    assert [re.sub(r"^\d+:\d+: ", "", each) for each in faults(path)] == [expected]


def test_a_board_that_is_no_board(tmp_path: Path) -> None:
    path = tmp_path / "meeting.yaml"
    head = "ruleset: morphyry\nid: meeting\ntitle: A meeting\n"
    path.write_text(f"{head}board: [[court, court], [court]]\nfigures: [{SABLE}, {GARRICK}]\n")
    assert faults(path) == ["4:8: the rows of the board are not equally long; one square id for each column of each row"]


def test_the_cards_of_the_readme_are_right(tmp_path: Path) -> None:
    example = next(each for each in re.findall(r"```yaml\n(.*?)```", README.read_text(), re.S) if "game: morphyry" in each)
    path = tmp_path / "own.yaml"
    path.write_text(example)
    assert faults(path) == []
