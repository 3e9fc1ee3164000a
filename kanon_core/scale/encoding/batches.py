"""Files of Arrow batches in the work folder: how they are written, and read again one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

from kanon_core.scale.work.storage import written


def write_batches(path: Path, batches: Sequence[pa.RecordBatch]) -> None:
    """Write the batches, which have one schema, as an Arrow file, all at once."""
    with (
        written(path) as beside,
        pa.OSFile(str(beside), "wb") as file,
        pa.ipc.new_file(file, batches[0].schema) as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)


def in_runs(batch: pa.RecordBatch, hashes: np.ndarray, runs: int) -> list[pa.RecordBatch]:
    """Return the rows of a batch, whose ``hashes`` (uint64) ascend, as so many batches: the range of all
    possible hashes is divided into runs of equal length."""
    bounds = np.array([-(-run * 2**64 // runs) for run in range(1, runs)], np.uint64)
    starts = [0, *np.searchsorted(hashes, bounds).tolist(), len(hashes)]
    return [batch.slice(start, end - start) for start, end in pairwise(starts)]


def batch_in(path: Path, place: int = 0) -> pa.RecordBatch:
    """Return one batch of an Arrow file. It is read, not mapped: the system would map many pages around it,
    which count as a worker's memory if it reads a little of each of many files."""
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).get_batch(place)


def batches_in(path: Path) -> list[pa.RecordBatch]:
    """Return all batches of an Arrow file."""
    with pa.OSFile(str(path)) as file:
        reader = pa.ipc.open_file(file)
        return [reader.get_batch(i) for i in range(reader.num_record_batches)]
