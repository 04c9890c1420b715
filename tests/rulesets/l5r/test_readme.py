"""The character of the README is one that `referee check` accepts."""

import re
from pathlib import Path

from referee.content.checking import check

README = Path(__file__).parents[3] / "src/referee/rulesets/l5r/README.md"


def test_the_character_of_the_readme_is_sound(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(game: l5r\n.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    path = tmp_path / "own.yaml"
    path.write_text(found[1], encoding="utf-8")
    assert [str(fault) for fault in check([path]).faults if "no scenario uses" not in str(fault)] == []
