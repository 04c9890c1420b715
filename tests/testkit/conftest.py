import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.content import registry

INSTALLED = Path(__file__).parent / "installed"


def forget() -> None:
    registry._claims.cache_clear()
    registry.get.cache_clear()
    sys.modules.pop("brawl", None)
    importlib.invalidate_caches()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the made-up ruleset, installed; the working directory is an empty folder beside it."""
    site = tmp_path / "site"
    shutil.copytree(INSTALLED, site, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "desk").mkdir()
    monkeypatch.chdir(tmp_path / "desk")
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(site))
    forget()
    yield site
    forget()
