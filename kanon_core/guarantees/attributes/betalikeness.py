"""β-likeness: no sensitive value becomes much more likely in a class than in the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Flag, Real
from kanon_core.base.words import counted, tr
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.attributes.sensitive import ROUNDING, SensitiveGuarantee, at_most


@dataclass(frozen=True)
class BetaLikeness(SensitiveGuarantee):
    """No sensitive value has a share in a class that exceeds its share in the table by more than β times.

    (q − p) / p ≤ β for the share q of every value in every class and p in the table, suppressed records
    included; enhanced β-likeness requires at most min(β, −ln p), so that the share of a frequent value also
    increases little. Only increases count; a lower share in a class is not bounded. Missing is a value of its
    own. ``found`` is the greatest (q − p) / p, 0 … n; infinite where the enhanced form fails by −ln p. Cost
    O(n log n) per column.

    J. Cao, P. Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012.
    """

    compares: ClassVar[bool] = True
    name: ClassVar[str] = "β-likeness"
    meaning: ClassVar[str] = (
        "No sensitive value is more than 1 + β times as frequent in an equivalence class as in the table."
    )
    example: ClassVar[str] = "β = 1: if 10 % of the table have flu, at most 20 % of any class have flu."

    symbol: ClassVar[str] = "β"
    parameter: ClassVar[str] = "beta"

    beta: Annotated[
        float, Real(0, 1_000_000, help="β: greatest relative increase of a value's share in a class")
    ] = 1.0
    enhanced: Annotated[
        bool, Flag(help="enhanced: the increase is also at most −ln of the value's share in the table")
    ] = False

    @property
    def called(self) -> str:
        """Basic or enhanced β-likeness."""
        return tr("enhanced β-likeness") if self.enhanced else tr("β-likeness")

    @property
    def explained(self) -> str:
        """The meaning; with ``enhanced``, also the second bound."""
        if not self.enhanced:
            return self.meaning
        return f"{self.meaning} " + tr(
            "For a value with share p in the table, the relative increase is also at most −ln p."
        )

    @property
    def required(self) -> float:
        """β."""
        return self.beta

    def measured(self, counts: Counts) -> np.ndarray:
        """The greatest relative increase of a value's share in each class, 0 or more."""
        whole = counts.values.shares[counts.codes]
        gain = counts.shares / whole - 1
        if self.enhanced:
            gain = np.where(gain > -np.log(whole) + ROUNDING, np.inf, gain)
        return np.maximum.reduceat(gain, counts.first)

    def sentence(self, worst: float, failing: int) -> str:
        """The greatest increase."""
        if failing and self.enhanced:
            return tr(
                "In {failing}, a sensitive value with share p in the table is more than 1 + min(β, −ln p)"
                " times as frequent as in the table (β = {beta:g})."
            ).format(failing=counted(failing, "class"), beta=self.beta)
        if failing:
            return tr(
                "In {failing}, a sensitive value is more than 1 + β times as frequent as in the table (β ="
                " {beta:g})."
            ).format(failing=counted(failing, "class"), beta=self.beta)
        return tr(
            "No sensitive value is more than {found} times as frequent in a class as in the table."
        ).format(found=at_most(1 + worst))
