"""Choice and matching, at the least cost, of records of a block's people that share cells."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from kanon_core.algorithms.histories.blocks import Blocks
from kanon_core.algorithms.histories.values import Values
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.table.people import Persons

_PAIRS_AT_ONCE = 500_000


def paired_at_least_cost(values: Values, persons: Persons, blocks: Blocks, tick: Tick) -> np.ndarray:
    """Return the slot of each record, int64 (n); −1 = suppressed.

    A block's slots start with the records of the person who has fewest left. The other people follow by their
    number of records; for each, an assignment problem finds the records and the matching with slots that
    increase the error of the slots least (`assignment_kernels.joining_costs`). A problem of more than 500,000
    pairs is cut into parts: slots and records are sorted by the first numeric column and divided.
    """
    order = np.argsort(persons.numbers, kind="stable")[int((persons.numbers < 0).sum()) :]
    left = np.split(order, np.cumsum(persons.counts)[:-1])
    labels = np.full(len(persons.numbers), -1, np.int64)
    for block, people in enumerate(blocks.members):
        some = sorted(people.tolist(), key=lambda person: len(left[person]))
        first, last = blocks.starts[block : block + 2]
        share = block / len(blocks)
        members = _matched(
            values, [left[p] for p in some], last - first, partial(tick, share, tr("matching records"))
        )
        labels[members] = np.arange(first, last)
        for person in some:
            left[person] = left[person][labels[left[person]] < 0]
    return labels


def _matched(values: Values, records: list[np.ndarray], slots: int, tick: Callable[[], None]) -> np.ndarray:
    """Return the record of each person in each slot, int64 (people, slots); ``records``: fewest first."""
    members = np.empty((len(records), slots), np.int64)
    members[0] = records[0][:slots]
    for filled in range(1, len(records)):
        groups, rows = np.arange(members.shape[1]), records[filled]
        parts = min(len(groups), math.ceil(math.sqrt(len(groups) * len(rows) / _PAIRS_AT_ONCE)))
        if parts > 1 and values.numbers.shape[1]:
            groups = np.argsort(values.numbers[members[:filled], 0].mean(axis=0), kind="stable")
            rows = rows[np.argsort(values.numbers[rows, 0], kind="stable")]
        for some, among in zip(np.array_split(groups, parts), np.array_split(rows, parts), strict=True):
            tick()
            members[filled, some] = _assigned(values, members[:filled, some], among)
    return members


def _assigned(values: Values, members: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the record for each group, at the least total cost."""
    from scipy.optimize import linear_sum_assignment

    from kanon_core.algorithms.histories.assignment_kernels import joining_costs

    costs = joining_costs(values, np.ascontiguousarray(members), rows)
    assigned: np.ndarray = rows[linear_sum_assignment(costs)[1]]
    return assigned
