"""Published categories with a hierarchy: its values and groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from kanon_core.covers.cells.base import Ranges, SingleValues
from kanon_core.covers.cells.valuesets import ValueSets
from kanon_core.table.columns.columns import Categories, Column
from kanon_core.table.columns.texts import ANY, group_text, label_texts
from kanon_core.table.hierarchy.placed import Placed


@dataclass(frozen=True)
class Nodes(SingleValues):
    """Cells of a column with a value hierarchy: cell i is the value or group ``nodes[i]`` (int32), see
    `Placed`."""

    placed: Placed
    nodes: np.ndarray

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def sizes(self) -> np.ndarray:
        """int64 (m): how many values of the hierarchy each cell allows."""
        return np.asarray(np.maximum(self.placed.spread[self.nodes], 1))

    def hold(self, column: Column, cell: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return whether the nodes allow these values; see `SingleValues.hold`."""
        node, leaf = self.nodes[cell], self.placed.leaf[values]
        return np.asarray((node <= leaf) & (leaf < self.placed.end[node]))

    def keys(self) -> np.ndarray:
        """Return the key of each cell; see `Cells.keys`."""
        return self.nodes.astype(np.int64)

    def penalty(self, column: Column) -> np.ndarray:
        """Values below the node / all values of the hierarchy; 0 for a single value (set-valued paper,
        eq. 7)."""
        return np.asarray(self.placed.penalty()[self.nodes])

    def texts(self, column: Column, cell: np.ndarray) -> list[str]:
        """The value, or the label of the group; `ANY` for the top of the hierarchy."""
        assert isinstance(column, Categories)
        values = dict(zip(self.placed.leaf.tolist(), label_texts(column), strict=True))
        names = self.placed.tree.nodes
        nodes = self.nodes[cell].tolist()
        return [values[i] if i in values else group_text(names[i]) if i else ANY for i in nodes]

    def taken(self, which: np.ndarray) -> Self:
        """Return the cells of these numbers; see `Cells.taken`."""
        return type(self)(self.placed, self.nodes[which])

    def ranges(self, column: Column, cell: np.ndarray) -> Ranges:
        """Return the ranges: values are numbered as leaves, and a group holds those from its own number on,
        without holes."""
        assert isinstance(column, Categories)
        node, count = self.nodes[cell], len(cell)
        return Ranges(
            self.placed.leaf[column.codes],
            node,
            self.placed.end[node] - 1,
            np.ones(count, bool),
            np.full(count, -1, np.int64),
            np.ones(count, np.int64),
            np.zeros(0, np.int32),
        )

    def as_sets(self) -> ValueSets:
        """The column's values below each node. Cost O(values of all cells)."""
        order = np.argsort(self.placed.leaf)
        leaves = self.placed.leaf[order]
        first = np.searchsorted(leaves, self.nodes)
        sizes = np.searchsorted(leaves, self.placed.end[self.nodes]) - first
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        codes = order[np.repeat(first - starts[:-1], sizes) + np.arange(starts[-1])]
        owner = np.repeat(np.arange(len(sizes)), sizes)
        return ValueSets(starts, codes[np.lexsort((codes, owner))].astype(np.int32))

    def choices(self) -> tuple[ValueSets, np.ndarray]:
        """Return the sets of values and the set of each cell; see `Cells.choices`. Cells repeat, and a node
        near the top stands for many values, so the set of each different node is held once."""
        nodes, which = np.unique(self.nodes, return_inverse=True)
        return Nodes(self.placed, nodes).as_sets(), which
