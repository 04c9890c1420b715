"""Referee knows the rules of tabletop encounters so that the people at the table can play.

The public names, each imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analysis.odds import Outlook, odds
    from .content.faults import ContentError, Fault, RegistryError
    from .content.loading import load as load_content
    from .content.opening import check_replay, load, replay, start
    from .engine.encounter import Encounter, Shown
    from .engine.errors import BadSave, BadTranscript, IllegalAnswer, RefereeError, RuleError
    from .engine.events import Event, Result
    from .engine.questions import Choice, Offer, Refusal, Roll, Together
    from .engine.replaying import Difference

    __version__: str

_HOMES = {
    "analysis.odds": ("Outlook", "odds"),
    "content.faults": ("ContentError", "Fault", "RegistryError"),
    "content.opening": ("check_replay", "load", "replay", "start"),
    "engine.encounter": ("Encounter", "Shown"),
    "engine.errors": ("BadSave", "BadTranscript", "IllegalAnswer", "RefereeError", "RuleError"),
    "engine.events": ("Event", "Result"),
    "engine.questions": ("Choice", "Offer", "Refusal", "Roll", "Together"),
    "engine.replaying": ("Difference",),
}

__all__ = [
    "BadSave",
    "BadTranscript",
    "Choice",
    "ContentError",
    "Difference",
    "Encounter",
    "Event",
    "Fault",
    "IllegalAnswer",
    "Offer",
    "Outlook",
    "RefereeError",
    "Refusal",
    "RegistryError",
    "Result",
    "Roll",
    "RuleError",
    "Shown",
    "Together",
    "__version__",
    "check_replay",
    "load",
    "load_content",
    "odds",
    "replay",
    "start",
]


def __getattr__(name: str) -> Any:
    """A public name from where it lives, so that importing a part of Referee does not import all of it."""
    from importlib import import_module, metadata

    value: Any
    if name == "__version__":
        value = metadata.version("referee-tabletop")
    elif name == "load_content":
        value = import_module(".content.loading", __name__).load
    else:
        home = next((home for home, names in _HOMES.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
