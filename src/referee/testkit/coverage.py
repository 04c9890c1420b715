"""Which numbered statements the rules cite, and which of them scenes have tested. Runs no scene itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..content import Rulebook, registry, rulebook
from ..engine import Ruleset
from .matching import text_form
from .running import Report


@dataclass(frozen=True)
class Coverage:
    """The statements that must be tested, those that only explain, and the gaps: uncited, untested, unplayed policies."""

    statements: tuple[str, ...]
    informative: tuple[str, ...]
    uncited: tuple[str, ...]
    untested: tuple[str, ...]
    policies: tuple[str, ...]

    @property
    def gaps(self) -> int:
        """How many gaps there are."""
        return len(self.uncited) + len(self.untested) + len(self.policies)

    def as_json(self) -> dict[str, Any]:
        """What `referee rules --coverage --json` prints."""
        return {name: list(value) for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Place:
    """Where a statement is cited: the file below the ruleset's folder, the line, and the step or function around it."""

    file: str
    line: int
    inside: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f" {self.inside}" if self.inside else "")


def coverage(ruleset: Ruleset, report: Report) -> Coverage:
    """What the scenes of a ruleset leave out, by the outcomes of a run of them."""
    book = rulebook(ruleset)
    needed = tuple(id for id, statement in book.statements.items() if not statement.informative)
    cited = set(_ids_in(ruleset, needed))
    own = [each for each in report.outcomes if each.ruleset == ruleset.id and each.passed]
    tested = {rule for each in own for rule in each.rules if rule in each.seen}
    played = {(name, text_form(value)) for each in own for name, value in each.policies.items()}
    return Coverage(
        needed,
        tuple(id for id, statement in book.statements.items() if statement.informative),
        tuple(id for id in needed if id not in cited),
        tuple(id for id in needed if id not in tested),
        tuple(
            f"{name}={text_form(value)}"
            for name, policy in ruleset.policies.items()
            for value in policy.values
            if (name, text_form(value)) not in played
        ),
    )


def undocumented(ruleset: Ruleset, book: Rulebook, report: Report) -> tuple[str, ...]:
    """Ids that scenes have met although no statement has them: misspelled citations."""
    met = {rule for each in report.outcomes if each.ruleset == ruleset.id for rule in each.seen}
    return tuple(sorted(rule for rule in met if rule not in book.statements and rule not in book.examples))


def sources(ruleset: Ruleset) -> Iterator[Path]:
    """The files of a ruleset in which a rule can be carried out: its modules and cards."""
    folder = registry.folder(ruleset)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        if path.suffix == ".py" or (path.suffix in registry.SUFFIXES and inside[0] in ("cards", "scenarios")):
            yield path


def _ids_in(ruleset: Ruleset, ids: Iterable[str]) -> Iterator[str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources(ruleset))
    for id in ids:
        if re.search(rf"\b{re.escape(id)}\b", text):
            yield id


def places(ruleset: Ruleset, id: str) -> list[Place]:
    """Every place in the sources of a ruleset that names a statement."""
    pattern = re.compile(rf"\b{re.escape(id)}\b")
    folder = registry.folder(ruleset)
    found = []
    for path in sources(ruleset):
        text = path.read_text(encoding="utf-8")
        if not pattern.search(text):
            continue
        scopes = list(_scopes(ast.parse(text))) if path.suffix == ".py" else []
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                around = [name for first, last, name in scopes if first <= number <= last]
                found.append(Place(str(path.relative_to(folder)), number, around[-1] if around else ""))
    return found


def _scopes(tree: ast.AST, outer: str = "") -> Iterator[tuple[int, int, str]]:
    """Classes and functions with their first and last line, decorators included; inner ones after outer ones."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            name = f"{outer}.{node.name}" if outer else node.name
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            yield first, node.end_lineno or node.lineno, name
            yield from _scopes(node, name)
