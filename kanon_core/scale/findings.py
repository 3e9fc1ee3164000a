"""Whom the columns single out that are published unchanged, counted over all parts before any cut is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.base.errors import KanonError
from kanon_core.base.percent import percent
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding
from kanon_core.findings.published import unchanged
from kanon_core.findings.unchanged import UnchangedColumns, looks_like_a_name
from kanon_core.scale.celltypes import PANDAS
from kanon_core.scale.encoding import in_runs, write_batches
from kanon_core.scale.job import Job
from kanon_core.scale.keeping import Result
from kanon_core.scale.routing import Encoded, batch_in
from kanon_core.table.digests import hashes_of_both
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

ONCE = "once"
_VALUES_AT_ONCE = 1_000_000
Sets = tuple[tuple[str, ...], ...]


class StoppedError(KanonError):
    """A finding stops the release, and nobody said why it is released all the same."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        """``findings``: those that stop it."""
        says = tr("Nothing was released. Change what the findings are about, or say why it is released.")
        super().__init__(" ".join((*(one.sentence for one in findings), says)))
        self.findings = tuple(findings)


@dataclass(frozen=True)
class Occurring:
    """Counts how often each value of these columns, or sets of columns, stands in one part; ``ranges``: into
    how many runs of hashes the counts are divided, so that they can be added up apart."""

    encoded: Encoded
    sets: Sets
    seed: int
    ranges: int

    def __call__(self, part: int) -> Result:
        """How many rows the part has."""
        batch, types = self.encoded.batch(part), self.encoded.whole.types
        cells: dict[str, pd.Series] = {}
        for name in {name for names in self.sets for name in names}:
            cells[name] = batch[f"cell:{name}"].to_pandas().astype(PANDAS[types[name]])
        batches: list[pa.RecordBatch] = []
        for names in self.sets:
            frame = pd.DataFrame({name: cells[name] for name in names})
            hashes = hashes_of_both(frame, self.seed, "unchanged")
            keys, counts = counted(hashes, np.ones(len(hashes), np.int64))
            columns = {"one": keys[:, 0], "other": keys[:, 1], "count": counts}
            arrays = {name: pa.array(np.ascontiguousarray(values)) for name, values in columns.items()}
            batches += in_runs(pa.RecordBatch.from_pydict(arrays), keys[:, 0], self.ranges)
        write_batches(Path(self.encoded.folder) / ONCE / f"{part:06d}.arrow", batches)
        return {"rows": batch.num_rows}


@dataclass(frozen=True)
class Once:
    """Adds up one range of hashes over all parts: how many values stand in one row alone."""

    encoded: Encoded
    sets: int
    ranges: int
    parts: int

    def __call__(self, place: int) -> Result:
        """int64 (sets): how many values occur once."""
        paths = [Path(self.encoded.folder) / ONCE / f"{part:06d}.arrow" for part in range(self.parts)]
        alone = np.zeros(self.sets, np.int64)
        for number in range(self.sets):
            at = number * self.ranges + place
            found = pa.Table.from_batches([batch_in(path, at) for path in paths])
            hashes = np.column_stack([found["one"].to_numpy(), found["other"].to_numpy()])
            alone[number] = np.count_nonzero(counted(hashes, found["count"].to_numpy())[1] == 1)
        return {"alone": alone}


def counted(hashes: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different hashes, uint64 (m, 2), ascending, and the sum of each one's counts. Cost O(n log n).

    >>> counted(np.array([[2, 9], [1, 5], [2, 9]], np.uint64), np.array([1, 1, 3]))[1].tolist()
    [1, 4]
    """
    order = np.lexsort((hashes[:, 1], hashes[:, 0]))
    keys = hashes[order]
    first = np.flatnonzero(np.append(True, (keys[1:] != keys[:-1]).any(axis=1))[: len(keys)])
    return keys[first], np.add.reduceat(counts[order], first) if len(first) else np.zeros(0, np.int64)


def looking_like_names(sample: Table) -> list[Finding]:
    """A finding for each column that is published unchanged and, by these rows of the table, looks like a
    name or number of people."""
    said = tr(
        "“{name}” is published unchanged and, by a sample of {rows:,} rows, looks like a name or number of"
        " people: who knows it of a person finds the record by it alone."
    )
    action = tr("Give it the role identifier, so that it is left out.")
    return [
        UnchangedColumns().finding(
            "stops", said.format(name=a.name, rows=len(sample)), action, None, [a.name]
        )
        for a in unchanged(sample)
        if looks_like_a_name(sample, a)
    ]


def sets_of(schema: Schema) -> Sets:
    """Which columns are counted: each that is published unchanged, and all of role other together."""
    others = tuple(a.name for a in schema.of_role("other"))
    each = tuple((a.name,) for a in schema.of_role("sensitive", "other"))
    return (*each, others) if len(others) > 1 else each


def singled_out(job: Job, encoded: Encoded, parts: int, seed: int) -> list[Finding]:
    """What is found of the columns that are published unchanged, over all rows, the heaviest first: whom each
    singles out by itself, and all of role other together (`UnchangedColumns`; there is no count here of whom
    they single out together with the published cells). Cost O(n log n) per column."""
    whole = encoded.whole
    sets, ranges = sets_of(whole.schema), -(-whole.records // _VALUES_AT_ONCE)
    if not sets:
        return []
    note = tr("unchanged columns")
    job.stage("occurring", Occurring(encoded, sets, seed, ranges), range(parts), note)
    found = job.stage("once", Once(encoded, len(sets), ranges, parts), range(ranges), note)
    alone = np.sum([one["alone"] for one in found], axis=0).tolist()
    made = [
        _finding(names, whole.schema[names[0]].role, count, whole.records)
        for names, count in zip(sets, alone, strict=True)
        if count
    ]
    single = [one for one in made if len(one.columns) == 1]
    if any(one.severity == "stops" for one in single):  # then nobody need know of all together
        made = single
    return sorted(made, key=lambda one: ("stops", "decide", "know").index(one.severity))


def _finding(names: tuple[str, ...], role: str, alone: int, records: int) -> Finding:
    search = UnchangedColumns()
    stops = role == "other" and 100 * alone >= search.stops_at * records
    decide = 100 * alone >= search.decide_at * records
    said = tr(
        "{names} {unchanged}: an attacker who knows this of a person finds {alone:,} of {records:,} records"
        " ({share}) by it alone."
    ).format(
        names=", ".join(f"“{name}”" for name in names),
        unchanged=tr("is published unchanged")
        if len(names) == 1
        else tr("are published unchanged, and are taken together here"),
        alone=alone,
        records=records,
        share=percent(alone, records),
    )
    action = tr("Round or group its values, if somebody may know them.")
    if role == "other":
        action = tr("Make it a quasi-identifier, group its values, or leave it out (role identifier).")
    made = search.finding("stops" if stops else "decide" if decide else "know", said, action, None, names)
    return replace(made, count=alone)
