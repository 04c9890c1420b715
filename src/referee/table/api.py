"""The JSON API of the web table, for bots and other clients: what a seat sees, what it is asked, its answer."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Components, SecurityScheme
from litestar.params import JSONBody, PathParameter, QueryParameter

from . import acts, looking
from .doors import entered, limited
from .rooms import Room

VERSION: Final = "1"


class OfferSeen(msgspec.Struct):
    """One legal answer: its value is what an answer sends."""

    value: Any
    label: str
    group: str
    cell: str
    target: str
    cost: list[tuple[int, str]]
    rules: list[str]


class RefusalSeen(msgspec.Struct):
    """What might be expected and may not be done now, with the reasons and their rules."""

    label: str
    reasons: list[str]
    rules: list[str]


class QuestionSeen(msgspec.Struct):
    """What a seat is asked; the ticket names this question, and an answer sent twice with it counts once."""

    ticket: str
    about: str
    form: str
    offers: list[OfferSeen]
    refusals: list[RefusalSeen]


class SeatSeen(msgspec.Struct):
    """All that a seat may know now; `question` is null while it is not asked, `result` while the encounter goes on."""

    game: str
    scenario: str
    view: dict[str, Any]
    events: int
    question: QuestionSeen | None
    result: str | None


class EventSeen(msgspec.Struct):
    """A line of the log as this seat sees it, numbered from 1."""

    number: int
    kind: str
    text: str
    rules: list[str]


class AnswerSent(msgspec.Struct, forbid_unknown_fields=True):
    """An answer: the ticket of the question, and an offer's value."""

    ticket: Annotated[str, msgspec.Meta(max_length=64)]
    value: Any


class Accepted(msgspec.Struct):
    """The answer is stored: now, or before if `again` is true."""

    again: bool


class Wrong(msgspec.Struct):
    """Why nothing was done."""

    status_code: int
    detail: str


def _refusals(**told: str) -> dict[int, ResponseSpec]:
    always = {
        "401": "the token is not that seat's, or not any more",
        "404": "there is no such table",
        "429": "that came too often from one address; try again in a minute",
        "503": "the database does not answer; try again in a moment",
    }
    return {
        int(status): ResponseSpec(Wrong, description=why, generate_examples=False)
        for status, why in sorted((always | {name[1:]: why for name, why in told.items()}).items())
    }


Table = Annotated[str, PathParameter(description="the table's id, as in its links", max_length=32)]
Seat = Annotated[str, PathParameter(description="the seat's name, as in its link", max_length=64)]


async def _seated(request: Request[Any, Any, Any], table: str, seat: str) -> Room:
    scheme, _, proof = request.headers.get("authorization", "").partition(" ")
    proven = proof if scheme.lower() == "bearer" and seat != acts.HOST else ""
    return await entered(request, table, seat, proven, status=401, why="no_seat")


@get("/{table:str}/{seat:str}", operation_id="look", responses=_refusals())
async def look(request: Request[Any, Any, Any], table: Table, seat: Seat) -> SeatSeen:
    """What the seat sees and is asked."""
    room = await _seated(request, table, seat)
    encounter = room.state.encounter
    told = looking.question(room, seat)
    return SeatSeen(
        room.row.ruleset,
        room.row.scenario,
        msgspec.json.decode(encounter.view(seat).bytes()),
        len(looking.events(room, seat)),
        _question(told) if told["kind"] == "choice" else None,
        told["result"],
    )


def _question(told: dict[str, Any]) -> QuestionSeen:
    return QuestionSeen(
        told["ticket"],
        told["about"],
        told["form"],
        [
            OfferSeen(
                msgspec.json.decode(each["value"]), each["label"], each["group"], each["cell"], each["target"], each["cost"],
                each["rules"],
            )
            for group in told["groups"]
            for each in group["offers"]
        ],
        [_refusal(each["label"], each["reasons"]) for each in told["refusals"]],
    )  # fmt: skip


def _refusal(label: str, reasons: list[dict[str, Any]]) -> RefusalSeen:
    return RefusalSeen(label, [why["text"] for why in reasons], [rule for why in reasons for rule in why["rules"]])


@get("/{table:str}/{seat:str}/events", operation_id="events", responses=_refusals())
async def events(
    request: Request[Any, Any, Any],
    table: Table,
    seat: Seat,
    after: Annotated[int, QueryParameter(ge=0, le=1_000_000_000, description="how many lines are known already")] = 0,
) -> list[EventSeen]:
    """The log of the seat after so many of its lines."""
    room = await _seated(request, table, seat)
    encounter = room.state.encounter
    told = []
    for number, event in enumerate(looking.events(room, seat)[after:], after + 1):
        line = looking.line(encounter, event)
        told.append(EventSeen(number, event.kind, line["text"], line["rules"]))
    return told


@post(
    "/{table:str}/{seat:str}/answer",
    status_code=200,
    operation_id="answer",
    responses=_refusals(
        _409="the question is past, or the ticket is none", _413="that is too large", _422="that is not on offer"
    ),
)
async def answer(request: Request[Any, Any, Any], table: Table, seat: Seat, data: JSONBody[AnswerSent]) -> Response[Accepted]:
    """Answers the question before the seat. 409 if it is past, 422 if that is not on offer; then nothing has changed."""
    room = await _seated(request, table, seat)
    limited(request, "act")
    done = await room.do(seat, data.ticket, acts.Answer(data.value))
    return Response(Accepted(done == "again"))


def router() -> Router:
    """The routes of the API."""
    return Router(
        "/api/tables", route_handlers=[look, events, answer], include_in_schema=True, cache_control=None, security=[{"seat": []}]
    )


def description() -> OpenAPIConfig:
    """The API in OpenAPI's words, at /api/openapi.json."""
    token = SecurityScheme(type="http", scheme="bearer", description="the last part of the seat's link")
    return OpenAPIConfig(
        title="Referee's web table", version=VERSION, path="/api", render_plugins=[],
        components=Components(security_schemes={"seat": token}),
    )  # fmt: skip
