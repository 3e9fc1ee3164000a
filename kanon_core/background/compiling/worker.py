"""The process that compiles: ``python -m kanon_core.background.compiling.worker FOLDER``.

Every algorithm runs uncompiled on tiny tables, which takes some seconds and records the loops that Python
calls and the types of their arguments. These loops are compiled one after the other. Workers with the same
empty folder share the work by files in it: one worker finds the loops and records them, all compile the loops
found so far; the worker that creates a loop's file compiles that loop.

It writes lines: ``uses MDAV 0 1 4`` (loops of an algorithm), ``loops 52``, ``done 4``. Algorithms whose names
it reads are compiled next; it ends with its input.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from kanon_core.background.compiling.tiny import NAMES, run
from kanon_core.base.compiled import Kernel, noticed

NICENESS = 10
FIRST = ("Lottery", "Tours")
"""Algorithms that are quick to compile and slow if not compiled: a hundred people take half a minute."""
_POLL_SECONDS = 0.02

Call = tuple[Kernel, tuple[Any, ...]]


class Loops:
    """The loops that Python calls, with the types of their arguments, and which algorithms use them."""

    def __init__(self) -> None:
        self.calls: dict[Call, int] = {}
        self.uses: dict[str, list[int]] = {}

    def find(self, name: str) -> None:
        """Run an algorithm uncompiled and note the loops that it calls."""
        from kanon_core.base.compiled.dispatchers import types_of

        used: dict[Call, None] = {}
        with noticed(lambda kernel, arguments: used.setdefault((kernel, types_of(arguments)))):
            run(name)
        self.note(name, list(used))

    def note(self, name: str, used: list[Call]) -> None:
        """An algorithm calls these loops."""
        self.uses[name] = sorted(self.calls.setdefault(call, len(self.calls)) for call in used)

    def used_by(self, name: str) -> list[Call]:
        """Return the loops of an algorithm."""
        return [call for call, i in self.calls.items() if i in self.uses[name]]

    @property
    def all_found(self) -> bool:
        """Return whether every algorithm has been tried."""
        return len(self.uses) == len(NAMES)

    def wanted(self, asked: Sequence[str]) -> list[int]:
        """Return the loops of the algorithms asked for, and of those that are slow if not compiled."""
        return list(dict.fromkeys(i for name in (*asked, *FIRST) for i in self.uses.get(name, ())))

    def others(self, from_the_end: bool = False) -> Sequence[int]:
        """Return all loops found."""
        return range(len(self.calls))[:: -1 if from_the_end else 1]


def main(folder: Path) -> None:
    """Compile until everything is done, or the input ends."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    asked: list[str] = []
    threading.Thread(target=_receive, args=(asked,), daemon=True).start()
    loops, finder = Loops(), _claim(folder, "finder")
    while True:
        if not finder:
            _read(folder, loops)
        if (mine := _taken(folder, loops.wanted(asked))) is not None:
            _compile(loops, mine)
        elif finder and not loops.all_found:
            _find_next(folder, loops, asked)
        # Workers take loops from both ends, so that related algorithms, which share parts, go to one process.
        elif (mine := _taken(folder, loops.others(from_the_end=finder))) is not None:
            _compile(loops, mine)
        elif loops.all_found:
            return
        else:
            time.sleep(_POLL_SECONDS)


def _compile(loops: Loops, mine: int) -> None:
    kernel, types = list(loops.calls)[mine]
    if not kernel.ready:
        kernel.entry.compile(types)
    _say("done", mine)


def _find_next(folder: Path, loops: Loops, asked: Sequence[str]) -> None:
    """Find the loops of one more algorithm, and record them for the other workers."""
    name = next(name for name in (*asked, *FIRST, *NAMES) if name in NAMES and name not in loops.uses)
    loops.find(name)
    note = folder / f"{len(loops.uses)}.found"
    unfinished = note.with_suffix(".part")
    unfinished.write_bytes(pickle.dumps((name, loops.used_by(name))))
    unfinished.rename(note)
    _say("uses", name, *loops.uses[name])
    if loops.all_found:
        _say("loops", len(loops.calls))


def _read(folder: Path, loops: Loops) -> None:
    """Read the loops that the finding worker has recorded since."""
    while (note := folder / f"{len(loops.uses) + 1}.found").exists():
        loops.note(*pickle.loads(note.read_bytes()))


def _taken(folder: Path, order: Iterable[int]) -> int | None:
    """Take the first of these loops that no worker has taken, and return it; None when there is none."""
    return next((i for i in order if _claim(folder, str(i))), None)


def _claim(folder: Path, what: str) -> bool:
    try:
        (folder / what).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _receive(asked: list[str]) -> None:
    for line in sys.stdin:
        asked.insert(0, line.strip())
    os._exit(0)  # the parent process is gone, which a compiler would not notice


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    sys.stdout.flush()
    os._exit(0)  # the listener cannot be woken
