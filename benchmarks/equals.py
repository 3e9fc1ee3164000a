"""Equal records counted once: Mondrian on a million records drawn of Adult's, with and without.

    python -m benchmarks equals                   needs KANON_DATA (Adult); about a minute

Eight quasi-identifiers, strict cuts at the median, k = 10. Records are drawn with replacement, and then moved
a little, so that more and more of them are different. Processor seconds of the algorithm alone, the least of
three runs that take turns; the groups are compared.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks._adult import adult
from benchmarks.scale import COLUMNS
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.partitioning import equals
from kanon_core.distances.mixed import unit_columns_of

RECORDS, K, RUNS = 1_000_000, 10, 3
MOVED = ("as they were drawn", "age and hours by whole numbers", "hours by tenths", "all different")


def rows() -> Iterator[dict[str, Any]]:
    """A row for each way in which records are moved; the peer looks at every record by itself."""
    folder = os.environ.get("KANON_DATA", "")
    if not folder:
        yield {"work": "equal records counted once", "note": "left out: KANON_DATA is not set"}
        return
    original = adult(Path(folder), COLUMNS[:-1])
    _seconds(_table(original, 20_000, MOVED[0]), 0)
    for moved in MOVED:
        table = _table(original, RECORDS, moved)
        took: dict[float, list[float]] = {equals.FEWEST: [], np.inf: []}
        groups: dict[float, np.ndarray] = {}
        for _ in range(RUNS):
            for fewest, seconds in took.items():
                spent, groups[fewest] = _seconds(table, fewest)
                seconds.append(spent)
        once, each = (min(seconds) for seconds in took.values())
        same = np.array_equal(groups[equals.FEWEST], groups[np.inf])
        yield {
            "work": f"Mondrian, {RECORDS:,} × {len(table.quasi)}, k = {K}, {moved}",
            "ours_s": once,
            "peer": "each record by itself",
            "peer_s": each,
            "note": f"{len(table.frame.drop_duplicates()):,} different; the same groups: {same}",
        }


def _table(original: pd.DataFrame, n: int, moved: str) -> kc.Table:
    """n records drawn with replacement, and moved."""
    rng = np.random.default_rng(1)
    frame = original.iloc[rng.integers(0, len(original), n)].reset_index(drop=True)
    if moved != MOVED[0]:
        frame["age"] += np.rint(rng.normal(0, 1.5, n)).astype(int)
        digits = {MOVED[1]: 0, MOVED[2]: 1, MOVED[3]: 12}[moved]
        frame["hours-per-week"] = (frame["hours-per-week"] + rng.normal(0, 2, n)).round(digits)
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame.columns, "quasi_identifier"))
    return kc.Table.from_frame(frame, schema)


def _seconds(table: kc.Table, fewest: float) -> tuple[float, np.ndarray]:
    """Processor seconds of a run, and its groups; equal records are looked for among so many and more."""
    fresh = table.with_schema(table.schema)
    unit_columns_of(fresh)
    with patch.object(equals, "FEWEST", fewest):
        began = time.process_time()
        groups = kc.Mondrian().cover(fresh, K, Run()).groups
        return time.process_time() - began, groups
