"""δ-presence: bounds on the probability that a person is in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, percent, tr
from kanon_core.covers.matching.consistency import presence
from kanon_core.guarantees.base import Guarantee, Judged, Verdict

if TYPE_CHECKING:
    from kanon_core.table.table import Table

_ROUNDING = 1e-9


@dataclass(frozen=True)
class DeltaPresence(Guarantee):
    """For every person of the population (the original), the probability that the release has a row of that
    person is from ``low`` to ``high``.

    It is the sum, over the rows that fit the record, of 1 / (records that fit the row): all of these records
    are taken to be equally likely. Where equal cells do not overlap, that is rows of the class / records that
    fit it. In a release of the whole table everybody is in: the probability is 1. Cost as (1,k)-anonymity,
    twice.

    M. E. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases, SIGMOD
    2007.
    """

    name: ClassVar[str] = "δ-presence"
    attacker: ClassVar[str] = (
        "has a register of the population, and wants to know whether a person is in the table"
    )
    meaning: ClassVar[str] = (
        "For every person of the population, the probability of being in the table is between two bounds."
    )
    example: ClassVar[str] = (
        "δ from 0 to 0.5: of six people in the register who fit a class, at most three are in the table."
    )
    symbol: ClassVar[str] = "δ"
    parameter: ClassVar[str] = "high"
    needs_original: ClassVar[bool] = True

    low: Annotated[float, Real(0, 1, help="least probability that a person is in the table")] = 0.0
    high: Annotated[float, Real(0, 1, help="greatest probability that a person is in the table")] = 0.5

    @property
    def wanted(self) -> str:
        """Both bounds."""
        return f"δ = {self.low:g} … {self.high:g}"

    def check(self, table: Table, release: Judged, tick: Tick = silent) -> Verdict:
        """The verdict on a release of this population, or a file beside it."""
        probability = presence(table, release.published, tick)
        least, greatest = float(probability.min()), float(probability.max())
        outside = (probability < self.low - _ROUNDING) | (probability > self.high + _ROUNDING)
        failing = np.flatnonzero(outside)
        sentence = tr(
            "For an attacker who has a register of the population, the probability that a person is in the"
            " table is between {least} and {greatest}."
        ).format(least=percent(least, 1), greatest=percent(greatest, 1))
        if len(failing):
            sentence += " " + tr("For {failing:,} of {all}, it is outside the bounds.").format(
                failing=len(failing), all=counted(len(probability), "person")
            )
        return self.verdict(not len(failing), greatest, self.high, sentence, failing)
