"""Risk by attacker: Adult as it is and as a release, all attackers, with and without a population.

    python -m benchmarks risk             needs KANON_DATA; takes about ten seconds

Seconds are the least wall time of several runs, without reading the file and making the release; classes that
a release has found once are kept, as on the screens.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import kanon_core as kc
from benchmarks._adult import adult
from benchmarks._timing import seconds

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
        took = min(seconds(partial(kc.risks, one, of, None, population)) for _ in range(RUNS))
        yield {"work": f"{shape}, all attackers: {what}", "ours_s": took, "target_s": 1.0}
