"""The nearest and the farthest pairs of different values of a column, as examples of a distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.distances.base import Distance, Source, ValueDistance
from kanon_core.distances.chosen import names_of, place_at
from kanon_core.distances.encodings import Encoding, Line
from kanon_core.distances.values.places import GreatCircle
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.table import Table

VALUES = 400
"""The most values that are compared; of more, this many are evenly chosen in their order."""
_SECONDS = 0.5  # estimated, for comparing


@dataclass(frozen=True)
class Extremes:
    """Pairs of record numbers from 0 with their distance, the nearest first and the farthest first.
    ``compared`` of ``distinct`` different present values were looked at."""

    nearest: tuple[tuple[int, int, float], ...]
    farthest: tuple[tuple[int, int, float], ...]
    compared: int
    distinct: int


def source_of(table: Table, name: str, distance: Distance) -> Source:
    """Return the source of this distance in that column: the column, or the place that it belongs to."""
    column = table[name]
    return place_at(table.quasi, column) if isinstance(distance, GreatCircle) else column


def extremes(table: Table, name: str, distance: Distance, count: int = 3) -> Extremes:
    """Up to ``count`` nearest and farthest pairs of different values of a quasi-identifier. Raises
    UnsuitableError. Cost: on a line O(n log n), of all values; otherwise 400² distances, or as many as take
    about half a second."""
    source = source_of(table, name, distance)
    distance.check(source)
    first = _first_of_each(source)
    if len(first) < 2:
        return Extremes((), (), len(first), len(first))
    on_line = distance.encoded(source) if isinstance(source, Numbers) else None
    if isinstance(on_line, Line):
        compared, (a, b) = first, _on_line(len(first), count)
        apart = on_line.pairs(first[a], first[b])
    else:
        compared = first[_spaced(len(first), _affordable(distance, source, len(first)))]
        a, b = np.triu_indices(len(compared), 1)
        apart = _some(table, source, distance, compared).pairs(a, b)
    order = np.argsort(apart, kind="stable")
    near, far = (
        tuple((int(compared[a[i]]), int(compared[b[i]]), float(apart[i])) for i in chosen)
        for chosen in (order[:count], order[::-1][:count])
    )
    return Extremes(near, far, len(compared), len(first))


def _some(table: Table, source: Source, distance: Distance, rows: np.ndarray) -> Encoding:
    """These records alone, measured at the scale of the whole column."""
    names = names_of(source)
    return distance.encoded(source_of(table.some(rows, names), names[0], distance), distance.scale_of(source))


def _on_line(distinct: int, count: int) -> np.ndarray:
    """int64 (2, m): pairs of ascending values, among them the nearest (neighbors) and the farthest (ends)."""
    places, few = np.arange(distinct), min(count, distinct)
    near = [np.stack([places[:-step], places[step:]]) for step in range(1, few)]
    far = np.stack([end.ravel() for end in np.meshgrid(places[:few], places[distinct - few :])])
    pairs = np.hstack([*near, far[:, far[0] < far[1]]])
    return np.unique(pairs, axis=1)


def _first_of_each(source: Source) -> np.ndarray:
    """The first record of each different present value, in the order of the values."""
    first = np.unique(source.keys, axis=0, return_index=True)[1]
    return np.asarray(first[~source.missing[first]])


def _affordable(distance: Distance, source: Source, distinct: int) -> int:
    """Return how many values can be compared in half a second."""
    count = min(VALUES, distinct)
    if isinstance(distance, ValueDistance) and distinct:
        pair = float(distance.effort(distance.values(source)[1]).sum()) / distinct**2
        count = min(count, max(2, int((2e9 * _SECONDS / pair) ** 0.5)))
    return count


def _spaced(distinct: int, count: int) -> np.ndarray:
    return np.linspace(0, distinct - 1, min(count, distinct)).round().astype(np.int64)
