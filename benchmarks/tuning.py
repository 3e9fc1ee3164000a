"""Curves from whole cells: how often the true loss lies within the error, and how far random rows are off.

    python -m benchmarks tuning        needs KANON_DATA; about a minute

Adult and the places of Tokyo are cut once; all cells are tried with every k. Then only the draw is made anew,
each time with another seed. The true loss is that of the whole table on this machine.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from benchmarks._adult import adult
from kanon_core.base.progress import silent
from kanon_core.scale.fragments import first_stages
from kanon_core.scale.fragments.dividing import routed
from kanon_core.scale.fragments.first_stages import JobSpec, begun
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.tuning.tuning import Try, cells_of, curve_of
from kanon_core.scale.work.job import Job
from kanon_core.table.wholecells import places_of
from tests.scale.inside import Inside

KS, CELLS, ROWS, DRAWS, MANY, HELD = (5, 10, 50), 12, 1_000, 50, 4_000, 0.9
QUASI = ("age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country")


@dataclass(frozen=True)
class Cut:
    """A table that was cut to cells, with the mean loss of each, float64 (cells, ks), and the true loss,
    float64 (ks)."""

    tree: Tree
    cells: tuple[int, ...]
    loss: np.ndarray
    true: np.ndarray
    frame: pd.DataFrame

    def drawn(self, seed: int, draws: int = CELLS, rows: int = ROWS) -> tuple[np.ndarray, np.ndarray]:
        """The estimate and the error of one draw, each float64 (ks)."""
        places = places_of(len(self.frame), draws, rows, seed)
        return curve_of(self.tree, self.cells, self.loss, places)


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    """Adult with eight attributes, and where Tokyo's places are."""
    places = pd.read_csv(folder / "location" / "tokyo_nightley_poi_visits_expanded.csv")
    return {"Adult": adult(folder, QUASI), "places": places[["lat", "lon"]]}


def cut(frame: pd.DataFrame, ks: Sequence[int] = KS, rows: int = ROWS) -> Cut:
    """The table in all its cells of at most so many rows."""
    table = kc.Table.from_frame(frame)
    table = table.with_schema(table.schema.with_quasi(list(frame.columns)))
    true = [_loss(table, k) for k in ks]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.parquet"
        frame.to_parquet(file)
        job = Job(Path(folder), Inside(), silent)
        asked_for = JobSpec([str(file)], table.schema, kc.Mondrian(), max(ks), 1, rows)
        by = begun(job, asked_for)
        tree = first_stages.cut(job, by, asked_for)
        cells = cells_of(tree, None)
        work = Try(routed(job, by, tree), kc.Mondrian(), tuple(ks), 1)
        found = list(job.stage("tune", work, cells, ""))
        loss = np.stack([one["loss"] for one in found])
    return Cut(tree, cells, loss, np.array(true), frame)


def _loss(table: kc.Table, k: int) -> float:
    return float(kc.NCP().measure(table, kc.anonymize(table, kc.Mondrian(), k, seed=1)).total)


def covered(made: Cut, draws: int = DRAWS) -> np.ndarray:
    """float64 (ks): the share of draws whose error reaches the true loss."""
    found = (made.drawn(seed) for seed in range(draws))
    held = [np.abs(mean - made.true) <= error for mean, error in found]
    return np.asarray(np.mean(held, axis=0))


def at_random(made: Cut, k: int) -> float:
    """The loss of as many rows as the cells hold, drawn one by one."""
    own = made.frame.sample(CELLS * len(made.frame) // len(made.cells), random_state=1)
    table = kc.Table.from_frame(own.reset_index(drop=True))
    return _loss(table.with_schema(table.schema.with_quasi(list(own.columns))), k)


def rows() -> Iterator[dict[str, Any]]:
    """A row for each table and k."""
    for name, frame in tables(Path(os.environ["KANON_DATA"])).items():
        made = cut(frame)
        whole, _ = curve_of(made.tree, made.cells, made.loss, None)
        drawn, error = made.drawn(0)
        means = np.array([made.drawn(seed)[0] for seed in range(DRAWS)])
        for i, (k, share, of_many) in enumerate(zip(KS, covered(made), covered(made, MANY), strict=True)):
            yield {
                "work": f"{name}, k = {k}: {CELLS} draws of {len(made.cells)} cells",
                "true": f"{made.true[i]:.5f}",
                "all cells": f"{whole[i]:.5f}",
                "one draw": f"{drawn[i]:.5f} ± {error[i]:.5f}",
                "deviation": f"{np.sqrt(((means[:, i] - made.true[i]) ** 2).mean()):.5f}",
                "random rows": f"{at_random(made, k):.5f}",
                "held": f"{share:.0%} of {DRAWS} draws, {of_many:.1%} of {MANY:,}",
                "note": "" if share >= HELD else "misses its goal",
            }
