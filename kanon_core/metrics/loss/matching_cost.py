"""The cost of k-concealment: the distances between each record and the records of its anonymity set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.covers.cover import Concealment, Cover
from kanon_core.distances.manhattan import ManhattanPoints, manhattan_points, pair_distances
from kanon_core.distances.within import sums_within
from kanon_core.metrics.base import Measured, Metric
from kanon_core.release.release import Release
from kanon_core.table.table import Table


@dataclass(frozen=True)
class MatchingCost(Metric):
    """cost(T) = Σ over records i and the records j of i's anonymity set of d(i, j) (k-concealment paper,
    definitions 2.4 and 2.8).

    d is the distance of definition 2.2 (`kanon_core.distances.manhattan`): |a − b| / range for numbers, 0 or
    1 for everything else, times the attributes' weights, whatever distances are chosen for the columns. In a
    group all ordered pairs count. Under k-concealment the edges of the matchings count. By theorem 2.1 the
    least cost of concealment is at most that of closed groups. Range 0 … n · size of the largest set · Σ
    weights.

    Departures from the paper: it suppresses no record; a suppressed one counts with its distances to all n
    records, as if it could be any. Like the loss, the cost judges the grouping: two groups that publish equal
    cells stay two.

    Cost: O(n log n · attributes) for groups, O(n k · attributes) for matchings.
    """

    title: ClassVar[str] = "Matching cost"
    short: ClassVar[str] = "Cost"
    symbol: ClassVar[str] = "cost(T)"
    sentence: ClassVar[str] = (
        "Sum of the distances between each record and the records of its anonymity set; a column adds at"
        " most 1 to a distance."
    )
    formula: ClassVar[str] = (
        r"\sum_i\sum_{j\in H(i)} d(i,j),\ d(i,j)=\sum_a w_a\,\frac{|x_{ia}-x_{ja}|}{\text{range}}\text{ or"
        r" }w_a[x_{ia}\ne x_{ja}]"
    )
    example: ClassVar[str] = (
        "Ages 10, 20, 40, 50 with sexes F, M, M, F: in groups {10, 20} and {40, 50}, each record is 1.25"
        " from its partner, 5 in total; all four in one group cost 15."
    )
    high: ClassVar[float] = float("inf")
    monotone: ClassVar[bool] = True
    of_groups: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute", "record")

    def measure(self, table: Table, release: Release) -> Measured:
        """Return the total, and the costs per attribute and per record, each of which add up to it."""
        costs = {
            column.attribute.name: _costs(manhattan_points((column,)), release.cover)
            for column in table.quasi
        }
        attributes = {name: float(cost.sum()) for name, cost in costs.items()}
        return Measured(sum(attributes.values()), attributes, sum(costs.values(), np.zeros(len(table))))


def _costs(points: ManhattanPoints, cover: Cover) -> np.ndarray:
    """The cost of each record, float64 (n)."""
    if isinstance(cover, Concealment):
        return np.asarray(pair_distances(points, np.arange(len(points)), cover.matchings).sum(axis=0))
    costs = sums_within(points, cover.order, cover.starts)
    if cover.suppressed.any():
        whole = sums_within(points, np.arange(len(points)), np.array([0, len(points)]))
        costs = np.where(cover.suppressed, whole, costs)
    return costs
