"""No request leaves the machine, whatever comes in: a real server whose every connection is written down."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from kanon_core.base.classroom import Classroom
from kanon_core.cli.serving import started
from tests.servers import free_port, serving

pytestmark = pytest.mark.deep

WATCHED = """
import sys
book = open(sys.argv.pop(1), "a", buffering=1)
def note(event, given):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        book.write(f"{event} {given[1:] if event in ('socket.connect', 'socket.sendto') else given}\\n")
sys.addaudithook(note)
"""
SERVER = f"{WATCHED}from streamlit.web.cli import main\nsys.argv[0] = 'streamlit'\nmain()"
ASKED = f"""{WATCHED}
from streamlit.web.server.server_util import is_url_from_allowed_origins
assert not is_url_from_allowed_origins("http://evil.example")
"""
ORIGINS = ("http://evil.example", "https://127.0.0.1.evil.example:8501", "null", "http://192.0.2.7")


@contextlib.contextmanager
def watched(book: Path, classroom: bool, *options: str):
    """The address of a server that writes into a file whom it asks for anything."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command, environment = started(str(port), Classroom(address) if classroom else None)
    at = command.index("-m")
    command[at : at + 2] = ["-c", SERVER, str(book)]
    command += options
    with serving(command, environment, address, subprocess.PIPE) as server:
        yield address, server


def refused(address: str, origin: str, host: str = "") -> bool:
    """Return whether the server refuses a WebSocket from this origin. ``host``: the name of the server that
    the connection uses, if not its own."""
    own = address.removeprefix("http://")
    with socket.create_connection(tuple(own.split(":"))) as way:
        try:
            with connect(f"ws://{host or own}/_stcore/stream", sock=way, origin=origin):
                return False
        except InvalidStatus as refusal:
            assert refusal.response.status_code == 403
            return True


@pytest.mark.parametrize("classroom", [False, True], ids=["alone", "class"])
def test_a_foreign_origin_is_refused_and_nobody_is_asked(tmp_path, classroom):
    book = tmp_path / "asked"
    with watched(book, classroom) as (address, server):
        assert all(refused(address, origin) for origin in ORIGINS)
        assert not refused(address, address)
    assert server.stdout.read() == ("" if classroom else f"Kanon: {address}\n")
    outside = [line for line in book.read_text("utf-8").splitlines() if "127.0.0.1" not in line]
    assert not outside


def test_a_name_that_others_lead_to_this_machine_is_refused(tmp_path):
    """A page of evil.example whose name leads here comes from the host that it asks for; a class lets every
    name in, for it does not know by which it is reached."""
    for classroom in (False, True):
        with watched(tmp_path / "asked", classroom) as (address, _):
            assert refused(address, "http://evil.example", "evil.example") != classroom


def test_without_it_another_host_would_be_asked(tmp_path):
    """The reason for `ask_nobody`, and that the watch sees it: if this fails, both are to be looked at."""
    book = tmp_path / "asked"
    blocked = ASKED.replace("sys.addaudithook(note)", BLOCKING)
    done = subprocess.run([sys.executable, "-c", blocked, str(book)], capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    said = book.read_text("utf-8")
    assert "8.8.8.8" in said and "checkip" in said


BLOCKING = """
def refuse(event, given):
    note(event, given)
    if event.startswith("socket.") and event != "socket.__new__":
        raise OSError("there is no network")
sys.addaudithook(refuse)
"""
"""So that this test asks nobody either."""
