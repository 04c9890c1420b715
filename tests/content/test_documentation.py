"""docs/content.md shows faults that are really printed: the same texts stand in the tests of faults."""

import re
from collections.abc import Callable
from pathlib import Path

from referee.content.checking import check

PAGE = (Path(__file__).parents[2] / "docs/content.md").read_text(encoding="utf-8")
TESTS = (Path(__file__).parent / "test_faults.py").read_text(encoding="utf-8")


def test_every_fault_in_the_table_is_tested() -> None:
    rows = re.findall(r"^\| [^|]+ \| `+([^|]*?) ?`+(?: \(.*\))? \|$", PAGE, re.MULTILINE)
    assert len(rows) == 29
    tested = re.sub(r'"\n\s+"', "", TESTS)
    for row in rows:
        text = row.split(": ", maxsplit=1)[1]
        assert text in tested, row


def test_the_examples_are_without_fault(write: Callable[[str, str], Path]) -> None:
    cards, scenario, _ = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    write("house/cards.yaml", cards)
    write("duel.yaml", scenario)
    assert check(["."]).faults == ()
