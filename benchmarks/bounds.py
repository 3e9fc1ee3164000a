"""Lower bounds of loss: how far the best known losses of the reference tables lie above them, and their
time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc

KS = (3, 5, 10)
REFINED = {"Tarragona": (14.63, 20.19, 30.23), "CASCrefmicrodata": (4.76, 7.42, 11.53)}
"""Percent of SST that `Refine` reaches in a second."""
LARGE = 100_000


def rows() -> Iterator[dict[str, Any]]:
    """The reference tables, by nearest neighbors and tightened; then many invented records."""
    folder = os.environ.get("KANON_DATA", "")
    for name, losses in REFINED.items() if folder else ():
        yield from reference(Path(folder) / "casc" / f"{name}.csv", losses)
    rng = np.random.default_rng(0)
    table = numbers(pd.DataFrame(rng.normal(size=(LARGE, 6)), columns=list("abcdef")))
    yield {"work": f"nearest neighbors, {LARGE:,} × 6, k = 2 … 20", "target_s": 2.0, **timed(table)}


def reference(path: Path, losses: tuple[float, ...]) -> Iterator[dict[str, Any]]:
    """Gaps are shares of the loss of `Refine`, then shares of the bound."""
    table = numbers(kc.read_table(path).frame)
    plain = {bound.k: bound for bound in kc.least_loss(table, KS)}
    work = f"nearest neighbors, {path.stem}, {len(table):,} records, k = 2 … 20"
    yield {"work": work, "target_s": 0.1, **timed(table)}
    for k, loss in zip(KS, losses, strict=True):
        start = time.perf_counter()
        better = kc.tightened(table, k)
        seconds = time.perf_counter() - start
        note = ", ".join(
            f"{word} {bound.value:.2%}: gap {1 - 100 * bound.value / loss:.1%} of the loss,"
            f" {bound.gap(loss / 100):.1%} of the bound"
            for word, bound in (("plain", plain[k]), ("tightened", better))
        )
        yield {"work": f"tightened, {path.stem}, k = {k}", "ours_s": seconds, "note": note}


def numbers(frame: pd.DataFrame) -> kc.Table:
    """The frame as a table of quasi-identifiers that are numbers."""
    names = [str(name) for name in frame.columns]
    schema = kc.Schema.infer(frame).with_kinds(dict.fromkeys(names, "numeric")).with_quasi(names)
    return kc.Table.from_frame(frame, schema)


def timed(table: kc.Table) -> dict[str, float]:
    """Seconds of the bounds of all k at once, once everything is imported."""
    kc.least_loss(table.some(np.arange(50)), [2])
    start = time.perf_counter()
    kc.least_loss(table, range(2, 21))
    return {"ours_s": time.perf_counter() - start}
