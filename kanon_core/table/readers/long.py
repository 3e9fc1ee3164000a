"""Tables in long form: one row for each item of a record."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.errors import InputError
from kanon_core.base.words import counted, listed, tr, tr_n
from kanon_core.table.columns.itemcells import as_texts
from kanon_core.table.columns.keys import distinct
from kanon_core.table.columns.set_arrays import joined


def from_long(frame: pd.DataFrame, record: str, item: str) -> pd.DataFrame:
    """One row per record, its items as a JSON list in the column ``item``; records in the order in which they
    begin.

    Rows with equal ``record`` are one record; rows without one are left out; a missing item adds none. A
    column that is the same in all rows of each record is kept, any other is left out. The frame is not
    modified. Raises InputError when a column is not there, or twice, or no row has a record. Cost O(rows log
    rows · columns).
    """
    return grouped(frame, record, item)[0]


def grouped(frame: pd.DataFrame, record: str, item: str) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """`from_long`, and a sentence for each thing that was left out."""
    _check_columns(frame, record, item)
    numbers, records = pd.factorize(frame[record])
    if not len(records):
        said = tr(
            "Column “{record}” is empty, so no item belongs to a record; choose another column of"
            " the records."
        )
        raise InputError(said.format(record=record))
    kept = np.flatnonzero(numbers >= 0)
    rows, numbers = frame.iloc[kept].reset_index(drop=True), numbers[kept]
    first = np.unique(numbers, return_index=True)[1]
    varying = [str(name) for name in rows.columns if name != item and _varies(rows[name], numbers, first)]
    result = rows.iloc[first].drop(columns=varying).reset_index(drop=True)
    result[item] = _item_lists(as_texts(rows[item]), numbers, len(records))
    notes = [
        tr_n(
            "{rows:,} row was grouped into {records} by the column “{record}”.",
            "{rows:,} rows were grouped into {records} by the column “{record}”.",
            len(frame),
        ).format(rows=len(frame), records=counted(len(records), "record"), record=record)
    ]
    if len(kept) < len(frame):
        gone = len(frame) - len(kept)
        said = tr_n(
            "{rows:,} row without a record was left out.",
            "{rows:,} rows without a record were left out.",
            gone,
        )
        notes.append(said.format(rows=gone))
    if varying:
        names = listed([f"“{name}”" for name in varying])
        notes.append(
            tr("Columns whose values differ between the rows of a record were left out: {names}.").format(
                names=names
            )
        )
    return result, tuple(notes)


def _check_columns(frame: pd.DataFrame, record: str, item: str) -> None:
    for name in (record, item):
        if (count := list(frame.columns).count(name)) != 1:
            said = tr(
                "There is no column “{name}” to group items by record; choose the column of the records and"
                " the column of the items."
            )
            if count:
                said = tr(
                    "There are {count} columns “{name}” to group items by record; rename all but one of them."
                )
            raise InputError(said.format(count=count, name=name))
    if record == item:
        raise InputError(tr("The column of the records and the column of the items must be different."))


def _varies(values: pd.Series, numbers: np.ndarray, first: np.ndarray) -> bool:
    codes = pd.factorize(values)[0]
    return bool((codes != codes[first][numbers]).any())


def _item_lists(texts: pa.Array, numbers: np.ndarray, records: int) -> pd.Series:
    """The distinct items of each record as JSON lists, in text order."""
    coded = texts.dictionary_encode()
    labels = coded.dictionary.to_pylist()
    order = np.argsort(np.array(labels, dtype=object), kind="stable") if labels else np.zeros(0, np.int64)
    rank = np.empty(len(labels), np.int64)
    rank[order] = np.arange(len(labels))
    there = np.asarray(texts.is_valid())
    width = max(len(labels), 1)
    keys = distinct(numbers[there] * width + rank[coded.indices.filter(pa.array(there)).to_numpy()])
    quoted = [json.dumps(labels[place].strip(), ensure_ascii=False) for place in order]
    starts = np.concatenate([[0], np.cumsum(np.bincount(keys // width, minlength=records))])
    inside = joined(starts, keys % width, quoted, ", ")
    ends = [pa.scalar(text, pa.large_string()) for text in ("[", "]", "")]
    cells = pc.binary_join_element_wise(ends[0], inside, ends[1], ends[2])
    return pd.Series(cells.to_pandas(), dtype="str")
