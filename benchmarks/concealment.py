"""Speed of the heuristics of complete k-concealment; their loss is told by ``python -m kanon_core reproduce
concealment``.

Seconds are processor time of this process, the least of three runs, the kernels loaded beforehand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.concealment.lottery import Lottery
from kanon_core.algorithms.concealment.tours.heuristics import HEURISTICS, Cities
from kanon_core.algorithms.concealment.tours.tours import Tours

LOTTERY = Lottery(draws=100_000)
RUNS = 3


def rows() -> Iterator[dict[str, Any]]:
    """The rows as they finish."""
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


def lottery(distances: np.ndarray, k: int) -> np.ndarray:
    """The matchings of 100,000 draws each."""
    return LOTTERY.matchings(distances, k, Run(), np.random.default_rng(0))


def made_up(n: int) -> np.ndarray:
    """Distances of definition 2.2 between random records of 6 numbers and 9 categories, as many as Adult
    has."""
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
