"""Distances as sentences give them: of one number in its own unit, else those of the mixed distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.algorithms.clustering.univariate import not_one_number
from kanon_core.base.words import tr
from kanon_core.distances.chosen import distance_of
from kanon_core.distances.mixed import Piece, coordinates_of, pieces
from kanon_core.explain.amounts import amount
from kanon_core.explain.clustering.number import OneNumber
from kanon_core.explain.places import coordinates
from kanon_core.table.table import Table


@dataclass(frozen=True, eq=False)
class Distances:
    """The distances between the records of a table.

    ``places`` float64 (n, d): the records, so that Euclidean distances are those of the algorithm; ``unit``:
    what one unit of the sentences is in those; ``days``: whether that unit is a day.
    """

    table: Table
    places: np.ndarray
    unit: float = 1.0
    days: bool = False

    @classmethod
    def of(cls, table: Table) -> Distances:
        """The distances of this table's quasi-identifiers; O(n · attributes), once per table."""
        return table.once("told_distances", lambda: cls._of(table))

    @classmethod
    def _of(cls, table: Table) -> Distances:
        if not_one_number(table):
            return cls(table, coordinates(table))
        number = OneNumber.of(table)
        return cls(table, coordinates(table), float(np.sqrt(number.square)), number.date)

    def between(self, record: int, other: int) -> float:
        """The distance between two records, in the algorithm's unit, as all that are given to `text`."""
        return float(np.sqrt(((self.places[record] - self.places[other]) ** 2).sum()))

    def from_centroid(self, record: int, records: np.ndarray) -> float:
        """How far a record is from the centroid of some records."""
        return float(np.sqrt(((self.places[record] - self.places[records].mean(axis=0)) ** 2).sum()))

    def nearest(self, record: int, others: np.ndarray) -> int:
        """The nearest of some records, of equally near ones the lowest number."""
        squares = ((self.places[others] - self.places[record]) ** 2).sum(axis=1)
        return int(others[np.argmin(squares)])

    def text(self, value: float) -> str:
        """A distance with its unit, if it has one."""
        return self.named(amount(value / self.unit))

    def squared(self, number: str) -> str:
        """The number with the square of the unit."""
        return tr("{number} days²").format(number=number) if self.days else number

    def named(self, number: str) -> str:
        """The number with the unit."""
        return tr("{number} days").format(number=number) if self.days else number

    def note(self) -> str:
        """What the distances count, in a sentence."""
        if not not_one_number(self.table):
            name = self.table.quasi[0].attribute.name
            return tr("Distances are differences in “{name}”.").format(name=name)
        own = {name: found for name, found in coordinates_of(self.table).items() if found is not None}
        names = {piece.names[0]: piece for piece in pieces(self.table)}
        plain = [piece for name, piece in names.items() if name not in own]
        said = _counted(plain) if plain else tr("Distances are those chosen for the columns")
        if any(piece.numbers and piece.codes for piece in plain):
            said += tr("; a missing number lies at the mean, and √2 from those that are there")
        said += "".join(self._measured(name, found.off) for name, found in own.items())
        if any(column.attribute.weight != 1 for column in self.table.quasi):
            said += tr("; each column times the root of its weight")
        kinds = {column.attribute.kind for column in self.table.quasi if column.attribute.name not in own}
        if {"latitude", "longitude"} <= kinds:
            said += tr("; places have one scale for both directions")
        return f"{said}."

    def _measured(self, name: str, off: float) -> str:
        """That a column is measured by its own distance, and how exactly its points keep it."""
        said = tr("; “{name}” by “{title}”, scaled so that squared distances are 2 on average")
        if off:
            said = tr(
                "; “{name}” by “{title}”, scaled so that squared distances are 2 on average, which points"
                " keep but for {percent} %"
            )
        title = distance_of(self.table.schema[name]).title
        return said.format(name=name, title=title, percent=max(1, round(100 * off)))


def _counted(plain: list[Piece]) -> str:
    """What columns count for which no distance is chosen."""
    if not any(piece.codes for piece in plain):
        return tr("Distances count numbers in standard deviations of their column")
    if not any(piece.numbers for piece in plain):
        return tr("Distances count √2 for two different values")
    return tr(
        "Distances count numbers in standard deviations of their column, and √2 for two different values of"
        " the others"
    )
