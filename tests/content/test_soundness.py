"""Content out of transcripts and saves was never checked: a digest proves that it is whole, not that it can be played."""

import pytest

from referee.content import ContentError, load, registry
from referee.content.soundness import unsound
from referee.content.sources import restore

NONE = '"policies":{}'


@pytest.mark.parametrize("name", [f"{game}/{each}" for game in registry.ids() for each in registry.scenarios(registry.get(game))])
def test_what_was_checked_is_sound(name: str) -> None:
    assert unsound(restore(load(name).source)) == []


@pytest.mark.parametrize(
    ("name", "written", "instead", "wrong"),
    [
        ("morphyry", NONE, '"policies":{"max_techniques":300000}', 'the policy "max_techniques" cannot be 300000'),
        ("morphyry", NONE, '"policies":{"round_limit":1001}', 'the policy "round_limit" cannot be 1001'),
        ("morphyry", NONE, '"policies":{"techniques":2}', 'the policy "techniques" cannot be 2'),
        ("vaia", NONE, '"policies":{"round_limit":-1}', 'the policy "round_limit" cannot be -1'),
        ("soluna", NONE, '"policies":{"turn_limit":true}', 'the policy "turn_limit" cannot be True'),
        ("l5r", NONE, '"policies":{"max_rounds":"30"}', "the policy \"max_rounds\" cannot be '30'"),
        ("vaia", '"trap":"caltrops"', '"trap":"caltrop"', 'no card "caltrop" in traps'),
    ],
)
def test_what_cannot_be_is_named(name: str, written: str, instead: str, wrong: str) -> None:
    source = load(name).source.decode()
    assert written in source
    assert wrong in unsound(restore(source.replace(written, instead, 1).encode()))[0]


@pytest.mark.parametrize("at", ["-21", "1000000000"])
def test_a_position_beyond_all_bounds_is_not_even_read(at: str) -> None:
    source = load("l5r/ambush").source.decode()
    assert '"at":3' in source
    with pytest.raises(ContentError, match=r"Expected `int` .= (-)?\d+ - at `\$.figures\[3\].at`"):
        restore(source.replace('"at":3', f'"at":{at}', 1).encode())
