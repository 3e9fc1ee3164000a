"""Dates: texts to points in time, and points in time to seconds."""

from __future__ import annotations

import numpy as np
import pandas as pd

ENOUGH = 0.95
"""A column holds dates when this share of its cells are."""

_LONGEST = 64
"""Characters of a date: the search for one in any form takes the square of the length."""
_FORMS = (
    "ISO8601",
    *("%Y/%m/%d", "%Y/%m/%d %H:%M", "%Y/%m/%d %H:%M:%S"),
    *("%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "mixed"),
)


def parse_dates(texts: pd.Series) -> pd.Series:
    """Texts to datetime64 in UTC, NaT where a text is no date: ISO, y/m/d with or without time, 年月日.

    The first form that fits 95 % of the texts is that of all. Offsets may differ from text to text, as summer
    and winter time do; a text without one is taken as UTC.
    """
    plain = _plain(texts)
    for form in _FORMS:
        parsed = pd.to_datetime(plain, format=form, errors="coerce", utc=True)
        if _enough(parsed, plain):
            break
    return parsed


def are_iso(texts: pd.Series) -> bool:
    """Whether `parse_dates` reads these texts by the first of its forms, each apart from the others; it then
    reads parts of them just so.

    >>> are_iso(pd.Series(["2024-05-31", "2024-06-01 12:30"])), are_iso(pd.Series(["31.5.2024"]))
    (True, False)
    """
    plain = _plain(texts)
    return _enough(pd.to_datetime(plain, format=_FORMS[0], errors="coerce", utc=True), plain)


def _plain(texts: pd.Series) -> pd.Series:
    plain = texts.astype("str").str.strip().str.replace(r"年|月", "-", regex=True)
    plain = plain.str.replace("日", "", regex=False)
    return plain.where(plain.str.len() <= _LONGEST)


def _enough(parsed: pd.Series, plain: pd.Series) -> bool:
    return bool(parsed.notna().sum() >= ENOUGH * plain.notna().sum())


def seconds(dates: pd.Series) -> np.ndarray:
    """float64: seconds since 1970, UTC, NaN = missing; a microsecond is kept exactly until the year 2106."""
    if getattr(dates.dt, "tz", None) is not None:
        dates = dates.dt.tz_convert("UTC").dt.tz_localize(None)
    stamps = dates.to_numpy().astype("datetime64[us]")
    found = (stamps - np.datetime64(0, "us")).astype(np.float64) / 1e6
    return np.where(np.isnat(stamps), np.nan, found)
