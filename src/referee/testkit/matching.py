"""Compares what a scene expects, written as plain data, with what is there; and answers as people write them.

Knows nothing of scenes or encounters.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from ..engine import Event

MATCHERS: Final = ("has", "lacks", "count", "least", "most", "not")
"""The keys of a mapping that describes a value instead of giving it."""


def plain(value: Any) -> Any:
    """A value of a record, an event or an answer as JSON would hold it."""
    if isinstance(value, msgspec.Struct):
        return plain(msgspec.to_builtins(value))
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, str | int | float | bool | None):
        return value
    if isinstance(value, Iterable):
        return [plain(each) for each in value]
    return str(value)


def text_form(value: Any) -> str:
    """An answer as one writes it down: the words of a tuple with spaces between, none as `none`."""
    if isinstance(value, tuple | list):
        return " ".join(text_form(each) for each in value)
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def written(value: Any) -> str:
    """A plain value for a message."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def is_answer(given: Any, value: Any) -> bool:
    """Whether an answer as written in a scene means this value of an offer: the value itself, or its text form."""
    exact = plain(value)
    if given == exact and type(given) is type(exact):
        return True
    return isinstance(given, str) and given == text_form(value)


def mismatch(expected: Any, value: Any) -> str:
    """What is wrong with a value, in words; empty if it is as expected."""
    there = plain(value)
    if isinstance(expected, Mapping) and expected and set(expected) <= set(MATCHERS) and not isinstance(value, Mapping):
        return "; ".join(filter(None, (_judged(key, wanted, value, there) for key, wanted in expected.items())))
    wanted = plain(expected)
    if wanted == there and isinstance(wanted, bool) == isinstance(there, bool):
        return ""
    return f"expected {written(wanted)}, there is {written(there)}"


def _judged(key: str, wanted: Any, value: Any, there: Any) -> str:
    if key == "not":
        return "" if mismatch(wanted, value) else f"expected anything but {written(there)}"
    if key in ("least", "most"):
        fits = isinstance(there, int) and (there >= wanted if key == "least" else there <= wanted)
        return "" if fits else f"expected at {key} {wanted}, there is {written(there)}"
    if not isinstance(value, Iterable) or isinstance(value, str):
        return f"expected a list, there is {written(there)}"
    items = list(value)
    if key == "count":
        return "" if len(items) == wanted else f"expected {wanted} of them, there is {written(there)}"
    found = any(_is_item(wanted, item) for item in items)
    if found == (key == "has"):
        return ""
    return f"expected {'' if key == 'has' else 'no '}{written(plain(wanted))} among {written(there)}"


def _is_item(wanted: Any, item: Any) -> bool:
    """An item is named by its value; an effect also by its name, or by some of its fields."""
    if isinstance(item, msgspec.Struct):
        if isinstance(wanted, Mapping):
            return all(not mismatch(each, getattr(item, name, None)) for name, each in wanted.items())
        if isinstance(wanted, str):
            return bool(getattr(item, "name", None) == wanted)
    return not mismatch(wanted, item)


def unlike_event(event: Event, kind: str, rules: Iterable[str], seen_by: Any, facts: Mapping[str, Any]) -> list[str]:
    """What sets an event apart from the one described, in words; nothing if it is such a one."""
    if event.kind != kind:
        return [f"it is {event.kind!r}"]
    whys = [f"it does not cite {rule} ({', '.join(event.rules)})" for rule in rules if rule not in event.rules]
    if seen_by != "" and (why := mismatch(seen_by, event.seen_by)):
        whys.append(f"seen by: {why}")
    for name, wanted in facts.items():
        if name not in event.facts:
            whys.append(f"it has no {name!r}, but {', '.join(event.facts)}")
        elif why := mismatch(wanted, event.facts[name]):
            whys.append(f"{name}: {why}")
    return whys
