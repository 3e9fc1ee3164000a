"""Compiled check of ℓ-diversity and t-closeness on counts of sensitive values."""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel

ROUNDING = 1e-9  # largest rounding error that may violate a bound


@by_reference
class Rule(NamedTuple):
    """The rule that the sensitive values of every group must keep; arrays list values column by column.

    ``diversity`` ℓ: the least number of different values, or, with ``entropy``, entropy at least log ℓ;
    ``closeness`` t: largest distance from the distribution in the table.
    """

    active: bool
    diversity: float
    entropy: bool
    closeness: float
    first: np.ndarray  # int64 (columns + 1,), start of each column's values
    ordered: np.ndarray  # bool (columns,), values have an order
    total: np.ndarray  # int64 (values,), frequencies in the table


@kernel
def diverse(counts: np.ndarray, size: int, entropy: bool) -> float:
    """Return ℓ of a group: the number of values that occur, or exp of the entropy of their shares."""
    kinds = 0
    information = 0.0
    for f in counts:
        if f > 0:
            kinds += 1
            information -= f / size * np.log(f / size)
    return np.exp(information) if entropy else float(kinds)


@kernel
def distance(counts: np.ndarray, size: int, total: np.ndarray, n: int, ordered: bool) -> float:
    """Return the earth mover's distance of a group's distribution from the table's, 0..1.

    Ordered values: neighbors are 1 / (values − 1) apart; others: all 1 apart.
    """
    moved = 0.0
    carried = 0.0
    for i in range(counts.size):
        surplus = counts[i] / size - total[i] / n
        carried += surplus
        moved += abs(carried) if ordered else abs(surplus) / 2
    return moved / max(counts.size - 1, 1) if ordered else moved


@kernel
def keeps(rule: Rule, counts: np.ndarray, size: int) -> bool:
    """Return whether a group of `size` records with these counts of sensitive values keeps the rule."""
    for j in range(rule.ordered.size):
        a, b = rule.first[j], rule.first[j + 1]
        part = counts[a:b]
        if diverse(part, size, rule.entropy) < rule.diversity - ROUNDING:
            return False
        total = rule.total[a:b]
        if rule.closeness < 1.0 and (
            distance(part, size, total, np.sum(total), rule.ordered[j]) > rule.closeness + ROUNDING
        ):
            return False
    return True
