"""What a seat can imagine of a hand: every set of the right size, equally likely."""

from collections import Counter
from itertools import combinations

from referee.content import registry
from referee.dice import Stream
from referee.testkit import Scene, rule
from referee.testkit.staging import stage

POOL = ["block", "cleave", "cut", "elbow", "parry", "shove"]


@rule("MOR-HIDE-4")
def test_each_set_of_unseen_cards_is_equally_likely() -> None:
    figures = [{"avatar": "sable", "hand": ["block", "cut", "elbow"]}, {"avatar": "garrick", "hand": ["cut", "parry"]}]
    content = stage(registry.get("morphyry"), {"base": "broken_stair", "pool": POOL, "figures": figures})
    with Scene("morphyry", content=content, given={"sable": {"seen": ["block"]}}, dice=[2, 9]) as scene:
        drawn = Counter(
            scene.encounter.imagine("garrick", Stream.named(seed, "hands")).game.records["sable"].hand for seed in range(2_000)
        )
    sets = [tuple(sorted(("block", *others))) for others in combinations([card for card in POOL if card != "block"], 2)]
    assert sorted(drawn) == sorted(sets)
    # Ten sets of 200 each: five standard deviations are 67.
    assert all(133 < count < 267 for count in drawn.values())


@rule("MOR-HIDE-4")
def test_each_hand_is_imagined_for_itself() -> None:
    with Scene("morphyry", given={}, dice=[2, 9]) as scene:
        worlds = [scene.encounter.imagine("spectator", Stream.named(seed, "hands")).game.records for seed in range(200)]
    both = [set(world["sable"].hand) & set(world["garrick"].hand) for world in worlds]
    assert any(both)
    assert not all(both)
