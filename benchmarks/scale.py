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

import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks._adult import adult
from benchmarks.cold import descendants, processor_seconds
from kanon_core.scale.engines import Dask, Engine, Local
from kanon_core.scale.files import ROWS_OF_A_FILE, anonymize_files

SIZES = (100_000, 1_000_000, 10_000_000)
PART = 500_000
K, SEED = 10, 1
COLUMNS = (
    *("age", "workclass", "education", "marital-status", "race", "sex", "hours-per-week", "native-country"),
    "occupation",
)
_MONDRIAN = kc.Mondrian()
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
    """One size: Mondrian on processes, its stages, and, where it is not alone, Dask; then Top-down; each
    beside one memory."""
    local = in_own_process(many, Local(), kc.Mondrian(), source, place / "local")
    ordered, largest = local["seconds"]["order"], n == SIZES[-1]
    table, processes = f"{n:,} × {len(COLUMNS) - 1}", f"{local['workers']} processes"
    yield {
        "work": f"{table}, {processes}, without the published order",
        "ours_s": local["wall"] - ordered,
        "target_s": SECONDS if largest else None,
        "ours_mb": local["mb"],
        "target_mb": MEGABYTES if largest else None,
        "note": per_second(n, local["cpu"], largest),
    }
    for name, took in local["seconds"].items():
        yield {"work": f"{table}, {processes}: stage {name}", "ours_s": took}
    if alone:
        return
    yield beside_one_memory(f"{table}, {processes}, with the published order", local, source, place, n)
    if n < SIZES[1]:
        return
    dask = in_own_process(many, Dask(processes=local["workers"]), kc.Mondrian(), source, place / "dask")
    yield {
        "work": f"{table}, Dask, {dask['workers']} processes",
        "ours_s": dask["wall"],
        "peer": "processes",
        "peer_s": local["wall"],
        "note": f"target at most {DASK} times; the same rows: {dask['same'] == local['same']}",
    }
    rounds = in_own_process(many, Local(), kc.TopDown(), source, place / "rounds")
    yield beside_one_memory(f"{table}, Top-down, {processes}", rounds, source, place, n, kc.TopDown())


def beside_one_memory(
    work: str, found: dict[str, Any], source: Path, place: Path, n: int, algorithm: kc.Algorithm = _MONDRIAN
) -> dict[str, Any]:
    """A row that compares what was found with the same release in one memory."""
    one = in_own_process(at_once, algorithm, source, place / f"one-{algorithm.title}")
    note = f"{per_second(n, found['cpu'], False)}; one memory {per_second(n, one['cpu'], False)}"
    return {
        "work": work,
        "ours_s": found["wall"],
        "ours_mb": found["mb"],
        "peer": "one memory",
        "peer_s": one["wall"],
        "note": f"{note}, {one['mb']:,.0f} MB; the same rows: {one['same'] == found['same']}",
    }


def per_second(n: int, cpu: float, largest: bool) -> str:
    """Records per processor-second, in words."""
    target = f" (target {PER_SECOND:,.0f})" if largest else ""
    return f"{n / cpu:,.0f} records per processor-second{target}, CPU {cpu:.1f} s"


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


def many(engine: Engine, algorithm: kc.Algorithm, source: Path, out: Path) -> dict[str, Any]:
    """A release by an engine; started and warmed up before."""
    with engine:
        warm(engine, algorithm, source, out)
        began, used = time.perf_counter(), all_processor_seconds()
        made = anonymize_files(str(source), schema_of(source), algorithm, K, str(out), engine, SEED)
        wall, workers = time.perf_counter() - began, engine.workers
    assert all(verdict.holds for verdict in made.verdicts)
    cpu = all_processor_seconds() - used
    return {"wall": wall, "cpu": cpu, "seconds": dict(made.seconds), "workers": workers, "same": digest(out)}


def at_once(algorithm: kc.Algorithm, source: Path, out: Path) -> dict[str, Any]:
    """The same release in one memory."""
    warm(None, algorithm, source, out)
    began, used = time.perf_counter(), all_processor_seconds()
    frame = pd.concat([pd.read_parquet(file) for file in sorted(source.iterdir())], ignore_index=True)
    released = kc.anonymize(kc.Table.from_frame(frame, schema_of(source)), algorithm, K, SEED).publish()
    out.mkdir()
    for run, start in enumerate(range(0, len(released), ROWS_OF_A_FILE)):
        part = released[start : start + ROWS_OF_A_FILE]
        part.to_parquet(out / f"part-{run:05d}.parquet", index=False)
    wall = time.perf_counter() - began
    return {"wall": wall, "cpu": all_processor_seconds() - used, "same": digest(out)}


def warm(engine: Engine | None, algorithm: kc.Algorithm, source: Path, out: Path) -> None:
    """A small release first, so that no compiled code is made or loaded in the measured one."""
    small = out.with_name(f"{out.name}-small")
    first = sorted(source.iterdir())[0]
    if engine is None:
        frame = pd.read_parquet(first).head(20_000)
        kc.anonymize(kc.Table.from_frame(frame, schema_of(source)), algorithm, K, SEED).publish()
    else:
        anonymize_files(str(first), schema_of(source), algorithm, K, str(small), engine, SEED)


def all_processor_seconds() -> float:
    """Of this process and of all that it started, and they in turn, living or ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    living = sum(processor_seconds(pid) for pid in (os.getpid(), *descendants(os.getpid())))
    return living + ended.ru_utime + ended.ru_stime


def digest(folder: Path) -> str:
    """Of all rows of a release in their order, file by file."""
    found, rows = 0, 0
    for file in sorted(folder.iterdir()):
        hashes = pd.util.hash_pandas_object(pd.read_parquet(file).astype("str"), index=False).to_numpy()
        places = np.arange(rows + 1, rows + len(hashes) + 1, dtype=np.uint64)
        found, rows = found + int(hashes.dot(places)), rows + len(hashes)
    return format(found % 2**64, "x")


def in_own_process(work: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """What the work finds in a process of its own, and the memory (MB) of the largest process that it
    started, or its own where it started none."""
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(theirs, work, *arguments))
    process.start()
    theirs.close()
    try:
        found: dict[str, Any] = mine.recv()
    finally:
        process.join()
    return found


def _send(pipe: Any, work: Callable[..., dict[str, Any]], *arguments: Any) -> None:
    found = work(*arguments)
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    found["mb"] = (children or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024
    pipe.send(found)
