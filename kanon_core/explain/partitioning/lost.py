"""What a column has lost in groups, as the top-down pass counts it."""

from __future__ import annotations

import numpy as np

from kanon_core.release.cells import Cells, PublishedColumn
from kanon_core.release.cover import Partition
from kanon_core.release.recoding import intervals, lowest_nodes, recode, value_sets
from kanon_core.table.columns.columns import Column, Items, Numbers


def lost(column: Column, groups: np.ndarray) -> float:
    """Σ over the records of the NCP of numbers and categories, 1 where a record is left out; of item sets
    NCP*_sv = n − N_r / τ, of N items, N_r published, τ = N / n (set-valued paper, eq. 15). In records: 0 to
    n, before weights. ``groups`` int64 (n), −1 = left out.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"age": [20, 30, 50, 60]}))
    >>> lost(table["age"], np.array([0, 0, 1, 1]))
    1.0
    """
    cover = Partition(groups)
    if isinstance(column, Items):
        sets = recode(column, cover).cells.as_items()
        every = len(column.closure.sets.items)
        return len(groups) * (1 - float((sets.sizes * cover.sizes).sum()) / max(every, 1))
    if isinstance(column, Numbers):
        return _sum(column, PublishedColumn(column.attribute, intervals(column, cover), cover.set_of))
    free = column.attribute.hierarchy is None
    cells: Cells = value_sets(column, cover) if free else lowest_nodes(column, cover)
    return _sum(column, PublishedColumn(column.attribute, cells, cover.set_of))


def published_items(column: Items, groups: np.ndarray) -> np.ndarray:
    """int64 (n): how many items, and groups of items, each record publishes so, 0 if left out."""
    published = recode(column, Partition(groups))
    return np.asarray(np.append(published.cells.as_items().sizes, 0)[published.cell])


def _sum(column: Column, published: PublishedColumn) -> float:
    return float(published.penalties(column).sum())
