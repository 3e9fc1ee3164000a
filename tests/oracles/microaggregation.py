"""The least SSE of any grouping into k or more, by an integer program over all groups: for few records."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array


def least_sse(places: np.ndarray, k: int) -> float:
    """Every group of k … 2 k − 1 is a column, its SSE the cost; each record is in one chosen group. Larger
    groups are never needed: splitting one lowers SSE."""
    n = len(places)
    groups = [list(each) for size in range(k, min(2 * k, n + 1)) for each in combinations(range(n), size)]
    costs = [float(((places[each] - places[each].mean(axis=0)) ** 2).sum()) for each in groups]
    ends = np.cumsum([0, *map(len, groups)])
    members = csc_array((np.ones(ends[-1]), np.concatenate(groups), ends), shape=(n, len(groups)))
    found = milp(
        costs,
        integrality=np.ones(len(groups)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(members, 1, 1),
        options={"mip_rel_gap": 0.0},
    )
    assert found.success
    return float(found.fun)
