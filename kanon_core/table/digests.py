"""A digest of a frame: different whenever a name, a type or a cell differs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick
from kanon_core.base.words import tr

_CELLS_PER_TICK = 50_000


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
