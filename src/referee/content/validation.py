"""Compares plain data with the structs it shall become, and words every difference. Reads no file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

import msgspec
from pydantic import ValidationError

from .faults import Fault, nearest, suggestion
from .models import BRANCH, model
from .nodes import Document, Steps
from .shapes import at, describe, fields, is_struct, matching, members, spelled, tag, unwrap

_TAG_ERRORS = ("union_tag_invalid", "union_tag_not_found")


@dataclass(frozen=True)
class Misfit:
    """A fault together with the path of the value that has it."""

    path: Steps
    fault: Fault


def misfits(document: Document, struct: Any) -> list[Misfit]:
    """Every place where the document's data is not what `struct` asks for."""
    try:
        model(struct).model_validate(document.data)
    except ValidationError as error:
        places = _places(error)
    else:
        return []
    known = {(fault.line, fault.column) for fault in document.faults}
    found = [Misfit(path, _worded(document, struct, path, kind)) for path, kind in places.items()]
    return [each for each in found if (each.fault.line, each.fault.column) not in known]


def convert(document: Document, path: Steps, struct: type[Any]) -> tuple[Any, list[Fault]]:
    """The struct made of the fitting data at `path`; None and a fault if its own `__post_init__` objects."""
    _, data = at(struct, document.data, path)
    try:
        return msgspec.convert(data, struct), []
    except msgspec.ValidationError as error:
        return None, [document.fault(path, str(error), "correct it")]


def _places(error: ValidationError) -> dict[Steps, str]:
    """The kind of error at each path; of a union's alternatives only the one that the data was meant as."""
    places: dict[Steps, str] = {}
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        path = tuple(key for key in each["loc"] if not (isinstance(key, str) and key.startswith(BRANCH)))
        kind = each["type"]
        if path and path[-1] == "[key]":
            path, kind = path[:-1], "key"
        if kind == "missing" and isinstance(path[-1], int):
            path, kind = path[:-1], "too_short"
        places.setdefault(path, kind)
    outer = {path[:length] for path in places for length in range(len(path))}
    return {path: kind for path, kind in places.items() if path not in outer or kind == "key"}


def _worded(document: Document, struct: type[Any], path: Steps, kind: str) -> Fault:
    annotation, value = at(struct, document.data, path)
    if kind == "missing":
        return document.fault(path[:-1], f'"{path[-1]}" is missing', f"add it: {describe(annotation)}")
    if kind in ("extra_forbidden", "invalid_key"):
        around, data = at(struct, document.data, path[:-1])
        known = _keys(matching(around, data))
        unused = [name for name in known if name not in data]
        right = suggestion(str(path[-1]), unused if nearest(str(path[-1]), unused) else known)
        return document.fault(path, f'unknown key "{path[-1]}"', right, key=True)
    if kind == "key":
        around, data = at(struct, document.data, path[:-1])
        wanted = get_args(unwrap(matching(around, data))[0])[0]
        return document.fault(path, f'the key "{path[-1]}" does not fit', f"write {_wanted(wanted, path[-1])}", key=True)
    if kind in _TAG_ERRORS and isinstance(value, dict):
        return _untagged(document, annotation, path, value)
    return document.fault(path, f"{_place(path)} is {_seen(value)}", f"write {_wanted(annotation, value)}")


def _untagged(document: Document, annotation: Any, path: Steps, value: dict[str, Any]) -> Fault:
    marks = [mark for each in members(annotation) if is_struct(unwrap(each)[0]) and (mark := tag(unwrap(each)[0]))]
    name, wanted = marks[0][0], Literal[tuple(each for _, each in marks)]
    if name not in value:
        return document.fault(path, f'"{name}" is missing', f"add it: {describe(wanted)}")
    return document.fault((*path, name), f'"{name}" is {_seen(value[name])}', f"write {_wanted(wanted, value[name])}")


def _keys(annotation: Any) -> list[str]:
    struct, _ = unwrap(annotation)
    if not is_struct(struct):
        return []
    mark = tag(struct)
    return [*([mark[0]] if mark else []), *fields(struct)]


def _place(path: Steps) -> str:
    """How a reader would name the value: by its key, and by its position in a list."""
    positions: list[str] = []
    while path and isinstance(path[-1], int):
        positions.insert(0, str(path[-1] + 1))
        path = path[:-1]
    name = f'"{path[-1]}"' if path else "this"
    return f"number {'.'.join(positions)} of {name}" if positions else name


def _seen(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, str):
        return f'"{value if len(value) <= 40 else value[:39] + "…"}"'
    return "empty" if value is None else spelled(value)


def _wanted(annotation: Any, value: Any) -> str:
    literals = [each for one in members(annotation) if get_origin(unwrap(one)[0]) is Literal for each in get_args(unwrap(one)[0])]
    near = nearest(value, literals) if isinstance(value, str) else None
    return describe(annotation) + (f' (did you mean "{near}"?)' if near else "")
