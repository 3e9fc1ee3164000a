"""Accidents of a server on a long day: its helpers end, it is killed and started again, memory ends, and the
clock of the machine jumps."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

from benchmarks.classroom import held
from benchmarks.screens import ROOT, wait_for
from kanon_core.base.headroom import SHARE
from kanon_core.cli.serving import started

_CLOCK = Path(__file__).with_suffix(".c").with_stem("_clock")
"""The library that shows a program another time of day. With libfaketime 0.9.10, every time.sleep of Python
3.11 ends in OSError where the clock that measures durations is left unchanged."""
RESTART = 5.0
"""Seconds after its end until it is started again, as in deploy/kanon.service."""


class Server:
    """A server on a port of its own, which gives each tab so many megabytes; ``starts`` counts how often it
    was started, ``address`` stays."""

    def __init__(self, share: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self.starts = 0
        self._killed = self._up = False
        self._share = share
        self._folder = tempfile.TemporaryDirectory()
        self._offset = Path(self._folder.name) / "offset"
        self._offset.write_text("0", "utf-8")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._up = False
        command, environment = started(str(self._port))
        environment = environment | {SHARE: str(self._share)} | self._clock
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        wait_for(self.address)
        self.starts, self._up = self.starts + 1, True

    @property
    def _log(self) -> Path:
        return Path(self._folder.name) / "log"

    @property
    def last_words(self) -> str:
        """Return how the server ended, if it has, and the end of what it wrote."""
        written = self._log.read_text("utf-8", "replace")
        return f"the server ended with {self._process.poll()}, having written: {written[-4000:]}"

    @cached_property
    def _clock(self) -> dict[str, str]:
        """The environment in which `jump` works; empty where no C compiler is."""
        if not (compiler := shutil.which("cc")):
            return {}
        library = Path(self._folder.name) / "clock.so"
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(_CLOCK), "-ldl"]
        subprocess.run(command, check=True)
        return {"LD_PRELOAD": str(library), "KANON_OFFSET": str(self._offset)}

    def kill(self) -> None:
        """Kill it as a machine without memory does: without a message, and without tidying."""
        self._killed, self._up = True, False
        self._process.kill()

    def end(self) -> None:
        """End it in order."""
        self._process.terminate()
        self._process.wait(30)

    async def keep_up(self, ended: Callable[[str], object]) -> None:
        """Start it again whenever it has ended, as `Restart=` of deploy/kanon.service does; where nobody
        killed it, say how it ended, and its last words."""
        while True:
            await asyncio.sleep(0.5)
            if self._process.poll() is None:
                continue
            if not self._killed:
                ended(self.last_words)
            self._killed = False
            await asyncio.sleep(RESTART)
            await asyncio.to_thread(self.start)

    @property
    def answers(self) -> bool:
        """Return whether the server is there, and not only just being started."""
        return self._up and self._process.poll() is None

    def kill_worker(self, drawn: random.Random) -> bool:
        """End one of the processes that it has started, if there are any."""
        there = list(_children(self._process.pid))
        if there:
            with contextlib.suppress(ProcessLookupError):
                os.kill(drawn.choice(there), signal.SIGKILL)
        return bool(there)

    @contextlib.contextmanager
    def narrow(self, megabytes: int) -> Iterator[None]:
        """Within this context, the server itself may take only so much more memory than it has: requests
        beyond that fail (the system's limit RLIMIT_DATA)."""
        assert sys.platform == "linux"
        pid, none = self._process.pid, resource.RLIM_INFINITY
        most = _data(pid) + megabytes * 1_000_000
        resource.prlimit(pid, resource.RLIMIT_DATA, (most, none))
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_DATA, (none, none))

    def jump(self, seconds: int) -> bool:
        """Let its clock show so much more or less than this machine's; return False where there is no C
        compiler."""
        self._offset.write_text(str(seconds), "utf-8")
        return bool(self._clock)

    @property
    def megabytes(self) -> float:
        """Return the megabytes that the server and all that it has started hold."""
        return family(self._process.pid)


def _data(pid: int) -> int:
    """Bytes that count for RLIMIT_DATA."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return 1024 * int(status.partition("VmData:")[2].split()[0])


def family(pid: int) -> float:
    """Megabytes that a process and all that it has started hold."""
    total = 0.0
    for process in (pid, *_children(pid)):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it may have ended meanwhile
            total += held(process)
    return total


def _children(pid: int) -> Iterator[int]:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text("utf-8").split()):
                yield child
                yield from _children(child)
