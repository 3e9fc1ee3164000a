"""Top-down over many files, from the first round to the last."""

from __future__ import annotations

import shutil
from itertools import count

from kanon_core.base.words import tr
from kanon_core.scale.fragments.beginning import Begun
from kanon_core.scale.fragments.leaves import Leaves
from kanon_core.scale.fragments.rounds.cutting import Clusters, clusters_of
from kanon_core.scale.fragments.rounds.fragments import Enter, Files, Grouped, Round, Stood, lost_in
from kanon_core.scale.fragments.rounds.losses import together, widest_of
from kanon_core.scale.fragments.rounds.reading import Frame
from kanon_core.scale.passes.asking import asked
from kanon_core.scale.passes.counted import COUNTED
from kanon_core.scale.work.job import Job


def first_rounds(job: Job, by: Begun, frame: Frame, rows: int) -> Clusters:
    """The clusters that one worker can hold, or that cannot be cut."""
    passes = count()
    found = clusters_of(
        lambda tree, questions: asked(job, by.encoded, by.parts, tree, questions, next(passes)), frame, rows
    )
    shutil.rmtree(job.folder / COUNTED, ignore_errors=True)
    return found


def last_rounds(job: Job, rows: Leaves, frame: Frame, begun: Clusters) -> Grouped:
    """The groups of all fragments, which are the tree's leaves.

    A fragment in which the round's attribute is open nowhere is left as it is.
    """
    encoded, algorithm, k, nothing = rows.encoded, frame.algorithm, frame.k, begun.frame.nothing
    tasks = [
        (place, leaf, begun.closed[leaf].tolist(), begun.refused[leaf])
        for place, leaf in enumerate(begun.tree.leaves)
    ]
    entered = job.stage("enter", Enter(rows, algorithm, k), tasks, algorithm.title)
    lost, stood = [lost_in(one) for one in entered], [Stood(0, 0)] * len(tasks)
    for number in count(1):
        a = widest_of(nothing, together(lost), rows.encoded.whole.records)
        if a < 0:
            return Grouped(encoded, tuple(stood))
        places = [place for place, one in enumerate(lost) if one.opened[a] > 0]
        note = tr("round {number}").format(number=number)
        work = Round(encoded, algorithm, k, number, a)
        found = job.stage("rounds", work, [(place, stood[place]) for place in places], note, number)
        for place, one in zip(places, found, strict=True):
            now = Stood(number, int(one["rows"]))
            Files(encoded.folder, place).forget(stood[place], now)
            lost[place], stood[place] = lost_in(one), now
    raise AssertionError  # pragma: no cover - counts have no end
