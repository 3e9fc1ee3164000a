"""A column's values at their places in its hierarchy, numbered so that every group is a run of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kanon_core.base.errors import SchemaError
from kanon_core.base.words import tr
from kanon_core.table.attribute import Attribute
from kanon_core.table.hierarchy.hierarchy import Hierarchy, lowest_above


class _HasLabels(Protocol):
    @property
    def attribute(self) -> Attribute: ...
    @property
    def labels(self) -> Sequence[str]: ...
    @property
    def distinct(self) -> int: ...


Labelled = _HasLabels
"""A column of categories, or of item sets."""


@dataclass(frozen=True, eq=False)
class Placed:
    """The nodes of a hierarchy, numbered in preorder, and which of them the codes of a column are. Missing is
    a value of its own: it hangs below the root and is the last node. Node i is above or equal to node j if
    and only if i ≤ j < ``end[i]``."""

    tree: Hierarchy
    leaf: np.ndarray  # int32 (labels), the node of each code
    parent: np.ndarray  # int32 (nodes), the root is its own
    end: np.ndarray  # int32 (nodes), one past the last node of each subtree
    spread: np.ndarray  # int64 (nodes), how many values each node stands for

    def lowest(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """int32: the lowest node above both, for arrays of node numbers with first ≤ last."""
        return lowest_above(self.parent, self.end, first, last)

    def penalty(self) -> np.ndarray:
        """float64 (nodes): the share of all values below a node, 0 for one (set-valued paper, eq. 7)."""
        return np.where(self.spread > 1, self.spread / self.spread[0], 0.0)


def placed(column: Labelled) -> Placed:
    """The codes of a column's values, or of its items, in its attribute's hierarchy. Cost O(values + nodes).
    Raises SchemaError for a value that is not in the hierarchy, naming it unless the column is private."""
    attribute, tree = column.attribute, column.attribute.hierarchy
    assert tree is not None
    values = column.labels[: column.distinct]
    if attribute.is_private and any(value not in tree.number or value in tree.below for value in values):
        said = tr(
            "The hierarchy of column “{name}” lacks values, which are not shown because the column is"
            " {role}; add every value below its group, or remove the hierarchy."
        )
        raise SchemaError(said.format(name=attribute.name, role=attribute.role))
    leaf, nodes = tree.places(values, attribute.name), len(tree.nodes)
    if len(column.labels) == column.distinct:
        return Placed(tree, leaf, tree.parent, tree.end, tree.spread)
    end, spread = np.append(tree.end, nodes + 1), np.append(tree.spread, 1)
    end[0], spread[0] = nodes + 1, spread[0] + 1
    return Placed(
        tree,
        np.append(leaf, nodes).astype(np.int32),
        np.append(tree.parent, 0).astype(np.int32),
        end.astype(np.int32),
        spread,
    )
