"""Optimal concealment with its certificate, and the count of matches: warm, wall and CPU seconds.

Real rows need KANON_DATA, the folder of real data; the others are normal points. The peer is a program of its
own for assignment, `linear_sum_assignment` of scipy on the full matrix, which solves k = 2 alone.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks._timing import least
from kanon_core.algorithms.concealment.optimum.optimal import optimal_matchings
from kanon_core.covers.cover import Concealment
from kanon_core.covers.matching.consistency import consistency
from kanon_core.covers.recoding import recode
from kanon_core.covers.uploaded.uploaded import read_release
from kanon_core.distances.manhattan import ManhattanPoints, distance_matrix, manhattan_points
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table

NUMBERS = (0, 2, 4, 10, 11, 12)
"""The numeric ones of Adult's 15 columns."""


def rows() -> Iterator[dict[str, Any]]:
    """The rows as they finish."""
    optimal_matchings(normal(50, 5), 3)
    for k, target in ((2, None), (7, 0.5)):
        points = normal(1000, 5)
        row, _ = measured(functools.partial(optimal_matchings, points, k), 5)
        row |= {"work": f"optimal concealment, normal 1,000 × 5, k = {k}", "target_s": target}
        yield row | (against_assignment(points) if k == 2 else {})
    folder = os.environ.get("KANON_DATA", "")
    if folder:
        yield from adult_rows(Path(folder))


def normal(n: int, p: int) -> ManhattanPoints:
    """Standard normal points."""
    numeric = np.random.default_rng(0).standard_normal((n, p))
    return ManhattanPoints(numeric, np.zeros((n, 0), np.int32), np.zeros(0))


def measured(work: Callable[[], Any], runs: int) -> tuple[dict[str, Any], Any]:
    """Least wall seconds of several runs, with the least CPU seconds in the note; and the last result."""
    wall, cpu, result = least(work, runs)
    return {"ours_s": wall, "note": f"CPU {cpu:.3f} s"}, result


def against_assignment(points: ManhattanPoints) -> dict[str, Any]:
    """Return the time of one assignment. Raise AssertionError if its cost differs."""
    from scipy.optimize import linear_sum_assignment

    began = time.perf_counter()
    distances = distance_matrix(points)
    np.fill_diagonal(distances, distances.sum())
    chosen = linear_sum_assignment(distances)
    seconds = time.perf_counter() - began
    ours = optimal_matchings(points, 2)[1]
    assert np.isclose(distances[chosen].sum(), ours, rtol=1e-9), "the optimum differs from the assignment's"
    return {"peer": "scipy linear_sum_assignment", "peer_s": seconds}


def adult_rows(folder: Path) -> Iterator[dict[str, Any]]:
    """A sample of 1,000 records as in table 9 of the k-concealment paper, and all of Adult × 15
    attributes."""
    for k in (2, 7):
        points = manhattan_points(adult(folder, 1000).quasi)
        row, (_, cost, bound) = measured(functools.partial(optimal_matchings, points, k), 5)
        row["note"] += f"; cost {cost:,.2f}, gap {(cost - bound) / cost:.0e}"
        yield row | {"work": f"optimal concealment, Adult 1,000 × 15, k = {k}", "target_s": 0.5}
    table = adult(folder)
    row, (matchings, cost, bound) = measured(
        functools.partial(optimal_matchings, manhattan_points(table.quasi), 5), 1
    )
    row["note"] += f"; cost {cost:,.2f}, gap {(cost - bound) / cost:.0e}"
    yield row | {"work": f"optimal concealment, Adult {len(table):,} × 15, k = 5", "target_s": 60.0}
    cover = Concealment(matchings)
    published = [recode(column, cover) for column in table.quasi]
    row, found = measured(functools.partial(consistency, table, published), 1)
    row["note"] += f"; {found.rows.sum():,} consistent pairs, {found.matches.sum():,} matches"
    yield row | {"work": f"count of matches, Adult {len(table):,} × 15, k = 5", "target_s": 10.0}
    everybody = np.arange(len(table))
    texts = {p.attribute.name: p.texts(table[p.attribute.name], everybody) for p in published}
    file = pd.DataFrame(texts).sample(frac=1, random_state=0)
    row, again = measured(lambda: read_release(file, table).consistency(), 1)
    assert (again.matches == found.matches).all(), "the shuffled file has other matches"
    yield row | {"work": "the same of the released file, shuffled, read back", "target_s": 10.0}


def adult(folder: Path, sample: int | None = None) -> Table:
    """Adult's records with all 15 columns as quasi-identifiers, or a random sample of them."""
    frame = pd.read_csv(folder / "adult" / "adult.data", header=None, skipinitialspace=True)
    frame.columns = [f"column {i}" for i in range(frame.shape[1])]
    if sample:
        frame = frame.sample(sample, random_state=1).reset_index(drop=True)
    kinds = {name: "numeric" if i in NUMBERS else "categorical" for i, name in enumerate(frame.columns)}
    return Table.from_frame(frame, Schema.infer(frame).with_kinds(kinds).with_quasi(list(frame.columns)))


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
