"""t-closeness: the sensitive values of every class are distributed nearly as in the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.words import tr
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee, at_most


@dataclass(frozen=True)
class TCloseness(SensitiveGuarantee):
    """The sensitive values of every class are distributed as in the whole table, but for t.

    EMD(p, q) ≤ t, the earth mover's distance between the shares p in a class and q in the table, suppressed
    records included. Values of a number are ordered, neighbors 1 / (values − 1) apart; any two other values
    are 1 apart. Range 0 … 1. Cost O(n log n) per column.

    N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and ℓ-diversity, ICDE 2007.
    """

    compares: ClassVar[bool] = True
    name: ClassVar[str] = "t-closeness"
    meaning: ClassVar[str] = (
        "The sensitive values of every equivalence class are distributed as in the table, but for t."
    )

    t: Annotated[float, Real(0, 1, help="how far the values of a class may be from those of the table")] = 0.2

    @property
    def required(self) -> float:
        """t."""
        return self.t

    def measured(self, counts: Counts) -> np.ndarray:
        """The distance of each class from the table."""
        return ordered_distance(counts) if counts.values.ordered else equal_distance(counts)

    def sentence(self, found: float, failing: int) -> str:
        """The farthest class."""
        if failing:
            return tr(
                "The sensitive values of {failing:,} classes are farther than {t:g} from those of the table."
            ).format(failing=failing, t=self.t)
        return tr("The sensitive values of every class are within {found} of those of the table.").format(
            found=at_most(found)
        )


def equal_distance(counts: Counts) -> np.ndarray:
    """float64 (classes): the earth mover's distance of each class from the table where any two values are 1
    apart: ½ Σ |p − q| = Σ max(p − q, 0). Cost O(m)."""
    surplus = counts.shares - counts.values.shares[counts.codes]
    return np.bincount(counts.owner, np.maximum(surplus, 0))


def ordered_distance(counts: Counts) -> np.ndarray:
    """The same where neighbors are 1 / (values − 1) apart: Σ |P(v) − Q(v)| / (values − 1) over the cumulated
    shares.

    Between two values that a class has, its P stays the same and Q rises: the terms change their sign once.
    Cost O(m log values).
    """
    distinct = counts.values.distinct
    below = np.cumsum(counts.values.shares)
    area = np.concatenate([[0.0], np.cumsum(below)])
    reached = np.cumsum(counts.counts)
    share = (reached - (reached - counts.counts)[counts.first][counts.owner]) / counts.sizes[counts.owner]
    end = np.append(counts.codes[1:], distinct)
    end[(counts.first - 1)[1:]] = distinct
    turn = np.clip(np.searchsorted(below, share), counts.codes, end)
    over = share * (2 * turn - counts.codes - end) - 2 * area[turn] + area[counts.codes] + area[end]
    found = np.bincount(counts.owner, over) + area[counts.codes[counts.first]]
    return np.asarray(np.maximum(found, 0) / max(distinct - 1, 1))
