"""Compiled value hierarchies: the lowest group above the values of a cluster, and what it costs."""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import inlined, inner


class Trees(NamedTuple):
    """The hierarchies of all columns that have one, their nodes numbered one after another, each tree in
    preorder."""

    leaf: np.ndarray  # int32 (tokens,), the node of each token, -1 = it is in no hierarchy
    parent: np.ndarray  # int32 (nodes,), a root is its own
    end: np.ndarray  # int32 (nodes,), one past the last node below each
    spread: (
        np.ndarray
    )  # int64 (nodes,), values below each, 0 for a single one: nothing is lost by publishing it


@inner
def above(trees: Trees, node: int, leaf: int) -> int:
    """The lowest node above a node (-1 = none yet) and a leaf."""
    if node < 0:
        return leaf
    while leaf < node or leaf >= trees.end[node]:
        node = trees.parent[node]
    return node


@inlined
def charge(trees: Trees, node: int, kinds: int) -> int:
    """What a record loses by its cluster's values, in units of `Rows.scale` [001 eq. 7]; of a column without
    hierarchy (node -1) the number of other values."""
    return kinds - 1 if node < 0 else trees.spread[node]
