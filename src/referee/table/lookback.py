"""Routes for looking back: the past of a table as a seat saw it, replays by a link, transcripts opened, "what if"."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Any, Final, cast

from litestar import MediaType, Request, Response, Router, get, post
from litestar.datastructures import UploadFile
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from ..content import opening
from ..content.faults import RegistryError
from ..content.soundness import unsound
from ..engine.encounter import Encounter
from ..engine.errors import BadTranscript, RefereeError
from ..engine.questions import Roll
from ..engine.ruleset import Content
from . import acts, looking, render
from .acts import HOST, REPLAY
from .doors import entered, limited, rooms_of
from .languages import language
from .past import Past, Seen, branched
from .rooms import Room
from .state import State
from .texts import text

LARGEST: Final = 1_000_000  # bytes of a transcript
_LONGEST: Final = 10  # seconds in which a transcript must have been played again: a text can ask for hours
_SEED: Final = 2**31
Asks = Request[Any, Any, Any]


def _html(template: str, status: int = 200, **facts: Any) -> Response[str]:
    body = render.fill(template, **facts)
    return Response(body, status_code=status, media_type=MediaType.HTML, headers={"cache-control": "no-store"})


async def past_of(room: Room) -> Past:
    """The past of a table up to now. It is made once, and goes on with the table."""
    past: Past = room.kept.setdefault("past", Past())
    lock: asyncio.Lock = room.kept.setdefault("past lock", asyncio.Lock())
    async with lock:
        if room.kept.get("past seq") != room.seq:
            encounter, seq = room.state.encounter, room.seq
            await asyncio.to_thread(past.follow, encounter)
            room.kept["past seq"] = seq
    return past


async def _seen(room: Room, past: Past, seat: str) -> Seen:
    async with cast(asyncio.Lock, room.kept["past lock"]):
        return await asyncio.to_thread(past.seen, seat)


async def _at(room: Room, past: Past, entries: int) -> Encounter:
    async with cast(asyncio.Lock, room.kept["past lock"]):
        return past.at(entries)


class Looker:
    """Somebody who looks back: by which address, from which seat, and as whom."""

    def __init__(self, room: Room, seat: str, proof: str, named: str | None, origin: str) -> None:
        self.room = room
        self.origin = origin
        self.seat = seat
        self.base = f"/r/{room.id}/{proof}" if seat == REPLAY else f"/t/{room.id}/{seat}/past"
        self.open = room.state.role(seat) in ("gm", REPLAY) or room.state.encounter.question is None
        # Whoever opens a transcript holds all that it tells; who is shown a replay may want to be surprised.
        roles = ("gm", "spectator", "player") if room.state.shared == "all" else ("spectator", "gm", "player")
        own = seat if seat != REPLAY else next(each for role in roles for each in room.state.seats(role))
        self.viewer = named or own
        self.query = f"?as={self.viewer}" if self.viewer != own else ""
        if self.viewer != own and (not self.open or self.viewer not in room.state.encounter.game.seats):
            raise HTTPException(text("past_own"), status_code=403)

    def at(self, number: int) -> str:
        """The address of a moment."""
        return f"{self.base}/{number}{self.query}"


async def _looker(request: Asks, table: str, seat: str, proof: str = "") -> Looker:
    if seat == REPLAY:
        room = await entered(request, table, seat, proof, status=404, why="no_replay")
    else:
        room = await entered(request, table, seat, request.cookies.get("seat", ""), status=401, why="no_seat")
        if seat == HOST:
            raise HTTPException(text("past_host"), status_code=403)
    return Looker(room, seat, proof, request.query_params.get("as"), str(request.base_url).rstrip("/"))


async def _found(request: Asks, looker: Looker) -> Response[Any]:
    """Leads to the moment that was asked for: the last one, a number, or the one that another seat looked at."""
    room = looker.room
    past = await past_of(room)
    seen = await _seen(room, past, looker.viewer)
    number, last = request.query_params.get("n", ""), len(seen.entries) - 1
    by = request.query_params.get("by", "")
    if by and looker.open and by in room.state.encounter.game.seats and number.isdecimal():
        theirs = await _seen(room, past, by)
        place = seen.near(theirs.entries[min(int(number[:8]), len(theirs.entries) - 1)])
    else:
        place = min(int(number[:8]), last) if number.isdecimal() else last
    return Redirect(looker.at(place), status_code=303)


async def moment(looker: Looker, number: int) -> Response[Any]:
    """The page of one moment."""
    room, viewer = looker.room, looker.viewer
    past = await past_of(room)
    seen = await _seen(room, past, viewer)
    last = len(seen.entries) - 1
    if number > last:
        return Redirect(looker.at(last), status_code=303)
    encounter = await _at(room, past, seen.entries[number])
    then = Room(room.rooms, room.row, seen.entries[number], State(encounter))
    state = room.state
    then.state.bots = state.bots
    then.shown["offers", viewer] = []  # what was on offer then cannot be taken now
    table = looking.table(then, viewer) | {"cells": {}, "targets": {}}
    game = room.row.ruleset
    facts = {
        "table": room.id, "game": game, "name": room.row.name, "number": number, "last": last, "base": looker.base,
        "query": looker.query, "viewer": viewer, "viewer_name": looking.called(viewer), "replay": looker.seat == REPLAY,
        "seat": looker.seat, "act": "" if looker.seat == REPLAY else room.next_act(looker.seat), "top": looking.top(then, viewer),
        "seats": [(each, looking.called(each)) for each in state.seats("player", "spectator", "gm")] if looker.open else [],
        "may_branch": looker.open and not isinstance(encounter.question, Roll),
        **sharing(room, looker.seat, looker.origin),
        "tableau": Markup(render.fill(f"{game}/table.html", game=game, **table)) if render.has_face(game) else Markup(
            render.fill("tableau.html", lines=looking.tableau(then, viewer), records=looking.records(then, viewer))),
        **_told(past, then, viewer, looker.open), **_lines(seen, number, encounter, game),
    }  # fmt: skip
    return _html("past.html", **facts)


def sharing(room: Room, seat: str, origin: str) -> dict[str, Any]:
    """Whether a seat may share the replay or take its link away, and the link."""
    role = room.state.role(seat)
    over, leads = room.state.encounter.question is None, role in ("gm", HOST)
    return {
        "may_share": over and (leads or (role == "player" and room.state.shared != "off")),
        "may_unshare": leads and room.state.shared == "on",
        "replay_link": f"{origin}/r/{room.id}/{room.proof(REPLAY)}" if room.state.role(REPLAY) else "",
    }


def _told(past: Past, then: Room, viewer: str, everything: bool) -> dict[str, Any]:
    """What was asked at that moment as the viewer knew it, and what was answered if that is known to it."""
    encounter = then.state.encounter
    game = encounter.game
    words = game.ruleset.words
    if encounter.result is not None and encounter.question is None:
        return {"result": str(words.result(game, encounter.result)), "about": "", "waiting": [], "answer": None}
    view = encounter.view(viewer)
    question = encounter.question if isinstance(encounter.question, Roll) else encounter.choice(viewer)
    everything = everything and game.seats[viewer].role == "gm"
    if question is None and everything and len(view.asked) == 1:
        question = encounter.choice(view.asked[0])
    answer = past.answer(encounter, then.seq)
    return {
        "result": "", "about": "" if question is None else str(words.about(game, question)),
        "waiting": [looking.called(each) for each in view.asked if each != viewer],
        "answer": (looking.called(answer[0]), answer[1]) if answer and (everything or answer[0] == viewer) else None,
    }  # fmt: skip


def _lines(seen: Seen, number: int, encounter: Encounter, game: str) -> dict[str, Any]:
    """The newest lines of the log up to a moment; those that came with it are marked."""
    upto = seen.lines[number]
    first = max(0, upto - render.LATEST)
    template, spoken = render.environment().get_template("line.html"), language()
    for place in range(first, upto):
        if (spoken, place) not in seen.html:
            line = looking.line(encounter, seen.events[place])
            seen.html[spoken, place] = template.render(e=line, number=place + 1, game=game)
    before = max(first, seen.lines[number - 1] if number else upto)
    old = "".join(seen.html[spoken, place] for place in range(first, before))
    new = "".join(seen.html[spoken, place].replace('class="ln ', 'class="ln came ', 1) for place in range(before, upto))
    return {"lines": Markup(old + new), "earlier": first}


@get("/t/{table:str}/{seat:str}/past", include_in_schema=False)
async def past_of_seat(request: Asks, table: FromPath[str], seat: FromPath[str]) -> Response[Any]:
    """Leads to a moment of a seat's past; without more, to the last."""
    return await _found(request, await _looker(request, table, seat))


@get("/t/{table:str}/{seat:str}/past/{number:int}", include_in_schema=False)
async def moment_of_seat(request: Asks, table: FromPath[str], seat: FromPath[str], number: FromPath[int]) -> Response[Any]:
    """One moment as a seat saw it; when all is over, as any seat saw it."""
    return await moment(await _looker(request, table, seat), max(0, number))


@get("/r/{table:str}/{proof:str}", include_in_schema=False)
async def replay(request: Asks, table: FromPath[str], proof: FromPath[str]) -> Response[Any]:
    """Leads to a moment of a shared replay; without more, to the first."""
    looker = await _looker(request, table, REPLAY, proof)
    if request.query_params.get("n"):
        return await _found(request, looker)
    return Redirect(looker.at(0), status_code=303)


@get("/r/{table:str}/{proof:str}/{number:int}", include_in_schema=False)
async def moment_of_replay(request: Asks, table: FromPath[str], proof: FromPath[str], number: FromPath[int]) -> Response[Any]:
    """One moment of a shared replay."""
    return await moment(await _looker(request, table, REPLAY, proof), max(0, number))


@post("/t/{table:str}/{seat:str}/what-if", include_in_schema=False)
async def what_if(request: Asks, table: FromPath[str], seat: FromPath[str]) -> Response[Any]:
    """A table of one's own that begins at a moment of this one."""
    return await _branch(request, await _looker(request, table, seat))


@post("/r/{table:str}/{proof:str}/what-if", include_in_schema=False)
async def what_if_of_replay(request: Asks, table: FromPath[str], proof: FromPath[str]) -> Response[Any]:
    """The same from a replay."""
    return await _branch(request, await _looker(request, table, REPLAY, proof))


async def _branch(request: Asks, looker: Looker) -> Response[Any]:
    limited(request, "open")
    if not looker.open:
        raise HTTPException(text("what_if_later"), status_code=403)
    form = await request.form()
    room, number = looker.room, str(form.get("n", ""))
    past = await past_of(room)
    seen = await _seen(room, past, looker.viewer)
    if not number.isdecimal() or int(number[:8]) >= len(seen.entries):
        raise HTTPException(text("no_moment"), status_code=422)
    encounter = await _at(room, past, seen.entries[int(number[:8])])
    if encounter.question is None:
        raise HTTPException(text("what_if_over"), status_code=422)
    name = text("what_if_name", name=room.row.name, number=number)[:60]
    made = await rooms_of(request).create(name, State(branched(encounter, secrets.randbelow(_SEED))), "what if")
    seat = next(iter(made.state.seats("gm")), HOST)
    return Redirect(f"/s/{made.id}/{seat}/{made.proof(seat)}", status_code=303)


@post("/t/{table:str}/{seat:str}/share", include_in_schema=False)
async def share(request: Asks, table: FromPath[str], seat: FromPath[str]) -> Response[Any]:
    """Gives the replay a link, or takes it away."""
    room = await entered(request, table, seat, request.cookies.get("seat", ""), status=401, why="no_seat")
    limited(request, "act")
    form = await request.form()
    await room.do(seat, str(form.get("ticket", ""))[:64], acts.Share(form.get("do") == "on"))
    back = f"/t/{table}/{seat}/lobby" if seat == HOST else f"/t/{table}/{seat}/past"
    return Redirect(back, status_code=303)


@post("/replays", include_in_schema=False, request_max_body_size=LARGEST + 20_000)
async def open_replay(request: Asks) -> Response[Any]:
    """Opens a transcript as a replay of its own."""
    limited(request, "upload")
    try:
        raw = await uploaded(request)
        state = await asyncio.to_thread(replayed, raw)
    except BadTranscript as wrong:
        said = str(wrong).removeprefix(f"line {wrong.line}: ")
        return _html("replay_fault.html", 422, line=wrong.line, wrong=looking.sentence(said), right=text("replay_right"))
    except HTTPException as wrong:
        if wrong.status_code != 413:
            raise
        return _html("replay_fault.html", 413, line=0, wrong=text("replay_large"), right=text("replay_right"))
    scenario = state.encounter.content.scenario
    room = await rooms_of(request).create(str(scenario.title or scenario.id)[:60], state, "replay")
    return Redirect(f"/r/{room.id}/{room.proof(REPLAY)}", status_code=303)


async def uploaded(request: Asks) -> bytes:
    """What was chosen as a file, else pasted as text; empty if neither."""
    form = await request.form()
    file = form.get("file")
    raw = await file.read() if isinstance(file, UploadFile) else b""
    return raw or str(form.get("text", "")).encode()


def replayed(raw: bytes) -> State:
    """The state of a transcript played to its end. BadTranscript if it is none, was cut or changed, or cannot be played here."""
    if len(raw) > LARGEST:
        raise HTTPException(status_code=413)
    if not raw.strip():
        raise BadTranscript(text("replay_empty"))
    if raw.startswith(b"REFEREE"):
        raise BadTranscript(text("replay_save"))
    try:
        # Mail programs and editors change the ends of lines; no transcript has others of its own.
        told = raw.decode("utf-8-sig").replace("\r\n", "\n").lstrip("\n")
    except UnicodeDecodeError:
        raise BadTranscript(text("replay_bytes")) from None
    until = time.monotonic() + _LONGEST

    def watch() -> None:
        if time.monotonic() > until:
            raise BadTranscript(text("replay_long", seconds=_LONGEST))

    try:
        encounter = opening.replay(told, watch=watch, vet=_vet)
    except (BadTranscript, RegistryError):
        raise
    except RefereeError as wrong:
        raise BadTranscript(str(wrong)) from None
    except Exception as wrong:
        # Digests prove that a text is whole, not that its cards were ever checked: rules may stumble over them anywhere.
        raise BadTranscript(text("replay_unplayable", why=type(wrong).__name__)) from None
    state = State(encounter)
    state.shared = "all"
    return state


def _vet(content: Content) -> None:
    wrong = unsound(content)
    if wrong:
        raise BadTranscript(text("replay_unsound", why=wrong[0]))


def router() -> Router:
    """All routes of this file."""
    handlers = [
        past_of_seat, moment_of_seat, replay, moment_of_replay, what_if, what_if_of_replay, share, open_replay,
    ]  # fmt: skip
    return Router("/", route_handlers=handlers)
