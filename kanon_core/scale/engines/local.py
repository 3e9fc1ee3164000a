"""Processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Any, ClassVar

from kanon_core.base.words import tr
from kanon_core.scale.engines.base import PATIENCE, Engine, EngineError, T, Task, without_program

_TRIES = 3


@dataclass
class Local(Engine):
    """``processes`` of this machine; 0 = as many as there are cores. A process that is killed is replaced,
    and its task done again, three times at most."""

    name: ClassVar[str] = "local"
    title: ClassVar[str] = "processes of this machine"

    processes: int = 0
    _pool: Any = field(default=None, init=False, repr=False)
    _left: bool = field(default=False, init=False, repr=False)

    @property
    def workers(self) -> int:
        """Return how many tasks run at once; see `Engine.workers`."""
        return self.processes or cores()

    def each(self, task: Task[T], numbered: Sequence[T]) -> Iterator[int | None]:
        """Do the task on each of these; see `Engine.each`."""
        left, tries = list(numbered), 0
        while left:
            before = len(left)
            try:
                for done in self._some(task, left):
                    if done is not None:
                        left.remove(done[0])
                    yield done and done[1]
            except BrokenProcessPool:
                self.close()
                tries = tries + 1 if len(left) == before else 1
                if tries >= _TRIES:
                    raise EngineError(
                        tr(
                            "A worker process ended {tries} times without an error message, which"
                            " happens when memory is full. Use fewer workers, or fragments of fewer"
                            " rows."
                        ).format(tries=tries)
                    ) from None

    def _some(self, task: Task[T], numbered: Sequence[T]) -> Iterator[tuple[T, int] | None]:
        """Do as many tasks as can be done before a process ends; yield None as `Engine.each` does."""
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, spawn, begin_worker)
        waiting, running = list(reversed(numbered)), dict[Any, T]()
        try:
            while waiting or running:
                while waiting and len(running) < 2 * self.workers:
                    one = waiting.pop()
                    with without_program():  # the first tasks start the processes
                        running[self._pool.submit(task, one)] = one
                found = wait(running, PATIENCE, FIRST_COMPLETED).done
                if not found:
                    yield None
                for done in found:
                    one = running.pop(done)
                    yield one, done.result()
        finally:
            self._left = bool([other for other in running if not other.cancel()])

    def close(self) -> None:
        """End the worker processes; see `Engine.close`."""
        if self._pool is None:
            return
        if self._left:  # nobody waits for what these do
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool, self._left = None, False


def begin_worker() -> None:
    """Make the worker end at an interrupt without a message, as the driver reports it; and end with the
    driver, even if that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_driver, daemon=True).start()


def _end_with_driver() -> None:
    driver = multiprocessing.parent_process()
    if driver is not None:
        driver.join()
        os._exit(1)


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
