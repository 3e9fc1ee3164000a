"""Audit of the files of a release: all checks, counts and measures before they are published."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanon_core.base.words import tr
from kanon_core.guarantees import Verdict
from kanon_core.metrics import METRICS, Classification, Measured, Metric
from kanon_core.metrics.privacy.among import Among, OfSizes
from kanon_core.release.recipe import Recipe
from kanon_core.risk.attackers import ATTACKERS, Attacker, Journalist
from kanon_core.risk.measured import AttackerRisk, Risk
from kanon_core.scale.anonymizing.partials import AddedUp, summed_metrics
from kanon_core.scale.auditing.beside import Beside, borne_once
from kanon_core.scale.auditing.classes import (
    Count,
    Judge,
    complete,
    published_names,
    sizes_of,
    summary_of,
    verdicts,
)
from kanon_core.scale.auditing.findings import AuditSummary, Unchanged, by_classes
from kanon_core.scale.auditing.items import items_judged
from kanon_core.scale.auditing.occurring import Together
from kanon_core.scale.fragments.dividing import Divided
from kanon_core.scale.fragments.first_stages import Begun
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result
from kanon_core.table.attribute import WORD_KINDS

Written = tuple[Divided, Sequence[Result], int]
"""The fragments, the result of each, and the number of files that were written."""


def audited(
    job: Job, by: Begun, recipe: Recipe, written: Written, columns: Unchanged
) -> tuple[list[Verdict], tuple[np.ndarray, np.ndarray], AuditSummary]:
    """Return the verdicts, the different sizes of classes with their frequencies, and the other counts."""
    divided, made, files = written
    guarantees, note = recipe.algorithm.guarantees(recipe.k), tr("auditing the release")
    tallied = tuple(one for one in guarantees if one.tallied)
    apart = tuple(one for one in guarantees if one.by_fragment)
    rows = (sum(int(one["rows"]) for one in made), by.whole.records)
    sets, named = columns.counted(*rows), recipe.algorithm.guarantee(recipe.k).pseudonyms
    if named:
        sets = (*sets, Together(tuple(a.name for a in recipe.schema.of_role("person"))))
    read = list(job.stage("tally", Count(by.encoded, recipe.seed, files, sets, named), range(files), note))
    judge = Judge(by.encoded, tallied, files, len(sets), recipe.k)
    found = list(job.stage("audit", judge, range(files), note))
    sizes, judged = sizes_of(found), [made]
    items = items_judged(job, by.encoded, guarantees, recipe.seed, files)
    if apart:
        work = Beside(by.encoded, apart, divided.rows, recipe.seed)
        judged.append(list(job.stage("beside", work, divided.fragments, note)))
    said = [*verdicts(tallied, found), *verdicts(apart, judged[-1])]
    if named:
        said.append(borne_once(sum(int(each["different"][-1]) for each in found), judged[-1]))
    said.append(complete(judged, read, published_names(recipe.schema, named)))
    return [*items, *said], sizes, summary_of(recipe.schema, sets, rows, read, found)


def measures(
    recipe: Recipe, added: AddedUp, classes: Among, summary: AuditSummary
) -> dict[type[Metric], Measured]:
    """Return the results of metrics in menu order: of those that are added up; and, where records hide in
    classes of equal rows, of those that only need the sizes of classes, and of the classification metric
    where a sensitive column has labels."""
    guarantee, found = recipe.algorithm.guarantee(recipe.k), dict[type[Metric], Measured]()
    labels = next((a.name for a in recipe.schema.of_role("sensitive") if a.kind in WORD_KINDS), "")
    summed = {
        type(metric): metric.combined(added.table, added.of(metric)) for metric in summed_metrics(added.table)
    }
    for cls in METRICS:
        metric, sized = cls(), by_classes(recipe)
        if cls in summed:
            found[cls] = summed[cls]
        elif sized and isinstance(metric, OfSizes):
            found[cls] = Measured(metric.of_sizes(classes), notes=metric.notes_of(guarantee))
        elif sized and isinstance(metric, Classification) and labels:
            found[cls] = Measured(metric.of_most(summary.disclosed[labels][0].most, summary.records))
    return found


def risks(recipe: Recipe, classes: Among) -> tuple[AttackerRisk, ...]:
    """Return the risk of each attacker whose risk follows from the sizes of classes, if nothing is known of
    the population that the table is from. None where records hide otherwise than in classes of equal rows."""
    if not by_classes(recipe):
        return ()
    return tuple(found for cls in ATTACKERS if (found := _risk(cls(), recipe, classes)) is not None)


def _risk(attacker: Attacker, recipe: Recipe, classes: Among) -> AttackerRisk | None:
    if isinstance(attacker, Journalist) and recipe.schema.of_role("sampling_weight"):
        return AttackerRisk(attacker, problem=tr("Sampling weights are not read over many files."))
    each = attacker.of_sizes(classes.sizes)
    if each is None:
        return None
    return AttackerRisk(attacker, after=Risk(np.zeros(0), each, classes.records))
