"""The installed games with their scenarios, as the first page lists them."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from ..content import registry
from ..content.faults import ContentError, RegistryError
from ..content.loading import load as load_content
from ..engine.errors import RefereeError
from . import looking

_log = logging.getLogger("referee.table")


@cache
def games() -> list[dict[str, Any]]:
    """The installed games with their scenarios, as the first page lists them."""
    found = []
    for place, id in enumerate(registry.ids()):
        try:
            ruleset = registry.get(id)
            names = registry.scenarios(ruleset)
        except (RegistryError, OSError) as wrong:
            _log.warning("the game %s is left out: %s", id, wrong)
            continue
        scenarios = []
        for name in names:
            try:
                content = load_content(f"{id}/{name}")
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
                }
            )
        if scenarios:
            found.append(
                {"id": id, "title": ruleset.title, "scenarios": scenarios, "letter": ruleset.title[:1], "colour": place % 8}
            )
    return found
