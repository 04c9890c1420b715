"""One test for every kind of fault, with the exact text."""

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.content import ContentError, load
from referee.content.checking import check

Write = Callable[[str, str], Path]

CARD_FAULTS = {
    "unknown key": (
        "{id: axe, damage: 3, weigth: 2}",
        '22: unknown key "weigth"; did you mean "weight"?',
    ),
    "unknown key, like no other": (
        "{id: axe, damage: 3, zzz: 2}",
        '22: unknown key "zzz"; known: id, title, spare, damage, kind, weight, colour, effect, shape',
    ),
    "missing": (
        "{id: axe}",
        '1: "damage" is missing; add it: a whole number from 1 to 6 (before armour)',
    ),
    "text for a number": (
        '{id: axe, damage: "3"}',
        '19: "damage" is "3"; write a whole number from 1 to 6 (before armour)',
    ),
    "true for a number": (
        "{id: axe, damage: true}",
        '19: "damage" is true; write a whole number from 1 to 6 (before armour)',
    ),
    "a decimal for a whole number": (
        "{id: axe, damage: 1.0}",
        '19: "damage" is 1.0; write a whole number from 1 to 6 (before armour)',
    ),
    "number for text": (
        "{id: axe, damage: 1, title: 7}",
        '29: "title" is 7; write text',
    ),
    "nothing": (
        "{id: axe, damage: }",
        '19: "damage" is empty; write a whole number from 1 to 6 (before armour)',
    ),
    "out of range": (
        "{id: axe, damage: 7}",
        '19: "damage" is 7; write a whole number from 1 to 6 (before armour)',
    ),
    "not above": (
        "{id: axe, damage: 1, weight: 0}",
        '30: "weight" is 0; write a number above 0',
    ),
    "literal": (
        "{id: axe, damage: 1, kind: blad}",
        '28: "kind" is "blad"; write blade, club or bow (did you mean "blade"?)',
    ),
    "pattern": (
        "{id: axe, damage: 1, colour: Red}",
        '30: "colour" is "Red"; write text that matches ^[a-z]+$',
    ),
    "short list": (
        "{id: axe, damage: 1, shape: [1]}",
        '29: "shape" is a list of 1; write a list of 2: a whole number, a whole number',
    ),
    "list item": (
        "{id: axe, damage: 1, shape: [1, x]}",
        '33: number 2 of "shape" is "x"; write a whole number',
    ),
    "unknown tag": (
        "{id: axe, damage: 1, effect: {do: mvoe}}",
        '35: "do" is "mvoe"; write move or arm (did you mean "move"?)',
    ),
    "missing tag": (
        "{id: axe, damage: 1, effect: {squares: 1}}",
        '30: "do" is missing; add it: move or arm',
    ),
    "inside a union": (
        "{id: axe, damage: 1, effect: {do: move, squares: 9}}",
        '50: "squares" is 9; write a whole number from 1 to 3',
    ),
    "none of a union": (
        "{id: axe, damage: 1, effect: 5}",
        '30: "effect" is 5; write a mapping with squares, a mapping with weapon or nothing (null)',
    ),
    "unknown card": (
        "{id: axe, damage: 1, effect: {do: arm, weapon: swrod}}",
        '48: no card "swrod" in weapons; did you mean "sword"?',
    ),
    "taken id": (
        "{id: ann, damage: 1}",
        '6: the id "ann" is taken; choose another; the first is at figures.yaml:2',
    ),
    "not a card": (
        "17",
        '1: number 1 of "weapons" is 17; write a mapping with id, damage',
    ),
    "key twice": (
        "{id: axe, damage: 1, damage: 2}",
        '22: "damage" is given twice; keep one; the first is in line 3',
    ),
    "tag of YAML": (
        "{id: axe, damage: !die 6}",
        '19: "!die" is a tag; write the value without a tag',
    ),
    "too large": (
        "{id: axe, damage: 12345678901234567890}",
        "19: 12345678901234567890 is too large a number; use at most 15 digits",
    ),
}


@pytest.mark.parametrize(("card", "expected"), CARD_FAULTS.values(), ids=CARD_FAULTS)
def test_fault_of_a_card(write: Write, installed: Path, card: str, expected: str) -> None:
    write("axe.yaml", f"game: skirmish\nweapons:\n- {card}\n")
    faults = [str(fault) for fault in check(["axe.yaml"]).faults if not fault.wrong.startswith("no scenario uses")]
    column, _, text = expected.partition(":")
    assert [each.replace(f"{installed}/skirmish/cards/", "") for each in faults] == [f"axe.yaml:3:{int(column) + 2}:{text}"]


def test_faults_of_references(write: Write) -> None:
    text = "{id: tom, spare: true, strength: 1, weapons: [sword, bown], skill: {bwo: 1}, marked: pron}"
    write("tom.yaml", f"game: skirmish\nfigures:\n- {text}\n")
    assert [str(fault) for fault in check(["tom.yaml"]).faults] == [
        'tom.yaml:3:56: no card "bown" in weapons; did you mean "bow"?',
        'tom.yaml:3:71: no card "bwo" in weapons; did you mean "bow"?',
        'tom.yaml:3:88: no card "pron" in weapons or conditions; did you mean "prone"?',
    ]


def test_problems_and_notes_of_the_ruleset(write: Write) -> None:
    write("tom.yaml", "game: skirmish\nfigures:\n- {id: tom, spare: true, strength: 12}\n- {id: bad}\n")
    report = check(["tom.yaml"])
    assert "tom.yaml:3:36: strength 12 is over budget; at most 9" in map(str, report.faults)
    assert [str(note) for note in report.notes] == ["tom.yaml:3:3: note: tom is unarmed; give a weapon"]


def test_unused_card(write: Write) -> None:
    write("axe.yaml", "game: skirmish\nweapons:\n- {id: axe, damage: 1}\n- {id: spade, damage: 1, spare: true}\n")
    assert [str(fault) for fault in check(["axe.yaml"]).faults] == [
        'axe.yaml:3:8: no scenario uses "axe"; use it, or say `spare: true`'
    ]


def test_a_card_is_used_through_other_cards(write: Write) -> None:
    write("house/tom.yaml", "figures:\n- {id: tom, strength: 1, weapons: [axe]}\n")
    write("house/axe.yaml", "weapons:\n- {id: axe, damage: 1}\n- {id: spade, damage: 1}\n")
    write("duel.yaml", "ruleset: skirmish\nid: d\ntitle: D\nfigures: [ann, tom]\ncards: [house]\n")
    expected = ['house/axe.yaml:3:8: no scenario uses "spade"; use it, or say `spare: true`']
    assert [str(fault) for fault in check(["duel.yaml"]).faults] == expected
    assert [str(fault) for fault in check(["."]).faults] == expected


SCENARIO_FAULTS = {
    "unknown ruleset": ("ruleset: skirmsh", 'duel.yaml:1:10: no ruleset "skirmsh"; did you mean "skirmish"?'),
    "unknown policy": (
        "policies: {fal_damage: 1}",
        'duel.yaml:5:12: unknown policy "fal_damage"; did you mean "fall_damage"?',
    ),
    "value of a policy": (
        "policies: {fall_damage: 3}",
        'duel.yaml:5:25: the policy "fall_damage" cannot be 3; allowed: 1, 0, 2',
    ),
    "number for a true-or-false policy": (
        "policies: {spends: 1}",
        'duel.yaml:5:20: the policy "spends" cannot be 1; allowed: true, false',
    ),
    "any number, but a negative one": (
        "policies: {round_limit: -1}",
        'duel.yaml:5:25: the policy "round_limit" cannot be -1; allowed: 30, or any whole number from 0 to 1000',
    ),
    "no extra cards": (
        "cards: [house]",
        'duel.yaml:5:9: no cards at "house"; name a YAML file of cards, or a folder with some, relative to the scenario',
    ),
    "unknown card": ("figures: [ann, bbo]", 'duel.yaml:4:16: no card "bbo" in figures; did you mean "bob"?'),
    "a problem the ruleset sees": ("figures: [ann, ann]", 'duel.yaml:4:16: "ann" is here twice; name each figure once'),
    "missing": ("title:", 'duel.yaml:3:7: "title" is empty; write text'),
}


@pytest.mark.parametrize(("line", "expected"), SCENARIO_FAULTS.values(), ids=SCENARIO_FAULTS)
def test_fault_of_a_scenario(write: Write, line: str, expected: str) -> None:
    lines = {"ruleset": "ruleset: skirmish", "id": "id: d", "title": "title: D", "figures": "figures: [ann, bob]"}
    lines[line.partition(":")[0]] = line
    write("duel.yaml", "\n".join(lines.values()) + "\n")
    assert [str(fault) for fault in check(["duel.yaml"]).faults] == [expected]
    with pytest.raises(ContentError) as raised:
        load("duel.yaml")
    assert str(raised.value) == expected


def test_own_scenario_is_named_after_its_file(installed: Path) -> None:
    path = installed / "skirmish/scenarios/alone.yaml"
    path.write_text(path.read_text().replace("id: alone", "id: lonely"))
    assert [str(fault) for fault in check([path]).faults] == [
        f'{path}:2:5: the id "lonely" is not the name of the file; write "alone"'
    ]


FILE_FAULTS = {
    "empty": (b"", "x.yaml:1:1: an empty file; write cards or a scenario"),
    "syntax": (b"a: [", "x.yaml:2:1: not YAML: did not find expected node content; correct the syntax here"),
    "two documents": (
        b"a: 1\n---\nb: 2\n",
        "x.yaml:2:1: not YAML: expected a single document in the stream but found another document; correct the syntax here",
    ),
    "control character": (
        b"a:\n  \x01",
        "x.yaml:2:3: not YAML: control characters are not allowed; correct the syntax here",
    ),
    "not UTF-8": (b"a: 1\nb: \xff", "x.yaml:2:4: not UTF-8 text; save the file as UTF-8"),
    "alias": (
        b"game: skirmish\nweapons: &all []\nfigures: *all\n",
        "x.yaml:2:10: a value written elsewhere (an alias); write it out",
    ),
    "key that is a list": (b"game: skirmish\n? [a]\n: 1\n", "x.yaml:2:3: a key that is a list or a mapping; use a name as key"),
    "unknown section": (b"game: skirmish\nwepons: []\n", 'x.yaml:2:1: unknown key "wepons"; did you mean "weapons"?'),
    "unknown game": (b"game: skirmsh\n", 'x.yaml:1:7: no ruleset "skirmsh"; did you mean "skirmish"?'),
    "a list": (
        b"- 1",
        "x.yaml:1:1: cards of no known game; add `game:` and its ruleset (morphyry, skirmish), or `ruleset:` if this is "
        "a scenario",
    ),
    "no ruleset": (b"ruleset: 3", "x.yaml:1:10: a scenario without a ruleset; name its ruleset: morphyry, skirmish"),
}


@pytest.mark.parametrize(("raw", "expected"), FILE_FAULTS.values(), ids=FILE_FAULTS)
def test_fault_of_a_file(installed: Path, monkeypatch: pytest.MonkeyPatch, raw: bytes, expected: str) -> None:
    monkeypatch.setattr("referee.content.registry.ids", lambda: ("morphyry", "skirmish"))
    Path("x.yaml").write_bytes(raw)
    assert [str(fault) for fault in check(["x.yaml"]).faults] == [expected]


def test_nested_too_deeply(write: Write) -> None:
    write("x.yaml", f"game: skirmish\nweapons: {'[' * 60}{']' * 60}\n")
    assert "x.yaml:2:60: nested too deeply; nest at most 50 levels" in map(str, check(["x.yaml"]).faults)


def test_missing_file_and_empty_folder(write: Write) -> None:
    Path("empty").mkdir()
    assert [str(fault) for fault in check(["nowhere.yaml", "empty"]).faults] == [
        "empty: no YAML file in this folder; name files or folders with content",
        "nowhere.yaml: cannot be read (no such file or directory); name a file that exists and is readable",
    ]


def test_cards_of_another_game(write: Write, installed: Path) -> None:
    write("house.yaml", "game: chess\nweapons: []\n")
    write("duel.yaml", "ruleset: skirmish\nid: d\ntitle: D\nfigures: [ann]\ncards: [house.yaml]\n")
    assert [str(fault) for fault in check(["duel.yaml"]).faults] == [
        'house.yaml:1:7: these cards are for "chess"; use cards for "skirmish" here'
    ]


def test_all_faults_at_once_in_the_order_of_files_and_lines(write: Write, installed: Path) -> None:
    write("b.yaml", "game: skirmish\nweapons:\n- {id: axe, damage: 9}\n- {id: axe}\n- {damage: x}\n")
    write("a.yaml", "ruleset: skirmish\nid: 3\nfigures: [nan, tom]\n")
    places = [(fault.file, fault.line) for fault in check(["b.yaml", "a.yaml"]).faults]
    assert places == sorted(places)
    assert [file for file, _ in places].count("a.yaml") == 4
    assert {line for file, line in places if file == "b.yaml"} == {3, 4, 5}


def test_the_package_itself_is_without_fault(installed: Path) -> None:
    report = check([installed / "skirmish"])
    assert report.faults == report.notes == ()
