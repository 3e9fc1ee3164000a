"""Orders that reveal nothing of the input's order: rows and records sorted by a keyed hash of their content.

A permutation drawn from a seeded generator could be read back from the sorted rows, and the generator's state
with it; a keyed hash reveals nothing of its key.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from kanon_core.base.randomness import subkey
from kanon_core.table.columns.columns import Column, Items

_CHARACTERS = 16
"""The length of a key of SipHash, as pandas takes it: characters of 7 bits."""
_AT_ONCE = 65_536


def order_of_rows(frame: pd.DataFrame, seed: int) -> np.ndarray:
    """int64 (n): the order in which the rows of a frame are published, by a keyed hash (SipHash, 64 bits) of
    their texts; it does not depend on their order in the frame.

    Equal rows stand together. Cost O(n · columns), and a sort.

    >>> frame = pd.DataFrame({"age": ["20", "30", "40"]})
    >>> turned = frame[::-1]
    >>> a, b = frame.iloc[order_of_rows(frame, 7)], turned.iloc[order_of_rows(turned, 7)]
    >>> a.equals(b)
    True
    """
    columns = (pd.factorize(frame[name], use_na_sentinel=False) for name in frame.columns)
    return np.argsort(hashes_of_rows(columns, seed), kind="stable")


def hashes_of_rows(
    columns: Iterable[tuple[np.ndarray, Iterable[object]]], seed: int, purpose: str = "rows"
) -> np.ndarray:
    """uint64 (n): the keyed hash of each row by which `order_of_rows` puts rows in order, so that parts of a
    release can be put in order apart and merged; every ``purpose`` has its own hash. Each column is given as
    codes, int (n), and its different cells."""
    key = _key(seed, purpose)
    return _hashes([_hashed_cells(different, key)[codes] for codes, different in columns], key)


def hashed_texts(cells: Iterable[object], seed: int, purpose: str) -> np.ndarray:
    """uint64: a hash of each cell's text, keyed for one purpose."""
    return _hashed_cells(cells, _key(seed, purpose))


def order_of_records(frame: pd.DataFrame, columns: tuple[Column, ...], seed: int) -> np.ndarray:
    """int64 (n): the order in which an algorithm reads the records of a table, given as its frame and its
    encoded columns: by a keyed hash of all their values, so that the order of the file has no effect. Equal
    records are adjacent. Cost as `order_of_rows`, without its texts."""
    return np.argsort(hashes_of_records(frame, columns, seed), kind="stable")


def hashes_of_records(frame: pd.DataFrame, columns: tuple[Column, ...], seed: int) -> np.ndarray:
    """uint64 (n): the keyed hash of each record by which `order_of_records` puts them in order."""
    key = _key(seed, "records")
    hashes = []
    for place, column in enumerate(columns):
        if column.misfits is not None or column.attribute.categories is not None:  # other texts, equal values
            hashes.append(_texts_hashed(frame.iloc[:, place], key))
        if isinstance(column, Items):
            hashes.append(_sets_hashed(column, key))
        else:
            hashes.append(column.keys.astype(np.float64).view(np.uint64))
    return _hashes(hashes, key)


def _hashes(columns: list[np.ndarray], key: str) -> np.ndarray:
    """uint64 (n): a hash of each row's bytes, of these columns, uint64."""
    table = np.column_stack(columns)
    rows = np.ascontiguousarray(table).view(f"S{table.itemsize * table.shape[1]}").ravel()
    return _hashed(rows, key)


def _texts_hashed(values: pd.Series, key: str) -> np.ndarray:
    codes, different = pd.factorize(values, use_na_sentinel=False)
    return _hashed_cells(different, key)[codes]


def _hashed_cells(cells: Iterable[object], key: str) -> np.ndarray:
    return _hashed(np.array([str(cell) for cell in cells], object), key)


def _sets_hashed(column: Items, key: str) -> np.ndarray:
    """A sum over the items of each record: sets have no order."""
    each = _hashed(np.array(column.labels, object), key)
    sums = np.append(np.uint64(0), np.cumsum(each[column.items], dtype=np.uint64))  # modulo 2^64
    return np.asarray(sums[column.starts[1:]] - sums[column.starts[:-1]])


def _hashed(values: np.ndarray, key: str) -> np.ndarray:
    """uint64: a keyed hash of each text or each string of bytes."""
    found = np.empty(len(values), np.uint64)
    for start in range(0, len(values), _AT_ONCE):  # as objects, each takes several times its bytes
        part = values[start : start + _AT_ONCE].astype(object)
        found[start : start + _AT_ONCE] = pd.util.hash_array(part, hash_key=key, categorize=False)
    return found


def _key(seed: int, purpose: str) -> str:
    bits = subkey(seed, purpose)
    return "".join(chr(bits >> 7 * i & 127) for i in range(_CHARACTERS))
