"""The information amount under a product distance whose power does not split into its attributes: pairs of
whole records.

d(x, y) = (Σ_a (f_a d_a(x_a, y_a))^p)^(1/p), or max_a f_a d_a for p = ∞. Σ_i Σ_j d^power is the sum of the
attributes' own only where power = p or one attribute counts; otherwise the pairs are looked at: all of up to
2,000 records, of more a sample.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from kanon_core.base.randomness import generator
from kanon_core.distances import Computed, Encoding, Matrix

EXACT_AT_MOST = 2_000
"""Above this number of records some are drawn, each with partners of its own."""
PARTNERS = 500
_DRAWN, _DRAWN_COMPUTED = 2_000, 400
_CELLS = 1_000_000
_STANDARD_ERRORS = 2.5


class Side(NamedTuple):
    """One column of one side: its measure, the row of each record in it (int64, n), and its factor f_a."""

    encoding: Encoding
    row: np.ndarray
    factor: float


class Amounts(NamedTuple):
    """I(A), I(Â), the error of their ILD, and how many pairs it was taken from (0 = all pairs, without an
    error)."""

    before: float
    after: float
    error: float
    pairs: int


def joined_amounts(own: Sequence[Side], shown: Sequence[Side], p: float, power: int) -> Amounts:
    """Both amounts. Cost O(n² · attributes) up to 2,000 records, above them that of a million pairs."""
    n = len(own[0].row)
    if n <= EXACT_AT_MOST:
        before, after = (sum(_rows(side, p, power)) for side in (own, shown))
        return Amounts(before, after, 0.0, 0)
    slow = any(isinstance(side.encoding, Computed) for side in (*own, *shown))
    count = _DRAWN_COMPUTED if slow else _DRAWN
    rng = generator(0)
    first, partners = rng.integers(0, n, count), rng.integers(0, n, (count, PARTNERS))
    means = [
        np.concatenate(list(_means(side, first, partners, p, power))) for side in (own, shown)
    ]  # a record and its partners are one draw
    before, after = (float(each.mean()) for each in means)
    ratio = after / before if before > 0 else 0.0
    spread = float((means[1] - ratio * means[0]).std(ddof=1)) / math.sqrt(count)
    error = _STANDARD_ERRORS * spread / before if before > 0 else 0.0
    return Amounts(before * n * n, after * n * n, error, count * PARTNERS)


def _rows(sides: Sequence[Side], p: float, power: int) -> Iterator[float]:
    """The sum of each block of rows."""
    n = len(sides[0].row)
    each, step = np.arange(n), max(1, _CELLS // n)
    for start in range(0, n, step):
        some = each[start : start + step]
        yield float((_distances(sides, some, np.broadcast_to(each, (len(some), n)), p) ** power).sum())


def _means(
    sides: Sequence[Side], first: np.ndarray, partners: np.ndarray, p: float, power: int
) -> Iterator[np.ndarray]:
    """Yield for each record the mean over its partners, block by block."""
    step = max(1, _CELLS // partners.shape[1])
    for start in range(0, len(first), step):
        block = slice(start, start + step)
        yield (_distances(sides, first[block], partners[block], p) ** power).mean(axis=1)


def _distances(sides: Sequence[Side], first: np.ndarray, partners: np.ndarray, p: float) -> np.ndarray:
    """float64 (r, s): of each record to its partners."""
    total = np.zeros(partners.shape)
    for encoding, row, factor in sides:
        apart = factor * _pairs(encoding, row[first], row[partners])
        total = np.maximum(total, apart) if p == math.inf else total + apart**p
    return total if p in (1, math.inf) else np.sqrt(total) if p == 2 else total ** (1 / p)


def _pairs(encoding: Encoding, first: np.ndarray, partners: np.ndarray) -> np.ndarray:
    if not isinstance(encoding, Matrix | Computed):
        return encoding.pairs(first[:, None], partners)
    wanted, back = np.unique(encoding.codes[first], return_inverse=True)
    return np.asarray(encoding.rows(wanted)[back[:, None], encoding.codes[partners]])
