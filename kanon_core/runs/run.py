"""The path of a release: table → cover → release → audit → scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Algorithm, Log, Run
from kanon_core.algorithms.fragments.fragments import cover_within
from kanon_core.base.compiled import SMALL, uncompiled
from kanon_core.base.errors import BrokenPromise, OptionError, UnsuitableError
from kanon_core.base.options import expression
from kanon_core.base.progress import Tick, silent, stage, stages
from kanon_core.base.randomness import secret_seed, subkey
from kanon_core.base.words import tr
from kanon_core.covers.cover import Cover
from kanon_core.guarantees import ALWAYS, Guarantee, KMAnonymity, Verdict
from kanon_core.metrics import METRICS, Measured, Metric
from kanon_core.release.recipe import Recipe, check_k, check_seed, digest_for
from kanon_core.release.release import Release
from kanon_core.table.table import Table


def anonymize(
    table: Table,
    algorithm: Algorithm,
    k: int,
    seed: int | None = None,
    progress: Tick | None = None,
    log: Log | None = None,
) -> Release:
    """Return the audited release of a table by an algorithm.

    Same table, algorithm, k and seed give the same bytes (docs/how-to/report.md lists the machines); without
    a seed a secret one is drawn and kept in ``release.recipe``: an attacker who knows the seed and the data
    can run the release again. ``progress(fraction, note)`` is called at least every 0.2 s of long work;
    whatever it raises stops the work. ``log`` receives the algorithm's decisions.

    Raises OptionError (k, seed), UnsuitableError (why the algorithm cannot work here), BrokenPromise (the
    release does not keep what the algorithm guarantees: a defect, never shown).

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table("sample:people-100"), kc.Sorting(), k=5, seed=1)
    >>> len(release.cover.sizes), release.recipe.seed
    (20, 1)
    """
    if not isinstance(algorithm, Algorithm):
        raise OptionError(tr("The algorithm must be an object such as MDAV() or VMDAV(gamma=0.2)."))
    k, tick = check_k(k, algorithm.promises), progress or silent
    seed = check_seed(secret_seed() if seed is None else seed)
    reasons = algorithm.unsuitable(table, k)
    if reasons:
        raise UnsuitableError(" ".join(reasons))
    with uncompiled(len(table) <= SMALL):
        run = Run(subkey(seed, "algorithm"), stage(tick, 0, 0.95), log)
        return _audited(table, algorithm, k, run, seed, tick)


def _audited(table: Table, algorithm: Algorithm, k: int, run: Run, seed: int, tick: Tick) -> Release:
    tick(0.0, algorithm.title)
    cover = _covered(table, algorithm, k, run, seed)
    digest = digest_for(table, algorithm, stage(tick, 0.95, 0.96))
    repeatable = dataclasses.replace(algorithm, **run.settled)
    recipe = Recipe(
        table.schema, repeatable, k, seed, digest, len(table), table.reading, given_order=table.given_order
    )
    release = Release.of(table, cover, recipe, run.report, stage(tick, 0.96, 0.97), run.shown)
    release.guarantee.prepare(release, stage(tick, 0.97, 0.98))
    verdicts = tuple(_checked(table, release, (), stage(tick, 0.98, 1)))
    if broken := [verdict for verdict in verdicts if not verdict.holds]:
        raise BrokenPromise(
            tr("{title} did not keep its guarantee of {guarantee}: {sentence}").format(
                title=algorithm.title, guarantee=broken[0].guarantee, sentence=broken[0].sentence
            )
        )
    release.__dict__["verdicts"] = verdicts
    tick(1.0, "done")
    return release


def _covered(table: Table, algorithm: Algorithm, k: int, run: Run, seed: int) -> Cover:
    """Return the cover of a table; the order of the records in the file does not shape the order in which the
    algorithm sees them."""
    seen, records = table.ordered(seed)
    if run.log is not None:
        run.log.records = records
    if table.whole_cells is None:
        cover = algorithm.cover(seen, k, run)
    else:
        cover = cover_within(algorithm, seen, table.whole_cells.cell[records], k, run)
    for name, column in run.shown.items():
        cell = np.empty_like(column.cell)
        cell[records] = column.cell
        run.shown[name] = dataclasses.replace(column, cell=cell)
    return cover.renumbered(records)


def repeat(table: Table, recipe: Recipe, progress: Tick | None = None) -> Release:
    """Return the release a recipe describes, from the same data; raises RecipeError when the data differ.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> release = kc.anonymize(table, kc.Sorting(), k=5)
    >>> kc.repeat(table, release.recipe).publish().equals(release.publish())
    True
    """
    table = dataclasses.replace(table.with_schema(recipe.schema), given_order=recipe.given_order)
    recipe.belongs_to(recipe.digest_of(table, stage(progress or silent, 0, 0)))
    return anonymize(table, recipe.algorithm, recipe.k, recipe.seed, progress)


def audit(
    table: Table,
    release: Release,
    known_items: int | None = None,
    guarantees: Sequence[Guarantee] = (),
    progress: Tick | None = None,
) -> tuple[Verdict, ...]:
    """Return verdicts on a release, computed from the published data alone: on the guarantees of its
    algorithm, the truth of cells, the publication of columns as agreed, and then on each of these further
    ``guarantees``.

    ``known_items``: also kᵐ-anonymity of the item sets for m = 1 … 8 (`KMAnonymity`). Raises RecipeError for
    another table's release, OptionError for another m, UnsuitableError with the reasons if a guarantee does
    not apply to this table.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> release = kc.anonymize(table, kc.Sorting(), k=5, seed=1)
    >>> [verdict.holds for verdict in kc.audit(table, release)]
    [True, True, True]
    """
    release.recipe.check_table(table)
    more = tuple(guarantees) + (() if known_items is None else (KMAnonymity(release.recipe.k, known_items),))
    reasons = [reason for guarantee in more for reason in guarantee.unsuitable(table)]
    if reasons:
        raise UnsuitableError(" ".join(dict.fromkeys(reasons)))
    with uncompiled(len(table) <= SMALL):
        return tuple(_checked(table, release, more, progress or silent))


def _checked(
    table: Table, release: Release, more: Sequence[Guarantee], tick: Tick = silent
) -> Iterator[Verdict]:
    """Yield the verdicts, with a tick before each check."""
    guarantees = (*release.guarantees, *ALWAYS, *more)
    for part, guarantee in stages(tick, guarantees):
        part(0.0, tr("audit: {name}").format(name=guarantee.name))
        yield guarantee.check(table, release, part)


def score(
    table: Table, release: Release, metrics: Sequence[Metric] | None = None, progress: Tick | None = None
) -> pd.DataFrame:
    """Return a tidy frame of scores: columns metric, part ("total", "attribute", "record"), name, value,
    error, note.

    ``name`` is "" for totals, the column for attributes, the record number from 1 for records. ``error``: the
    half-width of the 95 % interval of a value from a sample; 0 = exact. ``note``, for totals: a remark on
    this number, such as that it is sampled, or why it is negative; "" without a remark. A metric that does
    not fit the table has one row, its total: NaN, and the note says why. All of `METRICS` when none are
    named; ``metric`` is the name of the class, with its options where a class is asked for more than once.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> frame = kc.score(table, kc.anonymize(table, kc.Sorting(), k=5, seed=1), [kc.AchievedK()])
    >>> frame.loc[frame["part"] == "total", ["metric", "value"]].values.tolist()
    [['AchievedK', 5.0]]
    """
    chosen = tuple(metrics) if metrics is not None else tuple(cls() for cls in METRICS)
    return frame_of_scores(chosen, measured_by(table, release, chosen, progress or silent))


def frame_of_scores(metrics: Sequence[Metric], results: Iterable[Measured]) -> pd.DataFrame:
    """Return the frame of `score` for the results of these metrics."""
    blocks: list[_Block] = []
    for title, measured in zip(_names(metrics), results, strict=True):
        blocks += _blocks(title, measured)
    which = np.repeat(np.arange(len(blocks)), [len(block.values) for block in blocks])
    records = max((len(block.values) for block in blocks if block.part == "record"), default=0)
    numbers = pd.Series(np.arange(1, records + 1).astype(str), dtype="str")
    names = [
        numbers[: len(b.values)] if b.part == "record" else pd.Series(b.names, dtype="str") for b in blocks
    ]
    return pd.DataFrame(
        {
            "metric": _texts([block.metric for block in blocks], which),
            "part": _texts([block.part for block in blocks], which),
            "name": pd.concat(names, ignore_index=True) if names else _texts([], which),
            "value": np.concatenate([np.zeros(0), *(block.values for block in blocks)]),
            "error": np.concatenate([np.zeros(0), *(block.errors for block in blocks)]),
            "note": _texts([block.note for block in blocks], which),
        }
    )


def totals(table: Table, release: Release, metrics: Iterable[Metric]) -> dict[str, float]:
    """Return the totals alone, by metric class name; NaN where a metric does not fit the table.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> totals(table, kc.anonymize(table, kc.Sorting(), k=5, seed=1), [kc.AchievedK(), kc.WorstRisk()])
    {'AchievedK': 5.0, 'WorstRisk': 0.2}
    """
    chosen = tuple(metrics)
    found = measured_by(table, release, chosen)
    return {type(metric).__name__: measured.total for metric, measured in zip(chosen, found, strict=True)}


def measured_by(
    table: Table, release: Release, metrics: Sequence[Metric], tick: Tick = silent
) -> Iterator[Measured]:
    """Yield the result of each metric (`Metric.score`), with progress."""
    for part, metric in stages(tick, metrics):
        with uncompiled(len(table) <= SMALL):
            found = metric.score(table, release, part)
        yield found


def _names(metrics: Sequence[Metric]) -> list[str]:
    classes = [type(metric).__name__ for metric in metrics]
    pairs = zip(classes, metrics, strict=True)
    return [name if classes.count(name) == 1 else expression(metric) for name, metric in pairs]


class _Block(NamedTuple):
    """Rows of one metric and one part; ``names`` of records are their numbers, and left out."""

    metric: str
    part: str
    names: list[str]
    values: np.ndarray
    errors: np.ndarray
    note: str = ""


def _blocks(metric: str, measured: Measured) -> Iterator[_Block]:
    total, error = np.array([measured.total]), np.array([measured.error])
    yield _Block(metric, "total", [""], total, error, " ".join(measured.notes))
    if each := measured.attributes:
        errors = [measured.attribute_errors.get(name, 0.0) for name in each]
        yield _Block(metric, "attribute", list(each), np.array(list(each.values())), np.array(errors))
    if (records := measured.records) is not None:
        yield _Block(metric, "record", [], records, np.zeros(len(records)))


def _texts(values: list[str], which: np.ndarray) -> Any:
    return pd.array(values, dtype="str").take(which)
