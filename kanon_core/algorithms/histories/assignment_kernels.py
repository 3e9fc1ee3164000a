"""Compiled costs of adding a record to a group, for all groups of a block and all records of a person."""

import numpy as np

from kanon_core.algorithms.histories.values import Values
from kanon_core.base.compiled import kernel


@kernel
def _spread(low: float, high: float, count: int, total: float, squares: float, step: float) -> float:
    """Return Σ over the values of E|Y − t|, Y uniform on the steps from low to high; 0 if all are equal."""
    width = high - low
    if width <= 0.0:
        return 0.0
    ends = count * (low * low + high * high) - 2.0 * (low + high) * total + 2.0 * squares
    return (ends + count * width * step) / (2.0 * (width + step))


@kernel
def joining_costs(values: Values, members: np.ndarray, records: np.ndarray) -> np.ndarray:
    """Return, float64 (groups, records), the increase of the error of group r, of the records ``members[:,
    r]``, if record ``records[j]`` joins, including the error of that record.

    The error of a group is Σ over its values of E|Y − t| (numbers) and of 1 − 1 / |S| (categories), as in
    `PurchaseUtility`.
    """
    numbers, steps, weights = values.numbers, values.steps, values.weights
    p, filled = numbers.shape[1], members.shape[0]
    costs = np.empty((members.shape[1], records.shape[0]))
    low, high, total, squares, error = np.empty(p), np.empty(p), np.empty(p), np.empty(p), np.empty(p)
    for r in range(members.shape[1]):
        for a in range(p):
            low[a] = high[a] = numbers[members[0, r], a]
            total[a] = squares[a] = 0.0
            for i in range(filled):
                value = numbers[members[i, r], a]
                low[a], high[a] = min(low[a], value), max(high[a], value)
                total[a] += value
                squares[a] += value * value
            error[a] = _spread(low[a], high[a], filled, total[a], squares[a], steps[a])
        for j in range(records.shape[0]):
            cost = 0.0
            for a in range(p):
                value = numbers[records[j], a]
                grown = _spread(
                    min(low[a], value),
                    max(high[a], value),
                    filled + 1,
                    total[a] + value,
                    squares[a] + value * value,
                    steps[a],
                )
                cost += weights[a] * (grown - error[a])
            costs[r, j] = cost
        for b in range(values.codes.shape[1]):
            _add_categories(values.codes[:, b], weights[p + b], members[:, r], records, costs[r])
    return costs


@kernel
def _add_categories(
    codes: np.ndarray, weight: float, members: np.ndarray, records: np.ndarray, costs: np.ndarray
) -> None:
    """Add to costs[j] the increase of the error of a group of these members in one category."""
    distinct, found, filled = np.empty(members.size, codes.dtype), 0, members.size
    for i in range(filled):
        code, known = codes[members[i]], False
        for d in range(found):
            known = known or distinct[d] == code
        if not known:
            distinct[found] = code
            found += 1
    before = filled * (1.0 - 1.0 / found)
    inside = (filled + 1) * (1.0 - 1.0 / found) - before
    outside = (filled + 1) * (1.0 - 1.0 / (found + 1)) - before
    for j in range(records.shape[0]):
        code, known = codes[records[j]], False
        for d in range(found):
            known = known or distinct[d] == code
        costs[j] += weight * (inside if known else outside)
