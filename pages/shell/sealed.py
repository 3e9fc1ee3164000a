"""Cookies that are never sent unencrypted, where people sign in at an address with TLS."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.state.person import entrance, origin

_MARK = b"; Secure"


class Sealed:
    """Marks every cookie as `Secure`. Streamlit marks none, so that signing in works on one's own machine
    without TLS; and behind a proxy that ends TLS the server itself sees none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""

        async def sealing(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [_sealed(*header) for header in message["headers"]]
            await send(message)

        await self._app(scope, receive, sealing if scope["type"] == "http" and _asked() else send)


def _asked() -> bool:
    return entrance() is not None and str(origin()).startswith("https://")


def _sealed(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    plain = name.lower() == b"set-cookie" and _MARK.lower() not in value.lower()
    return name, value + _MARK if plain else value
