"""(1,k)-anonymity: every record fits k rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.base.words import counted, tr, tr_n
from kanon_core.guarantees.identity.fitting import Fitting
from kanon_core.matching.consistency import Consistency


@dataclass(frozen=True)
class OneKAnonymity(Fitting):
    """Every record of the original is consistent with at least k published rows: it lies in their cells.

    Weaker than k-concealment, which also asks that every other record has a row. Cost O(u · v · attributes)
    for u different originals and v different rows.

    A. Gionis, A. Mazza, T. Tassa, k-Anonymization revisited, ICDE 2008.
    """

    name: ClassVar[str] = "(1,k)-anonymity"
    attacker: ClassVar[str] = "knows all quasi-identifiers of one person"
    meaning: ClassVar[str] = "Every record of the original fits at least k of the published rows."
    example: ClassVar[str] = (
        "k = 3: a woman of 34 fits at least three rows, such as [30, 40], F and [34, 50], F."
    )
    weaker: ClassVar[bool] = True
    alike: ClassVar[str] = "published rows that fit it"

    def counts(self, found: Consistency) -> np.ndarray:
        """int64 (n): the rows that fit each record."""
        return found.rows

    def sentence(self, fewest: int, failing: int) -> str:
        """The fewest, or how many are below k."""
        if failing:
            return tr_n(
                "{failing:,} record fits fewer than {k} rows.",
                "{failing:,} records fit fewer than {k} rows.",
                failing,
            ).format(failing=failing, k=self.k)
        return tr("Every record fits at least {fewest}.").format(fewest=counted(fewest, "row"))
