"""Transcripts: an encounter as a text that people read and programs replay.

A transcript holds the scenario, the cards it uses, the rules version and every answer and roll, and between them the log.
Each entry ends in two short digests: of all entries so far (was the text changed?) and of what happened since the entry
before (do the rules still say the same?). The last line holds a digest of the whole text.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from .answers import as_value
from .errors import BadTranscript
from .game import Entry

FORMAT: Final = 1
_VERBS: Final = {
    "choice": "answers",
    "roll": "roll",
    "together": "together",
    "concede": "concedes",
    "ruling": "rules",
    "undo": "takes back",
}


class Line(msgspec.Struct, frozen=True):
    """One entry as read: its place in the file, its digests."""

    number: int
    entry: Entry
    line: int
    happened: str


class Transcript(msgspec.Struct, frozen=True):
    """A transcript as read. `whole` is False if its end is missing."""

    ruleset: str
    rules_version: int
    scenario: str
    seed: int | None
    source: bytes
    lines: tuple[Line, ...]
    ended: str


def plain(value: Any) -> str:
    """A value as JSON on one line, always the same way."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def chained(before: str, entry: Entry) -> str:
    """The running digest of the entries, from the one before."""
    return hashlib.sha256(f"{before} {plain(entry)}".encode()).hexdigest()[:8]


def head(entry: Entry) -> str:
    """Who did what: the words before the answer itself."""
    verb = _VERBS[entry[0]]
    if entry[0] in ("choice", "concede", "ruling"):
        return f"{entry[1].replace(' ', '_')} {verb}"
    return f"{entry[2].replace(' ', '_')} {verb}" if entry[0] == "undo" else verb


def read(text: str) -> Transcript:
    """Reads a transcript. BadTranscript says in which line it was cut or changed."""
    lines = text.rstrip("\n").split("\n")  # not splitlines: an answer may hold other separators
    if not lines or not lines[0].startswith("referee transcript "):
        raise BadTranscript("this is no transcript: one begins with 'referee transcript 1'", 1)
    if lines[0] != f"referee transcript {FORMAT}":
        raise BadTranscript(f"this is a transcript of format {lines[0].split()[-1]}; this program reads format {FORMAT}", 1)
    header, place = _header(lines)
    source: dict[str, Any] = {"cards": {}}
    while place < len(lines) and lines[place]:
        word, _, rest = lines[place].partition(" ")
        kind, _, data = rest.partition(" ")
        try:
            if word == "card":
                source["cards"].setdefault(kind, []).append(json.loads(data))
            elif word == "no-card":
                source["cards"].setdefault(kind, [])
            elif word == "field":
                source[kind] = json.loads(data)
            else:
                raise BadTranscript(f"{word!r} does not belong among the cards of a transcript", place + 1)
        except json.JSONDecodeError as wrong:
            raise BadTranscript(f"this card was changed: {wrong.msg}", place + 1) from None
        place += 1
    content = json.dumps(source, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    if hashlib.sha256(content).hexdigest() != header["content"]:
        raise BadTranscript("the scenario or its cards were changed, or belong to another transcript", 5)
    entries, ended = _entries(lines, place + 1, header["content"])
    body, mark, digest = text.rstrip("\n").rpartition(" ~")
    if not mark or hashlib.sha256(body.encode()).hexdigest()[:16] != digest:
        raise BadTranscript("a line of the log was changed after this transcript was written", len(lines))
    ruleset, _, version = header["ruleset"].rpartition(" ")
    seed = None if header["seed"] == "none" else int(header["seed"])
    return Transcript(ruleset, int(version), header["scenario"], seed, content, tuple(entries), ended)


def _header(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    header = {}
    for place, name in enumerate(("ruleset", "scenario", "seed", "content"), 1):
        word, _, rest = (lines[place] if place < len(lines) else "").partition(" ")
        if word != name or not rest:
            raise BadTranscript(f"here stands {name!r} in a whole transcript", place + 1)
        header[name] = rest
    if not re.fullmatch(r"none|-?[0-9]+", header["seed"]):
        raise BadTranscript("a seed is a whole number, or 'none'", 4)
    if not header["ruleset"].rpartition(" ")[2].isdigit():
        raise BadTranscript("the ruleset is followed by its rules version", 2)
    return header, 6


def _entries(lines: Sequence[str], start: int, chain: str) -> tuple[list[Line], str]:
    kinds = {verb: kind for kind, verb in _VERBS.items()}
    entries: list[Line] = []
    for place in range(start, len(lines)):
        line = lines[place]
        if not line or line.startswith(" "):
            continue
        if line.startswith("end "):
            words = line.partition(" ~")[0].split(" ", 2)
            if len(words) < 3:
                break
            if words[1] != str(len(entries)):
                raise BadTranscript(f"{words[1]} entries were written, {len(entries)} are here", place + 1)
            return entries, words[2]
        head, opened, rest = line.partition(" [")
        number, _, who = head.partition(" ")
        kind = next((kind for verb, kind in kinds.items() if who == verb or who.endswith(f" {verb}")), None)
        try:
            if not opened or kind is None or number != str(len(entries) + 1):
                raise ValueError
            data, _ = json.JSONDecoder().raw_decode(f"[{rest}")
            happened = rest.rpartition("/")[2]
            told = rest.rpartition("~")[2].partition("/")[0]
        except ValueError:
            raise BadTranscript(f"here stands entry {len(entries) + 1} in a whole transcript", place + 1) from None
        entry = (kind, *as_value(data))
        chain = chained(chain, entry)
        if told != chain:
            raise BadTranscript(f"entry {number} was changed after this transcript was written", place + 1)
        entries.append(Line(len(entries) + 1, entry, place + 1, happened))
    raise BadTranscript(f"this transcript was cut: its end is missing after entry {len(entries)}", len(lines))
