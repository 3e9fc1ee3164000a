"""Compare the sensitive and other columns of a released file with those of the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.base.errors import KanonError
from kanon_core.base.progress import Tick, silent
from kanon_core.covers.cells import Intervals, PublishedColumn, ValueSets
from kanon_core.covers.matching.consistency import Consistency, consistency
from kanon_core.covers.uploaded.column_texts import read_cells
from kanon_core.covers.uploaded.set_texts import plain_form
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers, encode
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table
from kanon_core.table.writers.cells import texts as written

_NEVER, _ANY = -1, -2


@dataclass(frozen=True, eq=False)
class Unchanged:
    """A sensitive or other column that the file and the original both have.

    ``column``: the original's, item sets as they are written; ``published``: row i of the file in place of
    record i; ``surplus`` booleans (rows): the row has a value that the original lacks, or has less often than
    the file's rows up to this one; ``less`` booleans (rows): the cell is a set, an interval or a star, which
    is less precise than a single value.
    """

    column: Column
    published: PublishedColumn
    surplus: np.ndarray
    less: np.ndarray

    @property
    def name(self) -> str:
        """The column's name."""
        return self.published.attribute.name


def unchanged_columns(
    table: Table, frame: pd.DataFrame, stars: np.ndarray, tick: Tick = silent
) -> tuple[Unchanged, ...]:
    """The columns of the file (a frame of texts) that are sensitive or other in the original. ``stars``
    booleans (rows): the row's quasi-identifiers are nothing but stars. Cost O(cells · log)."""
    return tuple(
        _unchanged(table, attribute, frame[attribute.name], stars, tick)
        for attribute in table.schema.of_role("sensitive", "other")
        if attribute.name in frame.columns
    )


def _unchanged(
    table: Table, attribute: Attribute, cells: pd.Series, stars: np.ndarray, tick: Tick
) -> Unchanged:
    own, column = table.frame[attribute.name], _comparable(table, attribute)
    texts = cells.astype(object).where(cells.notna(), "").map(str)
    codes, distinct = pd.factorize(texts.to_numpy(object))
    known = ["" if text is None else text for text in written(own)]
    shown, which = _read(column, known, list(distinct), tick)
    cell = np.full(len(table), -1, np.int64)
    cell[: len(stars)] = np.where(stars, -1, codes)
    counts = np.bincount(_numbered(column), minlength=int(which.max(initial=0)) + 1)
    return Unchanged(
        column,
        PublishedColumn(column.attribute, shown, cell),
        _surplus(which[codes], counts),
        which[codes] == _ANY,
    )


def _comparable(table: Table, attribute: Attribute) -> Numbers | Categories:
    """The original's column, item sets as they are written; an empty text is missing, as files have it."""
    own, column = table.frame[attribute.name], table[attribute.name]
    if isinstance(column, Items):
        column = encode(own, Attribute(attribute.name, attribute.role, "text"))
    if isinstance(column, Categories) and "" in column.labels:
        column = encode(own.mask(own == ""), column.attribute)
    assert not isinstance(column, Items)
    return column


def _read(
    column: Numbers | Categories, own: list[str], texts: list[str], tick: Tick
) -> tuple[Intervals | ValueSets, np.ndarray]:
    """The cells of the file's different texts, and the number of each one's value: `_NEVER` if the original
    has no such value, `_ANY` if it may be several. A text that the original has is the original's value,
    even if it could be read in another way."""
    cells, bad = read_cells(column, texts, tick)
    numbers, known = _numbered(column), dict(zip(reversed(own), range(len(own) - 1, -1, -1), strict=True))
    records = [known.get(text, known.get(plain_form(text), -1)) for text in texts]
    record, exact = np.array(records, np.int64), np.array(records) >= 0
    if isinstance(column, Numbers):
        between = cells.as_intervals()
        low, high = (np.where(exact, column.values[record], end) for end in (between.low, between.high))
        gaps = between.partly_missing & ~exact
        shown: Intervals | ValueSets = Intervals(low, high, gaps)
        which = _single(column, low, high, gaps)
    else:
        sets = cells.as_sets()
        members = [
            [int(column.codes[r])] if r >= 0 else sets.codes[a:b].tolist()
            for r, a, b in zip(records, sets.starts[:-1], sets.starts[1:], strict=True)
        ]
        sizes = np.array([len(codes) for codes in members], np.int64)
        flat = np.array([code for codes in members for code in codes], np.int32)
        shown = ValueSets(np.append(0, np.cumsum(sizes)), flat)
        which = np.array([codes[0] if len(codes) == 1 else _ANY for codes in members], np.int64)
    return shown, np.where(exact, numbers[record], np.where(bad, _NEVER, which))


def _numbered(column: Numbers | Categories) -> np.ndarray:
    """int64 (n): the number of each record's value; of missing numbers the last."""
    if isinstance(column, Categories):
        return column.codes.astype(np.int64)
    present = np.unique(column.present)
    return np.where(column.missing, len(present), np.searchsorted(present, column.values))


def _single(column: Numbers, low: np.ndarray, high: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """The number of the value that each interval is."""
    present, missing = np.unique(column.present), np.isnan(low)
    place = np.searchsorted(present, low)
    found = np.append(present, np.nan)[np.minimum(place, len(present))] == low
    point = np.where(found, place, _NEVER)
    which = np.where((low < high) | gaps, _ANY, point)
    return np.where(missing, len(present) if column.missing.any() else _NEVER, which)


def _surplus(which: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Booleans (rows): no record has the value, or at least as many earlier rows as records have it."""
    order = np.argsort(which, kind="stable")
    ordered = which[order]
    first = np.searchsorted(ordered, ordered)
    before = np.empty(len(which), np.int64)
    before[order] = np.arange(len(which)) - first
    return np.asarray(np.where(which < 0, which == _NEVER, before >= counts[which]))


def together(
    table: Table, published: Sequence[PublishedColumn], columns: Sequence[Unchanged], tick: Tick = silent
) -> Consistency | None:
    """Return which records fit which rows in the quasi-identifiers and these columns at once; None where they
    are too many to compare. Cost as `consistency`."""
    by_name = {unchanged.name: unchanged.column for unchanged in columns}
    own = tuple(by_name.get(column.attribute.name, column) for column in table.columns)
    beside = Table(table.frame, Schema(tuple(column.attribute for column in own)), own)
    try:
        return consistency(beside, [*published, *(unchanged.published for unchanged in columns)], tick)
    except KanonError:
        return None
