"""Tables in many files: what a release of 10⁵ … 10⁷ records of 8 quasi-identifiers costs, from parquet files
to published and audited parquet files, on processes of this machine, on Dask, and in one memory, whose rows
are the same.

    python -m benchmarks scale     needs KANON_DATA (Adult); about ten minutes, 6 GB of disk, 12 GB of memory
    KANON_SCALE=100000000 python -m benchmarks scale      one run of so many records alone

Adult's records are drawn with replacement, ages and hours moved a little; occupation is sensitive. Mondrian
with strict medians and Top-down, k = 10. Each run is made in a process of its own, after a small one that
loads all compiled code. Two figures beside the wall time: records per processor-second of all processes
together, and the memory of the largest worker. "Published order" is the part of a release that brings its
rows into an order that tells nothing; the targets leave it out, as the prototypes did.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks._adult import adult
from benchmarks._many import JobSpec, beside_one_memory, beside_processes, in_own_process, many, per_second
from kanon_core.scale.engines import Dask, Local

SIZES = (100_000, 1_000_000, 10_000_000)
PART = 500_000
SEED = 1
COLUMNS = (
    *("age", "workclass", "education", "marital-status", "race", "sex", "hours-per-week", "native-country"),
    "occupation",
)
SECONDS, PER_SECOND, MEGABYTES, DASK = 60.0, 200_000.0, 1000.0, 1.5
"""Targets: wall seconds and records per processor-second of 10⁷ records, a worker's memory, Dask's ratio."""


def rows() -> Iterator[dict[str, Any]]:
    """The rows as they finish."""
    folder = os.environ.get("KANON_DATA", "")
    if not folder:
        yield {"work": "tables in many files", "note": "left out: KANON_DATA is not set"}
        return
    original = adult(Path(folder), COLUMNS)
    sizes = tuple(int(size) for size in os.environ.get("KANON_SCALE", "").split(",") if size) or SIZES
    with tempfile.TemporaryDirectory() as place:
        for n in sizes:
            source = Path(place) / f"of-{n}"
            write(original, n, source)
            (Path(place) / str(n)).mkdir()
            yield from measured(n, source, Path(place) / str(n), alone=sizes != SIZES)


def measured(n: int, source: Path, place: Path, alone: bool) -> Iterator[dict[str, Any]]:
    """One size: Mondrian on processes, its stages, and, where it is not alone, Dask; then Fragments of
    Top-down; each beside one memory."""
    asked = JobSpec(source, schema_of(source), kc.Mondrian())
    local = in_own_process(many, Local(), asked, place / "local")
    ordered, largest = local["seconds"]["order"], n == SIZES[-1]
    table, processes = f"{n:,} × {len(COLUMNS) - 1}", f"{local['workers']} processes"
    target = f" (target {PER_SECOND:,.0f} records)" if largest else ""
    yield {
        "work": f"{table}, {processes}, without the published order",
        "ours_s": local["wall"] - ordered,
        "target_s": SECONDS if largest else None,
        "ours_mb": local["mb"],
        "target_mb": MEGABYTES if largest else None,
        "note": per_second(n, local["cpu"]) + target,
    }
    for name, took in local["seconds"].items():
        yield {"work": f"{table}, {processes}: stage {name}", "ours_s": took}
    if alone:
        return
    ordered_too = f"{table}, {processes}, with the published order"
    yield beside_one_memory(ordered_too, local, asked, place / "one", n)
    if n < SIZES[1]:
        return
    dask = in_own_process(many, Dask(processes=local["workers"]), asked, place / "dask")
    work = f"{table}, Dask, {dask['workers']} processes"
    yield beside_processes(work, dask, local, f"target at most {DASK} times; ")
    asked = replace(asked, algorithm=kc.Fragments(kc.TopDown(), 100_000))
    fragments = in_own_process(many, Local(), asked, place / "fragments")
    work = f"{table}, Fragments of Top-down, {processes}"
    yield beside_one_memory(work, fragments, asked, place / "one-fragments", n)


def write(original: pd.DataFrame, n: int, folder: Path) -> None:
    """n records drawn of the original, in parquet files of `PART`."""
    folder.mkdir()
    rng = np.random.default_rng(SEED)
    for number, start in enumerate(range(0, n, PART)):
        size = min(PART, n - start)
        part = original.iloc[rng.integers(0, len(original), size)].reset_index(drop=True)
        part["age"] += np.rint(rng.normal(0, 1.5, size)).astype(int)
        part["hours-per-week"] = (part["hours-per-week"] + rng.normal(0, 2, size)).round(1)
        part.to_parquet(folder / f"part-{number:05d}.parquet", index=False)


def schema_of(source: Path) -> kc.Schema:
    """All are quasi-identifiers but the occupation."""
    frame = pd.read_parquet(sorted(source.iterdir())[0])
    roles = dict.fromkeys(COLUMNS, "quasi_identifier") | {"occupation": "sensitive"}
    return kc.Schema.infer(frame).with_roles(roles)
