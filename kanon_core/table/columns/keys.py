"""Whole numbers that are equal where what they stand for is."""

from __future__ import annotations

import numpy as np


def distinct(keys: np.ndarray) -> np.ndarray:
    """The different keys (int64, 0 or more), ascending; sorted, as numpy's hashing takes long for keys of a
    pattern.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    if (keys[1:] > keys[:-1]).all():
        return keys
    ordered = np.sort(keys)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def row_keys(rows: np.ndarray) -> np.ndarray:
    """int64 (m): the same number for equal rows of an m × c array.

    >>> row_keys(np.array([[1, 2], [0, 9], [1, 2]])).tolist()
    [1, 0, 1]
    """
    key = np.zeros(len(rows), np.int64)
    for i, column in enumerate(rows.T):
        part = np.unique(column, return_inverse=True)[1]
        key = paired(key, part) if i else part
    return key


def paired(key: np.ndarray, part: np.ndarray) -> np.ndarray:
    """int64 (m): the same number from 0 on where both of two keys ≥ 0 are equal, in the order of the first,
    then the second.

    >>> paired(np.array([0, 1, 0]), np.array([2, 2, 2])).tolist()
    [0, 1, 0]
    """
    return np.unique(key * (int(part.max(initial=0)) + 1) + part, return_inverse=True)[1]
