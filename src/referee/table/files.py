"""Files that pages load: the table's own and the styles of faces. Each is read and compressed once, and kept in memory."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from litestar import Request, Response, get
from litestar.exceptions import HTTPException
from litestar.params import FromPath

from ..content import registry
from . import render

_STATIC: Final = render.HERE / "static"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_PACKED: Final = (".css", ".js", ".svg")  # fonts are compressed already


class _File(NamedTuple):
    kind: str
    plain: bytes
    packed: bytes | None


@cache
def _named() -> dict[str, Path]:
    return {f"/{path.relative_to(_STATIC).as_posix()}": path for path in _STATIC.rglob("*") if path.is_file()}


@cache
def _read(path: Path) -> _File:
    body = path.read_bytes()
    packed = gzip.compress(body, mtime=0) if path.suffix in _PACKED else None
    return _File(_TYPES.get(path.suffix, "text/plain; charset=utf-8"), body, packed)


def _sent(request: Request[Any, Any, Any], path: Path | None) -> Response[bytes]:
    if path is None:
        raise HTTPException("there is no such file", status_code=404)
    file = _read(path)
    if file.packed is None:
        return Response(file.plain, media_type=file.kind)
    accepted = [each.partition(";")[0].strip() for each in request.headers.get("accept-encoding", "").lower().split(",")]
    headers = {"vary": "accept-encoding"}
    if "gzip" in accepted:
        return Response(file.packed, media_type=file.kind, headers=headers | {"content-encoding": "gzip"})
    return Response(file.plain, media_type=file.kind, headers=headers)


@get("/static/{name:path}", include_in_schema=False)
async def own(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """A file of the table's own."""
    return _sent(request, _named().get(name))


@get("/faces/{game:str}/face.css", include_in_schema=False)
async def face(request: Request[Any, Any, Any], game: FromPath[str]) -> Response[bytes]:
    """The styles of a game's face."""
    file = render.face_folder(game) / "face.css" if game in registry.ids() else None
    return _sent(request, file if file is not None and file.is_file() else None)
