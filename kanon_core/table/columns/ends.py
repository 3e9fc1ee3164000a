"""Ends in a column of numbers: “> 89”, “90+”, “under 20”, as top and bottom coding writes them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kanon_core.table.notation.numbers import number_of
from kanon_core.table.notation.parts import parts_of

_LONGEST = 40


def with_ends(numbers: np.ndarray, texts: pd.Series) -> tuple[np.ndarray, int]:
    """float64 (n): the numbers, and where there is none the number at the end that its text names; and how
    many of these there are. Cost of the different texts that are no numbers.

    >>> values, ends = with_ends(np.array([42.0, np.nan, np.nan]), pd.Series(["42", "90+", "x"]))
    >>> values.tolist(), ends
    ([42.0, 90.0, nan], 1)
    """
    rows = np.flatnonzero(np.isnan(numbers) & texts.notna().to_numpy())
    if not len(rows):
        return numbers, 0
    codes, different = pd.factorize(texts.iloc[rows])
    found = np.array([end_of(text) if isinstance(text, str) else np.nan for text in different.tolist()])[
        codes
    ]
    values = numbers.copy()
    values[rows] = found
    return values, int((~np.isnan(found)).sum())


def end_of(text: str) -> float:
    """The number at the end of all that is greater, or less; NaN for anything else.

    >>> [end_of(text) for text in ("> 89", "90+", "<20", "≥90", "90 and over", "unknown", "20-30", "*")]
    [89.0, 90.0, 20.0, 90.0, 90.0, nan, nan, nan]
    """
    if len(text) > _LONGEST:
        return np.nan
    parts = parts_of(text)
    if parts.style[:1] not in (">", "<"):
        return np.nan
    end = number_of(parts.low if parts.style[0] == ">" else parts.high)
    return end if np.isfinite(end) else np.nan
