"""The outermost layer: knows its own host, refuses what other pages send, puts the security headers on every answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final

from .languages import COOKIE, chosen, speak

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": _CSP,
    # "no-referrer" would make browsers send `Origin: null` with every plain form.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_FOR_EVER: Final = (b"cache-control", b"public, max-age=31536000, immutable")


class Shield:
    """Wraps an application. `hosts` are the names under which it may be asked for."""

    def __init__(self, app: App, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    def _refusal(self, scope: Scope) -> bytes | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "").lower()
        if _name(host) not in self._hosts:
            return b"unknown host"  # else a foreign name that points here could read the table
        if scope["path"].startswith("/api/"):
            return None  # it heeds no cookie, only a token that no browser sends by itself
        if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
            origin = headers.get(b"origin", "").partition("://")[2].lower()
            if origin != host or headers.get(b"sec-fetch-site", "same-origin") != "same-origin":
                return b"this request did not come from the table's own page"
        return None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        why = self._refusal(scope)
        if why is not None:
            await self._refuse(scope, receive, send, why)
            return
        speak(chosen(*_wishes(scope)))
        static = scope["path"].startswith(("/static/", "/faces/"))

        async def shielded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers]
                if static and message["status"] == 200:
                    message["headers"].append(_FOR_EVER)
            await send(message)

        await self._app(scope, receive, shielded)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, why: bytes) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = [*self._headers, (b"content-type", b"text/plain; charset=utf-8")]
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": why})


def _wishes(scope: Scope) -> tuple[str, str]:
    """The language that a browser was told to keep, and those that it accepts."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    kept = [each.strip().partition("=") for each in headers.get(b"cookie", "").split(";")]
    return next((value for name, _, value in kept if name == COOKIE), ""), headers.get(b"accept-language", "")


def _name(host: str) -> str:
    """A host without its port."""
    return host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
