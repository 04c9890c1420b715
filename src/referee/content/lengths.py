"""How long a game's scenarios take, as `python -m referee.testkit.lengths` has measured it: `lengths.json` beside rules.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from ..engine.ruleset import Ruleset
from . import registry
from .faults import RegistryError

FILE: Final = "lengths.json"
SECONDS: Final = 15  # that an answer is reckoned to take a person


class Length(msgspec.Struct, frozen=True):
    """Of one scenario, each as what a tenth, half and nine tenths of all encounters do not exceed.

    `answers` are those of one seat, on average over the players' seats; `moments` those that the table waits for one after
    another: what several decide in secret at the same time counts once.
    """

    rounds: tuple[int, int, int]
    answers: tuple[int, int, int]
    moments: tuple[int, int, int]

    @property
    def minutes(self) -> int:
        """What half of all encounters take at `SECONDS` an answer, to the nearest five minutes; at least five."""
        return max(5, 5 * round(self.moments[1] * SECONDS / 300))


class Lengths(msgspec.Struct, frozen=True):
    """Of the scenarios of a game, by id: so many encounters of each, greedy bots in all seats, under a version of the rules."""

    rules_version: int
    encounters: int
    scenarios: dict[str, Length]


def lengths(ruleset: Ruleset) -> Mapping[str, Length]:
    """The lengths of a game's scenarios; none if they were never measured. RegistryError if the file cannot be read."""
    file = registry.folder(ruleset) / FILE
    if not file.is_file():
        return {}
    try:
        return msgspec.json.decode(file.read_bytes(), type=Lengths).scenarios
    except (OSError, msgspec.MsgspecError) as wrong:
        raise RegistryError(f"{file}: {wrong}; `python -m referee.testkit.lengths {ruleset.id}` writes it anew") from None
