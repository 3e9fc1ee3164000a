"""ℓ-diversity: every class has ℓ sensitive values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Flag, Real
from kanon_core.base.words import tr, tr_n
from kanon_core.guarantees.attributes.counts import Counts, in_one_class
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee, at_least

if TYPE_CHECKING:
    from kanon_core.table.table import Table


L = Annotated[float, Real(1, 1_000, help="ℓ: least number of sensitive values in a class")]


@dataclass(frozen=True)
class LDiversity(SensitiveGuarantee):
    """Every class of published records has at least ℓ sensitive values.

    Distinct ℓ-diversity counts different values; entropy ℓ-diversity counts exp(−Σ p log p) of their shares
    p, so that −Σ p log p ≥ log ℓ. Missing is a value of its own. Every protected column must keep it. Range
    of the number found: 1 … values of the column. Cost O(n log n · columns).

    A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, ℓ-diversity: privacy beyond k-anonymity,
    ACM Transactions on Knowledge Discovery from Data 1(1), 2007.
    """

    name: ClassVar[str] = "ℓ-diversity"
    meaning: ClassVar[str] = "Every equivalence class has at least ℓ different sensitive values."
    example: ClassVar[str] = (
        "ℓ = 3: a class with flu, flu, flu, gout and asthma has three different values. A class of five"
        " people with flu would disclose the diagnosis of each."
    )
    upward: ClassVar[bool] = True

    symbol: ClassVar[str] = "ℓ"
    parameter: ClassVar[str] = "l"

    l: L = 2.0  # noqa: E741
    entropy: Annotated[bool, Flag(help="values count by entropy: rare values count less")] = False

    @property
    def called(self) -> str:
        """Distinct or entropy ℓ-diversity."""
        return tr("entropy ℓ-diversity") if self.entropy else tr("distinct ℓ-diversity")

    @property
    def explained(self) -> str:
        """The meaning; with ``entropy``, also that rare values count less."""
        if not self.entropy:
            return self.meaning
        return tr(
            "Every equivalence class has at least ℓ effective sensitive values: rare values count less."
        )

    @property
    def required(self) -> float:
        """ℓ."""
        return self.l

    @property
    def fewest(self) -> float:
        """ℓ."""
        return self.l

    def unkept(self, table: Table) -> list[str]:
        """Return why no release of all records can keep it: not even one class of them does, in sentences."""
        if (few := self.too_few(table)) or not self.entropy:
            return few
        said = tr(
            "The values of column “{name}” are too unequally distributed for entropy ℓ = {l:g}, which can be"
            " at most {most}; choose a smaller ℓ."
        )
        whole = {one.name: self.measured(self.counted(in_one_class(one))) for one in self.columns(table)}
        broken = {name: reached for name, reached in whole.items() if self.broken(reached).any()}
        return [
            said.format(name=name, l=self.l, most=at_least(reached[0])) for name, reached in broken.items()
        ]

    def measured(self, counts: Counts) -> np.ndarray:
        """ℓ of each class."""
        if not self.entropy:
            return counts.distinct.astype(np.float64)
        return np.exp(-np.bincount(counts.owner, counts.shares * np.log(counts.shares)))

    def sentence(self, worst: float, failing: int) -> str:
        """The least ℓ."""
        what = tr("effective") if self.entropy else tr("different")
        if failing:
            return tr_n(
                "{failing:,} class has fewer than {l:g} {what} sensitive values.",
                "{failing:,} classes have fewer than {l:g} {what} sensitive values.",
                failing,
            ).format(failing=failing, l=self.l, what=what)
        return tr_n(
            "Every class of published records has at least {found} {what} sensitive value.",
            "Every class of published records has at least {found} {what} sensitive values.",
            min(worst, 2),
        ).format(found=at_least(worst), what=what)
