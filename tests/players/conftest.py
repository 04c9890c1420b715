import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.content import opening, registry

INSTALLED = Path(__file__).parent / "installed"


def forget() -> None:
    registry._claims.cache_clear()
    registry.get.cache_clear()
    opening._restored.clear()
    sys.modules.pop("scuffle", None)
    importlib.invalidate_caches()


@pytest.fixture(autouse=True)
def scuffle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The made-up ruleset `scuffle`, installed; the working directory is empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(INSTALLED))
    forget()
    yield
    forget()
