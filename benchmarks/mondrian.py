"""Mondrian and its refinement by NCP: the losses to beat, and the seconds they may take."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks._adult import adult
from kanon_core.algorithms.base import Run
from kanon_core.algorithms.clustering.refine.refine import refine_ncp
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.base.anytime import Limits
from kanon_core.distances.mixed import unit_columns_of

ADULT = ["age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country"]
PEERS = {
    2: (2.66, "qiyuangong relaxed 3.3 s"),
    5: (3.68, "anonypyx 199 s"),
    10: (6.38, "anonypy 105 s"),
    50: (15.83, "ARX 26 s"),
}
BUDGET = 1.6  # seconds of the search, so that Mondrian and search together stay below 2


def rows() -> Iterator[dict[str, Any]]:
    """One row a measurement: NCP in per cent and wall seconds, warm; the targets are the best published
    tool's loss.

    NCP of an interval is width / range, of a value set (distinct − 1) / (domain − 1). Without KANON_DATA the
    Adult rows are left out.
    """
    folder = os.environ.get("KANON_DATA")
    if folder:
        table = _adult(Path(folder))
        _warm(kc.Table.from_frame(table.frame.head(400), table.schema))
        for k, (peer, who) in PEERS.items():
            yield from _on_adult(table, k, peer, who)
        wide = _adult(Path(folder), extra=["hours-per-week"])
        seconds, ncp, _ = min(_timed(Mondrian(), wide, 5) for _ in range(3))
        yield _row("Mondrian, Adult 30,162 × 9, k = 5", ncp, None, seconds, 0.5, "median")
    large = _made(1_000_000)
    for cut, most in (("median", 4.0), ("gain", 20.0)):
        seconds, ncp, _ = _timed(Mondrian(True, cut), large, 5)
        yield _row("Mondrian, 1,000,000 × 8, k = 5", ncp, None, seconds, most, cut)


def _on_adult(table: kc.Table, k: int, peer: float, who: str) -> Iterator[dict[str, Any]]:
    work = f"Adult 30,162 × 8, k = {k}"
    for strict in (True, False):
        for cut in ("median", "gain"):
            seconds, ncp, _ = min(
                (_timed(Mondrian(strict, cut), table, k) for _ in range(3)), key=lambda run: run[0]
            )
            way = f"{'strict' if strict else 'relaxed'}, {cut}"
            yield _row(f"Mondrian, {work}", ncp, peer, seconds, 2.0, f"{way}; {who}")
    start = time.perf_counter()
    first = Mondrian().cover(table, k, Run()).groups
    _, steps, _, after = refine_ncp(unit_columns_of(table), first, k, limits=Limits(BUDGET))
    seconds = time.perf_counter() - start
    yield _row(f"Mondrian then Refine, {work}", 100 * after, peer, seconds, 2.0, f"{steps} steps; {who}")


def _warm(table: kc.Table) -> None:
    """Load every kernel: both cuts, and a search that goes on until nothing helps any more."""
    for strict in (True, False):
        for cut in ("median", "gain"):
            labels = Mondrian(strict, cut).cover(table, 2, Run()).groups
            refine_ncp(unit_columns_of(table), labels, 2, limits=Limits(60))


def _timed(algorithm: Mondrian, table: kc.Table, k: int) -> tuple[float, float, np.ndarray]:
    unit_columns_of(table)
    start = time.perf_counter()
    labels = algorithm.cover(table, k, Run()).groups
    seconds = time.perf_counter() - start
    return seconds, 100 * refine_ncp(unit_columns_of(table), labels, k, limits=Limits(steps=1))[2], labels


def _adult(folder: Path, extra: Sequence[str] = ()) -> kc.Table:
    return _quasi(adult(folder, [*ADULT, *extra], complete=True), ["age", "education-num", *extra])


def _made(n: int) -> kc.Table:
    """Four numbers and four columns of ten words, unevenly distributed."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.exponential(size=(n, 4)).round(2), columns=list("abcd"))
    for name in "efgh":
        frame[name] = np.array(list("0123456789"))[(rng.random(n) ** 2 * 10).astype(int)]
    return _quasi(frame, list("abcd"))


def _quasi(frame: pd.DataFrame, numbers: list[str]) -> kc.Table:
    kinds = {name: "numeric" if name in numbers else "categorical" for name in frame.columns}
    roles = dict.fromkeys(frame.columns, "quasi_identifier")
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_kinds(kinds).with_roles(roles))


def _row(
    work: str, ours: float, target: float | None, ours_s: float, target_s: float, note: str
) -> dict[str, Any]:
    return {
        "work": work,
        "ours": round(ours, 3),
        "target": target,
        "ours_s": ours_s,
        "target_s": target_s,
        "note": note,
    }


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
