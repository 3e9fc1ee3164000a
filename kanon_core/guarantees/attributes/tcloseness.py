"""t-closeness: the sensitive values of every class are distributed nearly as in the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.words import tr
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee, Values, at_most, counts_by_class


@dataclass(frozen=True)
class TCloseness(SensitiveGuarantee):
    """The sensitive values of every class are distributed as in the whole table, but for t.

    EMD(p, q) ≤ t, the earth mover's distance between the shares p in a class and q in the table, suppressed
    records included. Values of a number are ordered, neighbors 1 / (values − 1) apart; any two other values
    are 1 apart. Range 0 … 1. Cost O(classes · values + n log n) per column.

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

    def measured(self, classes: np.ndarray, values: Values) -> np.ndarray:
        """The distance of each class from the table."""
        whole = np.bincount(values.codes, minlength=values.distinct) / len(values.codes)
        found = [np.zeros(0)]
        for counts in counts_by_class(classes, values):
            surplus = counts / counts.sum(axis=1, keepdims=True) - whole
            if values.ordered:
                found.append(np.abs(np.cumsum(surplus, axis=1)).sum(axis=1) / max(values.distinct - 1, 1))
            else:
                found.append(np.abs(surplus).sum(axis=1) / 2)
        return np.concatenate(found)

    def sentence(self, found: float, failing: int) -> str:
        """The farthest class."""
        if failing:
            return tr(
                "The sensitive values of {failing:,} classes are farther than {t:g} from those of the table."
            ).format(failing=failing, t=self.t)
        return tr("The sensitive values of every class are within {found} of those of the table.").format(
            found=at_most(found)
        )
