"""Calls of a real server to the operating system while files are uploaded: no cell goes to a file, and no
other machine is called."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks._bringer import Bringer
from kanon_core.cli.serving import started
from tests.app.test_offline import ORIGINS, refused
from tests.helpers import run_apart
from tests.needs import needs
from tests.servers import free_port, serving

MARK = "zqprivatecell"
"""Stands in every row of the files, and nowhere else."""
CALLS = "write,pwrite64,writev,pwritev,pwritev2,connect,sendto,sendmsg,sendmmsg"
STRACE = ("strace", "-D", "-f", "-q", "-y", "--seccomp-bpf", "-s", "4096", "-e", f"trace={CALLS}", "-o")
_WRITTEN = re.compile(r"^\d+ +p?writev?\d*\(\d+<([^>]*)>")
_CALLED = re.compile(r'inet_addr\("([^"]*)"\)|inet_pton\(AF_INET6, "([^"]*)"')
_OWN = re.compile(r"127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$")
SIZES = {"small": 0.4, "middle": 4, "large": 40}
"""Megabytes of the uploaded files."""
PROBE = f"""
import socket, tempfile
with tempfile.TemporaryFile() as file:
    file.write(b"{MARK}")
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
    way.connect(("192.0.2.7", 9))
"""
"""Writes a marked cell, and calls another machine: the address is nobody's, and nothing is sent."""


@pytest.fixture(scope="module", autouse=True)
def _there_is_a_watch():
    if shutil.which("strace") is None:
        pytest.skip(needs("strace"))
    if subprocess.run([*STRACE, "/dev/null", "true"], capture_output=True, check=False).returncode:
        pytest.skip("strace may not watch processes here")


def written(book: Path) -> list[str]:
    """The calls that wrote a marked cell to anything but a socket, a pipe or an event."""
    lines = [line for line in book.read_text("utf-8", "replace").splitlines() if MARK in line]
    places = [(found[1], line) for line in lines if (found := _WRITTEN.match(line))]
    return [line[:200] for place, line in places if not place.startswith(("socket:", "pipe:", "anon_inode:"))]


def called(book: Path) -> set[str]:
    """The addresses of other machines that were called."""
    found = {one or other for one, other in _CALLED.findall(book.read_text("utf-8", "replace"))}
    return {address for address in found if not _OWN.match(address)}


@contextlib.contextmanager
def traced(book: Path):
    """The address of a server, of whose calls a list is kept."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command, environment = started(str(port))
    with serving([*STRACE, str(book), *command], environment, address) as server:
        yield address
    complete(book, server.pid)


def complete(book: Path, number: int) -> None:
    """Wait until the list is whole: its last line says how this process ended."""
    until, end = time.monotonic() + 30, re.compile(rf"^{number} +\+\+\+ ", re.MULTILINE)
    while not end.search(book.read_text("utf-8", "replace")):
        assert time.monotonic() < until, "the list of calls has no end"
        time.sleep(0.1)


def people(megabytes: float) -> bytes:
    """Few long rows, each with a marked cell, so that reading them takes no time."""
    filling, count = "x" * 980, int(megabytes * 2**20 / 1000)
    return b"name,age\n" + b"".join(f"{MARK}{n}{filling},{n % 90}\n".encode() for n in range(count))


async def uploads(address: str) -> None:
    one = Bringer(address, "people-100", 5)
    await one.enter()
    for name, megabytes in SIZES.items():
        await one.give(name, people(megabytes))
    await one.leave()
    assert not one.problems


@pytest.mark.deep
def test_no_cell_of_an_upload_is_written_and_nobody_is_called(tmp_path):
    book = tmp_path / "calls"
    with traced(book) as address:
        run_apart(uploads(address))
        assert all(refused(address, origin) for origin in ORIGINS)
    assert MARK in book.read_text("utf-8", "replace"), "the table was not even sent to its page"
    assert not written(book)
    assert not called(book)


def test_the_watch_sees_what_it_is_for(tmp_path):
    book = tmp_path / "calls"
    with subprocess.Popen([*STRACE, str(book), sys.executable, "-c", PROBE]) as probe:
        assert probe.wait(60) == 0
    complete(book, probe.pid)
    assert written(book) and called(book) == {"192.0.2.7"}
