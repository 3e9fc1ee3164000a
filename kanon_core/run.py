"""The one path: table → cover → release → audit → scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

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
    tick(0.95, "digest of the data")
    repeatable = dataclasses.replace(algorithm, **run.settled)
    recipe = Recipe(table.schema, repeatable, k, seed, table.data_digest, len(table), table.reading)
    release = Release.of(table, cover, recipe, run.report, stage(tick, 0.95, 0.97))
    if algorithm.promises == "KConcealment":
        release.consistency(stage(tick, 0.97, 0.98))
    broken = [verdict for verdict in _audit(table, release, stage(tick, 0.98, 1)) if not verdict.holds]
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


def _scores(metric: str, part: str, names: list[str], values: object) -> pd.DataFrame:
    frame = pd.DataFrame({"name": names, "value": np.asarray(values, np.float64)})
    frame.insert(0, "part", part)
    frame.insert(0, "metric", metric)
    return frame
