"""Measures: ILD without the N² pairs, a text column by edit distance, the whole scorecard, a million records.

    python -m benchmarks metrics          needs KANON_DATA for Adult; takes about a minute

Seconds are the least wall time of several runs with the release at hand; ``cpu s`` is the processor time of
the same run. What a release remembers once it is asked for – its classes – is forgotten before each run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from kanon_core.distances.chosen import parts_of
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.runs.run import totals

RUNS = 5
_REMEMBERED = ("classes", "class_sizes")


def rows() -> Iterator[dict[str, Any]]:
    """ILD of Adult and of texts; the scorecard of 30,000 × 15 and of 1,000,000 × 10; what the data are for,
    one by one."""
    folder = os.environ.get("KANON_DATA", "")
    if folder:
        yield from _adult(Path(folder))
    yield from _texts()
    release = _release(people(30_000, 15), kc.Mondrian(), 10)
    yield _row("full scorecard, 30,000 × 15", release, _scorecard, 1.0)
    yield _row("scorecard and all uses but the model, 30,000 × 15", release, _all_but_the_model, 1.0, 2)
    for cls in METRICS:
        if not cls().unsuitable(release.table):
            yield _row(f"{cls.title}, 30,000 × 15", release, _total(cls()), 0.02)
    for cls in UTILITIES:
        if not cls().unsuitable(release.table):
            yield _row(f"{cls.title}, 30,000 × 15", release, _total(cls()), None, 1)
    million = _release(people(1_000_000, 10), kc.Sorting(), 10)
    yield _row("full scorecard, 1,000,000 × 10", million, _scorecard, 3.0, 2)
    yield _row("Error of counts, 1,000,000 × 10", million, _total(kc.QueryError()), None, 1)


def _adult(folder: Path) -> Iterator[dict[str, Any]]:
    frame = pd.read_csv(folder / "adult" / "adult.data", header=None, skipinitialspace=True)
    frame.columns = [f"column {i}" for i in range(frame.shape[1])]
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame.columns, "quasi_identifier"))
    release = _release(kc.Table.from_frame(frame, schema), kc.Mondrian(), 10)
    yield {
        **_row("ILD, Adult, 32,561 × 15", release, _total(kc.ILD()), 0.05),
        "peer": "all pairs, numpy",
        "peer_s": _all_pairs(release.table),
    }


def _all_pairs(table: kc.Table, some: int = 200) -> float:
    """Seconds of I(A) by its definition, from the time of some rows."""
    everybody, parts = np.arange(len(table)), parts_of(table)
    begin = time.perf_counter()
    for row in range(some):
        for part in parts:
            (part.encoding.pairs(np.array([row]), everybody) ** 2).sum()
    return (time.perf_counter() - begin) * len(table) / some


def _texts() -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = sorted({"".join(rng.choice(letters, rng.integers(5, 16))) for _ in range(5_100)})[:5_000]
    frame = pd.DataFrame({"word": [*words, *rng.choice(words, 25_000)]})
    schema = kc.Schema((kc.Attribute("word", kind="text", distance=kc.Levenshtein()),))
    release = _release(kc.Table.from_frame(frame, schema), kc.Sorting(), 10)

    def cold(release: kc.Release) -> None:
        kc.ILD().measure(release.table.with_schema(release.table.schema), release)

    work = "ILD, 30,000 texts, 5,000 different, Levenshtein"
    yield _row(f"{work}, with the distances", release, cold, 2.0, 2)
    yield _row(f"{work}, again", release, _total(kc.ILD()), None)


def people(n: int, columns: int) -> kc.Table:
    """Invented people: a third of the columns numbers, the rest categories of 2 to 40 values; one more is
    sensitive."""
    rng = np.random.default_rng(n)
    frame: dict[str, Any] = {}
    for i in range(columns):
        if i % 3 == 0:
            frame[f"number {i}"] = rng.gamma(2.0, 20.0, n).round(i % 2)
        else:
            values = 2 + (i * 7) % 39
            frame[f"category {i}"] = np.array([f"value {v:02}" for v in range(values)])[
                np.minimum(rng.geometric(3 / values, n) - 1, values - 1)
            ]
    frame["diagnosis"] = rng.choice(["flu", "cold", "none"], n)
    made = pd.DataFrame(frame)
    roles = dict.fromkeys(made.columns, "quasi_identifier") | {"diagnosis": "sensitive"}
    return kc.Table.from_frame(made, kc.Schema.infer(made).with_roles(roles))


def _release(table: kc.Table, algorithm: kc.Algorithm, k: int) -> kc.Release:
    return kc.anonymize(table, algorithm, k, seed=0)


def _scorecard(release: kc.Release) -> None:
    totals(release.table, release, [cls() for cls in METRICS])


def _all_but_the_model(release: kc.Release) -> None:
    totals(release.table, release, [cls() for cls in (*METRICS, *UTILITIES) if cls is not kc.ModelLoss])


def _total(metric: kc.Metric) -> Callable[[kc.Release], object]:
    return lambda release: metric.measure(release.table, release)


def _row(
    work: str,
    release: kc.Release,
    measure: Callable[[kc.Release], object],
    target: float | None,
    runs: int = RUNS,
) -> dict[str, Any]:
    best = min(_timed(release, measure) for _ in range(runs + 1))
    return {"work": work, "ours_s": best[0], "cpu s": round(best[1], 4), "target_s": target}


def _timed(release: kc.Release, measure: Callable[[kc.Release], object]) -> tuple[float, float]:
    for name in _REMEMBERED:
        release.__dict__.pop(name, None)
    wall, cpu = time.perf_counter(), time.process_time()
    measure(release)
    return time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
