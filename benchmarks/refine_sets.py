"""Items that `RefineSets` saves from suppression, and how soon: BMS-WebView-2 against the pivot rule alone
and the bound.

    python -m benchmarks refine_sets          needs KANON_DATA

Suppressed items in percent, seed 0, after 1, 5, 20 and 60 s. The target is 10 % less than the pivot rule
alone. No partition can suppress less than the bound (`_basket_bound`): every record shows its largest
subset that k records have. The clock of the search is the processor time of this process, so that a busy
machine gives about the same figures.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import kanon_core as kc
from benchmarks._basket_bound import most_shown
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.partitioning.refine_sets.refine_sets import refined
from kanon_core.base.anytime import Limits
from kanon_core.table.columns.columns import Items

KS = (2, 5, 10, 20, 50)
SECONDS = (1, 5, 20, 60)


def rows() -> Iterator[dict[str, Any]]:
    """One row for each k: about nine minutes."""
    folder = os.environ.get("KANON_DATA", "")
    if folder:
        table = kc.read_table(Path(folder) / "baskets" / "BMS-WebView-2.fimi.txt")
        column = next(column for column in table.quasi if isinstance(column, Items))
        for k in KS:
            yield measured(table, column, k)


def measured(table: kc.Table, column: Items, k: int) -> dict[str, Any]:
    """The start, the search after each number of seconds (each time from the start, kernels loaded
    beforehand), the bound."""
    sets, total = (column.starts, column.items, column.distinct), len(column.items)
    labels = kc.TopDown().cover(table, k, Run()).groups
    before = refined(labels, *sets, k, limits=Limits(steps=1))[2]
    row: dict[str, Any] = {"work": f"BMS-WebView-2, k = {k}", "pivot %": percent(before, total)}
    clock = SimpleNamespace(perf_counter=time.process_time)
    note = []
    with patch("kanon_core.base.anytime.time", clock):
        for seconds in SECONDS:
            _, steps, _, after = refined(labels, *sets, k, limits=Limits(seconds))
            row[f"{seconds} s %"] = percent(after, total)
            note.append(f"{100 * (after - before) / (total - before):.1f} %")
    row["target %"] = round(0.9 * row["pivot %"], 2)
    row["bound %"] = percent(int(most_shown(*sets, k).sum()), total)
    return row | {"note": f"{', '.join(note)} fewer than the pivot rule; {steps} steps"}


def percent(shown: int, total: int) -> float:
    """Suppressed items."""
    return round(100 * (1 - shown / total), 2)
