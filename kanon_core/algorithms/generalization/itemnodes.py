"""The items of all columns and the groups above them, as nodes of one forest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.base import no_item_sets
from kanon_core.base.words import tr
from kanon_core.covers.cells import CommonItems, PublishedColumn
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.keys import tallied
from kanon_core.table.columns.set_arrays import chosen_sets, set_keys
from kanon_core.table.table import Table, item_sets


class ItemNodes(NamedTuple):
    """The items of each record with all groups above them: those of record i are ``nodes[starts[i]:starts[i +
    1]]``, ascending; ``below``: the number of the record's items below each.

    Nodes are numbered column by column: the closure's labels (`kanon_core.table.hierarchy.closures`), then a
    top for each column, which no record lists. ``parent`` int64 (nodes and tops), −1 for a top; ``penalty``
    float64: the loss of an item published as this node: values below / all values, 0 for a single value, 1
    for a top.
    """

    columns: Sequence[Items]
    starts: np.ndarray
    nodes: np.ndarray
    below: np.ndarray
    parent: np.ndarray
    penalty: np.ndarray
    first: np.ndarray

    @classmethod
    def of(cls, columns: Sequence[Items]) -> ItemNodes:
        """Return the nodes of these columns. Cost O(items · depth · log)."""
        closures = [column.closure for column in columns]
        first = np.cumsum([0, *(len(closure.parent) for closure in closures)])
        starts = np.sum([closure.sets.starts for closure in closures], axis=0).astype(np.int64)
        nodes, below, free = (
            np.empty(starts[-1], np.int64),
            np.empty(starts[-1], np.int64),
            starts[:-1].copy(),
        )
        parent, penalty = [np.zeros(0, np.int64)], [np.zeros(0)]
        for i, (column, closure) in enumerate(zip(columns, closures, strict=True)):
            sets = closure.sets
            places = np.repeat(free - sets.starts[:-1], sets.sizes) + np.arange(len(sets.items))
            nodes[places], below[places] = sets.items + first[i], _below(column)
            free += sets.sizes
            top = first[-1] + i
            parent.append(np.where(closure.parent < 0, top, closure.parent + first[i]))
            penalty.append(closure.penalty)
        tops = np.full(len(columns), -1)
        ones = np.ones(len(columns))
        return cls(
            columns,
            starts,
            nodes,
            below,
            np.concatenate([*parent, tops]),
            np.concatenate([*penalty, ones]),
            first,
        )

    @property
    def labels(self) -> list[str]:
        """Return the names of the nodes."""
        found = [label for column in self.columns for label in column.closure.sets.labels]
        return found + [
            tr("any item of “{name}”").format(name=column.attribute.name) for column in self.columns
        ]

    @property
    def owner(self) -> np.ndarray:
        """Return the record of each of ``nodes``, int64."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def holders(self) -> tuple[np.ndarray, np.ndarray]:
        """Return ``ends`` int64 (nodes and tops + 1) and ``owners`` int64: the records that have node g,
        ascending, are ``owners[ends[g]:ends[g + 1]]``."""
        counts = np.bincount(self.nodes, minlength=len(self.parent))
        owners = self.owner[np.argsort(self.nodes, kind="stable")]
        return np.concatenate([[0], np.cumsum(counts)]), owners

    def ways(self, node: int) -> list[int]:
        """Return the node and all above it, the top of its column last."""
        way = [node]
        while self.parent[way[-1]] >= 0:
            way.append(int(self.parent[way[-1]]))
        return way

    def published(self, kept: np.ndarray) -> dict[str, PublishedColumn]:
        """Return, by name, the published columns of the nodes that are ``kept`` (booleans, as ``nodes``); if
        an item is kept, all groups above it must be. Each different set is one cell. Cost O(n + items)."""
        found = {}
        for i, column in enumerate(self.columns):
            own = kept & (self.nodes >= self.first[i]) & (self.nodes < self.first[i + 1])
            sizes = np.bincount(self.owner[own], minlength=len(self.starts) - 1)
            ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
            codes = (self.nodes[own] - self.first[i]).astype(np.int32)
            cell = set_keys(ends, codes)
            cells = CommonItems(*chosen_sets(ends, codes, np.unique(cell, return_index=True)[1]))
            found[column.attribute.name] = PublishedColumn(column.attribute, cells, cell)
        return found


def _below(column: Items) -> np.ndarray:
    """Return the number of its record's items below each of the closure's members, int64."""
    closure, rows = column.closure, np.repeat(np.arange(len(column.sizes)), column.sizes)
    node, width, keys = closure.own[column.items].astype(np.int64), max(len(closure.parent), 1), []
    while len(node):
        keys.append(rows * width + node)
        node = closure.parent[node].astype(np.int64)
        rows, node = rows[node >= 0], node[node >= 0]
    return tallied(np.concatenate([np.zeros(0, np.int64), *keys]))[1]


def only_item_sets(table: Table) -> list[str]:
    """Return a reason unless all quasi-identifiers are item sets; the table has some."""
    others = [column.attribute.name for column in table.quasi if not isinstance(column, Items)]
    if not others:
        return []
    return no_item_sets(table) or [
        tr(
            "Column “{name}” has one value per record, but this algorithm processes only item sets; choose"
            " Top-down, or give the column another role."
        ).format(name=others[0])
    ]


def without_hierarchy(table: Table) -> list[str]:
    """Return a reason for each column of item sets without a hierarchy."""
    return [
        tr(
            "Column “{name}” has no hierarchy of its items; add one on the Data page, or choose Top-down,"
            " which needs none."
        ).format(name=column.attribute.name)
        for column in item_sets(table)
        if column.attribute.hierarchy is None
    ]
