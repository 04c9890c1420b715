"""What went wrong, told to whoever asked: as a page, as a line for a page that is open, as JSON for other clients."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, Final

from litestar import MediaType, Request, Response
from litestar.exceptions import MethodNotAllowedException, NotFoundException
from markupsafe import escape

from ..content import ContentError, RegistryError
from ..engine.errors import RefereeError
from . import looking, render
from .languages import SOURCE, language
from .rooms import Stale
from .store import Full, Unavailable
from .texts import TEXTS, text

_AGAIN: Final = 5  # seconds after which a page that could not be made asks again by itself
_log = logging.getLogger("referee.table")


def html(template: str, status: int = 200, **facts: Any) -> Response[str]:
    """A page that no cache keeps."""
    return Response(
        render.fill(template, **facts), status_code=status, media_type=MediaType.HTML, headers={"cache-control": "no-store"}
    )


def told(request: Request[Any, Any, Any], wrong: Exception) -> Response[Any]:
    """The answer to a request that went wrong."""
    status = _status(wrong)
    detail = looking.sentence(_detail(status, wrong))
    if request.url.path.startswith("/api/"):
        made = Response[Any]({"status_code": status, "detail": detail}, status_code=status, media_type=MediaType.JSON)
    elif request.headers.get("hx-request") == "true":
        made = Response(detail, status_code=status, media_type=MediaType.TEXT)
        if is_english(status, detail):
            marked = f'<span lang="{SOURCE}">{escape(detail)}</span>'
            made = Response(marked, status_code=status, media_type=MediaType.HTML, headers={"hx-reswap": "innerHTML"})
    else:
        again = _AGAIN if status == 503 and request.method == "GET" else 0
        made = html(
            "error.html",
            status,
            title=text(f"error_{status}" if f"error_{status}" in TEXTS else "error"),
            detail=detail,
            english=is_english(status, detail),
            again=again,
        )
    if status == 503:
        made.headers["retry-after"] = str(_AGAIN)
    if status == 429:
        made.headers["retry-after"] = "60"
    return made


def is_english(status: int, detail: str) -> bool:
    """Whether it is told by the engine or a game, on a page that speaks another language."""
    return status == 422 and language() != SOURCE and detail not in _own(language())


@cache
def _own(language: str) -> frozenset[str]:
    """What the table itself says in a language."""
    return frozenset(looking.sentence(text(key)) for key, words in TEXTS.items() if isinstance(words, str) and "{" not in words)


def _status(wrong: Exception) -> int:
    named = getattr(wrong, "status_code", None)
    if isinstance(named, int):
        return named
    match wrong:
        case Unavailable():
            return 503
        case Stale():
            return 409
        case RefereeError() | ContentError() | RegistryError():
            return 422
    return 500


def _detail(status: int, wrong: Exception) -> str:
    if status == 503:
        _log.warning("a request could not be served: %s", wrong)
        return text("full_database" if isinstance(wrong, Full) else "no_database")
    if status == 500:
        _log.error("a request failed", exc_info=wrong)
        return ""
    if isinstance(wrong, NotFoundException | MethodNotAllowedException):
        return text("no_page")
    return text("too_large") if status == 413 else str(getattr(wrong, "detail", "") or wrong)
