"""A class: what its pages lock and show, and who and what its server lets in."""

from __future__ import annotations

import ast
import contextlib
from pathlib import Path

import pytest

import kanon_core as kc
from kanon_core.base.classroom import VARIABLE, Classroom
from pages.shell.access import UPLOADS, ServerLimits
from pages.shell.headers import COOKIE
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.files import LOCKED
from tests.app.screens import PLACES, opened, words

ROOT = Path(__file__).resolve().parents[2]
ROOM = Classroom("http://192.0.2.7:8501", learners=2)
HIDDEN = {
    "risk/attackers": {"risk-population": "table"},
}
"""By page: the state that opens the part with its field for files, so that the field is drawn."""


def session_of(name: str = "people-100") -> Session:
    table = kc.read_table(f"sample:{name}")
    return Session(table, name, f"sample:{name}", Setting(kc.MDAV(), 5, 9))


@pytest.fixture
def classroom(monkeypatch):
    for name, value in ROOM.environment().items():
        monkeypatch.setenv(name, value)


def fields(test) -> list:
    """The fields for files of a page."""
    assert not test.exception
    return list(test.get("file_uploader"))


def forged(test, key: str):
    """A locked field as a browser of bad will has it."""
    field = test.file_uploader(key=key)
    assert field.proto.disabled
    field.proto.disabled = False
    return field


def test_every_page_draws_files_by_the_one_field_that_a_class_locks():
    """Every page that takes a file asks `pages.widgets.files` for it."""
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "pages").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if getattr(node, "attr", getattr(node, "id", "")) in TAKING
    }
    assert found == {"pages/widgets/files.py"}


TAKING = {"file_uploader", "camera_input", "audio_input", "chat_input"}


@pytest.mark.deep
@pytest.mark.parametrize("page", PLACES)
def test_every_field_for_files_is_locked_in_a_class_and_says_why(page, classroom):
    test = opened(page, session_of(), **HIDDEN.get(page, {}))
    found = fields(test)
    assert all(one.proto.disabled for one in found)
    assert (LOCKED in words(test)) == bool(found)


@pytest.mark.deep
def test_fields_for_files_are_there_and_open_without_a_class():
    """So that what the test before looks at is not empty."""
    there = {page: fields(opened(page, session_of(), **HIDDEN.get(page, {}))) for page in PLACES}
    found_on = {place for place, found in there.items() if found}
    assert found_on == {"risk/releases", "check", "data", "map", "risk/attackers"}
    assert not any(one.proto.disabled for found in there.values() for one in found)


def test_a_file_is_not_there_even_if_a_browser_sends_one(classroom):
    test = opened("data", session_of())
    forged(test, "upload").set_value(("a.csv", b"a,b\n1,2\n3,4\n", "text/csv")).run()
    assert test.session_state["kanon"].source == "sample:people-100"
    test = opened("risk/releases", session_of())
    forged(test, "previous-releases").set_value([("a.csv", b"a\n1\n", "text/csv")]).run()
    assert not test.exception and "all together" not in words(test)


def test_a_class_shows_its_address_and_code_on_every_page(classroom):
    test = opened("tune", session_of())
    assert "Join" in [box.proto.popover.label for box in test.get("popover")]
    assert ROOM.address not in words(test)
    test.session_state["join-open"] = True
    test.run()
    assert f"QR code of {ROOM.address}" in words(test) and "image/svg+xml" in words(test)
    assert any("samples only" in one.value for one in test.caption)


def test_no_address_is_shown_without_a_class():
    test = opened("tune", session_of())
    assert "Join" not in [box.proto.popover.label for box in test.get("popover")]


class Server:
    """An app behind the doors; requests run until something waits."""

    def __init__(self) -> None:
        self.doors, self.passed = ServerLimits(self.app), []

    async def app(self, scope, receive, send):
        self.passed.append(scope["path"])
        if scope["type"] == "websocket":
            await receive()

    def asked(self, path: str, cookie: str = "", method: str = "GET", accept: str = "text/html"):
        """Status and text of the answer of the doors; None where the request was passed on."""
        sent = []

        async def send(message):
            sent.append(message)

        headers = [(b"accept", accept.encode()), (b"cookie", cookie.encode())]
        scope = {"type": "http", "method": method, "path": path, "headers": headers}
        with contextlib.suppress(StopIteration):
            self.doors(scope, None, send).send(None)
        return (sent[0]["status"], sent[1]["body"].decode()) if sent else None

    def tab(self):
        """A tab that stays until it is thrown out, and what it was sent."""
        sent = []

        class Wait:
            def __await__(self):
                yield

        async def receive():
            await Wait()

        async def send(message):
            sent.append(message)

        scope = {"type": "websocket", "path": "/_stcore/stream", "headers": []}
        running = self.doors(scope, receive, send)
        with contextlib.suppress(StopIteration):
            running.send(None)
        return running, sent


def test_a_class_refuses_the_route_of_files(classroom):
    server = Server()
    for method in ("PUT", "POST", "DELETE", "OPTIONS"):
        for base in ("", "/base"):
            status, says = server.asked(f"{base}{UPLOADS}/session/file", method=method, accept="*/*")
            assert status == 403 and "accepts no files" in says
    assert not server.passed
    assert server.asked("/data") is None and server.passed == ["/data"]


def test_files_pass_where_they_are_allowed_or_there_is_no_class(monkeypatch):
    server = Server()
    monkeypatch.delenv(VARIABLE, raising=False)
    assert server.asked(f"{UPLOADS}/session/file", method="PUT") is None
    monkeypatch.setenv(*next(iter(Classroom(ROOM.address, uploads=True).environment().items())))
    assert server.asked(f"{UPLOADS}/session/file", method="PUT") is None


def test_a_full_class_lets_no_newcomer_in_until_somebody_leaves(classroom):
    server = Server()
    (first, _), _ = server.tab(), server.tab()
    assert len(server.passed) == 2
    assert server.tab()[1] == [{"type": "websocket.close", "code": 1013}] and len(server.passed) == 2
    status, says = server.asked("/")
    assert status == 503 and "(open tabs: 2)" in says
    assert server.asked("/", cookie=f"{COOKIE}=known") is None  # who reloads
    assert server.asked("/_stcore/health", accept="*/*") is None
    first.close()
    assert server.asked("/") is None and not server.tab()[1]
