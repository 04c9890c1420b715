"""Routes of the web table: the only file that knows the framework, with `serving` that starts it."""

from __future__ import annotations

import asyncio
import logging
from functools import cache
from typing import Any, Final, cast

import segno
from litestar import Litestar, MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.datastructures import Cookie
from litestar.exceptions import HTTPException, WebSocketDisconnect
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from ..content import lengths, opening, registry, rulebook
from ..engine.errors import IllegalAnswer, RefereeError
from ..players.seats import BOTS
from . import acts, api, bring, disclosing, files, lookback, looking, reading, render, shelf
from .acts import HOST
from .doors import entered, limited, rooms_of
from .fanout import Alone, Postgres
from .languages import COOKIE, languages, speak
from .rates import Rates
from .refusals import html, told
from .rooms import Room, Rooms, Stale, Subscriber, arrive
from .shield import App, Shield
from .state import State
from .texts import text

_DAYS: Final = 90 * 86400
_YEAR: Final = 365 * 86400
_SEATS_KEPT: Final = 30  # tables that a browser finds again on the first page
_TICKET: Final = 64
_log = logging.getLogger("referee.table")


async def seated(connection: Request[Any, Any, Any] | WebSocket[Any, Any, Any], table: str, seat: str) -> Room:
    """The room, if whoever asks sits in that seat. 404 if there is no such table, 401 if not."""
    return await entered(connection, table, seat, connection.cookies.get("seat", ""), status=401, why="no_seat")


@get("/", include_in_schema=False)
async def home(request: Request[Any, Any, Any]) -> Response[str]:
    """The games, and the tables that this browser has sat at."""
    mine = []
    for each in request.cookies.get("tables", "").split(".")[:_SEATS_KEPT]:
        table, _, seat = each.partition("-")
        row = await rooms_of(request).store.table(table) if table.isalnum() and seat else None
        if row is not None:
            mine.append({"address": f"/t/{table}/{seat}" + ("/lobby" if seat == HOST else ""), "name": row.name,
                         "seat": "" if seat == HOST else looking.called(seat), "game": row.ruleset})  # fmt: skip
    return html("home.html", games=shelf.games(), mine=mine, seconds=lengths.SECONDS)


@post("/language", include_in_schema=False)
async def choose_language(request: Request[Any, Any, Any]) -> Response[Any]:
    """Keeps the language that somebody has chosen, and leads back."""
    form = await request.form()
    back, wanted = str(form.get("back", "")), str(form.get("language", ""))
    if wanted not in languages():
        raise HTTPException(text("refused"), status_code=422)
    local = back.startswith("/") and not back.startswith(("//", "/\\"))
    secure = request.url.scheme == "https"
    kept = Cookie(key=COOKIE, value=wanted, path="/", httponly=True, samesite="lax", secure=secure, max_age=_YEAR)
    return Redirect(back if local else "/", status_code=303, cookies=[kept])


@post("/tables", include_in_schema=False)
async def open_table(request: Request[Any, Any, Any]) -> Response[Any]:
    """Opens a table of a scenario, and leads to its seats."""
    limited(request, "open")
    form = await request.form()
    named = str(form.get("scenario", ""))
    if named not in {each["id"] for game in shelf.games() for each in game["scenarios"]}:
        raise HTTPException(text("no_scenario"), status_code=422)
    encounter = opening.start(named, real_dice=form.get("real_dice") == "on")
    name = str(form.get("name") or encounter.content.scenario.title or looking.called(encounter.content.scenario.id))[:60]
    room = await rooms_of(request).create(name, State(encounter))
    return Redirect(f"/s/{room.id}/{HOST}/{room.proof(HOST)}", status_code=303)


@get("/s/{table:str}/{seat:str}/{proof:str}", include_in_schema=False)
async def take_seat(
    request: Request[Any, Any, Any], table: FromPath[str], seat: FromPath[str], proof: FromPath[str]
) -> Response[Any]:
    """Sits down by a link: a cookie for that seat of that table, and on to the table."""
    room = await entered(request, table, seat, proof, status=404, why="bad_link")
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
async def lobby(request: Request[Any, Any, Any], table: FromPath[str], seat: FromPath[str]) -> Response[str]:
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
                act=room.next_act(seat), bring=bring.address(room),
                **lookback.sharing(room, seat, str(request.base_url).rstrip("/")))  # fmt: skip


@post("/t/{table:str}/{seat:str}/lobby", include_in_schema=False)
async def seating(request: Request[Any, Any, Any], table: FromPath[str], seat: FromPath[str]) -> Response[Any]:
    """Gives a seat to a bot or back to a person, or makes its link anew."""
    room = await seated(request, table, seat)
    limited(request, "act")
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
async def table_page(request: Request[Any, Any, Any], table: FromPath[str], seat: FromPath[str]) -> Response[Any]:
    """The table as a seat sees it."""
    room = await seated(request, table, seat)
    if seat == HOST:
        return Redirect(address(table, seat), status_code=303)
    notice = request.query_params.get("notice", "")
    shown = text(notice) if notice in ("stale", "refused") else ""
    body = render.page(room, seat, whole_log="log" in request.query_params, notice=shown)
    return Response(body, media_type=MediaType.HTML, headers={"cache-control": "no-store"})


@post("/t/{table:str}/{seat:str}/answer", include_in_schema=False)
async def answer(request: Request[Any, Any, Any], table: FromPath[str], seat: FromPath[str]) -> Response[Any]:
    """An answer, or what real dice show."""
    room = await seated(request, table, seat)
    form = await request.form()
    return await _done(request, room, seat, str(form.get("ticket", "")), lambda: reading.answer(room, form))


@post("/t/{table:str}/{seat:str}/act", include_in_schema=False)
async def act(request: Request[Any, Any, Any], table: FromPath[str], seat: FromPath[str]) -> Response[Any]:
    """All that is no answer: taking back, consenting, conceding, a ruling, a pause."""
    room = await seated(request, table, seat)
    form = await request.form()
    return await _done(request, room, seat, str(form.get("ticket", "")), lambda: reading.act(form))


async def _done(request: Request[Any, Any, Any], room: Room, seat: str, ticket: str, read: Any) -> Response[Any]:
    limited(request, "act")
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
async def transcript(request: Request[Any, Any, Any], table: FromPath[str], seat: FromPath[str]) -> Response[str]:
    """The transcript, once all is over: it holds what was secret."""
    room = await seated(request, table, seat)
    encounter = room.state.encounter
    if encounter.question is not None:
        raise HTTPException(text("refused"), status_code=403)
    name = f"{room.row.ruleset}-{room.row.scenario}-{room.id[:6]}.txt"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(encounter.transcript(), media_type=MediaType.TEXT, headers=headers)


@get("/rules/{game:str}", include_in_schema=False)
async def rules(game: FromPath[str]) -> Response[str]:
    """The numbered rules of a game."""
    book = _book(game)
    sections: dict[str, list[Any]] = {}
    for statement in book.statements.values():
        sections.setdefault(statement.section, []).append(statement)
    return html("rules.html", title=book.title, game=game, sections=sections)


@get("/rules/{game:str}/{rule:str}", include_in_schema=False)
async def rule(request: Request[Any, Any, Any], game: FromPath[str], rule: FromPath[str]) -> Response[str]:
    """One rule: as a page, or as a card for the page that asks."""
    statement = _book(game).statements.get(rule)
    if statement is None:
        raise HTTPException(text("no_rule", id=rule), status_code=404)
    card = request.headers.get("hx-request") == "true"
    return html("rule_card.html" if card else "rule.html", rule=statement, game=game)


@cache
def _book(game: str) -> Any:
    if game not in registry.ids():
        raise HTTPException(text("no_game", id=game), status_code=404)
    return rulebook(registry.get(game))


@websocket("/t/{table:str}/{seat:str}/live")
async def live(socket: WebSocket[Any, Any, Any], table: FromPath[str], seat: FromPath[str]) -> None:
    """Sends a page what has changed for it, and nothing else."""
    room = await seated(socket, table, seat)
    seen, version = _whole(socket.query_params.get("n", "")), str(socket.query_params.get("v", ""))[:400]
    proof = socket.cookies.get("seat", "")
    if socket.query_params.get("l") in languages():
        speak(str(socket.query_params["l"]))  # as the page was made
    subscriber = Subscriber(seat)
    room.subscribers.add(subscriber)  # at once: a room with nobody in it may be let go of
    try:
        await socket.accept()
    except BaseException:
        room.subscribers.discard(subscriber)
        raise

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
                await socket.send_text(frame.message)

    tasks = [asyncio.create_task(listen()), asyncio.create_task(talk())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        room.subscribers.discard(subscriber)
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception) and not isinstance(ended, WebSocketDisconnect | OSError):
                _log.error("a page of table %s is told nothing any more", table, exc_info=ended)


def _whole(number: str) -> int:
    return int(number) if number.isdecimal() and len(number) < 9 else 0


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

    app = Litestar(
        [
            home, choose_language, open_table, take_seat, lobby, seating, table_page, answer, act, transcript, rules, rule, live,
            health, metrics, files.own, files.face, api.router(), bring.router(), disclosing.router(), lookback.router(),
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
