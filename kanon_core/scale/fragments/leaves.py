"""Rows of a fragment: where they are found once they were routed, and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from kanon_core.scale.encoding.batches import batch_in
from kanon_core.scale.encoding.item_codes import Keys, keys_of
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.fragments.routing import ROUTED
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.table.table import Table


class Rows(Protocol):
    """A reader of the rows of a fragment."""

    def batch(self, which: Any) -> pa.RecordBatch:
        """The rows of the fragment of this name, from all parts."""


@dataclass(frozen=True)
class Leaves:
    """The rows of a leaf of the tree of cuts. ``leaves``: for each part, the leaves of which it has rows, in
    the order of its batches."""

    encoded: Encoded
    leaves: tuple[tuple[int, ...], ...]

    def batch(self, which: int) -> pa.RecordBatch:
        """The rows of this leaf."""
        return batch_of(self.encoded, self.leaves, which)


def batch_of(encoded: Encoded, leaves: Sequence[tuple[int, ...]], leaf: int) -> pa.RecordBatch:
    """Return the rows of a fragment, from the batches of all parts; ``leaves``: see `Leaves`."""
    folder, found = Path(encoded.folder) / ROUTED, []
    for part, held in enumerate(leaves):
        if leaf in held:
            found.append(batch_in(folder / f"{part:06d}.arrow", held.index(leaf)))
    return pa.Table.from_batches(found).combine_chunks().to_batches()[0]


def table_of(whole: Whole, batch: pa.RecordBatch) -> Table:
    """The rows of a fragment as a table with the ranges and labels of the whole."""
    return whole.table(keys_in(whole, batch), batch.num_rows)


def keys_in(whole: Whole, batch: pa.RecordBatch) -> dict[str, Keys]:
    """Return, by coded column, the numbers of the rows of a fragment, or their codes in the whole."""
    names = whole.domain.columns
    return {name: keys_of(batch.column(f"key:{name}")) for name in names}
