"""Routing: the rows of each fragment are brought together from all parts, and read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from kanon_core.scale.encoding.batches import batch_in, write_batches
from kanon_core.scale.encoding.item_codes import Keys, cells_of, keys_of
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.work.keeping import Result
from kanon_core.table.table import Table

ROUTED = "routed"
_TEXT = pa.large_string()
_ARROW = {
    "whole": pa.int64(),
    "number": pa.float64(),
    "moment": pa.timestamp("us"),
    "text": _TEXT,
    "none": _TEXT,
}


@dataclass(frozen=True)
class Route:
    """Writes the rows of a part fragment by fragment; only those of some leaves where these are named."""

    encoded: Encoded
    tree: Tree
    only: tuple[int, ...] = ()

    def __call__(self, part: int) -> Result:
        """Return the fragments of which the part has rows, int64, in the order of the batches that are
        written."""
        batch = self.encoded.batch(part)
        keys = self.encoded.keys(part, batch)
        leaves = self.encoded.leaves(part, keys, self.tree)
        order = np.argsort(leaves, kind="stable")
        if self.only:
            order = order[np.isin(leaves[order], self.only)]
        path = Path(self.encoded.folder) / ROUTED / f"{part:06d}.arrow"
        return write_groups(path, alike(batch, keys, self.encoded.whole), order, leaves[order])


def write_groups(path: Path, batch: pa.RecordBatch, order: np.ndarray, leaves: np.ndarray) -> Result:
    """Write rows of a part in this order, int64, a batch for each fragment; ``leaves``: the leaf of each row
    in this order, ascending. Returns the different leaves (``leaves``) and how many rows each has
    (``counts``), int64."""
    ordered = batch.take(pa.array(order))
    present, counts = np.unique(leaves, return_counts=True)
    starts = np.cumsum(counts) - counts
    slices = [
        ordered.slice(start, count) for start, count in zip(starts.tolist(), counts.tolist(), strict=True)
    ]
    write_batches(path, slices or [ordered])
    return {"leaves": present, "counts": counts}


def alike(batch: pa.RecordBatch, keys: Mapping[str, Keys], whole: Whole) -> pa.RecordBatch:
    """Return the rows of a part in the same form as those of all others: codes of the whole, cells of one
    type."""
    for place, name in enumerate(batch.schema.names):
        what, _, column = name.partition(":")
        cells = (
            cells_of(keys[column]) if what == "key" else batch.column(name).cast(_ARROW[whole.types[column]])
        )
        batch = batch.set_column(place, name, cells)
    return batch


class Rows(Protocol):
    """A reader of the rows of a fragment."""

    def batch(self, which: Any) -> pa.RecordBatch:
        """Return the rows of the fragment of this name, from all parts."""


@dataclass(frozen=True)
class Leaves:
    """The rows of a leaf of the tree of cuts. ``leaves``: for each part, the leaves of which it has rows, in
    the order of its batches."""

    encoded: Encoded
    leaves: tuple[tuple[int, ...], ...]

    def batch(self, which: int) -> pa.RecordBatch:
        """Return the rows of this leaf, from the batches of all parts."""
        folder, found = Path(self.encoded.folder) / ROUTED, []
        for part, held in enumerate(self.leaves):
            if which in held:
                found.append(batch_in(folder / f"{part:06d}.arrow", held.index(which)))
        return pa.Table.from_batches(found).combine_chunks().to_batches()[0]


def table_of(whole: Whole, batch: pa.RecordBatch) -> Table:
    """Return the rows of a fragment as a table with the ranges and labels of the whole."""
    return whole.table(keys_in(whole, batch), batch.num_rows)


def keys_in(whole: Whole, batch: pa.RecordBatch) -> dict[str, Keys]:
    """Return, by coded column, the numbers of the rows of a fragment, or their codes in the whole."""
    names = whole.domain.columns
    return {name: keys_of(batch.column(f"key:{name}")) for name in names}
