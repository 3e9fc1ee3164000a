"""A server as a process of its own: on a free port, waited for until it answers, and ended afterwards."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""From where a server is started."""


def free_port() -> int:
    """One on which nobody answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def healthy(address: str) -> bool:
    """Return whether a server answers and reports that it is well."""
    with (
        contextlib.suppress(OSError),
        urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer,
    ):
        return answer.status == 200
    return False


def wait_for(server: subprocess.Popen, address: str) -> None:
    """Until a server that was started answers; fails where it ends before, or takes a minute."""
    until = time.monotonic() + 60
    while not healthy(address):
        assert server.poll() is None and time.monotonic() < until, "the server did not start"
        time.sleep(0.1)


@contextlib.contextmanager
def serving(
    command: Sequence[str], environment: Mapping[str, str], address: str, stdout: int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen]:
    """The process that a command starts, once it answers at this address."""
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=stdout, text=True)
    try:
        wait_for(server, address)
        yield server
    finally:
        server.terminate()
        server.wait(20)
