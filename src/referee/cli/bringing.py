"""The option that brings characters: files of cards in place of a scenario's figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..content.faults import suggestion
from ..engine.errors import RefereeError

if TYPE_CHECKING:
    from ..content.bringing import Place
    from ..engine.ruleset import Content


def content_with(scenario: str, given: Sequence[str]) -> Content:
    """A scenario in which the characters of files stand in for figures, each given as FIGURE=FILE.

    RefereeError if it has no such figure, ContentError with all that is wrong with the files.
    """
    # Imported here: it reads all cards anew, which needs YAML and pydantic.
    from ..content.bringing import Brought, bring, places

    figures = places(scenario)
    brought: list[Brought] = []
    for each in given:
        figure, equals, file = each.partition("=")
        if not equals:
            first = figures[0].card if figures else "FIGURE"
            raise RefereeError(f"--bring {each}: write FIGURE=FILE, as --bring {first}=mine.yaml")
        if not any(place.card == figure for place in figures):
            raise RefereeError(f"--bring {each}: {scenario} has no figure {figure!r}; {suggestion(figure, names(figures))}")
        taken = {each.number for each in brought}
        place = next((place for place in figures if place.card == figure and place.number not in taken), None)
        if place is None:
            raise RefereeError(f"--bring {each}: every {figure} of {scenario} is replaced already")
        brought.append(Brought(place.number, file, Path(file).read_bytes()))
    return bring(scenario, brought)


def names(figures: Sequence[Place]) -> list[str]:
    """The figures of a scenario, each once."""
    return list(dict.fromkeys(each.card for each in figures))
