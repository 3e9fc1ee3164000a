"""(k,1)-anonymity: every row fits k records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.base.words import counted, tr, tr_n
from kanon_core.guarantees.identity.fitting import Fitting
from kanon_core.matching.consistency import Consistency


@dataclass(frozen=True)
class KOneAnonymity(Fitting):
    """Every published row is consistent with at least k records of the original: they lie in its cells.

    An attacker who picks a row finds at least k records that it could be of. Cost as (1,k)-anonymity.

    A. Gionis, A. Mazza, T. Tassa, k-Anonymization revisited, ICDE 2008.
    """

    name: ClassVar[str] = "(k,1)-anonymity"
    attacker: ClassVar[str] = "knows the original’s quasi-identifiers and picks a row"
    meaning: ClassVar[str] = "Every published row fits at least k records of the original."
    example: ClassVar[str] = "k = 3: the row [30, 40], F fits at least three records of the original."
    weaker: ClassVar[bool] = True
    alike: ClassVar[str] = "records that fit its row"
    of_rows: ClassVar[bool] = True

    def counts(self, found: Consistency) -> np.ndarray:
        """int64 (n): the records that fit each row."""
        return found.originals

    def sentence(self, fewest: int, failing: int) -> str:
        """The fewest, or how many are below k."""
        if failing:
            return tr_n(
                "{failing:,} row fits fewer than {k} records.",
                "{failing:,} rows fit fewer than {k} records.",
                failing,
            ).format(failing=failing, k=self.k)
        return tr("Every row fits at least {fewest}.").format(fewest=counted(fewest, "record"))
