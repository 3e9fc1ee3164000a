"""The distance of k-concealment: the sum over attributes of their own distances, each times its weight.

    d(a, b) = Σ_attributes w d_attribute(a, b)

The paper's own, "range", is d = |a − b| / range of numbers and [a ≠ b] of everything else (k-concealment
paper, definition 2.2): each attribute adds at most 1. "plain" leaves numbers in their own units, as the costs
of table 8 do. "chosen" takes the distances chosen for the columns (`kanon_core.distances`). Missing is a
value of its own (`Distance`). A column without range adds nothing. Weights w are 1 in the paper.

Each is symmetric, ≥ 0, and 0 between a record and itself; the triangle inequality holds where every
attribute's distance keeps it (`is_metric`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from kanon_core.base.errors import KanonError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr
from kanon_core.distances.base import Distance
from kanon_core.distances.chosen import Choice, Part, distance_of, parts
from kanon_core.distances.encodings import (
    VALUES_AT_MOST,
    Arrays,
    Beyond,
    Line,
    Matrix,
    Mismatch,
    Sphere,
    stacked,
)
from kanon_core.distances.values.circle import Around
from kanon_core.distances.values.discrete import Discrete
from kanon_core.distances.values.geo import EARTH_RADIUS_KM
from kanon_core.distances.values.numbers import Absolute
from kanon_core.table.columns.columns import Column
from kanon_core.table.schema import Attribute

MATRIX_AT_MOST = 5_000
"""The most records of an n × n matrix."""

WORDS: dict[str, str] = {
    "range": later("numbers divided by their range; 0 or 1 for other values"),
    "plain": later("numbers in their own units; 0 or 1 for other values"),
    "chosen": later("the distances chosen for the columns on the Data page"),
}
"""The distances by name."""

_PAIRS_PER_CALL = 4_000_000  # times attributes and about a nanosecond each


@dataclass(frozen=True, eq=False)
class ManhattanPoints:
    """n records as points of this distance. ``numeric`` float64 (n, p), scaled and weighted, NaN = missing
    (adds 0; its mismatch is a code); ``codes`` int32 (n, q); ``weights`` float64 (q): what a mismatch adds to
    the distance. ``beyond``: further terms of the distance. ``is_metric``: whether the triangle inequality
    holds."""

    numeric: np.ndarray
    codes: np.ndarray
    weights: np.ndarray
    beyond: Beyond = field(default_factory=lambda: _beyond([], [], 0))
    is_metric: bool = True

    def __post_init__(self) -> None:
        if len(self.beyond.codes) != len(self.numeric):  # left out
            object.__setattr__(self, "beyond", _beyond([], [], len(self.numeric)))

    def __len__(self) -> int:
        return len(self.numeric)

    def take(self, rows: np.ndarray) -> ManhattanPoints:
        """The points of these record numbers, at the same scale."""
        beyond = self.beyond._replace(
            codes=np.ascontiguousarray(self.beyond.codes[rows]),
            places=np.ascontiguousarray(self.beyond.places[rows]),
        )
        numeric, codes = (np.ascontiguousarray(part[rows]) for part in (self.numeric, self.codes))
        return replace(self, numeric=numeric, codes=codes, beyond=beyond)


def manhattan_points(
    columns: tuple[Column, ...], distance: str = "range", tick: Tick = silent
) -> ManhattanPoints:
    """The points of these columns; ``distance`` is one of `WORDS`.

    Cost O(n · columns), and with "chosen" that of the columns' distances. Raises UnsuitableError when a
    column does not suit the distance chosen for it, KanonError when it has too many different values.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"age": [10, 20, 50], "sex": ["F", "M", "M"]}))
    >>> distance_matrix(manhattan_points(table.quasi)).tolist()
    [[0.0, 1.25, 2.0], [1.25, 0.0, 0.75], [2.0, 0.75, 0.0]]
    """
    n = len(columns[0].missing) if columns else 0
    return points_of_parts(parts(columns, tick, CHOICES[distance]), n)


def points_of_parts(parts: Iterable[Part], n: int) -> ManhattanPoints:
    """The points of n records from their encoded attributes. Raises KanonError as `manhattan_points`."""
    numeric: list[np.ndarray] = []
    codes: list[np.ndarray] = []
    weights: list[float] = []
    matrices: list[tuple[Matrix, float]] = []
    places: list[tuple[Sphere, float]] = []
    is_metric = True
    for part in parts:
        encoding, weight = part.encoding, part.weight
        is_metric &= part.distance.axioms != "semimetric"
        if isinstance(encoding, Line):
            numeric.append(encoding.values * weight)
        elif isinstance(encoding, Mismatch):
            codes.append(encoding.codes)
            weights.append(weight)
        elif isinstance(encoding, Matrix):
            matrices.append((encoding, weight))
        elif isinstance(encoding, Sphere):
            places.append((encoding, weight))
        else:
            raise KanonError(too_many_values(part.names[0], encoding.size))
        if isinstance(encoding, Line | Sphere) and part.source.has_missing:
            codes.append(part.source.missing.astype(np.int32))
            weights.append(encoding.gap * weight)
    return ManhattanPoints(
        stacked(numeric, n, np.float64),
        stacked(codes, n, np.int32),
        np.array(weights, np.float64),
        _beyond(matrices, places, n),
        is_metric,
    )


def too_many_values(name: str, count: int) -> str:
    """Return the sentence on a column that has too many different values for a matrix."""
    return tr(
        "Column “{name}” has {count:,} different values, but k-concealment stores the distances of at most"
        " {limit:,}; choose Discrete for the column, or another distance than “chosen”."
    ).format(name=name, count=count, limit=VALUES_AT_MOST)


def _scaled(scale: str, attribute: Attribute) -> Distance:
    if attribute.kind == "cyclic":
        return Around("none" if scale == "none" else "half")
    return Absolute(scale) if attribute.is_numeric else Discrete()


CHOICES: dict[str, Choice] = {
    "range": partial(_scaled, "range"),
    "plain": partial(_scaled, "none"),
    "chosen": distance_of,
}
"""By word: the distance of an attribute."""


def pair_distances(points: ManhattanPoints, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """float64, of the shape of ``first`` and ``second``: the distance of each pair of record numbers."""
    from kanon_core.distances import manhattan_kernels as kernels

    a, b = np.broadcast_arrays(np.asarray(first, np.int64), np.asarray(second, np.int64))
    rows = Arrays(points.numeric, points.codes, points.weights, points.beyond)
    return np.asarray(kernels.pairs(rows, a.ravel().copy(), b.ravel().copy()).reshape(a.shape))


def distance_rows(points: ManhattanPoints, rows: np.ndarray) -> np.ndarray:
    """float64 (len(rows), n): the distances of these records to all. The caller bounds the size."""
    from kanon_core.distances import manhattan_kernels as kernels

    return np.asarray(kernels.rows_of(_by_column(points), np.asarray(rows, np.int64)))


def distance_matrix(points: ManhattanPoints) -> np.ndarray:
    """float64 (n, n), for at most `MATRIX_AT_MOST` records; raises KanonError beyond."""
    if len(points) > MATRIX_AT_MOST:
        raise KanonError(
            tr(
                "A matrix of all distances can have at most {limit:,} records, but there are {count:,}; use a"
                " sample of the records."
            ).format(limit=MATRIX_AT_MOST, count=len(points))
        )
    return distance_rows(points, np.arange(len(points)))


def nearest(
    points: ManhattanPoints,
    count: int,
    prices: np.ndarray | None = None,
    tick: Tick = silent,
    note: str = "",
) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each record i, the ``count`` ≤ n − 1 other records j with the least d(i, j) + prices[j]
    (prices are 0 when left out).

    The results are record numbers, int64 (n, count), the nearest first, and the sums d(i, j) + prices[j],
    float64 (n, count). Among equals the next record number after i comes first, cyclically: equal records get
    different neighbors. All pairs are compared, in blocks: O(n² · attributes), exact.
    """
    from kanon_core.distances import manhattan_kernels as kernels

    n = len(points)
    prices = np.zeros(n) if prices is None else np.ascontiguousarray(prices, np.float64)
    columns = _by_column(points)
    found, values = np.empty((n, count), np.int64), np.empty((n, count))
    step, note = max(1, _PAIRS_PER_CALL // n), note or tr("nearest records")
    for start in range(0, n, step):
        kernels.cheapest(columns, prices, start, min(n, start + step), found, values)
        tick(min(1.0, (start + step) / n), note)
    return found, values


def _by_column(points: ManhattanPoints) -> Arrays:
    there = points.beyond
    numeric, codes, more, places = (
        np.ascontiguousarray(part.T) for part in (points.numeric, points.codes, there.codes, there.places)
    )
    return Arrays(numeric, codes, points.weights, there._replace(codes=more, places=places))


def _beyond(matrices: list[tuple[Matrix, float]], places: list[tuple[Sphere, float]], n: int) -> Beyond:
    sizes = np.array([matrix.size for matrix, _ in matrices], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes**2)])[:-1].astype(np.int64)
    cells = [matrix.cells.ravel() for matrix, _ in matrices]
    return Beyond(
        stacked([matrix.codes for matrix, _ in matrices], n, np.int32),
        cells[0] if len(cells) == 1 else np.concatenate([np.zeros(0), *cells]),
        starts,
        sizes,
        np.array([weight for _, weight in matrices], np.float64),
        np.ascontiguousarray(places[0][0].points) if places else np.zeros((n, 0)),
        2 * EARTH_RADIUS_KM * (places[0][1] if places else 0.0),
    )
