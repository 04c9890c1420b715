"""What the annotations of cards and scenarios say: fields, references, and in words what belongs where.

Reads types and plain data; validates nothing.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from ..engine.ruleset import Ref
from .nodes import Steps

_WORDS: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    type(None): "nothing (null)",
    list: "a list",
    tuple: "a list",
    set: "a list",
    frozenset: "a list",
    dict: "a mapping",
}


@dataclass(frozen=True)
class Field:
    """A field of a struct as content spells it."""

    name: str
    annotation: Any
    required: bool
    default: Any


@dataclass(frozen=True)
class Reference:
    """A place in content that names a card of one of `kinds`; `key` if a key of a mapping does."""

    path: Steps
    kinds: tuple[str, ...]
    name: str
    key: bool = False
    also: tuple[str, ...] = ()


@cache
def fields(struct: type[Any]) -> Mapping[str, Field]:
    """The fields of a msgspec struct by the names they have in content."""
    hints = typing.get_type_hints(struct, include_extras=True)
    found = {}
    for each in msgspec.structs.fields(struct):
        default = each.default if each.default_factory is msgspec.NODEFAULT else each.default_factory()
        found[each.encode_name] = Field(each.encode_name, hints[each.name], each.required, default)
    return found


@cache
def card_file(kinds: tuple[tuple[str, type[Any]], ...]) -> Any:
    """The struct of a whole file of cards: a list for each kind, and `game` for files outside a ruleset's folder."""
    sections: list[Any] = [(kind, list[struct], msgspec.field(default_factory=list)) for kind, struct in kinds]  # type: ignore[valid-type]
    return msgspec.defstruct("Cards", [*sections, ("game", str, "")], frozen=True, forbid_unknown_fields=True)


def unwrap(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """An annotation without its metadata, and the metadata."""
    if get_origin(annotation) is Annotated:
        base, *metadata = get_args(annotation)
        return base, tuple(metadata)
    return annotation, ()


def members(annotation: Any) -> tuple[Any, ...]:
    """The alternatives of a union; an annotation that is none is its only alternative."""
    base, _ = unwrap(annotation)
    return get_args(base) if get_origin(base) in (Union, types.UnionType) else (annotation,)


def is_struct(annotation: Any) -> bool:
    """Whether an annotation is a msgspec struct, a mapping with named fields."""
    return isinstance(annotation, type) and issubclass(annotation, msgspec.Struct)


def tag(struct: Any) -> tuple[str, str | int] | None:
    """The field and value that tell a struct from the others of its union."""
    config = struct.__struct_config__
    return None if config.tag is None else (config.tag_field, config.tag)


def matching(annotation: Any, data: Any) -> Any:
    """The alternative of a union that `data` seems to be meant as; None if it fits none."""
    for each in members(annotation):
        base, _ = unwrap(each)
        origin = get_origin(base) or base
        if is_struct(base):
            mark = tag(base)
            fits = isinstance(data, dict) and (mark is None or data.get(mark[0]) == mark[1])
        elif origin is dict:
            fits = isinstance(data, dict)
        elif origin in (list, tuple, set, frozenset):
            fits = isinstance(data, list)
        else:
            fits = not isinstance(data, dict | list)
        if fits:
            return each
    return None


def at(annotation: Any, data: Any, path: Steps) -> tuple[Any, Any]:
    """The annotation and the data to which `path` leads; None for what is not there."""
    for key in path:
        annotation = child(annotation, data, key)
        if isinstance(data, dict):
            data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int) and key < len(data):
            data = data[key]
        else:
            data = None
    return annotation, data


def child(annotation: Any, data: Any, key: str | int) -> Any:
    """The annotation of the value under `key`; None if there is no place for one."""
    base, _ = unwrap(matching(annotation, data))
    origin, arguments = get_origin(base) or base, get_args(base)
    if is_struct(base):
        field = fields(base).get(str(key))
        return field.annotation if field else None
    if origin is dict:
        return arguments[1]
    if origin is tuple and (len(arguments) != 2 or arguments[1] is not Ellipsis):
        return arguments[key] if isinstance(key, int) and key < len(arguments) else None
    return arguments[0] if arguments else None


def references(annotation: Any, data: Any, path: Steps = ()) -> Iterator[Reference]:
    """Every place in `data` that names a card; `data` may still have other faults."""
    chosen = matching(annotation, data)
    base, metadata = unwrap(chosen)
    marks = (*unwrap(annotation)[1], *metadata)
    kinds = _kinds(marks)
    also = tuple(word for mark in marks if isinstance(mark, Ref) for word in mark.also)
    if kinds and isinstance(data, str) and data not in also:
        yield Reference(path, kinds, data, also=also)
    if isinstance(data, list):
        for position, item in enumerate(data):
            yield from references(child(chosen, data, position), item, (*path, position))
    if isinstance(data, dict):
        key_kinds = _kinds(unwrap(get_args(base)[0])[1]) if get_origin(base) is dict else ()
        for key, value in data.items():
            if key_kinds:
                yield Reference((*path, key), key_kinds, key, key=True)
            yield from references(child(chosen, data, key), value, (*path, key))


def _kinds(metadata: tuple[Any, ...]) -> tuple[str, ...]:
    kinds = (kind.strip() for each in metadata if isinstance(each, Ref) for kind in each.kind.split("|"))
    return tuple(dict.fromkeys(kinds))


def describe(annotation: Any) -> str:
    """What belongs here, in words: "a whole number from 3 to 5"."""
    if len(alternatives := members(annotation)) > 1:
        return _either([describe(each) for each in alternatives])
    base, metadata = unwrap(annotation)
    origin, arguments = get_origin(base) or base, get_args(base)
    if is_struct(base):
        return f"a mapping with {', '.join(each.name for each in fields(base).values() if each.required) or 'keys'}"
    if origin is Literal:
        return _either([spelled(value) for value in arguments])
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        return f"a list of {len(arguments)}: {', '.join(describe(each) for each in arguments)}"
    kinds = _kinds(metadata)
    word = f"the id of a card in {' or '.join(kinds)}" if kinds else _WORDS.get(origin, "a value")
    return word + "".join(_limits(each) for each in metadata if isinstance(each, msgspec.Meta))


def _limits(meta: msgspec.Meta) -> str:
    said = ""
    if meta.ge is not None and meta.le is not None:
        said += f" from {meta.ge} to {meta.le}"
    else:
        said += f" of at least {meta.ge}" if meta.ge is not None else ""
        said += f" of at most {meta.le}" if meta.le is not None else ""
    said += f" above {meta.gt}" if meta.gt is not None else ""
    said += f" below {meta.lt}" if meta.lt is not None else ""
    said += f" divisible by {meta.multiple_of}" if meta.multiple_of is not None else ""
    said += f" that matches {meta.pattern}" if meta.pattern is not None else ""
    said += f" of length {meta.min_length} or more" if meta.min_length else ""
    said += f" of length {meta.max_length} or less" if meta.max_length is not None else ""
    return said + (f" ({meta.description})" if meta.description else "")


def spelled(value: object) -> str:
    """A value as YAML spells it."""
    return value if isinstance(value, str) else json.dumps(value)


def _either(words: list[str]) -> str:
    unique = list(dict.fromkeys(words))
    return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} or {unique[-1]}"
