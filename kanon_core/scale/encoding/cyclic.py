"""Cells of numbers and of circles as a part writes them, before the cut of a circle is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.columns import encode
from kanon_core.table.columns.dates import seconds
from kanon_core.table.columns.levels import DAY, encode_cyclic
from kanon_core.table.columns.numbers import Numbers, numbers_column, on_circle, read_numbers
from kanon_core.table.domain import NumberDomain


def in_words(cells: pd.Series, attribute: Attribute) -> bool:
    """Return whether the cells are kept as words, as those of a circle are that are neither numbers nor
    moments. Cells that are all missing fit any type."""
    if attribute.kind != "cyclic" or cells.isna().all():
        return False
    plain = pd.api.types.is_numeric_dtype(cells) or pd.api.types.is_datetime64_any_dtype(cells)
    return bool(attribute.order) or not plain


def as_numbers(cells: pd.Series, attribute: Attribute) -> Numbers:
    """The cells as they are written; moments of a cyclic column as seconds since midnight."""
    if attribute.kind == "cyclic":
        plain = Attribute(attribute.name, attribute.role, "numeric")
        if pd.api.types.is_datetime64_any_dtype(cells):
            return numbers_column(cells, plain, np.mod(seconds(cells), DAY), None)
        return read_numbers(cells, plain, None)
    if attribute.kind == "longitude":
        return read_numbers(cells, attribute, None)
    column = encode(cells, attribute)
    assert isinstance(column, Numbers)
    return column


def around_words(labels: tuple[str, ...], missing: int, held: np.ndarray, attribute: Attribute) -> Numbers:
    """Return the column of a circle in which record i has label i, and the last record has none. It has the
    circle of the whole table, in which ``held`` tells how often each label occurs, and ``missing`` how many
    cells are missing."""
    cells = pd.Series([*labels, None], dtype="str")
    column = encode_cyclic(cells, replace(attribute, categories=None), None, np.append(held, 0.0))
    gone = missing + int(held[np.isnan(column.values[:-1])].sum())
    known = column.whole or NumberDomain.counted(column.values[:-1], held.astype(np.int64))
    return replace(column, attribute=attribute, whole=replace(known, missing=gone))


def on_its_circle(column: Numbers, circle: Circle, unrolled: NumberDomain) -> Numbers:
    """Written values on the circle; ``unrolled``: the domain of all of them."""
    return replace(on_circle(column, circle), whole=unrolled)
