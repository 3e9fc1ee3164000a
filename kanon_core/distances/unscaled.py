"""The mixed distance before it is scaled, as far as a part of a table determines it without the rest.

The means and deviations that center and scale columns (`kanon_core.distances.mixed`) are those of all
records. So a part keeps its numbers unscaled; the centers and factors are computed from the merged moments
of all parts (`kanon_core.base.sums`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.base.words import tr
from kanon_core.distances.base import Distance, Source
from kanon_core.distances.chosen import default, distance_of, names_of, sources
from kanon_core.distances.coordinates import MISMATCH, factor_of, rounded
from kanon_core.distances.mixed import coordinates_of, scales_by
from kanon_core.table.columns.columns import Categories, Items, Numbers
from kanon_core.table.table import Table

Moments = Mapping[str, np.ndarray]
"""By column, of a place by that of the latitudes, float64 (d, 3): the moments of each of its numbers."""


@dataclass(frozen=True, eq=False)
class Unscaled:
    """A column, or a place made of two columns, before it is scaled: ``numbers``, each float64 (n), NaN =
    missing; ``codes``, each whole numbers (n) from 0, of which only equality counts (`mismatches`)."""

    name: str
    numbers: tuple[np.ndarray, ...] = ()
    codes: tuple[np.ndarray, ...] = ()


def unscaled(table: Table) -> Iterator[Unscaled]:
    """The quasi-identifiers in column order, without columns of item sets. Numbers of a line are
    counted from the lowest of the whole."""
    for source in _measured(table):
        name, form = names_of(source)[0], _form(source)
        gaps = () if isinstance(source, Categories) or not source.has_missing else (source.missing,)
        if form == "points":
            points = rounded(_distance(source).points(source))
            points[np.isnan(points[:, 0])] = 0.0 if _of_levels(source) else np.nan
            yield Unscaled(name, tuple(np.ascontiguousarray(points.T)), gaps)
        elif form == "values":
            found = coordinates_of(table)[name]
            assert found is not None
            yield Unscaled(name, tuple(np.ascontiguousarray(found.numeric.T)), tuple(found.codes.T))
        elif isinstance(source, Categories):
            yield Unscaled(name, (), (source.codes,))
        elif isinstance(source, Numbers):
            yield Unscaled(name, (_on_line(source),), gaps)


def mismatches(table: Table) -> dict[str, tuple[float, ...]]:
    """Return, by column, what a mismatch in each of its codes adds to the squared distance."""
    found = dict[str, tuple[float, ...]]()
    for source in _measured(table):
        name, weight = names_of(source)[0], source.attribute.weight
        if _form(source) == "values":
            own = coordinates_of(table)[name]
            assert own is not None
            found[name] = tuple(weight * one for one in own.weights.tolist())
        else:
            found[name] = (MISMATCH * weight,) * (isinstance(source, Categories) or source.has_missing)
    return found


def compares_all_values(table: Table) -> list[str]:
    """Return why the distances chosen for some columns cannot be computed from a part of the table, in
    sentences; empty where they can. A part has all labels of the whole table's categories, but only its own
    numbers."""
    text = tr(
        "The distance of column “{name}” compares all values of the table, which a part of it does not have;"
        " choose another distance."
    )
    own = (s for s in _measured(table) if isinstance(s, Numbers) and _form(s) == "values")
    return [text.format(name=source.attribute.name) for source in own]


def centers_and_factors(table: Table, moments: Moments) -> dict[str, tuple[np.ndarray, float]]:
    """Return two arrays by column, float64 (d): the centers of its numbers, as `unscaled` counts them, and
    the factors of their squared differences in the mixed distance. ``moments``: those of all records."""
    found = dict[str, tuple[np.ndarray, float]]()
    lines = [s for s in _measured(table) if _form(s) == "line" and isinstance(s, Numbers)]
    for source in _measured(table):
        name, weight = names_of(source)[0], source.attribute.weight
        if name in moments and _form(source) != "line":
            scaled = _form(source) == "points" and not _of_levels(source)
            factor = _of_points(moments[name]) if scaled else 1.0
            found[name] = moments[name][:, 1], weight * factor
    scales = scales_by(
        [s.attribute.kind for s in lines],
        [s.range[0] + float(moments[s.attribute.name][0, 1]) for s in lines],
        [_deviation(s, moments[s.attribute.name][0]) for s in lines],
    )
    for source, scale in zip(lines, scales, strict=True):
        name = source.attribute.name
        found[name] = moments[name][:, 1], source.attribute.weight * scale**2
    return found


def _on_line(column: Numbers) -> np.ndarray:
    """Return the numbers counted from the lowest; numbers that are too large, or too near one another, to be
    squared all become one."""
    if not column.comparable:
        return np.asarray(np.where(column.missing, np.nan, 0.0))
    values = np.where(column.missing, column.mean, column.values) if _of_levels(column) else column.values
    return np.asarray(values - column.range[0])


def _of_levels(source: Source) -> bool:
    """Return whether mean and deviation are those of the levels, whatever records there are; the place of
    missing ones is then known."""
    return isinstance(source, Numbers) and bool(source.levels)


def _measured(table: Table) -> Sequence[Source]:
    return [source for source in sources(table.quasi) if not isinstance(source, Items)]


def _distance(source: Source) -> Distance:
    """The distance that makes its coordinates (`kanon_core.distances.mixed.coordinates_of`)."""
    chosen = distance_of(source.attribute)
    return default(source.attribute.kind) if chosen.unsuitable(source) else chosen


def _form(source: Source) -> str:
    """Return the form of the coordinates, see `Distance.form`; "values" only where there are coordinates."""
    distance = _distance(source)
    if distance.unsuitable(source) or (isinstance(source, Categories) and distance.form == "equal"):
        return "equal" if isinstance(source, Categories) else "line"
    return "values" if distance.form == "equal" else distance.form


def _of_points(moments: np.ndarray) -> float:
    held = float(moments[0, 0])
    spread = float(np.sqrt(moments[:, 2].sum() / (held - 1))) if held >= 2 else 0.0
    return factor_of(spread) ** 2


def _deviation(column: Numbers, moments: np.ndarray) -> float:
    """Return the deviation, see `Numbers.deviation`; where the domain of the whole does not hold it, that of
    the moments."""
    if column.whole is not None and column.whole.squares:
        return column.deviation
    if moments[0] < 2 or column.range[0] == column.range[1] or not column.comparable:
        return 0.0
    return float(np.sqrt(moments[2] / (moments[0] - 1)))
