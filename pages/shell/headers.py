"""Headers of every answer: a policy for contents, a name for the browser, and cookies over TLS only.

The policy allows only scripts, styles and pictures of this server, allows no frame in another site, and sends
no address to another site.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from base64 import b64encode
from functools import lru_cache
from http.cookies import SimpleCookie

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kanon_core.base.streets import tile_servers
from pages.shell import private
from pages.shell.sign_in import entrance, origin

COOKIE = "kanon"
"""The cookie with the random name of a browser; no script can read it."""
BEGIN_AGAIN = "location.replace(location.pathname)"
"""The only inline script of a page: it reloads the page without the parameters of its address."""
MEDIA = "/media/"
"""The route of pictures and downloads, which are made from the data."""
ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' blob: {inline}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob: {tiles}",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
_SECURE = b"; Secure"
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class SecurityHeaders:
    """Adds these headers to every answer of the server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                tiles = tuple(server.origin for server in tile_servers(cookie_of(scope)))
                headers.update({**ALWAYS, "content-security-policy": policy(tiles)})
                if MEDIA in scope["path"]:
                    headers["cache-control"] = "no-store"
            await send(message)

        await self._app(scope, receive, with_headers)


@lru_cache(maxsize=64)
def policy(tiles: tuple[str, ...] = ()) -> str:
    """Return the policy for contents. Pictures come from this server and from the tile servers that its owner
    or this browser named. Styles may be inline, as Streamlit writes them. Inline scripts are allowed only by
    digest: those of Streamlit's first page, and `BEGIN_AGAIN`. Scripts of controls are blobs, which only a
    running script can create."""
    inline = " ".join(_digest(script) for script in (*_INLINE.findall(private.first_page()), BEGIN_AGAIN))
    return _POLICY.format(inline=inline, tiles=" ".join(tiles)).replace(" ;", ";")


def _digest(script: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


class BrowserCookie:
    """Gives each new browser a name with its first page. The cookie ends with the browser session and is
    never sent to another site."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""
        if scope["type"] != "http" or has_name(scope):
            await self._app(scope, receive, send)
            return

        async def with_name(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", _cookie(secure=scope.get("scheme") == "https"))
            await send(message)

        await self._app(scope, receive, with_name)


def cookie_of(scope: Scope) -> str:
    """Return the name of the requesting browser, or ""."""
    return HTTPConnection(scope).cookies.get(COOKIE, "")


def has_name(scope: Scope) -> bool:
    """Return whether the requesting browser has a name."""
    return bool(cookie_of(scope))


def _cookie(secure: bool) -> str:
    made: SimpleCookie = SimpleCookie({COOKIE: secrets.token_urlsafe(32)})
    for name, value in {"path": "/", "samesite": "Strict", "httponly": True, "secure": secure}.items():
        made[COOKIE][name] = value
    return made[COOKIE].OutputString()


class SecureCookies:
    """Marks every cookie as `Secure`. Streamlit does not, so that signing in works on a local machine without
    TLS; and a server behind a proxy that ends TLS cannot see it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [_marked(*header) for header in message["headers"]]
            await send(message)

        await self._app(scope, receive, marked if scope["type"] == "http" and _over_tls() else send)


def _over_tls() -> bool:
    return entrance() is not None and str(origin()).startswith("https://")


def _marked(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    plain = name.lower() == b"set-cookie" and _SECURE.lower() not in value.lower()
    return name, value + _SECURE if plain else value
