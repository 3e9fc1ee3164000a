"""Which cells of a big table are looked at; what they tell of the whole: `kanon_core.table.wholecells`.

Rows drawn one by one mislead: they lie apart from the rows beside them, with which they would share a group,
so that loss comes out too high. A cell is a whole part of Mondrian's partition: what happens in it is what
happens there in the whole table.
"""

from __future__ import annotations

import numpy as np

from kanon_core.base.randomness import generator, subkey


def places_of(records: int, cells: int, rows: int, seed: int) -> np.ndarray | None:
    """int64 (cells), ascending: the drawn rows, as places in the order of the tree of cuts; None where all
    cells are looked at: none are drawn, or so many of ``rows`` rows would hold the whole table.

    The rows are divided, in that order, into stretches of equal length, and one is drawn uniformly in each,
    so that every part of the table is met. A cell is met with a probability proportional to its rows.

    >>> places_of(1_000, 4, 100, seed=7).tolist()
    [215, 371, 745, 841]
    >>> places_of(1_000, 10, 100, seed=7) is None
    True
    """
    if not cells or cells * rows >= records:
        return None
    within = generator(subkey(seed, "cells")).random(cells)
    return np.asarray(((np.arange(cells) + within) * (records / cells)).astype(np.int64))
