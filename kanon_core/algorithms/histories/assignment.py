"""Choose which records of a block's people are published alike: the choice and matching of least cost."""

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
    """int64 (n): the slot in which each record is published; −1 = suppressed.

    A block's slots begin with the records of the person who has fewest left. The other people follow by their
    number of records; for each, the program takes the choice of records and the matching with the slots that
    add least to the error of the slots (`assignment_kernels.joining_costs`), an assignment problem. A problem
    of more than 500,000 pairs is cut into parts along the first numeric column, with slots and records each
    in its order.
    """
    order = np.argsort(persons.numbers, kind="stable")[int((persons.numbers < 0).sum()) :]
    left = np.split(order, np.cumsum(persons.counts)[:-1])
    labels = np.full(len(persons.numbers), -1, np.int64)
    for block, people in enumerate(blocks.members):
        some = sorted(people.tolist(), key=lambda person: len(left[person]))
        first, last = blocks.starts[block : block + 2]
        share = block / len(blocks)
        members = _matched(
            values, [left[p] for p in some], last - first, partial(tick, share, tr("pairing records"))
        )
        labels[members] = np.arange(first, last)
        for person in some:
            left[person] = left[person][labels[left[person]] < 0]
    return labels


def _matched(values: Values, records: list[np.ndarray], slots: int, tick: Callable[[], None]) -> np.ndarray:
    """int64 (people, slots): the record of each person in each slot; ``records`` by person, fewest first."""
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
    """The record that each group takes, at the least total cost."""
    from scipy.optimize import linear_sum_assignment

    from kanon_core.algorithms.histories.assignment_kernels import joining_costs

    costs = joining_costs(values, np.ascontiguousarray(members), rows)
    assigned: np.ndarray = rows[linear_sum_assignment(costs)[1]]
    return assigned
