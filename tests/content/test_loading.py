import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from referee.content import ContentError, RegistryError, assemble, load, registry, restore
from referee.content.checking import check
from referee.engine.ruleset import Content

Write = Callable[[str, str], Path]


def same(one: Content, other: Content) -> bool:
    return (one.source, one.digest, one.scenario, one.cards) == (
        other.source,
        other.digest,
        other.scenario,
        other.cards,
    )


def test_content_holds_the_cards_that_the_scenario_reaches_and_those_in_use(installed: Path) -> None:
    content = load("skirmish/meeting")
    assert {kind: list(cards) for kind, cards in content.cards.items()} == {
        "weapons": ["sword", "stick", "knife"],
        "figures": ["ann", "bob"],
        "conditions": ["prone", "cursed"],
    }
    assert list(load("skirmish/alone").cards["weapons"]) == ["sword"]
    assert content.cards["weapons"]["sword"].effect.squares == 1
    assert content.policy("fall_damage") == 2
    assert content.policy("hands") == "hidden"


def test_source_is_canonical_and_restores(installed: Path) -> None:
    content = load("skirmish/meeting")
    data = json.loads(content.source)
    assert content.source == json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
    assert (data["ruleset"], data["rules_version"]) == ("skirmish", 3)
    assert same(content, restore(content.source))
    assert same(content, restore(json.dumps(data, indent=2).encode()))
    assert same(content, assemble(content.ruleset, content.scenario, content.cards))


def test_cached_content_is_the_same(installed: Path) -> None:
    assert same(load("skirmish/meeting"), load("skirmish/meeting"))
    assert same(load("skirmish"), load("skirmish/meeting"))


def test_cached_load_needs_neither_pydantic_nor_yaml(installed: Path) -> None:
    load("skirmish/meeting")
    program = (
        "import sys; from referee.content import load; load('skirmish/meeting');"
        "print(sorted({'pydantic', 'yaml'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(installed)}, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("file", ["cards/figures.yaml", "scenarios/meeting.yaml", "house.yaml", "__init__.py"])
def test_cache_notices_a_change(installed: Path, file: str) -> None:
    package = installed / "skirmish"
    (package / "house.yaml").write_text("weapons:\n- {id: axe, damage: 1}\n")
    scenario = package / "scenarios/meeting.yaml"
    scenario.write_text(scenario.read_text() + "cards: [../house.yaml]\n")
    load("skirmish/meeting")
    path = package / file
    if file == "__init__.py":
        path.write_text(path.read_text() + "# changed\n")
    else:
        path.write_text(path.read_text() + "wrong: 1\n")
        with pytest.raises(ContentError):
            load("skirmish/meeting")
    (package / "cards/more.yaml").write_text("weapons: 1\n")
    with pytest.raises(ContentError, match=r'"weapons" is 1; write a list'):
        load("skirmish/meeting")


@pytest.mark.parametrize("broken", [b"", b"{}", b"\xff", b"[1]"])
def test_broken_cache_is_ignored(installed: Path, tmp_path: Path, broken: bytes) -> None:
    content = load("skirmish/meeting")
    (entry,) = (tmp_path / "cache").iterdir()
    entry.write_bytes(broken)
    assert same(content, load("skirmish/meeting"))
    assert entry.read_bytes() != broken


def test_tampered_cache_is_ignored(installed: Path, tmp_path: Path) -> None:
    content = load("skirmish/meeting")
    (entry,) = (tmp_path / "cache").iterdir()
    memory = json.loads(entry.read_text())
    entry.write_text(json.dumps({**memory, "source": memory["source"].replace('"strength":3', '"strength":9')}))
    assert same(content, load("skirmish/meeting"))


def test_unwritable_cache_is_ignored(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "file" / "cache"))
    assert same(load("skirmish/meeting"), load("skirmish/meeting"))


def test_where_the_cache_is(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFEREE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    load("skirmish/meeting")
    assert len(list((tmp_path / "xdg/referee").iterdir())) == 1
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    load("skirmish/meeting")
    assert len(list((tmp_path / "home/.cache/referee").iterdir())) == 1


def test_a_scenario_by_its_path_with_cards_of_its_own(write: Write) -> None:
    write("house/tom.yaml", "figures:\n- {id: tom, strength: 1, weapons: [axe]}\n")
    write("house/axe.yaml", "weapons:\n- {id: axe, damage: 1}\n")
    write("duel.yaml", "ruleset: skirmish\nid: d\ntitle: D\nfigures: [ann, tom]\ncards: [house]\n")
    content = load("duel.yaml")
    assert {kind: list(cards) for kind, cards in content.cards.items()} == {
        "weapons": ["sword", "axe"],
        "figures": ["ann", "tom"],
        "conditions": ["prone", "cursed"],
    }
    assert same(content, load(Path("duel.yaml").resolve()))


def test_load_raises_every_fault(write: Write) -> None:
    write("house.yaml", "figures:\n- {id: tom, strength: x, weapons: [axe]}\n")
    write("duel.yaml", "ruleset: skirmish\nid: d\nfigures: [anm]\ncards: [house.yaml]\n")
    with pytest.raises(ContentError) as raised:
        load("duel.yaml")
    assert str(raised.value).splitlines() == [
        'duel.yaml:1:1: "title" is missing; add it: text',
        'duel.yaml:3:11: no card "anm" in figures; did you mean "ann"?',
        'house.yaml:2:23: "strength" is "x"; write a whole number',
        'house.yaml:2:36: no card "axe" in weapons; known: sword, bow, stick, knife',
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: {**data, "ruleset": "skirmsh"}, 'no ruleset "skirmsh"; did you mean "skirmish"?'),
        (
            lambda data: {**data, "rules_version": 1},
            "made under version 1 of the rules of skirmish; playable are versions 3, 2",
        ),
        (lambda data: {**data, "cards": {"wepons": []}}, 'no cards of the kind "wepons" in skirmish; did you mean "weapons"?'),
        (lambda data: {**data, "scenario": {}}, "cards or scenario that skirmish does not read"),
        (lambda data: {**data, "cards": {"weapons": [1]}}, "cards or scenario that skirmish does not read"),
        (lambda data: {}, "not the source of a content"),
        (lambda data: [], "not the source of a content"),
    ],
)
def test_restore_says_what_is_wrong(installed: Path, change: Callable[[object], object], message: str) -> None:
    source = msgspec.json.encode(change(json.loads(load("skirmish/meeting").source)))
    with pytest.raises(ContentError) as raised:
        restore(source)
    assert message in str(raised.value)


def test_restore_reads_older_versions_that_the_ruleset_keeps(installed: Path) -> None:
    data = json.loads(load("skirmish/meeting").source)
    assert restore(json.dumps({**data, "rules_version": 2}).encode()).ruleset.id == "skirmish"


def test_restore_of_no_json(installed: Path) -> None:
    for source in (b"", b"\xff\xfe", b"{"):
        with pytest.raises(ContentError, match="not the source of a content"):
            restore(source)


_LINES = st.sampled_from(
    """\
ruleset: skirmish
game: skirmish
weapons:
figures:
- {id: axe, damage: 3}
- id: x
  damage: 1
  effect: {do: arm, weapon: sword}
  effect: {do: move}
  skill: {sword: 1}
  shape: [1, 2]
policies: {hands: open}
cards: [..]
id: d
title: D
figures: [ann]
goal: escape
conditions: []
marked: {}
- 1
null
? [a]
&a
*a
!x
'
{
[
-
|""".splitlines()
)
_SOUND_SCENARIO = """\
ruleset: skirmish
id: d
title: D
figures: [ann, bob]
policies: {fall_damage: 2, hands: open}
"""
_SOUND_CARDS = """\
game: skirmish
weapons:
- {id: axe, damage: 3, effect: {do: move, squares: 1}, shape: [1, 2], weight: 0.5}
- {id: pole, damage: 1, effect: {do: arm, weapon: sword}}
figures:
- {id: tom, strength: 3, weapons: [sword], skill: {sword: 2}, marked: prone}
"""
_SPOILT = st.builds(
    lambda text, start, length, put: text[:start] + put + text[start + length :],
    st.sampled_from([_SOUND_SCENARIO, _SOUND_CARDS]),
    st.integers(0, 200),
    st.integers(0, 12),
    st.sampled_from(["", " ", "x", "7", "-", "{}", "[]", "[1]", "{a: 1}", "null", "true", "1.5", "\n", ": ", "&a ", "*a"]),
)
_TEXTS = st.one_of(
    st.binary(),
    st.one_of(st.text(), _SPOILT, st.lists(_LINES).map("\n".join)).map(str.encode),
)


@given(_TEXTS)
@example(b'cards: ["\\0"]\nruleset: skirmish\n')
@example(b"[" * 5000)
@example(b"- " * 5000)
@example(b"ruleset: skirmish\npolicies: {1: 2, hands: [3]}\ncards: [" + b"x" * 5000 + b"]")
@example(b"game: skirmish\nweapons: {a: 1}\nfigures: [{id: [], skill: [], weapons: {}}]\n")
@example(b'game: skirmish\nweapons: [{id: a, damage: 1, "\\0b": 2, "[key]": 1}]\n')
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_gives_faults_or_content(installed: Path, raw: bytes) -> None:
    path = Path("any.yaml")
    path.write_bytes(raw)
    for fault in check([path]).faults:
        assert fault.line >= 1
        assert str(fault)
    faults: tuple[object, ...] = ()
    try:
        content = load(path)
    except ContentError as error:
        faults = error.faults
    assert faults or same(content, restore(content.source))


def test_names_that_are_not_there(installed: Path) -> None:
    for name, message in {
        "skirmsh": 'no ruleset "skirmsh"; did you mean "skirmish"?',
        "skirmish/meating": 'no scenario "meating" in skirmish; did you mean "meeting"?',
        "nowhere.yaml": 'no file "nowhere.yaml"; name a scenario file, or a scenario as ruleset/scenario',
    }.items():
        with pytest.raises(RegistryError) as raised:
            load(name)
        assert str(raised.value) == message


def test_scenarios_of_a_ruleset(installed: Path) -> None:
    ruleset = registry.get("skirmish")
    assert "skirmish" in registry.ids()
    assert registry.scenarios(ruleset) == ("meeting", "alone")
    assert registry.find("skirmish") == installed / "skirmish/scenarios/meeting.yaml"


def test_two_packages_that_claim_one_ruleset(installed: Path) -> None:
    rival = installed / "rival-1.0.dist-info"
    rival.mkdir()
    (rival / "METADATA").write_text("Metadata-Version: 2.1\nName: rival\nVersion: 1.0\n")
    (rival / "entry_points.txt").write_text("[referee.rulesets]\nskirmish = rival:RULESET\nbroken = rival:RULESET\n")
    with pytest.raises(RegistryError) as raised:
        registry.get("skirmish")
    assert str(raised.value) == ('several packages claim the ruleset "skirmish": rival, skirmish; uninstall all but one')
    with pytest.raises(RegistryError, match=r'the ruleset "broken" cannot be loaded: No module named'):
        registry.get("broken")


def test_entry_point_that_is_no_ruleset(installed: Path) -> None:
    (installed / "skirmish-1.0.dist-info/entry_points.txt").write_text("[referee.rulesets]\nother = skirmish:RULESET\n")
    with pytest.raises(RegistryError, match=r'"skirmish:RULESET" is not a Ruleset with the id "other"'):
        registry.get("other")
