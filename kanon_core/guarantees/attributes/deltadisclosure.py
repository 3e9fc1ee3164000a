"""δ-disclosure privacy: no sensitive value is much more, or much less, frequent in a class than in the
table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Flag, Real
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.attributes.sensitive import ROUNDING, SensitiveGuarantee, at_most
from kanon_core.guarantees.base import Verdict


@dataclass(frozen=True)
class DeltaDisclosure(SensitiveGuarantee):
    """In every class, |ln(q / p)| < δ for the share q of every sensitive value in it and p in the table.

    A value that is absent from a class also tells something: the definition requires every value of the table
    in every class, since ln 0 is infinite. Without ``absent`` only the values that a class has are compared.
    Missing is a value of its own. ``found`` is the greatest |ln(q / p)|, 0 … infinite. Cost O(n log n) per
    column.

    J. Brickell, V. Shmatikov, The cost of privacy: destruction of data-mining utility in anonymized data
    publishing, KDD 2008.
    """

    compares: ClassVar[bool] = True
    name: ClassVar[str] = "δ-disclosure privacy"
    meaning: ClassVar[str] = (
        "Every sensitive value is nearly as frequent in every equivalence class as in the table: by less than"
        " the factor e to the power of δ, up or down."
    )
    example: ClassVar[str] = (
        "δ = 1: of a value that one in ten of the table has, less than 27.2 % of a class have it, and more"
        " than 3.7 %."
    )
    symbol: ClassVar[str] = "δ"
    parameter: ClassVar[str] = "delta"

    delta: Annotated[float, Real(0, 1_000, help="δ: bound on |ln(q / p)|, which must not be reached")] = 1.0
    absent: Annotated[bool, Flag(help="values that a class does not have count too, as infinitely rarer")] = (
        True
    )

    def reached(self, verdict: Verdict) -> str:
        """Every greater δ is kept."""
        if not np.isfinite(verdict.found):
            return super().reached(verdict)
        return f"δ > {at_most(verdict.found)}"

    @property
    def required(self) -> float:
        """δ, which must not be reached."""
        return self.delta

    def broken(self, numbers: np.ndarray) -> np.ndarray:
        """Booleans (classes): δ is reached or passed."""
        return numbers >= self.delta - ROUNDING

    def measured(self, counts: Counts) -> np.ndarray:
        """The greatest |ln(q / p)| of each class."""
        ratio = np.abs(np.log(counts.shares / counts.values.shares[counts.codes]))
        found = np.maximum.reduceat(ratio, counts.first)
        if self.absent:
            occurring = int((counts.values.counts > 0).sum())
            found = np.where(counts.distinct < occurring, np.inf, found)
        return np.asarray(found)

    def sentence(self, worst: float, failing: int) -> str:
        """The greatest factor."""
        if failing and not np.isfinite(worst):
            return tr_n(
                "{failing:,} class lacks a sensitive value of the table altogether, or has one e to the"
                " power of {delta:g} times as often, or as seldom, as the table.",
                "{failing:,} classes lack a sensitive value of the table altogether, or have one e to the"
                " power of {delta:g} times as often, or as seldom, as the table.",
                failing,
            ).format(failing=failing, delta=self.delta)
        if failing:
            return tr(
                "In {failing} a sensitive value is e to the power of {delta:g} times as frequent as in the"
                " table, or more, or as much rarer."
            ).format(failing=counted(failing, "class"), delta=self.delta)
        return tr(
            "In every class each sensitive value is at most {found} times as frequent as in the table, and at"
            " most so many times rarer."
        ).format(found=at_most(float(np.exp(worst))))
