"""Who and what is let in where a class shares the server: so many tabs, and no files unless they are allowed.

What the pages show locked is refused here too, so that it does not matter what a browser sends. Nobody is let
in where the server would tell of itself what is nobody's business.
"""

from __future__ import annotations

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from kanon_core.base.classroom import Classroom
from kanon_core.base.words import tr
from pages.shell.browsers import named
from pages.state.classroom import classroom
from pages.state.room import full

UPLOADS = "/_stcore/upload_file"
"""Where Streamlit takes files."""
CLOSED = "/_stcore/metrics"
"""Where Streamlit tells how large everything is that each of its caches and sessions holds, which it finds by
looking at every object while all wait; `pages.shell.counts` has what a monitor needs."""
_TRY_AGAIN_LATER = 1013


class Doors:
    """Refuses files and further tabs as the class says; without a class all but `CLOSED` passes, and files
    for which there is room."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is let in."""
        room = classroom()
        if scope.get("path", "").endswith(CLOSED):
            await PlainTextResponse(tr("Nothing is told here.") + "\n", 404)(scope, receive, send)
        elif UPLOADS in scope.get("path", "") and scope.get("method") == "PUT" and full():
            says = tr("The memory of this server is full: it takes files again when others have left.")
            await PlainTextResponse(f"{says}\n", 503)(scope, receive, send)
        elif room is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._tab(room, scope, receive, send)
        elif answer := self._refused(room, scope):
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _tab(self, room: Classroom, scope: Scope, receive: Receive, send: Send) -> None:
        """A tab talks to the server over one WebSocket for as long as it is open."""
        if self._open >= room.learners:
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
            return
        self._open += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= 1

    def _refused(self, room: Classroom, scope: Scope) -> PlainTextResponse | None:
        """Return what a request is told that is not let in: one that brings a file, or a newcomer to a full
        class. Who was given a name before may reload."""
        if scope["type"] != "http":
            return None
        if UPLOADS in scope["path"] and not room.uploads:
            says = tr("This server is for a class: it opens samples only and takes no files.")
            return PlainTextResponse(f"{says}\n", 403)
        if self._open >= room.learners and _wants_page(scope) and not named(scope):
            says = tr("This class is full: {count} tabs are open. Come back when somebody has left.")
            return PlainTextResponse(f"{says.format(count=self._open)}\n", 503)
        return None


def _wants_page(scope: Scope) -> bool:
    """Return whether a browser asks for a page, not for a part of one."""
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])
