"""Risk by attacker: Adult as it is and as a release, all attackers, with and without a population.

    python -m benchmarks risk             needs KANON_DATA; takes about ten seconds

Seconds are the least wall time of several runs, without reading the file and making the release; classes that
a release has found once are kept, as on the screens.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kanon_core as kc
from benchmarks._adult import adult

RUNS = 4
_QUASI = [
    *("age", "workclass", "education", "marital-status", "occupation"),
    *("relationship", "race", "sex", "native-country"),
]
_US = 253_000_000


def rows() -> Iterator[dict[str, Any]]:
    """All attackers at once, for each thing that may be known of the population."""
    if not (folder := os.environ.get("KANON_DATA", "")):
        return
    frame = adult(Path(folder), [*_QUASI, "fnlwgt"])
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(_QUASI))
    weighted = table.with_schema(table.schema.with_roles({"fnlwgt": "sampling_weight"}))
    release = kc.anonymize(table, kc.Mondrian(), k=5, seed=1)
    shape = f"{len(table):,} × {len(_QUASI)}"
    for what, one, population in (
        ("nothing known", table, None),
        ("size, Pitman", table, kc.Population(_US, "pitman")),
        ("size, Zayatz", table, kc.Population(_US, "zayatz")),
        ("sampling weights", weighted, None),
        ("a table of it", table, table),
    ):
        of = release if one is table else kc.anonymize(one, kc.Mondrian(), k=5, seed=1)
        seconds = min(_seconds(one, of, population) for _ in range(RUNS))
        yield {"work": f"{shape}, all attackers: {what}", "ours_s": seconds, "target_s": 1.0}


def _seconds(table: kc.Table, release: kc.Release, population: kc.Population | kc.Table | None) -> float:
    start = time.perf_counter()
    kc.risks(table, release, None, population)
    return time.perf_counter() - start
