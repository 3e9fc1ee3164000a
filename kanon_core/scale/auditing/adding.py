"""Sums of counts that were made apart: equal keys, such as hashes of equal rows, are counted as one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from kanon_core.scale.encoding.batches import batch_in


def added(keys: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different ``keys``, uint64 (m, columns), in order, and the sum of each one's ``counts``,
    int64 (m). Cost O(n log n).

    >>> keys = np.array([[2, 9], [1, 5], [2, 9]], np.uint64)
    >>> [each.tolist() for each in added(keys, np.array([1, 1, 3]))]
    [[[1, 5], [2, 9]], [1, 4]]
    """
    order = np.argsort(keys[:, 0])
    first = runs(keys[order])
    if len(first) > len(runs(keys[order, :1])):  # nearly never for hashes: the first word differs
        order = np.lexsort(keys.T[::-1])
        first = runs(keys[order])
    return keys[order[first]], summed(counts[order], first)


def added_over(folder: Path, files: int, place: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `added` for the batches at this place in so many files of a folder. Their columns are "count"
    and one for each word of the keys, in order."""
    read = pa.Table.from_batches([batch_in(folder / f"{i:06d}.arrow", place) for i in range(files)])
    words = [read[name].to_numpy() for name in read.column_names if name != "count"]
    return added(np.column_stack(words), read["count"].to_numpy())


def runs(keys: np.ndarray) -> np.ndarray:
    """Return the starts of runs of equal keys, int64; ``keys`` (n, columns), equal ones beside one another.

    >>> runs(np.array([[1, 5], [2, 8], [2, 8], [2, 9]])).tolist()
    [0, 1, 3]
    """
    return np.flatnonzero(np.append(True, (keys[1:] != keys[:-1]).any(axis=1))[: len(keys)])


def owners(first: np.ndarray, count: int) -> np.ndarray:
    """Return the run of each row, int64 (count); ``first``: the starts of the runs.

    >>> owners(np.array([0, 2]), 5).tolist()
    [0, 0, 1, 1, 1]
    """
    return np.repeat(np.arange(len(first)), np.diff(first, append=count))


def summed(counts: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the sum of each run's counts, int64; ``first``: the starts of the runs."""
    return np.add.reduceat(counts, first) if len(first) else np.zeros(0, np.int64)


def different(hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first row of each different one of these rows, uint64 (n, words), in ascending order, and
    the number of each row among the different ones; both int64."""
    order = np.lexsort(hashes.T[::-1])
    first, number = runs(hashes[order]), np.empty(len(hashes), np.int64)
    number[order] = owners(first, len(hashes))
    return order[first], number
