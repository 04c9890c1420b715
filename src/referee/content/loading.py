"""Loads the content of a scenario: from its files, or from the cache of what was read before."""

from __future__ import annotations

from pathlib import Path

from ..engine.ruleset import Content
from . import cache, registry
from .faults import ContentError
from .sources import restore


def load(name_or_path: str | Path) -> Content:
    """The content of a scenario, named as `ruleset/scenario`, as `ruleset`, or by the path of its file.

    Raises ContentError with every fault in its files, RegistryError if there is no such scenario.
    """
    path = registry.find(name_or_path)
    remembered = cache.recall(path)
    if remembered is not None:
        try:
            return restore(remembered)
        except ContentError:
            pass
    # Imported here: what was read before needs neither PyYAML nor pydantic.
    from .scenarios import content, open_scenario

    opened = open_scenario(path)
    made, faults = content(opened)
    if made is None:
        raise ContentError(each for each in faults if not each.note)
    cache.remember(path, made.ruleset, made.scenario.cards, made.source)
    return made
