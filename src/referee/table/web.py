"""Routes of the web table: the only file that knows the framework, with `serving` that starts it."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import cache
from typing import Any, Final, cast

import segno
from litestar import Litestar, MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.datastructures import Cookie
from litestar.exceptions import HTTPException
from litestar.response import Redirect
from litestar.static_files import create_static_files_router
from markupsafe import Markup

from ..content import ContentError, RegistryError, opening, registry, rulebook
from ..engine.errors import IllegalAnswer, RefereeError
from ..players.seats import BOTS
from . import acts, api, looking, reading, render, shelf
from .acts import HOST
from .fanout import Alone, Postgres
from .rates import Rates
from .rooms import Room, Rooms, Stale, Subscriber, arrive
from .shield import App, Shield
from .state import State
from .store import Unavailable
from .texts import TEXTS, text

_DAYS: Final = 90 * 86400
_SEATS_KEPT: Final = 30  # tables that a browser finds again on the first page
_TICKET: Final = 64
_STATUS: Final = {Unavailable: 503, Stale: 409}
_log = logging.getLogger("referee.table")


def html(template: str, status: int = 200, **facts: Any) -> Response[str]:
    """A page that no cache keeps."""
    return Response(
        render.fill(template, **facts), status_code=status, media_type=MediaType.HTML, headers={"cache-control": "no-store"}
    )


def rooms_of(connection: Request[Any, Any, Any] | WebSocket[Any, Any, Any]) -> Rooms:
    """The rooms of this server."""
    found: Rooms = connection.app.state.rooms
    return found


async def room_of(connection: Request[Any, Any, Any] | WebSocket[Any, Any, Any], table: str) -> Room:
    """The room of a table. 404 if there is no such table."""
    room = await rooms_of(connection).get(table)
    if room is None:
        raise HTTPException(text("no_table"), status_code=404)
    return room


async def seated(connection: Request[Any, Any, Any] | WebSocket[Any, Any, Any], table: str, seat: str) -> Room:
    """The room, if whoever asks sits in that seat. 404 if there is no such table, 401 if not."""
    room = await room_of(connection, table)
    if not room.sits(seat, connection.cookies.get("seat", "")):
        raise HTTPException(text("no_seat"), status_code=401)
    return room


@get("/", include_in_schema=False)
async def home(request: Request[Any, Any, Any]) -> Response[str]:
    """The games, and the tables that this browser has sat at."""
    mine = []
    for each in request.cookies.get("tables", "").split("."):
        table, _, seat = each.partition("-")
        row = await rooms_of(request).store.table(table) if table.isalnum() and seat else None
        if row is not None:
            mine.append({"address": f"/t/{table}/{seat}" + ("/lobby" if seat == HOST else ""), "name": row.name,
                         "seat": "" if seat == HOST else looking.called(seat), "game": row.ruleset})  # fmt: skip
    return html("home.html", games=shelf.games(), mine=mine)


@post("/tables", include_in_schema=False)
async def open_table(request: Request[Any, Any, Any]) -> Response[Any]:
    """Opens a table of a scenario, and leads to its seats."""
    _limited(request, "open", 30)
    form = await request.form()
    named = str(form.get("scenario", ""))
    if named not in {each["id"] for game in shelf.games() for each in game["scenarios"]}:
        raise HTTPException(f"there is no scenario {named!r}", status_code=422)
    encounter = opening.start(named, real_dice=form.get("real_dice") == "on")
    name = str(form.get("name") or encounter.content.scenario.title or looking.called(encounter.content.scenario.id))[:60]
    room = await rooms_of(request).create(name, State(encounter))
    return Redirect(f"/s/{room.id}/{HOST}/{room.proof(HOST)}", status_code=303)


@get("/s/{table:str}/{seat:str}/{proof:str}", include_in_schema=False)
async def take_seat(request: Request[Any, Any, Any], table: str, seat: str, proof: str) -> Response[Any]:
    """Sits down by a link: a cookie for that seat of that table, and on to the table."""
    room = await room_of(request, table)
    if not room.sits(seat, proof):
        raise HTTPException(text("bad_link"), status_code=404)
    await arrive(room, seat)
    return Redirect(address(table, seat), status_code=303, cookies=_cookies(request, table, seat, proof))


def address(table: str, seat: str) -> str:
    """Where a seat looks at its table."""
    return f"/t/{table}/{seat}" + ("/lobby" if seat == HOST else "")


def _cookies(request: Request[Any, Any, Any], table: str, seat: str, proof: str) -> list[Cookie]:
    secure = request.url.scheme == "https"
    known = [each for each in request.cookies.get("tables", "").split(".") if each and each != f"{table}-{seat}"]
    sat = ".".join([f"{table}-{seat}", *known][:_SEATS_KEPT])
    # A strict cookie would not be sent on the way from a link in a chat; the path keeps the seats of one browser apart.
    return [
        Cookie(key="seat", value=proof, path=f"/t/{table}/{seat}", httponly=True, samesite="lax", secure=secure, max_age=_DAYS),
        Cookie(key="tables", value=sat, path="/", httponly=True, samesite="lax", secure=secure, max_age=_DAYS),
    ]


@get("/t/{table:str}/{seat:str}/lobby", include_in_schema=False)
async def lobby(request: Request[Any, Any, Any], table: str, seat: str) -> Response[str]:
    """The links of all seats, for whoever opened the table and for its GM."""
    room = await seated(request, table, seat)
    state = room.state
    if state.role(seat) not in ("gm", HOST):
        raise HTTPException(text("host_only"), status_code=403)
    rows = []
    for name in state.seats("player", "gm", "spectator"):
        link = f"{str(request.base_url).rstrip('/')}/s/{table}/{name}/{room.proof(name)}"
        code = segno.make(link, error="m").svg_inline(scale=4, border=2, omitsize=True, svgclass="qr", lineclass=None)
        rows.append(
            looking.token(state.encounter, name)
            | {"role": state.role(name), "link": link, "qr": Markup(code), "bot": state.bots.get(name, ""),
               "present": room.present(name) > 0, "arrived": name in state.arrived}
        )  # fmt: skip
    return html("lobby.html", name=room.row.name, game=room.row.ruleset, table=table, seat=seat, rows=rows, bots=list(BOTS),
                act=room.next_act(seat))  # fmt: skip


@post("/t/{table:str}/{seat:str}/lobby", include_in_schema=False)
async def seating(request: Request[Any, Any, Any], table: str, seat: str) -> Response[Any]:
    """Gives a seat to a bot or back to a person, or makes its link anew."""
    room = await seated(request, table, seat)
    form = await request.form()
    named, do = str(form.get("seat", "")), str(form.get("do", ""))
    act: acts.AnyAct
    if do == "link" and room.state.role(named) in ("player", "gm", "spectator"):
        act = acts.Relink(named)
    elif room.state.role(named) == "player" and (do == "person" or do in BOTS):
        act = acts.Seat(named, "" if do == "person" else do)
    else:
        raise HTTPException(text("refused"), status_code=422)
    await room.do(seat, str(form.get("ticket", ""))[:_TICKET], act)
    room.bots_go_on()
    where = f"/t/{table}/{seat}/lobby"
    if do == "link" and named == seat:
        return Redirect(where, status_code=303, cookies=_cookies(request, table, seat, room.proof(seat)))
    return Redirect(where, status_code=303)


@get("/t/{table:str}/{seat:str}", include_in_schema=False)
async def table_page(request: Request[Any, Any, Any], table: str, seat: str) -> Response[Any]:
    """The table as a seat sees it."""
    room = await seated(request, table, seat)
    if seat == HOST:
        return Redirect(address(table, seat), status_code=303)
    notice = request.query_params.get("notice", "")
    shown = text(notice) if notice in ("stale", "refused") else ""
    body = render.page(room, seat, whole_log="log" in request.query_params, notice=shown)
    return Response(body, media_type=MediaType.HTML, headers={"cache-control": "no-store"})


@post("/t/{table:str}/{seat:str}/answer", include_in_schema=False)
async def answer(request: Request[Any, Any, Any], table: str, seat: str) -> Response[Any]:
    """An answer, or what real dice show."""
    room = await seated(request, table, seat)
    form = await request.form()
    return await _done(request, room, seat, str(form.get("ticket", "")), lambda: reading.answer(room, form))


@post("/t/{table:str}/{seat:str}/act", include_in_schema=False)
async def act(request: Request[Any, Any, Any], table: str, seat: str) -> Response[Any]:
    """All that is no answer: taking back, consenting, conceding, a ruling, a pause."""
    room = await seated(request, table, seat)
    form = await request.form()
    return await _done(request, room, seat, str(form.get("ticket", "")), lambda: reading.act(form))


async def _done(request: Request[Any, Any, Any], room: Room, seat: str, ticket: str, read: Any) -> Response[Any]:
    status, note = 204, ""
    try:
        await room.do(seat, ticket[:_TICKET], read())
    except Stale as wrong:
        status, note = 409, str(wrong)
    except IllegalAnswer as wrong:
        status, note = 422, looking.sentence(str(wrong))
    if request.headers.get("hx-request") == "true":
        # A body in a 204 would make a 500 of it, after the answer was stored.
        return Response(None, status_code=204) if status == 204 else Response(note, status_code=status, media_type=MediaType.TEXT)
    notice = {409: "?notice=stale", 422: "?notice=refused"}.get(status, "")
    return Redirect(address(room.id, seat) + notice, status_code=303)


@get("/t/{table:str}/{seat:str}/transcript", include_in_schema=False)
async def transcript(request: Request[Any, Any, Any], table: str, seat: str) -> Response[str]:
    """The transcript, once all is over: it holds what was secret."""
    room = await seated(request, table, seat)
    encounter = room.state.encounter
    if encounter.question is not None:
        raise HTTPException(text("refused"), status_code=403)
    name = f"{room.row.ruleset}-{room.row.scenario}-{room.id[:6]}.txt"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(encounter.transcript(), media_type=MediaType.TEXT, headers=headers)


@get("/rules/{game:str}", include_in_schema=False)
async def rules(game: str) -> Response[str]:
    """The numbered rules of a game."""
    book = _book(game)
    sections: dict[str, list[Any]] = {}
    for statement in book.statements.values():
        sections.setdefault(statement.section, []).append(statement)
    return html("rules.html", title=book.title, game=game, sections=sections)


@get("/rules/{game:str}/{rule:str}", include_in_schema=False)
async def rule(request: Request[Any, Any, Any], game: str, rule: str) -> Response[str]:
    """One rule: as a page, or as a card for the page that asks."""
    statement = _book(game).statements.get(rule)
    if statement is None:
        raise HTTPException(f"there is no rule {rule}", status_code=404)
    card = request.headers.get("hx-request") == "true"
    return html("rule_card.html" if card else "rule.html", rule=statement, game=game)


@cache
def _book(game: str) -> Any:
    if game not in registry.ids():
        raise HTTPException(f"there is no game {game}", status_code=404)
    return rulebook(registry.get(game))


@websocket("/t/{table:str}/{seat:str}/live")
async def live(socket: WebSocket[Any, Any, Any], table: str, seat: str) -> None:
    """Sends a page what has changed for it, and nothing else."""
    room = await seated(socket, table, seat)
    seen, version = _whole(socket.query_params.get("n", "")), str(socket.query_params.get("v", ""))[:400]
    proof = socket.cookies.get("seat", "")
    await socket.accept()
    subscriber = Subscriber(seat)
    room.subscribers.add(subscriber)

    async def listen() -> None:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass

    async def talk() -> None:
        nonlocal seen, version
        while room.sits(seat, proof):
            await subscriber.changed.wait()
            subscriber.changed.clear()
            frame = render.frame(room, seat, seen, version)
            if frame is not None:
                seen, version = frame.seen, frame.version
                await socket.send_text(json.dumps({"n": seen, "v": version, "content": frame.html}))

    tasks = [asyncio.create_task(listen()), asyncio.create_task(talk())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        room.subscribers.discard(subscriber)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _whole(number: str) -> int:
    return int(number) if number.isdecimal() and len(number) < 9 else 0


@get("/faces/{game:str}/face.css", include_in_schema=False)
async def face_style(game: str) -> Response[str]:
    """The styles of a game's face."""
    file = render.face_folder(game) / "face.css" if game in registry.ids() else None
    if file is None or not file.is_file():
        raise HTTPException("there is no such file", status_code=404)
    return Response(file.read_text(encoding="utf-8"), media_type="text/css")


@get("/healthz", include_in_schema=False, media_type=MediaType.TEXT)
async def health(request: Request[Any, Any, Any]) -> str:
    """Whether the server and its database answer."""
    await rooms_of(request).store.table("healthz")
    return "ok"


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(request: Request[Any, Any, Any]) -> str:
    """Open tables and open pages, as Prometheus reads them."""
    found = rooms_of(request).open.values()
    pages = sum(len(room.subscribers) for room in found)
    return f"referee_tables_open {len(found)}\nreferee_pages_open {pages}\n"


def _limited(request: Request[Any, Any, Any], what: str, per_minute: int) -> None:
    rates: Rates = request.app.state.rates
    if not rates.allows(f"{what}/{request.client.host if request.client else ''}", per_minute):
        raise HTTPException(text("too_many"), status_code=429)


def told(request: Request[Any, Any, Any], wrong: Exception) -> Response[Any]:
    """What went wrong, as a page, or as a line for the page that asked."""
    refused = isinstance(wrong, RefereeError | ContentError | RegistryError)
    status = getattr(wrong, "status_code", None) or (
        503 if isinstance(wrong, Unavailable) else 409 if isinstance(wrong, Stale) else 422 if refused else 500
    )
    detail = str(getattr(wrong, "detail", "") or wrong)
    if status == 413:
        detail = text("too_large")
    if status == 500:
        _log.error("a request failed", exc_info=wrong)
        detail = ""
    if request.url.path.startswith("/api/"):
        told_why = {"status_code": status, "detail": looking.sentence(detail)}
        return Response(told_why, status_code=status, media_type=MediaType.JSON)
    if request.headers.get("hx-request") == "true":
        return Response(looking.sentence(detail), status_code=status, media_type=MediaType.TEXT)
    title = TEXTS.get(f"error_{status}", TEXTS["error"])
    return html("error.html", status, title=title, detail=looking.sentence(detail))


def application(rooms: Rooms, url: str, hosts: tuple[str, ...]) -> Shield:
    """The whole server on a database."""
    fan = Alone() if rooms.store.sqlite else Postgres(url, rooms.origin)

    async def begin(app: Litestar) -> None:
        await rooms.store.open()
        app.state.listening = asyncio.create_task(fan.run(rooms.hint, rooms.hint_all))

    async def end(app: Litestar) -> None:
        if (listening := app.state.get("listening")) is not None:
            listening.cancel()
        await rooms.stop()
        await rooms.store.close()

    files = create_static_files_router("/static", [render.HERE / "static"], cache_control=None, include_in_schema=False)
    app = Litestar(
        [
            home, open_table, take_seat, lobby, seating, table_page, answer, act, transcript, rules, rule, live, face_style,
            health, metrics, api.router(), files,
        ],
        on_startup=[begin],
        on_shutdown=[end],
        openapi_config=api.description(),
        logging_config=None,
        exception_handlers={HTTPException: told, RefereeError: told, Exception: told},
        request_max_body_size=65536,
    )  # fmt: skip
    app.state.rooms = rooms
    app.state.rates = Rates()
    return Shield(cast(App, app), hosts)
