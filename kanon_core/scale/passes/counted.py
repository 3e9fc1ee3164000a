"""The rows of a part as the passes of the cuts see them: scaled and numbered once, and equal ones counted
once where they are many. They lie beside the encoded part."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.algorithms.partitioning.equals import different
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.places import written

if TYPE_CHECKING:
    from kanon_core.scale.passes.counting_kernels import Rows

COUNTED = "counted"


def counted_rows(encoded: Encoded, part: int) -> tuple[Rows, np.ndarray]:
    """The rows of a part and their sensitive values, as `once` gives them; the first pass writes them, every
    other reads them."""
    path = Path(encoded.folder) / COUNTED / f"{part:06d}.npy"
    if path.exists():
        return _read(path)
    rows, sensitive = once(*encoded.counted(part))
    values, guarded = rows.values.astype(np.int32), sensitive.astype(np.int32)
    with written(path) as beside, beside.open("wb") as file:
        for array in (rows.numeric, values, rows.counts, guarded):
            np.save(file, array, allow_pickle=False)
    return rows, sensitive


def once(rows: Rows, sensitive: np.ndarray) -> tuple[Rows, np.ndarray]:
    """The different ones among these rows, each with its count; the rows themselves where it does not pay."""
    found = different([*rows.numeric.T, *rows.values.T, *sensitive.T])
    if found is None:
        return rows, sensitive
    numeric, values = rows.numeric[found.first], rows.values[found.first]
    return rows._replace(numeric=numeric, values=values, counts=found.counts), sensitive[found.first]


def _read(path: Path) -> tuple[Rows, np.ndarray]:
    from kanon_core.scale.passes.counting_kernels import Rows

    with path.open("rb") as file:
        numeric, values, counts, sensitive = (np.load(file, allow_pickle=False) for _ in range(4))
    return Rows(numeric, values.astype(np.int64), counts), sensitive.astype(np.int64)
