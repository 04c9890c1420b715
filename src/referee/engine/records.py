"""Records: the flat facts of an encounter, who may see them, and lasting effects. No rule and no agenda."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import msgspec

Id = str

_PLAIN = (int, str, bool, type(None))


class Record(msgspec.Struct, array_like=True, tag=True, gc=False):
    """A flat record: its fields hold whole numbers, texts, tuples and effects; other records are named by id.

    The first field is `id`. Records are changed only through `game.edit(id)`. A field is open to all unless it is
    annotated with `Hidden`.
    """

    id: Id


@dataclass(frozen=True)
class Hidden:
    """Marks a field that not everyone may see: `Annotated[tuple[str, ...], Hidden("owner", shown=len)]`.

    `known_to` is "owner" (the seat that answers for the record's `owner`, or for its id), "side", "gm", or a function
    of (game, record, seat name). A GM sees every hidden field. `shown` makes what all others are shown instead of the
    value; without it they are shown nothing.
    """

    known_to: Literal["owner", "side", "gm"] | Callable[[Any, Any, str], bool]
    shown: Callable[[Any], Any] | None = None


@cache
def hidden_fields(kind: Any) -> dict[str, Hidden]:
    """The hidden fields of a record or frame class, by name."""
    found = {}
    for name, annotation in typing.get_type_hints(kind, include_extras=True).items():
        for mark in getattr(annotation, "__metadata__", ()):
            if isinstance(mark, Hidden):
                found[name] = mark
    return found


def knows(game: Any, seat: Any, record: Any, mark: Hidden) -> bool:
    """Whether a seat may see a hidden field of a record."""
    if seat.role == "gm":
        return True
    if callable(mark.known_to):
        return bool(mark.known_to(game, record, seat.name))
    if mark.known_to == "gm" or seat.role != "player":
        return False
    owner = game.seat_of.get(getattr(record, "owner", record.id))
    if mark.known_to == "owner":
        return bool(owner == seat.name)
    return owner is not None and bool(game.seats[owner].side == seat.side)


def check_flat(kind: type[msgspec.Struct]) -> None:
    """TypeError unless every field can be shared between forks: numbers, texts, tuples and frozen structs."""

    def flat(annotation: Any) -> bool:
        origin = typing.get_origin(annotation)
        arguments = typing.get_args(annotation)
        if origin is typing.Annotated:
            return flat(arguments[0])
        if origin is Literal:
            return True
        if origin is tuple:
            return all(flat(each) for each in arguments if each is not Ellipsis)
        if arguments:
            return origin not in (list, dict, set, frozenset) and all(flat(each) for each in arguments)
        if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
            return annotation.__struct_config__.frozen
        return annotation in _PLAIN or annotation is Any

    for name, annotation in typing.get_type_hints(kind, include_extras=True).items():
        if typing.get_origin(annotation) is not typing.ClassVar and not flat(annotation):
            raise TypeError(f"{kind.__name__}.{name}: {annotation} can be changed in place; use numbers, texts and tuples")


class Until(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """When an effect ends: the `count`-th time that `event` happens, to `who` (empty: to anybody)."""

    event: str
    who: Id = ""
    count: int = 1


class Effect(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something lasting on its bearer. It lies in the field `effects` of the bearer's record.

    `applies` names what it touches; `uses` counts how often it still works (None: any number). `merge` says what a
    second effect of the same name does: "refresh" replaces it, "stack" lies beside it, "highest" keeps the greater amount,
    "sources" lies beside it unless it has the same source, so that it lasts until its last source is gone.
    """

    name: str
    amount: int = 0
    source: str = ""
    applies: tuple[str, ...] = ()
    uses: int | None = None
    until: Until | None = None
    merge: Literal["refresh", "stack", "highest", "sources"] = "refresh"


def merged(effects: tuple[Effect, ...], new: Effect) -> tuple[Effect, ...]:
    """The effects of a bearer after it was given one more."""
    if not effects or new.merge == "stack":
        return (*effects, new)
    same = [each for each in effects if each.name == new.name]
    if new.merge == "highest" and any(each.amount > new.amount for each in same):
        return effects
    if new.merge == "sources":
        same = [each for each in same if each.source == new.source]
    kept: tuple[Effect, ...] = tuple(each for each in effects if each not in same)
    return (*kept, new)


def happened(effects: tuple[Effect, ...], event: str, who: Id) -> tuple[Effect, ...]:
    """The effects that are left when `event` has happened to `who`; the same object if nothing changed."""
    for effect in effects:
        until = effect.until
        if until is not None and until.event == event and (not until.who or until.who == who):
            break
    else:
        return effects
    left: list[Effect] = []
    for effect in effects:
        until = effect.until
        if until is None or until.event != event or (until.who and until.who != who):
            left.append(effect)
        elif until.count > 1:
            left.append(msgspec.structs.replace(effect, until=Until(event, until.who, until.count - 1)))
    return tuple(left)


def used(effects: tuple[Effect, ...], effect: Effect) -> tuple[Effect, ...]:
    """The effects that are left when one of them has worked once."""
    if effect.uses is None:
        return effects
    left = []
    for each in effects:
        if each is effect:
            if effect.uses > 1:
                left.append(msgspec.structs.replace(effect, uses=effect.uses - 1))
        else:
            left.append(each)
    return tuple(left)


def named(effects: Iterable[Effect], name: str) -> list[Effect]:
    """All effects of a name."""
    return [effect for effect in effects if effect.name == name]
