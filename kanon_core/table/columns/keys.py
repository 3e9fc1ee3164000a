"""Keys: whole numbers that are equal where the values they represent are equal."""

from __future__ import annotations

import numpy as np
import pandas as pd


def distinct(keys: np.ndarray) -> np.ndarray:
    """The different keys (int64, 0 or more), ascending; sorting beats numpy's hashing for such keys."""
    if (keys[1:] > keys[:-1]).all():
        return keys
    ordered = np.sort(keys)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def tallied(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different keys (int64), ascending, and how many there are of each, int64.

    >>> [part.tolist() for part in tallied(np.array([7, 2, 7]))]
    [[2, 7], [1, 2]]
    """
    ordered = np.sort(keys)
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(keys)])
    return ordered[first], np.diff(np.append(first, len(keys)))


def order_of(keys: np.ndarray) -> np.ndarray:
    """int64 (n): the places of whole numbers in ascending order, equal ones in the order given.

    A stable argsort. Key and place are sorted as one number where they fit into 63 bits: ten times as fast on
    machines that sort such numbers many at once.

    >>> order_of(np.array([3, -1, 3, 0])).tolist()
    [1, 3, 0, 2]
    """
    bits = len(keys).bit_length()
    if not len(keys) or max(int(keys.max()), -int(keys.min())) >= 1 << (63 - bits):
        return np.argsort(keys, kind="stable")
    packed = keys.astype(np.int64) << bits
    packed |= np.arange(len(keys))
    packed.sort()
    packed &= (1 << bits) - 1
    return packed


def numbered(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different keys (int64), ascending, and which of them each key is, int64 (n).

    >>> [part.tolist() for part in numbered(np.array([7, 2, 7]))]
    [[2, 7], [1, 0, 1]]
    """
    order = order_of(keys)
    ordered = keys[order]
    new = np.append(True, ordered[1:] != ordered[:-1])[: len(keys)]
    found, number, place = ordered[new], np.cumsum(new), np.empty(len(keys), np.int64)
    number -= 1
    place[order] = number
    return found, place


def counted_below(ordered: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """int64 (n): how many of the ascending numbers are below each key, `numpy.searchsorted`; with many keys,
    each is searched near the one before.

    >>> counted_below(np.array([1, 3, 3]), np.array([9, 3, 0])).tolist()
    [3, 1, 0]
    """
    order, found = order_of(keys), np.empty(len(keys), np.int64)
    found[order] = np.searchsorted(ordered, keys[order])
    return found


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
    return numbered(key * (int(part.max(initial=0)) + 1) + part)[1]


def by_first(labels: np.ndarray) -> np.ndarray:
    """int64 (n): labels ≥ 0 renumbered 0, 1, … in the order of their first occurrence; −1 stays.

    >>> by_first(np.array([7, 7, -1, 3, 3])).tolist()
    [0, 0, -1, 1, 1]
    """
    top = int(labels.max()) + 1
    if top == 0:
        return labels.astype(np.int64)
    if top > 4 * len(labels):
        labels = np.unique(labels, return_inverse=True)[1] - int(labels.min() < 0)
        top = int(labels.max()) + 1
    first = np.full(top, len(labels), np.int64)
    positions = np.flatnonzero(labels >= 0)[::-1]
    first[labels[positions]] = positions
    used = np.flatnonzero(first < len(labels))
    number = np.full(top + 1, -1)
    number[used[np.argsort(first[used])]] = np.arange(len(used))
    return np.asarray(number[labels])
