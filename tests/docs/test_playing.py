"""docs/playing.md has every key that a person at the terminal may type, and no other."""

import re

from referee.players.terminal import HELP
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs/playing.md").read_text(encoding="utf-8")


def test_every_key_is_there_and_no_other() -> None:
    assert re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE) == [key for key, _ in HELP]
