"""The process that compiles: ``python -m kanon_core.background.compiling.worker FOLDER``.

Every algorithm runs uncompiled on tiny tables, which takes some seconds and records the loops that Python
calls and the types of their arguments. These loops are compiled one after the other. Workers with the same
empty folder share the work by files in it: one worker finds the loops and records them, all compile the loops
found so far; the worker that creates a loop's file compiles that loop.

It writes lines: ``uses MDAV 0 1 4`` (loops of an algorithm), ``loops 52``, ``done 4``. Algorithms whose names
it reads are compiled next; it ends with its input. A compiler keeps all that it compiled: a worker that holds
much begins anew, as the same process with empty memory.
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
from kanon_core.base.headroom import held

NICENESS = 10
MOST_HELD = 450 * 10**6
"""Bytes that a worker may hold before it begins anew, 270 MB of which are the packages. Measured for two
workers and all loops: at most 598 MB of memory for both and 108 s of processor time; if they never begin
anew, 1,018 MB and 95 s."""
FIRST = ("Lottery", "Tours")
"""Algorithms that are quick to compile and slow if not compiled: a hundred people take half a minute."""
_POLL_SECONDS = 0.02
_FINDER = "finder"
_MODULE = "kanon_core.background.compiling.worker"

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


def main(folder: Path, asked: list[str]) -> None:
    """Compile until everything is done, or the input ends, the algorithms asked for first."""
    if hasattr(os, "nice"):
        os.nice(max(0, NICENESS - os.nice(0)))
    threading.Thread(target=_receive, args=(asked,), daemon=True).start()
    loops, finder = Loops(), _finds(folder)
    while True:
        _read(folder, loops)
        # Workers take loops from both ends, so that related algorithms, which share parts, go to one process.
        others = loops.others(from_the_end=finder) if loops.all_found or not finder else ()
        if (mine := _taken(folder, [*loops.wanted(asked), *others])) is not None:
            _compile(loops, mine)
            if held() > MOST_HELD:
                _begin_anew(folder, asked)
        elif loops.all_found:
            return
        elif finder:
            _find_next(folder, loops, asked)
        else:
            time.sleep(_POLL_SECONDS)


def _finds(folder: Path) -> bool:
    """Return whether this worker finds the loops. One that began anew has its number and its part still."""
    own = str(os.getpid())
    if _claim(folder, _FINDER):
        (folder / _FINDER).write_text(own, "utf-8")
    return (folder / _FINDER).read_text("utf-8") == own


def _begin_anew(folder: Path, asked: Sequence[str]) -> None:
    """Become a worker with the same pipes that has compiled nothing yet. Not on Windows, where the parent
    would take it for another process."""
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", _MODULE, str(folder), *dict.fromkeys(asked)])


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
    """Read the loops that have been recorded since."""
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
    main(Path(sys.argv[1]), sys.argv[2:])
    sys.stdout.flush()
    os._exit(0)  # the listener cannot be woken
