"""The loss of a choice of levels: a sum over columns, computed before any classes are counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.generalization.lattice import Node
from kanon_core.algorithms.generalization.levels import Levels
from kanon_core.base.words import later
from kanon_core.covers.cells.base import SingleValues

LOSSES = {
    "ncp": later("normalized certainty penalty (NCP): width of the cells"),
    "precision": later("precision: level as a share of the column's last level"),
    "entropy": later("non-uniform entropy: bits of information lost"),
}


class Costs(NamedTuple):
    """The costs of every choice of levels: ``base``, the mean loss over records and columns, 0 … 1, if all
    records are published; ``gap``, the least that a suppressed record adds to it. Both float64, one axis per
    column.

    ``value``: by column and level, the part of each different value in base, float64 (values); ``gone``: by
    column, the part of each value if its record is suppressed.
    """

    base: np.ndarray
    gap: np.ndarray
    value: list[list[np.ndarray]]
    gone: list[np.ndarray]

    def extra(self, node: Node, values: np.ndarray, weight: np.ndarray) -> float:
        """Return the cost added by suppressing these rows: ``values`` int64 (rows, columns), ``weight``
        (rows)."""
        more = np.zeros(len(values))
        for step, value, gone, column in zip(node, self.value, self.gone, values.T, strict=True):
            more += (gone - value[step])[column]
        return float((more * weight).sum())


def costs_of(levels: Sequence[Levels], loss: str) -> Costs:
    """Return the loss of each choice of levels, weighted by column.

    ``ncp``: the cell's penalty (`kanon_core.metrics.NCP`). ``precision``: level / last level (Sweeney 2002).
    ``entropy``: log₂ (records of the cell / records of the value), divided by its mean at the last level
    (non-uniform entropy, Gionis and Tassa 2009). A suppressed record costs as much as at the last level,
    which is 1 for ncp and precision.
    """
    n, shape = len(levels[0].value), tuple(len(column.steps) for column in levels)
    weights = np.array([column.column.attribute.weight for column in levels])
    weights = weights / (weights.sum() or 1.0) / n
    base, gap = np.zeros(shape), np.zeros(shape)
    value, gone = list[list[np.ndarray]](), list[np.ndarray]()
    for axis, (column, weight) in enumerate(zip(levels, weights, strict=True)):
        counts = np.bincount(column.value, minlength=len(column.steps[0].cell))
        steps, last = _penalties(column, counts, loss)
        value.append([weight * step for step in steps])
        gone.append(weight * last)
        along = tuple(-1 if i == axis else 1 for i in range(len(shape)))
        base += np.array([(counts * step).sum() for step in value[-1]]).reshape(along)
        there = counts > 0
        gap += np.array([(gone[-1] - step)[there].min() for step in value[-1]]).reshape(along)
    return Costs(base, np.maximum(gap, 0.0), value, gone)


def _penalties(column: Levels, counts: np.ndarray, loss: str) -> tuple[list[np.ndarray], np.ndarray]:
    """Return, by level, the loss of each value, and its loss if the record is suppressed; float64
    (values)."""
    one = np.ones(len(counts))
    if loss == "ncp":
        found = []
        for cells, cell in column.steps:
            assert isinstance(cells, SingleValues)
            found.append(cells.penalty(column.column)[cell])
        return found, one
    if loss == "precision":
        last = max(len(column.steps) - 1, 1)
        return [one * step / last for step in range(len(column.steps))], one
    known, bits = np.maximum(counts, 1), list[np.ndarray]()
    for _, which in column.steps:
        bits.append(np.log2(np.maximum(np.bincount(which, counts)[which], 1) / known))
    all_bits = np.log2(len(column.value) / known)
    mean = float((counts * all_bits).sum()) / len(column.value) or 1.0
    return [step / mean for step in bits], all_bits / mean
