"""A player who gives the answers of a list, in its order: for tests and demonstrations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..engine.answers import as_value
from ..engine.encounter import Encounter
from ..engine.errors import IllegalAnswer
from ..engine.questions import Offer


class Scripted:
    """Answers by value or by label. `rest` has what it did not come to say."""

    def __init__(self, answers: Iterable[Any]) -> None:
        self.rest = list(answers)

    def __call__(self, encounter: Encounter, seat: str) -> Offer:
        """The next answer of the list. IllegalAnswer if it is not on offer, or the list has come to its end."""
        offers = encounter.offers(seat)
        labels = "; ".join(each.label for each in offers)
        if not self.rest:
            raise IllegalAnswer(f"the script has no answer left for {seat}; on offer: {labels}")
        wanted = as_value(self.rest[0])
        found = [each for each in offers if each.value == wanted and type(each.value) is type(wanted)]
        found = found or [each for each in offers if each.label == wanted]
        if len(found) != 1:
            raise IllegalAnswer(f"{wanted!r} of the script is not on offer to {seat}; on offer: {labels}")
        del self.rest[0]
        return found[0].offer
