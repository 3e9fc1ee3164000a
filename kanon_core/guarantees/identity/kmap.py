"""k-map: every row fits k people of the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.base.words import counted, tr, tr_n
from kanon_core.guarantees.identity.kkanonymity import Fitting
from kanon_core.matching.consistency import Consistency


@dataclass(frozen=True)
class KMap(Fitting):
    """Every published row is consistent with at least k records of the population.

    The original is taken for the population: a register of more people than the release is of. Where it is
    the very table that was released, this is (k,1)-anonymity. Cost as that.

    L. Sweeney, Computational disclosure control: a primer on data privacy protection, thesis, MIT, 2001.
    """

    name: ClassVar[str] = "k-map"
    attacker: ClassVar[str] = "has a register of the population, and does not know who is in the table"
    meaning: ClassVar[str] = (
        "Every published row fits at least k people of the population that the table is from."
    )
    example: ClassVar[str] = (
        "k = 5: a row [30, 40], F fits at least five women of 30 to 40 in the register, however few of them"
        " are in the table."
    )
    weaker: ClassVar[bool] = True
    alike: ClassVar[str] = "people of the population who fit its row"
    of_rows: ClassVar[bool] = True

    def counts(self, found: Consistency) -> np.ndarray:
        """int64 (n): the records of the population that fit each row."""
        return found.originals

    def sentence(self, fewest: int, failing: int) -> str:
        """The fewest, or how many are below k."""
        if failing:
            return tr_n(
                "{failing:,} row fits fewer than {k} records of the population.",
                "{failing:,} rows fit fewer than {k} records of the population.",
                failing,
            ).format(failing=failing, k=self.k)
        return tr("Every row fits at least {fewest} of the population.").format(
            fewest=counted(fewest, "record")
        )
