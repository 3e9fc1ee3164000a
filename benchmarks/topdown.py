"""Top-down over item sets and composite tables: BMS-WebView-2, receipts, many rare items, growth from 10⁵ to
10⁶ records, memory.

    python -m benchmarks topdown          needs KANON_DATA for BMS-WebView-2; takes about two minutes

Seconds are wall time of the cover alone, the least of three runs, the table encoded and the kernels loaded
beforehand; ``cpu s`` is the least processor time, ``whole s`` the wall time of recoding, audit and all.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.table.samples import receipts

RUNS = 3
KS = (2, 5, 10, 20, 50)


def rows() -> Iterator[dict[str, Any]]:
    """One row a measurement; the peers are the paper's own seconds and He and Naughton's partition in plain
    Python."""
    medical(2_000)
    kc.anonymize(medical(2_000), kc.TopDown(), 10, seed=0)
    folder = os.environ.get("KANON_DATA", "")
    if folder:
        yield from _baskets(Path(folder))
    small, first = _measured(medical(10_000, 169, 5.2021), kc.TopDown(), 10)
    yield {
        "work": "receipts, 10,000 × 4, k = 10",
        "peer": "set-valued paper",
        "peer_s": 87.4,
        **small,
        "note": _lost(first),
    }
    table = medical(100_000)
    large, release = _measured(table, kc.TopDown(), 10)
    yield {
        "work": "receipts, 100,000 × 4, k = 10",
        "peer": "set-valued paper",
        "peer_s": 7_005.0,
        "target_s": 1.5,
        **large,
        "note": _lost(release),
    }
    guarded, release = _measured(table, kc.TopDown(diversity=3, protect=("ward",)), 10)
    yield {"work": "receipts, 100,000 × 4, k = 10, ℓ = 3", **guarded, "note": _lost(release)}
    many, release = _measured(many_items(), kc.TopDown(), 2)
    work = "20,000 baskets, 50,000 items, one basket of 10,000, k = 2"
    yield {"work": work, **many, "note": _lost(release)}
    million, release = _measured(medical(1_000_000), kc.TopDown(), 10)
    yield {
        "work": "receipts, 1,000,000 × 4, k = 10",
        "target_s": 15 * large["ours_s"],
        **million,
        "note": (
            f"{million['cpu s'] / large['cpu s']:.1f} times the processor time of 100,000; {memory()};"
            f" {_lost(release)}"
        ),
    }


def _baskets(folder: Path) -> Iterator[dict[str, Any]]:
    table = kc.read_table(folder / "baskets" / "BMS-WebView-2.fimi.txt")
    table = table.with_schema(table.schema.with_quasi([table.schema.names[-1]]))
    for k in KS:
        for ties in ("shared", "first"):
            found, release = _measured(table, kc.TopDown(ties=ties), k)
            peer = {"peer": "partition in Python", "peer_s": 30.0, "target_s": 0.5} if k == 10 else {}
            yield {"work": f"BMS-WebView-2, k = {k}, ties {ties}", **found, **peer, "note": _lost(release)}


def medical(size: int, items: int = 4_156, mean: float = 4.4194) -> kc.Table:
    """Invented receipts with birth year, sex, month and diseases as quasi-identifiers, and a ward to be
    protected."""
    frame = receipts(size, items, mean)
    frame["ward"] = [f"ward {i * 7919 % 23 % 7}" for i in range(size)]
    names = [name for name in frame.columns if name != "ward"]
    schema = kc.Schema.infer(frame).with_roles({**dict.fromkeys(names, "quasi_identifier"), "ward": "other"})
    kinds = {name: "numeric" for name in names[:-1] if frame[name].dtype.kind in "iuf"}
    return kc.Table.from_frame(frame, schema.with_kinds({**kinds, names[-1]: "items"}))


def many_items(size: int = 20_000, items: int = 50_000, longest: int = 10_000) -> kc.Table:
    """Baskets of items that are all about equally rare, so that thousands tie for the pivot, and one very
    long basket."""
    rng = np.random.default_rng(0)
    sets = [rng.integers(0, items, rng.integers(1, 9)).tolist() for _ in range(size)]
    sets[7] = list(range(longest))
    for item in range(items):
        sets[item % size].append(item)
    cells = [";".join(f"i{item}" for item in sorted(set(one))) for one in sets]
    frame = pd.DataFrame({"basket": cells})
    return kc.Table.from_frame(frame, kc.Schema((kc.Attribute("basket", kind="items", delimiter=";"),)))


def _measured(table: kc.Table, algorithm: kc.TopDown, k: int) -> tuple[dict[str, Any], kc.Release]:
    runs = [_timed(table, replace(algorithm), k) for _ in range(RUNS)]
    begin = time.perf_counter()
    release = kc.anonymize(table, algorithm, k, seed=0)
    wall, cpu = map(min, zip(*runs, strict=True))
    return {"ours_s": wall, "cpu s": round(cpu, 4), "whole s": round(time.perf_counter() - begin, 3)}, release


def _timed(table: kc.Table, algorithm: kc.TopDown, k: int) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    algorithm.cover(table, k, Run())
    return time.perf_counter() - wall, time.process_time() - cpu


def _lost(release: kc.Release) -> str:
    lost = kc.SuppressedItems().measure(release.table, release).total
    return f"{100 * lost:.1f} % of items suppressed, {len(release.cover.sizes):,} groups"


def memory() -> str:
    """The most memory the process has held so far; "" where the system does not tell."""
    try:
        import resource
    except ImportError:
        return "memory unknown"
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{most / (1 << 30 if sys.platform == 'darwin' else 1 << 20):.2f} GiB at most"


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
