"""What a release over files is measured by: all that is added up over its fragments, or follows from counts
which the audit made of it."""

from __future__ import annotations

import numpy as np

from kanon_core.base.words import tr
from kanon_core.metrics import METRICS, Classification, Measured, Metric
from kanon_core.metrics.privacy.among import Among, OfSizes
from kanon_core.release.recipe import Recipe
from kanon_core.risk.attackers import ATTACKERS, Attacker, Journalist
from kanon_core.risk.measured import AttackerRisk, Risk
from kanon_core.scale.anonymizing.partials import AddedUp, summed_metrics
from kanon_core.scale.auditing.findings import Told, by_classes
from kanon_core.table.attribute import WORD_KINDS


def measures(recipe: Recipe, added: AddedUp, classes: Among, told: Told) -> dict[type[Metric], Measured]:
    """By metric, in menu order, what it measures: those that are added up; and, where records hide in classes
    of equal rows, all that asks only for the sizes of classes, and whose class label the majority of the
    published ones hides, where a sensitive column has labels."""
    guarantee, found = recipe.algorithm.guarantee(recipe.k), dict[type[Metric], Measured]()
    labels = next((a.name for a in recipe.schema.of_role("sensitive") if a.kind in WORD_KINDS), "")
    summed = {
        type(metric): metric.together(added.table, added.of(metric)) for metric in summed_metrics(added.table)
    }
    for cls in METRICS:
        metric, sized = cls(), by_classes(recipe)
        if cls in summed:
            found[cls] = summed[cls]
        elif sized and isinstance(metric, OfSizes):
            found[cls] = Measured(metric.of_sizes(classes), notes=metric.notes_of(guarantee))
        elif sized and isinstance(metric, Classification) and labels:
            found[cls] = Measured(metric.of_most(told.given[labels][0].most, told.records))
    return found


def risks(recipe: Recipe, classes: Among) -> tuple[AttackerRisk, ...]:
    """What each attacker reaches in the release whose risk follows from the sizes of classes; nothing is
    known of the population that the table is from. None where records hide otherwise than in classes of equal
    rows."""
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
