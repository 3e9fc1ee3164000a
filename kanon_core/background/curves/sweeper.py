"""Wishes for points of curves, and the process that computes them in turn."""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kanon_core.algorithms import Algorithm
from kanon_core.background.curves.worker import PATIENCE, TABLES, Stop, Task, Wanted
from kanon_core.base.progress import silent
from kanon_core.base.words import tr
from kanon_core.metrics import Metric
from kanon_core.runs.sweeps import SweepPoint
from kanon_core.table.table import OF_CELLS, Table

IDLE = 20.0
"""Seconds without work after which the process ends and gives its memory back."""

Setting = tuple[Algorithm, int, int]
"""Algorithm, k and seed."""
Take = Callable[[Setting, "SweepPoint | str"], object]


@dataclass
class _Wish:
    table: Table
    todo: list[Setting]
    metrics: tuple[Metric, ...]
    take: Take
    compiling: bool
    until: float


class Sweeper:
    """Computes points for several owners in turn, in one process that starts with the first wish.
    ``patience``: seconds after which a wish that was not renewed is given up.

    >>> import kanon_core as kc, threading
    >>> table, there, found = kc.read_table("sample:nine"), threading.Event(), []
    >>> sweeper = Sweeper(patience=300)
    >>> sweeper.wish("me", table, [(kc.TopDown(), 3, 0)], (), lambda *one: (found.append(one), there.set()))
    >>> there.wait(300), found[0][0][1], found[0][1].problem
    (True, 3, '')
    >>> sweeper.end()
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._wishes: dict[str, _Wish] = {}
        self._changed = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._sending = threading.Lock()
        self._sent: list[str] = []
        self._number = 0
        self._running: tuple[str, Setting] | None = None
        self._ended: set[tuple[str, Setting]] = set()
        self._thread: threading.Thread | None = None

    def wish(
        self,
        owner: str,
        table: Table,
        todo: Sequence[Setting],
        metrics: tuple[Metric, ...],
        take: Take,
        compiling: bool = False,
    ) -> None:
        """Compute these settings next for this owner, in this order, instead of its former wish, and pass
        each point, or the reason for its failure, to ``take``, in another thread. The wish must be renewed
        while points are wanted. A running point that is no longer wanted is stopped. ``compiling``: other
        processes compile missing code."""
        with self._changed:
            until = time.monotonic() + self._patience
            wish = _Wish(table, list(todo), metrics, take, compiling, until)
            running = self._running
            if running and running[0] == owner:
                if running[1] in wish.todo and self._wishes[owner].table.digest == table.digest:
                    wish.todo.remove(running[1])
                    self._say(Wanted())
                else:
                    self._stop()
            self._wishes[owner] = wish
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="kanon-background", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def drop(self, owner: str) -> None:
        """Compute nothing more for this owner; its running point is stopped at its next tick."""
        with self._changed:
            if self._running and self._running[0] == owner:
                self._stop()
            self._wishes.pop(owner, None)

    @property
    def owners(self) -> int:
        """Return how many owners have wishes."""
        return len(self._wishes)

    def running(self, owner: str) -> bool:
        """Return whether a point of this owner is being computed."""
        return bool(self._running and self._running[0] == owner)

    def end(self) -> None:
        """End the process; the next wish starts another."""
        with self._changed:
            self._wishes.clear()
            self._running = None  # nobody is told of a point that was ended from here
            self._close()

    def _stop(self) -> None:
        self._running = None
        self._say(Stop(self._number))

    def _say(self, message: object) -> None:
        with contextlib.suppress(OSError, ValueError):  # it may just have ended, as its reader will see
            self._send(message)

    def _work(self) -> None:
        while True:
            owner, wish, setting = self._next()
            try:
                found = self._computed(wish, setting)
            # A RuntimeError: the results kept in a hierarchy grew while it was sent.
            except (OSError, ValueError, EOFError, RuntimeError, pickle.PickleError):
                self._failed(owner, wish, setting)
                continue
            with self._changed:
                asked, self._running = self._running is not None, None
                self._ended.discard((wish.table.digest, setting))
            if found is not None and asked:
                wish.take(setting, found)

    def _failed(self, owner: str, wish: _Wish, setting: Setting) -> None:
        """Handle the end of the process, whether the machine or this program ended it. Its point is computed
        once more in another process; if that ends too, the owner gets a message."""
        what = wish.table.digest, setting
        with self._changed:
            wanted, self._running = self._running is not None, None
            self._close()
            again = wanted and what not in self._ended
            if again:
                self._ended.add(what)
                wishes = self._wishes.get(owner)
                if wishes is not None and wishes.table.digest == wish.table.digest:
                    wishes.todo = [setting, *(one for one in wishes.todo if one != setting)]
            else:
                self._ended.discard(what)
                self._wishes.pop(owner, None)
        if wanted and not again:
            wish.take(
                setting,
                tr(
                    "The process that computes the curve stopped unexpectedly; this computer may have"
                    " too little memory."
                ),
            )

    def _next(self) -> tuple[str, _Wish, Setting]:
        """Return the next setting of the owner that was served longest ago; waits for one."""
        with self._changed:
            while True:
                now = time.monotonic()
                self._wishes = {owner: wish for owner, wish in self._wishes.items() if wish.until > now}
                for owner, wish in self._wishes.items():
                    if wish.todo:
                        setting = wish.todo.pop(0)
                        self._wishes[owner] = self._wishes.pop(owner)  # to the end
                        self._running = owner, setting
                        self._number += 1
                        return owner, wish, setting
                if not self._changed.wait(IDLE if self._process else None):
                    self._close()

    def _computed(self, wish: _Wish, setting: Setting) -> SweepPoint | str | None:
        if self._process is None:
            self._start()
        digest = wish.table.digest
        if digest not in self._sent:
            self._sent = [*self._sent[-TABLES + 1 :], digest]
            self._send((digest, _bare(wish.table)))
        self._sent.append(self._sent.pop(self._sent.index(digest)))
        with self._changed:
            if self._running is None:  # dropped before it began
                return None
            self._send(Task(self._number, digest, *setting, wish.metrics, wish.compiling, self._patience))
        process = self._process
        assert process is not None
        assert process.stdout is not None
        while True:
            number, found = pickle.load(process.stdout)
            if number == self._number:
                return found  # type: ignore[no-any-return]

    def _start(self) -> None:
        root = str(Path(__file__).parents[3])
        place = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
        self._process, self._sent = (
            subprocess.Popen(
                [sys.executable, "-m", "kanon_core.background.curves"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": place},
            ),
            [],
        )

    def _send(self, message: object) -> None:
        process = self._process
        if process is not None and process.stdin is not None:
            with self._sending:
                pickle.dump(message, process.stdin, 5)
                process.stdin.flush()

    def _close(self) -> None:
        process, self._process, self._sent = self._process, None, []
        if process is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    pipe and pipe.close()
            process.wait()


def _bare(table: Table) -> Table:
    """Return the table with its digests, but without the other results that were kept with it and its
    columns: pages add to these during sending, and growing results cannot be sent."""
    table.find_digest(silent)
    bare = replace(table, columns=tuple(replace(column) for column in table.columns))
    bare.__dict__.update({name: table.__dict__[name] for name in OF_CELLS if name in table.__dict__})
    return bare
