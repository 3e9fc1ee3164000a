"""Recursive (c, ℓ)-diversity: a bound on the most frequent sensitive value of a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer, Real
from kanon_core.base.words import counted, tr
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee, at_most
from kanon_core.guarantees.base import Verdict

L = Annotated[int, Integer(2, 1_000, help="ℓ: least number of sensitive values in a class")]


@dataclass(frozen=True)
class RecursiveDiversity(SensitiveGuarantee):
    """In every class r₁ < c · (r_ℓ + r_{ℓ+1} + … + r_m) for the counts r₁ ≥ r₂ ≥ … ≥ r_m of its values.

    The most frequent value occurs less than c times as often as all values except the ℓ − 1 most frequent
    together, even after an attacker has ruled out ℓ − 2 of the others. A class of fewer than ℓ values fails.
    Missing is a value of its own. ``found`` is the greatest ratio r₁ / (r_ℓ + … + r_m), which must stay below
    c (infinite where a class has fewer than ℓ values). Cost O(n log n) per column.

    A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, ℓ-diversity: privacy beyond k-anonymity,
    ACM Transactions on Knowledge Discovery from Data 1(1), 2007, definition 4.3.
    """

    name: ClassVar[str] = "recursive (c, ℓ)-diversity"
    meaning: ClassVar[str] = (
        "In every equivalence class, the most frequent sensitive value occurs less than c times as often as"
        " all values except the ℓ − 1 most frequent together."
    )
    example: ClassVar[str] = (
        "c = 3, ℓ = 2: in a class of ten diagnoses, seven may be flu (7 < 3 · 3), but not eight."
    )

    symbol: ClassVar[str] = "c"
    parameter: ClassVar[str] = "c"

    c: Annotated[
        float, Real(0, 1_000, help="c: bound on the most frequent value; a greater c is a weaker bound")
    ] = 2.0
    l: L = 2  # noqa: E741

    @property
    def wanted(self) -> str:
        """c and ℓ."""
        return f"{super().wanted}, ℓ = {self.l}"

    def reached(self, verdict: Verdict) -> str:
        """Every greater c is kept."""
        if not np.isfinite(verdict.found):
            return super().reached(verdict)
        return f"c > {at_most(verdict.found)}, ℓ = {self.l}"

    @property
    def required(self) -> float:
        """c, which must not be reached."""
        return self.c

    @property
    def fewest(self) -> float:
        """ℓ."""
        return self.l

    def broken(self, numbers: np.ndarray) -> np.ndarray:
        """Booleans (classes): the ratio is c or more."""
        return numbers >= self.c

    def measured(self, counts: Counts) -> np.ndarray:
        """r₁ / (r_ℓ + … + r_m) of each class."""
        ordered = _downward(counts)
        place = np.arange(len(ordered)) - counts.first[counts.owner]
        rest = np.bincount(counts.owner, np.where(place >= self.l - 1, ordered, 0))
        return np.where(rest > 0, ordered[counts.first] / np.maximum(rest, 1), np.inf)

    def sentence(self, worst: float, failing: int) -> str:
        """The class nearest to the bound."""
        rest = (
            tr("all values except the {l} most frequent").format(l=self.l - 1)
            if self.l > 2
            else tr("all other values")
        )
        if failing:
            return tr(
                "In {failing}, the most frequent sensitive value occurs at least {c:g} times as often as"
                " {rest} together."
            ).format(failing=counted(failing, "class"), c=self.c, rest=rest)
        return tr(
            "In every class, the most frequent sensitive value occurs at most {found} times as often as"
            " {rest} together."
        ).format(found=at_most(worst), rest=rest)


def _downward(counts: Counts) -> np.ndarray:
    """int64 (m): the counts class by class, the greatest of each first. Class and count are sorted as one
    number: both are at most the number of records."""
    most = int(counts.counts.max(initial=0))
    keys = (counts.owner << most.bit_length()) | (most - counts.counts)
    keys.sort()
    return np.asarray(most - (keys & ((1 << most.bit_length()) - 1)))
