"""Sorting of records over all parts, although no process holds them all: together, the parts know their
ranks.

A record's key is what the algorithm sorts by, then the keyed hash of its content, then where it stands: no
two are the same, so that one value in half of all rows is divided as well as any other. A sample of keys
gives splitters; each part writes its rows range by range, sorted. The numbers of rows in the ranges tell the
rank of the first row of each. As the rows of a part are sorted, the first rows of a range are among the first
of each part; so the rows between two ranks are found by reading a few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from kanon_core.algorithms.base import Algorithm
from kanon_core.base.randomness import generator, subkey
from kanon_core.base.words import tr
from kanon_core.scale.encoding.batches import batch_in
from kanon_core.scale.encoding.item_codes import Keys, taken
from kanon_core.scale.fragments.first_stages import Begun, JobSpec, rows_of_a_fragment
from kanon_core.scale.fragments.routing import ROUTED, alike, table_of, write_groups
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result
from kanon_core.table.order import hashes_of_records

SAMPLED = 400
"""The number of keys that are drawn for each range: it then has as many rows as meant, give or take 5 %."""
_ROWS_OF_A_PART = 2**40
_HASH = "hash"

Ranked = list[np.ndarray]
"""Arrays of n numbers, the most important first."""


@dataclass(frozen=True)
class Sample:
    """Draws some rows of a part, the share ``each`` of them, and finds their keys."""

    encoded: Encoded
    algorithm: Algorithm
    seed: int
    each: float

    def __call__(self, part: int) -> Result:
        """Return the keys, by number."""
        batch = self.encoded.batch(part)
        rng = generator(subkey(self.seed, "ranges"), part)
        count = min(int(np.ceil(self.each * batch.num_rows)), batch.num_rows)
        drawn = np.sort(rng.choice(batch.num_rows, count, replace=False, shuffle=False))
        columns = {name: taken(keys, drawn) for name, keys in self.encoded.keys(part, batch).items()}
        keys = _keys(self.encoded, self.algorithm, self.seed, columns, _places(part, drawn))
        return {str(number): key for number, key in enumerate(keys)}


@dataclass(frozen=True)
class RouteByRank:
    """Writes the rows of a part range by range, in the order of their keys; ``splitters``: the least key of
    each range but the first."""

    encoded: Encoded
    algorithm: Algorithm
    seed: int
    splitters: tuple[np.ndarray, ...]

    def __call__(self, part: int) -> Result:
        """Return which ranges the part has rows of, int64, in the order of the batches, and how many of
        each."""
        batch = self.encoded.batch(part)
        columns = self.encoded.keys(part, batch)
        places = _places(part, np.arange(batch.num_rows))
        keys = _keys(self.encoded, self.algorithm, self.seed, columns, places)
        order, ranges = in_ranges(keys, self.splitters)
        batch = alike(batch, columns, self.encoded.whole).append_column(_HASH, pa.array(keys[-2]))
        path = Path(self.encoded.folder) / ROUTED / f"{part:06d}.arrow"
        return write_groups(path, batch, order, ranges)


@dataclass(frozen=True)
class Ranks:
    """The rows between two ranks. ``ranges``: for each part, the ranges of which it has rows, in the order of
    its batches; ``starts``: the rank of the first row of each range, and at the end the number of all
    rows."""

    encoded: Encoded
    algorithm: Algorithm
    ranges: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]

    def batch(self, which: tuple[int, int]) -> pa.RecordBatch:
        """Return the rows of these ranks, the last excluded; those of equal keys in the order of their
        places."""
        first, last = which
        found: list[pa.RecordBatch] = []
        for number in range(int(np.searchsorted(self.starts, first, "right")) - 1, len(self.starts) - 1):
            begin = self.starts[number]
            if begin >= last:
                break
            held = self._held(number)
            ends = (self._ends(held, rank - begin) for rank in (first, last))
            found += [one.slice(a, b - a) for one, a, b in zip(held, *ends, strict=True)]
        return pa.Table.from_batches(found).combine_chunks().to_batches()[0]

    def _held(self, number: int) -> list[pa.RecordBatch]:
        """Return the rows of a range, of each part that has any."""
        folder = Path(self.encoded.folder) / ROUTED
        return [
            batch_in(folder / f"{part:06d}.arrow", own.index(number))
            for part, own in enumerate(self.ranges)
            if number in own
        ]

    def _ends(self, held: Sequence[pa.RecordBatch], rows: int) -> list[int]:
        """Return how many of the first ``rows`` rows of a range each part has."""
        sizes = [one.num_rows for one in held]
        if rows <= 0:
            return [0] * len(held)
        if rows >= sum(sizes):
            return sizes
        heads = [one.slice(0, rows) for one in held]
        batch = pa.Table.from_batches(heads).combine_chunks().to_batches()[0]
        keys = [
            *self.algorithm.sort_keys(table_of(self.encoded.whole, batch)),
            batch.column(_HASH).to_numpy(),
        ]
        owner = np.repeat(np.arange(len(held)), [one.num_rows for one in heads])
        found: list[int] = np.bincount(owner[np.lexsort(keys[::-1])[:rows]], minlength=len(held)).tolist()
        return found


def divided_by_ranks(job: Job, by: Begun, asked_for: JobSpec) -> tuple[Ranks, list[tuple[int, int]]]:
    """Return the rows and, for each worker, the ranks that it takes: whole groups, with about as many rows as
    a fragment has."""
    algorithm, seed, records = asked_for.algorithm, asked_for.seed, by.whole.records
    ranges, note = -(-records // rows_of_a_fragment(by.whole, asked_for)), tr("sorting")
    splitters: tuple[np.ndarray, ...] = ()
    if ranges > 1:
        drawn = Sample(by.encoded, algorithm, seed, SAMPLED * ranges / records)
        splitters = splitters_of(list(job.stage("sample", drawn, range(by.parts), note)), ranges)
    work = RouteByRank(by.encoded, algorithm, seed, splitters)
    counts, held = np.zeros(ranges, np.int64), []
    for one in job.stage("route", work, range(by.parts), note):
        counts[one["leaves"]] += one["counts"]
        held.append(tuple(one["leaves"].tolist()))
    starts = [0, *np.cumsum(counts).tolist()]
    return Ranks(by.encoded, algorithm, tuple(held), tuple(starts)), ranks_of(starts, asked_for.k)


def ranks_of(starts: Sequence[int], k: int) -> list[tuple[int, int]]:
    """Return the ranks of the groups that begin in each range, if any do: k rows each, and the rest in the
    last group.

    >>> ranks_of([0, 4, 5, 11], 3)
    [(0, 6), (6, 11)]
    """
    groups = starts[-1] // k
    first = [min(-(-start // k), groups) for start in starts[:-1]] + [groups]
    ends = [starts[-1] if group == groups else group * k for group in first]
    return [(ends[i], ends[i + 1]) for i in range(len(starts) - 1) if first[i] < first[i + 1]]


def splitters_of(drawn: Sequence[Result], ranges: int) -> tuple[np.ndarray, ...]:
    """Return the least keys of all ranges but the first, such that each range has about as many of the drawn
    keys."""
    keys = [np.concatenate([one[str(number)] for one in drawn]) for number in range(len(drawn[0]))]
    order = np.lexsort(keys[::-1])
    chosen = order[np.arange(1, ranges) * len(order) // ranges]
    return tuple(key[chosen] for key in keys)


def in_ranges(keys: Ranked, splitters: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows in the order of their keys and, in this order, the range of each, which is the number
    of splitters up to its key; both int64 (n).

    >>> in_ranges([np.array([5.0, 1.0, 3.0])], [np.array([3.0])])[1].tolist()
    [0, 1, 1]
    """
    if not splitters:
        return np.lexsort(keys[::-1]), np.zeros(len(keys[0]), np.int64)
    count = len(splitters[0])
    both = [np.concatenate([split, key]) for split, key in zip(splitters, keys, strict=True)]
    order = np.lexsort(both[::-1])  # a stable sort: among equal keys, splitters come first
    splits = order < count
    return order[~splits] - count, np.cumsum(splits)[~splits]


def _keys(
    encoded: Encoded, algorithm: Algorithm, seed: int, columns: dict[str, Keys], places: np.ndarray
) -> Ranked:
    table = encoded.whole.table(columns, len(places))
    hashes = hashes_of_records(table.frame, table.columns, seed)
    return [*algorithm.sort_keys(table), hashes, places]


def _places(part: int, rows: np.ndarray) -> np.ndarray:
    return part * _ROWS_OF_A_PART + rows
