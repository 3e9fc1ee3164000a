"""Sets in two arrays: set i holds ``members[starts[i]:starts[i + 1]]``."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BITS = 64
"""Members below this are bits of one number."""


def chosen_sets(starts: np.ndarray, members: np.ndarray, sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Starts, int64, and members of these sets, one after another; −1 is the empty set."""
    sizes = np.append(np.diff(starts), 0)[sets]
    found = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    first = np.append(starts[:-1], 0)[sets]
    return found, members[np.repeat(first - found[:-1], sizes) + np.arange(found[-1])]


def joined(starts: np.ndarray, codes: np.ndarray, labels: list[str], between: str) -> pa.Array:
    """Sets of codes as texts (large_string, m): their labels with ``between`` between them."""
    texts = pa.array(labels, pa.large_string()).take(pa.array(codes))
    lists = pa.LargeListArray.from_arrays(pa.array(starts, pa.int64()), texts)
    return pc.binary_join(lists, pa.scalar(between, pa.large_string()))


def incidence(starts: np.ndarray, members: np.ndarray, width: int) -> csr_array:
    """Return sets as a sparse matrix, int64 (m, width): 1 where set i has the member."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(members), np.int64), members, starts), shape=(len(starts) - 1, width))


def bit_flags(starts: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Sets of members below `BITS` as bits, unsigned (m), of as few bytes as they need.

    >>> bit_flags(np.array([0, 2, 2, 3]), np.array([0, 2, 1])).tolist()
    [5, 0, 2]
    """
    dtype = np.min_scalar_type(1 << int(members.max(initial=0)))
    held, flags = np.flatnonzero(np.diff(starts)), np.zeros(len(starts) - 1, dtype)
    if len(held):
        flags[held] = np.bitwise_or.reduceat(dtype.type(1) << members.astype(dtype), starts[held])
    return flags


def set_keys(starts: np.ndarray, members: np.ndarray) -> np.ndarray:
    """int64 (m): equal keys for equal sets, each given by its ascending members; in the order in which they
    first appear."""
    if members.max(initial=0) < BITS:
        return pd.factorize(bit_flags(starts, members))[0]
    packed, ends = members.astype("<i4").tobytes(), (4 * starts).tolist()
    return pd.factorize(np.array([packed[a:b] for a, b in itertools.pairwise(ends)], dtype=object))[0]
