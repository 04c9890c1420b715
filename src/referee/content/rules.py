"""Reads a game's numbered rules, worked examples and policies from its rules.md. Judges nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..engine.ruleset import Ruleset
from .registry import folder

_ID = r"[A-Z0-9]+-[A-Z]+-[0-9]+"
_STATEMENT = re.compile(rf"- \*\*({_ID})\*\* (.*?) _\(basis: ([a-z+]+)\)_( _\(informative\)_)?")
_EXAMPLE_ROW = re.compile(rf"\| ({_ID})( \(data\))? \| (.*?) \| (.*?) \| (.*?) \|")
_EXAMPLE_ITEM = re.compile(rf"- \*\*({_ID})\*\*( \(data\))? (.*?)(?: → (.*?))?(?: \[([^]]*)\])?\.?(?: _\(.*\)_)?")
_POLICY_ROW = re.compile(r"\| `?([a-z_0-9]+)`? \| (.*?) \| (.*?) \|")
_MENTION = re.compile(r"`(?:policy\.)?([a-z_0-9]+)`")
_CITED = re.compile(r"(?:([A-Z]+)-)?([0-9]+)(?:\.\.([0-9]+))?")


@dataclass(frozen=True)
class Statement:
    """A numbered rule: its text, what it rests on, and the policies it names. Informative ones have no test."""

    id: str
    text: str
    basis: tuple[str, ...]
    informative: bool
    section: str
    policies: tuple[str, ...]


@dataclass(frozen=True)
class Example:
    """A worked example, with the ids of the statements it shows; `data`: given and expected numbers, no scene.

    `outcome` is empty where the example is one sentence.
    """

    id: str
    given: str
    outcome: str
    statements: tuple[str, ...]
    data: bool


@dataclass(frozen=True)
class Rulebook:
    """A game's rules as numbered statements, its worked examples, and what its policies are about."""

    title: str
    statements: Mapping[str, Statement]
    examples: Mapping[str, Example]
    policies: Mapping[str, str]


def rulebook(ruleset: Ruleset) -> Rulebook:
    """The numbered rules of a ruleset."""
    return parse_rules((folder(ruleset) / "rules.md").read_text(encoding="utf-8"))


def parse_rules(text: str) -> Rulebook:
    """Reads the text of a rules.md. Raises ValueError for an id given twice or an entry that cannot be read."""
    policies = dict(_policies(text))
    statements: dict[str, Statement] = {}
    examples: dict[str, Example] = {}
    title = section = ""
    for line in text.splitlines():
        if line.startswith("#"):
            section = line.lstrip("#").strip()
            title = title or section
        elif found := _EXAMPLE_ROW.fullmatch(line) or (_EXAMPLE_ITEM.fullmatch(line) if _is_example(line) else None):
            _add(examples, _example(found))
        elif found := _STATEMENT.fullmatch(line):
            _add(statements, _statement(found, section, policies))
        elif re.match(rf"(- \*\*|\| ){_ID}", line):
            raise ValueError(f"neither a statement nor an example: {line}")
    return Rulebook(title, statements, examples, policies)


def _is_example(line: str) -> bool:
    return re.match(r"- \*\*[A-Z0-9]+-EX-", line) is not None


def _statement(found: re.Match[str], section: str, policies: Mapping[str, str]) -> Statement:
    name, text, basis, informative = found.groups()
    mentioned = tuple(dict.fromkeys(word for word in _MENTION.findall(text) if word in policies))
    return Statement(name, text, tuple(basis.split("+")), informative is not None, section, mentioned)


def _example(found: re.Match[str]) -> Example:
    name, data, given, outcome, cited = found.groups()
    return Example(name, given, outcome or "", tuple(_cited(cited or "", name.partition("-")[0])), data is not None)


def _cited(text: str, game: str) -> Iterator[str]:
    """The ids in "ADV-2, FAIL-8..10, 12", in full."""
    section = ""
    for each in text.split(", ") if text else ():
        found = _CITED.fullmatch(each.strip().removeprefix(f"{game}-"))
        if found is None:
            raise ValueError(f"no id of a statement: {each}")
        section = found[1] or section
        for number in range(int(found[2]), int(found[3] or found[2]) + 1):
            yield f"{game}-{section}-{number}"


def _policies(text: str) -> Iterator[tuple[str, str]]:
    """The rows of the table under the heading of the policies: name and what it is about."""
    inside = False
    for line in text.splitlines():
        if line.startswith("#"):
            inside = "Policies" in line
        elif inside and (found := _POLICY_ROW.fullmatch(line)) and found[1] not in ("policy", "option"):
            yield found[1], found[3]


def _add(entries: dict[str, Any], entry: Statement | Example) -> None:
    if entry.id in entries:
        raise ValueError(f"{entry.id} is given twice")
    entries[entry.id] = entry
