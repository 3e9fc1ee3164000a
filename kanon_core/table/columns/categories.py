"""Columns of values without order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.base import MISSING, Encoded, Misfits
from kanon_core.table.columns.itemcells import plain_text
from kanon_core.table.domain import LabelDomain

MANY = 20_000
"""More labels than this are kept as Arrow keeps texts: Python takes 60 bytes and more for each."""
_AT_ONCE = 65_536


@dataclass(frozen=True)
class Categories(Encoded):
    """A column of values without order: ``codes`` int32 (n) into ``labels`` (ascending text). Missing is a
    value of its own: when there is any, it has the last code, and its label is `MISSING`. The labels of a
    part of a table may be those of the whole. They are a tuple, or `Labels` where there are very many."""

    attribute: Attribute
    codes: np.ndarray
    labels: Sequence[str]
    has_missing: bool
    misfits: Misfits | None = None

    @property
    def missing(self) -> np.ndarray:
        """n booleans."""
        return self.codes == len(self.labels) - 1 if self.has_missing else np.zeros(len(self.codes), bool)

    def taken(self, rows: np.ndarray) -> Categories:
        """The values of these records, by the same labels."""
        return replace(self, codes=self.codes[rows])

    @property
    def distinct(self) -> int:
        """The number of different values, missing not counted."""
        return len(self.labels) - self.has_missing

    @property
    def keys(self) -> np.ndarray:
        """The codes."""
        return self.codes

    def domain(self) -> LabelDomain:
        """The labels that occur, and how many values are missing."""
        held = np.bincount(self.codes, minlength=len(self.labels))[: self.distinct]
        labels = tuple(self.labels[code] for code in np.flatnonzero(held).tolist())
        return LabelDomain(labels, len(self.codes) - int(held.sum()))


def encode_categories(values: pd.Series, attribute: Attribute, whole: LabelDomain | None) -> Categories:
    """The cells as codes of their texts."""
    if values.dtype == object:
        values = values.map(plain_text, na_action="ignore")
    codes, uniques = pd.factorize(values, use_na_sentinel=True)
    if len(uniques) > MANY and attribute.categories is None and whole is None and _is_arrow(values):
        return _many(values, attribute, codes, uniques)
    texts = [plain_text(value) for value in uniques]
    if attribute.categories is not None:
        texts = attribute.categories.categories_of(texts)
    own = LabelDomain(tuple(sorted(set(texts))), int((codes < 0).sum()))
    if whole is not None:
        whole.check(attribute, own)
        own = whole
    number = {label: code for code, label in enumerate(own.labels)}
    renumber = np.array([*(number[text] for text in texts), len(number)], np.int32)
    labels = (*own.labels, MISSING) if own.missing else own.labels
    return Categories(attribute, renumber[codes], labels, own.missing > 0)


def _is_arrow(values: pd.Series) -> bool:
    return isinstance(values.dtype, pd.StringDtype) and values.dtype.storage == "pyarrow"


def _many(values: pd.Series, attribute: Attribute, codes: np.ndarray, uniques: Any) -> Categories:
    """The same where there are very many different texts: they stay where the frame holds them."""
    order = pc.array_sort_indices(pa.array(uniques, pa.large_string())).to_numpy()  # bytes sort as characters
    number = np.full(len(uniques) + 1, len(uniques), np.int32)
    number[order] = np.arange(len(uniques), dtype=np.int32)
    first = np.empty(len(uniques) + 1, np.int32)
    first[codes[::-1]] = np.arange(len(codes), dtype=np.int32)[::-1]
    missing = bool((codes < 0).any())
    cells = pa.chunked_array(values.array.__arrow_array__())
    return Categories(
        attribute, number[codes], Labels(cells, first[order], (MISSING,) if missing else ()), missing
    )


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
