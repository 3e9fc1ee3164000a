"""Base of engines: something that does tasks, in whatever order and wherever."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType, TracebackType
from typing import Any, ClassVar, Self, TypeVar

from kanon_core.base.errors import KanonError
from kanon_core.base.words import tr

PATIENCE = 0.2
"""Seconds after which the caller that waits for tasks hears something."""
T = TypeVar("T")
Task = Callable[[T], int]


class EngineError(KanonError):
    """An engine cannot be started, or its workers end again and again."""


@dataclass
class Engine(ABC):
    """Does tasks on processes or machines; all rows travel through files in a folder that every worker sees.

    So an engine needs a single method, `each`, and no engine can change a byte of a release: a task is a
    function of its number and of files, and may be done twice.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def each(self, task: Task[T], numbered: Sequence[T]) -> Iterator[int | None]:
        """Do the task on each of these, and yield what it returns, as they are done; None where none was done
        for `PATIENCE` seconds, so that the caller can report or stop. An error of a task is raised here; once
        the iterator is left, no more tasks are begun."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """Return how many tasks run at once."""

    @property
    def elsewhere(self) -> bool:
        """Return whether its workers may run on other machines, which see other folders than this one."""
        return False

    @abstractmethod
    def close(self) -> None:
        """End what was started."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None:
        self.close()


def not_installed(name: str) -> EngineError:
    """Return the error on an engine whose libraries are missing."""
    said = tr("The engine {name} needs the extra “{name}”: pip install 'kanon[{name}]'.")
    return EngineError(said.format(name=name))


@contextmanager
def started(engine: Engine) -> Iterator[Engine]:
    """Yield the engine once its workers are reached, before anything is written. Raises EngineError."""
    with engine:
        _ = engine.workers
        yield engine


@contextmanager
def without_program() -> Iterator[None]:
    """Within this context, processes that are started do not import the program that runs: a task is a
    function of this package. A program then needs no ``if __name__ == "__main__"``, and a page or a notebook
    can start workers, too.

    >>> with without_program():
    ...     hasattr(sys.modules["__main__"], "__file__")
    False
    """
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program
