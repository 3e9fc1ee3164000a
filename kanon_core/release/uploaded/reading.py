"""The texts of one column of a released file as cells over the original's values."""

from __future__ import annotations

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.release.cells import Cells
from kanon_core.release.uploaded.intervals import read_intervals
from kanon_core.release.uploaded.sets import plain_form, read_items, read_sets
from kanon_core.table.columns.columns import Categories, Column, Items


def read_cells(column: Column, texts: list[str], tick: Tick = silent) -> tuple[Cells, np.ndarray]:
    """The cells of these texts, and booleans: the text could not be read (`read_intervals`, `read_sets`,
    `read_items`)."""
    if isinstance(column, Categories):
        return read_sets(texts, column, tick)
    texts = [plain_form(text) for text in texts]
    if isinstance(column, Items):
        return read_items(texts, column), np.zeros(len(texts), bool)
    return read_intervals(texts, column, tick)
