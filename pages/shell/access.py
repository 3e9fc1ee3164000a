"""Access control before Streamlit: requests, and the owners of uploads, pictures and downloads.

Where people sign in, every route except those of `OPEN` is closed to others, and each person reaches only
their own files. A class limits the number of tabs and may refuse uploads. These limits hold whatever a
browser sends.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import PurePosixPath

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from kanon_core.base.classroom import Classroom
from kanon_core.base.entrance import CALLBACK
from kanon_core.base.words import tr
from pages.shell.headers import MEDIA, has_name
from pages.shell.private import put_in_place
from pages.shell.server_address import below, within
from pages.shell.sign_in import (
    SIGN_IN_ROUTE,
    Person,
    admitted,
    entrance,
    origin,
    reader,
    refusal,
    visitor,
    wants_page,
)
from pages.shell.tabs import owner_of
from pages.state.limits import memory_full

OPEN = ("/_stcore/health", "/auth/login", "/auth/logout", CALLBACK, SIGN_IN_ROUTE)
"""The routes that are open to everybody: the health check, and those of signing in and out."""
UPLOADS = "/_stcore/upload_file"
"""The route for uploads."""
CLOSED = "/_stcore/metrics"
"""The route of Streamlit's memory statistics. It inspects every object while all visitors wait; `COUNTS` of
`pages.shell.server` has the numbers that a monitor needs."""
_TRY_AGAIN_LATER, _REFUSED = 1013, 1008
_KEY = secrets.token_bytes(32)
"""The key for addresses of files, until this server ends."""
_LENGTH = 32
"""The number of letters of each half of an address: the digests of the content and of the owner."""


class SignInRequired:
    """Admits people who are signed in and may enter, each only to their own files; everybody where nobody has
    to sign in. Streamlit signs and verifies the cookie that identifies a person."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that is let in."""
        if scope["type"] not in ("http", "websocket") or entrance() is None or _is_open(scope["path"]):
            await self._app(scope, receive, send)
            return
        person = visitor(scope)
        if person is not None and admitted(person) and _owns(person, scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _REFUSED})
        else:
            await refusal(scope, person)(scope, receive, send)


def _is_open(path: str) -> bool:
    """Return whether this route is open to everybody; the path must match exactly."""
    return path in map(below, OPEN)


def _owns(person: Person, scope: Scope) -> bool:
    """Return whether the request is for the visitor's own: uploads of their tabs, files of their pages, or a
    connection from a page of this server."""
    path = within(scope["path"])
    if scope["type"] == "websocket":
        return HTTPConnection(scope).headers.get("origin") == origin()
    if path.startswith(f"{UPLOADS}/"):
        return owner_of(path.removeprefix(f"{UPLOADS}/").partition("/")[0]) == person.name
    return not path.startswith(MEDIA) or made_for(path.removeprefix(MEDIA), person)


class ServerLimits:
    """Refuses files and further tabs as the class says, files while memory is full, and `CLOSED` always."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open_tabs = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that is let in."""
        classroom = Classroom.of()
        if scope.get("path", "").endswith(CLOSED):
            await PlainTextResponse(tr("This address provides no information.") + "\n", 404)(
                scope, receive, send
            )
        elif UPLOADS in scope.get("path", "") and scope.get("method") == "PUT" and memory_full():
            sentence = tr(
                "The memory of this server is full. Upload the file again when other people have left."
            )
            await PlainTextResponse(f"{sentence}\n", 503)(scope, receive, send)
        elif classroom is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._tab(classroom, scope, receive, send)
        elif answer := self._refused(classroom, scope):
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _tab(self, classroom: Classroom, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a tab, which talks to the server over one WebSocket for as long as it is open."""
        if self._open_tabs >= classroom.learners:
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
            return
        self._open_tabs += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open_tabs -= 1

    def _refused(self, classroom: Classroom, scope: Scope) -> PlainTextResponse | None:
        """Return the answer to a refused request: a file, or a new browser in a full class. A browser that
        already has a name may reload."""
        if scope["type"] != "http":
            return None
        if UPLOADS in scope["path"] and not classroom.uploads:
            sentence = tr("This server is for a class. It opens samples only and accepts no files.")
            return PlainTextResponse(f"{sentence}\n", 403)
        if self._open_tabs >= classroom.learners and wants_page(scope) and not has_name(scope):
            sentence = tr("This class is full (open tabs: {count}). Try again when somebody has left.")
            return PlainTextResponse(f"{sentence.format(count=self._open_tabs)}\n", 503)
        return None


def key_file_addresses() -> None:
    """Make the address of a picture or download a keyed 128-bit digest of its whole content. Where people
    sign in, the digest of the person whose page it was made for follows.

    Streamlit's own address is a digest without a key, so an attacker who guesses the content of a file learns
    whether somebody has it. From a file above 1 MB Streamlit digests only the first, middle and last 64 KB.
    Two releases of one length that differ only elsewhere would share an address, and a person could receive
    the other file. Streamlit also gives a file to anybody who has its address.
    """
    put_in_place("_calculate_file_id", _file_address)


def made_for(file: str, person: Person) -> bool:
    """Return whether a picture or download of this name was made for a page of this person."""
    name = PurePosixPath(file).stem
    content, owner = name[:_LENGTH], name[_LENGTH:]
    return hmac.compare_digest(owner.encode("utf-8", "replace"), _owner_digest(content, person).encode())


def _file_address(data: bytes, mimetype: str, filename: str | None = None) -> str:
    digest = hashlib.blake2b(data, key=_KEY, digest_size=_LENGTH // 2)
    digest.update(repr((mimetype, filename, len(data))).encode())
    content, person = digest.hexdigest(), reader()
    return content if person is None else content + _owner_digest(content, person)


def _owner_digest(content: str, person: Person) -> str:
    text = f"{content} {person.name}".encode("utf-8", "replace")
    return hashlib.blake2b(text, key=_KEY, digest_size=_LENGTH // 2, person=b"owner").hexdigest()
