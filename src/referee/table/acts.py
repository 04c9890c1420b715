"""What is done at a table, as it is stored: one small struct for each kind. Nothing here is carried out."""

from __future__ import annotations

from typing import Any

import msgspec

HOST = "host"  # who opened the table: gives out its links, and is no seat of the encounter
REPLAY = "replay*"  # whoever looks back by a shared link; no seat can be called so


class Act(msgspec.Struct, frozen=True, tag_field="do", omit_defaults=True):
    """Something that one seat does; who does it is stored beside it."""


class Answer(Act, frozen=True, tag="answer"):
    """An offer's value, as JSON holds it."""

    value: Any


class Throw(Act, frozen=True, tag="throw"):
    """What real dice show."""

    outcome: Any


class Concede(Act, frozen=True, tag="concede"):
    """Giving up."""


class Undo(Act, frozen=True, tag="undo"):
    """Asking to take back the own last answer; done at once where nobody has to consent."""


class Consent(Act, frozen=True, tag="consent"):
    """The answer of a seat that was asked whether another may take back."""

    yes: bool


class Rule(Act, frozen=True, tag="rule"):
    """A GM's ruling: a field of a record set, with the reason."""

    record: str
    field: str
    value: Any
    reason: str


class Pause(Act, frozen=True, tag="pause"):
    """Stops the play, or goes on with it."""

    on: bool


class Advise(Act, frozen=True, tag="odds"):
    """Shows odds beside the offers of this table, or keeps them away."""

    on: bool


class Arrive(Act, frozen=True, tag="arrive"):
    """Somebody has used the link of a seat for the first time."""


class Seat(Act, frozen=True, tag="seat"):
    """Puts a bot into a seat; with no kind of bot the seat is for a person again."""

    seat: str
    bot: str = ""


class Relink(Act, frozen=True, tag="relink"):
    """Makes the link of a seat useless, and a new one good."""

    seat: str


class Share(Act, frozen=True, tag="share"):
    """Lets everybody with a link look back over an encounter that has ended, or makes that link useless."""

    on: bool


AnyAct = Answer | Throw | Concede | Undo | Consent | Rule | Pause | Advise | Arrive | Seat | Relink | Share

encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[AnyAct] = msgspec.json.Decoder(AnyAct)


def decode(body: bytes) -> AnyAct:
    """The act that `encode` wrote."""
    return _decoder.decode(body)
