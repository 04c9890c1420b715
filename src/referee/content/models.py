"""Pydantic models made from msgspec structs: they find every fault at once and print JSON Schema.

Imported only when something must be parsed.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from pydantic import BaseModel, ConfigDict, Discriminator, Field, Strict, Tag, create_model

from .shapes import Field as ShapeField
from .shapes import fields, is_struct, members, tag, unwrap

BRANCH = "\0"  # opens the name of a union's alternative in the location of an error
_CONFIG = ConfigDict(extra="forbid", strict=True, protected_namespaces=(), regex_engine="python-re")
_LIMITS = ("ge", "gt", "le", "lt", "multiple_of", "pattern", "min_length", "max_length", "title", "description")


@cache
def model(struct: Any) -> type[BaseModel]:
    """The model of a msgspec struct: no other keys than its fields, no conversions."""
    given: dict[str, Any] = {f"of_{name}": _field(each) for name, each in fields(struct).items()}
    mark = tag(struct)
    if mark is not None:
        given["tag"] = (Literal[mark[1]], Field(default=mark[1], alias=mark[0]))
    return create_model(struct.__name__, __config__=_CONFIG, __doc__=struct.__doc__, **given)


def _field(each: ShapeField) -> tuple[Any, Any]:
    translated = _translated(each.annotation)
    if each.required:
        return translated, Field(alias=each.name)
    return translated, Field(default=msgspec.to_builtins(each.default), alias=each.name)


def _translated(annotation: Any) -> Any:
    base, metadata = unwrap(annotation)
    translated = _union(base) if len(members(base)) > 1 else _plain(base)
    for meta in metadata:
        if isinstance(meta, msgspec.Meta):
            limits = {name: getattr(meta, name) for name in _LIMITS if getattr(meta, name) is not None}
            translated = Annotated[translated, Field(**limits)]
    return translated


def _plain(base: Any) -> Any:
    origin, arguments = get_origin(base) or base, get_args(base)
    if is_struct(base):
        return model(base)
    if origin is dict:
        key, value = arguments
        return dict[_translated(key), _translated(value)]  # type: ignore[misc]
    if origin is tuple and arguments[-1] is not Ellipsis:
        return Annotated[tuple[tuple(map(_translated, arguments))], Strict(False)]  # type: ignore[misc]
    if origin in (list, tuple, set, frozenset):
        return list[_translated(arguments[0])]  # type: ignore[misc]
    if origin is Literal or base in (str, int, float, bool, type(None), Any):
        return base
    raise TypeError(f"content cannot hold a {base!r}; use text, numbers, lists, mappings, literals and structs")


def _union(base: Any) -> Any:
    structs = [each for each in members(base) if is_struct(unwrap(each)[0])]
    others = [_translated(each) for each in members(base) if each not in structs]
    tagged = [_tagged_union(structs)] if len(structs) > 1 else [_translated(each) for each in structs]
    if not others:
        return tagged[0]
    branches = tuple(Annotated[each, Tag(f"{BRANCH}{place}")] for place, each in enumerate([*tagged, *others]))
    return Union[branches]  # noqa: UP007 - made at run time


def _tagged_union(structs: list[Any]) -> Any:
    name = structs[0].__struct_config__.tag_field

    def chosen(data: Any) -> str | None:
        value = data.get(name) if isinstance(data, dict) else None
        return f"{BRANCH}{value}" if isinstance(value, str | int) else None

    branches = tuple(Annotated[model(each), Tag(f"{BRANCH}{each.__struct_config__.tag}")] for each in structs)
    return Annotated[Union[branches], Discriminator(chosen)]  # noqa: UP007
