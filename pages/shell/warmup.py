"""Compile in the background, so that no page waits for a compiler.

Compiled code is cached on disk by numba. A fresh machine compiles once, in a process of its own (a compiler
in this process would stall every session's slider); then the cached code is loaded here. A page that
needs an algorithm meanwhile waits for that process, which takes it next.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import streamlit as st

import kanon_core as kc
from kanon_core.base import options
from kanon_core.base.progress import Tick

SAYS = "Preparing the algorithms on this computer (first time only)"
_POLL_SECONDS = 0.1


class WarmUp:
    """The process that compiles, and the algorithms whose code is there."""

    def __init__(self) -> None:
        self.fresh = needs_compiler(Path(kc.__file__).parent / "algorithms")
        self.ready: set[str] = set()
        self.compiled = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._run, name="kanon warm-up", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether code is still being compiled or loaded."""
        return self._thread.is_alive()

    def ask(self, name: str) -> None:
        """Have this algorithm compiled next."""
        if self._process is not None and self._process.stdin is not None and name not in self.ready:
            try:
                self._process.stdin.write(f"{name}\n")
                self._process.stdin.flush()
            except (OSError, ValueError):  # it has just ended
                return

    def _run(self) -> None:
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "kanon_core.warmup"],
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            assert self._process.stdout is not None
            for line in self._process.stdout:
                self.ready.add(line.strip())
            failed = self._process.wait()
        finally:
            self.compiled.set()
        if not failed:
            from kanon_core.warmup import warm_up

            for _ in warm_up():
                pass


@st.cache_resource(show_spinner=False)
def start() -> WarmUp:
    """Start warming up, once per server."""
    return WarmUp()


def running() -> bool:
    """Whether code is still being compiled or loaded."""
    return start().running


def prepare(algorithm: kc.Algorithm, tick: Tick) -> None:
    """On a fresh machine wait until this algorithm is compiled; any click ends the wait at a tick."""
    warm, names = start(), names_in(algorithm)
    if not warm.fresh:
        return
    for name in names:
        warm.ask(name)
    while not (warm.compiled.is_set() or names <= warm.ready):
        tick(None, f"preparing {algorithm.title} on this computer, the first time only")
        time.sleep(_POLL_SECONDS)


def names_in(algorithm: kc.Algorithm) -> set[str]:
    """The class names of an algorithm and of those in its options, as far as they are warmed up."""
    found = {type(algorithm).__name__} & {cls.__name__ for cls in kc.ALGORITHMS}
    for option in options.options_of(type(algorithm)):
        value = getattr(algorithm, option.name)
        if isinstance(value, kc.Algorithm):
            found |= names_in(value)
    return found


def needs_compiler(folder: Path) -> bool:
    """Whether compiled code of at least half of the kernels in this folder is missing or older than its
    source.

    Where it is kept elsewhere (NUMBA_CACHE_DIR) this cannot be told, and is not assumed.
    """
    if "NUMBA_CACHE_DIR" in os.environ:
        return False
    lacking = []
    for source in folder.rglob("*_kernels.py"):
        kept = [file.stat().st_mtime for file in (source.parent / "__pycache__").glob(f"{source.stem}.*.nbi")]
        lacking.append(max(kept, default=0.0) < source.stat().st_mtime)
    return 2 * sum(lacking) >= max(len(lacking), 1)
