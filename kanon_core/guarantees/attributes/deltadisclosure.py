"""δ-disclosure privacy: no sensitive value is much more, or much less, frequent in a class than in the
table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Flag, Real
from kanon_core.base.words import counted, later, tr, tr_n
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.attributes.sensitive import ROUNDING, SensitiveGuarantee, at_most
from kanon_core.guarantees.base import Verdict

ABSENT = later("Values absent from a class do not count.")


@dataclass(frozen=True)
class DeltaDisclosure(SensitiveGuarantee):
    """In every class, |ln(q / p)| < δ for the share q of every sensitive value in it and p in the table.

    The absence of a value from a class is also information: the definition requires every value of the table
    in every class, since ln 0 is infinite. Without ``absent`` only the values that a class has are compared.
    Missing is a value of its own. ``found`` is the greatest |ln(q / p)|, 0 … infinite. Cost O(n log n) per
    column.

    J. Brickell, V. Shmatikov, The cost of privacy: destruction of data-mining utility in anonymized data
    publishing, KDD 2008.
    """

    compares: ClassVar[bool] = True
    name: ClassVar[str] = "δ-disclosure privacy"
    meaning: ClassVar[str] = (
        "In every equivalence class, the share of each sensitive value differs from its share in the table"
        " by a factor of less than e^δ, up or down."
    )
    example: ClassVar[str] = (
        "δ = 1: a value with a share of 10 % in the table has a share of more than 3.6 % and less than 27.2"
        " % in every class."
    )
    symbol: ClassVar[str] = "δ"
    parameter: ClassVar[str] = "delta"

    delta: Annotated[float, Real(0, 1_000, help="δ: bound on |ln(q / p)|, which must not be reached")] = 1.0
    absent: Annotated[bool, Flag(help="values absent from a class count too, as infinitely rarer")] = True

    def reached(self, verdict: Verdict) -> str:
        """Every greater δ is kept."""
        if not np.isfinite(verdict.found):
            return super().reached(verdict)
        return f"δ > {at_most(verdict.found)}"

    @property
    def explained(self) -> str:
        """The meaning; without ``absent``, also the values that do not count."""
        return self.meaning if self.absent else f"{self.meaning} {tr(ABSENT)}"

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
                "{failing:,} class lacks a sensitive value of the table, or the share of a value in it"
                " differs from its share in the table by a factor of e^{delta:g} or more.",
                "{failing:,} classes lack a sensitive value of the table, or the share of a value in them"
                " differs from its share in the table by a factor of e^{delta:g} or more.",
                failing,
            ).format(failing=failing, delta=self.delta)
        if failing:
            return tr(
                "In {failing}, the share of a sensitive value differs from its share in the table by a"
                " factor of e^{delta:g} or more."
            ).format(failing=counted(failing, "class"), delta=self.delta)
        said = tr(
            "In every class, the share of each sensitive value differs from its share in the table by a"
            " factor of at most {found}, up or down."
        ).format(found=at_most(float(np.exp(worst))))
        return said if self.absent else f"{said} {tr(ABSENT)}"
