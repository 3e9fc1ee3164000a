"""The tree of cuts by which the rows of all parts are divided into fragments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from kanon_core.scale.passes.counting_kernels import Cuts, Rows


@dataclass(frozen=True)
class Cut:
    """The cut of a node, in an attribute (numbers first, then categories). Numbers up to ``edge``, or the
    categories ``members``, ascending, go to the left; ``left`` is the number of rows that do."""

    attribute: int
    edge: float = 0.0
    members: tuple[int, ...] = ()
    left: int = 0


@dataclass
class Tree:
    """Nodes in the order in which they came to be; node 0 holds all rows. ``sizes`` counts the rows of each;
    ``cuts`` and ``sides`` hold, of each node that is cut, its cut and its two children. Rows in the order of
    the tree, left before right: ``begins`` tells how many come before those of a node."""

    sizes: list[int]
    cuts: dict[int, Cut] = field(default_factory=dict)
    sides: dict[int, tuple[int, int]] = field(default_factory=dict)
    begins: list[int] = field(default_factory=lambda: [0])

    def cut(self, node: int, cut: Cut) -> tuple[int, int]:
        """Cut a leaf in two; returns the two new leaves."""
        left = len(self.sizes)
        self.sizes += [cut.left, self.sizes[node] - cut.left]
        self.begins += [self.begins[node], self.begins[node] + cut.left]
        self.cuts[node], self.sides[node] = cut, (left, left + 1)
        return self.sides[node]

    @property
    def leaves(self) -> list[int]:
        """Return the nodes that are not cut."""
        return [node for node in range(len(self.sizes)) if node not in self.cuts]

    def paths(self) -> list[str]:
        """Return, by node, the sides of the cuts that lead to it: "LR" is the right child of the root's left
        child."""
        found = [""] * len(self.sizes)
        for node, (left, right) in sorted(self.sides.items()):
            found[left], found[right] = f"{found[node]}L", f"{found[node]}R"
        return found

    def leaves_at(self, places: np.ndarray) -> np.ndarray:
        """Return the leaf that holds the row at each of these places in the order of the tree, from 0, int64.

        >>> tree = Tree([10])
        >>> tree.cut(0, Cut(1, 0.25, (), 4))
        (1, 2)
        >>> tree.leaves_at(np.array([3, 4])).tolist()
        [1, 2]
        """
        leaves = np.array(sorted(self.leaves, key=self.begins.__getitem__))
        begins = np.array(self.begins)[leaves]
        return np.asarray(leaves[np.searchsorted(begins, places, "right") - 1])

    def arrays(self) -> Cuts:
        """Return the tree as the kernels take it."""
        from kanon_core.scale.passes.counting_kernels import Cuts

        nodes = range(len(self.sizes))
        cuts = [self.cuts.get(node, Cut(-1)) for node in nodes]
        sides = np.array([self.sides.get(node, (0, 0)) for node in nodes], np.int64)
        return Cuts(
            np.array([cut.attribute for cut in cuts], np.int64),
            np.array([cut.edge for cut in cuts], np.float64),
            np.ascontiguousarray(sides[:, 0]),
            np.ascontiguousarray(sides[:, 1]),
            np.cumsum([0, *(len(cut.members) for cut in cuts)]).astype(np.int64),
            np.array([value for cut in cuts for value in cut.members], np.int64),
        )

    def leaf_of(self, rows: Rows) -> np.ndarray:
        """Return the leaf of each row, int64 (n). Cost O(n · depth)."""
        from kanon_core.scale.passes.counting_kernels import leaf_of

        found = np.zeros(len(rows.numeric), np.int64)
        leaf_of(rows, self.arrays(), found)
        return found
