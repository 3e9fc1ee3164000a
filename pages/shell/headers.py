"""What every answer tells the browser: nothing but this server's own scripts, styles and pictures, in no
frame of another site, and no address told to another site."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from functools import lru_cache

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kanon_core.base.streets import tile_servers
from pages.shell import private
from pages.shell.browsers import cookie_of

BEGIN_AGAIN = "location.replace(location.pathname)"
"""The one script that a page writes into itself: it opens the page anew, without what its address asks."""
MEDIA = "/media/"
"""Where pictures and downloads are, which are made of the data."""
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
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class Guarded:
    """Adds these headers to all that the server answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarding(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                tiles = tuple(server.origin for server in tile_servers(cookie_of(scope)))
                headers.update({**ALWAYS, "content-security-policy": policy(tiles)})
                if MEDIA in scope["path"]:
                    headers["cache-control"] = "no-store"
            await send(message)

        await self._app(scope, receive, guarding)


@lru_cache(maxsize=64)
def policy(tiles: tuple[str, ...] = ()) -> str:
    """The policy for contents. Pictures come from this server and from the tile servers that its owner or
    this browser named. Styles stand in the page, as Streamlit writes them; scripts do not, but for those
    whose digests are named: of Streamlit's first page, and `BEGIN_AGAIN`. Scripts of controls come as blobs,
    which only a script that runs already can make; Plotly compiles nothing."""
    inline = " ".join(_digest(script) for script in (*_INLINE.findall(private.first_page()), BEGIN_AGAIN))
    return _POLICY.format(inline=inline, tiles=" ".join(tiles)).replace(" ;", ";")


def _digest(script: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
