"""How many records of each person fit each published row, found among those that fit its narrowest cell."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.matching.classes import fit_of
from kanon_core.release.cells import PublishedColumn
from kanon_core.table.people import Persons
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from kanon_core.matching.fit_kernels import Fit

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

    from kanon_core.matching.fit_kernels import count_by_owner

    fit, n = fit_of(table, published, rows), len(table)
    everywhere = np.zeros(len(rows), np.int64)
    found = [_Runs(np.arange(len(rows)), everywhere, everywhere + n, np.arange(n))]
    runs = min(found + [_runs(fit, a) for a in range(len(published))], key=lambda each: each.pairs)
    fit = fit._replace(values=np.ascontiguousarray(fit.values[:, runs.order]))
    owner, parts = people.numbers[runs.order], [csr_array((0, len(people)), dtype=np.int64)]
    for first, last in itertools.pairwise(_chunks(runs, len(rows), len(people))):
        counts = np.zeros((last - first, len(people)), np.int64)
        count_by_owner(fit, first, runs.begin, runs.end, runs.of, owner, counts)
        parts.append(csr_array(counts))
        tick(last / len(rows), "comparing rows with records")
    return csr_array(vstack(parts))


class _Runs(NamedTuple):
    """Of all records, ``order[begin[i]:end[i]]`` alone may fit row ``of[i]`` (ascending)."""

    of: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    order: np.ndarray

    @property
    def pairs(self) -> int:
        """How many pairs of a row and a record there are to compare."""
        return int((self.end - self.begin).sum())


def _runs(fit: Fit, a: int) -> _Runs:
    """Where to look by one column: a run of values for each row, or one for each member of a set with holes,
    and one of missing values where the row takes them."""
    order = np.argsort(fit.values[a], kind="stable")
    values = fit.values[a][order]
    whole, holed = np.flatnonzero(fit.first[a] < 0), np.flatnonzero(fit.first[a] >= 0)
    sizes = fit.size[a, holed]
    places = np.repeat(fit.first[a, holed] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    gaps = np.flatnonzero(fit.gaps[a]) if values[:1].sum() < 0 else whole[:0]
    low = np.concatenate([fit.low[a, whole], fit.members[places], np.full(len(gaps), -1)])
    high = np.concatenate([fit.high[a, whole], fit.members[places], np.full(len(gaps), -1)])
    of = np.concatenate([whole, np.repeat(holed, sizes), gaps])
    begin, end = np.searchsorted(values, low, "left"), np.searchsorted(values, high, "right")
    some = np.argsort(of, kind="stable")
    return _Runs(of[some], begin[some], end[some], order)


def _chunks(runs: _Runs, rows: int, people: int) -> list[int]:
    """Where to stop for a tick: after some millions of pairs or counts."""
    work = np.cumsum(np.bincount(runs.of, runs.end - runs.begin, minlength=rows) + people)
    steps = np.searchsorted(work, np.arange(_AT_ONCE, work[-1] if rows else 0, _AT_ONCE)) + 1
    return sorted({0, *np.minimum(steps, rows).tolist(), rows})
