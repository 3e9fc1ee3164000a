"""Distances between records and losses of groups for sentences: of a single number in its own unit, else by
the mixed distance, in whose space records are places and centroids are means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kanon_core.algorithms.clustering.univariate import not_one_number
from kanon_core.base.words import tr
from kanon_core.charts.canvas.plane import Plane
from kanon_core.charts.steps.onplane import Place
from kanon_core.distances.chosen import distance_of
from kanon_core.distances.mixed import Piece, coordinates_of, pieces, points_of, scales_of, unit_columns_of
from kanon_core.table.table import Table
from kanon_core.teaching.explain.wording import amount, short_texts

_DAY = 86_400


def coordinates(table: Table) -> np.ndarray:
    """Return the points of the mixed distance, float64 (n, d): each category is a column of √(w / 2) or 0, so
    that the Euclidean distance is the mixed distance.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"city": ["Rome", "Rome", "Paris"]}))
    >>> round(float(((coordinates(table)[0] - coordinates(table)[2]) ** 2).sum()), 9)
    2.0
    """
    points = points_of(table)
    shown = [
        np.sqrt(weight / 2) * (codes[:, None] == np.unique(codes))
        for codes, weight in zip(points.codes.T, points.weights, strict=True)
    ]
    return np.column_stack([points.numeric, *shown])


def distance(places: np.ndarray, record: int, other: int) -> float:
    """Return the distance between two records."""
    return float(np.sqrt(((places[record] - places[other]) ** 2).sum()))


def centroid(picture: Plane, records: np.ndarray, name: str) -> tuple[Place, ...]:
    """Return the place of the mean of these records in the plane; nothing in a plane of categories."""
    if picture.x.labels or picture.y.labels or picture.outside[records].any():
        return ()
    return (Place(name, float(picture.x.values[records].mean()), float(picture.y.values[records].mean())),)


@dataclass(frozen=True, eq=False)
class OneNumber:
    """The only quasi-identifier of a table.

    ``values`` float64 (n) in its own unit, for dates in days; all 0 where they do not count. ``square``: the
    size of one squared unit in the squares of the algorithm, whose numbers are scaled.
    """

    name: str
    values: np.ndarray
    texts: tuple[str, ...]
    square: float
    date: bool

    @classmethod
    def of(cls, table: Table) -> OneNumber:
        """Return the only quasi-identifier of a table, a number."""
        column = table.numbers(table.quasi[0].attribute.name)
        date = column.attribute.kind == "datetime"
        factor = float(np.sqrt(column.attribute.weight)) * scales_of(table.quasi)[0]
        unit = _DAY if date else 1
        values = column.values / unit if factor else np.zeros(len(points_of(table)))
        texts = tuple(short_texts(column, column.values))
        return cls(column.attribute.name, values, texts, (factor * unit) ** 2 or 1.0, date)

    def sse(self, records: np.ndarray) -> float:
        """Return the sum of the squared distances of these records from their mean, in squared units."""
        return float(((self.values[records] - self.values[records].mean()) ** 2).sum())

    def less(self, record: int, mean: float) -> str:
        """Return the squared distance of a record from a mean, such as ``(10 − 3.25)²``; for dates ``(6.75
        days)²``."""
        if self.date:
            return tr("({days} days)²").format(days=amount(abs(float(self.values[record]) - mean)))
        mean_text = amount(mean)
        return f"({self._short(record)} − {f'({mean_text})' if mean < 0 else mean_text})²"

    def _short(self, record: int) -> str:
        return amount(float(self.values[record]), 6)

    def squared(self, value: float) -> str:
        """Return a sum of squares with its unit, which only dates have."""
        return tr("{number} days²").format(number=amount(value)) if self.date else amount(value)


@dataclass(frozen=True, eq=False)
class Distances:
    """The distances between the records of a table.

    ``places`` float64 (n, d): the records, so that Euclidean distances are those of the algorithm; ``unit``:
    the size of one unit of the sentences in these distances; ``days``: whether that unit is a day.
    """

    table: Table
    places: np.ndarray
    unit: float = 1.0
    days: bool = False

    @classmethod
    def of(cls, table: Table) -> Distances:
        """Return the distances of this table's quasi-identifiers; O(n · attributes), once per table."""
        return table.once("told_distances", lambda: cls._of(table))

    @classmethod
    def _of(cls, table: Table) -> Distances:
        if not_one_number(table):
            return cls(table, coordinates(table))
        number = OneNumber.of(table)
        return cls(table, coordinates(table), float(np.sqrt(number.square)), number.date)

    def between(self, record: int, other: int) -> float:
        """Return the distance between two records in the algorithm's unit, which `text` takes."""
        return distance(self.places, record, other)

    def from_centroid(self, record: int, records: np.ndarray) -> float:
        """Return the distance of a record from the centroid of some records."""
        return float(np.sqrt(((self.places[record] - self.places[records].mean(axis=0)) ** 2).sum()))

    def nearest(self, record: int, others: np.ndarray) -> int:
        """Return the nearest of some records; of equally near ones, the lowest number."""
        squares = ((self.places[others] - self.places[record]) ** 2).sum(axis=1)
        return int(others[np.argmin(squares)])

    def text(self, value: float) -> str:
        """Return a distance with its unit, if it has one."""
        return self.named(amount(value / self.unit))

    def squared(self, number: str) -> str:
        """Return the number with the square of the unit."""
        return tr("{number} days²").format(number=number) if self.days else number

    def named(self, number: str) -> str:
        """Return the number with the unit."""
        return tr("{number} days").format(number=number) if self.days else number

    def note(self) -> str:
        """Return a sentence on the definition of the distances."""
        if not not_one_number(self.table):
            name = self.table.quasi[0].attribute.name
            return tr("Distances are differences in “{name}”.").format(name=name)
        own = {name: found for name, found in coordinates_of(self.table).items() if found is not None}
        names = {piece.names[0]: piece for piece in pieces(self.table)}
        plain = [piece for name, piece in names.items() if name not in own]
        said = _counted(plain) if plain else tr("Distances are those chosen for the columns")
        if any(piece.numbers and piece.codes for piece in plain):
            said += tr("; a missing number counts as the mean, and as √2 away from numbers that are present")
        said += "".join(self._measured(name, found.off) for name, found in own.items())
        if any(column.attribute.weight != 1 for column in self.table.quasi):
            said += tr("; each column is multiplied by the square root of its weight")
        kinds = {column.attribute.kind for column in self.table.quasi if column.attribute.name not in own}
        if {"latitude", "longitude"} <= kinds:
            said += tr("; latitude and longitude have the same scale")
        return f"{said}."

    def _measured(self, name: str, off: float) -> str:
        """Return a clause on a column with its own distance, and on the error of its points."""
        said = tr("; “{name}” is measured by “{title}”, scaled so that squared distances are 2 on average")
        if off:
            said = tr(
                "; “{name}” is measured by “{title}”, scaled so that squared distances are 2 on average;"
                " the points differ from it by {percent} %"
            )
        title = distance_of(self.table.schema[name]).title
        return said.format(name=name, title=title, percent=max(1, round(100 * off)))


def _counted(plain: list[Piece]) -> str:
    """Return a sentence on the columns without a chosen distance."""
    if not any(piece.codes for piece in plain):
        return tr("Distances count numbers in standard deviations of their column")
    if not any(piece.numbers for piece in plain):
        return tr("Distances count √2 for two different values")
    return tr(
        "Distances count numbers in standard deviations of their column, and √2 for two different values of"
        " other columns"
    )


def loss_of(table: Table, word: str) -> Callable[[np.ndarray], float]:
    """Return a function that computes the share of a group of records in the SSE ("sse") or the NCP ("ncp")
    of a partition.

    SSE: the squared distances of its records from their mean. NCP: records / all records · Σ over attributes
    of the weight times the width of its interval / range of the column, or (values − 1) / (domain − 1).
    """
    if word == "sse":
        places = coordinates(table)
        return lambda records: float(((places[records] - places[records].mean(axis=0)) ** 2).sum())
    unit, n = unit_columns_of(table), len(table)

    def ncp(records: np.ndarray) -> float:
        numbers = [_width(column[records]) for column in unit.numeric.T]
        values = [
            (len(np.unique(codes[records])) - 1) / max(domain - 1, 1)
            for codes, domain in zip(unit.codes.T, unit.domains.tolist(), strict=True)
        ]
        each = np.dot(numbers, unit.numeric_weights) + np.dot(values, unit.code_weights)
        return float(len(records) * each / n)

    return ncp


def _width(values: np.ndarray) -> float:
    missing = np.isnan(values)
    if missing.all():
        return 0.0
    return 1.0 if missing.any() else float(np.ptp(values))
