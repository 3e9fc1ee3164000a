"""A name for each browser, which only it and the server know: a random cookie that no script can read."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "kanon"


class Named:
    """Gives a browser that has no name yet one with the first page it is sent; it is forgotten when the
    browser is closed, and never sent to another site."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""
        if scope["type"] != "http" or named(scope):
            await self._app(scope, receive, send)
            return

        async def naming(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", _cookie(secure=scope.get("scheme") == "https"))
            await send(message)

        await self._app(scope, receive, naming)


def cookie_of(scope: Scope) -> str:
    """Return the name that the browser which asks was given before, or ""."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                found = SimpleCookie(value.decode("latin-1")).get(COOKIE)
            except CookieError:
                return ""
            return found.value if found else ""
    return ""


def named(scope: Scope) -> bool:
    """Return whether the browser that asks was given a name before."""
    return bool(cookie_of(scope))


def _cookie(secure: bool) -> str:
    made: SimpleCookie = SimpleCookie({COOKIE: secrets.token_urlsafe(32)})
    for name, value in {"path": "/", "samesite": "Strict", "httponly": True, "secure": secure}.items():
        made[COOKIE][name] = value
    return made[COOKIE].OutputString()
