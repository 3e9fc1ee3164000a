"""Published numbers and dates, from text back to intervals."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from kanon_core.release.cells import Intervals
from kanon_core.table.columns.columns import MISSING, Numbers
from kanon_core.table.columns.dates import parse_dates
from kanon_core.table.columns.texts import ANY, SUPPRESSED

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_INTERVAL = re.compile(r"([\[\](])\s*([^,;\[\]()]+?)\s*[,;]\s*([^,;\[\]()]+?)\s*([\[\])])")
_RANGE = re.compile(rf"({_NUMBER})\s*[-–~]\s*({_NUMBER})")
_BOUND = re.compile(r"(<=|>=|<|>|≤|≥)\s*(.+)")
_MASK = re.compile(r"(\d+)(\*+)")
_END = re.compile(rf"[+-]?(?:{_NUMBER}|inf|∞)")
_GAPS = f" or {MISSING}"

Ends = tuple[str, str, bool, bool]
"""The two ends as they are written, and whether each is left out of the interval."""


def read_intervals(texts: Sequence[str], column: Numbers) -> tuple[Intervals, np.ndarray]:
    """One cell for each text, and booleans (m): the text could not be read; such a cell is empty and fits no
    record.

    Read are values, ``[a, b]`` (also with ``;``), half-open ``[a, b)``, ``(a, b]`` and ``[a, b[``, ``a-b``
    for numbers that are not negative, ``<a``, ``<=a``, ``>a``, ``>=a``, masked digits ``13**``, `MISSING` or
    nothing, ``… or (missing)``, and ``*`` or `ANY` for whatever the column holds. Cost O(texts).
    """
    gaps = np.array([text.endswith(_GAPS) or text in (SUPPRESSED, ANY) for text in texts], bool)
    ends = [_ends(text.removesuffix(_GAPS).strip(), column) for text in texts]
    known = [parts or ("", "", False, False) for parts in ends]
    low = _values([parts[0] for parts in known], column)
    high = _values([parts[1] for parts in known], column)
    low = np.where([parts[2] for parts in known], np.nextafter(low, np.inf), low)
    high = np.where([parts[3] for parts in known], np.nextafter(high, -np.inf), high)
    missing = np.array([text in ("", MISSING) for text in texts], bool)
    bad = ~missing & ~(low <= high)
    low[bad], high[bad] = np.inf, -np.inf
    low[missing] = high[missing] = np.nan
    return Intervals(low, high, gaps & ~bad & ~missing), bad


def _ends(text: str, column: Numbers) -> Ends | None:
    """The ends of what is written; None for what cannot be an interval."""
    if text in (SUPPRESSED, ANY):
        return "-inf", "inf", False, False
    if found := _INTERVAL.fullmatch(text):
        first, low, high, last = found.groups()
        return low, high, first in "](", last in "[)"
    if found := _BOUND.fullmatch(text):
        sign, end = found.groups()
        return (
            (end, "inf", sign == ">", False)
            if sign in (">", ">=", "≥")
            else ("-inf", end, False, sign == "<")
        )
    if column.attribute.kind != "datetime":
        if found := _RANGE.fullmatch(text):
            return found[1], found[2], False, False
        if found := _MASK.fullmatch(text):
            digits, stars = found[1], len(found[2])
            return digits + "0" * stars, str(int(digits) + 1) + "0" * stars, False, True
    return text, text, False, False


def _values(ends: list[str], column: Numbers) -> np.ndarray:
    """float64 (m): the numbers, or dates as seconds, that are written; NaN for anything else."""
    infinite = {"inf": np.inf, "-inf": -np.inf}
    if column.attribute.kind != "datetime":
        numbers = [float(end.replace("∞", "inf")) if _END.fullmatch(end) else np.nan for end in ends]
        return np.array(numbers, np.float64) + 0.0
    stamps = parse_dates(pd.Series([None if end in infinite else end for end in ends], dtype="str"))
    if getattr(stamps.dt, "tz", None) is not None:
        stamps = stamps.dt.tz_convert("UTC").dt.tz_localize(None)
    micros = stamps.to_numpy().astype("datetime64[us]")
    seconds = np.where(np.isnat(micros), np.nan, (micros - np.datetime64(0, "us")).astype(np.float64) / 1e6)
    return np.array([infinite.get(end, value) for end, value in zip(ends, seconds.tolist(), strict=True)])
