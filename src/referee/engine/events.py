"""Events: the lines of the log as facts. The ruleset words them when somebody reads."""

from __future__ import annotations

from typing import Any

import msgspec


class Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What happened: a key for the ruleset's words, the facts, the rule ids; which seats may see it (None: all).

    `depth` is how deep in the agenda it happened; `explain` marks what is shown only on request.
    """

    kind: str
    facts: dict[str, Any]
    rules: tuple[str, ...]
    seen_by: tuple[str, ...] | None = None
    depth: int = 0
    explain: bool = False

    def __getitem__(self, fact: str) -> Any:
        return self.facts[fact]


class Veiled(Event, frozen=True, array_like=True, gc=False):
    """What happened while figures hid: whoever knows nothing of them is told it without them (see `hiding.told`)."""

    unseen: tuple[str, ...] = ()


class Result(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How an encounter ended: the winning side (None: a draw) and the reason, as a key for the ruleset's words."""

    winner: str | None
    reason: str
