"""Results of finished tasks in the work folder, so that stopped work resumes where it ended.

A result is a dictionary of arrays and of plain values; it is kept as a file that runs nothing when it is
read.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from kanon_core.scale.work.storage import storage_errors, written

Result = dict[str, Any]
_PLAIN = "plain values"
T = TypeVar("T")


def keep(path: Path, result: Result, lasting: bool = False) -> None:
    """Write a result, all at once; ``lasting``: see `written`."""
    arrays = {name: value for name, value in result.items() if isinstance(value, np.ndarray)}
    plain = {name: value for name, value in result.items() if name not in arrays}
    with written(path, lasting) as beside, beside.open("wb") as file:
        written_out: dict[str, Any] = {_PLAIN: np.frombuffer(json.dumps(plain).encode(), np.uint8), **arrays}
        np.savez(file, **written_out)


def kept(path: Path) -> Result | None:
    """Return the result that `keep` wrote; None where there is none."""
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as file:
        plain: Result = json.loads(file[_PLAIN].tobytes())
        return plain | {name: file[name] for name in file.files if name != _PLAIN}


@dataclass(frozen=True)
class Kept(Generic[T]):
    """A function on tasks that keeps what it finds in a folder, and finds nothing twice. Raises what the
    function raises, StorageError in place of OSError."""

    function: Callable[[T], Result]
    folder: str

    def path(self, number: int) -> Path:
        """Return where the result of this task is kept."""
        return Path(self.folder) / f"{number:06d}.npz"

    def __call__(self, numbered: tuple[int, T]) -> int:
        """Do the task of this number; returns the number."""
        number, task = numbered
        if not self.path(number).exists():
            with storage_errors():
                found = self.function(task)
            keep(self.path(number), found)
        return number
