"""The mixed distance: numbers, dates, places and categories in one Euclidean space.

    d²(a, b) = Σ_numeric w (a − b)² / s²  +  Σ_categorical 2 w [a ≠ b]  +  Σ_chosen w d²_column(a, b)

``s`` is the sample standard deviation of the column; latitude and longitude share one scale, so that a
kilometer is a kilometer in both directions. Two independent draws of a z-scored number differ by E|x − y|² =
2; hence a mismatch of two categories counts 2, and all attributes of weight w weigh alike. Missing is a value
of its own: a missing number is at the column's mean and mismatches (2 w) every present one.

A column for which a distance is chosen enters as the points that its distance makes of it, two different
values 2 apart on average, too (`kanon_core.distances.coordinates`). Absolute difference and days of the
calendar are the scaled number itself, whatever their unit; discrete is the mismatch. Columns that their
distance cannot measure are taken as if none were chosen; algorithms refuse them (`Algorithm.unsuitable`). A
cyclic column for which none is chosen is a circle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.distances.base import Source
from kanon_core.distances.chosen import default, distance_of, names_of, sources
from kanon_core.distances.coordinates import MISMATCH, Coordinates
from kanon_core.distances.encodings import stacked
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.table import Table


@dataclass(frozen=True, eq=False)
class Piece:
    """A column, or a place made of two columns, in the mixed distance: ``numbers``, each float64 (n), scaled
    and weighted; ``codes``, each int32 (n), with their ``weights``."""

    names: tuple[str, ...]
    numbers: tuple[np.ndarray, ...] = ()
    codes: tuple[np.ndarray, ...] = ()
    weights: tuple[float, ...] = ()


@dataclass(frozen=True)
class Points:
    """Records as points of the mixed distance. ``numeric`` float64 (n, p), scaled and weighted; ``codes``
    int32 (n, q); ``weights`` float64 (q): what a mismatch adds to the squared distance. ``numeric_of`` and
    ``codes_of`` name the attribute of each column; for a place, the latitude's."""

    numeric: np.ndarray
    codes: np.ndarray
    weights: np.ndarray
    numeric_of: tuple[str, ...]
    codes_of: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.numeric)


@dataclass(frozen=True)
class UnitColumns:
    """Records as NCP sees them. ``numeric`` float64 (n, p), each column scaled to 0..1 by its range (0 when
    constant), NaN = missing; ``codes`` int32 (n, q) with ``domains`` int64 (q) the numbers of values; weights
    of both, summing to 1 (all 0 when every weight is 0)."""

    numeric: np.ndarray
    numeric_weights: np.ndarray
    codes: np.ndarray
    domains: np.ndarray
    code_weights: np.ndarray


def points_of(table: Table, tick: Tick = silent) -> Points:
    """The quasi-identifiers of a table as points. Cost O(n · columns), once per table, and what the chosen
    distances of values cost.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"age": [30, 40, 50], "city": ["Rome", "Rome", "Paris"]}))
    >>> points = points_of(table)
    >>> points.numeric[:, 0].tolist(), points.codes[:, 0].tolist(), points.weights.tolist()
    ([-1.0, 0.0, 1.0], [1, 1, 0], [2.0])
    """
    return table.once("points", lambda: _points(table, tick))


def pieces(table: Table, tick: Tick = silent) -> Iterator[Piece]:
    """The quasi-identifiers in column order, without columns of item sets, which the mixed distance does not
    count."""
    found = {name: own for name, own in coordinates_of(table, tick).items() if own is not None}
    plain = tuple(c for c in table.quasi if c.attribute.name not in found)
    scales = {c.attribute.name: scale for c, scale in zip(plain, scales_of(plain), strict=True)}
    for source in sources(table.quasi):
        name = source.attribute.name
        if name in found:
            yield _chosen(source, found[name])
        elif isinstance(source, Numbers):
            yield _number(source, scales[name])
        elif isinstance(source, Categories):
            yield Piece((name,), (), (source.codes,), (MISMATCH * source.attribute.weight,))


def coordinates_of(table: Table, tick: Tick = silent) -> dict[str, Coordinates | None]:
    """Return, by name (for a place, that of the latitude), the points that a chosen distance makes of a
    column; None where the column is treated as if no distance were chosen. Once per table."""
    return table.once("coordinates", lambda: {s.attribute.name: _own(s, tick) for s in sources(table.quasi)})


def _own(source: Source, tick: Tick) -> Coordinates | None:
    if isinstance(source, Items):
        return None
    chosen = distance_of(source.attribute)
    distance = default(source.attribute.kind) if chosen.unsuitable(source) else chosen
    return None if distance.unsuitable(source) else distance.coordinates(source, tick)


def _chosen(source: Source, own: Coordinates) -> Piece:
    weight = source.attribute.weight
    numbers = tuple(np.ascontiguousarray(column) * np.sqrt(weight) for column in own.numeric.T)
    return Piece(
        names_of(source), numbers, tuple(own.codes.T), tuple(weight * w for w in own.weights.tolist())
    )


def _number(column: Numbers, scale: float) -> Piece:
    name, placed = column.attribute.name, placed_by(column, scale)
    if not column.has_missing:
        return Piece((name,), (placed,))
    return Piece((name,), (placed,), (column.missing,), (MISMATCH * column.attribute.weight,))


def unit_columns_of(table: Table) -> UnitColumns:
    """The quasi-identifiers scaled to 0..1 by range, as NCP measures them; O(n · columns), once per table."""
    return table.once("unit_columns", lambda: unit_columns(table.quasi, len(table)))


def _points(table: Table, tick: Tick) -> Points:
    found, n = list(pieces(table, tick)), len(table)
    return Points(
        stacked([column for piece in found for column in piece.numbers], n, np.float64),
        stacked([column for piece in found for column in piece.codes], n, np.int32),
        np.array([weight for piece in found for weight in piece.weights], np.float64),
        tuple(piece.names[0] for piece in found for _ in piece.numbers),
        tuple(piece.names[0] for piece in found for _ in piece.codes),
    )


def unit_columns(columns: tuple[Column, ...], n: int) -> UnitColumns:
    """These columns of n records, scaled to 0..1 by range."""
    numbers = [c for c in columns if isinstance(c, Numbers)]
    categories = [c for c in columns if isinstance(c, Categories)]
    total = sum(c.attribute.weight for c in columns) or 1.0
    return UnitColumns(
        stacked(map(_to_unit, numbers), n, np.float64),
        np.array([c.attribute.weight / total for c in numbers], np.float64),
        stacked((c.codes for c in categories), n, np.int32),
        np.array([len(c.labels) for c in categories], np.int64),
        np.array([c.attribute.weight / total for c in categories], np.float64),
    )


def _to_unit(column: Numbers) -> np.ndarray:
    low, high = column.range
    width = high - low
    return (column.values - low) / width if width > 0 else column.values * 0.0


def placed_by(column: Numbers, scale: float) -> np.ndarray:
    """float64 (n): a column of `Points.numeric`, given its factor; missing numbers lie at the mean."""
    mean = column.mean
    present = np.where(column.missing, mean, column.values) if column.has_missing else column.values
    return np.asarray((present - mean) * (np.sqrt(column.attribute.weight) * scale))


def scales_of(columns: tuple[Column, ...]) -> list[float]:
    """Each column's factor, 1 if not numeric; places share one, east–west shrunk by cos(latitude)."""
    deviations = [c.deviation if isinstance(c, Numbers) else 1.0 for c in columns]
    means = [c.mean if isinstance(c, Numbers) else 0.0 for c in columns]
    return scales_by([c.attribute.kind for c in columns], means, deviations)


def scales_by(kinds: Sequence[str], means: Sequence[float], deviations: Sequence[float]) -> list[float]:
    """`scales_of` columns of these kinds, means and deviations."""
    deviations, shrink = list(deviations), np.ones(len(kinds))
    if "latitude" in kinds and "longitude" in kinds:
        lat, lon = kinds.index("latitude"), kinds.index("longitude")
        shrink[lon] = np.cos(np.radians(means[lat]))
        common = np.sqrt((deviations[lat] ** 2 + (deviations[lon] * shrink[lon]) ** 2) / 2)
        deviations[lat] = deviations[lon] = float(common)
    return [float(s / d) if d > 0 else 0.0 for s, d in zip(shrink, deviations, strict=True)]
