from pathlib import Path

import pytest

from referee.testkit import conformance, files

DOCS = (Path(__file__).parents[2] / "docs" / "testing.md").read_text(encoding="utf-8")
HEADINGS = [line.lstrip("#").strip() for line in DOCS.splitlines() if line.startswith("####")]


@pytest.mark.parametrize("key", sorted({*files.SCENE_KEYS, *files.CASES_KEYS, *files.ITEM_KEYS}))
def test_every_key_has_a_heading(key: str) -> None:
    assert any(f"`{key}`" in heading for heading in HEADINGS)


@pytest.mark.parametrize("key", files.SEAT_KEYS)
def test_every_key_of_a_seat_is_explained(key: str) -> None:
    assert f"`{key}`" in DOCS


@pytest.mark.parametrize("name", conformance.CHECKS)
def test_every_check_of_the_conformance_kit_is_explained(name: str) -> None:
    assert f"| {name} |" in DOCS
