"""Cells of a table in sentences."""

from __future__ import annotations

import numpy as np

from kanon_core.explain.amounts import amount
from kanon_core.table.columns.columns import MISSING, Categories, Numbers
from kanon_core.table.columns.texts import number_texts
from kanon_core.table.table import Table

_LONGEST = 24


def value_of(table: Table, name: str, record: int) -> str:
    """The cell of a record in a column of numbers, dates or categories, at most 24 characters of it."""
    column = table[name]
    if isinstance(column, Numbers):
        return short_texts(column, column.values[[record]])[0]
    assert isinstance(column, Categories)
    return shortened(column.labels[column.codes[record]])


def short_texts(column: Numbers, values: np.ndarray) -> list[str]:
    """Numbers with at most six digits where they have more than ten signs; dates in full."""
    texts = number_texts(values, column)
    if column.attribute.kind == "datetime":
        return texts
    return [
        text if len(text) <= 10 else amount(value, 6)
        for text, value in zip(texts, values.tolist(), strict=True)
    ]


def shortened(text: object) -> str:
    """A text on one line, at most 24 characters of it; a missing one by its usual name."""
    line = " ".join(str(text).split())
    return (line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…") or MISSING


def values_of(table: Table, name: str, records: np.ndarray) -> list[str]:
    """The different cells of some records in a column of categories, in the order of the column's labels."""
    column = table[name]
    assert isinstance(column, Categories)
    return [shortened(column.labels[code]) for code in np.unique(column.codes[records]).tolist()]
