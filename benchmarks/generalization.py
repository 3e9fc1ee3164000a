"""The methods that generalize by hierarchies, beside top-down: full domain on Adult; local partition, apriori
and plain suppression on BMS-WebView-2 and receipts.

    python -m benchmarks generalization     needs KANON_DATA for Adult and BMS-WebView-2; takes two minutes

Seconds are wall time of the cover alone; ``whole s`` those of recoding, audit and all. Baskets and receipts
have no hierarchy of items of their own: ten neighbors in the order of their numbers, or names, are a group,
ten groups a group of these. NCP and suppressed items credit a published group by 1 − values below it / all.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kanon_core as kc
from benchmarks._adult import adult
from benchmarks.topdown import medical
from kanon_core.algorithms.base import Run
from kanon_core.papers.itemsets_runs import in_tens

KS = (2, 5, 10, 50)
_HIERARCHIES = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
)


def rows() -> Iterator[dict[str, Any]]:
    """One row a method and k."""
    folder = os.environ.get("KANON_DATA", "")
    if folder:
        yield from _full_domain(census(Path(folder), _HIERARCHIES), "Adult, 32,561 × 8")
        baskets = kc.read_table(Path(folder) / "baskets" / "BMS-WebView-2.fimi.txt")
        name = baskets.schema.names[-1]
        yield from _item_sets(baskets.with_schema(baskets.schema.with_quasi([name])), "BMS-WebView-2")
    receipts = medical(10_000, 169, 5.2021)
    name = receipts.schema.quasi_identifiers[-1].name
    yield from _item_sets(receipts.with_schema(receipts.schema.with_quasi([name])), "receipts, 10,000")


def census(folder: Path, names: tuple[str, ...]) -> kc.Table:
    """Adult, missing values kept, with the hierarchies of ARX."""
    frame = adult(folder, names)
    trees = {}
    for name in names:
        text = (folder / "adult_hierarchies" / f"adult_hierarchy_{name}.csv").read_text("utf-8")
        trees[name] = kc.Hierarchy.of_paths([line.split(";") for line in text.splitlines()])
    schema = kc.Schema.infer(frame).with_kinds(dict.fromkeys(names, "categorical")).with_quasi(list(names))
    return kc.Table.from_frame(frame, schema.with_hierarchies(trees))


def _full_domain(table: kc.Table, work: str) -> Iterator[dict[str, Any]]:
    for k in KS:
        for algorithm in (kc.FullDomain(), kc.FullDomain(max_suppressed=0.05), kc.TopDown(), kc.Mondrian()):
            yield _row(table, algorithm, k, work)


def _item_sets(plain: kc.Table, work: str) -> Iterator[dict[str, Any]]:
    grouped = in_tens(plain)
    for k in KS:
        for algorithm in (kc.TopDown(), kc.RefineSets(), kc.RareItems(), kc.RareItems(known_items=2)):
            yield _row(plain, algorithm, k, work)
        for other in (kc.TopDown(), kc.LocalPartition(), kc.Apriori()):
            yield _row(grouped, other, k, f"{work}, in tens")
        yield _row(plain, kc.TopDown(known_items=2), k, work)


def _row(table: kc.Table, algorithm: kc.Algorithm, k: int, work: str) -> dict[str, Any]:
    run = Run()
    algorithm.cover(table, k, run)  # loads compiled code
    begin = time.perf_counter()
    algorithm.cover(table, k, Run())
    middle = time.perf_counter()
    release = kc.anonymize(table, algorithm, k, seed=0)
    end = time.perf_counter()
    losses = [metric.measure(table, release).total for metric in (kc.NCP(), kc.SuppressedItems())]
    said = f"NCP {100 * losses[0]:.1f} %, {int(release.suppressed.sum()):,} records left out"
    if any(attribute.kind == "items" for attribute in table.schema.quasi_identifiers):
        said = f"NCP {100 * losses[0]:.1f} %, {100 * losses[1]:.1f} % of items suppressed"
    known = getattr(algorithm, "known_items", 0)
    named = type(algorithm).title + (f", {known} known" if known else "")
    if left_out := getattr(algorithm, "max_suppressed", 0):
        named += f", {100 * left_out:g} % left out"
    return {
        "work": f"{work}: {named}, k = {k}",
        "ours_s": middle - begin,
        "whole s": round(end - middle, 3),
        "note": said,
    }


if __name__ == "__main__":
    for row in rows():
        print(row, flush=True)
