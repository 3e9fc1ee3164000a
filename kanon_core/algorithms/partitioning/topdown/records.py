"""A table for the compiled top-down pass: an array of numbers, and an array of tokens for all values it
counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kanon_core.guarantees.attributes.counts import Values
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.hierarchy.placed import Placed, placed

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Records, Trees


def records_of(
    quasi: tuple[Column, ...], sensitive: tuple[Values, ...] = ()
) -> tuple[Records, tuple[Column, ...]]:
    """Return the records of these columns, and the columns in the order of attributes, by kind.

    A column of item sets includes its closure: each group of its hierarchy is an item of all records that
    have an item below it. Numbers are scaled to 0..1 by their range, losses of a hierarchy by its values; an
    item set column without items has weight 0. Cost O(cells + items).
    """
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Records

    quasi = tuple(column.closure.sets if isinstance(column, Items) else column for column in quasi)
    numbers = [column for column in quasi if isinstance(column, Numbers)]
    categories = [column for column in quasi if isinstance(column, Categories)]
    sets = [column for column in quasi if isinstance(column, Items)]
    n = len(quasi[0].missing)
    sizes = (
        [len(c.labels) for c in categories] + [c.distinct for c in sensitive] + [len(c.labels) for c in sets]
    )
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    singles = [c.codes for c in categories] + [c.codes for c in sensitive]
    starts, tokens = _tokens(n, singles, sets, first)
    places = [None if c.attribute.hierarchy is None else placed(c) for c in categories]
    scale = [
        float(max(len(c.labels) - 1, 1) if p is None else p.spread[0])
        for c, p in zip(categories, places, strict=True)
    ]
    scale += [max(len(column.items), 1) / max(n, 1) for column in sets]
    ordered: tuple[Column, ...] = (*numbers, *categories, *sets)
    place = {id(column): i for i, column in enumerate(ordered)}
    weight = [0.0 if isinstance(c, Items) and not len(c.items) else c.attribute.weight for c in ordered]
    return Records(
        numeric=np.ascontiguousarray(np.column_stack([np.zeros((n, 0)), *map(_unit, numbers)])),
        starts=starts,
        tokens=tokens,
        first=first,
        column=np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
        categories=len(categories),
        singles=len(singles),
        scale=np.array(scale, np.float64),
        weight=np.array(weight, np.float64),
        turn=np.array([place[id(column)] for column in quasi], np.int64),
        trees=_trees(places, first),
        record=np.arange(n, dtype=np.int32),
        unit=unit_of(n),
    ), ordered


def _tokens(
    n: int, singles: list[np.ndarray], sets: list[Items], first: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return starts and tokens: the single values of each record, then its items."""
    sizes = np.full(n, len(singles), np.int64)
    for column in sets:
        sizes += column.sizes
    starts = np.concatenate([[0], np.cumsum(sizes)])
    tokens = np.empty(starts[-1], np.int32)
    into = starts[:-1].copy()
    for token, single in zip(first, singles, strict=False):
        tokens[into] = single + token
        into += 1
    for token, column in zip(first[len(singles) :], sets, strict=False):
        places = np.repeat(into - column.starts[:-1], column.sizes) + np.arange(len(column.items))
        tokens[places] = np.argsort(by_name(column))[column.items] + token
        into += column.sizes
    return starts, tokens


def by_name(column: Items) -> np.ndarray:
    """Return the codes in the order of ties, int64 (labels): numeric if all are whole numbers, else as
    text."""
    lengths, letters = [*map(len, column.labels)], "".join(column.labels)
    if letters.isascii() and letters.isdigit() and min(lengths) > 0 and max(lengths) < 19:
        return np.argsort(np.array(column.labels, np.int64), kind="stable")
    return np.arange(len(column.labels))


def _trees(places: list[Placed | None], first: np.ndarray) -> Trees:
    """Return the hierarchies of the categories (None = no hierarchy); ``first``: first token of each
    column."""
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Trees

    leaf, nodes = np.full(first[-1], -1, np.int32), 0
    found: list[tuple[np.ndarray, ...]] = []
    for token, one in zip(first, places, strict=False):
        if one is not None:
            leaf[token : token + len(one.leaf)] = one.leaf + nodes
            lost = np.where(one.spread > 1, one.spread, 0)
            found.append((one.parent + nodes, one.end + nodes, lost))
            nodes += len(one.parent)
    parts = list(zip(*found, strict=True)) if found else [(), (), ()]
    parent, end = (np.concatenate([np.zeros(0, np.int32), *part]).astype(np.int32) for part in parts[:2])
    return Trees(leaf, parent, end, np.concatenate([np.zeros(0, np.int64), *parts[2]]).astype(np.int64))


def unit_of(records: int) -> int:
    """Return the number of units of a column's whole range: the most that can be summed over this many
    records in 64 bits.

    >>> unit_of(1000) == 2**52, unit_of(10**10) == 2**28
    (True, True)
    """
    return 1 << 62 - records.bit_length()


def _unit(column: Numbers) -> np.ndarray:
    """Return the numbers scaled to 0..1, missing = −1."""
    low, high = column.range
    values = (column.values - low) / (high - low) if high > low else column.values * 0.0
    return np.where(np.isnan(values), -1.0, values)
