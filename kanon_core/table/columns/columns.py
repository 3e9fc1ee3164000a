"""One encoded column: the numbers or codes every algorithm and metric works on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.table.columns.itemcells import as_texts, parts_of, plain_text
from kanon_core.table.columns.keys import distinct
from kanon_core.table.inference import parse_dates
from kanon_core.table.schema import Attribute

if TYPE_CHECKING:
    from kanon_core.table.hierarchy.closures import Closure

MISSING = "(missing)"
"""How a missing value is written for people."""
_CELLS_PER_TICK = 50_000


@dataclass(frozen=True)
class Misfits:
    """Cells that do not fit the column's kind and count as missing: how many, and up to five examples.

    ``rows`` are record numbers from 1. ``examples`` are empty for identifier and sensitive columns.
    """

    count: int
    rows: tuple[int, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Numbers:
    """A column on a number line: ``values`` float64 (n), NaN = missing; dates as seconds since 1970-01-01,
    UTC."""

    attribute: Attribute
    values: np.ndarray
    integral: bool
    misfits: Misfits | None = None

    @property
    def comparable(self) -> bool:
        """Whether squared differences stay within the range of floating-point numbers (about 1e±300)."""
        low, high = self.range
        return max(-low, high) <= 1e150 and (high == low or high - low >= 1e-140)

    @property
    def unit(self) -> str:
        """For dates, the precision in which they are written: D (whole days), s (whole seconds) or us."""
        present = self.values[~self.missing]
        if np.all(np.mod(present, 86_400) == 0):
            return "D"
        return "s" if np.all(np.mod(present, 1) == 0) else "us"

    @property
    def missing(self) -> np.ndarray:
        """n booleans."""
        return np.isnan(self.values)

    @property
    def distinct(self) -> int:
        """How many different values there are, missing not counted."""
        return int(pd.Series(self.values).nunique())

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest present value; (0, 0) when all are missing."""
        present = self.values[~self.missing]
        return (float(present.min()), float(present.max())) if len(present) else (0.0, 0.0)


@dataclass(frozen=True)
class Categories:
    """A column of values without order: ``codes`` int32 (n) into ``labels`` (ascending text).

    Missing is a value of its own: when there is any, it has the last code, and its label is `MISSING`.
    """

    attribute: Attribute
    codes: np.ndarray
    labels: tuple[str, ...]
    has_missing: bool
    misfits: Misfits | None = None

    @property
    def missing(self) -> np.ndarray:
        """n booleans."""
        return self.codes == len(self.labels) - 1 if self.has_missing else np.zeros(len(self.codes), bool)

    @property
    def distinct(self) -> int:
        """How many different values there are, missing not counted."""
        return len(self.labels) - self.has_missing


@dataclass(frozen=True)
class Items:
    """A column of item sets: record i holds ``items[starts[i]:starts[i + 1]]``, codes into ``labels``
    (ascending text).

    ``starts`` int64 (n + 1); ``items`` int32, within a record ascending and distinct. A missing cell, and one
    that does not fit, is the empty set. ``delimiter``: how the cells were split (see
    `kanon_core.table.columns.itemcells`).
    """

    attribute: Attribute
    starts: np.ndarray
    items: np.ndarray
    labels: tuple[str, ...]
    misfits: Misfits | None = None
    delimiter: str = ""

    @property
    def missing(self) -> np.ndarray:
        """n booleans, all false: a record without items has the empty set, which is a value like any
        other."""
        return np.zeros(len(self.starts) - 1, bool)

    @property
    def distinct(self) -> int:
        """How many different items there are."""
        return len(self.labels)

    @property
    def sizes(self) -> np.ndarray:
        """int64 (n): how many items each record has."""
        return np.diff(self.starts)

    @cached_property
    def closure(self) -> Closure:
        """The sets with all groups of the column's hierarchy above their items
        (`kanon_core.table.hierarchy.closures`)."""
        from kanon_core.table.hierarchy.closures import closure_of

        return closure_of(self)


Column = Numbers | Categories | Items


def encode(values: pd.Series, attribute: Attribute) -> Column:
    """The column of this attribute; cells that do not fit its kind become missing and are reported as
    misfits."""
    if attribute.kind == "datetime":
        return _encode_dates(values, attribute)
    if attribute.is_numeric:
        return _encode_numbers(values, attribute)
    if attribute.kind == "items":
        return _encode_items(values, attribute)
    return _encode_categories(values, attribute)


def _encode_numbers(values: pd.Series, attribute: Attribute) -> Numbers:
    if pd.api.types.is_datetime64_any_dtype(values):
        numbers = _seconds(values)
    elif pd.api.types.is_numeric_dtype(values):
        numbers = values.to_numpy(np.float64, na_value=np.nan)
    else:
        numbers = pd.to_numeric(values.astype("object").map(_plain_number), errors="coerce").to_numpy(
            np.float64
        )
    fits = np.isfinite(numbers) & _exact(values, numbers)
    limit = {"latitude": 90.0, "longitude": 180.0}.get(attribute.kind, np.inf)
    fits &= np.abs(np.where(fits, numbers, 0)) <= limit
    misfits = _misfits(values, ~fits & values.notna().to_numpy(), attribute)
    numbers = (
        np.where(fits, numbers, np.nan) + 0.0
    )  # + 0.0 turns −0 into 0, so that equal cells have equal texts
    present = numbers[fits]
    integral = (
        bool(len(present))
        and bool(np.all(present == np.floor(present)))
        and bool(np.abs(present).max() < 2**53)
    )
    return Numbers(attribute, numbers, integral, misfits)


def _exact(values: pd.Series, numbers: np.ndarray) -> np.ndarray:
    """Whole numbers of more than 53 bits have no exact float64; a cell that would be published rounded does
    not fit."""
    if not pd.api.types.is_integer_dtype(values):
        return np.ones(len(values), bool)
    return np.abs(numbers) < 2.0**53


def _plain_number(cell: object) -> object:
    return cell.strip() if isinstance(cell, str) else cell


def _encode_dates(values: pd.Series, attribute: Attribute) -> Numbers:
    if pd.api.types.is_datetime64_any_dtype(values):
        dates = values
    elif pd.api.types.is_numeric_dtype(values):
        dates = pd.Series(np.full(len(values), np.datetime64("NaT"), "datetime64[s]"))
    else:
        dates = parse_dates(values)
    numbers = _seconds(dates)
    misfits = _misfits(values, np.isnan(numbers) & values.notna().to_numpy(), attribute)
    return Numbers(attribute, numbers, bool(np.all(np.mod(numbers[~np.isnan(numbers)], 1) == 0)), misfits)


def _seconds(dates: pd.Series) -> np.ndarray:
    """Seconds since 1970, with their fraction: a microsecond is kept exactly until the year 2106."""
    if getattr(dates.dt, "tz", None) is not None:
        dates = dates.dt.tz_convert("UTC").dt.tz_localize(None)
    stamps = dates.to_numpy().astype("datetime64[us]")
    seconds = (stamps - np.datetime64(0, "us")).astype(np.float64) / 1e6
    return np.where(np.isnat(stamps), np.nan, seconds)


def _encode_categories(values: pd.Series, attribute: Attribute) -> Categories:
    if values.dtype == object:
        values = values.map(plain_text, na_action="ignore")
    codes, uniques = pd.factorize(values, use_na_sentinel=True)
    texts = [plain_text(value) for value in uniques]
    if attribute.categories is not None:
        texts = attribute.categories.categories_of(texts)
    labels = sorted(set(texts))
    number = {label: code for code, label in enumerate(labels)}
    missing = len(labels)
    renumber = np.array([*(number[text] for text in texts), missing], np.int32)
    has_missing = bool((codes < 0).any())
    return Categories(
        attribute, renumber[codes], (*labels, *((MISSING,) if has_missing else ())), has_missing
    )


def _encode_items(values: pd.Series, attribute: Attribute) -> Items:
    found = parts_of(as_texts(values), attribute.delimiter)
    coded = found.items.dictionary_encode()
    texts = [text.strip() for text in coded.dictionary.to_pylist()]
    if attribute.categories is not None:
        texts = [
            kind if text else ""
            for text, kind in zip(texts, attribute.categories.categories_of(texts), strict=True)
        ]
    labels = sorted({*texts} - {""})
    number = {label: code for code, label in enumerate(labels)}
    codes = np.array([number.get(text, -1) for text in texts], np.int64)[coded.indices.to_numpy()]
    rows = np.repeat(np.arange(len(values)), found.counts)
    width = max(len(labels), 1)
    keys = distinct((rows * width + codes)[codes >= 0])
    rows, items = np.divmod(keys, width)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(values)))]).astype(np.int64)
    misfits = _misfits(values, found.bad, attribute)
    return Items(attribute, starts, items.astype(np.int32), tuple(labels), misfits, found.delimiter)


def _misfits(values: pd.Series, bad: np.ndarray, attribute: Attribute) -> Misfits | None:
    rows = np.flatnonzero(bad)
    if not len(rows):
        return None
    first = rows[:5]
    examples = () if attribute.is_private else tuple(str(values.iloc[int(row)])[:40] for row in first)
    return Misfits(len(rows), tuple(int(row) + 1 for row in first), examples)


def content(values: pd.Series, tick: Callable[[], None]) -> Iterator[bytes]:
    """Bytes that differ whenever the type or a cell of a column differs, for digests; all missing cells are
    alike.

    Ticks within each of the longer pieces of work.
    """
    yield str(values.dtype).encode()
    if pd.api.types.is_numeric_dtype(values) and isinstance(values.dtype, np.dtype):
        cells = values.to_numpy()
        if cells.dtype.kind == "f":
            cells = np.where(np.isnan(cells), np.array(np.nan, cells.dtype), cells)
        yield np.ascontiguousarray(cells).astype(cells.dtype.newbyteorder("<")).tobytes()
        return
    codes, uniques = pd.factorize(
        values.map(_typed, na_action="ignore") if values.dtype == object else values
    )
    tick()
    yield codes.astype("<i8").tobytes()
    lists = []
    for begin in range(0, len(uniques), _CELLS_PER_TICK):
        lists.append(json.dumps([str(value) for value in uniques[begin : begin + _CELLS_PER_TICK]])[1:-1])
        tick()
    yield f"[{', '.join(lists)}]".encode()


def _typed(value: object) -> str:
    return f"{type(value).__name__} {value}"
