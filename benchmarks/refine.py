"""Lowest SSE that `Refine` reaches, and how soon: on the reference tables, and on large ones.

    python -m benchmarks refine          needs KANON_DATA for the reference tables

The loss is 100 · SSE / SST of z-scored columns (sample SD), from MDAV's groups, seed 0; the targets are the
lowest losses that were known. The clock of the search is the processor time of this process, so that a busy
machine gives the same figures.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.clustering.mdav import mdav_groups
from kanon_core.algorithms.clustering.refine.refine import refine_sse
from kanon_core.base.anytime import Limits
from kanon_core.distances.mixed import Points

TARGETS = {
    1: {
        "Tarragona": {3: 15.0, 5: 21.3, 10: 30.9},
        "CASCrefmicrodata": {3: 5.28, 5: 8.27, 10: 12.45},
    },
    30: {
        "Tarragona": {3: 14.69, 4: 17.38, 5: 20.21, 10: 30.45},
        "CASCrefmicrodata": {3: 4.81, 4: 6.76, 5: 7.48, 10: 11.45},
    },
}
LARGE = ((30_000, 8, 5, 1), (30_000, 8, 5, 2), (100_000, 10, 10, 2), (100_000, 10, 10, 10))


def rows() -> Iterator[dict[str, Any]]:
    """The rows as they finish: about five minutes."""
    folder = os.environ.get("KANON_DATA", "")
    if folder:
        for seconds, tables in TARGETS.items():
            for name, targets in tables.items():
                values = pd.read_csv(Path(folder) / "casc" / f"{name}.csv").to_numpy(float)
                for k, target in targets.items():
                    yield measured(f"{name}, k = {k}, {seconds} s", standard(values), k, seconds, target)
    for n, p, k, seconds in LARGE:
        values = np.random.default_rng(0).normal(size=(n, p))
        yield measured(f"normal {n:,} × {p}, k = {k}, {seconds} s", standard(values), k, seconds, None)


def standard(values: np.ndarray) -> np.ndarray:
    """The columns with mean 0 and sample SD 1."""
    return np.ascontiguousarray((values - values.mean(axis=0)) / values.std(axis=0, ddof=1))


def measured(work: str, numeric: np.ndarray, k: int, seconds: float, target: float | None) -> dict[str, Any]:
    """One run from MDAV's groups."""
    points = Points(numeric, np.zeros((len(numeric), 0), np.int32), np.zeros(0), (), ())
    plain = points.numeric, points.codes, points.weights
    labels = mdav_groups(points, k, Run())
    clock = SimpleNamespace(perf_counter=time.process_time)
    begin = time.process_time()
    with patch("kanon_core.base.anytime.time", clock):
        found, steps, before, after = refine_sse(plain, labels, k, limits=Limits(seconds))
    total = (numeric**2).sum() / 100
    least = np.bincount(found).min()
    return {
        "work": work,
        "ours": round(float(after / total), 4),
        "target": target,
        "seconds": round(time.process_time() - begin, 2),
        "note": f"from {before / total:.4f} in {steps} steps; {found.max() + 1} groups of {least} or more",
    }
