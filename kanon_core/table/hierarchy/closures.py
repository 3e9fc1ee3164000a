"""Item sets with the groups above their items: a record that has beer also has alcohol and drinks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.table.columns.keys import distinct
from kanon_core.table.hierarchy.placed import Labelled, placed

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class GroupsAbove:
    """The items of a column and the groups of its hierarchy above them, the top left out, numbered together.
    What is numbered are labels: the items that records have and the groups above them, in text order."""

    own: np.ndarray  # int32 (items of the column), the code of each item among the labels
    parent: np.ndarray  # int32 (labels), the group directly above each, −1 = the top
    spread: np.ndarray  # int64 (labels), how many values of the hierarchy each stands for
    values: int  # how many values the hierarchy has

    @property
    def is_flat(self) -> bool:
        """True if no item has a group above it."""
        return len(self.own) == len(self.parent)

    @cached_property
    def penalty(self) -> np.ndarray:
        """float64 (labels): the share of all values below a group, 0 for one (set-valued paper, eq. 7)."""
        return np.where(self.spread > 1, self.spread / max(self.values, 1), 0.0)

    def closed(self, starts: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Sets of these labels with all groups above their members: starts, and codes ascending within each
        set. Cost O(members · depth · log)."""
        width, node = max(len(self.parent), 1), codes.astype(np.int64)
        rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        keys = [rows * width + node]
        while len(node):
            node = self.parent[node]
            rows, node = rows[node >= 0], node[node >= 0]
            keys.append(rows * width + node)
        rows, codes = np.divmod(distinct(np.concatenate(keys)), width)
        ends = np.cumsum(np.bincount(rows, minlength=len(starts) - 1))
        return np.concatenate([[0], ends]).astype(np.int64), codes.astype(np.int32)

    def lowest(self, starts: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return closed sets without each group that is above another member, which is more specific: starts
        and codes."""
        if self.is_flat:
            return starts, codes
        width = max(len(self.parent), 1)
        sets = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        above = self.parent[codes]
        implied = np.isin(sets * width + codes, (sets * width + above)[above >= 0])
        sizes = np.bincount(sets[~implied], minlength=len(starts) - 1)
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), codes[~implied]

    def shown_as(
        self, own: tuple[np.ndarray, np.ndarray], shown: tuple[np.ndarray, np.ndarray], cell: np.ndarray
    ) -> np.ndarray:
        """int64 (items of all sets): the code as which each item is shown. On the way up from the item, it is
        the first code that the set shown for the item's own set has: the item's own or that of a group above
        it; −1 where there is none.

        ``own``: starts and items of n sets of the column; ``shown``: starts and codes of sets of labels,
        ascending; ``cell`` int64 (n): which of them for each, −1 = suppressed. Cost O(items · depth · log).
        """
        width = max(len(self.parent), 1)
        sets = np.repeat(np.arange(len(shown[0]) - 1), np.diff(shown[0]))
        known = np.append(sets * width + shown[1], np.iinfo(np.int64).max)
        cells = np.repeat(cell, np.diff(own[0]))
        found = np.where(cells >= 0, self.own[own[1]], -1).astype(np.int64)
        open_ = np.flatnonzero(found >= 0)
        while len(open_):
            keys = cells[open_] * width + found[open_]
            open_ = open_[known[np.searchsorted(known, keys)] != keys]
            found[open_] = self.parent[found[open_]]
            open_ = open_[found[open_] >= 0]
        return found

    @cached_property
    def shares(self) -> csr_array:
        """Sparse float64 (labels, items): the probability that a label means each item, if all its values are
        equally likely."""
        from scipy.sparse import coo_array

        items, node, parts = np.arange(len(self.own)), self.own.astype(np.int64), []
        while len(items):
            parts.append((1.0 / self.spread[node], node, items))
            node = self.parent[node]
            items, node = items[node >= 0], node[node >= 0]
        found, rows, columns = (
            (np.concatenate(part) for part in zip(*parts, strict=True)) if parts else ([], [], [])
        )
        return coo_array((found, (rows, columns)), shape=(len(self.parent), len(self.own))).tocsr()


def groups_above(column: Labelled) -> tuple[tuple[str, ...], GroupsAbove]:
    """Return the labels of a column's items and of the groups above them, with their relations. Raises
    SchemaError for an item that is not a value of the hierarchy. Cost O(items · depth · log)."""
    items = np.arange(len(column.labels), dtype=np.int32)
    if column.attribute.hierarchy is None:
        none = np.full(len(items), -1, np.int32)
        return tuple(column.labels), GroupsAbove(items, none, np.ones(len(items), np.int64), len(items))
    places = placed(column)
    used = np.zeros(len(places.parent), bool)
    node = places.leaf
    while len(node):
        used[node] = True
        node = np.unique(places.parent[node])
        node = node[node > 0]
    nodes = np.array(sorted(np.flatnonzero(used).tolist(), key=places.tree.nodes.__getitem__), np.int64)
    code = np.full(len(used), -1, np.int32)
    code[nodes] = np.arange(len(nodes))
    above = places.parent[nodes]
    parents = np.where(above > 0, code[above], -1).astype(np.int32)
    found = GroupsAbove(code[places.leaf], parents, places.spread[nodes], int(places.spread[0]))
    return tuple(places.tree.nodes[node] for node in nodes.tolist()), found
