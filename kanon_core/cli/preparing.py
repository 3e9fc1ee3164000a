"""`prepare`: compile every loop once, ahead of use."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from kanon_core.base.compiled.cache import processor
from kanon_core.base.errors import OptionError
from kanon_core.cli.arguments import Parser
from kanon_core.prepare import Preparation
from kanon_core.prepare.parent import WORKERS, prepared

_MOST_WORKERS = 64
_BETWEEN_LINES = 0.5


def add_prepare(command: Parser, words: Sequence[str]) -> None:
    """How many processes compile."""
    command.add_argument("--processes", default=str(WORKERS), help=f"how many compile (default {WORKERS})")


def prepare(given: argparse.Namespace) -> int:
    """Compile what is missing, with progress, and say where the code is and which machines will use it."""
    if not given.processes.isdecimal() or not 0 < int(given.processes) <= _MOST_WORKERS:
        raise OptionError(f"--processes must be a whole number from 1 to {_MOST_WORKERS}.")
    work = Preparation(int(given.processes))
    try:
        while not work.finished.wait(_BETWEEN_LINES):
            _progress(work.says)
    except KeyboardInterrupt:
        work.stop()
        raise
    _progress("")
    if not prepared().exists():
        sys.stdout.write("Not everything could be compiled; what is missing is compiled when it is used.\n")
        return 2
    model = next((line for line in processor().splitlines() if "model name" in line), processor())
    sys.stdout.write(
        f"Every loop is compiled; the code is kept {_place()}. It is used on machines with the same processor"
        f" ({model.split(':')[-1].strip()}), system, Python and numba, and until a loop of the program"
        " changes; everywhere else it is compiled anew.\n"
    )
    return 0


def _place() -> str:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if folder is None:
        return "in the folders __pycache__ of the program, wherever that is copied to"
    return f"in {folder} (NUMBA_CACHE_DIR), for a program that stays in the same folder"


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()
