"""A release of a table in many files, and the same in one memory: wall time, processor seconds of all
processes, memory of the largest one, and a digest of the rows in their order."""

from __future__ import annotations

import multiprocessing
import os
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks.cold import descendants, processor_seconds
from kanon_core.scale.engines import Engine
from kanon_core.scale.files import ROWS_OF_A_FILE, anonymize_files

Found = dict[str, Any]


@dataclass(frozen=True)
class JobSpec:
    """The job that is asked of a table in a folder of parquet files; ``rows``: the most that a worker holds,
    in runs over files; 0 = as many as fit."""

    source: Path
    schema: kc.Schema
    algorithm: kc.Algorithm
    k: int = 10
    seed: int = 1
    rows: int = 0


def beside_one_memory(work: str, found: Found, asked: JobSpec, out: Path, n: int) -> Found:
    """A row that compares what was found with the same release in one memory."""
    one = in_own_process(at_once, asked, out)
    note = f"{per_second(n, found['cpu'])}; one memory {per_second(n, one['cpu'])}"
    return {
        "work": work,
        "ours_s": found["wall"],
        "ours_mb": found["mb"],
        "peer": "one memory",
        "peer_s": one["wall"],
        "note": f"{note}, {one['mb']:,.0f} MB; the same rows: {one['same'] == found['same']}",
    }


def beside_processes(work: str, found: Found, local: Found, note: str = "") -> Found:
    """A row that compares what an engine found with the same release by processes of this machine."""
    return {
        "work": work,
        "ours_s": found["wall"],
        "ours_mb": found["mb"],
        "peer": "processes",
        "peer_s": local["wall"],
        "note": f"{note}the same rows: {found['same'] == local['same']}",
    }


def per_second(n: int, cpu: float) -> str:
    """Records per processor-second, in words."""
    return f"{n / cpu:,.0f} records per processor-second, CPU {cpu:.1f} s"


def many(engine: Engine, asked: JobSpec, out: Path) -> Found:
    """A release by an engine; started and warmed up before."""
    with engine:
        warm(engine, asked, out)
        began, used = time.perf_counter(), all_processor_seconds()
        made = released(str(asked.source), asked, engine, out)
        wall, workers = time.perf_counter() - began, engine.workers
    assert all(verdict.holds for verdict in made.verdicts)
    cpu = all_processor_seconds() - used
    return {"wall": wall, "cpu": cpu, "seconds": dict(made.seconds), "workers": workers, "same": digest(out)}


def released(source: str, asked: JobSpec, engine: Engine, out: Path) -> kc.FilesRelease:
    """A release of some of its files."""
    return anonymize_files(
        source, asked.schema, asked.algorithm, asked.k, str(out), engine, asked.seed, rows=asked.rows
    )


def at_once(asked: JobSpec, out: Path) -> Found:
    """Return the same release, made in one memory."""
    warm(None, asked, out)
    began, used = time.perf_counter(), all_processor_seconds()
    files = sorted(asked.source.iterdir())
    frame = pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)
    published = in_memory(frame, asked)
    out.mkdir()
    for run, start in enumerate(range(0, len(published), ROWS_OF_A_FILE)):
        part = published[start : start + ROWS_OF_A_FILE]
        part.to_parquet(out / f"part-{run:05d}.parquet", index=False)
    wall = time.perf_counter() - began
    return {"wall": wall, "cpu": all_processor_seconds() - used, "same": digest(out)}


def in_memory(frame: pd.DataFrame, asked: JobSpec) -> pd.DataFrame:
    """The published rows of a table."""
    table = kc.Table.from_frame(frame, asked.schema)
    return kc.anonymize(table, asked.algorithm, asked.k, asked.seed).publish()


def warm(engine: Engine | None, asked: JobSpec, out: Path) -> None:
    """A small release first, so that no compiled code is made or loaded in the measured one."""
    first = sorted(asked.source.iterdir())[0]
    if engine is None:
        in_memory(pd.read_parquet(first).head(20_000), asked)
    else:
        released(str(first), asked, engine, out.with_name(f"{out.name}-small"))


def all_processor_seconds() -> float:
    """Return the seconds of this process and of all that it started, directly or not, living or ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    living = sum(processor_seconds(pid) for pid in (os.getpid(), *descendants(os.getpid())))
    return living + ended.ru_utime + ended.ru_stime


def digest(folder: Path) -> str:
    """Return the digest of all rows of a release in their order, file by file."""
    found, rows = 0, 0
    for file in sorted(folder.iterdir()):
        hashes = pd.util.hash_pandas_object(pd.read_parquet(file).astype("str"), index=False).to_numpy()
        places = np.arange(rows + 1, rows + len(hashes) + 1, dtype=np.uint64)
        found, rows = found + int(hashes.dot(places)), rows + len(hashes)
    return format(found % 2**64, "x")


def in_own_process(work: Callable[..., Found], *arguments: Any) -> Found:
    """Return what the work finds in a process of its own, and the memory (MB) of the largest process that it
    started, or its own where it started none."""
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(theirs, work, *arguments))
    process.start()
    theirs.close()
    try:
        found: Found = mine.recv()
    finally:
        process.join()
    return found


def _send(pipe: Any, work: Callable[..., Found], *arguments: Any) -> None:
    found = work(*arguments)
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    found["mb"] = (children or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024
    pipe.send(found)
