"""A digest of a frame, different whenever a name, a type, a cell or the order differs; keyed sums of rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick
from kanon_core.base.randomness import subkey
from kanon_core.base.words import tr

_CELLS_PER_TICK = 50_000
_GONE = np.uint64(0x7FF8_0000_0000_0000)
_WORD = 2**64 - 1


def digest_of(frame: pd.DataFrame, tick: Tick) -> str:
    """SHA-256 (64 hex digits) of names, types and every cell; ticks within. Cost O(cells)."""
    names = [str(name) for name in frame.columns]
    digest = hashlib.sha256(json.dumps([len(frame), *names]).encode())
    for i, name in enumerate(names):
        now = partial(tick, i / len(names), tr("digest of {name}").format(name=name))
        now()
        for part in _content(frame.iloc[:, i], now):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()


def _content(values: pd.Series, tick: Callable[[], None]) -> Iterator[bytes]:
    """Bytes that differ whenever the type or a cell of a column differs; all missing cells are alike."""
    yield str(values.dtype).encode()
    if pd.api.types.is_numeric_dtype(values) and isinstance(values.dtype, np.dtype):
        cells = values.to_numpy()
        if cells.dtype.kind == "f":
            cells = np.where(np.isnan(cells), np.array(np.nan, cells.dtype), cells)
        yield np.ascontiguousarray(cells).astype(cells.dtype.newbyteorder("<")).tobytes()
        return
    typed = values.map(_typed, na_action="ignore") if values.dtype == object else values
    codes, uniques = pd.factorize(typed)
    tick()
    yield codes.astype("<i8").tobytes()
    lists = []
    for begin in range(0, len(uniques), _CELLS_PER_TICK):
        lists.append(json.dumps([str(value) for value in uniques[begin : begin + _CELLS_PER_TICK]])[1:-1])
        tick()
    yield f"[{', '.join(lists)}]".encode()


def _typed(value: object) -> str:
    return f"{type(value).__name__} {value}"


def sums_of_rows(frame: pd.DataFrame, seed: int) -> np.ndarray:
    """uint64 (2): sums of two keyed hashes of each row, modulo 2^64. Those of two parts of a table add up to
    those of the whole, whatever the order of its rows. Cost O(cells).

    >>> frame = pd.DataFrame({"age": [30, 41], "city": ["Rome", None]})
    >>> one, other = sums_of_rows(frame[:1], 7), sums_of_rows(frame[1:], 7)
    >>> bool((one + other == sums_of_rows(frame[::-1], 7)).all())
    True
    """
    return np.asarray(hashes_of_both(frame, seed, "digest").sum(axis=0, dtype=np.uint64))


def hashes_of_both(frame: pd.DataFrame, seed: int, purpose: str) -> np.ndarray:
    """uint64 (n, 2): two hashes of each row, keyed for one purpose; they are equal for equal rows, and almost
    never for different ones. Numbers are equal whatever their type."""
    from kanon_core.table.order import hashed_texts

    found = np.zeros((len(frame), 2), np.uint64)
    for place in range(frame.shape[1]):
        cells, lanes = frame.iloc[:, place], [f"{purpose} {lane} {place}" for lane in range(2)]
        gone = cells.isna().to_numpy()
        if cells.dtype.kind in "iuf":
            words = [(cells.to_numpy(np.float64) + 0.0).view(np.uint64)] * 2
        else:
            codes, different = pd.factorize(cells, use_na_sentinel=False)
            words = [hashed_texts(different, seed, lane)[codes] for lane in lanes]
        for lane, name in enumerate(lanes):
            word = np.where(gone, _GONE, words[lane])  # missing, whatever the type of the others
            found[:, lane] += mixed(word + np.uint64(subkey(seed, name) & _WORD))
    return mixed(found)


def joined(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """uint64 (n, 2): the hashes of rows that are made of two, whose `hashes_of_both` for two purposes these
    are."""
    return mixed(first + second)


def mixed(words: np.ndarray) -> np.ndarray:
    """Each word's bits, stirred so that every bit depends on all (G. L. Steele, D. Lea, C. H. Flood, Fast
    splittable pseudorandom number generators, OOPSLA 2014)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(words ^ (words >> np.uint64(31)))
