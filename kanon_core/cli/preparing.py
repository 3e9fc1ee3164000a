"""`prepare`: compile every loop once, ahead of use."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from kanon_core.background.compiling import Preparation
from kanon_core.background.compiling.parent import WORKERS, prepared
from kanon_core.base.compiled.cache import processor
from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.cli.commands import Parser, check_number

_MOST_WORKERS = 64
_BETWEEN_LINES = 0.5


def add_prepare(command: Parser, words: Sequence[str]) -> None:
    """Declare how many processes compile."""
    help = tr("number of processes that compile (default {count})").format(count=WORKERS)
    command.add_argument("--processes", default=str(WORKERS), help=help)


def prepare(given: argparse.Namespace) -> int:
    """Compile what is missing, with progress, and say where the code is and which machines will use it."""
    check_number(given.processes, "processes", _MOST_WORKERS)
    work = Preparation(int(given.processes))
    try:
        while not work.finished.wait(_BETWEEN_LINES):
            _progress(work.says)
    except KeyboardInterrupt:
        work.stop()
        raise
    _progress("")
    if not prepared().exists():
        raise InputError(
            tr("Some code could not be compiled ahead of use; it is compiled when it is first used.")
        )
    model = next((line for line in processor().splitlines() if "name" in line), processor())
    says = tr(
        "All code is compiled and kept {place}. It is used on machines with the same processor"
        " ({model}), system, Python and numba, until the program's code changes. Elsewhere it is"
        " compiled again."
    )
    sys.stdout.write(f"{says.format(place=_place(), model=model.split(':')[-1].strip())}\n")
    return 0


def _place() -> str:
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if folder is None:
        return tr("in the program's __pycache__ folders, and in every copy of them")
    return tr("in {folder} (NUMBA_CACHE_DIR), for a program that stays in the same folder").format(
        folder=folder
    )


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()
