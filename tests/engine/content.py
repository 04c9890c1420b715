"""Plain words and plain content for made-up rulesets."""

import hashlib
import json
from typing import Any

from referee.engine import Content, Offer, Ruleset, Scenario


class Words:
    @staticmethod
    def label(game: Any, question: Any, offer: Offer) -> str:
        value = offer.value
        return " ".join(map(str, value)) if isinstance(value, tuple) else str(value or "nothing")

    @staticmethod
    def line(game: Any, event: Any) -> str:
        return f"{event.kind} {event.facts} {event.rules}"

    @staticmethod
    def about(game: Any, question: Any) -> str:
        return question.about

    @staticmethod
    def reason(game: Any, reason: Any) -> str:
        return f"because {reason.key}"

    @staticmethod
    def tableau(game: Any, seat: str) -> str:
        return ""


def content_of(ruleset: Ruleset, **policies: Any) -> Content:
    """The content of a scenario without cards."""
    scenario = {"id": "meadow", "policies": policies, "ruleset": ruleset.id, "title": "Meadow"}
    data = {"cards": {}, "rules_version": 1, "ruleset": ruleset.id, "scenario": scenario}
    source = json.dumps(data, separators=(",", ":"), sort_keys=True).encode()
    return Content(ruleset, Scenario(**scenario), {}, source, hashlib.sha256(source).hexdigest())
