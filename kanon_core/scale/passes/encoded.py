"""Encoded parts of a job, and their rows as the cuts read them: scaled and numbered once, and equal rows
counted as one if there are many. These rows are kept beside the encoded part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from kanon_core.algorithms.partitioning.constraints import numbered
from kanon_core.algorithms.partitioning.equals import different
from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import new_records
from kanon_core.scale.encoding.batches import batch_in
from kanon_core.scale.encoding.item_codes import Keys, Sets, keys_of
from kanon_core.scale.encoding.whole import Whole, whole_in
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.work.keeping import kept
from kanon_core.scale.work.storage import written
from kanon_core.table.domain import LabelDomain

if TYPE_CHECKING:
    from kanon_core.scale.passes.counting_kernels import Rows

WHOLE, PARTS = "whole.npz", "parts"
COUNTED = "counted"


@dataclass(frozen=True)
class Encoded:
    """The encoded parts in the folder of a job."""

    folder: str

    @property
    def whole(self) -> Whole:
        """Return what the parts have in common."""
        path = Path(self.folder) / WHOLE
        return whole_in(str(path), path.stat().st_mtime_ns)

    def batch(self, part: int) -> pa.RecordBatch:
        """Return the rows of a part, as they are on disk."""
        return batch_in(Path(self.folder) / PARTS / f"{part:06d}.arrow")

    def keys(self, part: int, batch: pa.RecordBatch, sets: bool = True) -> dict[str, Keys]:
        """Return, by coded column, numbers as they are written, and words and items as codes in the whole;
        without ``sets``, item sets are left out."""
        known, whole = kept(Path(self.folder) / "encode" / f"{part:06d}.npz"), self.whole
        assert known is not None
        found: dict[str, Keys] = {}
        for name in whole.domain.columns:
            if whole.schema[name].kind == "items" and not sets:
                continue
            found[name] = own = keys_of(batch.column(f"key:{name}"))
            if f"labels:{name}" in known:
                number = whole.numbering(name, known[f"labels:{name}"])
                found[name] = own.numbered(number) if isinstance(own, Sets) else number[own]
            elif isinstance(
                labels := whole.domain.columns[name], LabelDomain
            ):  # no cell of this part has any
                found[name] = np.full(len(own), len(labels.labels), np.int32)
        return found

    def rows(self, keys: Mapping[str, Keys]) -> tuple[Rows, np.ndarray]:
        """Return rows, given by their numbers or codes in the whole, as the cuts take them, and their
        sensitive values as a rule numbers them, int64 (n, columns)."""
        from kanon_core.scale.passes.counting_kernels import Rows

        whole = self.whole
        sensitive = numbered(whole.protected(keys), len(next(iter(keys.values()))))
        records, _ = new_records(whole.unit(keys), sensitive)
        return Rows(records.numeric, records.values, records.weight), sensitive

    def counted(self, part: int) -> tuple[Rows, np.ndarray]:
        """Return the rows of a part that the cuts count; no cut is made at item sets."""
        return self.rows(self.keys(part, self.batch(part), sets=False))

    def leaves(self, part: int, keys: Mapping[str, Keys], tree: Tree) -> np.ndarray:
        """Return the leaf of the tree of each row of a part, int64 (n)."""
        return tree.leaf_of(self.rows(keys)[0])


def counted_rows(encoded: Encoded, part: int) -> tuple[Rows, np.ndarray]:
    """Return the rows of a part and their sensitive values, as `once` gives them; the first pass writes them,
    every other reads them."""
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
    """Return the different ones among these rows, each with its count; or the rows themselves where counting
    does not pay."""
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
