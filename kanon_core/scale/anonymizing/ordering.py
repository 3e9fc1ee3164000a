"""The published order: each file of the release takes its run of the keyed hashes from all fragments."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from kanon_core.base.infile import encodable
from kanon_core.scale.anonymizing.fragment import STAGED
from kanon_core.scale.encoding.batches import batch_in
from kanon_core.scale.work.keeping import Result
from kanon_core.scale.work.storage import written
from kanon_core.table.writers.cells import fitted_names

RELEASE = "release"


def file_name(run: int) -> str:
    """Return the name of a file of the release; the names are in the order of the rows.

    >>> file_name(7)
    'part-00007.parquet'
    """
    return f"part-{run:05d}.parquet"


@dataclass(frozen=True)
class Order:
    """Writes one file of the release: all rows with a hash in its run, in the order of their hashes."""

    folder: str
    fragments: int

    def __call__(self, run: int) -> Result:
        """Return how many rows the file has."""
        staged = (Path(self.folder) / STAGED / f"{place:06d}.arrow" for place in range(self.fragments))
        batches = [batch_in(path, run) for path in staged]
        order = np.argsort(np.concatenate([rows["hash"].to_numpy() for rows in batches]), kind="stable")
        names = [name.removeprefix("cell:") for name in batches[0].schema.names if name != "hash"]
        arrays = [_plain([rows[f"cell:{name}"] for rows in batches], order) for name in names]
        table = pa.table(arrays, names=fitted_names(names, encodable))
        with written(Path(self.folder) / RELEASE / file_name(run), lasting=True) as beside:
            pq.write_table(table, beside, compression="zstd", store_schema=False)
        return {"rows": len(order)}


def _plain(chunks: list[Any], order: np.ndarray) -> Any:
    """Return the cells in this order; texts that are coded in all fragments stay coded, so that parquet need
    not find the different ones anew."""
    if all(pa.types.is_dictionary(one.type) for one in chunks):
        cells = pa.chunked_array(chunks).unify_dictionaries().combine_chunks().take(pa.array(order))
        return _coded_anew(cells)
    chunks = [one.dictionary_decode() if pa.types.is_dictionary(one.type) else one for one in chunks]
    return pa.chunked_array(chunks).take(pa.array(order))


def _coded_anew(cells: Any) -> Any:
    """Return the same cells, coded by only those texts that occur here, in the order in which they occur.
    Parquet writes the list of texts into the file as it is, and it was in the order of the originals, with
    the texts of suppressed records."""
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks()
    present = np.asarray(cells.is_valid())
    codes = cells.indices.fill_null(0).to_numpy(zero_copy_only=False)[present]
    first = np.full(len(cells.dictionary), len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    by = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(codes))]
    number = np.zeros(len(first), np.int32)
    number[by] = np.arange(len(by), dtype=np.int32)
    anew = np.zeros(len(cells), np.int32)
    anew[present] = number[codes]
    return pa.DictionaryArray.from_arrays(pa.array(anew, mask=~present), cells.dictionary.take(pa.array(by)))
