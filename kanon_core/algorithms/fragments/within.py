"""A sample of whole cells: an algorithm works in each of them, as it would in the whole table."""

from __future__ import annotations

import dataclasses

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.fragments.fragments import cover_of_fragment
from kanon_core.algorithms.fragments.joining import added_up, shown_together
from kanon_core.base.progress import stage
from kanon_core.base.randomness import seed_of
from kanon_core.release.cover import Cover
from kanon_core.table.table import Table


def cover_within(algorithm: Algorithm, table: Table, cell: np.ndarray, k: int, run: Run) -> Cover:
    """The covers of all cells side by side; ``cell``: int64 (n), that of each record. The largest comes
    first: what it settles – the steps that seconds are worth – the others are told. Raises UnsuitableError
    where a cell does not suit the algorithm."""
    order = np.argsort(cell, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(cell))[:-1])
    covers, runs, done = dict[int, Cover](), dict[int, Run](), 0
    for i in sorted(range(len(members)), key=lambda i: -len(members[i])):
        share = done / len(cell), (done + len(members[i])) / len(cell)
        seed = seed_of(run.seed, "" if algorithm.from_the_top else str(i))
        runs[i] = Run(seed, stage(run.tick, *share))
        covers[i] = cover_of_fragment(algorithm, table.part(members[i]), k, runs[i])
        if not done and runs[i].settled:
            run.settled.update(runs[i].settled)
            algorithm = dataclasses.replace(algorithm, **run.settled)
        done += len(members[i])
    each = [runs[i] for i in range(len(members))]
    run.shown.update(shown_together(members, [one.shown for one in each]))
    run.report.update(added_up(one.report for one in each))
    found = covers[0].side_by_side([(records, covers[i]) for i, records in enumerate(members)])
    if run.log is not None:
        for event, what in found.events():
            run.log.write(event, **what)
    return found
