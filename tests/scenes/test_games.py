"""Every installed game's own scenes pass, and leave none of its statements and policy values out."""

from functools import cache

import pytest

from referee.content import registry
from referee.testkit import Report, run_scenes
from referee.testkit.coverage import coverage


@cache
def played(game: str) -> Report:
    return run_scenes(registry.get(game))


@pytest.mark.parametrize("game", registry.ids())
def test_every_scene_passes(game: str) -> None:
    report = played(game)
    assert [f"{each.at} {each.name}: {each.why}" for each in report.failed] == []
    assert report.passed


@pytest.mark.parametrize("game", registry.ids())
def test_no_statement_and_no_policy_value_is_left_out(game: str) -> None:
    found = coverage(registry.get(game), played(game))
    assert (found.uncited, found.untested, found.policies) == ((), (), ())
