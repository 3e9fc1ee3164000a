"""Reading and writing files: our seconds, and those of pandas' own reader, on the same bytes."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.table.readers import read_frame
from kanon_core.table.writers import write_frame

_LARGE = 300 * 2**20


def rows() -> Iterator[dict[str, Any]]:
    """One row a measurement: the least wall time of several runs after a first one, in seconds.

    With KANON_DATA the 32,561 × 15 table is Adult, else one of the same shape and bytes is made. The large
    file repeats it up to 300 MB in the system's temporary folder, is read once by each, and tells the peak of
    Arrow's memory and the size of the frame.
    """
    data = _table()
    yield _row(
        "read csv 32,561 × 15",
        _least(lambda: read_frame(data), 7),
        peer_s=_least(lambda: _pandas(data), 7),
        target_s=0.3,
    )
    frame = read_frame(data).frame
    for format in ("csv", "parquet", "xlsx"):
        written = write_frame(frame, format=format)
        yield _row(f"write {format} 32,561 × 15", _least(lambda f=format: write_frame(frame, format=f), 3))  # type: ignore[misc]
        if format != "csv":
            yield _row(f"read {format} 32,561 × 15", _least(lambda w=written: read_frame(w), 2))  # type: ignore[misc]
    yield _large(data)


def _large(data: bytes) -> dict[str, Any]:
    import pyarrow as pa

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        with path.open("wb") as file:
            while file.tell() < _LARGE:
                file.write(data)
        start = time.perf_counter()
        reading = read_frame(path)
        seconds = time.perf_counter() - start
        records = len(reading.frame)
        held = reading.frame.memory_usage(deep=True).sum() / 2**20
        peak = pa.default_memory_pool().max_memory() / 2**20
        del reading
        peer = _least(lambda: pd.read_csv(path, header=None, skipinitialspace=True), 1)
    work = f"read csv 300 MB, {records:,} × 15 (frame {held:,.0f} MB, Arrow peak {peak:,.0f} MB)"
    return _row(work, seconds, peer_s=peer)


def _table() -> bytes:
    """Adult without its blank last line, or a table of the same shape."""
    path = Path(os.environ.get("KANON_DATA", "")) / "adult" / "adult.data"
    if path.is_file():
        return path.read_bytes().rstrip(b"\n") + b"\n"
    rng = np.random.default_rng(0)
    columns: list[list[str]] = [rng.integers(0, 10**5, 32_561).astype(str).tolist() for _ in range(6)]
    words = np.array([f"value-{i}" for i in range(16)])
    columns += [words[rng.integers(0, 16, 32_561)].tolist() for _ in range(9)]
    return "".join(f"{', '.join(row)}\n" for row in zip(*columns, strict=True)).encode()


def _pandas(data: bytes) -> pd.DataFrame:
    from io import BytesIO

    return pd.read_csv(BytesIO(data), header=None, skipinitialspace=True)


def _least(work: Callable[[], object], times: int) -> float:
    seconds = []
    for _ in range(times + (times > 1)):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def _row(
    work: str, ours: float, peer_s: float | None = None, target_s: float | None = None
) -> dict[str, Any]:
    peer = None if peer_s is None else "pandas.read_csv"
    return {"work": work, "ours_s": ours, "peer": peer, "peer_s": peer_s, "target_s": target_s}


if __name__ == "__main__":
    for row in rows():
        print(row)
