"""The mark that keeps cookies off unencrypted connections."""

from __future__ import annotations

import contextlib

import pytest

from kanon_core.base.entrance import Entrance
from pages.shell import headers


@pytest.fixture
def cookies(monkeypatch):
    """A function that returns some cookies as they are sent from an address, where people sign in or not."""

    def become(origin: str | None, signing_in: bool = True) -> list[str]:
        monkeypatch.setattr(headers, "entrance", lambda: Entrance() if signing_in else None)
        monkeypatch.setattr(headers, "origin", lambda: origin)
        sent = []

        async def app(scope, receive, send):
            told = [(b"set-cookie", b"a=b; Path=/"), (b"Set-Cookie", b"c=d; secure"), (b"x", b"y")]
            await send({"type": "http.response.start", "status": 200, "headers": told})

        async def send(message):
            sent.extend(value.decode() for _, value in message["headers"])

        with contextlib.suppress(StopIteration):
            headers.SecureCookies(app)({"type": "http"}, None, send).send(None)
        return sent

    return become


def test_cookies_are_marked_once_where_the_address_has_tls(cookies):
    assert cookies("https://kanon.example.org") == ["a=b; Path=/; Secure", "c=d; secure", "y"]


def test_other_servers_leave_them_as_they_are(cookies):
    as_they_were = ["a=b; Path=/", "c=d; secure", "y"]
    for asked in (("http://127.0.0.1:8501",), (None,), ("https://kanon.example.org", False)):
        assert cookies(*asked) == as_they_were
