"""Frequencies of values: hashes are counted in each part or file, and the counts are added up over all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.scale.auditing.adding import added, added_over
from kanon_core.scale.encoding.batches import in_runs, write_batches
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.source.celltypes import PANDAS
from kanon_core.scale.work.keeping import Result
from kanon_core.table.digests import hashes_of_both, joined

ONCE = "once"


class Together(NamedTuple):
    """Columns whose values are counted together; ``within``: together with the published
    quasi-identifiers."""

    names: tuple[str, ...]
    within: bool = False


@dataclass(frozen=True)
class Occurring:
    """Counts how often the values of columns occur in one part; ``ranges``: the number of runs of hashes into
    which the counts are divided, so that each run can be added up by itself."""

    encoded: Encoded
    sets: tuple[Together, ...]
    seed: int
    ranges: int

    def __call__(self, part: int) -> Result:
        """Return how many rows the part has."""
        batch, types = self.encoded.batch(part), self.encoded.whole.types
        cells: dict[str, pd.Series] = {}
        for name in {name for one in self.sets for name in one.names}:
            cells[name] = batch[f"cell:{name}"].to_pandas().astype(PANDAS[types[name]])
        batches = batches_of(pd.DataFrame(cells), self.sets, None, self.seed, self.ranges)
        write_batches(Path(self.encoded.folder) / ONCE / f"{part:06d}.arrow", batches)
        return {"rows": batch.num_rows}


def batches_of(
    frame: pd.DataFrame, sets: Sequence[Together], classes: np.ndarray | None, seed: int, ranges: int
) -> list[pa.RecordBatch]:
    """Return, for each of the sets and each run of hashes, the hashes of the values and the number of rows
    with each. ``classes``: the hashes of the published quasi-identifiers, uint64 (n, 2)."""
    batches: list[pa.RecordBatch] = []
    for one in sets:
        hashes = hashes_of_both(frame[list(one.names)], seed, "unchanged")
        if one.within:
            assert classes is not None
            hashes = joined(classes, hashes)
        keys, counts = added(hashes, np.ones(len(hashes), np.int64))
        columns = {"one": keys[:, 0], "other": keys[:, 1], "count": counts}
        arrays = {name: pa.array(np.ascontiguousarray(values)) for name, values in columns.items()}
        batches += in_runs(pa.RecordBatch.from_pydict(arrays), keys[:, 0], ranges)
    return batches


@dataclass(frozen=True)
class Once:
    """Adds the counts of one run of hashes up over all parts."""

    encoded: Encoded
    sets: int
    ranges: int
    parts: int

    def __call__(self, place: int) -> Result:
        """Return `rare` for values that occur once."""
        return rare(Path(self.encoded.folder) / ONCE, self.parts, (self.sets, self.ranges, place), 2)


def rare(folder: Path, parts: int, run: tuple[int, int, int], k: int) -> Result:
    """Return the counts over all parts and one run of hashes, int64 (sets): how many rows have a value that
    no other row has, ``alone``, and one that fewer than k rows have, ``few``; and how many ``different``
    values there are. ``run``: the number of sets, the number of runs, and the number of this run."""
    sets, ranges, place = run
    alone, few, different = np.zeros((3, sets), np.int64)
    for number in range(sets):
        counts = added_over(folder, parts, number * ranges + place)[1]
        alone[number], few[number] = np.count_nonzero(counts == 1), counts[counts < k].sum()
        different[number] = len(counts)
    return {"alone": alone, "few": few, "different": different}
