"""The cuts that Mondrian made, and those that it tried and rejected, as events of a log.

A run stores only its cuts. For a log, the same loops repeat the run part by part, with one attribute at a
time, and so find the rejected cuts. Cost: several runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.base.compiled import uncompiled
from kanon_core.base.words import tr

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import Records, Work
    from kanon_core.algorithms.partitioning.mondrian_kernels import Limits


def write(run: Run, names: list[str], records: Records, done: Work, again: Work, limits: Limits) -> None:
    """Log a finished run: for each part that was cut, the events ``part`` (records, columns, extents),
    ``tried`` and ``cut``; then, for each other part, ``part``, ``tried`` and ``group``.

    ``names``: the attributes, numbers first; ``done``: the work of the run; ``again``: new work.
    """
    from kanon_core.algorithms.partitioning import mondrian_kernels as kernels

    assert run.log is not None
    with uncompiled(True):
        for attribute, start, middle, end in done.cuts[: done.made[2]].tolist():
            part = again.order[start:end]
            _write_part(run, names, records, again, limits, part)
            kernels.cut(records, again, limits, part)
            left, right = (np.sort(done.order[a:b]) for a, b in ((start, middle), (middle, end)))
            run.log.write("cut", column=names[attribute], left=left, right=right)
        for start, end in done.done[: done.made[1]].tolist():
            _write_part(run, names, records, again, limits, again.order[start:end])
            run.log.write("group", members=np.sort(done.order[start:end]))


def _write_part(
    run: Run, names: list[str], records: Records, work: Work, limits: Limits, part: np.ndarray
) -> None:
    from kanon_core.algorithms.partitioning import mondrian_kernels as kernels

    assert run.log is not None
    run.tick(None, tr("logging the cuts"))
    extents = np.empty(len(names))
    kernels.extents(records, work, part, extents)
    run.log.write("part", records=np.sort(part), columns=names, extents=extents)
    for tried in attempts(records, work, limits, part, extents):
        run.log.write("tried", **{**tried, "column": names[tried["column"]]})


def attempts(
    records: Records, work: Work, limits: Limits, part: np.ndarray, extents: np.ndarray
) -> Iterator[dict[str, Any]]:
    """Yield the attempts to cut a part of these ``extents``, the weighted NCP in each attribute: the widest
    first, none of extent 0, and none in a part of fewer than 2k records.

    ``column``: the attribute's number; ``left``, ``right``: the numbers of records on both sides of its cut,
    0 and 0 if no cut leaves k on both; ``allowed``: whether a cut also keeps the rule on sensitive values;
    ``loss``: Σ over both sides of records times NCP after the cut. The median makes the first allowed cut.
    """
    from kanon_core.base.sorting_kernels import order

    if part.size < 2 * limits.k:
        return
    bare = limits._replace(rule=limits.rule._replace(active=False))
    for attribute in order(-extents).tolist():
        if extents[attribute] <= 0:
            return
        left, right, loss = _sides(records, work, bare, part, attribute)
        allowed = left > 0 and _sides(records, work, limits, part, attribute)[0] > 0
        yield {"column": attribute, "left": left, "right": right, "allowed": allowed, "loss": loss}
        if allowed and not limits.gain:
            return


def _sides(
    records: Records, work: Work, limits: Limits, part: np.ndarray, attribute: int
) -> tuple[int, int, float]:
    """Return the sizes of both sides of the cut in one attribute, and the loss after it."""
    from kanon_core.algorithms.partitioning import mondrian_kernels as kernels
    from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import divide, sort_keys

    only = np.zeros(records.width.size + records.step.size)
    only[attribute] = 1.0
    stride = max(1, part.size // kernels.SAMPLE) if limits.gain else 1
    for every in dict.fromkeys((stride, 1)):
        found, edge, same = kernels.choose(records, work, limits, part, only, every)
        if found < 0:
            continue
        both = part.copy()
        left = divide(both, sort_keys(records, work, part, attribute), edge, same)
        if limits.k <= left <= part.size - limits.k:
            return left, part.size - left, sum(_loss(records, work, side) for side in np.split(both, [left]))
    return 0, 0, float("inf")


def _loss(records: Records, work: Work, part: np.ndarray) -> float:
    from kanon_core.algorithms.partitioning import mondrian_kernels as kernels

    wide = np.empty(records.width.size + records.step.size)
    kernels.extents(records, work, part, wide)
    return float(part.size * wide.sum())
