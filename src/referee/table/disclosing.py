"""Routes by which a GM lets others know what is hidden from them, or takes it from what they know: rulings, with a reason."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response, Router, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.response import Redirect

from ..engine.hiding import HIDDEN, Hiding, why_not
from ..engine.ruleset import Secret
from . import acts, looking, render
from .doors import entered, limited
from .languages import SOURCE
from .rooms import Room
from .texts import text, text_in

Asks = Request[Any, Any, Any]


async def _gms(request: Asks, table: str, seat: str) -> Room:
    """The room, for its GM alone. 403 if somebody else asks."""
    room = await entered(request, table, seat, request.cookies.get("seat", ""), status=401, why="no_seat")
    if room.state.role(seat) != "gm":
        raise HTTPException(text("gm_only"), status_code=403)
    return room


def figures(room: Room) -> dict[Secret, str]:
    """The figures that hide or could, each with why it cannot hide just now (empty: it can)."""
    game = room.state.encounter.game
    hiding = game.ruleset.hiding
    if not isinstance(hiding, Hiding) or room.state.encounter.question is None:
        return {}
    rows = {}
    for who in game.seat_of:
        out = getattr(game.records[who], hiding.field)
        if out in ("", HIDDEN):
            value = HIDDEN if not out else ""
            row = Secret(f"figure.{who}", looking.called(who), text("hidden_figure"), "", not out, who, hiding.field, value)
            why = "" if out else why_not(game, who)
            rows[row] = looking.sentence(why.replace(who, looking.called(who))) if why else ""
    return rows


def found(room: Room) -> list[Secret]:
    """What is hidden at a table now, or was let known: figures, then facts; nothing when all is over."""
    game = room.state.encounter.game
    return [*figures(room), *game.ruleset.secrets(game)] if room.state.encounter.question is not None else []


@get("/t/{table:str}/{seat:str}/hidden", include_in_schema=False)
async def hidden(request: Asks, table: FromPath[str], seat: FromPath[str]) -> Response[str]:
    """What is hidden, from whom, and a button to change it; figures first."""
    room = await _gms(request, table, seat)
    about: dict[str, list[dict[str, Any]]] = {}
    whole = figures(room)
    for each in found(room):
        told = {"name": each.name, "what": each.what, "to": each.to, "known": each.known}
        about.setdefault(each.about, []).append(told | {"figure": each in whole, "barred": whole.get(each, "")})
    hiding = room.state.encounter.content.ruleset.hiding
    facts = {
        "name": room.row.name, "table": table, "seat": seat, "act": room.next_act(seat), "about": about,
        "barred": "" if isinstance(hiding, Hiding) else looking.sentence(hiding),
    }  # fmt: skip
    body = render.fill("hidden.html", **facts)
    return Response(body, media_type=MediaType.HTML, headers={"cache-control": "no-store"})


@post("/t/{table:str}/{seat:str}/hidden", include_in_schema=False)
async def disclose(request: Asks, table: FromPath[str], seat: FromPath[str]) -> Response[Any]:
    """Lets something be known, or be hidden again."""
    room = await _gms(request, table, seat)
    limited(request, "act")
    form = await request.form()
    doing, _, named = str(form.get("secret", "")).partition(" ")
    secret = next((each for each in found(room) if each.name == named), None)
    if secret is None or doing != ("hide" if secret.known else "reveal"):
        raise HTTPException(text("stale"), status_code=409)  # somebody has learned it meanwhile, or it is no more
    reason = str(form.get("reason", "")).strip()[:400] or text_in(SOURCE, "hid_why" if secret.known else "revealed_why")
    ticket = str(form.get("ticket", ""))[:64]
    await room.do(seat, ticket, acts.Rule(secret.record, secret.field, _plain(secret.value), reason))
    room.bots_go_on()
    return Redirect(f"/t/{table}/{seat}/hidden", status_code=303)


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def router() -> Router:
    """All routes of this file."""
    return Router("/", route_handlers=[hidden, disclose])
