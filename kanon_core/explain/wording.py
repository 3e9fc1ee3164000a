"""What the sentences of several narrations share: names of records, and stories that are not too long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from kanon_core.base.words import tr, tr_n
from kanon_core.charts.canvas.theme import listed
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step

STEPS_AT_MOST = 150
"""Of more steps nobody sees the whole."""

_NAMED = 12


def named(run: Logged, records: np.ndarray) -> str:
    """``record 7``, ``records 2, 5–9 and 12``; of many the first, and how many others there are."""
    numbers = np.sort(run.records[records]) + 1
    if len(numbers) == 1:
        return tr("record {number}").format(number=numbers[0])
    runs = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
    if len(runs) > _NAMED:
        others = int(sum(map(len, runs[_NAMED - 1 :])))
        text = tr("{numbers} and {count} others").format(
            numbers=", ".join(_texts(runs[: _NAMED - 1])), count=others
        )
    else:
        text = listed(_texts(runs))
    return tr("records {numbers}").format(numbers=text)


def _texts(runs: Sequence[np.ndarray]) -> list[str]:
    """``7``, ``7`` and ``8``, ``7–9``: the numbers of each run."""
    found = list[str]()
    for run in runs:
        found += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run.tolist())
    return found


def numbered(numbers: np.ndarray) -> str:
    """``2, 5 and 9``: these numbers; of more than 12 the first 11, and how many others there are."""
    texts = [str(number) for number in numbers.tolist()]
    if len(texts) <= _NAMED:
        return listed(texts)
    return tr("{numbers} and {count} others").format(
        numbers=", ".join(texts[: _NAMED - 1]), count=len(texts) - _NAMED + 1
    )


def thinned(steps: Iterable[Step], most: int = STEPS_AT_MOST) -> tuple[Step, ...]:
    """These steps, or, where they are more, ``most``: the first, and of every few others the last, which says
    how many like it were passed over."""
    told = tuple(steps)
    if len(told) <= most:
        return told
    edges = np.linspace(1, len(told), most).round().astype(int).tolist()
    found = [told[0]]
    for start, end in pairwise(edges):
        step, passed = told[end - 1], end - start - 1
        if passed:
            said = tr_n("After {count:,} more such step:", "After {count:,} more such steps:", passed).format(
                count=passed
            )
            step = replace(step, sentence=f"{said} {step.sentence}")
        found.append(step)
    return tuple(found)
