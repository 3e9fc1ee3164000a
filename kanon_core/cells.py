"""Published cells, in columns of arrays.

A column holds one cell per *cover set* (for a partition: per group), not per record; the release says which cell each
record is published with. Texts are made only for the rows somebody looks at.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.data.columns import MISSING, Categories, Column, Numbers
from kanon_core.data.schema import Attribute

SUPPRESSED = "*"


@dataclass(frozen=True)
class Intervals:
    """Cells [low, high] (float64, m); NaN where the group has only missing values.

    ``partly_missing`` (m booleans): the group also holds missing values beside the interval.
    """

    low: np.ndarray
    high: np.ndarray
    partly_missing: np.ndarray

    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Booleans: the value of record ``rows[i]`` lies in cell ``cell[i]``."""
        assert isinstance(column, Numbers)
        low, high, values = self.low[cell], self.high[cell], column.values[rows]
        return np.where(
            np.isnan(values), np.isnan(low) | self.partly_missing[cell], (low <= values) & (values <= high)
        )

    def keys(self) -> np.ndarray:
        """int64 (m): equal cells have equal keys, different ones different keys."""
        cells = np.column_stack([np.nan_to_num(self.low, nan=np.inf), np.nan_to_num(self.high, nan=np.inf)])
        return _rank(np.column_stack([_rank(cells), self.partly_missing]))

    def penalty(self, column: Column) -> np.ndarray:
        """NCP of each cell: width / range of the column; 1 where missing and present values mix, 0 where all are missing."""
        assert isinstance(column, Numbers)
        low, high = column.range
        width = np.nan_to_num(
            (self.high - self.low) / (high - low) if high > low else np.zeros(len(self.low))
        )
        return np.where(self.partly_missing, 1.0, width)

    def texts(self, column: Column, cells: np.ndarray) -> list[str]:
        """``[20, 35]``, or the value alone when both ends are equal."""
        assert isinstance(column, Numbers)
        low, high = number_texts(self.low[cells], column), number_texts(self.high[cells], column)
        pairs = zip(low, high, self.partly_missing[cells], strict=True)
        return [_interval(a, b) + (f" or {MISSING}" if gaps else "") for a, b, gaps in pairs]


@dataclass(frozen=True)
class ValueSets:
    """Cells {a, b, …}: cell i holds ``codes[starts[i]:starts[i + 1]]``, ascending codes of the column's labels."""

    starts: np.ndarray
    codes: np.ndarray

    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Booleans: the value of record ``rows[i]`` lies in cell ``cell[i]``."""
        assert isinstance(column, Categories)
        return self.hold(column, cell, column.codes[rows])

    def hold(self, column: Column, cell: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Booleans: ``codes[i]`` is one of the values of cell ``cell[i]``."""
        assert isinstance(column, Categories)
        width = len(column.labels)
        cells = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return np.isin(cell * width + codes, cells * width + self.codes)

    def keys(self) -> np.ndarray:
        """int64 (m): equal cells have equal keys, different ones different keys."""
        packed, starts = self.codes.astype("<i4").tobytes(), (4 * self.starts).tolist()
        return pd.factorize(np.array([packed[a:b] for a, b in itertools.pairwise(starts)], dtype=object))[0]

    def penalty(self, column: Column) -> np.ndarray:
        """NCP of each cell: (distinct − 1) / (domain − 1)."""
        assert isinstance(column, Categories)
        domain = len(column.labels)
        return (np.diff(self.starts) - 1) / (domain - 1) if domain > 1 else np.zeros(len(self.starts) - 1)

    def texts(self, column: Column, cells: np.ndarray) -> list[str]:
        """``{a, b}``, or the value alone when there is one."""
        assert isinstance(column, Categories)
        labels = label_texts(column)
        parts = ([labels[c] for c in self.codes[self.starts[i] : self.starts[i + 1]]] for i in cells)
        return [part[0] if len(part) == 1 else "{" + ", ".join(part) + "}" for part in parts]


Cells = Intervals | ValueSets


@dataclass(frozen=True)
class Published:
    """One quasi-identifier of a release.

    ``cells`` are the intervals or value sets of the cover's sets. When the attribute's recoding is mean, median or
    mode, ``aggregate`` (float64 or codes, m) is what is published instead, and ``cells`` only tell what it hides.
    """

    attribute: Attribute
    cells: Cells
    aggregate: np.ndarray | None = None

    def true_of(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Booleans: what is published of record ``rows[i]``, cell ``cell[i]``, is true of it.

        Its interval or set contains the record's value; an aggregate lies within the interval or set that it stands for.
        """
        true = self.cells.contain(column, rows, cell)
        if self.aggregate is None:
            return true
        value = self.aggregate[cell]
        if isinstance(self.cells, Intervals):
            low, high = self.cells.low[cell], self.cells.high[cell]
            return true & np.where(np.isnan(value), np.isnan(low), (low <= value) & (value <= high))
        return true & self.cells.hold(column, cell, value)

    def keys(self) -> np.ndarray:
        """int64 (m): equal published cells have equal keys."""
        if self.aggregate is None:
            return self.cells.keys()
        return _rank(np.nan_to_num(self.aggregate.astype(np.float64), nan=np.inf)[:, None])

    def texts(self, column: Column, cells: np.ndarray) -> list[str]:
        """What these cells say, as text a person reads."""
        if self.aggregate is None:
            return self.cells.texts(column, cells)
        if isinstance(column, Numbers):
            return number_texts(self.aggregate[cells], column)
        labels = label_texts(column)
        return [labels[code] for code in self.aggregate[cells]]


def number_texts(values: np.ndarray, column: Numbers) -> list[str]:
    """Numbers (or dates) as short exact texts; NaN as `MISSING`."""
    if column.attribute.kind == "datetime":
        return _date_texts(values, column.unit)
    return [
        MISSING if v != v else str(int(v)) if v.is_integer() and abs(v) < 1e15 else repr(v)
        for v in values.tolist()
    ]


def _date_texts(values: np.ndarray, unit: str) -> list[str]:
    missing = np.isnan(values)
    micros = np.rint(np.where(missing, 0, values) * 1e6).astype("timedelta64[us]")
    stamps = np.datetime_as_string(np.datetime64(0, "us") + micros, unit="us")
    keep = {"D": 10, "s": 19, "us": 26}[unit]
    # Years before 0 or after 9999 take more places than the usual ten characters of a date.
    texts = (str(stamp)[: keep + len(str(stamp)) - 26].replace("T", " ") for stamp in stamps)
    return [MISSING if gap else text for text, gap in zip(texts, missing, strict=True)]


def label_texts(column: Categories) -> list[str]:
    """The labels, quoted (as in JSON) where they could be mistaken for a set, a list, `MISSING` or `SUPPRESSED`."""
    quoted = [_quoted(label) for label in column.labels]
    if column.has_missing:
        quoted[-1] = MISSING
    return quoted


def _quoted(label: str) -> str:
    special = label in (MISSING, SUPPRESSED, "") or any(c in label for c in '{}[],"')
    return json.dumps(label, ensure_ascii=False) if special else label


def _interval(low: str, high: str) -> str:
    return low if low == high else f"[{low}, {high}]"


def _rank(rows: np.ndarray) -> np.ndarray:
    """int64 (m): the same number for equal rows of an m × c array."""
    key = np.zeros(len(rows), np.int64)
    for column in rows.T:
        part = np.unique(column, return_inverse=True)[1]
        key = np.unique(key * (int(part.max(initial=0)) + 1) + part, return_inverse=True)[1]
    return key
