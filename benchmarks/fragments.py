"""Cost and gain of covering a table by fragments: loss and seconds of the whole and of 2 and 12 fragments,
side by side.

``ncp`` and ``ssdm`` (squared distances to centers, which MDAV and V-MDAV keep small) are per cent of the most
that can be lost; ``more`` and ``more_ssdm``: by how many per cent they are above those of the whole. Seconds
are wall time of one run with its audit. With KANON_DATA the table is Adult, 20,000 of its complete records
with 8 quasi-identifiers; without, the sample of 5,000 people. A larger table that is made up shows the time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks._adult import adult
from kanon_core.algorithms.fragments.cutting import cut_table
from kanon_core.runs.run import totals

ADULT = ["age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country"]
K = 10
FRAGMENTS = (2, 12)
FEW = 4_000  # records for k-concealment, whose methods compare all pairs


def rows() -> Iterator[dict[str, Any]]:
    """The rows as they finish."""
    name, table = chosen()
    few = kc.Table.from_frame(table.frame.iloc[:FEW], table.schema)
    inners: tuple[kc.Algorithm, ...] = (kc.MDAV(), kc.VMDAV(), kc.TopDown())
    todo = [(inner, name, table) for inner in inners]
    todo += [(kc.OptimalConcealment(), name, few), (kc.MDAV(), "made up", made_up(200_000))]
    for inner, what, records in todo:
        kc.anonymize(kc.Table.from_frame(few.frame[:400], few.schema), kc.Fragments(inner, 150), K)  # loads
        whole = Cost(records, kc.Fragments(inner, len(records)))
        for cost in (whole, *(Cost(records, kc.Fragments(inner, rows_for(records, n))) for n in FRAGMENTS)):
            work = f"{inner.title}, {what} {len(records):,} × {len(records.quasi)}, k = {K}"
            yield {
                "work": f"{work}, {cost.fragments} fragment{'s' if cost.fragments > 1 else ''}",
                "ours_s": cost.seconds,
                "ncp": round(100 * cost.ncp, 2),
                "more": round(100 * (cost.ncp / whole.ncp - 1), 1),
                "ssdm": round(100 * cost.ssdm, 2),
                "more_ssdm": round(100 * (cost.ssdm / whole.ssdm - 1), 1),
            }


def made_up(n: int) -> kc.Table:
    """Four numbers and four columns of ten words, unevenly distributed."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.exponential(size=(n, 4)).round(2), columns=list("abcd"))
    for name in "efgh":
        frame[name] = np.array(list("0123456789"))[(rng.random(n) ** 2 * 10).astype(int)]
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(list(frame.columns)))


def rows_for(table: kc.Table, wanted: int) -> int:
    """The most records of a fragment with which there are at least so many."""
    rows = len(table)
    while len(cut_table(table, K, rows).fragments) < wanted:
        rows = int(rows * 0.97)
    return rows


class Cost:
    """One release: NCP and SSDM (0..1), seconds and the number of fragments."""

    def __init__(self, table: kc.Table, algorithm: kc.Fragments) -> None:
        begun = time.perf_counter()
        release = kc.anonymize(table, algorithm, K, seed=1)
        self.seconds = time.perf_counter() - begun
        self.fragments = int(release.report["fragments"])
        found = totals(table, release, [kc.NCP(), kc.ILSSDM()])
        self.ncp, self.ssdm = found["NCP"], found["ILSSDM"]


def chosen() -> tuple[str, kc.Table]:
    """The table and its name."""
    folder = os.environ.get("KANON_DATA")
    if not folder:
        return "people", kc.read_table("sample:people-5000")
    frame = adult(Path(folder), ADULT, complete=True).iloc[:20_000]
    kinds = {name: "numeric" if name in ("age", "education-num") else "categorical" for name in ADULT}
    return "Adult", kc.Table.from_frame(frame, kc.Schema.infer(frame).with_kinds(kinds).with_quasi(ADULT))


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
