"""MDAV and V-MDAV: warm kernels, wall and CPU seconds of the groups from points, and how time grows with n.

The peer is the plain numpy twin of the tests where it takes no longer than some seconds. The Adult rows need
KANON_DATA, the folder of real data.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._timing import measured
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.clustering.mdav import mdav_groups
from kanon_core.algorithms.clustering.vmdav import vmdav_groups
from kanon_core.distances.mixed import Points, points_of
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table
from tests.oracles.mdav import mdav as plain_mdav

# (records, attributes, k) → target in seconds, runs, sdcMicro 5.8 (C++) on comparable hardware
WORK: dict[tuple[int, int, int], tuple[float | None, int, str]] = {
    (10_000, 2, 10): (None, 5, "0.21 s"),
    (10_000, 10, 10): (0.06, 5, "0.73 s"),
    (100_000, 2, 10): (1.0, 3, "21.5 s"),
    (100_000, 10, 10): (5.0, 2, "72.7 s"),
    (1_000_000, 2, 10): (15.0, 2, ""),
}
COLUMNS = {0: "age", 1: "workclass", 4: "education-num", 5: "marital-status", 6: "occupation", 8: "race"}
COLUMNS |= {9: "sex", 13: "native-country"}


def rows() -> Iterator[dict[str, Any]]:
    """The rows as they finish."""
    mdav_groups(normal(1000, 10), 10, Run())
    vmdav_groups(normal(1000, 10), 10, 0.2, Run())
    for (n, p, k), (target, runs, theirs) in WORK.items():
        points = normal(n, p)
        row = measured(functools.partial(mdav_groups, points, k, Run()), runs)
        note = f"; sdcMicro {theirs}" if theirs else ""
        row |= {"work": f"MDAV, normal {n:,} × {p}, k = {k}", "target_s": target}
        row["note"] += note
        yield row | (against_the_twin(points, k) if n == 10_000 else {})
    for n, p in ((100_000, 2), (30_000, 8)):
        row = measured(functools.partial(vmdav_groups, normal(n, p), 10, 0.2, Run()), 3)
        yield row | {"work": f"V-MDAV γ = 0.2, normal {n:,} × {p}, k = 10", "target_s": 1.5}
    yield from adult_rows()


def normal(n: int, p: int) -> Points:
    """Standard normal points."""
    numeric = np.random.default_rng(0).standard_normal((n, p))
    return Points(numeric, np.zeros((n, 0), np.int32), np.zeros(0), (), ())


def against_the_twin(points: Points, k: int) -> dict[str, Any]:
    """Return the time that the plain twin needs for the same groups. Raise AssertionError if they are not the
    same."""
    began = time.perf_counter()
    labels = plain_mdav(points.numeric, points.codes, points.weights, k)
    seconds = time.perf_counter() - began
    assert np.array_equal(labels, mdav_groups(points, k, Run())), "MDAV differs from its plain twin"
    return {"peer": "plain numpy", "peer_s": seconds}


def adult_rows() -> Iterator[dict[str, Any]]:
    """Adult's complete rows × 8 quasi-identifiers, numbers and categories mixed."""
    folder = os.environ.get("KANON_DATA", "")
    if not folder:
        return
    points = points_of(adult(Path(folder)))
    for k in (5, 10):
        row = measured(functools.partial(mdav_groups, points, k, Run()), 3)
        yield row | {"work": f"MDAV, Adult {len(points):,} × 8, k = {k}", "target_s": 1.0}
        row = measured(functools.partial(vmdav_groups, points, k, 0.2, Run()), 3)
        yield row | {"work": f"V-MDAV γ = 0.2, Adult {len(points):,} × 8, k = {k}", "target_s": 1.5}


def adult(folder: Path) -> Table:
    """The complete rows of Adult with its 8 customary quasi-identifiers."""
    import pandas as pd

    path = folder / "adult" / "adult.data"
    frame = pd.read_csv(path, header=None, skipinitialspace=True, na_values="?").dropna()
    frame = frame[list(COLUMNS)].rename(columns=COLUMNS).reset_index(drop=True)
    names = list(COLUMNS.values())
    kinds = {name: "numeric" if name in ("age", "education-num") else "categorical" for name in names}
    return Table.from_frame(frame, Schema.infer(frame).with_kinds(kinds).with_quasi(names))


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
