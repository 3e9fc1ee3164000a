"""Attacks on whole tables, all together, and the report of Adult.

    python -m benchmarks attack           needs KANON_DATA; takes about a minute

Seconds are the least wall time of several runs, without reading the file and making the release that is
attacked; what attacks anonymize themselves – beside a control group, or running the program again – is
counted. Each run gets a release that remembers nothing of the one before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks._adult import adult
from benchmarks._timing import seconds
from kanon_core.algorithms import Algorithm
from kanon_core.distances.manhattan import MATRIX_AT_MOST
from kanon_core.report.signing import gathered, report, to_html

RUNS = 3
K = 5
SOME = 3_000
"""Records for which the optimum of k-concealment is found in seconds; greedy matchings keep the distances of
all pairs, and take `MATRIX_AT_MOST` records."""
_QUASI = [
    *("age", "workclass", "education", "marital-status", "occupation"),
    *("relationship", "race", "sex", "native-country"),
]
_ITEMS = 200


def rows() -> Iterator[dict[str, Any]]:
    """Groups, matchings and item sets under attack, then the report of the groups."""
    if folder := os.environ.get("KANON_DATA", ""):
        frame = adult(Path(folder), [*_QUASI, "income"])
        whole, some, most = _people(frame), _people(frame.head(SOME)), _people(frame.head(MATRIX_AT_MOST))
        yield _row("all attacks", whole, kc.MDAV(), _attacked, 10.0)
        yield _row("all attacks", whole, kc.Mondrian(), _attacked, 10.0)
        yield _row("all attacks", some, kc.OptimalConcealment(), _attacked, 10.0)
        yield _row("all attacks", most, kc.Greedy(), _attacked, 10.0)
        yield _row("report", whole, kc.MDAV(), _reported, 5.0)
        yield _row("report", whole, kc.Mondrian(), _reported, 5.0)
    yield _row("all attacks, receipts", _receipts(32_561), kc.TopDown(), _attacked, 10.0)


def _people(frame: pd.DataFrame) -> kc.Table:
    schema = kc.Schema.infer(frame).with_quasi(_QUASI).with_roles({"income": "sensitive"})
    return kc.Table.from_frame(frame.reset_index(drop=True), schema)


def _receipts(n: int) -> kc.Table:
    """Receipts of up to 8 of 200 items, some far more frequent than others, with age and shop."""
    rng = np.random.default_rng(0)
    items = (rng.random((n, 8)) ** 3 * _ITEMS).astype(int)
    sizes = rng.integers(1, 9, n)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "shop": rng.choice(list("abcdef"), n),
            "bought": [
                ";".join(sorted({f"i{item}" for item in row[:size]}))
                for row, size in zip(items, sizes, strict=True)
            ],
            "paid": rng.choice(["cash", "card"], n),
        }
    )
    schema = kc.Schema.infer(frame).with_kinds({"bought": "items"}).with_quasi(["age", "shop", "bought"])
    return kc.Table.from_frame(frame, schema.with_roles({"paid": "sensitive"}))


def _row(
    what: str, table: kc.Table, algorithm: Algorithm, do: Callable[[kc.Release], object], target: float
) -> dict[str, Any]:
    kc.anonymize(table, algorithm, K, seed=1)
    took = min(seconds(partial(do, kc.anonymize(table, algorithm, K, seed=1))) for _ in range(RUNS))
    work = f"{what}, {algorithm.title}, {len(table):,} × {len(table.quasi)}, k = {K}"
    return {"work": work, "ours_s": took, "target_s": target}


def _attacked(release: kc.Release) -> object:
    return kc.attack(release.table, release)


def _reported(release: kc.Release) -> str:
    return to_html(report(gathered(release)))


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
