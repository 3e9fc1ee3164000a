"""Many settings of one table, scored one after another, and the questions people ask of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.data.table import Table
from kanon_core.errors import OptionError, UnsuitableError
from kanon_core.metrics import METRICS, Metric
from kanon_core.progress import Tick, silent, stage
from kanon_core.run import anonymize, totals


@dataclass(frozen=True)
class SweepPoint:
    """One finished setting of a sweep: the release's scores by metric name, or why there is none.

    ``settled`` is the algorithm with what the run fixed (the steps a time budget was worth): it repeats the same release.
    """

    algorithm: Algorithm
    k: int
    scores: dict[str, float]
    seconds: float
    problem: str = ""
    settled: Algorithm | None = None


def sweep(
    table: Table,
    algorithms: Sequence[Algorithm],
    ks: Iterable[int],
    metrics: Sequence[Metric] | None = None,
    seed: int = 0,
    progress: Tick | None = None,
) -> Iterator[SweepPoint]:
    """Anonymize with every algorithm at every k and score it; yields each point as it finishes, small and large k mixed.

    The order refines: the ends and the middle of the k range come first, so that the shape of the curves is seen early.
    A setting that does not suit the table yields a point with its ``problem`` instead of scores.
    """
    chosen = tuple(metrics) if metrics is not None else tuple(cls() for cls in METRICS)
    settings = [(algorithm, k) for k in refining(tuple(ks)) for algorithm in algorithms]
    tick = progress or silent
    for done, (algorithm, k) in enumerate(settings):
        part = stage(tick, done / len(settings), (done + 1) / len(settings))
        yield sweep_point(table, algorithm, k, chosen, seed, part)


def sweep_point(
    table: Table,
    algorithm: Algorithm,
    k: int,
    metrics: Sequence[Metric],
    seed: int = 0,
    progress: Tick | None = None,
) -> SweepPoint:
    """One point of a sweep."""
    start = time.perf_counter()
    try:
        release = anonymize(table, algorithm, k, seed, progress)
    except (OptionError, UnsuitableError) as problem:
        return SweepPoint(algorithm, k, {}, time.perf_counter() - start, str(problem))
    seconds = time.perf_counter() - start
    return SweepPoint(
        algorithm, k, totals(table, release, metrics), seconds, settled=release.recipe.algorithm
    )


def refining(ks: Sequence[int]) -> list[int]:
    """The same numbers, ends first, then middles of the remaining gaps (breadth first)."""
    ordered = sorted(set(ks))
    found = ordered[:1] + ordered[1:][-1:]
    gaps = [(0, len(ordered) - 1)]
    while gaps:
        low, high = gaps.pop(0)
        if high - low < 2:
            continue
        middle = (low + high) // 2
        found.append(ordered[middle])
        gaps += [(low, middle), (middle, high)]
    return found


def best_within(points: Iterable[SweepPoint], metric: str, at_most: float) -> SweepPoint | None:
    """The point with the largest k whose metric is at most the bound (ties: smaller metric); None when there is none."""
    fitting = [p for p in points if p.scores.get(metric, np.inf) <= at_most]
    return max(fitting, key=lambda p: (p.k, -p.scores[metric]), default=None)


def best_from(points: Iterable[SweepPoint], metric: str, k_at_least: int) -> SweepPoint | None:
    """The point with the smallest metric among those with k at least the bound (ties: larger k); None when there is none."""
    fitting = [p for p in points if p.k >= k_at_least and metric in p.scores]
    return min(fitting, key=lambda p: (p.scores[metric], -p.k), default=None)
