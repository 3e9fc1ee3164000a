"""The base of all distances: declared objects that measure the distance of two values of a column.

A new distance is a subclass in a file of `values`, and one line in `kanon_core.distances.DISTANCES`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, later, listed, tr
from kanon_core.distances.coordinates import Apart, Coordinates, axes_of, spanned
from kanon_core.distances.encodings import VALUES_AT_MOST, Computed, Encoding, Matrix, Scale
from kanon_core.distances.values.geo import Place
from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.schema import Comparison

Source = Column | Place
"""The data that a distance compares: a column, or the two columns of a place."""

AXIOMS: dict[str, str] = {
    "metric": later("0 only between equal values, symmetric, and the triangle inequality holds"),
    "pseudometric": later("like a metric, but the distance of two different values can be 0"),
    "semimetric": later("0 between equal values and symmetric, but the triangle inequality can fail"),
}

SECONDS_AT_MOST = 60.0
"""The most estimated seconds for comparing the values of a column."""

_BLOCK = 5e7  # estimated nanoseconds of work between two ticks


@dataclass(frozen=True)
class Distance(Comparison):
    """Base of all distances. Class attributes describe it for people: ``title``, ``sentence`` (the meaning of
    the number), ``formula`` (LaTeX), ``kinds`` (of columns that it takes), ``unit`` ("" for none). Missing
    is a value of its own: 0 from a missing one, `bound` (1 where that is 0) from every present one."""

    sentence: ClassVar[str]
    formula: ClassVar[str]
    unit: ClassVar[str] = ""

    @property
    def axioms(self) -> str:
        """A word of `AXIOMS`."""
        return "metric"

    def bound(self, column: Source) -> float:
        """The largest distance that two present values of the column can have. Cost O(n)."""
        return 1.0

    def unsuitable(self, column: Source) -> list[str]:
        """Return why the distance cannot measure this column, in sentences; empty when it can. Cost O(n) or
        less."""
        kind, name = column.attribute.kind, column.attribute.name
        if kind in self.kinds:
            return []
        reason = tr(
            "Column “{name}” is {kind}, but “{title}” takes only columns that are {takes}; choose another"
            " distance or kind."
        )
        takes = tr(" or ").join(self.kinds)
        return [reason.format(name=name, kind=kind, title=self.title, takes=takes)]

    def check(self, column: Source) -> None:
        """Raise UnsuitableError, with the sentences, for a column that the distance cannot measure."""
        if reasons := self.unsuitable(column):
            raise UnsuitableError(" ".join(reasons))

    def scale_of(self, column: Source) -> Scale:
        """Return the scale on which this column is measured."""
        return Scale(0.0, 1.0, self.bound(column) or 1.0)

    def encoded(self, column: Source, scale: Scale | None = None, tick: Tick = silent) -> Encoding:
        """The column as arrays; ``scale`` is its own when left out. Raises UnsuitableError."""
        self.check(column)
        return self._encode(column, self.scale_of(column) if scale is None else scale, tick)

    def coordinates(self, column: Any, tick: Tick = silent) -> Coordinates | None:
        """Return the column as points for algorithms that compute with centroids; None: the column is treated
        like one of its kind without a chosen distance, a number on its line, a category by equality."""
        return None

    @property
    def form(self) -> str:
        """The form of `coordinates`: "line" (none: the number itself), "equal" (none of categories: only
        equality counts), "points" (`points`), or "values": all that occur."""
        return "values"

    def points(self, column: Any) -> np.ndarray:
        """float64 (n, d): places in the plane or in space, NaN = missing, whose spread in the whole table
        scales `coordinates`, where its form is points."""
        raise NotImplementedError  # pragma: no cover - every such distance overrides it

    def along(self, column: Any) -> np.ndarray | None:
        """float64 (n): the order in which records are sorted, NaN = missing; None: that of the values."""
        return None

    def _encode(self, column: Any, scale: Scale, tick: Tick) -> Encoding:
        raise NotImplementedError  # pragma: no cover - every distance overrides it


@dataclass(frozen=True)
class ValueDistance(Distance):
    """Base of the distances between different values, fewer than records: a matrix, or its rows."""

    def between(self, values: Any, others: Any) -> np.ndarray:
        """float64 (r, s): the distance of each of these present values to each of the others."""
        raise NotImplementedError  # pragma: no cover - every such distance overrides it

    def values(self, column: Any) -> tuple[np.ndarray, Sequence[Any]]:
        """Each record's code, int32 (n), and the present values of the codes; missing has the next code."""
        assert isinstance(column, Categories)
        return column.codes, column.labels[: column.distinct]

    def effort(self, values: Any) -> np.ndarray:
        """float64 (V): about how many nanoseconds it takes to compare each value to all."""
        return np.full(len(values), 10.0 * len(values))

    def unsuitable(self, column: Source) -> list[str]:
        """Return why the column does not suit: it is of another kind, or its values would take too long to
        compare."""
        reasons = super().unsuitable(column)
        seconds = 0.0 if reasons else float(self.effort(self.values(column)[1]).sum()) / 2e9
        if seconds <= SECONDS_AT_MOST:
            return reasons
        return [
            tr(
                "Comparing the values of column “{name}” by “{title}” would take about {duration}; choose"
                " another distance, or use fewer or shorter values."
            ).format(name=column.attribute.name, title=self.title, duration=_duration(seconds))
        ]

    def coordinates(self, column: Any, tick: Tick = silent) -> Coordinates | None:
        """Return coordinates along axes through the values (`kanon_core.distances.coordinates.spanned`)."""
        codes, values = self.values(column)
        return spanned(codes, len(values), self._apart(values), column.has_missing, tick)

    def along(self, column: Any) -> np.ndarray | None:
        """Return the order along the line from one of the two farthest values to the other."""
        codes, values = self.values(column)
        axis = axes_of(len(values), self._apart(values), 1)
        places = axis[:, 0] if axis.shape[1] else np.zeros(len(values))
        return np.asarray(np.append(places, np.nan)[codes])

    def _apart(self, values: Sequence[Any]) -> Apart:
        """The distances of values by their numbers."""
        return lambda some, others: self.between(*([values[i] for i in of.tolist()] for of in (some, others)))

    def _encode(self, column: Any, scale: Scale, tick: Tick) -> Encoding:
        codes, values = self.values(column)
        size = len(values)
        if size > VALUES_AT_MOST:
            return Computed(codes, size + 1, lambda wanted: self._rows(values, wanted, scale.gap))
        missing = column.has_missing
        cells = np.full((size + missing, size + missing), scale.gap)
        for start, stop in blocks(self.effort(values)):
            tick(start / size, tr("distances of {name}").format(name=column.attribute.name))
            block = self.between(values[start:stop], values[start:])
            cells[start:stop, start:size] = block
            cells[start:size, start:stop] = block.T
        np.fill_diagonal(cells, 0.0)
        return Matrix(codes, cells)

    def _rows(self, values: Any, wanted: np.ndarray, gap: float) -> np.ndarray:
        size = len(values)
        found = np.full((len(wanted), size + 1), gap)
        present = np.flatnonzero(wanted < size)
        if len(present):
            found[present, :size] = self.between([values[code] for code in wanted[present].tolist()], values)
        found[np.arange(len(wanted)), wanted] = 0.0
        return found


def blocks(effort: np.ndarray) -> Iterator[tuple[int, int]]:
    """Consecutive ranges of values of bounded effort, each of at least one value."""
    reached = np.cumsum(effort)
    start = 0
    while start < len(effort):
        limit = (reached[start - 1] if start else 0.0) + _BLOCK
        stop = max(start + 1, int(np.searchsorted(reached, limit, "right")))
        yield start, stop
        start = stop


def extent(column: Numbers) -> float:
    """The range of the column's present values."""
    low, high = column.range
    return high - low


def named(column: Source, values: Sequence[str], most: int = 3) -> str:
    """Up to three values for a message; only their number for a column whose cells must not be quoted."""
    return counted(len(values), "value") if column.attribute.is_private else first_few(values, most)


def first_few(names: Sequence[str], most: int = 3) -> str:
    """Return up to three names in quotes for a message, and how many more there are."""
    return listed([f"“{name[:40]}”" for name in names], most)


def lacking(column: Source, sentence: str, values: Iterable[str], known: Container[str]) -> list[str]:
    """The sentence, filled in, when values of the column are unknown to a tree, a graph or a matrix; else
    nothing."""
    absent = [value for value in values if value not in known]
    if not absent:
        return []
    names = named(column, absent)
    return [sentence.format(name=column.attribute.name, missing=len(absent), values=names)]


def _duration(seconds: float) -> str:
    units = (
        (tr("{count:.0f} days"), 86_400),
        (tr("{count:.0f} hours"), 3_600),
        (tr("{count:.0f} minutes"), 60),
    )
    for text, length in units:
        if seconds >= 2 * length:
            return text.format(count=seconds / length)
    return tr("{count:.0f} seconds").format(count=seconds)
