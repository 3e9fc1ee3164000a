"""The labels of a column in which there are very many, without a text of Python's for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
import pyarrow as pa

MANY = 20_000
"""More labels than this are kept as Arrow keeps texts: Python takes 60 bytes and more for each."""
_AT_ONCE = 65_536


class Labels(Sequence[str]):
    """Ascending texts, read like a tuple of str, from the cells that hold them: label i is the text of cell
    ``places[i]``; then those of ``more``."""

    def __init__(self, cells: pa.ChunkedArray, places: np.ndarray, more: tuple[str, ...] = ()) -> None:
        self._cells, self._places, self._more = cells, places, more

    def __len__(self) -> int:
        return len(self._places) + len(self._more)

    @overload
    def __getitem__(self, which: int) -> str: ...
    @overload
    def __getitem__(self, which: slice) -> tuple[str, ...]: ...
    def __getitem__(self, which: int | slice) -> str | tuple[str, ...]:
        numbers = range(len(self))[which]
        if isinstance(numbers, range):
            return tuple(self._texts(np.asarray(numbers, np.int64)))
        count = len(self._places)
        return self._more[numbers - count] if numbers >= count else self._cells[self._places[numbers]].as_py()

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _AT_ONCE):
            yield from self[start : start + _AT_ONCE]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | Labels):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Labels({len(self):,} texts)"

    def _texts(self, numbers: np.ndarray) -> Iterator[str]:
        count = len(self._places)
        own = numbers[numbers < count]
        found = iter(self._cells.take(pa.array(self._places[own])).to_pylist())
        return (next(found) if number < count else self._more[number - count] for number in numbers.tolist())
