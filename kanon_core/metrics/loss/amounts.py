"""The information amount I = Σ_i Σ_j d(x_i, x_j)^p of a column, without looking at its N² pairs (ILD paper,
§3.1.2 and §3.3.1).

| encoding | I |
|---|---|
| Line | 2 N² · var for p = 2, sorted prefix sums for p = 1; 2 · present · missing · gap^p besides |
| Mismatch | N² − Σ count² |
| Matrix, Computed, Sphere | n′ D^p n over the V different values or places, block by block |
| ItemSets | N² minus what the pairs that share an item are nearer than 1 |

Rows carry weights: the number of records that each stands for. Sums are taken in one order without BLAS, so
that a number is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.distances import Computed, Encoding, Line, Matrix, Mismatch, Sphere
from kanon_core.distances.encodings import VALUES_AT_MOST
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.set_arrays import incidence

SAMPLE = 400
"""The number of records whose distances to all others are summed, where a column has too many different
values to look at all pairs."""

_CELLS = 250_000  # of a block of distances: 2 MB, which stays in the cache
_CELLS_COMPUTED = 2_000_000


@dataclass(frozen=True, eq=False)
class ItemSets:
    """Item sets under Jaccard's distance, where there are too many different ones for a matrix.

    Two sets without a common item are 1 apart, and nearly all pairs are: the others alone are looked at, as a
    sparse product.
    """

    column: Items

    def __len__(self) -> int:
        return len(self.column.starts) - 1

    def row_sums(self, weights: np.ndarray, rows: np.ndarray, power: int, tick: Tick = silent) -> np.ndarray:
        """float64: Σ_j w_j d(row, j)^p for each of these row numbers; ticks between blocks of them. Cost: the
        common items of these rows and all."""
        sizes, found = self.column.sizes, list[np.ndarray]()
        own = incidence(self.column.starts, self.column.items, max(len(self.column.labels), 1))
        whole = own.T.tocsr()
        step = max(1, _CELLS_COMPUTED // max(len(self), 1))
        for block in _blocks(rows, step):
            tick(len(found) * step / len(rows), tr("comparing sets"))
            shared = (own[block] @ whole).tocoo()
            here, there = shared.coords
            union = sizes[block][here] + sizes[there] - shared.data
            nearer = 1.0 - (1.0 - shared.data / union) ** power
            found.append(np.bincount(here, weights[there] * nearer, len(block)))
        sums = weights.sum() - np.concatenate([np.zeros(0), *found])
        return np.asarray(sums - np.where(sizes[rows] == 0, weights[sizes == 0].sum(), 0.0))


def amount(encoding: Encoding, weights: np.ndarray, power: int) -> float:
    """I, exact. ``weights`` float64 (rows): how many records each row stands for. Cost: see the module; V²
    distances at most."""
    if isinstance(encoding, Line):
        return _of_line(encoding, weights, power)
    if isinstance(encoding, Mismatch):
        counts = np.bincount(encoding.codes, weights)
        return float(counts.sum() ** 2 - (counts**2).sum())
    counts, rows, step = _valued(encoding, weights, power)
    used = np.flatnonzero(counts)
    blocks = (used[start : start + step] for start in range(0, len(used), step))
    return float(sum((counts[block] * (rows(block) * counts).sum(axis=1)).sum() for block in blocks))


def is_long(encoding: Encoding | ItemSets) -> bool:
    """Return whether the column has too many different values to look at all pairs: more than
    `VALUES_AT_MOST` values have no matrix."""
    return isinstance(encoding, Computed | ItemSets) or (
        isinstance(encoding, Sphere) and len(encoding) > VALUES_AT_MOST
    )


def row_sums(
    encoding: Encoding | ItemSets, weights: np.ndarray, rows: np.ndarray, power: int, tick: Tick = silent
) -> np.ndarray:
    """float64: Σ_j w_j d(row, j)^p for each of these row numbers; ticks between blocks of them."""
    if isinstance(encoding, ItemSets):
        return encoding.row_sums(weights, rows, power, tick)
    if isinstance(encoding, Line | Mismatch):
        everything = np.arange(len(encoding))
        sums = [(encoding.pairs(row, everything) ** power * weights).sum() for row in rows]
        return np.array(sums, np.float64)
    counts, distances, step = _valued(encoding, weights, power)
    codes = rows if isinstance(encoding, Sphere) else encoding.codes[rows]
    wanted, back = np.unique(codes, return_inverse=True)
    found: list[np.ndarray] = []
    for block in _blocks(wanted, step):
        tick(len(found) * step / len(wanted), tr("comparing values"))
        found.append((distances(block) * counts).sum(axis=1))
    return np.concatenate(found)[back]


def _blocks(codes: np.ndarray, step: int) -> Iterator[np.ndarray]:
    for start in range(0, len(codes), step):
        yield codes[start : start + step]


def _valued(
    encoding: Matrix | Computed | Sphere, weights: np.ndarray, power: int
) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray], int]:
    """The weight of each value, d^p of some values to all of them, and how many values make a block."""
    if isinstance(encoding, Sphere):
        everything = np.arange(len(encoding))
        step = max(1, _CELLS // max(len(encoding), 1))
        return weights, lambda rows: encoding.pairs(rows[:, None], everything) ** power, step
    size = encoding.size
    counts = np.bincount(encoding.codes, weights, size)
    most = _CELLS if isinstance(encoding, Matrix) else _CELLS_COMPUTED
    return counts, lambda codes: encoding.rows(codes) ** power, max(1, most // max(size, 1))


def _of_line(encoding: Line, weights: np.ndarray, power: int) -> float:
    missing = np.isnan(encoding.values)
    gone = float(weights[missing].sum())
    values, held = encoding.values, weights
    if missing.any():
        values, held = values[~missing], held[~missing]
    total = float(held.sum())
    between = 2 * total * gone * encoding.gap**power
    if not total:
        return between
    if power == 2:
        apart = values - (held * values).sum() / total
        return float(2 * total * (held * apart**2).sum() + between)
    order = np.argsort(values, kind="stable")
    values, held = values[order] - values[order[0]], held[order]
    return float(2 * (held * values * (2 * np.cumsum(held) - held - total)).sum() + between)
