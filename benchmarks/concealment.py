"""How fast the heuristics of complete k-concealment are, and what they cost: speed, and the paper's table 9.

    python -m benchmarks concealment          needs KANON_DATA for table 9

Seconds are processor time of this process, the least of three runs, the kernels loaded beforehand.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kanon_core as kc
from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.concealment.clustered import Clustered
from kanon_core.algorithms.concealment.lottery import Lottery
from kanon_core.algorithms.concealment.tour_heuristics import HEURISTICS, Cities
from kanon_core.algorithms.concealment.tours import Tours

TABLE_9 = {
    2: (5535.23, 1819.31, 1683.76, 1718.13),
    3: (11066.13, 4083.07, 3367.52, 3443.10),
    4: (16600.02, 7413.35, 5416.70, 5656.75),
    5: (22153.13, 10041.37, 7465.88, 7858.74),
    6: (27682.26, 12741.39, 9718.28, 10364.58),
    7: (33205.50, 15973.04, 11970.68, 12826.53),
}
METHODS: dict[str, Algorithm] = {
    "lottery, t = 10,000": Lottery(),
    "clustered lottery": Clustered(),
    "tours": Tours(),
    "clustered tours": Clustered(inner=Tours()),
}
LOTTERY = Lottery(draws=100_000)
RUNS = 3


def rows() -> Iterator[dict[str, Any]]:
    """The rows as they finish: about two minutes."""
    distances = made_up(1_000)
    cities = Cities(distances, np.arange(1_000))
    for name, heuristic in HEURISTICS.items():
        seconds = least(partial(heuristic, cities, lambda: None))
        peer = {"peer": "R package TSP", "peer_s": 11.0} if name == "cheapest insertion" else {}
        yield {"work": f"{name}, n = 1,000", "ours_s": seconds, **peer}
    every = least(lambda: Tours().matchings(distances, 2, Run(), np.random.default_rng(0)))
    yield {"work": "the nine tours, n = 1,000", "ours_s": every, "target_s": 4.0}
    small = made_up(100)
    for k in (2, 3, 7):
        seconds = least(partial(lottery, small, k))
        target = {"target_s": 2.0} if k == 2 else {}
        yield {"work": f"lottery, n = 100, t = 100,000, k = {k}", "ours_s": seconds, **target}
    folder = os.environ.get("KANON_DATA", "")
    yield from table_9(adult(Path(folder))) if folder else ()


def lottery(distances: np.ndarray, k: int) -> np.ndarray:
    """The matchings of 100,000 draws each."""
    return LOTTERY.matchings(distances, k, Run(), np.random.default_rng(0))


def table_9(table: kc.Table) -> Iterator[dict[str, Any]]:
    """Costs on 1,000 random records beside the paper's, which are of another sample."""
    for k, printed in TABLE_9.items():
        for (name, algorithm), paper in zip(METHODS.items(), printed, strict=True):
            run, begin = Run(), time.process_time()
            algorithm.cover(table, k, run)
            yield {
                "work": f"Adult, n = 1,000, k = {k}: {name}",
                "ours_s": time.process_time() - begin,
                "cost": round(run.report["cost"], 2),
                "paper": paper,
                "cost / paper": round(run.report["cost"] / paper, 3),
                "note": f"{run.report['dead ends']:.0f} dead ends" if run.report["dead ends"] else "",
            }


def adult(folder: Path) -> kc.Table:
    """1,000 random records of Adult with all 15 attributes."""
    path = folder / "adult" / "adult.data"
    frame = pd.read_csv(path, header=None, skipinitialspace=True, keep_default_na=False)
    frame = frame.sample(1_000, random_state=1).reset_index(drop=True)
    names = [f"a{i}" for i in range(15)]
    frame.columns = pd.Index(names)
    kinds = {name: "numeric" if frame[name].dtype.kind == "i" else "categorical" for name in names}
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(names, "quasi_identifier"))
    return kc.Table.from_frame(frame, schema.with_kinds(kinds))


def made_up(n: int) -> np.ndarray:
    """Distances of definition 2.2 between random records of 6 numbers and 9 categories, as many as Adult has."""
    rng = np.random.default_rng(0)
    numbers, words = rng.random((n, 6)), rng.geometric(0.4, (n, 9))
    distances = np.zeros((n, n))
    for column in numbers.T:
        distances += np.abs(column[:, None] - column)
    for column in words.T:
        distances += column[:, None] != column
    return distances


def least(work: Callable[[], Any]) -> float:
    """The least processor time of three runs, after one that loads the kernels."""
    work()
    seconds = []
    for _ in range(RUNS):
        begin = time.process_time()
        work()
        seconds.append(time.process_time() - begin)
    return min(seconds)
