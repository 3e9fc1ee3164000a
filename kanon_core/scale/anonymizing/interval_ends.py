"""Ends of intervals, written by each fragment, and brought together by the published rows: equal rows of
several fragments are one class, in which several records may then have an end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.covers.cells import rows_of
from kanon_core.findings.ends import Ends, IntervalRecords, intervals_of
from kanon_core.metrics.summed import Anonymized
from kanon_core.scale.encoding.batches import in_runs, write_batches
from kanon_core.scale.work.keeping import Result
from kanon_core.table.digests import hashes_of_both
from kanon_core.table.table import Table

ENDS = "ends of rows"
CLASS = ("class", "class too")
_RECORDS = 40  # bits for the number of a record in its fragment; the bits above hold the fragment's place


def write_ends(
    path: Path,
    table: Table,
    made: Anonymized,
    cells: Callable[[np.ndarray], pd.DataFrame],
    numbers: tuple[int, int, int],
) -> Result:
    """Write the ends of a fragment, a batch for each run of hashes. Return whether there are any: there are
    none without columns of intervals, nor if sets overlap, as one fragment then holds all records of a row.
    ``cells``: what is published of some records in the quasi-identifiers; ``numbers``: of the fragment's
    place, the seed, and the runs."""
    columns, (place, seed, runs) = list(intervals_of(table, made)), numbers
    if made.cover.overlap or not columns:
        return {ENDS: False}
    shown = IntervalRecords.of_rows(rows_of(made.set_of, made.published))
    hashes = hashes_of_both(cells(shown.first), seed, "classes")
    order = np.argsort(hashes[:, 0], kind="stable")
    arrays = {name: hashes[order, i] for i, name in enumerate(CLASS)}
    for column, published in columns:
        own = Ends.of(column, published, shown)
        arrays[f"wide:{own.name}"] = own.wide[order]
        for end in range(2):
            arrays[f"held {end}:{own.name}"] = own.held[order, end]
            arrays[f"who {end}:{own.name}"] = own.who[order, end] + (np.int64(place) << _RECORDS)
    batch = pa.RecordBatch.from_pydict({name: pa.array(each) for name, each in arrays.items()})
    write_batches(path, in_runs(batch, hashes[order, 0], runs))
    return {ENDS: True}


def read_ends(ends_table: pa.Table) -> list[Ends]:
    """Return, by column, the ends in the batches of several fragments."""
    names = [name.removeprefix("wide:") for name in ends_table.column_names if name.startswith("wide:")]

    def of_both(what: str, name: str) -> np.ndarray:
        return np.column_stack([ends_table[f"{what} {end}:{name}"].to_numpy() for end in range(2)])

    return [
        Ends(name, of_both("held", name), of_both("who", name), ends_table[f"wide:{name}"].to_numpy())
        for name in names
    ]
