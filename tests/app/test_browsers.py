"""The cookie that names a browser: given once, with a page, and out of reach of scripts."""

from __future__ import annotations

import contextlib

import pytest

from pages.shell.headers import COOKIE, BrowserCookie


def cookies(kind: str = "text/html", scheme: str = "http", sent: str = "") -> list[str]:
    """The cookies that an answer of this kind sets."""
    messages = []

    async def app(scope, receive, send):
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind.encode())]}
        )

    async def send(message):
        messages.append(message)

    scope = {"type": "http", "scheme": scheme, "headers": [(b"cookie", sent.encode())] if sent else []}
    with contextlib.suppress(StopIteration):  # nothing in it waits, and a loop may be running in this thread
        BrowserCookie(app)(scope, None, send).send(None)
    return [value.decode() for name, value in messages[0]["headers"] if name == b"set-cookie"]


def test_a_page_names_a_browser_once():
    (one,), (other,) = cookies(), cookies()
    assert one.startswith(f"{COOKIE}=") and one != other
    assert len(one.split(";")[0]) - len(COOKIE) > 40  # 256 bits
    assert not cookies(sent=f"a=b; {COOKIE}=known")
    assert cookies(sent="a=b")


def test_no_script_and_no_other_site_gets_it():
    said = cookies()[0]
    assert "HttpOnly" in said and "SameSite=Strict" in said and "Path=/" in said and "Max-Age" not in said
    assert "Secure" not in said and "Secure" in cookies(scheme="https")[0]


@pytest.mark.parametrize("kind", ["application/json", "text/javascript", "image/png"])
def test_only_pages_name_browsers(kind):
    assert not cookies(kind)
