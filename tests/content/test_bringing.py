"""A card that somebody brings stands in for a figure, wherever its scenario means it; or all that is wrong is told."""

import pytest

from referee.content import registry
from referee.content.bringing import LARGEST, Brought, bring, places
from referee.content.faults import ContentError
from referee.content.opening import start

MAIN = [f"{id}/{registry.get(id).main_scenario}" for id in registry.ids()]


@pytest.mark.parametrize("scenario", [*MAIN, "l5r/kata"])
def test_the_printed_card_may_be_brought_under_another_name(scenario: str) -> None:
    found = places(scenario)
    assert len(found) >= 2
    last = found[-1]
    content = bring(scenario, [Brought(last.number, "mine.yaml", last.text.encode())])
    encounter = start(content, 3)
    assert f"my_{last.card}" in encounter.game.seat_of
    assert encounter.question is not None


def test_several_are_brought_at_once_and_what_they_need_with_them() -> None:
    zoe = b"""
weapons:
- {id: long_spear, skill: melee, range: [2, 3], damage: 4, deadliness: 3, two_hands: {}}
characters:
- {id: zoe, kind: pc, rings: {air: 1, earth: 2, fire: 2, water: 3, void: 2}, honour: 40, gear: [long_spear]}
"""
    ken = b"characters:\n- {id: ken, kind: pc, rings: {air: 3, earth: 2, fire: 2, water: 1, void: 2}, honour: 50, gear: [katana]}"
    content = bring("l5r/duel_at_dawn", [Brought(0, "zoe.yaml", zoe), Brought(1, "ken.yaml", ken)])
    assert {"zoe", "ken"} <= set(start(content, 1).game.seats)
    assert set(content.cards["characters"]) == {"zoe", "ken"}
    assert "long_spear" in content.cards["weapons"]


NOBODY = b"characters:\n- {id: zoe, kind: pc, rings: {air: 1, earth: 2, fire: 2, water: 3, void: 2}, honour: 40}\n"


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "mine.yaml:1:1: an empty file"),
        (b"\xff", "mine.yaml:1:1: not UTF-8 text; save the file as UTF-8"),
        (b"characters: []", "mine.yaml:1:13: no card in characters; write `characters:` with the one that is to be played"),
        (NOBODY + NOBODY.partition(b"\n")[2].replace(b"zoe", b"two"), "mine.yaml:2:1: 2 cards in characters"),
        (NOBODY.replace(b"air: 1", b"air: 9"), 'mine.yaml:2:36: "air" is 9; write a whole number from 1 to 5'),
        (NOBODY.replace(b"honour", b"honor"), 'mine.yaml:2:78: unknown key "honor"; did you mean "honour"?'),
        (NOBODY.replace(b"zoe", b"kakita_ken"), '"kakita_ken" is taken; choose another; the first is at cards/characters.yaml:'),
        (NOBODY.replace(b"zoe", b"host"), 'mine.yaml:2:8: no figure can be called "host"; use up to 40 small letters'),
        (NOBODY.replace(b"zoe", b"Zo/e"), 'mine.yaml:2:8: no figure can be called "Zo/e"'),
        (b"game: vaia\n" + NOBODY, 'mine.yaml:1:7: these cards are for "vaia"; use cards for "l5r" here'),
        (b"ruleset: l5r\n", "mine.yaml:1:1: this is a scenario"),
        (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "a value written elsewhere (an alias); write it out"),
        (b"characters: !!python/object/apply:os.system [ls]", "is a tag; write the value without a tag"),
        (b"[" * 60_000, "mine.yaml:1:1001: not YAML: exceeded maximum nesting depth"),
        (b"#" * (LARGEST + 1), "mine.yaml: larger than 64 kB"),
    ],
)  # fmt: skip
def test_every_fault_is_told_with_its_place_and_what_would_be_right(raw: bytes, told: str) -> None:
    with pytest.raises(ContentError) as wrong:
        bring("l5r/duel_at_dawn", [Brought(0, "/somewhere/mine.yaml", raw)])
    assert told in str(wrong.value)
    assert "somewhere" not in str(wrong.value)
    assert str(registry.folder(registry.get("l5r"))) not in str(wrong.value)


def test_there_is_nothing_to_replace_where_there_is_no_such_figure() -> None:
    with pytest.raises(LookupError):
        bring("l5r/duel_at_dawn", [Brought(7, "mine.yaml", NOBODY)])
