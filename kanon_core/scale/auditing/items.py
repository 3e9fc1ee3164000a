"""Audit of (k, kᵐ)-anonymity over all files of a release: rows of equal single values are brought together
from all files, and the items that they publish are counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.base.errors import BrokenPromise
from kanon_core.base.words import tr
from kanon_core.covers.cells import CommonItems
from kanon_core.guarantees import Guarantee, Judged, Verdict
from kanon_core.guarantees.counted import CountedItems
from kanon_core.scale.anonymizing.ordering import RELEASE, file_name
from kanon_core.scale.auditing.adding import different
from kanon_core.scale.auditing.classes import read_release, verdicts
from kanon_core.scale.encoding.batches import batch_in, in_runs, write_batches
from kanon_core.scale.encoding.item_codes import Sets, cells_of, keys_of
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result
from kanon_core.table.columns.itemcells import BRACES
from kanon_core.table.columns.items import encode_items
from kanon_core.table.columns.set_arrays import chosen_sets
from kanon_core.table.digests import hashes_of_both
from kanon_core.table.domain import LabelDomain

SHOWN = "shown"
_WORDS = ("class", "class too", "row", "row too")


@dataclass(frozen=True)
class Shown:
    """Finds the different rows of one file of the release, and the items that each publishes; ``ranges``: the
    number of runs into which they are divided, by hashes of their single values."""

    encoded: Encoded
    seed: int
    ranges: int

    def __call__(self, run: int) -> Result:
        """Return how many rows there are."""
        folder, whole = Path(self.encoded.folder), self.encoded.whole
        quasi = whole.schema.quasi_identifiers
        names = [a.name for a in quasi]
        frame = read_release(folder / RELEASE / file_name(run))
        singles = hashes_of_both(frame[[a.name for a in quasi if a.kind != "items"]], self.seed, "classes")
        hashes = np.column_stack([singles, hashes_of_both(frame[names], self.seed, "rows")])
        first, number = different(hashes)
        counts = np.bincount(number, minlength=len(first)).astype(np.int64)
        columns = {word: pa.array(hashes[first, i]) for i, word in enumerate(_WORDS)}
        sets = _items(frame.iloc[first].reset_index(drop=True), whole)
        batch = pa.RecordBatch.from_pydict({**columns, "count": pa.array(counts), "items": cells_of(sets)})
        write_batches(folder / SHOWN / f"{run:06d}.arrow", in_runs(batch, hashes[first, 0], self.ranges))
        return {"rows": len(frame)}


@dataclass(frozen=True)
class JudgeItems:
    """Judges all rows with single values in one range of hashes, from all files."""

    encoded: Encoded
    guarantee: Guarantee
    files: int

    def __call__(self, place: int) -> Result:
        """Return what the guarantee counts of these rows."""
        folder = Path(self.encoded.folder) / SHOWN
        read = [batch_in(folder / f"{i:06d}.arrow", place) for i in range(self.files)]
        found = pa.Table.from_batches(read).combine_chunks()
        hashes = np.column_stack([found[word].to_numpy() for word in _WORDS])
        first, number = different(hashes)
        held = np.bincount(number, found["count"].to_numpy(), len(first)).astype(np.int64)
        sets = keys_of(pa.concat_arrays(found["items"].chunks)) if len(first) else Sets.none()
        assert isinstance(sets, Sets)
        items = CommonItems(*chosen_sets(sets.starts, sets.items, first))
        rows = CountedItems(held, items, different(hashes[first, :2])[1])
        tally = self.guarantee.tally(self.encoded.whole.empty(), cast("Judged", rows))
        return {"tallies": [tally.plain]}


def items_judged(
    job: Job, encoded: Encoded, guarantees: Sequence[Guarantee], seed: int, runs: int
) -> list[Verdict]:
    """Return the verdicts on the guarantees that count items. A worker's memory grows with the items of the
    largest class of equal single values."""
    note, said = tr("auditing the release"), list[Verdict]()
    for guarantee in guarantees:
        if guarantee.by_items:
            job.stage("shown", Shown(encoded, seed, runs), range(runs), note)
            found = list(job.stage("items", JudgeItems(encoded, guarantee, runs), range(runs), note))
            said += verdicts([guarantee], found)
    return said


def _items(frame: pd.DataFrame, whole: Whole) -> Sets:
    """Return what these rows publish in all columns of item sets, each as it is written; items numbered
    column after column. Raises BrokenPromise for a cell that is no set of items of its column."""
    owners, items, before = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0
    for attribute in whole.schema.quasi_identifiers:
        if attribute.kind == "items":
            written = replace(attribute, delimiter=BRACES, hierarchy=None, categories=None)
            column = encode_items(frame[attribute.name].astype("str"), written, None)
            known = whole.domain.columns[attribute.name]
            assert isinstance(known, LabelDomain)
            if column.misfits is not None or not set(column.labels) <= set(known.labels):
                said = tr(
                    "The release has cells in column “{name}” that are no sets of its items;"
                    " nothing was published."
                )
                raise BrokenPromise(said.format(name=attribute.name))
            number = whole.numbering(attribute.name, column.labels)
            owners.append(np.repeat(np.arange(len(frame)), column.sizes))
            items.append(number[column.items] + np.int64(before))
            before += len(known.labels)
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(frame)))]).astype(np.int64)
    return Sets(starts, np.concatenate(items)[order].astype(np.int32))
