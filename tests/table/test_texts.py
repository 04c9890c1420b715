"""The texts of the web table are in one place: each is used, and none is missing."""

import re
from pathlib import Path

from referee.table import render
from referee.table.texts import TEXTS

USED = "".join(
    file.read_text(encoding="utf-8")
    for file in sorted(render.HERE.rglob("*"))
    if file.suffix in (".py", ".html") and file.name != "texts.py"
)


def test_every_text_is_used() -> None:
    built = ("error_", "role_", "bot_")  # looked up by status, by role and by kind
    unused = [key for key in TEXTS if not key.startswith(built) and not re.search(rf"[\"']{key}[\"']", USED)]
    assert unused == []


def test_no_text_is_missing() -> None:
    asked = re.findall(r"\bt(?:ext)?\(\s*[\"'](\w+)[\"']\s*[,)]", USED)
    assert len(asked) > 50
    assert sorted(set(asked) - set(TEXTS)) == []


def test_every_template_of_the_table_can_be_parsed() -> None:
    for file in sorted((Path(render.HERE) / "templates").glob("*.html")):
        render.environment().get_template(file.name)
