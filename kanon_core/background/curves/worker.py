"""Process that computes points in the background.

Messages that arrive during a computation take effect at the next tick.
"""

from __future__ import annotations

import os
import pickle
import queue
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from kanon_core.algorithms import Algorithm
from kanon_core.base import compiled
from kanon_core.base.errors import KanonError
from kanon_core.base.words import tr
from kanon_core.metrics import Metric
from kanon_core.runs.sweeps import SweepPoint, sweep_point
from kanon_core.table.table import Table

TABLES = 2
"""The number of tables that are kept, the ones used last."""
PATIENCE = 12.0
"""Seconds without renewal after which a point is given up, as nobody looks at the curve any more."""


@dataclass(frozen=True)
class Task:
    """One point of a table that was sent before; ``compiling``: others compile missing code; ``patience``:
    see `PATIENCE`."""

    number: int
    digest: str
    algorithm: Algorithm
    k: int
    seed: int
    metrics: tuple[Metric, ...]
    compiling: bool = False
    patience: float = PATIENCE


@dataclass(frozen=True)
class Stop:
    """End the task of this number, if it is running."""

    number: int


@dataclass(frozen=True)
class Wanted:
    """A message that the running task is still wanted."""


class Stopped(BaseException):
    """Raised at a tick; no part of the core catches it."""


class Worker:
    """Tables, messages that wait, and the numbers of tasks that are not wanted any more."""

    def __init__(self) -> None:
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.inbox: queue.Queue[Task | tuple[str, Table] | None] = queue.Queue()
        self.stopped: set[int] = set()
        self.heard = time.monotonic()

    def receive(self, source: IO[bytes]) -> None:
        """Receive messages until the input ends: obey stops at once, and queue all others."""
        while True:
            try:
                message = pickle.load(source)
            except (EOFError, OSError):
                os._exit(0)
            self.heard = time.monotonic()
            if isinstance(message, Stop):
                self.stopped.add(message.number)
            elif not isinstance(message, Wanted):
                self.inbox.put(message)

    def work(self, answer: Callable[[int, SweepPoint | str | None], Any]) -> None:
        """Do the tasks that arrive, one after the other."""
        while (message := self.inbox.get()) is not None:
            if isinstance(message, Task):
                answer(message.number, self.point(message))
                self.stopped.discard(message.number)
            else:
                digest, table = message
                self.tables[digest] = table
                while len(self.tables) > TABLES:
                    self.tables.popitem(last=False)

    def point(self, task: Task) -> SweepPoint | str | None:
        """Return the point, or the reason for its failure; None if it was stopped."""

        def tick(fraction: float | None, note: str = "") -> None:
            if task.number in self.stopped or time.monotonic() - self.heard > task.patience:
                raise Stopped

        compiled.compiling_elsewhere(task.compiling)
        try:
            tick(None)
            self.tables.move_to_end(task.digest)
            table = self.tables[task.digest]
            return sweep_point(table, task.algorithm, task.k, task.metrics, task.seed, tick)
        except Stopped:
            return None
        except KanonError as reason:
            return str(reason)
        except MemoryError:
            return tr("This computer has too little memory to compute this point.")
