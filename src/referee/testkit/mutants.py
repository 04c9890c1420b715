"""Finds what can be disabled in the modules of a ruleset, and imports the ruleset with one thing disabled.

Disabled are: a citing step (it does nothing and goes on), a line of a number, a reason, a refusal; with `fine` also each
statement and each condition of what cites.
"""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import importlib.util
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from ..content import registry
from ..engine import Ruleset

_RULE = re.compile(r"[A-Z0-9]+-[A-Z]+-[0-9]+")


@dataclass(frozen=True)
class Mutant:
    """One thing disabled: the module, the place in it, what is done there, and the rules cited around it."""

    module: str
    file: Path
    line: int
    column: int
    kind: str  # step | line | reason | refusal | statement | condition
    inside: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        words = {"statement": "a statement left out", "condition": "a condition turned round"}
        done = words.get(self.kind, f"a {self.kind} disabled")
        return f"{self.file.name}:{self.line} {self.inside}: {done} ({', '.join(self.rules) or 'no rule'})"


def find_mutants(ruleset: Ruleset, *, fine: bool = False) -> list[Mutant]:
    """Every mutant of a ruleset, in the order of its files."""
    folder = registry.folder(ruleset)
    found: list[Mutant] = []
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        name = ".".join([ruleset.package, *(part for part in parts if part != "__init__")])
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for owner, function in _functions(tree):
            inside = f"{owner}.{function.name}" if owner else function.name
            for node, kind in _targets(function, fine):
                rules = _rules(node) or _rules(function)
                line, column = (function.lineno, function.col_offset) if kind == "step" else (node.lineno, node.col_offset)
                found.append(Mutant(name, path, line, column, kind, inside, rules))
    return found


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    yield node.name, each


def _targets(function: ast.FunctionDef, fine: bool) -> Iterator[tuple[Any, str]]:
    cites = any(isinstance(each, ast.Call) and _name(each.func) == "cites" for each in function.decorator_list)
    logs = isinstance(function.returns, ast.Constant) and function.returns.value is None and bool(_rules(function))
    if cites or logs:
        yield function, "step"
    for node in ast.walk(function):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            kind = _yielded(node.value.value)
            if kind:
                yield node, kind
    if fine and (cites or _rules(function)):
        for node in ast.walk(function):
            if node is not function and isinstance(node, ast.Assign | ast.AugAssign | ast.Expr) and not _quiet(node):
                yield node, "statement"
            elif isinstance(node, ast.If):
                yield node, "condition"


def _yielded(value: ast.expr | None) -> str:
    if isinstance(value, ast.Tuple) and len(value.elts) == 3 and not isinstance(value.elts[2], ast.Tuple):
        return "line"  # whose third part is a rule; dice for a picture end with a tuple
    if isinstance(value, ast.Call) and _name(value.func) in ("Reason", "Refusal"):
        return _name(value.func).lower()
    return ""


def _quiet(node: ast.stmt) -> bool:
    """A docstring, a yield (which is a target of its own), or a first assignment that others need to run at all."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant | ast.Yield)
    return isinstance(node, ast.Assign) and all(isinstance(each, ast.Name | ast.Tuple) for each in node.targets)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _rules(node: ast.AST) -> tuple[str, ...]:
    texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return tuple(dict.fromkeys(text for text in texts if _RULE.fullmatch(text)))


class _Disable(ast.NodeTransformer):
    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.done = False

    def visit(self, node: ast.AST) -> Any:
        mutant = self.mutant
        here = (getattr(node, "lineno", 0), getattr(node, "col_offset", -1)) == (mutant.line, mutant.column)
        if not self.done and here:
            if mutant.kind == "step" and isinstance(node, ast.FunctionDef):
                self.done = True
                node.body = [ast.Pass()]
                return node
            if mutant.kind == "condition" and isinstance(node, ast.If):
                self.done = True
                node.test = ast.UnaryOp(ast.Not(), node.test)
                return node
            if mutant.kind not in ("step", "condition") and isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
                self.done = True
                # A generator stays one when its only yield is left out.
                nothing = ast.Expr(ast.YieldFrom(ast.Tuple([], ast.Load()))) if _is_yield(node) else ast.Pass()
                return ast.copy_location(nothing, node)
        return self.generic_visit(node)


def _is_yield(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)


def mutated(mutant: Mutant) -> ast.Module:
    """The module of a mutant with the one thing disabled. ValueError if it is not there (any more)."""
    change = _Disable(mutant)
    tree: ast.Module = change.visit(ast.parse(mutant.file.read_text(encoding="utf-8")))
    if not change.done:
        raise ValueError(f"changed meanwhile: {mutant}")
    return ast.fix_missing_locations(tree)


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.file))
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile(mutated(self._mutant), str(self._mutant.file), "exec")


class _Finder:
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        folders = [str(self._mutant.file.parent)] if self._mutant.file.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self._mutant.file, loader=_Loader(self._mutant), submodule_search_locations=folders
        )


def import_mutant(ruleset: Ruleset, mutant: Mutant | None) -> Ruleset:
    """The ruleset imported afresh with the mutant in it. For a process of its own: the import system stays changed."""
    package = ruleset.package
    for name in [each for each in sys.modules if each == package or each.startswith(f"{package}.")]:
        del sys.modules[name]
    if mutant is not None:
        sys.meta_path.insert(0, _Finder(mutant))
    registry.get.cache_clear()
    return registry.get(ruleset.id)
