"""The process that compiles: ``python -m kanon_core.prepare.worker FOLDER``.

First every algorithm runs uncompiled on tiny tables, which takes a second or two and tells which loops Python
calls, and with arguments of what types. Then these are compiled one after the other. Workers that are given
the same empty folder share the work: who makes a loop's file in it compiles that loop.

It writes lines: ``uses MDAV 0 1 4`` (loops of an algorithm), ``loops 52``, ``done 4``. Names of algorithms
that it reads are taken next; it ends when its input does.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kanon_core.base.compiled import Kernel, noticed
from kanon_core.prepare.tiny import run_all

NICENESS = 10
FIRST = ("Lottery", "Tours")
"""Algorithms that are quick to compile and slow without: a hundred people take half a minute."""
_GARBAGE = 200_000  # new objects between two looks for garbage: a compiler makes many, and few are cycles


class Loops:
    """The loops that Python calls, with the types of their arguments, and which algorithms use them."""

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        self.calls: dict[tuple[Kernel, tuple[Any, ...]], int] = {}
        self.uses: dict[str, list[int]] = {}
        self._used: set[int] = set()
        with noticed(self._note):
            for name in run_all(names):
                self.uses[name] = sorted(self._used)
                self._used = set()

    def _note(self, kernel: Kernel, arguments: tuple[Any, ...]) -> None:
        from kanon_core.base.compiled.dispatchers import types_of

        self._used.add(self.calls.setdefault((kernel, types_of(arguments)), len(self.calls)))

    def order(self, asked: Sequence[str]) -> list[int]:
        """All loops, those of the algorithms asked for first."""
        wanted = [i for name in (*asked, *FIRST) for i in self.uses.get(name, ())]
        return list(dict.fromkeys([*wanted, *range(len(self.calls))]))


def main(folder: Path) -> None:
    """Compile until everything is done, or the input ends."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    gc.set_threshold(_GARBAGE, 50, 100)
    asked: list[str] = []
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    loops = Loops()
    for name, used in loops.uses.items():
        _say("uses", name, *used)
    _say("loops", len(loops.calls))
    calls = list(loops.calls)
    while (mine := next((i for i in loops.order(asked) if _claim(folder, i)), None)) is not None:
        kernel, types = calls[mine]
        if not kernel.ready:
            kernel.entry.compile(types)
        _say("done", mine)


def _claim(folder: Path, loop: int) -> bool:
    try:
        (folder / str(loop)).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _listen(asked: list[str]) -> None:
    for line in sys.stdin:
        asked.insert(0, line.strip())
    os._exit(0)  # who started this is gone; a compiler would not notice


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    sys.stdout.flush()
    os._exit(0)  # the listener cannot be woken
