"""Opens encounters: from a scenario, from a save, from a transcript. Reads files only through `loading`."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

from ..engine import replaying, saves, transcript
from ..engine.encounter import Encounter
from ..engine.errors import BadSave, BadTranscript, RefereeError
from ..engine.replaying import Difference, Replay
from ..engine.ruleset import Content
from . import loading
from .faults import ContentError
from .sources import restore

SEEDS = 2**63  # a seed is below this, so that saves can hold it
_KEPT = 64
_restored: dict[str, Content] = {}


def start(
    scenario: str | Path | Content,
    seed: int | None = None,
    *,
    log: bool = True,
    debug: bool = False,
    real_dice: bool = False,
) -> Encounter:
    """A new encounter at its first question: of a scenario by name or path, or of content that was loaded before.

    Without a seed one is drawn. With `real_dice` every roll is asked for, and the encounter has no seed. Raises ContentError
    with every fault in the files, RegistryError if there is no such scenario, RefereeError if no seed can be like that.
    """
    if seed is not None and not 0 <= seed < SEEDS:
        raise RefereeError(f"a seed is a whole number from 0 to {SEEDS - 1}, not {seed}")
    content = scenario if isinstance(scenario, Content) else loading.load(scenario)
    if seed is None:
        seed = secrets.randbelow(2**31)
    return Encounter.start(content, seed, log=log, debug=debug, real_dice=real_dice)


def load(data: bytes) -> Encounter:
    """The encounter of a save. Raises BadSave if it was cut or changed, or cannot be played with what is installed."""
    digest, source = saves.source(data)
    content = _restored.get(digest)
    if content is None:
        saves.verified(digest, source)
        try:
            content = _remember(digest, restore(source))
        except ContentError as error:
            raise BadSave(f"this save cannot be played here: {_because(error)}") from error
    return Encounter.load(data, content)


def replay(
    text: str,
    to: int | None = None,
    watch: Callable[[], None] | None = None,
    vet: Callable[[Content], None] | None = None,
) -> Encounter:
    """The encounter of a transcript after `to` of its entries (None: all), to be played on.

    `watch` is called before each entry, `vet` with the content before anything is played; what they raise ends the replay.
    Raises BadTranscript if it was cut or changed, cannot be played with what is installed, or the rules of now differ
    from it; RefereeError if it has no such entry.
    """
    replayed, difference = compared(transcript.read(text), to, watch, vet)
    if difference is not None:
        rules = f" [{', '.join(difference.rules)}]" if difference.rules else ""
        raise BadTranscript(f"entry {difference.number}: {difference.why}{rules}", difference.line)
    return Encounter(replayed.finish())


def check_replay(text: str) -> Difference | None:
    """The first difference between a transcript and what the rules of now make of it; None if they agree.

    Raises BadTranscript if it was cut or changed, or cannot be played with what is installed.
    """
    return compared(transcript.read(text))[1]


def compared(
    read: transcript.Transcript,
    to: int | None = None,
    watch: Callable[[], None] | None = None,
    vet: Callable[[Content], None] | None = None,
) -> tuple[Replay, Difference | None]:
    """A transcript played again up to an entry, and the first difference. Raises as `replay` does."""
    if to is not None and not 0 <= to <= len(read.lines):
        raise RefereeError(f"this transcript has no entry {to}; it has {len(read.lines)} (0 is the beginning)")
    try:
        content = restore(read.source)
    except ContentError as error:
        raise BadTranscript(f"this transcript cannot be played here: {_because(error)}") from error
    if vet is not None:
        vet(content)
    return replaying.compare(read, _remember(content.digest, content), to, watch)


def _remember(digest: str, content: Content) -> Content:
    """One content for each digest: what a ruleset prepared for it serves every encounter."""
    if digest not in _restored and len(_restored) >= _KEPT:
        del _restored[next(iter(_restored))]
    return _restored.setdefault(digest, content)


def _because(error: ContentError) -> str:
    return "; ".join(f"{fault.wrong}; {fault.right}" for fault in error.faults)
