"""The values that a published cell may stand for."""

from __future__ import annotations

import numpy as np

from kanon_core.release.cells.cells import Cells, Nodes, ValueSets, as_sets


def value_sets(cells: Cells) -> tuple[ValueSets, np.ndarray]:
    """The sets of values of a categorical column's cells, and which of them each cell has, int64 (m).

    Cells of a hierarchy repeat, and one near its top stands for many values: each different one has its set
    once.
    """
    if not isinstance(cells, Nodes):
        sets = as_sets(cells)
        return sets, np.arange(len(sets.starts) - 1)
    nodes, which = np.unique(cells.nodes, return_inverse=True)
    return as_sets(Nodes(cells.placed, nodes)), which
