"""Saves: an encounter as bytes and back. A save carries its scenario and the cards it uses."""

from __future__ import annotations

import hashlib
import zlib
from functools import cache
from typing import Any, Final, Union

import msgspec

from . import branches, hiding
from .errors import BadSave
from .events import Result
from .frames import ENGINE_FRAMES
from .game import Entry, Game
from .questions import Value
from .ruleset import Content, Ruleset

FORMAT: Final = 1
_MAGIC: Final = b"REFEREE\x01"

_encode = msgspec.msgpack.Encoder().encode


class _Save(msgspec.Struct, array_like=True, gc=False):
    format: int
    digest: str
    check: int
    state: bytes
    past: bytes
    source: bytes


_envelope: Final = msgspec.msgpack.Decoder(_Save)


@cache
def decoder(ruleset: Ruleset) -> msgspec.msgpack.Decoder[Any]:
    """A decoder for the states of one ruleset, whose records and frames are told apart by their tags."""
    record: Any = Union[tuple(ruleset.records)]  # noqa: UP007
    frame: Any = Union[(*ENGINE_FRAMES, *ruleset.frames)]
    branch = tuple[frame, list[frame], tuple[Value, ...], bool, Value]
    parts = [
        ("round", int), ("records", list[record]), ("agenda", list[frame]), ("branches", dict[str, branch] | None),
        ("result", Result | None), ("start", int | None), ("dice", bool), ("rolls", int), ("nodes", int),
        ("learned", dict[str, int]), ("remembered", list[tuple[bytes, Value]]), ("together_at", int), ("kept", bool),
    ]  # fmt: skip
    return msgspec.msgpack.Decoder(msgspec.defstruct("State", parts, array_like=True, gc=False))


def write(game: Game, past: bytes) -> bytes:
    """The game as bytes, with its encoded history."""
    state = _encode(
        (
            game.round, list(game.records.values()), game.agenda, game.branches, game.result, game.start,
            game.dice is not None, game.rolls, game.nodes, game.learned, list(game.remembered.items()), game.together_at,
            game.history is not None,
        )
    )  # fmt: skip
    content = game.content
    check = zlib.crc32(past, zlib.crc32(state))
    return _MAGIC + _encode(_Save(FORMAT, content.digest, check, state, past, content.source))


def source(data: bytes) -> tuple[str, bytes]:
    """The digest and the source of the content that a save carries. BadSave if it is no whole save."""
    save = _open(data)
    return save.digest, save.source


def _open(data: bytes) -> _Save:
    if data[: len(_MAGIC)] != _MAGIC:
        raise BadSave("these bytes are no save of an encounter")
    try:
        save = _envelope.decode(memoryview(data)[len(_MAGIC) :])
    except msgspec.MsgspecError:
        _later(data)
        raise BadSave("this save was cut or changed") from None
    if save.format != FORMAT:
        _later(data)
    if zlib.crc32(save.past, zlib.crc32(save.state)) != save.check:
        raise BadSave("this save was cut or changed")
    return save


def _later(data: bytes) -> None:
    try:
        version = msgspec.msgpack.decode(memoryview(data)[len(_MAGIC) :])[0]
    except (msgspec.MsgspecError, TypeError, IndexError, KeyError):
        return
    if isinstance(version, int) and version != FORMAT:
        raise BadSave(f"this save is of format {version}; this program reads format {FORMAT}: use a later version of it")


def read(data: bytes, content: Content, *, log: bool = True) -> tuple[Game, bytes]:
    """The game of a save, and its encoded history. BadSave if it is cut, changed, or belongs to other content."""
    save = _open(data)
    if save.digest != content.digest:
        raise BadSave(f"this save belongs to other content ({save.digest[:12]}, not {content.digest[:12]})")
    if save.source != content.source:
        raise BadSave("this save was cut or changed")
    try:
        state = decoder(content.ruleset).decode(save.state)
    except msgspec.MsgspecError as wrong:
        raise BadSave(f"this save does not fit {content.ruleset.title} as it is now: {wrong}") from None
    game = Game(content, state.start, log=log)
    if not state.dice:
        game.dice = None
    game.records = {record.id: record for record in state.records}
    game.owned = set(game.records)
    game.agenda = state.agenda
    game.result = state.result
    game.round = state.round
    game.rolls = state.rolls
    game.nodes = state.nodes
    game.learned = state.learned
    game.remembered = dict(state.remembered)
    game.unseen = hiding.out_of_sight(game)
    if state.branches is not None:
        branches.restore(game, state.together_at, state.branches)
    if not state.kept:
        game.history = None
        game.events = None
    game.run()
    return game, save.past


def verified(digest: str, text: bytes) -> bytes:
    """The source, if it has that digest. BadSave if not."""
    if hashlib.sha256(text).hexdigest() != digest:
        raise BadSave("the scenario and cards in this save were changed")
    return text


def encode_history(entries: list[Entry]) -> bytes:
    """Entries one after another, each with its length before it."""
    parts = []
    for entry in entries:
        data = _encode(entry)
        parts.append(len(data).to_bytes(4, "big"))
        parts.append(data)
    return b"".join(parts)


def decode_history(data: bytes) -> list[Entry]:
    """The entries that `encode_history` wrote."""
    entries = []
    place = 0
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        entries.append(_tuples(msgspec.msgpack.decode(data[place + 4 : place + 4 + size])))
        place += 4 + size
    return entries


def _tuples(value: Any) -> Any:
    return tuple(_tuples(each) for each in value) if isinstance(value, list) else value
