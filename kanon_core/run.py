"""The one path: table → cover → release → audit → scores."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Algorithm, Log, Run
from kanon_core.data.table import Table
from kanon_core.errors import BrokenPromise, OptionError, UnsuitableError
from kanon_core.metrics import METRICS, Metric
from kanon_core.progress import Tick, silent, stage
from kanon_core.promises import Verdict
from kanon_core.promises import audit as _audit
from kanon_core.recipe import Recipe, RecipeError, check_k, check_seed
from kanon_core.release import Release


def anonymize(
    table: Table,
    algorithm: Algorithm,
    k: int,
    seed: int = 0,
    progress: Tick | None = None,
    log: Log | None = None,
) -> Release:
    """The audited release of a table by an algorithm.

    Same table, algorithm, k and seed give the same bytes. ``progress(fraction, note)`` is called at least every 0.2 s
    of long work; whatever it raises stops the work. ``log`` receives the algorithm's decisions.

    Raises OptionError (k, seed), UnsuitableError (why the algorithm cannot work here), BrokenPromise (the release does
    not keep what the algorithm promises: a defect, never shown).
    """
    if not isinstance(algorithm, Algorithm):
        raise OptionError("The algorithm must be an object such as MDAV() or VMDAV(gamma=0.2).")
    k, seed, tick = check_k(k), check_seed(seed), progress or silent
    reasons = algorithm.unsuitable(table, k)
    if reasons:
        raise UnsuitableError(" ".join(reasons))
    run = Run(seed, stage(tick, 0, 0.95), log)
    tick(0.0, algorithm.title)
    cover = algorithm.cover(table, k, run)
    tick(0.95, "recoding and audit")
    repeatable = dataclasses.replace(algorithm, **run.settled)
    recipe = Recipe(table.schema, repeatable, k, seed, table.data_digest, len(table), table.reading)
    release = Release.of(table, cover, recipe, run.report)
    broken = [verdict for verdict in _audit(table, release) if not verdict.holds]
    if broken:
        raise BrokenPromise(
            f"{algorithm.title} did not keep its promise of {broken[0].promise}: {broken[0].sentence}"
        )
    tick(1.0, "done")
    return release


def repeat(table: Table, recipe: Recipe, progress: Tick | None = None) -> Release:
    """The release a recipe describes, from the same data; raises RecipeError when the data differ."""
    table = table.with_schema(recipe.schema)
    recipe.belongs_to(table.data_digest)
    return anonymize(table, recipe.algorithm, recipe.k, recipe.seed, progress)


def audit(table: Table, release: Release) -> tuple[Verdict, ...]:
    """Verdicts on a release, found from its published cells alone; raises RecipeError for another table's release."""
    release.recipe.belongs_to(table.data_digest)
    if release.recipe.schema != table.schema:
        raise RecipeError("The release was made with other roles, kinds or recodings than this table has.")
    return _audit(table, release)


def score(table: Table, release: Release, metrics: Sequence[Metric] | None = None) -> pd.DataFrame:
    """A tidy frame of scores: columns metric, part ("total", "attribute", "record"), name, value.

    ``name`` is "" for totals, the column for attributes, the record number from 1 for records. All metrics when none are named.
    """
    rows: list[pd.DataFrame] = []
    for metric in metrics if metrics is not None else [cls() for cls in METRICS]:
        measured = metric.measure(table, release)
        title = type(metric).__name__
        rows.append(_scores(title, "total", [""], [measured.total]))
        if measured.attributes:
            rows.append(
                _scores(title, "attribute", list(measured.attributes), list(measured.attributes.values()))
            )
        if measured.records is not None:
            names = [str(i + 1) for i in range(len(measured.records))]
            rows.append(_scores(title, "record", names, measured.records))
    return pd.concat(rows, ignore_index=True) if rows else _scores("", "total", [], [])


def totals(table: Table, release: Release, metrics: Iterable[Metric]) -> dict[str, float]:
    """The totals alone, by metric class name."""
    return {type(metric).__name__: metric.measure(table, release).total for metric in metrics}


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


def _scores(metric: str, part: str, names: list[str], values: object) -> pd.DataFrame:
    frame = pd.DataFrame({"name": names, "value": np.asarray(values, np.float64)})
    frame.insert(0, "part", part)
    frame.insert(0, "metric", metric)
    return frame
