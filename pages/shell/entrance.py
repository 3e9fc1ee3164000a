"""Nobody enters who is not signed in, where a server asks for that; and nobody reaches what is another's.

Streamlit's own sign-in guards what a script draws. This guards every route before Streamlit sees the request:
pages, the WebSocket, uploads, pictures and downloads, counts. Whatever is not named here is closed. Who
somebody is says Streamlit's signed cookie, and Streamlit verifies it.
"""

from __future__ import annotations

import json

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from kanon_core.base.entrance import CALLBACK
from pages.shell import private
from pages.shell.addresses import drawn_for
from pages.shell.base_path import below, within
from pages.shell.doors import UPLOADS
from pages.shell.headers import MEDIA
from pages.shell.tabs import owner_of
from pages.shell.threshold import BEGIN, refusal
from pages.state.person import Person, admitted, entrance, origin, person_of

OPEN = ("/_stcore/health", "/auth/login", "/auth/logout", CALLBACK, BEGIN)
"""What anybody may ask for: whether the server is well, and what signing in and out takes."""


class Entered:
    """Lets those in who are signed in and may enter, and each only to their own; everybody where nobody has
    to sign in."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is let in."""
        if scope["type"] not in ("http", "websocket") or entrance() is None or _is_open(scope["path"]):
            await self._app(scope, receive, send)
            return
        person = visitor(scope)
        if person is not None and admitted(person) and _theirs(scope, person):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, person)(scope, receive, send)


def _is_open(path: str) -> bool:
    """Return whether anybody may ask for this: with no slash more or less."""
    return path in map(below, OPEN)


def visitor(scope: Scope) -> Person | None:
    """Return who asks, by the cookie that Streamlit signed; None for nobody. It counts for the address alone
    at which it was given."""
    own, signed = origin(), private.signed_claims(HTTPConnection(scope).cookies)
    try:
        claims = json.loads(signed or b"{}")
    except ValueError:
        return None
    counts = isinstance(claims, dict) and own is not None and claims.get("origin") == own
    return person_of(claims) if counts else None


def _theirs(scope: Scope, person: Person) -> bool:
    """Return whether what is asked for is the visitor's: uploads of their own tabs, files of their own pages,
    and a connection from a page of this server."""
    path = within(scope["path"])
    if scope["type"] == "websocket":
        return HTTPConnection(scope).headers.get("origin") == origin()
    if path.startswith(f"{UPLOADS}/"):
        return owner_of(path.removeprefix(f"{UPLOADS}/").partition("/")[0]) == person.name
    return not path.startswith(MEDIA) or drawn_for(path.removeprefix(MEDIA), person)
