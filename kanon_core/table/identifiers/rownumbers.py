"""Recognition of numbers of rows, records and staff, which identify every record and reflect its place."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from kanon_core.table.naming import spaced

_ROWS = re.compile(
    r"^(row ?(names?|numbers?|nums?|no|nr|id|index|count)|rownames?|no|nr|nbr|s ?no|sr ?no|sl ?no|ser ?no"
    r"|(serial|running|sequence|seq|record|rec|obs|observation|respondent|case|line|entry)"
    r" ?(no|nr|num|number|id)"
    r"|lfd ?(nr|nummer)|laufende ?(nr|nummer)|(numéro|n°) (de ligne|d ordre)"
    r"|n° ?|(行|連|通し|整理|管理|通)番号?|№)$",
)
_MAYBE = re.compile(r"^(index|idx|num|number|nummer|seq|sequence|serial|obs|row|rows|id|番号)$")
_NONE = re.compile(r"^(unnamed( ?\d+)?( level \d+)?|column \d+|)$")
FEWEST = 10
"""From so many records on, a column that rises by one is a number of rows whatever its name."""
_DIGITS = re.compile(r"\d{1,15}")


def numbers_rows(name: str, present: pd.Series) -> bool:
    """Return whether a column, its missing cells left out, numbers the rows: its values are different whole
    numbers, also as texts, that rise by one in the order of the file, from whatever start, or that only rise
    or only differ where the name is that of row numbers (`index`, `RowNumber`, `S.No`). A column without a
    name, and fewer than ten records, count only where they rise by one from 0 or 1. Cost O(n).

    >>> numbers_rows("x7", pd.Series(range(1001, 1031))), numbers_rows("S.No", pd.Series([4, 9, 2]))
    (True, True)
    >>> numbers_rows("age", pd.Series([30, 31, 32])), numbers_rows("index", pd.Series([104, 99, 101]))
    (False, False)
    """
    words = spaced(name).strip().casefold()
    values = _whole(present)
    if values is None or len(values) < 2:
        return False
    steps = np.diff(values)
    by_one = bool((steps == 1).all())
    if len(values) >= FEWEST and by_one:
        return True
    if _NONE.match(words):
        return by_one and values[0] in (0, 1)
    if _MAYBE.match(words):
        return bool((steps > 0).all())
    return bool(_ROWS.match(words)) and (by_one or len(np.unique(values)) == len(values))


def _whole(present: pd.Series) -> np.ndarray | None:
    """The values as int64 where all are whole numbers, or texts of digits; else None. Only the first few are
    looked at of columns that have others."""
    if pd.api.types.is_bool_dtype(present) or not len(present):
        return None
    if pd.api.types.is_integer_dtype(present):
        return present.to_numpy(np.int64)
    if pd.api.types.is_float_dtype(present):
        values = present.to_numpy(np.float64)
        whole = np.isfinite(values).all() and (values == np.floor(values)).all() and abs(values).max() < 2**53
        return values.astype(np.int64) if whole else None
    if pd.api.types.is_datetime64_any_dtype(present):
        return None
    if not all(_DIGITS.fullmatch(str(value).strip()) for value in present.iloc[: 2 * FEWEST]):
        return None
    numbers = pd.to_numeric(present.astype(str), errors="coerce")
    return None if numbers.isna().any() or numbers.abs().max() >= 2**53 else _whole(numbers)
