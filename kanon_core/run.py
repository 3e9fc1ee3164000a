"""The one path: table → cover → release → audit → scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Algorithm, Log, Run
from kanon_core.data.table import Table
from kanon_core.errors import BrokenPromise, OptionError, UnsuitableError
from kanon_core.metrics import METRICS, Measured, Metric
from kanon_core.options import expression
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
    digest = table.find_digest(stage(tick, 0.95, 0.96))
    repeatable = dataclasses.replace(algorithm, **run.settled)
    recipe = Recipe(table.schema, repeatable, k, seed, digest, len(table), table.reading)
    release = Release.of(table, cover, recipe, run.report, stage(tick, 0.96, 0.97))
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


def audit(table: Table, release: Release, known_items: int | None = None) -> tuple[Verdict, ...]:
    """Verdicts on a release, found from its published cells alone; raises RecipeError for another table's release.

    ``known_items``: also kᵐ-anonymity of the item sets for m = 1, 2 or 3 (`KMAnonymity`); raises OptionError for another.
    """
    release.recipe.belongs_to(table.data_digest)
    if release.recipe.schema != table.schema:
        raise RecipeError("The release was made with other roles, kinds or recodings than this table has.")
    return _audit(table, release, known_items=known_items)


def score(
    table: Table, release: Release, metrics: Sequence[Metric] | None = None, progress: Tick | None = None
) -> pd.DataFrame:
    """A tidy frame of scores: columns metric, part ("total", "attribute", "record"), name, value, error, note.

    ``name`` is "" for totals, the column for attributes, the record number from 1 for records. ``error``: the value is right to
    within this much, 95 times in 100, where it comes from a sample; 0 = exact. ``note``, of totals: what is to be known of this very number –
    that it is sampled, or negative, and why –, "" when there is nothing. A metric that does not fit the table has one row, its total: NaN,
    and the note says why. All of `METRICS` when none are named; ``metric`` is the name of the class, with its options where a class is
    asked for more than once.
    """
    chosen = tuple(metrics) if metrics is not None else tuple(cls() for cls in METRICS)
    return frame_of_scores(chosen, measured_by(table, release, chosen, progress or silent))


def frame_of_scores(metrics: Sequence[Metric], found: Iterable[Measured]) -> pd.DataFrame:
    """The frame of `score` for what these metrics found."""
    scored = [_scores(name, measured) for name, measured in zip(_names(metrics), found, strict=True)]
    return pd.concat(scored, ignore_index=True) if scored else _rows("", "total", [], [])


def totals(table: Table, release: Release, metrics: Iterable[Metric]) -> dict[str, float]:
    """The totals alone, by metric class name; NaN where a metric does not fit the table."""
    chosen = tuple(metrics)
    found = measured_by(table, release, chosen)
    return {type(metric).__name__: measured.total for metric, measured in zip(chosen, found, strict=True)}


def measured_by(
    table: Table, release: Release, metrics: Sequence[Metric], tick: Tick = silent
) -> Iterator[Measured]:
    """What each of these metrics finds (`Metric.score`), one after another, with progress."""
    for done, metric in enumerate(metrics):
        yield metric.score(table, release, stage(tick, done / len(metrics), (done + 1) / len(metrics)))


def _names(metrics: Sequence[Metric]) -> list[str]:
    classes = [type(metric).__name__ for metric in metrics]
    pairs = zip(classes, metrics, strict=True)
    return [name if classes.count(name) == 1 else expression(metric) for name, metric in pairs]


def _scores(metric: str, measured: Measured) -> pd.DataFrame:
    each, errors = measured.attributes, measured.attribute_errors
    parts = [_rows(metric, "total", [""], [measured.total], [measured.error], " ".join(measured.notes))]
    if each:
        off = [errors.get(name, 0.0) for name in each]
        parts.append(_rows(metric, "attribute", list(each), list(each.values()), off))
    if measured.records is not None:
        names = [str(i + 1) for i in range(len(measured.records))]
        parts.append(_rows(metric, "record", names, measured.records))
    return pd.concat(parts, ignore_index=True)


def _rows(
    metric: str, part: str, names: list[str], values: object, errors: object = 0.0, note: str = ""
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "metric": metric,
            "part": part,
            "name": pd.Series(names, dtype="str"),
            "value": np.asarray(values, np.float64),
            "error": np.broadcast_to(np.asarray(errors, np.float64), len(names)),
            "note": note,
        }
    )
