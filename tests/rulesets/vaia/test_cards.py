"""What is wrong with cards and scenarios that Vaia refuses, with the exact text."""

from pathlib import Path

import pytest

from referee.content.checking import check

CARDS = {
    "an unknown event": (
        "actions: [{id: odd, kind: trigger, celerity: 1, when: {at: before acuracy}, steps: [{cancel: true}]}]",
        '3:60: "at" is "before acuracy"; write declared, before accuracy, after accuracy, before damage, after damage, '
        "before move, after move, before push, after push, before effect or after effect or nothing (null) "
        '(did you mean "before accuracy"?)',
    ),
    "an event that no response knows": (
        "actions: [{id: odd, kind: response, celerity: 1, when: {event: mised}, steps: [{bleed: 1}]}]",
        '3:64: "event" is "mised"; write hit, half_hit, missed, hurt, fell, pushed, redirected_to, redirected_from, cancelled, '
        'interrupted or ended or nothing (null) (did you mean "missed"?)',
    ),
    "points": (
        "characters: [{id: giant, strength: 10, vitality: 2}]",
        "3:14: giant costs 21 points; 19 at level 1: lower an attribute or raise the level (VAIA-CHAR-1)",
    ),
    "negative durability": (
        "items: [{id: shard, durability: -3}]",
        '3:33: "durability" is -3; write a whole number from 1 to 999',
    ),
    "an unknown action": (
        "characters: [{id: giant, actions: [strik]}]",
        '3:36: no card "strik" in actions; did you mean "strike"?',
    ),
    "a step that is none": (
        "actions: [{id: odd, celerity: 1, steps: [acuracy]}]",
        '3:42: number 1 of "steps" is "acuracy"; write accuracy or a mapping with keys (did you mean "accuracy"?)',
    ),
    "a trigger without a cost": (
        "actions: [{id: odd, kind: trigger, when: {at: declared}, steps: [{cancel: true}]}]",
        "3:11: odd costs nothing that runs out; add `celerity`, `durability` or `named`, so that it ends by cost",
    ),
}


@pytest.mark.parametrize("name", CARDS)
def test_cards_that_are_refused(name: str, tmp_path: Path) -> None:
    text, told = CARDS[name]
    path = tmp_path / "house.yaml"
    path.write_text(f"game: vaia\n\n{text}\n")
    faults = [str(fault) for fault in check([path]).faults]
    assert [each.removeprefix(f"{path}:") for each in faults if "no scenario uses" not in each] == [told]


ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/vaia-cards.md").read_text(encoding="utf-8")


def test_the_page_tells_the_whole_vocabulary() -> None:
    from referee.rulesets.vaia import cards

    words = [*cards.VERBS, *cards.RIDDEN, *cards.Action.__struct_fields__, *cards.When.__struct_fields__]
    for literal in (cards.Occasion, cards.Happening, cards.Outcome, cards.Whom):
        words += literal.__args__  # type: ignore[attr-defined]
    for kind in (cards.Item, cards.Character, cards.Trap, cards.Placed, cards.VaiaScenario):
        words += kind.__struct_fields__
    common = ("id", "title", "spare", "ruleset", "about", "policies")
    assert [word for word in words if word not in common and f"`{word}" not in PAGE and f"{{{word}" not in PAGE] == []


def test_the_cards_on_the_page_are_those_that_are_played() -> None:
    house = Path(__file__).parent / "house"
    blocks = [part.partition("```")[0] for part in PAGE.split("```yaml\n")[1:]]
    assert blocks[0] == (house / "cards.yaml").read_text(encoding="utf-8").split("\n", 1)[1]
    assert blocks[1] == (house / "ford_at_home.yaml").read_text(encoding="utf-8")
