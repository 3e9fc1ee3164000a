"""Values as readable texts; different values of a column have different texts."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np
import pandas as pd

from kanon_core.table.columns.columns import MISSING, Categories, Column, Items, Numbers

SUPPRESSED = "*"
"""The text that is published of a suppressed record."""

ANY = "(any)"
"""The text for the top of a hierarchy; the ``*`` of files would mean a suppressed record."""


Plain = TypeVar("Plain", np.ndarray, pd.Series)


def as_published(cells: Plain) -> Plain:
    """Return cells for publication, −0.0 as 0.0: both are equal, so the order of rows would decide which is
    written.

    >>> as_published(np.array([-0.0, 1.5])).tolist()
    [0.0, 1.5]
    """
    return cells + 0.0 if cells.dtype.kind == "f" else cells


def number_texts(values: np.ndarray, column: Numbers, ends: bool = False) -> list[str]:
    """Numbers (or dates, levels, times of day) as short exact texts; NaN as `MISSING`. ``ends``: of
    intervals, in which a level with a comma is written as in JSON."""
    if column.attribute.kind == "datetime":
        return _date_texts(values, column.unit)
    circle = column.circle
    if circle is not None:
        values = circle.written(values)
    if column.levels:
        return _level_texts(values, column.levels, quoted if ends else alone)
    if circle is not None and circle.clock:
        return [MISSING if v != v else _clock_text(v, circle.seconds) for v in values.tolist()]
    return [
        MISSING if v != v else str(int(v)) if v.is_integer() and abs(v) < 1e16 else repr(v)
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


def _level_texts(places: np.ndarray, levels: tuple[str, ...], written: Callable[[str], str]) -> list[str]:
    """The levels at these places; a place between two, such as a mean, is the nearer, or the lower."""
    texts = [written(level) for level in levels]
    return [MISSING if p != p else texts[min(int(np.ceil(p - 0.5)), len(texts) - 1)] for p in places.tolist()]


def _clock_text(value: float, seconds: bool) -> str:
    """Seconds since midnight as ``23:50``, or ``23:50:07``."""
    whole = round(value) if seconds else round(value / 60) * 60
    hours, rest = divmod(whole, 3600)
    text = f"{hours:02d}:{rest // 60:02d}"
    return f"{text}:{rest % 60:02d}" if seconds else text


def label_texts(column: Categories) -> list[str]:
    """The labels as cells of their own, as in JSON where one could be mistaken for something else that is
    published."""
    return _labels(column, alone)


def member_texts(column: Categories) -> list[str]:
    """Return the labels as members of a set, as in JSON where one could be mistaken for two, or else."""
    return _labels(column, quoted)


def _labels(column: Categories, written: Callable[[str], str]) -> list[str]:
    texts = [written(label) for label in column.labels]
    if column.has_missing:
        texts[-1] = MISSING
    return texts


def group_text(label: str) -> str:
    """The label of a group, as in JSON where it could be mistaken for a value, a set or something else."""
    special = label in (MISSING, SUPPRESSED, ANY) or any(c in label for c in '{}"')
    return json.dumps(label, ensure_ascii=False) if special else label


def alone(label: str) -> str:
    """Return the label as a cell of its own, as in JSON where it could be mistaken for a set, an interval, a
    word of ours or a label in JSON.

    >>> alone("York, UK"), alone("[1, 2]"), alone('"a"')
    ('York, UK', '"[1, 2]"', '"\\\\"a\\\\""')
    """
    special = label in (MISSING, SUPPRESSED, ANY, "") or label[0] == '"' or any(c in label for c in "{}[]")
    return json.dumps(label, ensure_ascii=False) if special else label


def quoted(label: str) -> str:
    """The label within a set or an interval, as in JSON where it could be mistaken for something else."""
    special = label in (MISSING, SUPPRESSED, ANY, "") or any(c in label for c in '{}[],"')
    return json.dumps(label, ensure_ascii=False) if special else label


def interval_text(low: str, high: str) -> str:
    """``[low, high]``; the value alone when both are equal.

    >>> interval_text("20", "29")
    '[20, 29]'
    """
    return low if low == high else f"[{low}, {high}]"


def item_texts(column: Items, starts: np.ndarray, items: np.ndarray, sets: np.ndarray) -> list[str]:
    """Item sets as ``{a, d}`` in text order, items as in JSON where one could be mistaken."""
    parts = [items[starts[i] : starts[i + 1]].tolist() for i in sets]
    labels = {item: quoted(column.labels[item]) for item in set(itertools.chain.from_iterable(parts))}
    return ["{" + ", ".join([labels[item] for item in part]) + "}" for part in parts]


def original_texts(column: Column, rows: np.ndarray) -> list[str]:
    """The values of these records, written like published cells that lose nothing."""
    if isinstance(column, Numbers):
        return number_texts(column.values[rows], column)
    if isinstance(column, Items):
        return item_texts(column, column.starts, column.items, rows)
    codes = column.codes[rows].tolist()
    if len(codes) >= len(column.labels):
        labels: Mapping[int, str] = dict(enumerate(label_texts(column)))
    else:  # a part of a table knows all labels of the whole
        gap = len(column.labels) - 1 if column.has_missing else -1
        labels = {code: MISSING if code == gap else alone(column.labels[code]) for code in set(codes)}
    return [labels[code] for code in codes]
