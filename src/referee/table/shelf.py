"""The installed games with their scenarios, as the first page lists them."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from ..content import registry
from ..content.faults import ContentError, RegistryError
from ..content.lengths import lengths
from ..content.loading import load as load_content
from ..engine.errors import RefereeError
from . import looking, pictures

_log = logging.getLogger("referee.table")


@cache
def games() -> list[dict[str, Any]]:
    """The installed games with their scenarios, as the first page lists them."""
    found = []
    for id in registry.ids():
        try:
            ruleset = registry.get(id)
            names, long = registry.scenarios(ruleset), lengths(ruleset)
        except (RegistryError, OSError) as wrong:
            _log.warning("the game %s is left out: %s", id, wrong)
            continue
        scenarios = []
        for name in names:
            try:
                content = load_content(f"{id}/{name}")
                picture = pictures.scenario(content)
            except (ContentError, RefereeError) as wrong:
                _log.warning("the scenario %s/%s is left out: %s", id, name, wrong)
                continue
            players = sum(seat.role == "player" for seat in content.setting.seats.values())
            scenarios.append(
                {
                    "id": f"{id}/{name}",
                    "title": content.scenario.title or looking.called(name),
                    "about": content.scenario.about,
                    "players": players,
                    "main": name == ruleset.main_scenario,
                    "brings": bool(ruleset.figures),
                    "picture": picture,
                    "length": long.get(name),
                }
            )
        if scenarios:
            game = {"id": id, "title": ruleset.title, "letter": ruleset.title[:1], "scenarios": scenarios}
            found.append(game | {"emblem": pictures.emblem(game)})
    return found
