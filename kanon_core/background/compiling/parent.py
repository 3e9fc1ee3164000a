"""Processes that compile, and their progress."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from kanon_core.base.compiled.cache import kept_in, machine_digest
from kanon_core.base.words import tr

WORKERS = 2


def prepared() -> Path:
    """Return the path of the file that marks that every loop of this version has been compiled on this
    machine."""
    source = Path(__file__).parents[2] / "__init__.py"
    return kept_in(source) / f"prepared-{machine_digest()}.nbi"


class Preparation:
    """Every loop is compiled by processes of low priority, once.

    ``loops``: their number (0 = not known yet); ``done``: the compiled loops; ``ready``: the algorithms whose
    loops are all compiled; ``finished``: set when the processes have ended.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.loops = 0
        self.done: set[int] = set()
        self.uses: dict[str, set[int]] = {}
        self.finished = threading.Event()
        self.begun = time.monotonic()
        self._processes: list[subprocess.Popen[str]] = []
        self._claims = tempfile.TemporaryDirectory(prefix="kanon-")
        if prepared().exists():
            self._end()
            return
        count = workers or min(os.cpu_count() or 1, WORKERS)
        self._processes = [self._start() for _ in range(count)]
        self._threads = [
            threading.Thread(target=self._hear, args=(process,), daemon=True) for process in self._processes
        ]
        for thread in self._threads:
            thread.start()
        threading.Thread(target=self._wait, daemon=True).start()

    @property
    def running(self) -> bool:
        """Return whether loops are still being compiled."""
        return not self.finished.is_set()

    @property
    def ready(self) -> set[str]:
        """Return the class names of the algorithms whose loops are all compiled."""
        return {name for name, used in self.uses.items() if used <= self.done}

    @property
    def fraction(self) -> float:
        """Return the share of compiled loops, 0..1."""
        return len(self.done) / self.loops if self.loops else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Return an estimate; None while too little is done."""
        if self.fraction < 0.05:
            return None
        return (time.monotonic() - self.begun) * (1 - self.fraction) / self.fraction

    @property
    def says(self) -> str:
        """Return a sentence on the progress."""
        if not self.loops:
            so_far = tr("finding the loops to compile, {done} compiled so far")
            return so_far.format(done=len(self.done)) if self.done else tr("finding the loops to compile")
        left = self.seconds_left
        words = {"done": len(self.done), "all": self.loops, "share": self.fraction, "left": left or 0.0}
        if left is None:
            return tr("{done} of {all} loops compiled ({share:.0%})").format(**words)
        return tr("{done} of {all} loops compiled ({share:.0%}), about {left:.0f} s left").format(**words)

    def ask(self, name: str) -> None:
        """Have this algorithm compiled next."""
        for process in self._processes:
            # The process may have just ended.
            with contextlib.suppress(OSError, ValueError):
                assert process.stdin is not None
                process.stdin.write(f"{name}\n")
                process.stdin.flush()

    def stop(self) -> None:
        """End the processes; compiled code is kept."""
        for process in self._processes:
            process.kill()

    def _start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "kanon_core.background.compiling.worker", self._claims.name]
        root = str(Path(__file__).parents[3])
        place = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
        return subprocess.Popen(
            command,
            text=True,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": place},
        )

    def _hear(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            word, *rest = line.split()
            if word == "uses":
                self.uses[rest[0]] = {*map(int, rest[1:])}
            elif word == "loops":
                self.loops = int(rest[0])
            elif word == "done":
                self.done.add(int(rest[0]))
        if process.wait():
            self.stop()  # the others might wait for the loops that it was to find

    def _wait(self) -> None:
        codes = [process.wait() for process in self._processes]
        for thread in self._threads:
            thread.join()
        if not any(codes) and self.loops and len(self.done) == self.loops:
            with contextlib.suppress(OSError):
                prepared().parent.mkdir(parents=True, exist_ok=True)
                prepared().touch()
        self._end()

    def _end(self) -> None:
        self._claims.cleanup()
        self.finished.set()
