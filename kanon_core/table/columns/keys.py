"""Whole numbers that are equal where what they stand for is."""

from __future__ import annotations

import numpy as np
import pandas as pd


def distinct(keys: np.ndarray) -> np.ndarray:
    """The different keys (int64, 0 or more), ascending; sorting beats numpy's hashing for such keys."""
    if (keys[1:] > keys[:-1]).all():
        return keys
    ordered = np.sort(keys)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def ranked(values: np.ndarray) -> np.ndarray:
    """int32 (n): the rank of each number among the different ones, −1 = NaN."""
    return pd.factorize(values, sort=True)[0].astype(np.int32)


def row_keys(rows: np.ndarray) -> np.ndarray:
    """int64 (m): the same number for equal rows of an m × c array."""
    key = np.zeros(len(rows), np.int64)
    for i, column in enumerate(rows.T):
        part = np.unique(column, return_inverse=True)[1]
        key = paired(key, part) if i else part
    return key


def paired(key: np.ndarray, part: np.ndarray) -> np.ndarray:
    """int64 (m): the same number where two keys ≥ 0 are both equal; from 0 on, in their order."""
    return np.unique(key * (int(part.max(initial=0)) + 1) + part, return_inverse=True)[1]
