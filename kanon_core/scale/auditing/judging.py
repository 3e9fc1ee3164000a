"""All that is checked and counted of the files of a release before they are published."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanon_core.base.words import tr
from kanon_core.guarantees import Verdict
from kanon_core.release.recipe import Recipe
from kanon_core.scale.auditing.beside import Beside
from kanon_core.scale.auditing.classes import (
    Count,
    Judge,
    complete,
    published_names,
    sizes_of,
    told_of,
    verdicts,
)
from kanon_core.scale.auditing.findings import Told, Unchanged
from kanon_core.scale.auditing.items import items_judged
from kanon_core.scale.auditing.pseudonyms import borne_once
from kanon_core.scale.fragments.beginning import Begun
from kanon_core.scale.fragments.dividing import Divided
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result

Written = tuple[Divided, Sequence[Result], int]
"""The fragments, what was made of each, and into how many files."""


def audited(
    job: Job, by: Begun, recipe: Recipe, written: Written, columns: Unchanged
) -> tuple[list[Verdict], tuple[np.ndarray, np.ndarray], Told]:
    """The verdicts, the different sizes of classes and how many have each, and what else was counted."""
    divided, made, files = written
    guarantees, note = recipe.algorithm.guarantees(recipe.k), tr("auditing the release")
    tallied = tuple(one for one in guarantees if one.tallied)
    apart = tuple(one for one in guarantees if one.by_fragment)
    rows = (sum(int(one["rows"]) for one in made), by.whole.records)
    sets = columns.counted(*rows)
    named = recipe.algorithm.guarantee(recipe.k).pseudonyms
    read = list(job.stage("tally", Count(by.encoded, recipe.seed, files, sets, named), range(files), note))
    judge = Judge(by.encoded, tallied, files, len(sets), recipe.k)
    found = list(job.stage("audit", judge, range(files), note))
    sizes, judged = sizes_of(found), [made]
    items = items_judged(job, by.encoded, guarantees, recipe.seed, files, sizes)
    if apart:
        work = Beside(by.encoded, apart, divided.rows, recipe.seed)
        judged.append(list(job.stage("beside", work, divided.fragments, note)))
    names = list(by.whole.counts)
    said = [*verdicts(tallied, found, names), *verdicts(apart, judged[-1])]
    if named:
        said.append(borne_once(job, by.encoded, recipe.seed, files, judged[-1]))
    said.append(complete(judged, read, published_names(recipe.schema, named)))
    return [*items, *said], sizes, told_of(recipe.schema, sets, rows, read, found)
