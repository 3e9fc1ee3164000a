"""Count the records of each person that fit each published row, among the records that fit the row's
narrowest cell."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.matching.row_codes import fit_of
from kanon_core.table.people import Persons
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from kanon_core.covers.matching.fit_kernels import Fit

_AT_ONCE = 10_000_000


def fitting_records(
    table: Table,
    published: Sequence[PublishedColumn],
    rows: np.ndarray,
    people: Persons,
    tick: Tick = silent,
) -> csr_array:
    """int64 (rows × people): how many of a person's records fit, in all these columns, the row at which
    record ``rows[i]`` is published; none of them is suppressed.

    Cost O(pairs of a row and a record in its narrowest column · columns), compiled.
    """
    from scipy.sparse import csr_array, vstack

    from kanon_core.covers.matching.fit_kernels import count_by_owner

    if not published:
        counts = np.bincount(people.numbers[people.numbers >= 0], minlength=len(people))
        return csr_array(np.tile(counts, (len(rows), 1)))
    fit, parts = fit_of(table, published, rows), [csr_array((0, len(people)), dtype=np.int64)]
    runs = [_runs(fit, a) for a in range(len(published))]
    narrowest = int(np.argmin([each.pairs for each in runs]))
    order, (of, begin, end) = np.argsort(fit.values[narrowest], kind="stable"), runs[narrowest]
    left = [a for a in range(len(published)) if a != narrowest]  # in its runs the narrowest column fits
    values = np.take(fit.values[left], order, axis=1)
    chosen = {name: getattr(fit, name)[left] for name in ("low", "high", "gaps", "first", "size")}
    fit = fit._replace(values=values, **chosen)
    owner = people.numbers[order]
    for first, last in itertools.pairwise(_chunks(runs[narrowest], len(rows), len(people))):
        counts = np.zeros((last - first, len(people)), np.int64)
        count_by_owner(fit, first, begin, end, of, owner, counts)
        parts.append(csr_array(counts))
        tick(last / len(rows), tr("comparing records with rows"))
    return csr_array(vstack(parts))


class _Runs(NamedTuple):
    """Runs of records that fit a row in one column: with the records sorted by that column's values, exactly
    those from ``begin[i]`` to ``end[i]`` − 1 fit row ``of[i]`` (ascending)."""

    of: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @property
    def pairs(self) -> int:
        """The number of pairs of a row and a record to compare."""
        return int((self.end - self.begin).sum())


def _runs(fit: Fit, a: int) -> _Runs:
    """Return the runs in one column: one for each row, or for each member of a set with holes, and one of
    missing values where the row allows them."""
    whole, holed = np.flatnonzero(fit.first[a] < 0), np.flatnonzero(fit.first[a] >= 0)
    sizes = fit.size[a, holed]
    places = np.repeat(fit.first[a, holed] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    gaps = np.flatnonzero(fit.gaps[a] & (fit.values[a].min(initial=0) < 0))
    low = np.concatenate([fit.low[a, whole], fit.members[places], np.full(len(gaps), -1)])
    high = np.concatenate([fit.high[a, whole], fit.members[places], np.full(len(gaps), -1)])
    of = np.concatenate([whole, np.repeat(holed, sizes), gaps])
    counts = np.bincount(fit.values[a] + 1, minlength=int(high.max(initial=0)) + 2)  # missing ones first
    below = np.concatenate([[0], np.cumsum(counts)])
    begin, end, some = below[low + 1], below[high + 2], np.argsort(of, kind="stable")
    return _Runs(of[some], begin[some], end[some])


def _chunks(runs: _Runs, rows: int, people: int) -> list[int]:
    """Return the rows at which to tick: after some millions of pairs or counts."""
    work = np.cumsum(np.bincount(runs.of, runs.end - runs.begin, minlength=rows) + people)
    steps = np.searchsorted(work, np.arange(_AT_ONCE, work[-1] if rows else 0, _AT_ONCE)) + 1
    return sorted({0, *np.minimum(steps, rows).tolist(), rows})
