"""Rows that could be equal, where missing and suppressed cells fit every value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr

_WIDEST = 2**62


@dataclass(frozen=True, eq=False)
class Neighbors:
    """Classes of equal rows, by the cells of one row of each: ``cells`` int64 (classes × columns), and which
    of them are gaps, bool of that shape.

    Classes with gaps in the same columns are of one pattern. Two classes fit where they have the same cells
    in the columns in which neither has a gap; so classes are compared pattern by pattern, and the cost is
    O(patterns · classes · log) for each count.
    """

    cells: np.ndarray
    gaps: np.ndarray

    @cached_property
    def widths(self) -> list[int]:
        """The most different cells that each column can have."""
        found: list[int] = (self.cells.max(axis=0, initial=0) + 1).tolist()
        return found

    def spread(
        self, classes: np.ndarray, codes: np.ndarray, width: int, tick: Tick = silent
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return how many rows of the classes that fit each class have each code: class, code (ascending) and
        count, int64 (m) each. ``classes``, ``codes`` int64 (rows), codes below ``width``."""
        from scipy.sparse import csr_array, vstack

        count = len(self.cells)
        ones = np.ones(len(classes), np.int64)
        own = csr_array((ones, (classes, codes)), shape=(count, width))
        classes_of, sums, patterns = list[np.ndarray](), [], self._patterns()
        for done, one in enumerate(patterns):
            tick(done / len(patterns), tr("comparing rows with suppressed cells"))
            total = csr_array((len(one), width), dtype=np.int64)
            for other in patterns:
                groups, which, of_other = self._shared(one, other)
                held = csr_array(
                    (np.ones(len(other), np.int64), (of_other, np.arange(len(other)))),
                    shape=(groups, len(other)),
                )
                total = total + (held @ own[other])[which]
            classes_of.append(one)
            sums.append(total)
        found = vstack(sums).tocsr()[np.argsort(np.concatenate(classes_of), kind="stable")]
        found.sort_indices()
        owner = np.repeat(np.arange(count), np.diff(found.indptr))
        return owner, found.indices.astype(np.int64), found.data

    def _patterns(self) -> list[np.ndarray]:
        """The classes of each pattern of gaps."""
        which = combined(list(self.gaps.T.astype(np.int64)), [2] * self.gaps.shape[1])
        order = np.argsort(which, kind="stable")
        return np.split(order, np.cumsum(np.bincount(which))[:-1])

    def _shared(self, pattern: np.ndarray, other: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
        """Numbers for the classes of two patterns, equal where they fit: how many, and that of each."""
        kept = np.flatnonzero(~(self.gaps[pattern[0]] | self.gaps[other[0]]))
        both = np.concatenate([pattern, other])
        columns = [self.cells[both, column] for column in kept]
        key = combined(columns, [self.widths[column] for column in kept], len(both))
        return int(key.max(initial=-1)) + 1, key[: len(pattern)], key[len(pattern) :]


def combined(columns: Sequence[np.ndarray], widths: Sequence[int], rows: int = 0) -> np.ndarray:
    """int64 (n): the same number where all of these columns, int64 (n), each below its width, are equal; from
    0 on, in the order in which they first appear. ``rows``: n where there is no column."""
    key, width = np.zeros(len(columns[0]) if columns else rows, np.int64), 1
    for column, values in zip(columns, widths, strict=True):
        if width * values > _WIDEST:
            key, different = pd.factorize(key)
            width = len(different)
        key = key * values + column
        width *= values
    return pd.factorize(key)[0].astype(np.int64)
