"""Routes for characters that people bring: cards of their own in place of a scenario's figures, and what is wrong with them."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any, Final

from litestar import MediaType, Request, Response, Router, get, post
from litestar.datastructures import UploadFile
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.response import Redirect

from ..content import bringing, opening
from ..content.bringing import Brought, Place
from ..content.faults import ContentError, Fault
from . import looking, render, shelf
from .acts import HOST
from .doors import limited, rooms_of
from .rooms import Room
from .state import State
from .texts import text

_LARGEST: Final = 12 * bringing.LARGEST + 20_000
Asks = Request[Any, Any, Any]


def _page(scenario: str, given: dict[int, str], faults: list[dict[str, Any]], status: int = 200) -> Response[str]:
    """The form, with what was given before and what is wrong with it."""
    shown = [
        {"number": n, "name": looking.called(each.card), "text": given.get(n, each.text), "open": n in given}
        for n, each in enumerate(_figures(scenario))
    ]
    title = _listed(scenario)["title"]
    body = render.fill("bring.html", scenario=scenario, title=title, figures=shown, faults=faults)
    return Response(body, status_code=status, media_type=MediaType.HTML, headers={"cache-control": "no-store"})


def _figures(scenario: str) -> list[Place]:
    """The figures of a scenario. 404 if there is no such scenario, or nobody may bring anything."""
    _listed(scenario)
    found = _places(scenario)
    if not found:
        raise HTTPException(text("bring_nobody"), status_code=404)
    return found


def address(room: Room) -> str:
    """Where characters are brought to the scenario of a table on which nothing was answered yet; empty if nowhere."""
    scenario = f"{room.row.ruleset}/{room.row.scenario}"
    listed = any(each["id"] == scenario and each["brings"] for game in shelf.games() for each in game["scenarios"])
    answered = any(entry[0] != "roll" for entry in room.state.encounter.history())
    return f"/bring/{scenario}" if listed and not answered and room.row.kind == "play" else ""


def _listed(scenario: str) -> dict[str, Any]:
    """A scenario as the first page lists it. 404 if it does not: what is no scenario's name could be the path of a file."""
    found = [each for game in shelf.games() for each in game["scenarios"] if each["id"] == scenario]
    if not found:
        raise HTTPException(text("no_scenario"), status_code=404)
    return dict(found[0])


@cache
def _places(scenario: str) -> list[Place]:
    return bringing.places(scenario)


@get("/bring/{game:str}/{name:str}", include_in_schema=False)
async def bring(game: FromPath[str], name: FromPath[str]) -> Response[str]:
    """Where characters are brought to a scenario."""
    return await asyncio.to_thread(_page, f"{game}/{name}", {}, [])


@post("/bring/{game:str}/{name:str}", include_in_schema=False, request_max_body_size=_LARGEST)
async def brought(request: Asks, game: FromPath[str], name: FromPath[str]) -> Response[Any]:
    """Opens a table with the characters that were brought, or tells all that is wrong with them."""
    limited(request, "upload")
    limited(request, "open")
    scenario = f"{game}/{name}"
    figures = await asyncio.to_thread(_figures, scenario)
    try:
        form = await request.form()
    except HTTPException as wrong:
        if wrong.status_code != 413:
            raise
        return _page(scenario, {}, [_words(text("bring_large"))], 413)
    files = [each for place in figures if (each := await _given(form, place)) is not None]
    try:
        state = await asyncio.to_thread(_set, scenario, files, form.get("real_dice") == "on")
    except ContentError as wrong:
        return _page(scenario, _texts(files), [_told(each, files) for each in wrong.faults], 422)
    except Exception as wrong:
        # What passed all checks may still be more than the rules can set up: that is told, too.
        return _page(scenario, _texts(files), [_words(text("bring_broken", why=str(wrong) or type(wrong).__name__))], 422)
    title = str(state.encounter.content.scenario.title or looking.called(name))[:60]
    room = await rooms_of(request).create(title, state)
    return Redirect(f"/s/{room.id}/{HOST}/{room.proof(HOST)}", status_code=303)


async def _given(form: Any, place: Place) -> Brought | None:
    """What was brought for a figure: a file, else a text that is not the printed card; None if nothing."""
    file, written = form.get(f"file-{place.number}"), str(form.get(f"text-{place.number}") or "").replace("\r\n", "\n")
    raw = await file.read() if isinstance(file, UploadFile) else b""
    if raw and isinstance(file, UploadFile):
        return Brought(place.number, file.filename[:80], raw)
    if written.strip() and written.strip() != place.text.strip():
        return Brought(place.number, f"{place.card}.yaml", written.encode())
    return None


def _set(scenario: str, files: list[Brought], real_dice: bool) -> State:
    state = State(opening.start(bringing.bring(scenario, files), real_dice=real_dice))
    state.save()  # what cannot be kept must not be opened
    return state


def _texts(files: list[Brought]) -> dict[int, str]:
    return {each.number: each.raw.decode("utf-8-sig", "replace") for each in files if len(each.raw) <= bringing.LARGEST}


def _told(fault: Fault, files: list[Brought]) -> dict[str, str]:
    """A fault with the line that it is in."""
    lines = next((each.raw.decode("utf-8", "replace").splitlines() for each in files if each.name == fault.file), [])
    line = lines[fault.line - 1] if 0 < fault.line <= len(lines) else ""
    where = text("bring_place", file=fault.file, line=fault.line, column=fault.column) if fault.line else fault.file
    return {"where": where, "wrong": looking.sentence(fault.wrong), "right": fault.right, "line": line[:400]}


def _words(wrong: str) -> dict[str, str]:
    return {"where": "", "wrong": wrong, "right": "", "line": ""}


def router() -> Router:
    """All routes of this file."""
    return Router("/", route_handlers=[bring, brought])
