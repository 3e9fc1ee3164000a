"""Purchase histories: releases, a sweep and attacks, and what our variant leaves out and loses beside the
paper's method.

The contest's file and UCI's Online Retail need KANON_DATA, the folder of real data; without it our own sample
stands in for the first. Kernels are warm. ``ours`` is grouping "similar" with pairing "assignment".
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks._timing import measured
from kanon_core.algorithms.histories.purchases import PurchaseHistories
from kanon_core.metrics import PurchaseTotal, PurchaseUtility
from kanon_core.risk import ATTACKS, BestGuess, reidentify
from kanon_core.runs.run import anonymize
from kanon_core.runs.sweeps import sweep
from kanon_core.table.reading import read_table
from kanon_core.table.table import Table

PAPER, OURS = PurchaseHistories(), PurchaseHistories(grouping="similar", pairing="assignment")
COMPARED = (2, 3, 5, 6, 10, 20)


def rows() -> Iterator[dict[str, Any]]:
    """The rows as they finish."""
    folder = Path(os.environ.get("KANON_DATA", ""), "retail")
    given = (folder / "pwscup2018_T.csv").is_file()
    table = read_table(folder / "pwscup2018_T.csv" if given else "sample:purchases-80000")
    small = table.frame.head(2_000)
    warm = Table.from_frame(small, table.schema)
    reidentify(warm, anonymize(warm, OURS, 3, seed=0), BestGuess())
    what = f"{len(table):,} purchases"
    for k in (5, 6):
        row = measured(functools.partial(anonymize, table, PAPER, k), 3)
        yield row | {"work": f"the paper's method with audit, {what}, k = {k}", "target_s": 1.0}
    row = measured(functools.partial(anonymize, table, OURS, 6), 2)
    yield row | {"work": f"ours with audit, {what}, k = 6"}
    metrics = [PurchaseUtility(), PurchaseTotal()]
    row = measured(lambda: list(sweep(table, [PAPER], range(2, 21), metrics, seed=0)), 1)
    yield row | {"work": f"sweep k = 2 … 20 with utility and total, {what}", "target_s": 15.0}
    release = anonymize(table, PAPER, 6, seed=0)
    for attack in ATTACKS:
        row = measured(functools.partial(reidentify, table, release, attack()), 2)
        yield row | {"work": f"attack “{attack.title}”, {what}, k = 6", "target_s": 10.0}
    yield from compared(table)
    if given:
        retail = read_table(folder / "online_retail.csv.gz")
        row = measured(functools.partial(anonymize, retail, PAPER, 6), 3)
        yield row | {"work": f"the paper's method with audit, {len(retail):,} rows, k = 6", "target_s": 5.0}


def compared(table: Table) -> Iterator[dict[str, Any]]:
    """Rows left out and utility of both methods, and the fewest rows that whole histories can leave out."""
    for k in COMPARED:
        lost, utility = [], []
        for algorithm in (PAPER, PurchaseHistories(grouping="fewest"), OURS):
            release = anonymize(table, algorithm, k, seed=0)
            lost.append(int(release.suppressed.sum()))
            utility.append(PurchaseUtility().measure(table, release).total)
        note = (
            f"rows left out {lost[0]:,} → {lost[2]:,} ({100 * (1 - lost[2] / lost[0]):.0f} % fewer; whole"
            f" histories at least {lost[1]:,}), U {utility[0]:.4f} → {utility[2]:.4f},"
            f" {len(release.bearers):,} pseudonyms"
        )
        yield {"work": f"paper → ours, k = {k}", "note": note}
