"""The levels of a column, from fine to coarse cells; full-domain generalization chooses one for the
column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kanon_core.covers.cells import Cells, Intervals, Nodes, PublishedColumn, ValueSets
from kanon_core.covers.rounding.widening import with_round_ends
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.columns.keys import numbered
from kanon_core.table.hierarchy.placed import Placed, placed


class Level(NamedTuple):
    """The cells of one level, and the cell of each different value of the column, int64 (values)."""

    cells: Cells
    cell: np.ndarray


class Levels(NamedTuple):
    """A column's levels, the finest first. Values that share a cell share one on every higher level.

    ``value`` int64 (n): the value of each record.
    """

    column: Column
    value: np.ndarray
    steps: tuple[Level, ...]

    def published(self, step: int, kept: np.ndarray) -> PublishedColumn:
        """Return the column at this level; records that are not ``kept`` (n booleans) are suppressed."""
        cells, cell = self.steps[step]
        if isinstance(self.column, Numbers) and self.column.attribute.round_to:
            cells = with_round_ends(cells.as_intervals(), self.column)
        return PublishedColumn(self.column.attribute, cells, np.where(kept, cell[self.value], -1))


def levels_of(column: Column, halvings: int) -> Levels:
    """Return the levels of a column, without those that join no values.

    A category with a hierarchy of height h has h + 1: on level j every value is its ancestor at depth h − j,
    or itself if its depth is less. A category without a hierarchy has two: each value, and any value. Numbers
    and dates: each value; the range of the column in 2^halvings parts of equal length, in half as many, …, in
    one; a part is published as the interval of its values. Missing is a separate value below the last level.
    Cost O(n log n).
    """
    assert not isinstance(column, Items)
    if isinstance(column, Numbers):
        values, value = np.unique(column.values, return_inverse=True)
        return Levels(column, value, _joining(_of_numbers(column, values, halvings)))
    steps = _of_values(column) if column.attribute.hierarchy is None else _of_nodes(placed(column))
    return Levels(column, column.codes.astype(np.int64), _joining(steps))


def most_levels(column: Column, halvings: int) -> int:
    """Return the most levels that the column can have, without reading its records."""
    tree = column.attribute.hierarchy
    if isinstance(column, Numbers):
        return halvings + 2 + column.has_missing
    return 2 if tree is None else int(tree.depth.max()) + 1


def _joining(steps: Iterator[Level]) -> tuple[Level, ...]:
    """Return the first level, and each that has fewer cells than the one before."""
    found = [next(steps)]
    for step in steps:
        if len(step.cells) < len(found[-1].cells):
            found.append(step)
    return tuple(found)


def _of_numbers(column: Numbers, values: np.ndarray, halvings: int) -> Iterator[Level]:
    """Yield the levels of numbers; ``values``: the different ones, ascending, missing last."""
    missing = np.isnan(values)
    yield Level(Intervals(values, values, np.zeros(len(values), bool)), np.arange(len(values)))
    low, high = column.range
    share = (values - low) / (high - low) if high > low else np.zeros(len(values))
    part = np.minimum(np.where(missing, 0.0, share) * 2**halvings, 2**halvings - 1).astype(np.int64)
    for half in range(halvings + 1):
        yield _parts(values, np.where(missing, np.int64(1) << halvings, part >> half))
    if missing.any():
        yield _parts(values, np.zeros(len(values), np.int64))


def _parts(values: np.ndarray, part: np.ndarray) -> Level:
    """Return the level with an interval for each part of the ascending values."""
    found, cell = numbered(part)
    first = np.searchsorted(cell, np.arange(len(found)))
    low, high = np.fmin.reduceat(values, first), np.fmax.reduceat(values, first)
    gaps = np.bincount(cell, np.isnan(values), len(found)) > 0
    return Level(Intervals(low, high, gaps & ~np.isnan(low)), cell)


def _of_values(column: Categories) -> Iterator[Level]:
    """Yield the levels of each value, and of any value."""
    every = np.arange(len(column.labels), dtype=np.int32)
    yield Level(ValueSets(np.arange(len(every) + 1), every), every.astype(np.int64))
    yield Level(ValueSets(np.array([0, len(every)]), every), np.zeros(len(every), np.int64))


def _of_nodes(places: Placed) -> Iterator[Level]:
    """Yield the levels of the nodes above the values, up to the root."""
    depth = np.append(places.tree.depth, 1)[: len(places.parent)]  # a missing value is a child of the root
    node = places.leaf.copy()
    for limit in range(int(depth[node].max(initial=0)), -1, -1):
        node = np.where(depth[node] > limit, places.parent[node], node)
        found, cell = numbered(node)
        yield Level(Nodes(places, found), cell)
