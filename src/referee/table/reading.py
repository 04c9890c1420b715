"""Forms of the page to acts. Nothing here is carried out."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec

from ..dice import Stream
from ..engine.errors import IllegalAnswer
from ..engine.questions import Roll
from . import acts
from .rooms import Room, Stale
from .texts import text


def answer(room: Room, form: Mapping[str, Any]) -> acts.AnyAct:
    """An offer, or what real dice show. IllegalAnswer if it cannot be read, Stale if no dice are asked for any more."""
    if "throw" in form or "draw" in form:
        roll = room.state.encounter.question
        if not isinstance(roll, Roll):
            raise Stale(text("stale"))
        if "draw" in form:
            return acts.Throw(msgspec.to_builtins(roll.spec.sample(Stream(secrets.randbelow(1 << 62)))))
        try:
            return acts.Throw(msgspec.to_builtins(roll.spec.read(str(form["throw"])[:200])))
        except ValueError as wrong:
            raise IllegalAnswer(str(wrong)) from None
    try:
        value = json.loads(str(form.get("answer", ""))[:4000])
    except (ValueError, RecursionError):
        raise IllegalAnswer(text("refused")) from None
    return acts.Answer(value)


def act(form: Mapping[str, Any]) -> acts.AnyAct:
    """Anything else that a seat does. IllegalAnswer if it cannot be read."""
    match form.get("do"):
        case "undo":
            return acts.Undo()
        case "yes" | "no" as said:
            return acts.Consent(said == "yes")
        case "concede":
            return acts.Concede()
        case "pause" | "go_on" as said:
            return acts.Pause(said == "pause")
        case "odds_on" | "odds_off" as said:
            return acts.Advise(said == "odds_on")
        case "rule":
            record, _, field = str(form.get("field", "")).partition("/")
            try:
                value = json.loads(str(form.get("value", ""))[:4000])
            except (ValueError, RecursionError):
                value = str(form.get("value", ""))[:200]
            return acts.Rule(record, field, value, str(form.get("reason", ""))[:400])
    raise IllegalAnswer(text("refused"))
