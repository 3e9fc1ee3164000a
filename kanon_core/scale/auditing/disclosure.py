"""Disclosure of sensitive columns by the classes of a release: counted in each file, added up over all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.findings.disclosure import DisclosureCounts
from kanon_core.guarantees.attributes.counts import Counts, Values
from kanon_core.scale.auditing.adding import added_over, owners, runs
from kanon_core.scale.encoding.batches import in_runs
from kanon_core.scale.encoding.encode import coded
from kanon_core.scale.work.keeping import Result
from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.keys import tallied
from kanon_core.table.order import hashed_texts

_MISSING = np.array([np.nan]).view(np.uint64)[0]
"""The word for a missing value, of numbers and texts alike."""


def tallies_of(
    frame: pd.DataFrame, attributes: Sequence[Attribute], classes: np.ndarray, seed: int, ranges: int
) -> tuple[list[pa.RecordBatch], list[int]]:
    """Return for each of these columns and each run of hashes: the classes, uint64 (n, 2), the values in
    them, and how many rows have each; and, for each column, how many values are missing."""
    order = np.argsort(classes[:, 0])
    if len(runs(classes[order])) > len(runs(classes[order, :1])):
        order = np.lexsort((classes[:, 1], classes[:, 0]))
    first = runs(classes[order])
    own, kept = np.empty(len(order), np.int64), classes[order[first]]
    own[order] = owners(first, len(order))
    batches, missing = list[pa.RecordBatch](), list[int]()
    for attribute in attributes:
        codes, words, gone = _values(frame[attribute.name], attribute, seed)
        pairs, counts = tallied(own * len(words) + codes)
        place, value = np.divmod(pairs, len(words))
        columns = {"0": kept[place, 0], "1": kept[place, 1], "2": words[value], "count": counts}
        batch = pa.RecordBatch.from_pydict({name: pa.array(each) for name, each in columns.items()})
        batches += in_runs(batch, kept[place, 0], ranges)
        missing.append(gone)
    return batches, missing


def _values(cells: pd.Series, attribute: Attribute, seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the value of each cell, int64 (n) below m; a word for each value, the same in every file, uint64
    (m); and the number of missing cells."""
    plain = cells.astype("str") if isinstance(cells.dtype, pd.CategoricalDtype) else cells
    keys, known = coded(plain, attribute, False)
    missing = 0 if attribute.kind == "items" else int(known["missing"])  # a missing item set is the empty set
    if "labels" in known:
        words = np.append(hashed_texts(known["labels"], seed, "sensitive"), _MISSING)
        return np.where(keys < 0, len(words) - 1, keys).astype(np.int64), words, missing
    codes, different = pd.factorize(keys + 0.0, use_na_sentinel=False)
    different[np.isnan(different)] = np.nan  # there are many different NaN
    return codes, different.view(np.uint64), missing


def disclosure_counts(
    folder: Path, files: int, run: tuple[int, int, int], certainty: float, ell: int
) -> list[Result]:
    """Return what the classes give away of each column, as the fields of `DisclosureCounts`, over all files
    and one run of hashes. ``run``: the number of columns, the number of runs, and the number of this run."""
    columns, ranges, place = run
    found: list[Result] = []
    for number in range(columns):
        keys, counts = added_over(folder, files, number * ranges + place)
        owner = owners(runs(keys[:, :2]), len(keys))
        nothing = Values("", np.zeros(0, np.int32), 0, False)
        tallied_values = Counts(nothing, owner, keys[:, 2], counts)
        own = DisclosureCounts.of(tallied_values, certainty, ell, missing=keys[:, 2] == _MISSING)
        found.append(own._asdict())
    return found
