"""Remembers content that was read and found right, under the hash of all it was read from.

A cache that is missing, broken or unwritable is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from ..engine.ruleset import Ruleset
from . import registry
from .faults import RegistryError


class _Memory(msgspec.Struct):
    ruleset: str
    extras: tuple[str, ...]
    read_from: str
    digest: str
    source: str


def recall(scenario: Path) -> bytes | None:
    """The source of the content of a scenario file, if nothing it was read from has changed since."""
    try:
        memory = msgspec.json.decode(_place(scenario).read_bytes(), type=_Memory)
        unchanged = memory.read_from == _fingerprint(scenario, registry.get(memory.ruleset), memory.extras)
    except (OSError, RuntimeError, msgspec.MsgspecError, RegistryError):
        return None
    source = memory.source.encode()
    return source if unchanged and memory.digest == hashlib.sha256(source).hexdigest() else None


def remember(scenario: Path, ruleset: Ruleset, extras: tuple[str, ...], source: bytes) -> None:
    """Keeps the source of a scenario's content for the next time."""
    with contextlib.suppress(OSError, RuntimeError):
        read_from = _fingerprint(scenario, ruleset, extras)
        memory = _Memory(ruleset.id, extras, read_from, hashlib.sha256(source).hexdigest(), source.decode())
        _write(_place(scenario), msgspec.json.encode(memory))


def recall_bytes(kind: str, of: str) -> bytes | None:
    """What was kept of a kind for an input that a text describes in full; None if nothing was."""
    try:
        raw = _named(kind, of).read_bytes()
    except (OSError, RuntimeError):
        return None
    digest, whole = raw[:32], raw[32:]
    return whole if hashlib.sha256(whole).digest() == digest else None


def remember_bytes(kind: str, of: str, raw: bytes, most: int) -> None:
    """Keeps what took long to reckon; of a kind the newest `most` are kept."""
    with contextlib.suppress(OSError, RuntimeError):
        place = _named(kind, of)
        _write(place, hashlib.sha256(raw).digest() + raw)
        kept = sorted(place.parent.glob(f"{kind}-*"), key=lambda path: (path.stat().st_mtime, path.name))
        for old in kept[: max(0, len(kept) - most)]:
            old.unlink(missing_ok=True)


def _named(kind: str, of: str) -> Path:
    return _folder() / f"{kind}-{hashlib.sha256(f'{_version()} {of}'.encode()).hexdigest()}"


def _folder() -> Path:
    named = os.environ.get("REFEREE_CACHE")
    shared = os.environ.get("XDG_CACHE_HOME")
    return Path(named) if named else (Path(shared) if shared else Path.home() / ".cache") / "referee"


def _place(scenario: Path) -> Path:
    return _folder() / f"{hashlib.sha256(str(scenario.resolve()).encode()).hexdigest()}.json"


def _fingerprint(scenario: Path, ruleset: Ruleset, extras: Iterable[str]) -> str:
    """A hash of the files read and of the code that judged them."""
    modules = [*Path(__file__).parent.glob("*.py"), *registry.folder(ruleset).rglob("*.py")]
    digest = hashlib.sha256(f"{ruleset.id} {ruleset.rules_version} {_version()}".encode())
    for path in (scenario, *registry.card_files(ruleset), *registry.extra_files(scenario, extras), *sorted(modules)):
        raw = path.read_bytes()
        digest.update(f"\n{path.resolve()} {len(raw)}\n".encode())
        digest.update(raw)
    return digest.hexdigest()


def _version() -> str:
    try:
        return version("referee-tabletop")
    except PackageNotFoundError:
        return ""


def _write(place: Path, raw: bytes) -> None:
    """Writes all or nothing, also when others write the same file."""
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        Path(name).replace(place)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
