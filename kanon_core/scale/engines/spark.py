"""A Spark cluster, or Spark on this machine."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from kanon_core.base.errors import KanonError
from kanon_core.base.words import tr
from kanon_core.scale.engines.base import PATIENCE, Engine, EngineError, T, Task, not_installed


@dataclass
class Spark(Engine):
    """Executors of the master at ``address`` (spark://…, yarn); "" = ``processes`` of this machine.

    Each Spark task is one of our tasks: no Spark data frame is made, so that the version of pandas in Spark
    does not matter.
    """

    name: ClassVar[str] = "spark"
    title: ClassVar[str] = "Spark"

    address: str = ""
    processes: int = 0
    _session: Any = field(default=None, init=False, repr=False)

    @property
    def context(self) -> Any:
        """Spark's context. Raises EngineError where Spark cannot be started."""
        if self._session is None:
            try:
                from pyspark.sql import SparkSession
            except ImportError:
                raise not_installed(self.name) from None
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            master = self.address or f"local[{self.processes or '*'}]"
            try:
                building = SparkSession.builder.master(master).appName("kanon")
                building = building.config("spark.ui.enabled", "false")
                building = building.config("spark.ui.showConsoleProgress", "false")
                self._session = building.getOrCreate()
            except Exception as problem:  # Py4J wraps all errors of Java
                raise EngineError(
                    tr(
                        "Spark cannot be started at “{master}” ({kind}). It needs Java 17 or later"
                        " and an address that answers."
                    ).format(master=master, kind=type(problem).__name__)
                ) from None
            self._session.sparkContext.setLogLevel("ERROR")
        return self._session.sparkContext

    @property
    def elsewhere(self) -> bool:
        """Return whether workers may be on other machines; see `Engine.elsewhere`."""
        return bool(self.address)

    @property
    def workers(self) -> int:
        """Return how many tasks run at once; see `Engine.workers`."""
        return max(1, int(self.context.defaultParallelism))

    def each(self, task: Task[T], numbered: Sequence[T]) -> Iterator[int | None]:
        """Do the task on each of these; see `Engine.each`. All results arrive together at the end."""
        if not numbered:
            return
        context, group = self.context, uuid.uuid4().hex
        from pyspark import InheritableThread

        found: Future[list[int | KanonError]] = Future()
        collecting = InheritableThread(target=_collect, args=(context, group, task, numbered, found))
        collecting.start()
        try:
            while not wait([found], PATIENCE).done:
                yield None
        finally:
            if not found.done():
                context.cancelJobGroup(group)
            collecting.join()
        for done in found.result():
            if isinstance(done, KanonError):
                raise done
            yield done

    def close(self) -> None:
        """End what was started; see `Engine.close`."""
        if self._session is not None:
            self._session.stop()
            self._session = None


def _collect(
    context: Any, group: str, task: Task[T], numbered: Sequence[T], results: Future[list[int | KanonError]]
) -> None:
    """Do the tasks as jobs of this group, and set in ``results`` what they return or raise."""
    try:
        context.setJobGroup(group, "kanon", interruptOnCancel=True)
        tasks = context.parallelize(list(numbered), len(numbered))
        results.set_result(tasks.map(partial(_tried, task)).collect())
    except BaseException as problem:  # it is raised when the results are read
        results.set_exception(problem)


def _tried(task: Task[T], argument: T) -> int | KanonError:
    """Return what the task returns, or the KanonError that it raises: Spark would wrap the error, and try
    again."""
    try:
        return task(argument)
    except KanonError as problem:
        return problem
