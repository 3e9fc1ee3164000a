"""Judging a release: Adult with 15 columns, a million records with 10, and each search by itself.

    python -m benchmarks findings         needs KANON_DATA for Adult; takes about a minute

Seconds are the least wall time of several runs; what a release and a table remember once they are asked for –
classes, codes – is forgotten before each run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

import kanon_core as kc
from benchmarks.metrics import people
from kanon_core.base.progress import silent

RUNS = 3
_REMEMBERED = ("classes", "class_sizes", "hidden_among", "_behind", "_consistency")
_ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex"
    " capital-gain capital-loss hours-per-week native-country income"
)
_FEW = ["age", "workclass", "education", "marital-status", "race"]


def rows() -> Iterator[dict[str, Any]]:
    """All findings, then each search alone where its figures must be there while a slider is moved."""
    folder = os.environ.get("KANON_DATA", "")
    if folder:
        file = Path(folder) / "adult" / "adult.data"
        frame = pd.read_csv(file, header=None, names=_ADULT.split(), skipinitialspace=True, na_values="?")
        schema = kc.Schema.infer(frame).with_roles({"income": "sensitive"})
        few = schema.with_quasi(_FEW).with_roles({"income": "sensitive"})
        most = schema.with_roles({"fnlwgt": "other", "education-num": "other"})
        for many, which in ((5, few), (12, most)):
            release = kc.anonymize(kc.Table.from_frame(frame, which), kc.Mondrian(), 10)
            work = f"Adult, 32,561 × 15, {many} quasi-identifiers"
            yield _row(f"all findings, {work}", release, _judged, 0.5)
            for cls in kc.FINDINGS:
                if cls.cheap:
                    yield _row(f"{cls.name}, {work}", release, _search(cls()), 0.1)
    table = people(1_000_000, 9)
    table = table.with_schema(table.schema.with_roles({"number 6": "other", "category 7": "other"}))
    for algorithm in (kc.Sorting(), kc.Mondrian()):
        release = kc.anonymize(table, algorithm, 10)
        yield _row(f"all findings, 1,000,000 × 10, {algorithm.title}", release, _judged, 10.0)


def _judged(release: kc.Release) -> None:
    kc.judge(release.table, release)


def _search(search: kc.Search) -> Callable[[kc.Release], object]:
    return lambda release: list(search.find(release.table, release, silent))


def _row(work: str, release: kc.Release, do: Callable[[kc.Release], object], target: float) -> dict[str, Any]:
    return {"work": work, "ours_s": min(_timed(release, do) for _ in range(RUNS + 1)), "target_s": target}


def _timed(release: kc.Release, do: Callable[[kc.Release], object]) -> float:
    for name in _REMEMBERED:
        release.__dict__.pop(name, None)
    release.table.__dict__.pop("_made", None)
    begin = time.perf_counter()
    do(release)
    return time.perf_counter() - begin


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
