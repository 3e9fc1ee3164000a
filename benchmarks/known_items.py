"""Top-down when few items of a person are known, by how many: BMS-WebView-2, receipts, growth from 10⁵ to 10⁶
records, memory.

    python -m benchmarks known_items      needs KANON_DATA for BMS-WebView-2; takes about three minutes

Seconds are wall time of the cover alone, once, with the kernels loaded beforehand; ``cpu s`` is processor
time, ``audit s`` the processor time of the whole audit.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kanon_core as kc
from benchmarks.topdown import KS, medical, memory
from kanon_core.algorithms.base import Run

KNOWN = (1, 2, 3, 0)


def rows() -> Iterator[dict[str, Any]]:
    """One row a measurement; 0 known items stands for all."""
    for m in KNOWN:
        kc.anonymize(medical(2_000), kc.TopDown(known_items=m), 10, seed=0)
    folder = os.environ.get("KANON_DATA", "")
    if folder:
        table = kc.read_table(Path(folder) / "baskets" / "BMS-WebView-2.fimi.txt")
        table = table.with_schema(table.schema.with_quasi([table.schema.names[-1]]))
        for k in KS:
            for m in KNOWN:
                yield _row(f"BMS-WebView-2, k = {k}", table, m, k)
    for size in (10_000, 100_000, 1_000_000):
        table = medical(10_000, 169, 5.2021) if size == 10_000 else medical(size)
        for m in KNOWN:
            yield _row(f"receipts, {size:,} × 4, k = 10", table, m, 10)


def _row(work: str, table: kc.Table, m: int, k: int) -> dict[str, Any]:
    algorithm = kc.TopDown(known_items=m)
    wall, cpu = time.perf_counter(), time.process_time()
    algorithm.cover(table, k, Run())
    found = {"ours_s": time.perf_counter() - wall, "cpu s": round(time.process_time() - cpu, 3)}
    release = kc.anonymize(table, algorithm, k, seed=0)
    cpu = time.process_time()
    kc.audit(table, release)
    found["audit s"] = round(time.process_time() - cpu, 3)
    lost, mean = (metric.measure(table, release).total for metric in (kc.SuppressedItems(), kc.NCP()))
    note = (
        f"{100 * lost:.1f} % of items suppressed, NCP {100 * mean:.1f} %, {len(release.cover.sizes):,}"
        f" groups, {memory()}"
    )
    return {"work": f"{work}, {m or 'all'} known", **found, "note": note}


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
