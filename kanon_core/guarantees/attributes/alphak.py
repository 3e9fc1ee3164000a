"""(α, k)-anonymity: no sensitive value is frequent in a class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee, at_most
from kanon_core.guarantees.base import Judged, Tally, Verdict
from kanon_core.guarantees.identity.hiding import K
from kanon_core.guarantees.identity.kanonymity import KAnonymity

if TYPE_CHECKING:
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class AlphaKAnonymity(SensitiveGuarantee):
    """k-anonymity, and no sensitive value has a share above α in any class.

    max over classes E and values s of |{records of E with s}| / |E| ≤ α. An attacker who finds the class of a
    person infers a sensitive value with a probability of at most α. Missing is a value of its own. ``found``
    is the greatest share, 0 … 1. Cost O(n log n · columns).

    R. Wong, J. Li, A. Fu, K. Wang, (α, k)-anonymity: an enhanced k-anonymity model for privacy-preserving
    data publishing, KDD 2006.
    """

    name: ClassVar[str] = "(α, k)-anonymity"
    meaning: ClassVar[str] = (
        "Every equivalence class has at least k records, and no sensitive value has a share above α in any"
        " class."
    )
    example: ClassVar[str] = "α = 0.5, k = 4: in a class of four people, at most two have flu."

    symbol: ClassVar[str] = "α"
    parameter: ClassVar[str] = "alpha"

    alpha: Annotated[float, Real(0, 1, help="α: greatest share of a sensitive value in a class")] = 0.5
    k: K = 5

    @property
    def required(self) -> float:
        """α."""
        return self.alpha

    @property
    def wanted(self) -> str:
        """α and k."""
        return f"{super().wanted}, k = {self.k}"

    def unsuitable(self, table: Table) -> list[str]:
        """Return the reasons of k-anonymity and those of every guarantee on sensitive values."""
        return list(dict.fromkeys([*KAnonymity(self.k).unsuitable(table), *super().unsuitable(table)]))

    def measured(self, counts: Counts) -> np.ndarray:
        """The greatest share in each class."""
        return counts.greatest

    def sentence(self, worst: float, failing: int) -> str:
        """The greatest share."""
        if failing:
            return tr("In {failing} a sensitive value has a share of more than {alpha:g}.").format(
                failing=counted(failing, "class"), alpha=self.alpha
            )
        return tr("In every class each sensitive value has a share of at most {found}.").format(
            found=at_most(worst)
        )

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """Return the shares and the sizes of classes: in people where rows belong to people, else in
        records."""
        hidden = KAnonymity(self.k).tally(table, release, tick)
        if hidden.source != "persons":
            hidden = replace(hidden, source="release")
        return replace(super().tally(table, release, tick), inner=(hidden,))

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict; where the classes are too small, that is said first."""
        hidden, shares = KAnonymity(self.k).conclude(tally.inner[0]), super().conclude(tally)
        if hidden.holds:
            return shares
        failing = np.flatnonzero(np.bincount(np.concatenate([hidden.failing, shares.failing])))
        said = f"{hidden.sentence} {shares.sentence}"
        return self.verdict(False, shares.found, self.alpha, said, failing, hidden.named)
