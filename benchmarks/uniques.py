"""Time to find identifying columns and special uniques: Adult, and a million records.

    python -m benchmarks uniques          needs KANON_DATA for Adult; takes about a minute

Seconds are the least wall time of several runs, without reading the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import kanon_core as kc
from benchmarks._timing import seconds
from benchmarks.metrics import people

RUNS = 3
_ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex"
    " capital-gain capital-loss hours-per-week native-country income"
)
_NINE = "age workclass education marital-status occupation race sex native-country hours-per-week"


def rows() -> Iterator[dict[str, Any]]:
    """Adult's nine columns by sets of three and of all; all 15 columns and pairs; a million records."""
    if folder := os.environ.get("KANON_DATA", ""):
        table = kc.read_table(Path(folder) / "adult" / "adult.data", names=_ADULT.split())
        nine = _NINE.split()
        yield _row(
            "special uniques, Adult, 32,561 × 9, up to 3", lambda: kc.special_uniques(table, 3, nine), 5.0
        )
        yield _row("the same, up to 9", lambda: kc.special_uniques(table, 9, nine))
        yield _row("columns and pairs, Adult, 32,561 × 15", lambda: kc.identifying(table))
    million = people(1_000_000, 9)
    yield _row("special uniques, 1,000,000 × 9, up to 3", lambda: kc.special_uniques(million))
    yield _row("columns and pairs, 1,000,000 × 9", lambda: kc.identifying(million))


def _row(work: str, do: Callable[[], object], target: float | None = None) -> dict[str, Any]:
    return {"work": work, "ours_s": min(seconds(do) for _ in range(RUNS)), "target_s": target}


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
