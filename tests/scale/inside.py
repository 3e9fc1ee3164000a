"""An engine that does all tasks in this very process, one after the other: fast, and seen by every patch."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from kanon_core.scale.engines import Engine
from kanon_core.scale.engines.base import T, Task


@dataclass
class Inside(Engine):
    """``turned``: the last task first. ``stop_after``: so many tasks are done, then it is as if the machine
    went off; 0 = never. ``done``: what was done, the name of the stage and the number of the task."""

    name: ClassVar[str] = "inside"
    title: ClassVar[str] = "this process"

    turned: bool = False
    stop_after: int = 0
    done: list[tuple[str, int]] = field(default_factory=list)

    @property
    def workers(self) -> int:
        return 1

    def each(self, task: Task[T], numbered: Sequence[T]) -> Iterator[int]:
        stage = type(task.function).__name__ if hasattr(task, "function") else ""
        for one in reversed(numbered) if self.turned else numbered:
            sent: Task[T] = pickle.loads(pickle.dumps(task))
            if self.stop_after and len(self.done) == self.stop_after:
                raise Off
            number = sent(one)
            self.done.append((stage, number))
            yield number

    def close(self) -> None:
        pass


class Off(BaseException):
    """The machine went off."""
