"""One run of `ablation`: ``python -m benchmarks._ablation SEARCH PART`` switches a part of a search off and
writes losses and seconds as JSON."""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks.topdown import many_items, medical
from kanon_core.algorithms.base import Run
from kanon_core.base.anytime import Limits
from kanon_core.distances.mixed import Points, unit_columns_of
from kanon_core.table.columns.columns import Items

ADULT = ("age", "workclass", "", "", "education-num", "marital-status", "occupation", "", "race", "sex")
SETS, CLUSTERING = "partitioning.refine_sets.", "clustering.refine."
Switch = tuple[str, str, Any]
"""A module, a name in it, and its substitute; a word is the name of a stub of `_ablation_kernels`."""


PARTS: dict[str, dict[str, tuple[Switch, ...]]] = {
    "RefineSets": {
        "prices": ((SETS + "hunt_kernels", "trade", lambda *_: iter(())),),
        "assignment": ((SETS + "hunt_kernels", "Hunt.assign", lambda _: None),),
        "groups taken apart": ((SETS + "hunt_kernels", "RUINED", 0),),
        "dissolved groups": ((SETS + "open_kernels", "dissolves", "dissolves"),),
        "records in place of others": ((SETS + "open_kernels", "refill", "refill"),),
        "records that lose 1 or 2": ((SETS + "open_kernels", "FAR", 0),),
        "favored items": ((SETS + "store_kernels", "FAVOR", 1),),
    },
    "Refine sse": {
        "dissolved groups": ((CLUSTERING + "anneal_kernels", "dissolve", "dissolve"),),
        "founded groups": ((CLUSTERING + "anneal_kernels", "found", "found"),),
        "trifles": ((CLUSTERING + "sse_kernels", "TRIFLE", 0.0),),
        "the last check": ((CLUSTERING + "sse_kernels", "LARGEST_SETTLED", 0),),
    },
    "Refine ncp": {
        "grown groups": ((CLUSTERING + "ncp_kernels", "start", lambda *_: True),),
        "rounds of moves": ((CLUSTERING + "ncp_kernels", "SWEEP", 5),),
        "dissolved groups": ((CLUSTERING + "ncp_kernels", "DISSOLVE", 5),),
        "rebuilt neighborhoods": ((CLUSTERING + "ncp_kernels", "LARGE", 0),),
        "the check of every move": ((CLUSTERING + "ncp_kernels", "POLISH", 5),),
    },
    "TopDown": {
        "unwatched rare items": (("partitioning.topdown.frequencies_kernels", "FEW", 1 << 40),),
        "records put side by side": (("partitioning.topdown.cutting", "_REGROUP", 1 << 40),),
    },
}


def sets() -> Iterator[tuple[str, float]]:
    """Suppressed items in percent after the default seconds."""
    from kanon_core.algorithms.partitioning.refine_sets.refine_sets import refined

    table = baskets()
    column = next(column for column in table.quasi if isinstance(column, Items))
    arrays = (column.starts, column.items, column.distinct)
    for k in (2, 5, 10, 20, 50):
        labels = kc.TopDown().cover(table, k, Run()).groups
        shown = refined(labels, *arrays, k, limits=Limits(kc.RefineSets().seconds))[3]
        yield f"k = {k}", 100 * (1 - shown / len(column.items))


def sse() -> Iterator[tuple[str, float]]:
    """100 · SSE / SST from MDAV's groups after the default second; of 100 people, of the start's SSE."""
    from kanon_core.algorithms.clustering.mdav import mdav_groups
    from kanon_core.algorithms.clustering.refine.refine import refine_sse

    for name in ("Tarragona", "CASCrefmicrodata"):
        values = pd.read_csv(data() / "casc" / f"{name}.csv").to_numpy(float)
        values = np.ascontiguousarray((values - values.mean(axis=0)) / values.std(axis=0, ddof=1))
        points = Points(values, np.zeros((len(values), 0), np.int32), np.zeros(0), (), ())
        for k in (3, 5, 10):
            labels = mdav_groups(points, k, Run())
            plain = points.numeric, points.codes, points.weights
            found = refine_sse(plain, labels, k, limits=Limits(kc.Refine().seconds))
            yield f"{name[:4]} {k}", 100 * found[3] / float((values**2).sum())
    report = kc.anonymize(kc.read_table("sample:people-100"), kc.Refine(), 3, seed=0).report
    yield "100 people", 100 * report["loss reached"] / report["loss of the start"]


def ncp() -> Iterator[tuple[str, float]]:
    """NCP in percent from groups in the order of the file, after 120 steps."""
    from kanon_core.algorithms.clustering.refine.refine import refine_ncp

    frame = pd.read_csv(data() / "adult" / "adult.data", header=None, skipinitialspace=True)
    names = {at: name for at, name in enumerate((*ADULT, "", "", "", "native-country")) if name}
    frame = frame[~(frame == "?").any(axis=1)][list(names)].rename(columns=names)
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame.columns, "quasi_identifier"))
    table = kc.Table.from_frame(frame, schema.with_kinds({"age": "numeric", "education-num": "numeric"}))
    for k in (2, 5, 10, 50):
        labels = np.minimum(np.arange(len(table)) // k, len(table) // k - 1)
        yield f"k = {k}", 100 * refine_ncp(unit_columns_of(table), labels, k, limits=Limits(steps=120))[3]


def topdown() -> Iterator[tuple[str, float]]:
    """Suppressed items in percent: baskets, receipts, many rare items."""
    for name, table, k in (
        ("baskets", baskets(), 10),
        ("receipts", medical(100_000), 10),
        ("rare items", many_items(), 2),
    ):
        begin = time.process_time()
        release = kc.anonymize(table, kc.TopDown(), k, seed=0)
        print(f"{name}: {time.process_time() - begin:.2f} s", file=sys.stderr)
        yield name, 100 * kc.SuppressedItems().measure(table, release).total


RUNS = {"RefineSets": sets, "Refine sse": sse, "Refine ncp": ncp, "TopDown": topdown}


def data() -> Path:
    """The folder of the reference tables."""
    return Path(os.environ["KANON_DATA"])


def baskets() -> kc.Table:
    """BMS-WebView-2."""
    table = kc.read_table(data() / "baskets" / "BMS-WebView-2.fimi.txt")
    return table.with_schema(table.schema.with_quasi([table.schema.names[-1]]))


def switch(place: str, name: str, value: Any) -> None:
    """Put something else in place of a part."""
    if isinstance(value, str):
        value = getattr(importlib.import_module("benchmarks._ablation_kernels"), value)
    where = importlib.import_module(f"kanon_core.algorithms.{place}")
    *outer, name = name.split(".")
    for step in outer:
        where = getattr(where, step)
    assert hasattr(where, name), f"{place} has no {name}"
    setattr(where, name, value)


def main() -> None:
    """Run twice, the second time with the code compiled, and write what was found."""
    search, part = sys.argv[1:]
    for change in PARTS[search].get(part, ()):
        switch(*change)
    switch_clock = patch("kanon_core.base.anytime.time", SimpleNamespace(perf_counter=time.process_time))
    switch_clock.start()
    begin = time.process_time()
    next(RUNS[search]())
    first = time.process_time() - begin
    begin = time.process_time()
    loss = dict(RUNS[search]())
    print(json.dumps({"loss": loss, "first": first, "seconds": time.process_time() - begin}))


if __name__ == "__main__":
    main()
