"""The tutorial is run: its blocks, in their order, make a package that is installed, checked, played and tested."""

import dataclasses
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.engine import Ruleset
from tests.docs.pages import ROOT, blocks, forgetting, run_console, run_python

PAGE = ROOT / "docs/writing-a-ruleset.md"
forget = forgetting("quarrel")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working directory from which packages are imported, here and in processes of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    yield tmp_path
    forget()


def install(project: Path) -> None:
    """What `pip install -e .` does with the entry points of a project."""
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    place = project / f"{told['name'].replace('-', '_')}-{told['version']}.dist-info"
    place.mkdir(exist_ok=True)
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {told['name']}\nVersion: {told['version']}\n")
    lines = [
        f"[{group}]\n" + "\n".join(f"{name} = {at}" for name, at in found.items())
        for group, found in told["entry-points"].items()
    ]
    (place / "entry_points.txt").write_text("\n\n".join(lines) + "\n")


def test_every_block_runs_in_its_order(desk: Path) -> None:
    names: dict[str, Any] = {}
    ran = 0
    for block in blocks(PAGE):
        if block.file:
            path = desk / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            if path.name == "pyproject.toml":
                install(desk)
            continue
        forget()
        assert block.language in ("console", "python"), f"{block}: what is this block?"
        (run_console if block.language == "console" else lambda each: run_python(each, names))(block)
        ran += 1
    assert ran >= 7


def test_every_field_of_a_ruleset_has_a_heading() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Every field of RULESET")[2]
    documented = re.findall(r"^### `(\w+)`$", section, re.MULTILINE)
    assert sorted(documented) == sorted(field.name for field in dataclasses.fields(Ruleset))
