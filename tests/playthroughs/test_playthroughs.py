"""Golden playthroughs. `python -m referee.testkit.playthroughs tests/playthroughs` writes them anew: read what has changed."""

from pathlib import Path

import pytest

from referee.content import registry
from referee.testkit.playthroughs import changed

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("id", registry.ids())
def test_playthroughs_are_as_kept(id: str) -> None:
    assert "\n".join(changed(FOLDER, registry.get(id))) == ""
