"""The distance between item sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from kanon_core.data.columns import Items
from kanon_core.distances.base import Source, ValueDistance


@dataclass(frozen=True)
class Jaccard(ValueDistance):
    """d(A, B) = 1 − |A ∩ B| / |A ∪ B|; two empty sets are 0 apart.

    Takes item sets; a metric; bound 1. Cost about 10 ns for each pair of different sets.

    When to use: for baskets and tags, where sets that share much are alike.

    Reference: P. Jaccard, The distribution of the flora in the alpine zone, New Phytologist 11, 1912; A. H. Lipkus, A proof of
    the triangle inequality for the Tanimoto distance, Journal of Mathematical Chemistry 26, 1999.
    """

    title: ClassVar[str] = "Jaccard"
    sentence: ClassVar[str] = "The share of the items of two sets that only one of them has."
    formula: ClassVar[str] = r"d(A,B)=1-\frac{|A\cap B|}{|A\cup B|}"
    kinds: ClassVar[tuple[str, ...]] = ("items",)

    def bound(self, column: Source) -> float:
        """1."""
        return 1.0

    def values(self, column: Any) -> tuple[np.ndarray, Sequence[Any]]:
        """The different sets, each a tuple of ascending item codes."""
        return sets_of(column)

    def between(self, values: Any, others: Any) -> np.ndarray:
        """One sparse product."""
        width = 1 + max((held[-1] for held in (*values, *others) if held), default=0)
        shared = (_indicators(values, width) @ _indicators(others, width).T).toarray()
        together = _sizes(values)[:, None] + _sizes(others) - shared
        return 1.0 - np.divide(shared, together, out=np.ones(shared.shape), where=together > 0)


def sets_of(column: Items) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """The number of each record's set, int32 (n), and the different sets: tuples of ascending codes, in first-met order."""
    numbers: dict[tuple[int, ...], int] = {}
    items, starts = column.items.tolist(), column.starts.tolist()
    codes = [numbers.setdefault(tuple(items[a:b]), len(numbers)) for a, b in pairwise(starts)]
    return np.array(codes, np.int32), list(numbers)


def _sizes(sets: Any) -> np.ndarray:
    return np.array([len(held) for held in sets], np.float64)


def _indicators(sets: Any, width: int) -> Any:
    from scipy.sparse import csr_array

    ends = np.concatenate([[0], np.cumsum(_sizes(sets))]).astype(np.int64)
    items = np.array([item for held in sets for item in held], np.int64)
    return csr_array((np.ones(len(items)), items, ends), shape=(len(sets), width))
