"""The distance of each column of a table, and the columns as their distances encode them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kanon_core.base.progress import Tick, silent, stage
from kanon_core.distances.base import Distance, Source
from kanon_core.distances.encodings import Encoding, Scale
from kanon_core.distances.values.circle import Around
from kanon_core.distances.values.discrete import Discrete
from kanon_core.distances.values.geo import Place
from kanon_core.distances.values.numbers import Absolute
from kanon_core.distances.values.places import GreatCircle
from kanon_core.distances.values.sets import Jaccard
from kanon_core.table.columns.columns import Column, Numbers
from kanon_core.table.schema import NUMERIC_KINDS, Attribute
from kanon_core.table.table import Table


@dataclass(frozen=True, eq=False)
class Part:
    """A column, or a place made of two columns, as its distance encodes it; ``weight`` is the attribute's."""

    source: Source
    distance: Distance
    scale: Scale
    encoding: Encoding

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the column, or the two of a place."""
        return names_of(self.source)

    @property
    def weight(self) -> float:
        """The attribute's weight; of a place that of the latitude."""
        return self.source.attribute.weight


Choice = Callable[[Attribute], Distance]
"""A function that chooses the distance of an attribute."""


def default(kind: str) -> Distance:
    """The default distance of a kind: for numbers the share of the range, for ordinal values that of their
    order, for cyclic ones that of the half circle, for item sets Jaccard, else discrete. Each adds at most 1
    (k-concealment paper, definition 2.2, which has no item sets).

    >>> default("numeric"), default("text")
    (Absolute(scale='range'), Discrete())
    """
    if kind == "cyclic":
        return Around()
    if kind in NUMERIC_KINDS:
        return Absolute()
    return Jaccard() if kind == "items" else Discrete()


def distance_of(attribute: Attribute) -> Distance:
    """The distance chosen for this attribute, or the default of its kind."""
    if attribute.distance is None:
        return default(attribute.kind)
    assert isinstance(attribute.distance, Distance)
    return attribute.distance


def sources(columns: tuple[Column, ...], choice: Choice = distance_of) -> tuple[Source, ...]:
    """Return the columns, with latitude and longitude as one place under the great circle."""
    measured = (place_at(columns, c) for c in columns if isinstance(choice(c.attribute), GreatCircle))
    place = next(measured, None)
    if not isinstance(place, Place):
        return columns
    return tuple(place if c is place.latitude else c for c in columns if c is not place.longitude)


def place_at(columns: tuple[Column, ...], column: Column) -> Source:
    """The place of a column of latitudes; the column itself when it has no longitudes beside it."""
    if column.attribute.kind == "latitude" and isinstance(column, Numbers):
        for other in columns:
            if other.attribute.kind == "longitude" and isinstance(other, Numbers):
                return Place(column, other)
    return column


def names_of(source: Source) -> tuple[str, ...]:
    """The name of a column, or the two of a place."""
    if isinstance(source, Place):
        return (source.latitude.attribute.name, source.longitude.attribute.name)
    return (source.attribute.name,)


def reasons(columns: tuple[Column, ...]) -> list[str]:
    """Return why the chosen distances cannot measure these columns, in sentences; empty when they can."""
    return [r for source in sources(columns) for r in distance_of(source.attribute).unsuitable(source)]


def parts(columns: tuple[Column, ...], tick: Tick = silent, choice: Choice = distance_of) -> tuple[Part, ...]:
    """The columns encoded by the distances chosen for them, in column order. Raises UnsuitableError."""
    measured = sources(columns, choice)
    found = []
    for i, source in enumerate(measured):
        distance = choice(source.attribute)
        distance.check(source)
        scale, share = distance.scale_of(source), stage(tick, i / len(measured), (i + 1) / len(measured))
        found.append(Part(source, distance, scale, distance.encoded(source, scale, share)))
    return tuple(found)


def parts_of(table: Table, tick: Tick = silent) -> tuple[Part, ...]:
    """The quasi-identifiers by their chosen distances, once per table. Raises UnsuitableError."""
    return table.once("parts", lambda: parts(table.quasi, tick))
