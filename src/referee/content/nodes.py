"""Reads YAML into plain data and remembers where each value stood. Knows nothing of cards."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .faults import Fault, shown

Steps = tuple[str | int, ...]  # keys and positions that lead to a value
Mark = tuple[int, int]  # line and column, both from 1

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}")
_TOO_LARGE = re.compile(r"[-+]?[0-9]{16,}")
_DECIMAL = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_TAGS = {"bool", "float", "int", "map", "merge", "null", "seq", "str", "timestamp", "value"}
_DEEPEST = 50


@dataclass
class Document:
    """One YAML file as plain data, with the line and column of every key and value, and the faults met on the way."""

    path: Path
    data: Any = None
    values: dict[Steps, Mark] = field(default_factory=dict)
    keys: dict[Steps, Mark] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, path: Steps, wrong: str, right: str, *, key: bool = False, note: bool = False) -> Fault:
        """A fault at the value (or its key) to which `path` leads, else at the nearest value around it."""
        marks = self.keys if key else self.values
        while path and path not in marks:
            path, marks = path[:-1], self.values
        line, column = marks.get(path, (1, 1))
        return Fault(shown(self.path), line, column, wrong, right, note)


def read(path: Path) -> Document:
    """The YAML file at `path`; never raises, its faults are in the document."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        fault = Fault(shown(path), 0, 0, f"cannot be read ({reason})", "name a file that exists and is readable")
        return Document(path, faults=[fault])
    return parse(raw, path)


def parse(raw: bytes, path: Path) -> Document:
    """The YAML text `raw`, with faults that name `path`."""
    document = Document(path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        mark = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        _report(document, mark, "not UTF-8 text", "save the file as UTF-8")
        return document
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        _report(document, _mark(error, text), f"not YAML: {_reason(error)}", "correct the syntax here")
    except RecursionError:
        _report(document, (1, 1), "nested too deeply", f"nest at most {_DEEPEST} levels")
    else:
        if root is not None:
            document.data = _value(document, root, (), set())
        if document.data is None and not document.faults:
            _report(document, (1, 1), "an empty file", "write cards or a scenario")
    return document


def _value(document: Document, node: Any, path: Steps, seen: set[int]) -> Any:
    mark = node.start_mark.line + 1, node.start_mark.column + 1
    document.values[path] = mark
    if id(node) in seen:
        _report(document, mark, "a value written elsewhere (an alias)", "write it out")
        return None
    seen.add(id(node))
    if node.tag.removeprefix("tag:yaml.org,2002:") not in _TAGS:
        _report(document, mark, f'"{node.tag}" is a tag', "write the value without a tag")
        return None
    if len(path) > _DEEPEST:
        _report(document, mark, "nested too deeply", f"nest at most {_DEEPEST} levels")
        return None
    if isinstance(node, yaml.SequenceNode):
        return [_value(document, item, (*path, position), seen) for position, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        return _mapping(document, node, path, seen)
    return _scalar(document, node, mark)


def _mapping(document: Document, node: Any, path: Steps, seen: set[int]) -> dict[Any, Any]:
    mapping: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        mark = key_node.start_mark.line + 1, key_node.start_mark.column + 1
        if not isinstance(key_node, yaml.ScalarNode):
            _report(document, mark, "a key that is a list or a mapping", "use a name as key")
            continue
        key = str(key_node.value)
        if key in mapping:
            first = document.keys[(*path, key)][0]
            _report(document, mark, f'"{key}" is given twice', f"keep one; the first is in line {first}")
            continue
        document.keys[(*path, key)] = mark
        mapping[key] = _value(document, value_node, (*path, key), seen)
    return mapping


def _scalar(document: Document, node: Any, mark: Mark) -> Any:
    text = str(node.value)
    if node.style:
        return text
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        if _TOO_LARGE.fullmatch(text) or math.isinf(float(text)):
            _report(document, mark, f"{text[:20]} is too large a number", "use at most 15 digits")
            return None
        return float(text)
    return text


def _report(document: Document, mark: Mark, wrong: str, right: str) -> None:
    document.faults.append(Fault(shown(document.path), *mark, wrong, right))


def _mark(error: yaml.YAMLError, text: str) -> Mark:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return mark.line + 1, mark.column + 1
    before = text[: getattr(error, "position", 0)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _reason(error: yaml.YAMLError) -> str:
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "a syntax error")
    return f"{getattr(error, 'context', '')} {problem}" if problem.startswith("but ") else problem
