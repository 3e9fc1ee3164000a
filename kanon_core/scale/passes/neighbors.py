"""Distances of neighboring values of a column in all parts: the automatic step of round ends is chosen by
these and by the widths of intervals.

Each part writes its different values in order. Ranges of the number line, of about as many values each, are
then looked at one by one; between two ranges lies one more difference.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from kanon_core.base.words import tr
from kanon_core.covers.rounding.choice import VALUES
from kanon_core.covers.rounding.tally import merged, tally
from kanon_core.scale.encoding.item_codes import keys_of
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result
from kanon_core.scale.work.storage import written
from kanon_core.table.columns.columns import Numbers

DISTINCT = "different"
VALUES_OF_A_RANGE = 2_000_000
_DRAWN = 256
"""The number of values that each part reports, evenly spread."""


@dataclass(frozen=True)
class Neighbors:
    """``apart``: the tally of the differences of neighboring values, times `VALUES`; ``largest``: the largest
    value without its sign, 0 if there is none."""

    apart: np.ndarray
    largest: float


@dataclass(frozen=True)
class Distinct:
    """Writes the different values of some columns in a part, as algorithms see them, ascending."""

    encoded: Encoded
    names: tuple[str, ...]

    def __call__(self, part: int) -> Result:
        """Return, by column, the number of different values, and some of them."""
        batch, found = self.encoded.batch(part), Result()
        for place, name in enumerate(self.names):
            column = self.encoded.whole.column(name, keys_of(batch.column(f"key:{name}")))
            assert isinstance(column, Numbers)
            values = np.unique(column.present)
            with written(_file(self.encoded, place, part)) as beside, beside.open("wb") as file:
                np.save(file, values)
            found[f"count:{name}"] = len(values)
            drawn = np.linspace(0, max(len(values) - 1, 0), min(_DRAWN, len(values)))
            found[f"drawn:{name}"] = values[drawn.astype(np.int64)]
        return found


@dataclass(frozen=True)
class Apart:
    """Tallies the differences of neighboring values within a range, over all parts."""

    encoded: Encoded
    parts: int

    def __call__(self, task: tuple[int, float, float]) -> Result:
        """``task``: the place of the column, and a range [low, high). Return its least and greatest value,
        and the tally."""
        place, low, high = task
        found = [np.zeros(0)]
        for part in range(self.parts):
            values = np.load(_file(self.encoded, place, part), mmap_mode="r")
            start, end = np.searchsorted(values, [low, high])
            found.append(np.array(values[start:end]))
        values = np.unique(np.concatenate(found))
        apart = tally(np.diff(values), VALUES)
        return {"ends": values[[0, -1]] if len(values) else values, "apart": apart}


def neighbors(job: Job, encoded: Encoded, parts: int, names: Sequence[str]) -> dict[str, Neighbors]:
    """Return, by column of numbers, the differences of its neighboring values. It takes two passes over the
    values of these columns."""
    if not names:
        return {}
    note = tr("finding the different values")
    known = list(job.stage("apart-values", Distinct(encoded, tuple(names)), range(parts), note))
    ranges = {name: _ranges(name, known) for name in names}
    tasks = [(place, *ends) for place, name in enumerate(names) for ends in ranges[name]]
    found = list(job.stage("apart", Apart(encoded, parts), tasks, note))
    together: dict[str, Neighbors] = {}
    for name in names:
        own, found = found[: len(ranges[name])], found[len(ranges[name]) :]
        ends = np.concatenate([np.zeros(0), *(each["ends"] for each in own)])
        between = tally(ends[2::2] - ends[1:-1:2], VALUES)
        apart = merged([between, *(each["apart"] for each in own)])
        together[name] = Neighbors(apart, float(np.abs(ends).max(initial=0.0)))
    shutil.rmtree(Path(encoded.folder) / DISTINCT, ignore_errors=True)
    return together


def _ranges(name: str, known: Sequence[Result]) -> list[tuple[float, float]]:
    """Return ranges with about as many values of the column each, in order, that together cover all
    numbers."""
    drawn, stand_for = [np.zeros(0)], [np.zeros(0)]
    for one in known:
        own = one[f"drawn:{name}"]
        drawn.append(own)
        stand_for.append(np.full(len(own), int(one[f"count:{name}"]) / max(len(own), 1)))
    values = np.concatenate(drawn)
    order = np.argsort(values)
    reached = np.cumsum(np.concatenate(stand_for)[order])
    bounds = np.arange(VALUES_OF_A_RANGE, reached[-1] if len(reached) else 0, VALUES_OF_A_RANGE)
    cuts = np.unique(values[order][np.searchsorted(reached, bounds)])
    return list(pairwise([-np.inf, *cuts.tolist(), np.inf]))


def _file(encoded: Encoded, place: int, part: int) -> Path:
    return Path(encoded.folder) / DISTINCT / f"{place}-{part:06d}.npy"
